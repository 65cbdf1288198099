"""A model as a record: facts for JSON and arrays of numbers."""

import math
from typing import Any

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.estimators.classifier import refuse_other_runs
from rosenblatt.estimators.kernel_expansion import refuse_other_kernel
from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.estimators.runs import Online
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.model_files.checks import Tensors, pack_matrix
from rosenblatt.separability.certificate_parts import text

MODEL_FORMAT = "rosenblatt-model/1"
ESTIMATORS = {"Perceptron": Perceptron, "KernelPerceptron": KernelPerceptron}
SUMMARY = (
    "n_iter_",
    "n_updates_",
    "stop_reason_",
    "converged_",
    "margin_bounds_",
    "radius_",
    "settled_",
    "_errors",
)

Facts = dict[str, Any]

# -- A model as facts and numbers ------------------------------------------------------------------


def model_facts(model: FittedModel) -> Facts:
    """What is known of a model, but for its large arrays."""
    if type(model).__name__ not in ESTIMATORS:
        raise TypeError(f"a {type(model).__name__} cannot be saved; a Perceptron can")
    if not hasattr(model, "classes_"):
        raise ValueError("this model is not fitted; there is nothing to save")
    refuse_other_runs(model)
    names = getattr(model, "feature_names_in_", None)
    return {
        "format": MODEL_FORMAT,
        "class": type(model).__name__,
        "parameters": {k: parameter_fact(k, v) for k, v in model.get_params(deep=False).items()},
        "classes": labels(model.classes_),
        "feature_names": None if names is None else names.tolist(),
        "n_features": model.n_features_in_,
        "summary": {name: python_value(getattr(model, name)) for name in summary_names(model)},
        "conflict": [conflict_facts(c) for c in conflicts(model)],
        "online": [state(online) for online in model._online],
    }


def summary_names(model: FittedModel) -> tuple[str, ...]:
    """What a summary tells of a model."""
    kernel = isinstance(model, KernelPerceptron)
    return (*(name for name in SUMMARY if name != "settled_"), "gamma_") if kernel else SUMMARY


def conflicts(model: FittedModel) -> list[Any]:
    """The conflict of each run; kernel perceptrons of earlier versions have none."""
    if not hasattr(model, "conflict_"):
        return [None] * len(model._online)
    return by_run(model, model.conflict_)


def model_tensors(model: FittedModel) -> Tensors:
    """The large arrays of a model."""
    kernel = isinstance(model, KernelPerceptron)
    tensors = support(model) if isinstance(model, KernelPerceptron) else linear_tensors(model)
    for k, online in enumerate(model._online):
        tensors[f"{k}.moves"] = online.mistakes
        if kernel or online.sums is not None:
            tensors[f"{k}.last"] = online.W
        tensors[f"{k}.mistakes"] = by_run(model, model.mistakes_)[k].astype(np.int64)
        if online.sums is not None:
            tensors[f"{k}.sums"] = online.sums
        if online.bracket is not None:
            tensors[f"{k}.start"] = online.bracket.start
        if isinstance(model, LinearModel) and hasattr(model, "hypotheses_"):
            tensors[f"{k}.hypotheses"] = model.hypotheses_[k]
            tensors[f"{k}.survival"] = model.survival_[k].astype(np.int64)
    return tensors


def linear_tensors(model: FittedModel) -> Tensors:
    """The weights of a model, in double precision."""
    assert isinstance(model, LinearModel)
    W = model._weights().astype(np.float64)
    return {"coef": W[:, :-1], "intercept": W[:, -1]}


def support(model: KernelPerceptron) -> Tensors:
    """The rows that a model in a feature space is made of."""
    refuse_other_kernel(model)
    tensors = {
        "support": model.support_,
        "dual_coef": np.atleast_2d(model.dual_coef_),
        "n_support": model.n_support_.astype(np.int64),
        "memory.codes": model._memory.codes.astype(np.int64),
        **pack_matrix("support_vectors", model.support_vectors_),
        **pack_matrix("memory", model._memory.X),
    }
    for k, ballots in enumerate(getattr(model, "_ballots", [])):
        for name, column in zip(ballots._fields[:-1], ballots[:-1], strict=True):
            kind = np.float64 if name == "c" else np.int64
            tensors[f"{k}.ballots.{name}"] = column.astype(kind)
    return tensors


def by_run(model: FittedModel, value: Any) -> list[Any]:
    """An attribute as a list by run."""
    return list(value) if isinstance(model.stop_reason_, list) else [value]


def parameter_fact(name: str, value: Any) -> Any:
    """A parameter as JSON has it."""
    value = python_value(value)
    if isinstance(value, dict):
        return {"pairs": [[python_value(k), python_value(v)] for k, v in value.items()]}
    if value is not None and not isinstance(value, bool | int | float | str):
        advice = f"set it to a plain value before saving: model.set_params({name}=…)"
        raise TypeError(f"{name}={value!r} cannot be written to a file; {advice}")
    return value


def python_value(value: Any) -> Any:
    """NumPy's numbers and tuples as Python's own."""
    if isinstance(value, list | tuple):
        return [python_value(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def labels(classes: Array) -> Facts:
    """Labels as JSON has them."""
    kind = classes.dtype.kind
    if kind not in "iufbU" and not all(isinstance(c, str) for c in classes):
        raise TypeError(f"labels of type {classes.dtype} cannot be written to a file; use text")
    return {"type": "O" if kind == "O" else classes.dtype.str, "values": classes.tolist()}


def conflict_facts(found: Any) -> Any:
    """The rows of a conflict and their weights; with several classes, their rivals."""
    if found is None:
        return None
    rivals = {"rivals": python_value(list(found[2]))} if len(found) > 2 else {}
    return {"rows": python_value(list(found[0])), "weights": [text(w) for w in found[1]]} | rivals


def state(online: Online) -> Facts:
    """Where partial_fit goes on."""
    bracket = online.bracket
    known = {"seen": int(online.seen), "from_zero": online.from_zero, "stamp": online.stamp}
    if bracket is None:
        return known | {"bracket": None}
    bound = bracket.bound if math.isfinite(bracket.bound) else None
    parts = {"radius": bracket.radius, "bound": bound, "travelled": bracket.travelled}
    return known | {"bracket": {k: python_value(v) for k, v in parts.items()}}
