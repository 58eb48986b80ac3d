"""The border for hard clusterings: the only place where labels are read and checked."""

from partwise.labels.account import Account, SideAccount
from partwise.labels.apply_policies import Alone
from partwise.labels.clustering import Clustering

__all__ = ["Account", "Alone", "Clustering", "SideAccount"]
