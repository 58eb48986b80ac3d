"""The modules whose names are public, by the name that the tests give them."""

import partwise as pw
from partwise import coreference, solvers
from partwise.interop import sklearn
from partwise.scale import blocks, dask, duckdb, forest, spark, streaming

#: Of functions; what forest and streaming hold are classes.
MODULES = {
    "pw": pw,
    "coreference": coreference,
    "solvers": solvers,
    "sklearn": sklearn,
    "blocks": blocks,
    "dask": dask,
    "duckdb": duckdb,
    "spark": spark,
}
CLASSES = {"forest": forest, "streaming": streaming}
