"""A model as an ONNX graph."""

from typing import Any

import numpy as np

from rosenblatt.files import need
from rosenblatt.sweep import Array

OPSET, IR = 17, 8  # old enough for runtimes of 2022


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

    def add(self, operation: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """A node; returns the name of its output."""
        name = name or f"value{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(operation, inputs, [name], **attributes))
        return name


def to_onnx(model: Any) -> Any:
    """A model as ONNX, in double precision: labels equal ours, on the hyperplane too.

    Parameters
    ----------
    model : Perceptron
        A fitted model. Labels are whole numbers or text (others are written as text).

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
    if hasattr(model, "support_"):
        raise TypeError("a KernelPerceptron cannot be converted to ONNX yet; a Perceptron can")
    if not hasattr(model, "coef_"):
        raise ValueError("this model is not fitted; there is nothing to convert")
    graph = Graph()
    two = len(model.classes_) == 2
    columns = scores(graph, model)
    if two:
        score = graph.add("Squeeze", columns, graph.constant(np.array([1])), name="score")
        above = "Greater" if model.boundary == -1 else "GreaterOrEqual"
        side = graph.add(above, score, graph.constant(0.0))
        choice = graph.add("Cast", side, to=graph.onnx.TensorProto.INT64)
    else:
        score = graph.add("Identity", columns, name="score")
        choice = graph.add("ArgMax", score, axis=1, keepdims=0)
    names = classes(model.classes_)
    graph.add("Gather", graph.constant(names), choice, name="label")
    return finished(graph, model, whole=names.dtype.kind == "i", ndim=1 if two else 2)


def classes(labels: Array) -> Array:
    """Labels as ONNX has them: whole numbers or text."""
    return labels.astype(np.int64 if labels.dtype.kind in "iu" else str)


def scores(graph: Graph, model: Any) -> str:
    """The columns of the decision function."""
    if not hasattr(model, "hypotheses_"):
        return linear(graph, np.column_stack((model.coef_, model.intercept_)))
    tie = -1.0 if model.boundary == -1 else 1.0
    runs = zip(model.hypotheses_, model.survival_, strict=True)
    return graph.add("Concat", *(poll(graph, *run, tie) for run in runs), axis=1)


def linear(graph: Graph, W: Array) -> str:
    """The scores under each hypothesis, the bias last."""
    product = graph.add("MatMul", "X", graph.constant(np.ascontiguousarray(W[:, :-1].T)))
    return graph.add("Add", product, graph.constant(W[:, -1].copy()))


def poll(graph: Graph, voters: Array, survival: Array, tie: float) -> str:
    """The vote of all hypotheses of a run.

    Sums are spelled out: onnxruntime fuses a product and a division by a constant into one step
    with a single-precision factor.
    """
    h, k, dim = voters.shape
    f, votes = linear(graph, voters.reshape(h * k, dim)), survival.astype(float)[:, None]
    if k == 1:
        on_plane = graph.add("Equal", f, graph.constant(0.0))
        side = graph.add("Where", on_plane, graph.constant(tie), graph.add("Sign", f))
        ballots = graph.add("Unsqueeze", side, graph.constant(np.array([2])))
    else:
        f = graph.add("Reshape", f, graph.constant(np.array([-1, h, k])))
        winner = graph.add("ArgMax", f, axis=2, keepdims=0)
        ballots = graph.add("Gather", graph.constant(np.eye(k)), winner)
    weighed = graph.add("Mul", ballots, graph.constant(votes))  # (n, h, k)
    sums = graph.add("ReduceSum", weighed, graph.constant(np.array([1])), keepdims=0)
    return graph.add("Div", sums, graph.constant(float(max(1, survival.sum()))))


def finished(graph: Graph, model: Any, whole: bool, ndim: int) -> Any:
    """The graph with its inputs and outputs, checked."""
    onnx, kind = graph.onnx, graph.onnx.TensorProto
    value = onnx.helper.make_tensor_value_info
    shape = ["n"] if ndim == 1 else ["n", len(model.classes_)]
    made = onnx.helper.make_model(
        onnx.helper.make_graph(
            graph.nodes,
            "perceptron",
            [value("X", kind.DOUBLE, ["n", model.n_features_in_])],
            [
                value("label", kind.INT64 if whole else kind.STRING, ["n"]),
                value("score", kind.DOUBLE, shape),
            ],
            graph.constants,
        ),
        producer_name="rosenblatt",
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
        ir_version=IR,
    )
    onnx.checker.check_model(made)
    return made
