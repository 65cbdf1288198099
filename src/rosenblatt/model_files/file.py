"""Model files: one safetensors file with the numbers, and JSON metadata with all the rest.

There is no code in such a file, and the same model gives the same bytes. What was learned and the
running sums of `partial_fit` are in it; what is about single training rows (`log_`, `dual_coef_`)
is not, but for the support of a kernel. Everything in a file is checked before it is believed.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.model_files.checks import Tensors, read_tensors, write_tensors
from rosenblatt.model_files.rebuild import encoding_of, rebuild
from rosenblatt.model_files.state import MODEL_FORMAT, Facts, model_facts, model_tensors
from rosenblatt.tables.encoding import Encoding

# What a file raises that is not as it should be: a word for a number, a list for a table, …
DAMAGE = (ValueError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)


class Saved(NamedTuple):
    """What a model file holds."""

    model: FittedModel
    encoding: Encoding | None  # of the table it was learned from


def save(model: FittedModel, path: Any, *, encoding: Encoding | None = None) -> None:
    """Write a fitted model to a file; a file is written completely or not at all.

    Parameters
    ----------
    model : Perceptron or KernelPerceptron
        A fitted model; a kernel that is a function cannot be written to a file.
    path : str or Path
        The file.
    encoding : Encoding or None
        How the columns of its table became features (``read(…).encoding``), so that other tables
        can be encoded in the same way.

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
    facts = model_facts(model) | {"encoding": encoding and encoding._asdict()}
    if encoding:
        facts["encoding"]["columns"] = [column._asdict() for column in encoding.columns]
    text = json.dumps(facts, sort_keys=True, allow_nan=False, ensure_ascii=False)
    write_tensors(path, text, model_tensors(model))


def load(path: Any) -> Any:
    """Read a model from a file. ``partial_fit`` continues where it ended.

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
        if facts.get("format") != MODEL_FORMAT:
            raise ValueError(
                f"the format {facts.get('format')!r} is not known here, only {MODEL_FORMAT}"
            )
        model = rebuild(facts, tensors)
        encoding = facts["encoding"] and encoding_of(facts["encoding"], model.n_features_in_)
    except KeyError as error:
        raise ValueError(f"{path} is a damaged model file: {error} is not in it") from error
    except DAMAGE as error:
        raise ValueError(f"{path} is a damaged model file: {error}") from error
    return Saved(model, encoding)


def _open(path: Any) -> tuple[Facts, Tensors]:
    from safetensors import SafetensorError

    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    try:
        text, tensors = read_tensors(path)
        facts = json.loads(text) if text else None
    except (SafetensorError, KeyError, OSError, *DAMAGE) as error:
        raise ValueError(f"{path} is not a model file, or it is damaged: {error}") from error
    if not isinstance(facts, dict):
        raise ValueError(f"{path} is a safetensors file, but not a model of this library")
    return facts, tensors
