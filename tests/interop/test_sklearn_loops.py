"""Loops of other projects, run with the metrics of scikit-learn and with ours."""

import numpy as np
import pytest

from partwise.interop import sklearn as interop

pytestmark = pytest.mark.one_backend
metrics_of_sklearn = pytest.importorskip("sklearn.metrics")


def blobs(n=120, n_features=4, centers=4, seed=0):
    from sklearn.datasets import make_blobs

    return make_blobs(n, n_features, centers=centers, cluster_std=2.5, random_state=seed)


def grid_search(metrics):
    """Choose the number of clusters by several scorers at once."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import GridSearchCV

    points, classes = blobs()
    scoring = {
        "ari": make_scorer(metrics.adjusted_rand_score),
        "ami": make_scorer(metrics.adjusted_mutual_info_score, average_method="max"),
        "v": make_scorer(metrics.v_measure_score, beta=0.5),
    }
    search = GridSearchCV(
        KMeans(n_init=1, random_state=0),
        {"n_clusters": [2, 3, 4, 5]},
        scoring=scoring,
        refit="ami",
        cv=3,
    )
    search.fit(points, classes)
    scores = [search.cv_results_[f"mean_test_{name}"] for name in scoring]
    return [*np.concatenate(scores), search.best_params_["n_clusters"], search.best_score_]


def embedding_benchmark(metrics):
    """As MTEB scores embeddings: mini-batch k-means on drawn subsets, V-measure, mean."""
    from sklearn.cluster import MiniBatchKMeans

    scores = {}
    for task, centers in {"arxiv": 3, "reddit": 5, "stackexchange": 6}.items():
        embeddings, labels = blobs(120, 6, centers, seed=centers)
        topics = np.array([f"{task} topic {label}" for label in labels])
        draw = np.random.default_rng(42)
        v_measures = []
        for _ in range(3):
            subset = draw.choice(len(topics), 90, replace=False)
            model = MiniBatchKMeans(
                n_clusters=len(set(topics[subset])), batch_size=64, n_init=1, random_state=1
            )
            assigned = model.fit_predict(embeddings[subset])
            v_measures.append(metrics.v_measure_score(topics[subset], assigned))
        scores[task] = v_measures
    means = [float(np.mean(values)) for values in scores.values()]
    return [*means, float(np.mean(means)), *(x for values in scores.values() for x in values)]


def integration_benchmark(metrics):
    """As scib scores integrations: the best resolution by NMI, then ARI and isolated labels."""
    from sklearn.cluster import AgglomerativeClustering

    results = []
    for seed in range(3):
        embedding, types = blobs(90, 5, 5, seed)
        batch = np.arange(90) % 3
        best_nmi, best_labels = -1.0, None
        for n_clusters in range(2, 10):
            labels = AgglomerativeClustering(n_clusters).fit_predict(embedding + batch[:, None])
            nmi = metrics.normalized_mutual_info_score(types, labels)
            if nmi > best_nmi:
                best_nmi, best_labels = nmi, labels
        results.append(best_nmi)
        results.append(metrics.adjusted_rand_score(types, best_labels))
        for cell_type in np.unique(types):
            isolated = types == cell_type
            results.append(metrics.fowlkes_mallows_score(isolated, best_labels))
        for number in np.unique(batch):
            chosen = batch == number
            results.append(metrics.completeness_score(types[chosen], best_labels[chosen]))
    return results


def resolutions_of_cells(metrics):
    """As with scanpy: columns of ``obs``, one a resolution, against the annotation."""
    pandas = pytest.importorskip("pandas")
    from sklearn.cluster import Birch

    points, types = blobs(80, 3, 4, seed=5)
    obs = pandas.DataFrame(index=[f"cell-{i}" for i in range(80)])
    obs["cell_type"] = pandas.Categorical([f"type {label}" for label in types])
    for resolution in (2, 4, 8, 16):
        labels = Birch(n_clusters=resolution).fit_predict(points)
        obs[f"leiden_{resolution}"] = pandas.Categorical(labels.astype(str))
    columns = [name for name in obs if name.startswith("leiden")]
    rows = []
    for name in columns:
        rows.append(metrics.adjusted_rand_score(obs["cell_type"], obs[name]))
        rows.append(metrics.homogeneity_score(obs["cell_type"], obs[name]))
        for other in columns:
            rows.append(metrics.adjusted_mutual_info_score(obs[name], obs[other]))
            rows.append(metrics.mutual_info_score(obs[name], obs[other]))
    return rows


@pytest.mark.parametrize(
    "loop", [grid_search, embedding_benchmark, integration_benchmark, resolutions_of_cells]
)
def test_the_values_are_those_of_scikit_learn(loop, expected_values):
    ours = loop(interop)
    np.testing.assert_allclose(ours, expected_values(loop), rtol=1e-9, atol=1e-12)
    assert len(set(ours)) > 5


@pytest.fixture(scope="module")
def expected_values():
    values = {}

    def of(loop):
        if loop not in values:
            values[loop] = loop(metrics_of_sklearn)
        return values[loop]

    return of
