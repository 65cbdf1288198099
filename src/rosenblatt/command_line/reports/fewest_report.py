"""What the command `fewest` tells: a bracket, and the rows whose labels may be wrong."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rosenblatt import Perceptron
from rosenblatt.command_line.messages import say
from rosenblatt.command_line.reports.report_lines import (
    SHOWN,
    Facts,
    contributions,
    told_lines,
    weight_lines,
)
from rosenblatt.command_line.row_sources import baseline, deviations_by_name
from rosenblatt.core.vectors import dense
from rosenblatt.html_report.learning import quiet
from rosenblatt.play.json_text import json_value

SHOWN_VALUES = 6  # values of a row in text; JSON has all


def bracket_facts(table: Any, found: Any) -> Facts:
    """A hyperplane with few mistakes, how few there can be, and the rows that it gets wrong."""
    rows = found.rows
    X = dense(table.X[rows])
    numbers = table.numbers(rows)
    columns = zip(numbers, table.y[rows].tolist(), np.asarray(X).tolist(), strict=True)
    names = list(table.feature_names)
    weights = dict(zip(names, found.w.tolist(), strict=True))
    return json_value(
        {
            "data": table.told._asdict(),
            "rows": table.told.rows,
            "mistakes": found.mistakes,
            "at_least": found.at_least,
            "optimal": found.optimal,
            "proof": found.proof,
            "unit": table.source.unit,
            "wrong": [
                {table.source.unit: i, "label": label, "values": dict(zip(names, x, strict=True))}
                for i, label, x in columns
            ],
            "weights": weights,
            "contributions": contributions(weights, deviations_by_name(table)),
            "intercept": found.b,
            "baseline": baseline(table),
            "positive": np.unique(table.y)[-1],
        }
    )


def fewest_lines(facts: Facts) -> Iterator[str]:
    """The same for people."""
    pairs = [(say("wrong_rows"), say("of_rows", **facts))]
    if facts["mistakes"]:
        pairs += [(say("at_least"), say("by_" + facts["proof"], **facts))]
    else:
        pairs += [(say("verdict"), say("separable"))]
    yield from told_lines(facts, pairs)
    if facts["wrong"]:
        yield from wrong_lines(facts)
    title = say("weights", positive=facts["positive"], more=say("shares"))
    shares = facts["contributions"]
    yield from weight_lines(facts["weights"], facts["intercept"], title, shares)


def wrong_lines(facts: Facts) -> Iterator[str]:
    """The rows on the wrong side, with the first of their values."""
    unit, shown = facts["unit"], facts["wrong"][:SHOWN]
    yield say("suspects")
    for row in shown:
        values = [
            f"{name} {value:.6g}" for name, value in list(row["values"].items())[:SHOWN_VALUES]
        ]
        more = " …" if len(row["values"]) > SHOWN_VALUES else ""
        yield f"  {say(unit)} {row[unit]}  {row['label']}  {', '.join(values)}{more}"
    if len(facts["wrong"]) > SHOWN:
        yield f"  {say('more', count=len(facts['wrong']) - SHOWN)}"


def as_model(table: Any, found: Any) -> Any:
    """A classifier with the hyperplane that was found."""
    untrained = Perceptron(settle="never", max_iter=1, max_updates=1)
    model = quiet(untrained.fit, table.X, table.y)
    model.coef_, model.intercept_ = found.w[None], np.array([found.b])
    return model
