"""What hypotheses say of rows: scores, and the vote of all hypotheses of a run."""

import numpy as np

from rosenblatt.core.loop import Array, Primal
from rosenblatt.core.vectors import scores, values

VOTE_BYTES = 2**29  # the most that the hypotheses of keep="vote" may hold
BLOCK_BYTES = 2**26  # scores held at a time


def check_votes(voters: int, size: int) -> None:
    """Refuse more hypotheses than memory should hold."""
    if 8 * voters * size > VOTE_BYTES:
        raise ValueError(
            f"keep='vote' keeps every hypothesis, and {voters:,} of {size:,} weights are more than "
            f"{VOTE_BYTES >> 20} MB. Use keep='average', which predicts nearly the same, or stop "
            "earlier with max_iter or max_updates"
        )


def apply(primal: Primal, n: int, W: Array) -> Array:
    """The score of each of n rows under each hypothesis, blocks of rows at a time."""
    if len(W) == 1:
        return values(primal, W[0], n)[:, None]
    size = max(1, BLOCK_BYTES // (8 * (len(W) + W.shape[1])))
    blocks = [scores(primal, W, slice(k, k + size)) for k in range(0, n, size)]
    return np.concatenate(blocks) if len(blocks) > 1 else blocks[0]


def poll(primal: Primal, n: int, voters: Array, survival: Array, tie: float) -> Array:
    """The vote on each row: between -1 and 1 for one hypothesis, else the share of each class."""
    h, k, dim = voters.shape
    size, W = max(1, BLOCK_BYTES // (8 * h)), voters.reshape(h * k, dim)
    blocks = (scores(primal, W, slice(b, b + size)) for b in range(0, n, size))
    votes = [tally(f.reshape(-1, h, k), survival, tie) for f in blocks]
    return np.concatenate(votes) / max(1, survival.sum())


def tally(f: Array, survival: Array, tie: float) -> Array:
    """The votes on each row, from the scores (rows, hypotheses, classes) it has."""
    k = f.shape[2]
    if k == 1:
        return np.where(f == 0, tie, np.sign(f))[:, :, 0] @ survival[:, None]
    ballots = np.argmax(f, axis=2)
    return np.stack([(ballots == c) @ survival for c in range(k)], axis=1)
