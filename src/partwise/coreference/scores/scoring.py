"""``score``: a response against its key, all measures in one pass."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack, get_args

from partwise._kernels.workers import in_force, map_blocks, read_workers, working
from partwise.coreference.documents.columns import entities_of
from partwise.coreference.documents.documents import Documents, Side
from partwise.coreference.documents.pairing import MissingDocuments, paired_documents
from partwise.coreference.documents.reading import SIDES, Reading, check_standard_input
from partwise.coreference.documents.sides import (
    as_one_document,
    as_topics,
    with_joint_entities,
)
from partwise.coreference.documents.stacking import (
    DoubleDocuments,
    InputReport,
    Repeats,
    mention_codes,
    of_one_kind,
    with_codes,
    without_doubles,
    without_repeats,
)
from partwise.coreference.documents.suspicions import (
    alike,
    check_kinds,
    check_positions,
    notes_on_mentions,
    notes_on_spelling_of_mentions,
    notes_on_words,
    notes_on_zeros,
)
from partwise.coreference.documents.token_mapping import mapped_by_characters
from partwise.coreference.formats.options import PairOptions
from partwise.coreference.mentions.matching import MentionMatching, ZeroMatching, match_mentions
from partwise.coreference.mentions.word_runs import SHARED_MENTIONS
from partwise.coreference.scores.conventions import ConventionName, convention_of
from partwise.coreference.scores.further import further_counts
from partwise.coreference.scores.kept_mentions import kept_mentions, with_needed_heads
from partwise.coreference.scores.measures import shared_of
from partwise.coreference.scores.moved_mentions import moved_tables
from partwise.coreference.scores.scores import CoreferenceScores, scores_of
from partwise.coreference.syntax.mentions import NoSyntax
from partwise.labels.notes import Note
from partwise.numbers.checks import one_of
from partwise.typing import Coreference

KeepOrDrop = Literal["keep", "drop"]
OtherTokens = Literal["map", "position"]
OTHER_TOKENS: tuple[str, ...] = get_args(OtherTokens)


def score(
    key: Coreference,
    response: Coreference,
    *,
    convention: ConventionName = "perl-8.01",
    mentions: MentionMatching | None = None,
    repeats: Repeats | tuple[Repeats, Repeats] = "error",
    missing_documents: MissingDocuments = "error",
    extra_documents: MissingDocuments = "error",
    double_documents: DoubleDocuments = "error",
    singletons: KeepOrDrop | None = None,
    verbs: KeepOrDrop = "keep",
    nested: KeepOrDrop = "keep",
    zeros: ZeroMatching | None = None,
    cross_document: bool | Literal["names"] = False,
    topics: str | Path | Mapping[str, Hashable] | Callable[[str], Hashable] | None = None,
    other_tokens: OtherTokens = "map",
    exact: bool = False,
    workers: int | None = None,
    **reading: Unpack[PairOptions],
) -> CoreferenceScores:
    r"""Score a response against its key: MUC, B-cubed, CEAF, BLANC, LEA, CoNLL average.

    Parameters
    ----------
    key, response
        A path (see ``read``), ``Documents``, or a mapping of documents with hashable mentions:
        ``{document: [[mention, ...], ...]}`` with one list for each entity, ``{document:
        {entity: [mention, ...]}}``, or ``{document: {mention: entity}}``.
    convention : str, default "perl-8.01"
        Fixes what scorers differ in: perl-8.01, coval, luo-2014, ua-2.0, scorch (its BLANC is 1
        where neither side has a link), cai-strube (B-cubed and CEAF after twinless mentions
        were moved between the sides, the `sys` variants), corefud-1.2 (takes singletons out of
        both sides first, matches mentions by head and zeros by dependencies, and refuses sides
        with other words).
    mentions : {"exact", "head", "partial", "minimum_span", "first_run", "mina"}, optional
        Which mentions are the same, see ``match_mentions``; by default what the convention
        takes. ``mina`` takes those with the same minimum span by the parse of the key. Heads
        that files do not name are those of the key's parse or dependencies.
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
    verbs : {"keep", "drop"}, default "keep"
        Whether mentions that are verbs or verb phrases, by the syntax of the key, are left out
        of both sides, with entities of which one mention is left then.
    nested : {"keep", "drop"}, default "keep"
        Whether mentions within another one of their entity are left out of both sides.
    zeros : {"position", "dependencies"}, optional
        How empty nodes that are mentions are matched, see ``match_mentions``; by default what
        the convention does.
    cross_document : bool or "names", default False
        Take entities of one name in several documents for one entity, and all documents for one
        set of mentions. Files of a format that names entities, ``Documents`` and ``{document:
        {entity: ...}}`` only. CoNLL-2012 numbers entities anew in each document: where a number
        recurs, "names" says that its ids are names all the same. The further measures of
        corefud-1.2 are left out.
    topics : str, Path, mapping or callable, optional
        Documents of one topic are scored as one, as ``cross_document`` scores all: entities of
        one name are one within a topic, ``per_document`` has the topics, ``macro`` their means.
        A regular expression whose groups are the topic in the name of a document
        (``r"^(\d+)_"``), a file with document and topic a row, ``{document: topic}``, or a
        function of the name. Files and mappings may call a document as either side does, or in
        the words of another format. Sub-topics are a finer pattern or file.
    other_tokens : {"map", "position"}, default "map"
        What to do with a document that has another number of words on the two sides, where both
        give them: map the mentions of the response to the key's words by the characters of the
        text, and refuse where these differ; or compare positions as they are, with a note.
    exact : bool, default False
        Give the numerators of B-cubed, CEAF-e and LEA over all documents as fractions.
    workers : int, optional
        Threads that share the two sides and the measures once the documents are read; -1 is one
        for each core; by default as ``set_workers`` says. They change no bit. More than two
        have little to do, and files are read by one: reading is Python for the most part.
    **reading
        How files are read: ``format``, ``ends``, ``clusters``, ``document``, ``mention``,
        ``entity``, ``header``, ``delimiter``, see ``read``. One value holds for both sides as
        far as their formats can use it, a pair (key, response) for each alone.

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

    Documents are paired by name. Names of different formats are understood: "(x); part 000" of
    CoNLL-2012 is "x_0" of JSON lines; a file without names of documents pairs with the only
    document of the other side. ``input_report.notes`` has how files were read, which documents
    were paired so, and what is suspicious: other words on the two sides, no mention in common.
    Of a JSON record with both ``clusters`` and ``predicted_clusters`` the key takes the first,
    the response the second.

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
    zero_matching = rules.zeros if zeros is None else zeros
    keeping = singletons or ("drop" if rules.drop_singletons else "keep")
    one_of(keeping, ("keep", "drop"), "singletons")
    joint = bool(cross_document) or topics is not None
    if cross_document not in (False, True, "names"):
        raise ValueError(
            f"cross_document={cross_document!r}: True, False or 'names' is expected"
        )
    threads = read_workers(workers)
    check_standard_input(key, response)
    options = Reading(**reading)
    sides = [
        options.documents(source, side)
        for source, side in zip((key, response), SIDES, strict=True)
    ]
    options.check_used()
    check_positions(*sides)
    notes = [*_notes_of(sides), *notes_on_mentions(*sides)]
    if joint:
        if rules.moved:
            name = "topics=" if topics is not None else "cross_document=True"
            raise ValueError(f"{name} is not for the convention {convention}")
        asked = "cross_document=True" if topics is None else "topics="
        for documents_of, source, side in zip(sides, (key, response), SIDES, strict=True):
            notes += _check_names(documents_of, source, side, cross_document or True, asked)
    (of_key, of_response), doubles = zip(
        *(
            without_doubles(documents_of, double_documents, side)
            for documents_of, side in zip(sides, SIDES, strict=True)
        ),
        strict=True,
    )
    paired = paired_documents(of_key, of_response, missing_documents, extra_documents, topics)
    grouped = paired.topics
    chosen_key, on_key = alike(paired.key, paired.response, sides[0].format)
    chosen_response, on_response = alike(paired.response, paired.key, sides[1].format)
    check_kinds(chosen_key, chosen_response)
    one_of(other_tokens, OTHER_TOKENS, "other_tokens")
    on_words, other_numbers = notes_on_words(chosen_key.side, chosen_response.side)
    if other_numbers and rules.same_words:
        raise ValueError(
            f"{on_words[0]}; the convention {convention} refuses them, as its scorer does: "
            "give both sides the same tokens"
        )
    if other_numbers and other_tokens == "map":
        mapped, on_tokens = mapped_by_characters(chosen_key.side, chosen_response.side)
        chosen_response = replace(chosen_response, side=mapped)
        on_words = on_tokens or on_words
    notes += [*paired.notes, *on_key, *on_response, *on_words]
    for chosen in (chosen_key, chosen_response):
        if chosen.fault is not None:
            raise chosen.fault
    stacked = of_one_kind(chosen_key.side, chosen_response.side)
    policies = (repeats, repeats) if isinstance(repeats, str) else tuple(repeats)
    if len(policies) != 2:
        raise ValueError(f"repeats={repeats!r}: one policy, or one for key and response each")
    with working(threads):
        codes = mention_codes(*stacked)

        def each_once(at: int) -> Side:
            side = with_codes(stacked[at], codes[at])
            return without_repeats(side, codes[at], policies[at], SIDES[at], sides[at].notes)

        shared = len(stacked[0]) + len(stacked[1]) >= SHARED_MENTIONS
        a, b = map_blocks(each_once, (0, 1), in_force() if shared else 1)
        repeated = (len(stacked[0]) - len(a), len(stacked[1]) - len(b))
        merged = tuple(
            len(before.entity_document) - len(side.entity_document) if policy == "merge" else 0
            for before, side, policy in zip(stacked, (a, b), policies, strict=True)
        )
        if joint:
            topic = None if grouped is None else grouped.topic
            a, b = with_joint_entities(a, topic), with_joint_entities(b, topic)
        paths = [documents_of.path for documents_of in sides]
        kept = kept_mentions(a, b, keeping, verbs, nested, paths)
        a, b = kept.key, kept.response
        if zeros == "dependencies":
            notes += notes_on_zeros(a, b)
        a, b, on_heads = with_needed_heads(a, b, how, None if mentions else rules.name, paths)
        notes += on_heads
        try:
            match = match_mentions(a, b, how, zeros=zero_matching)
        except NoSyntax as error:
            raise ValueError(
                f'{paths[0] or "key"}: mentions="{how}" goes by the parse of the key, and '
                f'{error}; mentions="exact" needs none'
            ) from None
        if all(side.numbers is None for side in stacked):  # some mentions may be text
            notes += notes_on_spelling_of_mentions(a, b, match.partner)
        in_documents = a, b
        if grouped is not None:
            a, b = (as_topics(side, grouped.names, grouped.topic) for side in (a, b))
        elif joint:
            a, b = as_one_document(a), as_one_document(b)
        x = shared_of(a, b, match, in_documents)
        matched = x.table.n_items
        if len(a) and len(b) and not matched:
            text = f"none of the {len(a)} mentions of the key is one of the response's {len(b)}"
            notes.append(Note("no-mention-matches", text))
        report = InputReport(
            documents=len(in_documents[0].names),
            missing_documents=paired.lacking,
            extra_documents=paired.beyond,
            mentions=(len(a), len(b)),
            entities=(len(x.key_sizes), len(x.response_sizes)),
            repeated_mentions=repeated,
            singletons=(int((x.key_sizes == 1).sum()), int((x.response_sizes == 1).sum())),
            twinless=(len(a) - matched, len(b) - matched),
            merged_entities=(merged[0], merged[1]),
            dropped_singletons=kept.singletons,
            dropped_verbs=kept.verbs,
            dropped_nested=kept.nested,
            double_documents=(doubles[0], doubles[1]),
            notes=tuple(notes),
        )
        further = {} if joint else further_counts(a, b, match, rules.further)
        moved = moved_tables(x, match) if rules.moved else None
        return scores_of(x, rules, how, report, exact, further, moved)


def _notes_of(sides: Sequence[Documents]) -> list[Note]:
    """Return the notes of both sides, with the file or the side as their origin."""
    notes = [
        note.at(documents.path or side)
        for documents, side in zip(sides, SIDES, strict=True)
        for note in documents.notes
    ]
    return list(dict.fromkeys(notes))


def _check_names(
    documents: Documents, source: Any, side: str, cross_document: bool | str, asked: str
) -> list[Note]:
    """Raise where the names of entities, which ``asked`` needs, cannot be in two documents."""
    if documents.format == "jsonlines" or (isinstance(source, Mapping) and _numbered(source)):
        raise ValueError(
            f"{asked} joins entities by name, and the entities of the {side} have no names "
            "that could be the same in two documents; give them in one document, as {document: "
            "{entity: [mention, ...]}}, or in a format with names (CorefUD, a table)"
        )
    if documents.format not in ("conll-2012", "semeval-2010"):
        return []
    document_of: dict[Hashable, str] = {}
    for name, entities in entities_of(documents):
        for entity in entities:
            other = document_of.setdefault(entity, name)
            if other == name or not str(entity).isdecimal():
                continue
            text = f"the id {entity!r} stands in document {other!r} and in {name!r}"
            if cross_document == "names":
                where = documents.path or side
                return [Note("names-joined", f"{text}, taken for one entity", where)]
            raise ValueError(
                f"{documents.path or side}: {asked} joins entities by name, and {text}; ids of "
                f"{documents.format} count anew in each document, so these may be two entities "
                'or one: say cross_document="names" if ids are names across documents'
            )
    return []


def _numbered(documents: Mapping[Any, Any]) -> bool:
    """Return whether entities are numbered anew in a document given as an object."""
    return any(not isinstance(entities, Mapping) for entities in documents.values())
