"""A model as an ONNX graph."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.extras import need
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.kernels.functions import UNSEEN, distance_error, squares, unit_rows

OPSET, IR = 17, 8  # old enough for runtimes of 2022
Scores = Callable[[Array], str]  # the node of scores under some hypotheses
MOST_VOTER_BYTES = 2**30  # bytes of hypotheses; a file of ONNX holds at most twice as much


class Graph:
    """Nodes and constants, as they are added."""

    def __init__(self) -> None:
        self.onnx = need("onnx", "onnx", "to_onnx")
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, value: Any) -> str:
        """A constant; returns its name."""
        name = f"constant{len(self.constants)}"
        array = np.asarray(value)
        array = array.astype(object) if array.dtype.kind == "U" else array
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def add(self, operation: str, *inputs: Any, name: str = "", **attributes: Any) -> str:
        """A node, of names and of numbers, which become constants; returns its output's name."""
        names = [each if isinstance(each, str) else self.constant(each) for each in inputs]
        name = name or f"value{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(operation, names, [name], **attributes))
        return name


def to_onnx(model: FittedModel) -> Any:
    """Export a model to ONNX, in double precision, with the same labels, also on the hyperplane.

    Labels are the same where sums are exact; elsewhere, scores may differ in the last digits.

    Parameters
    ----------
    model : Perceptron or KernelPerceptron
        A fitted model; its kernel must have a name other than "precomputed". Labels are whole
        numbers or text (others are written as text).

    Returns
    -------
    onnx.ModelProto
        Input ``X`` of shape (n, n_features), double. Outputs ``label``, and ``score`` as
        ``decision_function`` gives it.

    Examples
    --------
    >>> import rosenblatt
    >>> model = rosenblatt.Perceptron().fit(*rosenblatt.datasets.textbook())
    >>> graph = rosenblatt.to_onnx(model)
    >>> [output.name for output in graph.graph.output]
    ['label', 'score']
    """
    if not hasattr(model, "classes_"):
        raise ValueError("this model is not fitted; there is nothing to convert")
    graph = Graph()
    columns = score_columns(graph, model)
    if len(model.classes_) == 2:
        score = graph.add("Squeeze", columns, [1], name="score")
        above = "Greater" if model.boundary == -1 else "GreaterOrEqual"
        side = graph.add(above, score, 0.0)
        choice = graph.add("Cast", side, to=graph.onnx.TensorProto.INT64)
    else:
        score = graph.add("Identity", columns, name="score")
        choice = graph.add("ArgMax", score, axis=1, keepdims=0)
    whole = model.classes_.dtype.kind in "iu"
    labels = model.classes_.astype(np.int64 if whole else str)  # ONNX has no others
    graph.add("Gather", labels, choice, name="label")
    return finished(graph, model, whole)


def score_columns(graph: Graph, model: FittedModel) -> str:
    """The columns of the decision function."""
    if isinstance(model, KernelPerceptron):
        return dual_scores(graph, model)
    assert isinstance(model, LinearModel)
    if not hasattr(model, "hypotheses_"):
        return linear_scores(graph, model._weights().astype(np.float64))
    scores = partial(linear_scores, graph)
    runs = zip(model.hypotheses_, model.survival_, strict=True)
    columns = [vote_node(graph, scores, *run, model._tie) for run in runs]
    return graph.add("Concat", *columns, axis=1)


def linear_scores(graph: Graph, W: Array) -> str:
    """The scores under each hypothesis, the bias last."""
    product = graph.add("MatMul", "X", np.ascontiguousarray(W[:, :-1].T))
    return graph.add("Add", product, W[:, -1].copy())


def vote_node(graph: Graph, scores: Scores, voters: Array, survival: Array, tie: float) -> str:
    """The vote of all hypotheses of a run.

    Sums are spelled out: onnxruntime fuses a product and a division by a constant into one step
    with a single-precision factor.
    """
    (h, k, dim), votes = voters.shape, survival.astype(float)[:, None]
    f = scores(voters.reshape(-1, dim))
    if k == 1:
        on_plane = graph.add("Equal", f, 0.0)
        side = graph.add("Where", on_plane, tie, graph.add("Sign", f))
        ballots = graph.add("Unsqueeze", side, [2])
    else:
        f = graph.add("Reshape", f, [-1, h, k])
        winner = graph.add("ArgMax", f, axis=2, keepdims=0)
        ballots = graph.add("Gather", np.eye(k), winner)
    weighed = graph.add("Mul", ballots, votes)  # (n, h, k)
    sums = graph.add("ReduceSum", weighed, [1], keepdims=0)
    return graph.add("Div", sums, float(max(1, survival.sum())))


# -- Kernels ---------------------------------------------------------------------------------------


def dual_scores(graph: Graph, model: KernelPerceptron) -> str:
    """The columns of the decision function of a KernelPerceptron."""
    if model.kernel not in GRAPH_KERNELS:
        raise ValueError(
            f"ONNX has the kernels {', '.join(GRAPH_KERNELS)}; one that is a function or "
            "precomputed cannot be converted"
        )
    Z = model.support_vectors_
    Z = np.asarray(Z.toarray() if sp.issparse(Z) else Z, np.float64)
    Z = Z if len(Z) else np.zeros((1, model.n_features_in_))  # the zero hypothesis has no support
    K = GRAPH_KERNELS[model.kernel](graph, Z, model)
    if model.fit_intercept:
        K = graph.add("Add", K, 1.0)
    if not hasattr(model, "_ballots"):
        coef = np.atleast_2d(model.dual_coef_)
        return weighted_scores(graph, K, coef if coef.shape[1] else np.zeros((len(coef), 1)))
    scores = partial(weighted_scores, graph, K)
    runs = ((voting_steps(ballots, len(Z)), ballots.survival) for ballots in model._ballots)
    columns = [vote_node(graph, scores, *run, model._tie) for run in runs]
    return graph.add("Concat", *columns, axis=1)


def weighted_scores(graph: Graph, K: str, coef: Array) -> str:
    """The scores under each hypothesis, from the kernel of rows with the support."""
    return graph.add("MatMul", K, np.ascontiguousarray(coef.T, np.float64))


def voting_steps(ballots: Any, support: int) -> Array:
    """All hypotheses of a run, as (hypotheses, classes, support)."""
    m, k = len(ballots.c), ballots.classes
    if 8 * (m + 1) * k * support > MOST_VOTER_BYTES:
        raise ValueError(
            f"the votes of {m} mistakes are too large for ONNX; use keep='average', "
            "which holds one hypothesis"
        )
    steps, j = np.zeros((m + 1, k, support)), np.arange(m)
    steps[1 + j, ballots.own, ballots.place] += ballots.c
    if k > 1:
        steps[1 + j, ballots.rival, ballots.place] -= ballots.c
    return np.cumsum(steps, axis=0)[np.append(0, 1 + ballots.ends)]


def inner_node(graph: Graph, Z: Array, rows: str = "X") -> str:
    """All inner products; not by MatMul, with which a factor gamma would be fused as in poll."""
    return graph.add("Gemm", rows, Z, transB=1)


def affine_node(graph: Graph, Z: Array, model: KernelPerceptron) -> str:
    """γ x·z + c"""
    scaled = graph.add("Mul", inner_node(graph, Z), float(model.gamma_))
    return graph.add("Add", scaled, float(model.coef0))


def poly_node(graph: Graph, Z: Array, model: KernelPerceptron) -> str:
    """(γ x·z + c)^degree, multiplied in the same order as ours."""
    K = power = affine_node(graph, Z, model)
    if not float(model.degree).is_integer():
        return graph.add("Pow", K, float(model.degree))
    for bit in f"{int(model.degree):b}"[1:]:
        power = graph.add("Mul", power, power)
        power = graph.add("Mul", power, K) if bit == "1" else power
    return power


def sigmoid_node(graph: Graph, Z: Array, model: KernelPerceptron) -> str:
    """tanh(γ x·z + c)"""
    return graph.add("Tanh", affine_node(graph, Z, model))


def rbf_node(graph: Graph, Z: Array, model: KernelPerceptron) -> str:
    """exp(-γ |x - z|²), far from the origin from x - z"""
    if distance_error(squares(Z), model.gamma_) > UNSEEN:
        gaps = gaps_node(graph, Z)
        return decay(graph, sum_node(graph, graph.add("Mul", gaps, gaps)), model)
    K = graph.add("Mul", inner_node(graph, Z), -2.0)
    K = graph.add("Add", K, squares_node(graph))
    K = graph.add("Add", K, np.einsum("ij,ij->i", Z, Z))
    return decay(graph, graph.add("Max", K, 0.0), model)


def laplacian_node(graph: Graph, Z: Array, model: KernelPerceptron) -> str:
    """exp(-γ |x - z|₁)"""
    return decay(graph, sum_node(graph, graph.add("Abs", gaps_node(graph, Z))), model)


def gaps_node(graph: Graph, Z: Array) -> str:
    """x - z, of each row with each of the support"""
    apart = graph.add("Unsqueeze", "X", [1])
    return graph.add("Sub", apart, Z)


def sum_node(graph: Graph, gaps: str) -> str:
    """The sums over the features"""
    return graph.add("ReduceSum", gaps, [2], keepdims=0)


def cosine_node(graph: Graph, Z: Array, model: KernelPerceptron) -> str:
    """x·z / |x| |z|; rows are scaled first, so that no square is lost."""
    largest = graph.add("ReduceMax", graph.add("Abs", "X"), axes=[1], keepdims=1)
    scaled = graph.add("Div", "X", unless_zero(graph, largest))
    length = unless_zero(graph, graph.add("Sqrt", squares_node(graph, scaled)))
    return inner_node(graph, unit_rows(Z), graph.add("Div", scaled, length))


def unless_zero(graph: Graph, size: str) -> str:
    """A size to divide by: 1 instead of 0."""
    is_zero = graph.add("Equal", size, 0.0)
    return graph.add("Where", is_zero, 1.0, size)


def squares_node(graph: Graph, rows: str = "X") -> str:
    """The squared length of each row, as a column."""
    products = graph.add("Mul", rows, rows)
    return graph.add("ReduceSum", products, [1], keepdims=1)


def decay(graph: Graph, gaps: str, model: KernelPerceptron) -> str:
    """exp(-γ gap)"""
    return graph.add("Exp", graph.add("Mul", gaps, -float(model.gamma_)))


GRAPH_KERNELS = {
    "linear": lambda graph, Z, model: inner_node(graph, Z),
    "poly": poly_node,
    "rbf": rbf_node,
    "sigmoid": sigmoid_node,
    "laplacian": laplacian_node,
    "cosine": cosine_node,
}


# -- The model -------------------------------------------------------------------------------------


def finished(graph: Graph, model: FittedModel, whole: bool) -> Any:
    """The graph with its inputs and outputs, checked."""
    onnx, kind, k = graph.onnx, graph.onnx.TensorProto, len(model.classes_)
    value = onnx.helper.make_tensor_value_info
    made = onnx.helper.make_model(
        onnx.helper.make_graph(
            graph.nodes,
            "perceptron",
            [value("X", kind.DOUBLE, ["n", model.n_features_in_])],
            [
                value("label", kind.INT64 if whole else kind.STRING, ["n"]),
                value("score", kind.DOUBLE, ["n"] if k == 2 else ["n", k]),
            ],
            graph.constants,
        ),
        producer_name="rosenblatt",
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
        ir_version=IR,
    )
    onnx.checker.check_model(made)
    return made
