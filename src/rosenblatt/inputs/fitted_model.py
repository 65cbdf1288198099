"""What the rest of the package asks of a fitted estimator."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # the command line, which is quick, imports this
    from rosenblatt.core.loop import Array


class FittedModel(Protocol):
    """An estimator after `fit`. What is one for each run is a list, one against the rest."""

    fit_intercept: bool
    eta0: float
    rule: str
    boundary: Any
    batch_size: Any
    multi_class: str

    classes_: "Array"
    n_features_in_: int
    converged_: bool
    stop_reason_: Any
    n_iter_: int
    n_updates_: Any
    mistakes_: Any
    margin_bounds_: Any
    radius_: Any
    conflict_: Any
    dual_coef_: Any
    _errors: list[int]  # of each run's hypothesis, on the training rows
    _online: list[Any]  # where each run goes on

    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def decision_function(self, X: Any) -> "Array": ...
    def predict(self, X: Any) -> "Array": ...
    def score(self, X: Any, y: Any) -> float: ...


class FittedKernel(FittedModel, Protocol):
    """One whose hypotheses are steps of the rows in its support."""

    kernel: Any
    gamma_: float
    support_: "Array"
    support_vectors_: Any
