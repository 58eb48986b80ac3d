"""The border for hard clusterings: the only place where labels are read and checked."""

from partwise.labels.account import Account, SideAccount
from partwise.labels.alignment import Alignment, Alone, align
from partwise.labels.clustering import Clustering

__all__ = ["Account", "Alignment", "Alone", "Clustering", "SideAccount", "align"]
