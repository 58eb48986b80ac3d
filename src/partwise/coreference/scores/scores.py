"""Scores of coreference: each measure over all documents, by document, and as means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from partwise.coreference.documents.stacking import InputReport
from partwise.coreference.scores.conventions import Convention
from partwise.coreference.scores.entity_tables import (
    check_name,
    contingency_of,
    decomposition_of_scores,
    split_name,
)
from partwise.coreference.scores.measures import (
    CONLL,
    MEASURES,
    OF_QUOTIENTS,
    Counts,
    Shared,
    blanc_links,
    counts_of_measures,
    exact_numerators,
    own_name,
)
from partwise.coreference.scores.moved_mentions import MOVED, moved_counts
from partwise.coreference.scores.recall_precision import (
    PARTS,
    Columns,
    Score,
    added_up,
    blanc_columns,
    columns_of,
    macro_of,
    mean,
    weighted_of,
    with_mentions,
)
from partwise.coreference.scores.score_reports import (
    PerDocument,
    counts_of,
    frame,
    input_of,
    plain,
    plain_counts,
    plain_input,
    rows_of,
)
from partwise.labels.account import counted
from partwise.report.json_documents import JsonResult
from partwise.report.numbers import show_percent
from partwise.report.plots.distributions import draw_recall_precision
from partwise.report.plots.style import saved
from partwise.report.table import Table, Tabular, wrapped
from partwise.report.tables import csv_table
from partwise.scoring.decompose import Decomposition
from partwise.table.contingency import Contingency

if TYPE_CHECKING:
    import pandas

    from partwise.report.page.render import ReportPage


@dataclass(frozen=True, eq=False, repr=False)
class CoreferenceScores(Tabular, JsonResult):
    """Scores of a response under one convention; see ``score``.

    Indexing by the name of a measure gives its ``Score`` over all documents: numerators and
    denominators are added up before they are divided (micro). ``"conll"`` is the mean of the F1
    of MUC, B-cubed and CEAF-e (its recall and precision are means, too).

    Attributes
    ----------
    convention : str
    mentions : str
        How mentions were matched.
    documents : list of str
    input_report : InputReport
    """

    _schema: ClassVar[str] = "coreference-scores/1"

    convention: str
    mentions: str
    documents: list[str]
    input_report: InputReport
    _rule: str
    _tables: Shared | None
    _counts: dict[str, Counts]
    _exact: dict[str, tuple[Fraction, Fraction]]
    _moved: bool
    _key_digest: str = ""

    @property
    def _shared(self) -> Shared:
        """The table of entities; scores that were read from JSON have none."""
        if self._tables is None:
            raise ValueError(
                "these scores were read from JSON, which holds counts by document and not "
                "mentions; score the key and the response again for what needs them"
            )
        return self._tables

    @property
    def key_digest(self) -> str:
        """What identifies the mentions and entities of the key: a hash of their columns."""
        if self._tables is None:
            return self._key_digest
        key = self._tables.key
        digest = sha256()
        for column in (key.document, key.entity):
            digest.update(np.ascontiguousarray(column, dtype="<i8").tobytes())
        return digest.hexdigest()

    def __getitem__(self, name: str) -> Score:
        name = own_name(name, self) if name not in self._counts else name
        if name == "conll":
            return mean([self[part] for part in CONLL])
        total = self.counts_of(name).of(added_up)
        if name in self._exact:
            above = (np.array([part], dtype=object) for part in self._exact[name])
            total = replace(
                total, recall_numerator=next(above), precision_numerator=next(above)
            )
        return self._scored(name, total, 0)

    def __iter__(self) -> Iterator[str]:
        return iter(
            (*MEASURES, "conll", *(name for name in self._counts if name not in MEASURES))
        )

    def counts_of(self, name: str) -> Counts:
        """Return numerators and denominators of a measure, by document."""
        if name not in self._counts:
            raise KeyError(f"{name}: one of {', '.join(self)} is expected")
        return self._counts[name]

    def columns_of(self, name: str, counts: Counts) -> Columns:
        """Return the scores that counts of a measure make, document by document."""
        return blanc_columns(counts, self._rule) if name == "blanc" else columns_of(counts)

    def _columns(self) -> dict[str, Columns]:
        """Return the scores of all documents, by measure."""
        return {name: self.columns_of(name, counts) for name, counts in self._counts.items()}

    def _scored(self, name: str, counts: Counts, at: int) -> Score:
        columns = self.columns_of(name, counts)
        if name == "blanc":
            recall, precision = columns.values[:2, at].tolist()
            return columns.score(at, (recall, 1, precision, 1))
        return columns.score(at, tuple(part.tolist()[at] for part in counts.parts))

    def of_document(self, at: int, name: str) -> Score:
        """Return the score of a document by its position in ``documents``."""
        if name == "conll":
            return mean([self.of_document(at, part) for part in CONLL])
        here = self.counts_of(name).of(lambda part: part[..., at : at + 1])
        return self._scored(name, here, 0)

    @property
    def per_document(self) -> Mapping[str, Mapping[str, Score]]:
        """Scores of each document, by its name and then by measure."""
        return PerDocument(
            self.documents, lambda at: {name: self.of_document(at, name) for name in self}
        )

    def in_turn(self) -> Iterator[tuple[str, dict[str, Score]]]:
        """Yield what ``per_document`` has, much faster for many documents."""
        columns = self._columns()
        parts = {
            name: [part.tolist() for part in counts.parts]
            for name, counts in self._counts.items()
            if name != "blanc"
        }
        recall, precision = columns["blanc"].values[:2].tolist()
        ones = [1] * len(recall)
        parts["blanc"] = [recall, ones, precision, ones]
        for at, document in enumerate(self.documents):
            scores = {
                name: column.score(at, tuple(part[at] for part in parts[name]))
                for name, column in columns.items()
            }
            yield document, scores | {"conll": mean([scores[name] for name in CONLL])}

    @property
    def macro(self) -> dict[str, Score]:
        """Means over documents of recall, precision and F1; numerators are left out."""
        return macro_of(self._columns(), len(self.documents))

    @property
    def weighted(self) -> dict[str, Score]:
        """Means over documents weighted by their mentions.

        Recall by those of the key, precision by those of the response, F1 by both together:
        what scorch gives for several documents. The CoNLL average is that of these F1.
        """
        return weighted_of(self._columns(), self._counts["mentions"])

    @property
    def whole_blanc(self) -> Score:
        """BLANC with links between mentions of all documents, as of one set."""
        links = blanc_links(self._shared, whole=True)
        if self._rule == "scorch":
            links = with_mentions(links, self._counts["mentions"].of(added_up))
        return self._scored("blanc", links, 0)

    def alignment(self, name: str) -> list[tuple[str, Any, Any, int]]:
        """Return the pairs of CEAF: document, entity of the key and of the response, mentions.

        Parameters
        ----------
        name : {"ceaf_m", "ceaf_e"}
        """
        x = self._shared
        aligned = {"ceaf_m": x.by_mentions, "ceaf_e": x.by_entities}
        if name not in aligned:
            raise KeyError(f"{name}: only {', '.join(aligned)} have an alignment")
        self._refuse_moved(name, "alignment")
        cells = aligned[name]
        rows, cols = x.rows[x.table.rows[cells]], x.cols[x.table.cols[cells]]
        pairs = zip(rows.tolist(), cols.tolist(), x.table.counts[cells].tolist(), strict=True)
        return [
            (
                x.key.names[int(x.key.entity_document[row])],
                x.key.entity_names[row],
                x.response.entity_names[col],
                common,
            )
            for row, col, common in pairs
        ]

    def check_comparable(self, other: CoreferenceScores) -> None:
        """Raise ValueError where the scores of another response are on other terms.

        Conventions, ways to match mentions, documents and the key have to be the same.
        """
        for what, name in (
            ("conventions", "convention"),
            ("ways to match mentions", "mentions"),
        ):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                raise ValueError(
                    f"the scores are not comparable: their {what} differ ({ours} and "
                    f"{theirs}); score both responses with the same"
                )
        if self.documents != other.documents:
            odd = sorted(set(self.documents) ^ set(other.documents))
            which = f"{odd[0]!r} is in one alone" if odd else "their order differs"
            raise ValueError(
                f"the scores are not comparable: they are of different documents ({which}); "
                "score both responses against the same key, with the same policies"
            )
        if self.key_digest != other.key_digest:
            raise ValueError(
                "the scores are not comparable: their keys have other mentions or entities; "
                "score both responses against the same key, with the same policies"
            )

    def _refuse_moved(self, name: str, function: str) -> None:
        """Raise where recall and precision are not of one table."""
        if self._moved and name in MOVED:
            raise ValueError(
                f"{function}: under the convention {self.convention} recall and precision of "
                f"{name} are of different mentions; score under another convention"
            )

    def contingency(
        self, *, unmatched: str = "error", document: str | None = None
    ) -> Contingency:
        """Return the entities of both sides as two partitions of the same mentions.

        Parameters
        ----------
        unmatched : {"error", "drop", "singletons"}, default "error"
            Mentions without a partner: refuse, leave them out, or make each an entity of its
            own on the other side. The table's account counts them.
        document : str, optional
            One document; by default the mentions of all are pooled. No entity is in two
            documents, so the table is block diagonal.

        Returns
        -------
        Contingency
            Every measure of the catalogue takes it: ``pw.compare(scores.contingency(...))``.

        Raises
        ------
        ValueError
            There are mentions without a partner and nothing was said about them.
        KeyError
            An unknown document.

        Examples
        --------
        >>> import partwise as pw
        >>> key = {"d": [["a", "b", "c"], ["d"]]}
        >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["d", "x"]]})
        >>> table = scores.contingency(unmatched="singletons")
        >>> table.n_items, table.shape, round(pw.purity(table), 2)
        (5, (3, 3), 0.8)
        >>> pw.purity(scores.contingency(unmatched="drop"))
        1.0
        """
        at = None
        if document is not None:
            if document not in self.documents:
                raise KeyError(f"{document}: no such document was scored")
            at = self.documents.index(document)
        return contingency_of(self._shared, unmatched, at)

    def decompose(self, measure: str) -> Decomposition:
        """Return what the components of the join contribute to a score; see ``pw.decompose``.

        Parameters
        ----------
        measure : str
            ``muc``, ``ceaf_m``, ``ceaf_e`` or ``mentions`` (F1), or these, ``b_cubed`` and
            ``lea`` with ``_recall`` or ``_precision``.

        Returns
        -------
        Decomposition
            Sizes are mentions of either side. Weights are shares of the denominator; the offset
            is 0. An entity without a matched mention is a component of its own.

        Raises
        ------
        ValueError
            The measure is no sum over components: BLANC, the CoNLL average, F1 of B-cubed and
            of LEA.

        Notes
        -----
        MUC's links and CEAF's alignment stay within components, so numerators and denominators
        add up: S = sum_J w(J) S(J) with w = denominator of J / denominator. F1 is 2 N / (D_R +
        D_P) where recall and precision have one numerator N. O(cells) and the alignment.

        Examples
        --------
        >>> import partwise as pw
        >>> key = {"d": [["a", "b", "c"], ["d", "e"]]}
        >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c"], ["d", "e"]]})
        >>> found = scores.decompose("muc_recall")
        >>> found.scores.tolist(), found.loss_numerators.tolist(), found.loss_denominator
        ([0.5, 1.0], [1, 0], 3)
        """
        check_name(measure)
        name, part = split_name(measure)
        self._refuse_moved(name, "decompose")
        value = getattr(self[name], part)
        return decomposition_of_scores(self._shared, measure, value)

    # ---- reports -----------------------------------------------------------------------

    def heading(self) -> list[str]:
        """Return the rules, and what was scored."""
        head = f"convention {self.convention}, mentions matched: {self.mentions}"
        return [head, *str(self.input_report).splitlines()]

    def table(self) -> Table:
        """Return the table in percent, a measure a line."""
        rows = [(name, *(100 * x for x in parts)) for name, *parts in rows_of(self)]
        return Table(("measure, in %", *PARTS), rows, decimals=2, whole=False)

    def plot(self, path: str | None = None, *, measure: str = "conll", ax: Any = None) -> Any:
        """Draw every document by recall and precision of a measure.

        Parameters
        ----------
        measure : str, default "conll"
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        name = own_name(measure, self)
        rows = [scores[name] for _, scores in self.in_turn()]
        mentions = self.counts_of("mentions").recall_denominator
        total = self[name]
        return saved(
            draw_recall_precision(
                np.array([one.recall for one in rows]),
                np.array([one.precision for one in rows]),
                self.documents,
                np.asarray(mentions, dtype=np.int64),
                (total.recall, total.precision),
                measure=MEASURES[name].title if name in MEASURES else "the CoNLL average",
                ax=ax,
            ),
            path,
        )

    def report_page(
        self,
        *,
        title: str | None = None,
        names: tuple[str, str] = ("key", "response"),
        worst: int = 200,
        errors: str | None = None,
    ) -> ReportPage:
        """Make one page of HTML: scores, errors by kind, documents, the worst entities.

        Parameters
        ----------
        title : str, optional
            The heading; by default it names key and response.
        names : pair of str, default ("key", "response")
            What the two are called, such as the names of their files.
        worst : int, default 200
            Entities of each side, and mentions, that are listed.
        errors : str, optional
            The measure of which errors by kind are shown, see ``error_analysis``; by default
            B-cubed, or LEA under cai-strube.

        Returns
        -------
        ReportPage
            ``.save(path)`` writes it. Needs the extra ``partwise[report]``, pictures
            ``partwise[plot]``.
        """
        from partwise.coreference.report.page import page_of

        return page_of(self, title=title, names=names, worst=worst, errors=errors)

    def to_csv(self) -> str:
        """Return CSV text: recall, precision and F1 of each measure as shares, all digits."""
        return csv_table(("measure", *PARTS), rows_of(self))

    def __str__(self) -> str:
        return "\n".join([wrapped(self.heading()), "", self.table().text()])

    def __repr__(self) -> str:
        documents = counted(len(self.documents), "document")
        conll = show_percent(self["conll"].f1)
        return f"CoreferenceScores({documents}, {self.convention}, CoNLL {conll})"

    def to_dict(self) -> dict[str, Any]:
        """Return convention, scores and counts as plain values."""
        return plain(self)

    def _options(self) -> dict[str, Any]:
        return {"convention": self.convention, "mentions": self.mentions}

    def _document(self) -> dict[str, Any]:
        return {
            **self.to_dict(),
            "document_names": self.documents,
            "input": plain_input(self.input_report),
            "key_digest": self.key_digest,
            "rule": self._rule,
            "moved": self._moved,
            "counts": {name: plain_counts(counts) for name, counts in self._counts.items()},
            "exact": {name: list(map(str, parts)) for name, parts in self._exact.items()},
        }

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        exact = document["exact"].items()
        return cls(
            convention=document["convention"],
            mentions=document["mentions"],
            documents=document["document_names"],
            input_report=input_of(document["input"], document["notes"]),
            _rule=document["rule"],
            _tables=None,
            _counts={name: counts_of(x) for name, x in document["counts"].items()},
            _exact={name: (Fraction(above), Fraction(below)) for name, (above, below) in exact},
            _moved=document["moved"],
            _key_digest=document["key_digest"],
        )

    def to_pandas(self, *, per_document: bool = False) -> pandas.DataFrame:
        """Return a line per measure, or per document and measure, as a pandas DataFrame.

        Parameters
        ----------
        per_document : bool, default False
            Give the scores of each document, with an index of two levels.

        Returns
        -------
        pandas.DataFrame
            Columns recall, precision, f1, undefined (whether one of them is 0 / 0), and the
            counts where a measure has them. Needs the extra ``partwise[frames]``.
        """
        return frame(self, per_document=per_document)


def scores_of(
    x: Shared,
    convention: Convention,
    mentions: str,
    report: InputReport,
    exact: bool,
    further: Mapping[str, Counts],
    moved: tuple[Shared, Shared] | None,
) -> CoreferenceScores:
    """Return the scores of a table of entities.

    ``further`` has counts the table cannot give, ``moved`` the tables for recall and for
    precision where the convention changes the sides.
    """
    counts = counts_of_measures(x) | dict(further)
    if moved is not None:
        counts |= moved_counts(moved)
    if convention.blanc == "scorch":
        counts["blanc"] = with_mentions(counts["blanc"], counts["mentions"])
    fractions = {}
    for name in OF_QUOTIENTS if exact else ():
        tables = (x, x) if moved is None or name not in MOVED else moved
        fractions[name] = (
            exact_numerators(tables[0], name)[0],
            exact_numerators(tables[1], name)[1],
        )
    return CoreferenceScores(
        convention=convention.name,
        mentions=mentions,
        documents=list(x.key.names),
        input_report=report,
        _rule=convention.blanc,
        _tables=x,
        _counts=counts,
        _exact=fractions,
        _moved=moved is not None,
    )
