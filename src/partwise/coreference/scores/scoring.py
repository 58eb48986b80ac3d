"""``score``: a response against its key, all measures in one pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from partwise.coreference.documents.documents import Documents
from partwise.coreference.documents.sides import (
    as_one_document,
    with_joint_entities,
    without_singletons,
)
from partwise.coreference.documents.stacking import (
    InputReport,
    mention_codes,
    of_one_kind,
    paired_documents,
    read_documents,
    stack,
    without_doubles,
    without_repeats,
)
from partwise.coreference.mentions.matching import match_mentions
from partwise.coreference.scores.conventions import convention_of
from partwise.coreference.scores.further import further_counts
from partwise.coreference.scores.measures import shared_of
from partwise.coreference.scores.moved_mentions import moved_tables
from partwise.coreference.scores.scores import CoreferenceScores, scores_of
from partwise.numbers.checks import one_of


def score(
    key: Any,
    response: Any,
    *,
    convention: str = "perl-8.01",
    mentions: str | None = None,
    repeats: str | tuple[str, str] = "error",
    missing_documents: str = "error",
    extra_documents: str = "error",
    double_documents: str = "error",
    singletons: str | None = None,
    zeros: str = "position",
    cross_document: bool = False,
    exact: bool = False,
) -> CoreferenceScores:
    """Score a response against its key: MUC, B-cubed, CEAF, BLANC, LEA, CoNLL average.

    Parameters
    ----------
    key, response
        A path (see ``read``), ``Documents``, or ``{document: [[mention, ...], ...]}`` with one
        list for each entity and hashable mentions.
    convention : str, default "perl-8.01"
        Fixes what scorers differ in: perl-8.01, coval, luo-2014, ua-2.0, scorch (its BLANC is 1
        where neither side has a link), cai-strube (B-cubed and CEAF after twinless mentions
        were moved between the sides, the `sys` variants), corefud-1.2 (takes singletons out of
        both sides first).
    mentions : {"exact", "head", "partial", "minimum_span"}, optional
        Which mentions are the same; by default what the convention takes.
    repeats : {"error", "first", "last", "merge"}, or a pair (key, response)
        A mention that stands twice in a document: refuse, keep one of them, or keep one and
        take the entities that it is in for one entity.
    missing_documents, extra_documents : {"error", "empty", "ignore"}
        Documents without a response, and without a key: refuse, score them as empty there, or
        leave them out.
    double_documents : {"error", "first", "last", "merge"}
        Two documents of one name on a side: refuse, keep one, or put the mentions of both in
        one document. Entities of two documents stay apart, whatever their names; a mention of
        both is a repeat.
    singletons : {"keep", "drop"}, optional
        Whether entities of one mention stay, or are taken out of both sides before mentions are
        matched; by default what the convention does.
    zeros : {"position", "dependencies"}, default "position"
        How empty nodes that are mentions are matched; see ``match_mentions``.
    cross_document : bool, default False
        Take entities of one name in several documents for one entity, and all documents for one
        set of mentions. Files of a format that names entities, and ``Documents``, only. The
        further measures of corefud-1.2 are left out.
    exact : bool, default False
        Give the numerators of B-cubed, CEAF-e and LEA over all documents as fractions.

    Returns
    -------
    CoreferenceScores
        ``scores["muc"].f1`` and so on; names are mentions, muc, b_cubed, ceaf_m, ceaf_e, blanc,
        lea, conll; for spans under corefud-1.2 also mention_overlap (MOR: words that mentions
        share at best) and zero_anaphors (the anaphor score for zeros).

    Raises
    ------
    ValueError, TypeError
        Input that policies do not allow, with document, entity and mention.

    Notes
    -----
    One sparse table of entities over all documents; the measures are sums over its cells, CEAF
    a matching on them. Mentions without a partner count in the denominators (Pradhan et al.
    2014). O(mentions log mentions) but for the matching.

    References
    ----------
    Pradhan et al., ACL 2014 (the reference scorer's rules); Cai and Strube, SIGDIAL
    2010; Luo et al., ACL 2014 (BLANC); Moosavi and Strube, ACL 2016 (LEA).

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d": [["a", "b", "c"], ["d", "e"]]}
    >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c", "d", "e"]]})
    >>> scores["muc"].recall_numerator, scores["muc"].recall_denominator
    (2, 3)
    >>> round(scores["conll"].f1, 4)
    0.7333
    """
    rules = convention_of(convention)
    how = rules.mentions if mentions is None else mentions
    keeping = singletons or ("drop" if rules.drop_singletons else "keep")
    one_of(keeping, ("keep", "drop"), "singletons")
    given = read_documents(key, "key"), read_documents(response, "response")
    if cross_document:
        if rules.moved:
            raise ValueError(f"cross_document=True is not for the convention {convention}")
        for documents_of, whole, name in zip(
            given, (key, response), ("key", "response"), strict=True
        ):
            _check_names(documents_of, whole, name)
    (of_key, of_response), doubles = zip(
        *(
            without_doubles(documents_of, double_documents, name)
            for documents_of, name in zip(given, ("key", "response"), strict=True)
        ),
        strict=True,
    )
    documents = paired_documents(of_key, of_response, missing_documents, extra_documents)
    sides = of_one_kind(stack(documents[0], "key"), stack(documents[1], "response"))
    before = [len(side) for side in sides]
    entities = [len(side.entity_document) for side in sides]
    codes = mention_codes(*sides)
    policies = (repeats, repeats) if isinstance(repeats, str) else tuple(repeats)
    if len(policies) != 2:
        raise ValueError(f"repeats={repeats!r}: one policy, or one for key and response each")
    a, b = (
        without_repeats(side, code, policy, name)
        for side, code, policy, name in zip(
            sides, codes, policies, ("key", "response"), strict=True
        )
    )
    dropped = (before[0] - len(a), before[1] - len(b))
    merged = tuple(
        n - len(side.entity_document) if policy == "merge" else 0
        for n, side, policy in zip(entities, (a, b), policies, strict=True)
    )
    if cross_document:
        a, b = with_joint_entities(a), with_joint_entities(b)
    before = [len(side) for side in (a, b)]
    if keeping == "drop":
        a, b = without_singletons(a), without_singletons(b)
    alone = (before[0] - len(a), before[1] - len(b))
    match = match_mentions(a, b, how, zeros=zeros)
    places = a, b
    if cross_document:
        a, b = as_one_document(a), as_one_document(b)
    x = shared_of(a, b, match, places)
    matched = x.table.n_items
    report = InputReport(
        *(len(places[0].names), documents[2], documents[3], (len(a), len(b))),
        *((len(x.key_sizes), len(x.response_sizes)), dropped),
        (int((x.key_sizes == 1).sum()), int((x.response_sizes == 1).sum())),
        (len(a) - matched, len(b) - matched),
        *((merged[0], merged[1]), alone, (doubles[0], doubles[1])),
    )
    further = {} if cross_document else further_counts(a, b, match, rules.further)
    moved = moved_tables(x, match) if rules.moved else None
    return scores_of(x, rules, how, report, exact, further, moved)


def _check_names(documents: Documents, given: Any, side: str) -> None:
    """Raise where entities are numbered anew in each document."""
    if isinstance(given, Mapping) or documents.format == "jsonlines":
        raise ValueError(
            f"cross_document=True: the entities of the {side} have no names that could be the "
            "same in two documents; give them in one document, or in a format with names "
            "(CoNLL-2012, CorefUD)"
        )
