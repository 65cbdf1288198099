"""Compiled loops over many rows: what is asked of a storage beside learning."""

import numpy as np

from rosenblatt.core.jit import compiled
from rosenblatt.core.loop import add, margin_over_rival, norm2, score, update_classes, wrong


@compiled
def shuffle(visit, seed):
    """Put rows in a random order: Fisher and Yates, with the numbers of Marsaglia's xorshift."""
    state = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15)  # spreads the bits of small seeds
    for k in range(len(visit) - 1, 0, -1):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        j = ((state >> np.uint64(32)) * np.uint64(k + 1)) >> np.uint64(32)
        visit[j], visit[k] = visit[k], visit[j]


@compiled
def replay(storage, W, y, i, c, rival):
    """Learn a list of steps."""
    w = W[0]
    for j in range(len(i)):
        if len(W) == 1:
            add(storage, w, i[j], c[j])
        else:
            update_classes(storage, W, y[i[j]], rival[j], i[j], c[j])


@compiled
def add_errors(scores, y, boundary, cost, errors):
    """Add what each hypothesis gets wrong, from the scores (rows, hypotheses), to its errors."""
    for r in range(len(y)):
        for h in range(len(errors)):
            errors[h] += cost[r] * wrong(y[r] * scores[r, h], y[r], 0.0, boundary)


@compiled
def add_class_errors(scores, y, boundary, cost, errors):
    """The same, from the scores (rows, hypotheses, classes): wrong, if the own does not lead."""
    for r in range(len(y)):
        for h in range(len(errors)):
            rival = -np.inf
            for c in range(scores.shape[2]):
                if c != y[r]:
                    rival = max(rival, scores[r, h, c])
            errors[h] += cost[r] * wrong(scores[r, h, y[r]] - rival, y[r], 0.0, boundary)


@compiled
def judge_all(storage, W, y, visit, margins):
    """The margins of the visited rows."""
    w = W[0]
    for k in range(len(visit)):
        i = visit[k]
        if len(W) == 1:
            margins[k] = y[i] * score(storage, w, i)
        else:
            margins[k] = margin_over_rival(storage, W, y[i], i)[0]


@compiled
def lead_all(f, leads):
    """By how much the highest score of each row exceeds the second."""
    for r in range(len(f)):
        highest, second = -np.inf, -np.inf
        for s in f[r]:
            highest, second = max(highest, s), max(second, min(highest, s))
        leads[r] = highest - second


@compiled
def score_all(storage, w, begin, scores):
    """The scores of rows that follow each other."""
    for k in range(len(scores)):
        scores[k] = score(storage, w, begin + k)


@compiled
def measure(storage, begin, lengths):
    """The squared lengths of rows that follow each other."""
    for k in range(len(lengths)):
        lengths[k] = norm2(storage, begin + k)
