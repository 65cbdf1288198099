"""Model files: one safetensors file with the numbers, and JSON metadata with all the rest.

There is no code in such a file, and the same model gives the same bytes. What was learned and the
running sums of `partial_fit` are in it; what is about single training rows (`log_`, `dual_coef_`)
is not. Everything in a file is checked before it is believed.
"""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.columns import Column, Encoding
from rosenblatt.estimators import Perceptron
from rosenblatt.fitting import Online
from rosenblatt.formats import replacing
from rosenblatt.geometry import Bracket
from rosenblatt.sweep import Array

FORMAT = "rosenblatt-model/1"
CLASSES = {"Perceptron": Perceptron}
SUMMARY = tuple(
    "n_iter_ n_updates_ stop_reason_ converged_ margin_bounds_ radius_ settled_ _errors".split()
)

Tensors = dict[str, Array]
Facts = dict[str, Any]


class Saved(NamedTuple):
    """What a model file holds."""

    model: Any
    encoding: Encoding | None  # of the table it was learned from
    summary: Facts


def save(model: Any, path: Any, *, encoding: Encoding | None = None) -> None:
    """Write a fitted model to a file, all of it or nothing.

    Parameters
    ----------
    model : Perceptron
        A fitted model.
    path : str or Path
        The file.
    encoding : Encoding or None
        How the columns of its table became features (``read(…).encoding``), so that others can be
        read alike.

    Examples
    --------
    >>> import rosenblatt, tempfile
    >>> X, y = rosenblatt.datasets.textbook()
    >>> model = rosenblatt.Perceptron().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rosenblatt.save(model, f"{folder}/three.rosenblatt")
    ...     again = rosenblatt.load(f"{folder}/three.rosenblatt")
    >>> again.predict(X).tolist()
    [1, 1, -1]
    """
    from safetensors.numpy import save as pack

    facts = describe(model) | {"encoding": encoding and encoding_facts(encoding)}
    text = json.dumps(facts, sort_keys=True, allow_nan=False, ensure_ascii=False)
    tensors = {name: np.ascontiguousarray(array) for name, array in numbers(model).items()}
    data = pack(tensors, {"rosenblatt": text})
    with replacing(path) as stream:
        stream.write(data)


def load(path: Any) -> Any:
    """Read a model from a file. ``partial_fit`` goes on where it was.

    Parameters
    ----------
    path : str or Path
        A file that :func:`save` wrote. Unknown versions, wrong shapes, numbers that are not
        finite and damaged files are refused.

    Examples
    --------
    See :func:`save`.
    """
    return unpack(path).model


def unpack(path: Any) -> Saved:
    """Everything in a model file."""
    facts, tensors = _open(path)
    try:
        if facts.get("format") != FORMAT:
            raise ValueError(f"the format {facts.get('format')!r} is not known here, only {FORMAT}")
        model = rebuild(facts, tensors)
        encoding = facts["encoding"] and encoding_of(facts["encoding"], model.n_features_in_)
    except KeyError as error:
        raise ValueError(f"{path} is a damaged model file: {error} is not in it") from error
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"{path} is a damaged model file: {error}") from error
    return Saved(model, encoding, facts["summary"])


def _open(path: Any) -> tuple[Facts, Tensors]:
    from safetensors import SafetensorError, safe_open

    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    try:
        with safe_open(path, framework="numpy") as file:
            text = (file.metadata() or {}).get("rosenblatt")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        facts = json.loads(text) if text else None
    except (SafetensorError, ValueError, TypeError, AttributeError, OSError) as error:
        raise ValueError(f"{path} is not a model file, or it is damaged: {error}") from error
    if not isinstance(facts, dict):
        raise ValueError(f"{path} is a safetensors file, but not a model of this library")
    return facts, tensors


# -- A model as facts and numbers ------------------------------------------------------------------


def describe(model: Any) -> Facts:
    """What is known of a model, but for its large arrays."""
    if type(model).__name__ not in CLASSES:
        raise TypeError(f"a {type(model).__name__} cannot be saved; a Perceptron can")
    if not hasattr(model, "coef_"):
        raise ValueError("this model is not fitted; there is nothing to save")
    names = getattr(model, "feature_names_in_", None)
    return {
        "format": FORMAT,
        "class": type(model).__name__,
        "parameters": {k: parameter(k, v) for k, v in model.get_params(deep=False).items()},
        "classes": labels(model.classes_),
        "feature_names": None if names is None else names.tolist(),
        "n_features": model.n_features_in_,
        "summary": {name: plain(getattr(model, name)) for name in SUMMARY},
        "conflict": [conflict(c) for c in listed(model, model.conflict_)],
        "online": [state(online) for online in model._online],
    }


def numbers(model: Any) -> Tensors:
    """The large arrays of a model."""
    tensors = {"coef": model.coef_, "intercept": model.intercept_}
    for k, online in enumerate(model._online):
        tensors[f"{k}.last"], tensors[f"{k}.moves"] = online.W, np.array(online.mistakes, np.int64)
        tensors[f"{k}.mistakes"] = listed(model, model.mistakes_)[k].astype(np.int64)
        if online.sums is not None:
            tensors[f"{k}.sums"] = online.sums
        if online.bracket is not None:
            tensors[f"{k}.start"] = online.bracket.start
        if hasattr(model, "hypotheses_"):
            tensors[f"{k}.hypotheses"] = model.hypotheses_[k]
            tensors[f"{k}.survival"] = model.survival_[k].astype(np.int64)
    return tensors


def listed(model: Any, value: Any) -> list[Any]:
    """An attribute as a list by run."""
    return list(value) if isinstance(model.stop_reason_, list) else [value]


def parameter(name: str, value: Any) -> Any:
    """A parameter as JSON has it."""
    value = plain(value)
    if isinstance(value, dict):
        return {"pairs": [[plain(k), plain(v)] for k, v in value.items()]}
    if value is not None and not isinstance(value, bool | int | float | str):
        advice = f"set it to a plain value before saving: model.set_params({name}=…)"
        raise TypeError(f"{name}={value!r} cannot be written to a file; {advice}")
    return value


def plain(value: Any) -> Any:
    """NumPy's numbers and tuples as Python's own."""
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def labels(classes: Array) -> Facts:
    """Labels as JSON has them."""
    kind = classes.dtype.kind
    if kind not in "iufbU" and not all(isinstance(c, str) for c in classes):
        raise TypeError(f"labels of type {classes.dtype} cannot be written to a file; use text")
    return {"type": "O" if kind == "O" else classes.dtype.str, "values": classes.tolist()}


def conflict(found: Any) -> Any:
    """The rows of a conflict and their weights."""
    return found and {"rows": plain(list(found[0])), "weights": [str(w) for w in found[1]]}


def state(online: Online) -> Facts:
    """Where partial_fit goes on."""
    bracket = online.bracket
    if bracket is None:
        return {"seen": online.seen, "bracket": None}
    bound = bracket.bound if math.isfinite(bracket.bound) else None
    parts = {"radius": bracket.radius, "bound": bound, "travelled": bracket.travelled}
    return {"seen": int(online.seen), "bracket": {k: plain(v) for k, v in parts.items()}}


def encoding_facts(encoding: Encoding) -> Facts:
    """An encoding as JSON has it."""
    return encoding._asdict() | {"columns": [column._asdict() for column in encoding.columns]}


# -- And back --------------------------------------------------------------------------------------


def rebuild(facts: Facts, tensors: Tensors) -> Any:
    """The model that facts and numbers describe."""
    if facts["class"] not in CLASSES:
        raise ValueError(f"a {facts['class']} is not known here")
    model = CLASSES[facts["class"]](**{k: unpaired(v) for k, v in facts["parameters"].items()})
    model._checked()
    classes, d = classes_of(facts["classes"]), whole(facts["n_features"], 1)
    k = 1 if len(classes) == 2 else len(classes)
    learned: Facts = {"classes_": classes, "n_features_in_": d, "dual_coef_": None}
    learned["coef_"], learned["intercept_"] = (
        take(tensors, "coef", (k, d)),
        take(tensors, "intercept", (k,)),
    )
    if (names := facts["feature_names"]) is not None:
        if len(names) != d or not all(isinstance(name, str) for name in names):
            raise ValueError(f"it has {len(names)} feature names for {d} features")
        learned["feature_names_in_"] = np.array(names, object)
    direct = k > 1 and model.multi_class == "direct"
    runs = 1 if direct or k == 1 else k
    learned |= summary(facts["summary"], runs) | history(facts, tensors, (runs, k // runs, d + 1))
    model.__dict__.update(learned)
    if tensors:
        raise ValueError(f"it has numbers that do not belong to it: {min(tensors)}")
    return model


def history(facts: Facts, tensors: Tensors, shape: tuple[int, int, int]) -> Facts:
    """What each run left behind."""
    runs, k, dim = shape
    if len(facts["online"]) != runs or len(facts["conflict"]) != runs:
        raise ValueError(f"it should have {runs} runs")
    online = [resumed(f, tensors, f"{r}.", (k, dim)) for r, f in enumerate(facts["online"])]
    mistakes = [take(tensors, f"{r}.mistakes", (-1,), np.int64) for r in range(runs)]
    conflicts = [conflict_of(c) for c in facts["conflict"]]
    learned: Facts = {
        "_online": online,
        "mistakes_": mistakes[0] if runs == 1 else mistakes,
        "conflict_": conflicts[0] if runs == 1 else conflicts,
    }
    if "0.hypotheses" in tensors:
        votes = [take(tensors, f"{r}.survival", (-1,), np.int64) for r in range(runs)]
        shapes = [(len(vote), k, dim) for vote in votes]
        voters = [take(tensors, f"{r}.hypotheses", shapes[r]) for r in range(runs)]
        learned |= {"survival_": votes, "hypotheses_": voters}
    return learned


def resumed(facts: Facts, tensors: Tensors, run: str, shape: tuple[int, ...]) -> Online:
    """Where partial_fit goes on."""
    last, moves = take(tensors, run + "last", shape), take(tensors, run + "moves", (-1,), np.int64)
    sums = take(tensors, run + "sums", shape) if run + "sums" in tensors else None
    bracket = None
    if (b := facts["bracket"]) is not None:
        bound = math.inf if b["bound"] is None else finite(b["bound"])
        start = take(tensors, run + "start", shape)
        bracket = Bracket(start, finite(b["radius"]), bound, finite(b["travelled"]))
    return Online(last, sums, whole(facts["seen"]), tuple(moves.tolist()), bracket)


def summary(facts: Facts, runs: int) -> Facts:
    """How training went."""
    if sorted(facts) != sorted(SUMMARY):
        raise ValueError("its summary is not complete")
    bounds = facts["margin_bounds_"] if runs > 1 else [facts["margin_bounds_"]]
    pairs = [(finite(low), finite(high)) for low, high in bounds]
    for name in ("stop_reason_", "n_updates_"):
        if isinstance(facts[name], list) != (runs > 1):
            raise ValueError(f"its {name} is not one for each run")
    return facts | {"margin_bounds_": pairs if runs > 1 else pairs[0]}


def take(tensors: Tensors, name: str, shape: tuple[int, ...], kind: Any = np.float64) -> Array:
    """An array out of the file, of the right type and shape, and finite."""
    array = tensors.pop(name)
    right = len(array.shape) == len(shape) and all(
        wanted in (-1, n) for n, wanted in zip(array.shape, shape, strict=True)
    )
    if array.dtype != kind or not right:
        raise ValueError(f"{name} has the shape {array.shape} and type {array.dtype}, not {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity")
    return array


def finite(value: Any) -> float:
    """A number that is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return float(value)


def whole(value: Any, low: int = 0) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ValueError(f"{value!r} is not a whole number of at least {low}")
    return value


def unpaired(value: Any) -> Any:
    """A parameter out of JSON."""
    return dict(map(tuple, value["pairs"])) if isinstance(value, dict) else value


def classes_of(facts: Facts) -> Array:
    """Labels out of JSON."""
    kind = np.dtype(facts["type"])
    if kind.kind not in "iufbUO":
        raise ValueError(f"labels of type {kind} are not known")
    if kind.kind == "O" and not all(isinstance(v, str) for v in facts["values"]):
        raise ValueError("its labels are not text")
    classes = np.array(facts["values"], kind)
    if classes.ndim != 1 or len(classes) < 2 or not np.array_equal(np.unique(classes), classes):
        raise ValueError("its labels are not two or more, different, in order")
    return classes


def conflict_of(facts: Any) -> Any:
    """The rows of a conflict and their weights."""
    if facts is None:
        return None
    rows = np.array([whole(row) for row in facts["rows"]])
    return rows, [Fraction(weight) for weight in facts["weights"]]


def encoding_of(facts: Facts, n_features: int) -> Encoding:
    """An encoding out of JSON."""
    columns = tuple(column_of(column) for column in facts["columns"])
    encoding = Encoding(**facts | {"columns": columns})
    if encoding.n_features != n_features:
        raise ValueError(f"its columns become {encoding.n_features} features, not {n_features}")
    if encoding.label not in ("int", "float", "text"):
        raise ValueError(f"labels that are {encoding.label!r} are not known")
    return encoding


def column_of(facts: Facts) -> Column:
    """A column out of JSON."""
    levels = facts["levels"] if facts["levels"] is None else tuple(map(str, facts["levels"]))
    fill = facts["fill"] if facts["fill"] is None else tuple(map(finite, facts["fill"]))
    column = Column(**facts | {"levels": levels, "fill": fill})
    width = 1 if levels is None and column.first is None else len(levels or ()) or column.width
    if whole(column.width) != width or (fill is not None and len(fill) != width):
        raise ValueError(f"its column {column.name!r} does not have {width} features")
    whole(column.place)
    return column
