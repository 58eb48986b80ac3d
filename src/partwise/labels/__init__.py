"""The border for hard clusterings: where labels are read and checked."""

from partwise.labels.account import Account, SideAccount
from partwise.labels.apply_policies import SingletonLabel
from partwise.labels.clustering import Clustering

__all__ = ["Account", "Clustering", "SideAccount", "SingletonLabel"]
