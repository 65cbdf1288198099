"""The run that a picture is about: the only one, or that of one class against the rest."""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.log import Log
from rosenblatt.core.loop import Array


class RunFacts(NamedTuple):
    """What a model knows of one of its runs."""

    mistakes: Array  # in each pass
    bounds: tuple[float, float] | None  # None where there is no feature space for certain
    dual: Array | None  # the steps of all rows, or of the support
    support: Array | None  # the rows of the support; None for models with weights
    log: Log | None
    positive: Any  # the class on the positive side


def subject(model: Any, label: Any = None) -> RunFacts:
    """The run of a model, or that of the class `label` where there is one for each."""
    k = run_of(model, label)
    several = isinstance(model.stop_reason_, list)

    def own(name: str) -> Any:
        values = getattr(model, name, None)
        return values[k] if several and values is not None else values

    return RunFacts(
        mistakes=np.asarray(own("mistakes_")),
        bounds=own("margin_bounds_"),
        dual=own("dual_coef_"),
        support=getattr(model, "support_", None),
        log=own("log_"),
        positive=model.classes_[k if several else 1],
    )


def weights(model: Any, label: Any = None) -> tuple[Array, float]:
    """The weights and the bias that a run handed back, or one sentence."""
    if not hasattr(model, "coef_"):
        raise TypeError(
            f"this picture is of weights, which a {type(model).__name__} does not have; "
            "boundary, margins, passes, dual and bound show what it has"
        )
    k = run_of(model, label)
    return model.coef_[k], float(model.intercept_[k])


def run_of(model: Any, label: Any) -> int:
    """The position of a run among those of a model."""
    classes = model.classes_.tolist()
    if len(classes) == 2:
        return 0
    if not isinstance(model.stop_reason_, list):
        raise ValueError(
            "multi_class='direct' moves several hypotheses together, and this picture shows one: "
            "fit with multi_class='ovr', and choose a class with label="
        )
    if label not in classes:
        listed = ", ".join(map(repr, classes))
        raise ValueError(f"there is a run for each class; choose one with label=, out of {listed}")
    return classes.index(label)
