"""The certificate of a count of mistakes: a hypothesis, and conflicts that bound what is possible.

Format 2, kind "fewest mistakes": the hypothesis makes so many mistakes, by counting; no hypothesis
makes fewer than `at_least`, by a packing of conflicts or a tree of packings (`packing`). All
numbers are exact fractions as text. `checker` verifies it.
"""

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from rosenblatt.checker import FEWEST, FORMATS
from rosenblatt.inputs.validation import Problem
from rosenblatt.separability.certificate_parts import (
    ABOUT,
    ConflictWeights,
    Hyperplane,
    conflict_of,
    fraction,
    fractions,
    hyperplane,
    separator_of,
    text,
    texts,
)
from rosenblatt.separability.counting.both_bounds import Counting
from rosenblatt.separability.counting.packing import Branch, Packing, Tree
from rosenblatt.separability.exact.rational import FloatRatios, common
from rosenblatt.separability.fingerprint import hash_of, text_of

FORMAT, KIND = FORMATS[1], FEWEST


@dataclass(frozen=True)
class MistakesCertificate:
    """How few mistakes a hyperplane makes, and how few any can make, with proofs.

    Attributes
    ----------
    hypothesis : Hyperplane
        Its `w` and `b`, exactly.
    mistakes : Fraction
        The rows on the wrong side or on the hyperplane; their total weight, if rows have weights.
    at_least : Fraction
        No hyperplane makes fewer: proved by conflicts.
    conflicts : list of ConflictWeights
        Rows that no hyperplane classifies correctly together, with integer weights.
    tree : Packing or Branch
        The weights of the conflicts: their sum on any row is at most the cost of a mistake there.
    weights : list of Fraction or None
        The cost of a mistake in each row; 1 if None.
    fit_intercept, classes, n_samples, n_features, sha256
        What the certificate is about. The hash is that of other certificates; where rows have
        weights, these follow the labels, one in a line.
    """

    hypothesis: Hyperplane
    mistakes: Fraction
    at_least: Fraction
    conflicts: list[ConflictWeights]
    tree: Tree
    weights: list[Fraction] | None
    fit_intercept: bool
    classes: tuple[str, ...]
    n_samples: int
    n_features: int
    sha256: str

    def to_json(self, indent: int | None = None) -> str:
        """The certificate as JSON, its numbers as exact fractions."""
        about = {name: getattr(self, name) for name in ABOUT}
        proof = {
            "weights": None if self.weights is None else texts(self.weights),
            "hypothesis": texts(self.hypothesis._asdict()),
            "mistakes": text(self.mistakes),
            "at_least": text(self.at_least),
            "conflicts": [texts(c._asdict()) for c in self.conflicts],
            "packing": tree_to_json(self.tree),
        }
        fields = {"format": FORMAT, "kind": KIND} | about | proof
        return json.dumps(fields, indent=indent, ensure_ascii=False)

    @classmethod
    def from_json(cls, source: str) -> Self:
        """Read a certificate back. Whether it is true, `verify` says."""
        try:
            fields = json.loads(source)
            if (fields.pop("format"), fields.pop("kind")) != (FORMAT, KIND):
                raise ValueError(f"its format is not {FORMAT}, {KIND}")
            plane, weights = fields["hypothesis"], fields["weights"]
            return cls(
                **fields
                | {
                    "classes": tuple(fields["classes"]),
                    "hypothesis": separator_of(plane, several=False),
                    "weights": None if weights is None else fractions(weights),
                    "mistakes": fraction(fields["mistakes"]),
                    "at_least": fraction(fields["at_least"]),
                    "conflicts": [conflict_of(c, several=False) for c in fields["conflicts"]],
                    "tree": tree_from_json(fields.pop("packing")),
                }
            )
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise ValueError(f"this is not a certificate: {error}") from None

    def __str__(self) -> str:
        made, least = plain_number(self.mistakes), plain_number(self.at_least)
        if self.mistakes == self.at_least:
            return f"this hyperplane makes {made} mistakes, and none makes fewer"
        return f"this hyperplane makes {made} mistakes, and none makes fewer than {least}"


def mistakes_proof(problem: Problem, counting: Counting, weighted: bool) -> MistakesCertificate:
    """The certificate of what was counted."""
    held, best = counting.collection, counting.best
    place = {k: i for i, k in enumerate(sorted(used(held.tree)))}
    conflicts = [held.conflicts[k] for k in place]
    classes = tuple(map(text_of, problem.classes.tolist()))
    weights = [Fraction(c) for c in counting.rows.cost.tolist()] if weighted else None
    return MistakesCertificate(
        hypothesis=hyperplane(FloatRatios(best.w)),
        mistakes=best.cost,
        at_least=held.at_least,
        conflicts=[ConflictWeights(c.rows.tolist(), whole_weights(c.weights)) for c in conflicts],
        tree=renumbered(held.tree, place),
        weights=weights,
        fit_intercept=bool(counting.primal.bias),
        classes=classes,
        n_samples=problem.X.shape[0],
        n_features=problem.X.shape[1],
        sha256=hash_of([(problem.X, problem.codes)], classes, lines=texts(weights or ())),
    )


def plain_number(x: Fraction) -> int | float:
    """A fraction as people write it."""
    return int(x) if x.denominator == 1 else float(x)


def whole_weights(weights: list[Fraction]) -> list[Fraction]:
    """The same weights, but for a factor, as whole numbers without common divisor."""
    numbers = common(weights)
    divisor = math.gcd(*numbers)
    return [Fraction(x // divisor) for x in numbers]


# -- Trees -----------------------------------------------------------------------------------------


def used(tree: Tree) -> set[int]:
    """The conflicts that a tree weighs."""
    if isinstance(tree, Branch):
        return used(tree.wrong) | used(tree.right)
    return set(tree.weights)


def renumbered(tree: Tree, place: dict[int, int]) -> Tree:
    """The tree over another list of conflicts."""
    if isinstance(tree, Branch):
        return Branch(tree.row, renumbered(tree.wrong, place), renumbered(tree.right, place))
    return Packing({place[k]: w for k, w in tree.weights.items()}, tree.total)


def tree_to_json(tree: Tree) -> dict[str, Any]:
    if isinstance(tree, Branch):
        return {
            "row": tree.row,
            "wrong": tree_to_json(tree.wrong),
            "right": tree_to_json(tree.right),
        }
    weights = texts(tree.weights.values())
    return {"conflicts": list(tree.weights), "weights": weights, "sum": text(tree.total)}


def tree_from_json(node: dict[str, Any]) -> Tree:
    if "row" in node:
        sides = tree_from_json(node["wrong"]), tree_from_json(node["right"])
        return Branch(int(node["row"]), *sides)
    weights = fractions(node["weights"])
    return Packing(dict(zip(node["conflicts"], weights, strict=True)), fraction(node["sum"]))
