"""Many clusterings of the same items: expected losses, and one clustering for all."""

from partwise.consensus.credible_ball import CredibleBall, credible_ball
from partwise.consensus.expected_loss import Medoid, expected_loss, medoid
from partwise.consensus.point_estimate import PointEstimate, point_estimate
from partwise.consensus.similarity import similarity_matrix
from partwise.consensus.vote import MajorityVote, majority_vote

__all__ = [
    "CredibleBall",
    "MajorityVote",
    "Medoid",
    "PointEstimate",
    "credible_ball",
    "expected_loss",
    "majority_vote",
    "medoid",
    "point_estimate",
    "similarity_matrix",
]
