"""The report page of coreference: scores, errors by kind, documents, the worst entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partwise.coreference.scores.analysis.categories import (
    CATEGORIES,
    ErrorCategories,
    error_categories,
    example_text,
)
from partwise.coreference.scores.analysis.errors import (
    KINDS,
    ErrorAnalysis,
    entity_text,
    error_analysis,
)
from partwise.coreference.scores.measures import MEASURES
from partwise.coreference.scores.recall_precision import Score
from partwise.coreference.scores.worst import Part as EntityPart
from partwise.coreference.scores.worst import Place, Worst, WorstEntity, WorstMention, worst_of
from partwise.report.numbers import show_percent
from partwise.report.page.parts import (
    LABEL,
    Cell,
    Column,
    Entry,
    Facts,
    Figures,
    Listing,
    Paragraphs,
    Part,
    Piece,
    Section,
    Sheet,
    cut,
)
from partwise.report.page.pictures import picture_of
from partwise.report.page.render import ReportPage, rendered
from partwise.report.table import Table
from partwise.scoring.diagnose.report_cells import percent
from partwise.scoring.page.pair import notes_of

if TYPE_CHECKING:
    from partwise.coreference.documents.stacking import InputReport
    from partwise.coreference.scores.scores import CoreferenceScores

_PARTS = ("recall", "precision", "f1")
#: Documents that are listed at most.
_LISTED_DOCUMENTS = 2000
#: The two sides, and what an entity of each is called.
_SIDES = (("key", "entity of the key"), ("response", "entity of the response"))


def page_of(
    scores: CoreferenceScores,
    *,
    title: str | None,
    names: tuple[str, str],
    worst: int,
    errors: str | None,
) -> ReportPage:
    """Return the page; see ``CoreferenceScores.report_page``."""
    costliest = worst_of(scores, worst)
    kinds = _errors_by_kind(scores, errors)
    report = scores.input_report
    one_document = len(scores.documents) < 2
    sections = [
        Section("read", "What was read", _read(scores, names)),
        Section("measures", "Scores", _scores(scores)),
        Section("errors", "Errors by kind", _errors(kinds)),
        Section("categories", "Errors by category", _categories(error_categories(scores))),
        Section("pictures", "Pictures", [] if one_document else [_picture(scores)]),
        Section(
            "documents",
            f"{report.unit.capitalize()}s",
            [] if one_document else [_documents(scores)],
        ),
        Section("entities", "Worst entities", _entities(costliest)),
        Section("mentions", "Worst mentions", _mentions(costliest)),
    ]
    return rendered(
        f"{names[1]} scored against {names[0]}" if title is None else title,
        [section for section in sections if section.parts],
        subtitle=f"{report.documents:,} documents, convention {scores.convention}, mentions "
        f"matched: {scores.mentions}.",
        figures=_figures(scores, report),
    )


def _figures(scores: CoreferenceScores, report: InputReport) -> Figures:
    return Figures(
        [
            (show_percent(scores["conll"].f1), "CoNLL F1, %"),
            (show_percent(scores["lea"].f1), "LEA F1, %"),
            (f"{report.entities[0]:,}", "entities of the key"),
            (f"{report.entities[1]:,}", "entities of the response"),
            (f"{report.twinless[0]:,}", "mentions missed"),
            (f"{report.twinless[1]:,}", "mentions invented"),
        ]
    )


def _read(scores: CoreferenceScores, names: tuple[str, str]) -> list[Part]:
    report = scores.input_report
    facts = [
        ("key", names[0]),
        ("response", names[1]),
        ("convention", scores.convention),
        ("mentions matched", scores.mentions),
        ("documents", f"{report.documents:,}"),
    ]
    for what, (of_key, of_response) in (
        ("mentions", report.mentions),
        ("mentions without a partner", report.twinless),
        ("entities", report.entities),
        ("entities of one mention", report.singletons),
        ("repeated mentions, dropped", report.repeated_mentions),
        ("entities merged over repeated mentions", report.merged_entities),
        ("singletons dropped before matching", report.dropped_singletons),
        ("mentions dropped as verbs, or left alone by these", report.dropped_verbs),
        ("nested mentions dropped", report.dropped_nested),
        ("further documents of one name", report.double_documents),
    ):
        if of_key or of_response:
            facts.append((what, f"{of_key:,} in the key, {of_response:,} in the response"))
    for what, documents in (
        ("documents without a response", report.missing_documents),
        ("documents without a key", report.extra_documents),
    ):
        if documents:
            facts.append((what, f"{len(documents):,}: {', '.join(documents[:50])}"))
    return [Facts(facts), notes_of(report.notes)]


def _scores(scores: CoreferenceScores) -> list[Part]:
    rows = [
        (_title(name), *(100 * getattr(scores[name], part) for part in _PARTS))
        for name in scores
    ]
    undefined = [name for name in scores if scores[name].undefined]
    remarks = [
        f"{_title(name)}: {', '.join(scores[name].undefined)} is 0 / 0, shown as 0."
        for name in undefined
    ]
    table = Table(
        ("measure, in %", "recall", "precision", "F1"),
        rows,
        notes=remarks,
        decimals=2,
        whole=False,
    )
    return [Sheet("Recall, precision and F1 over all documents", table)]


def _title(name: str) -> str:
    return (
        "CoNLL average"
        if name == "conll"
        else MEASURES[name].title
        if name in MEASURES
        else name
    )


def _errors_by_kind(scores: CoreferenceScores, measure: str | None) -> ErrorAnalysis:
    """Return the errors by kind; B-cubed's by default, or LEA's where that has no one table."""
    if measure is None:
        measure = "lea" if scores._moved else "b_cubed"
    try:
        return error_analysis(scores, measure)
    except ValueError as error:  # the caller's word for it is another one
        raise ValueError(str(error).replace("measure=", "errors=", 1)) from None


def _errors(errors: ErrorAnalysis) -> list[Part]:
    title = MEASURES[errors.measure].title
    parts: list[Part] = []
    for (side, _), kinds, meanings, what in zip(
        _SIDES, (errors.key, errors.response), KINDS, ("recall", "precision"), strict=True
    ):
        rows = [
            (
                f"{one.kind}: {meanings[one.kind]}",
                one.entities,
                one.mentions,
                round(one.loss, 2),
                percent(one.share),
            )
            for one in kinds
        ]
        head = ("kind", "entities", "mentions", f"{what} lost", "share")
        table = Table(head, rows, decimals=2, whole=False)
        parts.append(
            Sheet(f"Entities of the {side}, and what they lack of the {what} of {title}", table)
        )
        examples = [
            f"{one.kind}: {entity_text(example)}" for one in kinds for example in one.examples
        ]
        parts += [Paragraphs(examples)] if examples else []
    return [
        *parts,
        Paragraphs(
            [
                f"Mentions without a partner: {errors.missing_mentions:,} of the key, "
                f"{errors.extra_mentions:,} of the response."
            ]
        ),
    ]


def _categories(categories: ErrorCategories) -> list[Part]:
    """Return errors by category, and some of each with their words."""
    rows = [
        (f"{name}: {CATEGORIES[name]}", one.errors, one.mentions)
        for name, one in categories.items()
    ]
    (heading,) = categories.heading()
    table = Table(("category", "errors", "mentions"), rows, whole=False)
    examples = [
        f"{name}: {example_text(name, example)}"
        for name, one in categories.items()
        for example in one.examples
    ]
    more: list[Part] = [Paragraphs(examples)] if examples else []
    return [Sheet(f"{heading[0].upper()}{heading[1:]}", table), *more]


def _picture(scores: CoreferenceScores) -> Part:
    unit = scores.input_report.unit
    return picture_of(
        scores.plot,
        key="documents-plot",
        caption=f"{unit.capitalize()}s by recall and precision of the CoNLL average",
        description=f"A circle for each {unit} at its recall and precision, its area the "
        f"mentions of the key. The list of {unit}s has the same numbers.",
    )


def _documents(scores: CoreferenceScores) -> Listing:
    unit = scores.input_report.unit
    lines: list[tuple[str, dict[str, Score]]] = list(scores.in_turn())
    mentions = scores.counts_of("mentions").recall_denominator.tolist()
    shown = ("conll", "muc", "b_cubed", "ceaf_e", "lea")
    rows = sorted(
        zip(lines, mentions, strict=True), key=lambda row: float(row[0][1]["conll"].f1)
    )
    entries = [
        Entry(
            kind=unit,
            cells=[
                Cell(cut(name, LABEL)),
                Cell.of(int(size)),
                Cell.of(of["conll"].recall, show_percent(of["conll"].recall)),
                Cell.of(of["conll"].precision, show_percent(of["conll"].precision)),
                *(Cell.of(of[one].f1, show_percent(of[one].f1)) for one in shown),
            ],
        )
        for (name, of), size in rows[:_LISTED_DOCUMENTS]
    ]
    return Listing(
        caption=f"{unit.capitalize()}s in %, the lowest CoNLL F1 first",
        noun=f"{unit}s",
        columns=[
            Column(unit),
            Column("mentions of the key", numeric=True),
            Column("CoNLL recall", numeric=True),
            Column("CoNLL precision", numeric=True),
            *(
                Column(f"{_title(one).removesuffix(' average')} F1", numeric=True)
                for one in shown
            ),
        ],
        last="",
        entries=entries,
        total=len(rows),
    )


def _entities(worst: Worst) -> list[Part]:
    pairs = [
        (what, one)
        for (_, what), entities in zip(_SIDES, (worst.key, worst.response), strict=True)
        for one in entities
    ]
    if not pairs:
        return [Paragraphs(["No entity costs anything."])]
    pairs.sort(key=lambda pair: -pair[1].cost)
    return [
        Listing(
            caption="Entities by the mentions that B-cubed misses of them",
            noun="entities",
            columns=[
                Column("entity"),
                Column("what"),
                Column("document"),
                Column("mentions", numeric=True),
                Column("missed", numeric=True),
                Column("share of the side", numeric=True),
                Column("parts", numeric=True),
                Column("without a partner", numeric=True),
            ],
            last="entities of the other side (mentions)",
            entries=[_entity(what, one) for what, one in pairs],
            total=len(pairs),
        )
    ]


def _entity(what: str, one: WorstEntity) -> Entry:
    left = one.size - sum(part.count for part in one.parts)
    return Entry(
        kind=what,
        cells=[
            Cell(_name(one.entity)),
            Cell(what),
            Cell(cut(one.document, LABEL)),
            Cell.of(one.size),
            Cell.of(one.cost, f"{one.cost:.2f}"),
            Cell.of(one.share, percent(one.share)),
            Cell.of(one.n_parts),
            Cell.of(one.twinless),
        ],
        pieces=[_piece(part) for part in one.parts],
        left_out=f"and {left} mentions in other entities" if left else "",
    )


def _piece(part: EntityPart) -> Piece:
    name = "without a partner" if part.entity is None else _name(part.entity)
    shown = [_place(place) for place in part.mentions]
    return Piece(name, part.count, shown, part.count - len(shown))


def _name(entity: Any) -> str:
    return cut(" ".join(str(entity).split()), LABEL) or '""'


def _place(place: Place) -> str:
    """Return the words of a mention, and where it stands."""
    words = cut(place.text, LABEL)
    if place.span is None:
        return words
    first, last = place.span
    where = f"token {first}" if first == last else f"tokens {first} to {last}"
    if place.line is not None:
        where += f", line {place.line}"
    return f"{words} ({where})" if words else where


def _mentions(worst: Worst) -> list[Part]:
    if not worst.mentions:
        return [Paragraphs(["No mention costs anything."])]
    return [
        Listing(
            caption="Mentions by what B-cubed misses of recall and of precision",
            noun="mentions",
            columns=[
                Column("mention"),
                Column("what"),
                Column("document"),
                Column("missed", numeric=True),
                Column("entity of the key"),
                Column("its mentions", numeric=True),
                Column("entity of the response"),
                Column("its mentions", numeric=True),
                Column("in both", numeric=True),
            ],
            last="",
            entries=[_mention(one) for one in worst.mentions],
            total=len(worst.mentions),
        )
    ]


def _mention(one: WorstMention) -> Entry:
    kind = "in both"
    if one.key_entity is None:
        kind = "only in the response"
    elif one.response_entity is None:
        kind = "only in the key"
    return Entry(
        kind=kind,
        cells=[
            Cell(_place(one.mention)),
            Cell(kind),
            Cell(cut(one.mention.document, LABEL)),
            Cell.of(one.cost, f"{one.cost:.2f}"),
            Cell("" if one.key_entity is None else _name(one.key_entity)),
            Cell.of(one.key_size),
            Cell("" if one.response_entity is None else _name(one.response_entity)),
            Cell.of(one.response_size),
            Cell.of(one.together),
        ],
    )
