"""Each class against the rest, of many rows: separators are sought on some, all checked together.

A look at all rows costs more than a search among some of them. So each class is decided for these,
and one look tells which of the separators found get all rows right.
"""

import math
from collections.abc import Sequence

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.threads import in_parts
from rosenblatt.core.vectors import pick, scores
from rosenblatt.separability.answers import Separator, well_scaled
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact.certainty import TINY, in_range, n_weights, product_error
from rosenblatt.separability.floating_point.working_set import checked_first

ROWS_SCORED = 2**12


def separate_each(primal: Primal, kinds: Sequence[Rows]) -> dict[int, Separator]:
    """Separators, by class, that get every row right for certain; where rows are few, none."""
    some = [checked_first(rows, n_weights(primal)) for rows in kinds]
    train = kinds[0].train
    lengths2 = pick(kinds[0].norm2, train)
    alike = all(rows.train is train for rows in kinds)
    if some[0].train is train or not alike or not in_range(lengths2):
        return {}
    answers = enumerate(decide(primal, rows) for rows in some)
    found = {k: a for k, a in answers if isinstance(a, Separator) and a.ratios is None}
    least = least_margins(primal, {k: a.w for k, a in found.items()}, kinds)
    longest = math.sqrt(lengths2.max())
    return {
        k: well_scaled(a.w, least[k])
        for k, a in found.items()
        if least[k] > product_error(a.w) * longest + TINY
    }


@np.errstate(over="ignore", invalid="ignore")  # what is not finite is not certain
def least_margins(primal: Primal, W: dict[int, Array], kinds: Sequence[Rows]) -> dict[int, float]:
    """The smallest margin of the training rows under each hypothesis, in one look at them."""
    if not W:
        return {}
    together, labels = np.stack(list(W.values())), np.stack([kinds[k].y for k in W])
    train = kinds[0].train
    everyone = len(train) == labels.shape[1]
    least = np.full((-(-len(train) // ROWS_SCORED), len(W)), np.inf)

    def look(blocks: slice) -> None:
        for k in range(blocks.start, blocks.stop):
            block = slice(k * ROWS_SCORED, (k + 1) * ROWS_SCORED)
            i = block if everyone else train[block]
            least[k] = (scores(primal, together, i) * labels[:, i].T).min(axis=0)

    in_parts(look, len(least), ROWS_SCORED * together.size)
    return dict(zip(W, least.min(axis=0).tolist(), strict=True))
