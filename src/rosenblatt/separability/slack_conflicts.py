"""Conflicts of rows with slack, which a bound on rounding errors proves.

Where classes overlap, the rows with slack carry weights that add them up to about zero. A bound
proves that weights near these add them up to zero exactly, if rows span all columns well. Where
some do not, because columns depend on others, these are left out; because they were computed from
others with rounding, the question is put anew in what rounding has left of them.
"""

from fractions import Fraction

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import pick, store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.answers import Conflict
from rosenblatt.separability.exact.bounded_conflict import balanced, is_conflict, rounded_weights
from rosenblatt.separability.exact.certainty import n_weights
from rosenblatt.separability.exact.column_relations import (
    PLAIN,
    Bound,
    kept_columns,
    replaced,
)
from rosenblatt.separability.floating_point.column_rank import columns_related, exact_relations
from rosenblatt.separability.floating_point.squared_slacks import (
    LeastSlack,
    least_slack,
    least_slack_if_easy,
    slack_rows,
)
from rosenblatt.separability.floating_point.working_set import sample

SOONER_BOUNDED = 300  # dimensions, above which a bound is sooner proved than a sum is exact
ROWS_FOR_BOUND = 16  # for each dimension: among so many, overlapping classes have a conflict
MOST_COMBINED = 2**25  # numbers in combined columns
FAINT_SHARE = Fraction(1, 10**6)  # of the heaviest weight: below it, a row may carry no conflict


def conflict_of_many(primal: Primal, rows: Rows, erred: Array, classes: int) -> Conflict | None:
    """The conflict of rows that are many more than they have dimensions, if a bound proves it: in
    hundreds of dimensions, that takes less time than exact weights. Among them, those that passes
    erred on."""
    d = n_weights(primal)
    if d <= SOONER_BOUNDED or len(rows.train) < 2 * d:
        return None
    most = ROWS_FOR_BOUND * d
    part = np.union1d(erred[:most], sample(rows.train, most)).astype(np.uint32)
    some = rows._replace(train=part)
    found = least_slack_if_easy(slack_rows(primal, some))
    if not found.solved or found.margins.min() > 0:
        return None
    conflict = slack_conflict(some, found)
    return proved_by_bound(primal, some, conflict, classes) or conflict_in_combined_columns(
        primal, some, classes
    )


def slack_conflict(rows: Rows, found: LeastSlack) -> Conflict:
    """The rows with slack, and the weights with which they add up to about zero."""
    kept, weights = rounded_weights(found.slacks / np.sqrt(pick(rows.norm2, rows.train)))
    return Conflict(rows.train[kept], weights, bound=PLAIN)


def bounded_answer(primal: Primal, rows: Rows, conflict: Conflict, classes: int) -> Conflict | None:
    """A conflict that a bound proves; if need be, of the rows that carry it alone, or in combined
    columns."""
    return (
        proved_by_bound(primal, rows, conflict, classes)
        or conflict_of_heavy(primal, rows, conflict, classes)
        or conflict_in_combined_columns(primal, rows, classes)
    )


def conflict_of_heavy(
    primal: Primal, rows: Rows, conflict: Conflict, classes: int
) -> Conflict | None:
    """The same without rows whose weights are far below the others: these may be no more than
    rounding errors."""
    least = FAINT_SHARE * max(conflict.weights)
    heavy = [i for i, w in zip(conflict.rows, conflict.weights, strict=True) if w > least]
    if len(heavy) == len(conflict.rows):
        return None
    part = rows._replace(train=np.sort(np.array(heavy, np.uint32)))
    found = least_slack(slack_rows(primal, part))
    if not found.solved:
        return None
    return proved_by_bound(primal, rows, slack_conflict(part, found), classes)


def conflict_in_combined_columns(primal: Primal, rows: Rows, classes: int) -> Conflict | None:
    """A conflict that a bound proves in what is left of columns that are combinations of others but
    for rounding."""
    d, blocks = n_weights(primal), classes - 1
    some = sample(rows.train, min(2 * ROWS_FOR_BOUND * d, MOST_COMBINED // d))
    Z = take(primal, some) * rows.y[some, None]
    width = Z.shape[1] // blocks
    bound = columns_related(Z[:, : blocks * width].reshape(-1, width))
    in_pairs = bound.repeated(width, blocks)
    if not bound.combined or (changed := replaced(in_pairs.combined, Z)) is None:
        return None
    table = store(balanced(changed, kept_columns(in_pairs.dependent, Z.shape[1])), 0.0)
    signed = rows_of(table, np.ones(len(Z), np.int32))
    found = least_slack(slack_rows(table, signed))
    if not found.solved or found.margins.min() > 0:
        return None
    kept, weights, *_ = slack_conflict(signed, found)
    return proved_by_bound(primal, rows, Conflict(some[kept], weights, bound=bound), classes)


def proved_by_bound(
    primal: Primal, rows: Rows, conflict: Conflict, classes: int
) -> Conflict | None:
    """A conflict that a bound on rounding errors proves, if need be in independent columns.

    The columns of pairs are those of rows, for each class but the first: so are their relations.
    """
    Z, bound = take(primal, conflict.rows) * rows.y[conflict.rows, None], conflict.bound or PLAIN
    blocks, width = classes - 1, Z.shape[1] // (classes - 1)
    if is_conflict(Z, conflict.weights, bound.repeated(width, blocks)):
        return conflict
    bound = Bound(exact_relations(Z[:, : blocks * width].reshape(-1, width)))
    if not bound.dependent or not is_conflict(Z, conflict.weights, bound.repeated(width, blocks)):
        return None
    return conflict._replace(bound=bound)
