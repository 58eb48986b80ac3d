"""A call of every public function, and a form of its result that can be compared.

What walks over all of them: faults of memory, a long run of small calls, and a test that no
public function is missing. A call has two parts, so that what it is given can be made before
the part that is put to the test: ``use(prepare())``.
"""

from __future__ import annotations

from .calling import Call, Inputs, inputs
from .comparable import frozen
from .documents import of_documents
from .scores import of_measures, of_scikit_learn, of_scores
from .structures import of_many, of_overlaps_and_trees, of_solvers
from .tables import of_tables

__all__ = ["NOT_CALLED", "Call", "Inputs", "calls", "frozen", "inputs"]

#: Public functions that are in no call here, and why.
NOT_CALLED = {
    "pw.config": "tells what is installed",
    "pw.show_config": "tells what is installed",
    "pw.catalogue": "tells what measures there are",
    "pw.measure": "puts a measure into the catalogue for good",
    "pw.set_workers": "holds for the whole process",
    "pw.free_scratch": "its result says what calls before it kept",
    "pw.report_page": "text by a package of templates, from results that have calls here",
    "dask.contingency": "needs an engine; its tables come from pw.contingency",
    "duckdb.contingency": "needs an engine",
    "spark.contingency": "needs an engine",
}


def calls(given: Inputs) -> dict[str, Call]:
    """Return the calls by name: the public name, and after a comma what is special."""
    return dict(
        [
            *of_measures(given),
            *of_tables(given),
            *of_scores(given),
            *of_many(given),
            *of_overlaps_and_trees(given),
            *of_solvers(given),
            *of_documents(given),
            *of_scikit_learn(given),
        ]
    )
