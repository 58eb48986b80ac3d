"""One large result of every kind: what the tests of this folder walk over."""

import numpy as np

import partwise as pw
from partwise import coreference, solvers
from partwise.scoring.soft import compare_memberships

ODD = '<script>alert("x")</script> & | _ % \\'


def documents(seed, n=60, entities=12):
    """Return documents of mentions, the name of the first of them a trap."""
    random = np.random.default_rng(seed)
    made = {}
    for i in range(n):
        name = ODD if i == 0 else f"d{i}"
        codes = random.integers(0, entities, 50)
        made[name] = [np.flatnonzero(codes == k).tolist() for k in range(entities)]
        made[name] = [entity for entity in made[name] if entity]
    return made


def kind_of(place):
    """Return a kind of mentions, one of them a trap."""
    return ODD if int(place.text) < 20 else "others"


def coreference_results():
    """Return the results of coreference, by kind."""
    key = documents(0)
    scores = {
        name: coreference.score(key, documents(seed))
        for name, seed in (("one & only", 1), (ODD, 2))
    }
    first, second = scores
    drawn = coreference.bootstrap(scores[first], draws=50, seed=1)
    test = coreference.paired_test(*scores.values(), draws=60, seed=2)
    table = coreference.CoreferenceTable.of(
        scores, bootstraps={first: drawn}, tests={(first, second): test}
    )
    teams = {first: documents(1), ODD: documents(2), "late": {ODD: [[1]]}}
    return {
        "leaderboard": coreference.leaderboard(key, teams, draws=60, seed=2),
        "error categories": coreference.error_categories(scores[first]),
        "scores": scores[first],
        "coreference bootstrap": drawn,
        "coreference paired test": test,
        "coreference table": table,
        "error analysis": coreference.error_analysis(scores[first]),
        "scores by size": coreference.scores_by_entity_size(scores[first]),
        "scores by mention": coreference.scores_by_mention(scores[first], kind_of),
        "split antecedents": coreference.split_antecedent_scores(scores[first]),
        "universal anaphora": coreference.universal_anaphora_scores(key, documents(1)),
        "input report": scores[first].input_report,
    }


def consensus_results(*draws):
    """Return what many clusterings give together, by kind."""
    return {
        "medoid": pw.medoid(list(draws)),
        "point estimate": pw.point_estimate(list(draws), seed=1),
        "credible ball": pw.credible_ball(draws[0], list(draws)),
        "majority vote": pw.majority_vote(list(draws)),
    }


def cover_results(truth, noisy):
    """Return what two covers give, by kind."""
    sides = [pw.Cover.from_labels(labels) for labels in (truth, noisy)]
    return {
        "cover": sides[0],
        "cover comparison": pw.compare_covers(*sides),
        "extended B-cubed": pw.extended_b_cubed(*sides),
        "average F1": pw.average_f1(*sides),
    }


def hierarchy_results(random):
    """Return what two trees give, by kind."""
    from scipy.cluster.hierarchy import linkage

    points = random.random((200, 2))
    sides = [pw.Hierarchy.from_linkage(linkage(points, word)) for word in ("ward", "single")]
    return {
        "hierarchy": sides[0],
        "cut similarities": pw.b_k(*sides),
        "hierarchy comparison": pw.compare_hierarchies(*sides),
    }


def results():
    """Return a result of every kind, by kind, of 4,000 items or of 300 clusterings."""
    random = np.random.default_rng(7)
    n = 4000
    truth = random.integers(0, 300, n)
    noisy = np.where(random.random(n) < 0.7, truth, random.integers(0, 300, n))
    other = np.where(random.random(n) < 0.6, truth, random.integers(0, 300, n))
    names = np.array([ODD, *(f"label {k}" for k in range(1, 300))], dtype=object)
    labelled = names[truth], names[noisy]
    groups = np.arange(n) // 40
    few = ["adjusted_rand_index", "purity", "variation_of_information"]
    edges = (random.integers(0, n, 6000), random.integers(0, n, 6000), random.random(6000))
    runs = {ODD: noisy, **{f"run {k}": (noisy + k) % (k + 5) for k in range(120)}}
    curve = pw.sweep(truth, edges, scores="similarity", measures=few, groups=groups)
    table = pw.contingency(*labelled)
    split = {"groups": groups, "crossing": "split", "seed": 3}
    blocks = np.repeat(np.arange(100), 40)
    inside, outside = blocks * 7 + truth % 7, blocks * 7 + noisy % 7
    by_blocks = pw.sweep(
        inside,
        np.stack([outside, blocks], axis=1),
        kind="nested",
        measures=few,
        groups=blocks,
    )
    soft = random.dirichlet(np.ones(4), 200)
    return {
        "comparison": pw.compare(*labelled),
        "comparison of all": pw.compare(*labelled, measures="all"),
        "score table": pw.score_many(truth, runs),
        "pairwise table": pw.pairwise(runs, "rand_index"),
        "soft comparison": compare_memberships(soft, soft[::-1]),
        "diagnosis": pw.diagnose(*labelled, items=True),
        "diagnosis without costs": pw.diagnose(*labelled, by="classification_accuracy"),
        "decomposition": pw.decompose(inside, outside, measure="v_measure"),
        "bootstrap": pw.bootstrap(*labelled, measure=few, draws=200, **split),
        "jackknife": pw.jackknife(*labelled, measure=few),
        "sample estimates": pw.estimate_from_sample(
            noisy.tolist(),
            {f"e{k}": np.flatnonzero(truth == k).tolist() for k in range(40)},
            weights="uniform",
            measures="pair_precision, pair_recall, b_cubed_precision",
        ),
        "paired test": pw.paired_test(truth, noisy, other, measure=few, draws=99, **split),
        "significance": pw.significance(*labelled, measure=few, draws=99, seed=1),
        "null distribution": pw.null_distribution(*labelled, measure=few, draws=99, seed=1),
        "standardized": pw.standardized_mutual_information(*labelled, draws=20, seed=1),
        "stability": pw.stability(runs),
        "sweep": curve,
        "sweep bootstrap": by_blocks.bootstrap("purity", draws=50, seed=1),
        "contingency": table,
        "alignment": pw.align(*labelled),
        "clustering": pw.Clustering(labelled[0]),
        "components": table.components(),
        "graph": pw.bipartite_graph(*labelled),
        "subcomponents": pw.split_subcomponents(*labelled),
        "matching": pw.match_clusters(*labelled),
        **cover_results(truth, noisy),
        **consensus_results(truth[:400], noisy[:400], other[:400]),
        "solved matching": solvers.match(table.to_scipy(), table.counts),
        **coreference_results(),
        **hierarchy_results(random),
    }
