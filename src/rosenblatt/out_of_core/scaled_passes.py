"""Passes over blocks of scaled rows; everything else is about the rows as they are."""

from typing import Any

import numpy as np

from rosenblatt.core.keepers import Average
from rosenblatt.core.margin_bound import Bracket
from rosenblatt.core.training import Run
from rosenblatt.estimators.runs import Online
from rosenblatt.estimators.scaling import Columns, standard
from rosenblatt.inputs.column_moments import joined_moments, moments
from rosenblatt.out_of_core.block import RowSource
from rosenblatt.out_of_core.block_learning import DeferredPocket


def column_scales(source: RowSource) -> Columns | None:
    """The scale of each column, by one look at all rows, where it is asked for."""
    params: dict[str, Any] = source.task.params
    if params["scale"] is None:
        return None
    return standard(
        joined_moments(source.each(lambda block: moments(block.X))), params["fit_intercept"]
    )


def inward(states: list[Online], columns: Columns | None) -> list[Online]:
    """The states that runs over scaled rows start from."""
    if columns is None:
        return states
    return [state._replace(W=columns.inward(state.W)) for state in states]


def outward(runs: list[Run], columns: Columns | None) -> None:
    """Let runs over scaled rows be runs about the rows as they are, of which no margin is known."""
    if columns is None:
        return
    for run in runs:
        run.W[:] = columns.outward(run.W)
        run.bracket = Bracket(np.zeros_like(run.W), 0.0)
        if isinstance(run.keeper, DeferredPocket):
            run.keeper.waiting = [columns.outward(W) for W in run.keeper.waiting]
        if isinstance(run.keeper, Average):
            run.keeper.sums = columns.outward(run.keeper.sums)
