"""How times are taken: side by side, in turn, the best of several, warm-up outside the clock."""

import time


def race(*runners, rounds=5):
    """The best time of each, taken in turn, after one call of each outside the clock."""
    times = [[] for _ in runners]
    for turn in range(rounds + 1):
        for run, taken in zip(runners, times, strict=True):
            seconds = once(run)
            if turn:
                taken.append(seconds)
    return [min(taken) for taken in times]


def once(run):
    """The time of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def fitting(model, X, y):
    """A call that fits."""
    return lambda: model.fit(X, y)


def row(case, ours, theirs, **more):
    """A line of a table: how many times as long the peer takes."""
    return {"case": case, "ratio": theirs / ours, "ours": ours, "peer": theirs, **more}
