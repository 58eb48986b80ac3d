"""partwise: compare clusterings.

Two clusterings of the same items go in; agreement measures, the structure of the disagreement
and an account of what was compared come out. ``compare`` is the way in.
"""

from partwise import coreference, solvers
from partwise._kernels.workers import free_scratch
from partwise.config import config, show_config
from partwise.inference.bootstrap import Bootstrap, bootstrap
from partwise.inference.draws import Draws
from partwise.inference.jackknife import Jackknife, jackknife
from partwise.inference.null_models import NullDistribution, null_distribution
from partwise.inference.paired import PairedTest, paired_test
from partwise.inference.permutation import Significance, significance
from partwise.inference.standardized import (
    StandardizedInformation,
    standardized_mutual_information,
)
from partwise.labels import Account, Clustering
from partwise.labels.files.read import read
from partwise.labels.notes import InputWarning
from partwise.measures import public as _measures
from partwise.measures.catalogue import catalogue
from partwise.measures.entry import Computation, Measure
from partwise.measures.extremes import best_clustering, worst_clustering
from partwise.measures.public import *
from partwise.measures.register import measure
from partwise.scoring.compare import compare, pairwise, score_many
from partwise.scoring.decompose import Decomposition, decompose
from partwise.scoring.diagnose import Diagnosis, diagnose
from partwise.scoring.results import Comparison, ScoreTable
from partwise.table.alignment import Alignment, align
from partwise.table.components import Components
from partwise.table.contingency import Contingency
from partwise.table.count import contingency
from partwise.table.structures import (
    bipartite_graph,
    components,
    induced_clustering,
    induced_subgraph,
    join,
    meet,
    merge_subcomponents,
    refines,
    split_subcomponents,
)
from partwise.thresholds import Best, Stability, Sweep, stability, sweep

__version__ = config()["version"]

__all__ = [
    "Account",
    "Alignment",
    "Best",
    "Bootstrap",
    "Clustering",
    "Comparison",
    "Components",
    "Computation",
    "Contingency",
    "Decomposition",
    "Diagnosis",
    "Draws",
    "InputWarning",
    "Jackknife",
    "Measure",
    "NullDistribution",
    "PairedTest",
    "ScoreTable",
    "Significance",
    "Stability",
    "StandardizedInformation",
    "Sweep",
    "align",
    "best_clustering",
    "bipartite_graph",
    "bootstrap",
    "catalogue",
    "compare",
    "components",
    "config",
    "contingency",
    "coreference",
    "decompose",
    "diagnose",
    "free_scratch",
    "induced_clustering",
    "induced_subgraph",
    "jackknife",
    "join",
    "measure",
    "meet",
    "merge_subcomponents",
    "null_distribution",
    "paired_test",
    "pairwise",
    "read",
    "refines",
    "score_many",
    "show_config",
    "significance",
    "solvers",
    "split_subcomponents",
    "stability",
    "standardized_mutual_information",
    "sweep",
    "worst_clustering",
]
__all__ += _measures.__all__
