"""The border for hard clusterings: the only place where labels are read and checked."""

from partwise.labels.account import Account, SideAccount
from partwise.labels.alignment import Alignment, align
from partwise.labels.clustering import Clustering
from partwise.labels.settling import Alone

__all__ = ["Account", "Alignment", "Alone", "Clustering", "SideAccount", "align"]
