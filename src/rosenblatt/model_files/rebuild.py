"""A model out of its record, with every part checked."""

import math
from typing import Any

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.margin_bound import Bracket
from rosenblatt.estimators.kernel_expansion import Memory, VotedExpansion
from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
from rosenblatt.estimators.runs import Online
from rosenblatt.model_files.checks import (
    Tensors,
    finite_number,
    take_array,
    take_matrix,
    take_places,
    whole_number,
)
from rosenblatt.model_files.state import ESTIMATORS, Facts, summary_names
from rosenblatt.separability.certificate_parts import fraction
from rosenblatt.tables.encoding import Column, Encoding

LABEL_BYTES = 2**20  # of a label


def rebuild(facts: Facts, tensors: Tensors) -> Any:
    """The model that facts and numbers describe."""
    if facts["class"] not in ESTIMATORS:
        raise ValueError(f"a {facts['class']} is not known here")
    model = ESTIMATORS[facts["class"]](**{k: unpaired(v) for k, v in facts["parameters"].items()})
    model._checked()
    classes, d = classes_of(facts["classes"]), whole_number(facts["n_features"], 1)
    k = 1 if len(classes) == 2 else len(classes)
    learned: Facts = {"classes_": classes, "n_features_in_": d}
    if (names := facts["feature_names"]) is not None:
        if len(names) != d or not all(isinstance(name, str) for name in names):
            raise ValueError(f"it has {len(names)} feature names for {d} features")
        learned["feature_names_in_"] = np.array(names, object)
    runs = 1 if model.multi_class == "direct" else k
    learned |= checked_summary(facts["summary"], summary_names(model), runs)
    if isinstance(model, KernelPerceptron):
        learned |= supported(model, tensors, (runs, k, d))
        dim = len(learned["_memory"].codes)
    else:
        learned |= {"coef_": take_array(tensors, "coef", (k, d)), "dual_coef_": None}
        learned["intercept_"] = take_array(tensors, "intercept", (k,))
        dim = d + 1
    learned |= history(facts, tensors, (runs, k // runs, dim))
    model.__dict__.update(learned)
    if tensors:
        raise ValueError(f"it has numbers that do not belong to it: {min(tensors)}")
    return model


def supported(model: KernelPerceptron, tensors: Tensors, shape: tuple[int, int, int]) -> Facts:
    """The rows that a model in a feature space is made of."""
    runs, k, d = shape
    s, m, classes = (len(tensors[name]) for name in ("support", "memory.codes", "n_support"))
    if classes != (2 if k == 1 else k):
        raise ValueError(f"it has support vectors of {classes} classes")
    precomputed = model.kernel == "precomputed"
    coef = take_array(tensors, "dual_coef", (k, s))
    learned: Facts = {
        "support_": take_places(tensors, "support", (s,), d if precomputed else 2**62, low=-1),
        "dual_coef_": coef if k > 1 else coef[0],
        "n_support_": take_places(tensors, "n_support", (classes,), s + 1),
        "support_vectors_": take_matrix(
            tensors, "support_vectors", (0, 0) if precomputed else (s, d)
        ),
        "_memory": Memory(
            take_matrix(tensors, "memory", (m, d)),
            take_places(tensors, "memory.codes", (m,), classes).astype(np.int32),
        ),
    }
    if "0.ballots.c" in tensors:
        votes = [ballots_of(tensors, f"{r}.ballots.", s, k // runs) for r in range(runs)]
        learned |= {"_ballots": votes, "survival_": [each.survival for each in votes]}
    return learned


def ballots_of(tensors: Tensors, name: str, s: int, k: int) -> VotedExpansion:
    """All hypotheses of a run."""
    c = take_array(tensors, name + "c", (-1,))
    n = (len(c),)
    ends = take_places(tensors, name + "ends", (-1,), len(c))
    return VotedExpansion(
        place=take_places(tensors, name + "place", n, s),
        c=c,
        own=take_places(tensors, name + "own", n, k),
        rival=take_places(tensors, name + "rival", n, k, low=-1),
        ends=ends,
        survival=take_places(tensors, name + "survival", (len(ends) + 1,), 2**62),
        classes=k,
    )


def history(facts: Facts, tensors: Tensors, shape: tuple[int, int, int]) -> Facts:
    """What each run left behind."""
    runs, k, dim = shape
    if len(facts["online"]) != runs or len(facts["conflict"]) != runs:
        raise ValueError(f"it should have {runs} runs")
    online = [resumed(f, tensors, f"{r}.", (k, dim)) for r, f in enumerate(facts["online"])]
    mistakes = [take_array(tensors, f"{r}.mistakes", (-1,), np.int64) for r in range(runs)]
    conflicts = [conflict_from(c) for c in facts["conflict"]]
    learned: Facts = {
        "_online": online,
        "mistakes_": mistakes[0] if runs == 1 else mistakes,
        "conflict_": conflicts[0] if runs == 1 else conflicts,
    }
    if "0.hypotheses" in tensors:
        votes = [take_array(tensors, f"{r}.survival", (-1,), np.int64) for r in range(runs)]
        shapes = [(len(vote), k, dim) for vote in votes]
        voters = [take_array(tensors, f"{r}.hypotheses", shapes[r]) for r in range(runs)]
        learned |= {"survival_": votes, "hypotheses_": voters}
    return learned


def resumed(facts: Facts, tensors: Tensors, run: str, shape: tuple[int, ...]) -> Online:
    """Where partial_fit goes on."""
    moves = take_array(tensors, run + "moves", (-1,), np.int64)
    of_many, last = run + "sums" in tensors, np.zeros((shape[0], 0))
    if of_many or run + "last" in tensors:
        last = take_array(tensors, run + "last", shape)
    sums = take_array(tensors, run + "sums", shape) if of_many else None
    bracket = None
    if (b := facts["bracket"]) is not None:
        bound = math.inf if b["bound"] is None else finite_number(b["bound"])
        start = take_array(tensors, run + "start", (shape[0], -1))
        if start.shape[1] not in (1, shape[1]):
            raise ValueError(f"{run}start has the shape {start.shape}, not {shape}")
        bracket = Bracket(start, finite_number(b["radius"]), bound, finite_number(b["travelled"]))
    from_zero = bracket is None or not bracket.start.any()
    from_zero, stamp = bool(facts.get("from_zero", from_zero)), facts.get("stamp")
    return Online(last, sums, whole_number(facts["seen"]), moves, bracket, from_zero, stamp)


def checked_summary(facts: Facts, names: tuple[str, ...], runs: int) -> Facts:
    """How training went."""
    if sorted(facts) != sorted(names):
        raise ValueError("its summary is not complete")
    if "gamma_" in names:
        finite_number(facts["gamma_"])
    for name, kind in (("stop_reason_", str), ("n_updates_", int)):
        values = facts[name] if runs > 1 else [facts[name]]
        if not isinstance(values, list) or not all(type(v) is kind for v in values):
            raise ValueError(f"its {name} is not one for each run")
    for name in ("converged_", "settled_"):
        if name in names and not isinstance(facts[name], bool):
            raise ValueError(f"its {name} is neither true nor false")
    _ = whole_number(facts["n_iter_"]), [whole_number(errors) for errors in facts["_errors"]]
    if "gamma_" in names and facts["margin_bounds_"] is None:
        return facts
    finite_number(facts["radius_"])
    bounds = facts["margin_bounds_"] if runs > 1 else [facts["margin_bounds_"]]
    pairs = [(finite_number(low), finite_number(high)) for low, high in bounds]
    return facts | {"margin_bounds_": pairs if runs > 1 else pairs[0]}


def unpaired(value: Any) -> Any:
    """A parameter out of JSON."""
    if isinstance(value, list) or (isinstance(value, int) and abs(value) >= 2**63):
        raise ValueError("a parameter is neither a number nor a word")
    return dict(map(tuple, value["pairs"])) if isinstance(value, dict) else value


def classes_of(facts: Facts) -> Array:
    """Labels out of JSON."""
    kind = np.dtype(facts["type"])
    if kind.kind not in "iufbUO":
        raise ValueError(f"labels of type {kind} are not known")
    if not 0 <= kind.itemsize <= LABEL_BYTES:  # negative where NumPy 2.0 overflows
        raise ValueError(f"labels of {kind.itemsize} bytes are too long")
    if kind.kind == "O" and not all(isinstance(v, str) for v in facts["values"]):
        raise ValueError("its labels are not text")
    classes = np.array(facts["values"], kind)
    if classes.ndim != 1 or len(classes) < 2 or not np.array_equal(np.unique(classes), classes):
        raise ValueError("its labels are not two or more, different, in order")
    return classes


def conflict_from(facts: Any) -> Any:
    """The rows of a conflict and their weights; with several classes, their rivals."""
    if facts is None:
        return None
    rows = np.array([whole_number(row) for row in facts["rows"]])
    rivals = [np.array([whole_number(k) for k in facts["rivals"]])] if "rivals" in facts else []
    return rows, [fraction(weight) for weight in facts["weights"]], *rivals


def encoding_of(facts: Facts, n_features: int) -> Encoding:
    """An encoding out of JSON."""
    columns = tuple(column_of(column) for column in facts["columns"])
    encoding = Encoding(**facts | {"columns": columns})
    if encoding.n_features != n_features:
        raise ValueError(f"its columns become {encoding.n_features} features, not {n_features}")
    if encoding.label not in ("int", "float", "bool", "text"):
        raise ValueError(f"labels that are {encoding.label!r} are not known")
    if not all(column.place < whole_number(encoding.n_columns) for column in columns):
        raise ValueError(f"a column is beyond the {encoding.n_columns} that there are")
    whole_number(encoding.target_place, -1)
    return encoding


def column_of(facts: Facts) -> Column:
    """A column out of JSON."""
    levels = facts["levels"] if facts["levels"] is None else tuple(facts["levels"])
    texts = (facts["name"], *(levels or ()))
    if levels == () or not all(isinstance(value, str) for value in texts):
        raise ValueError("its columns are not named in text")
    if facts["first"] is not None and (levels is not None or whole_number(facts["first"]) > 1):
        raise ValueError(f"its column {facts['name']!r} is not numbered from 0 or 1")
    fill = facts["fill"] if facts["fill"] is None else tuple(map(finite_number, facts["fill"]))
    column = Column(**facts | {"levels": levels, "fill": fill})
    width = 1 if levels is None and column.first is None else len(levels or ()) or column.width
    if whole_number(column.width) != width or (fill is not None and len(fill) != width):
        raise ValueError(f"its column {column.name!r} does not have {width} features")
    whole_number(column.place)
    return column
