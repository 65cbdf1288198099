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

from rosenblatt.separability.certificate_parts import (
    ConflictWeights,
    Hyperplane,
    conflict_of,
    fraction,
    fractions,
    separator_of,
    text,
    texts,
)
from rosenblatt.separability.counting.packing import Branch, Packing, Tree
from rosenblatt.separability.exact.rational import common

FORMAT, KIND = "rosenblatt-certificate/2", "fewest mistakes"


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
    conflicts : list of Clash
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
        names = ("fit_intercept", "classes", "n_samples", "n_features", "sha256")
        about = {name: getattr(self, name) for name in names}
        proof = {
            "weights": None if self.weights is None else texts(self.weights),
            "hypothesis": {"w": texts(self.hypothesis.w), "b": text(self.hypothesis.b)},
            "mistakes": text(self.mistakes),
            "at_least": text(self.at_least),
            "conflicts": [{"rows": c.rows, "weights": texts(c.weights)} for c in self.conflicts],
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
            weights = fields["weights"]
            return cls(
                **fields
                | {
                    "classes": tuple(fields["classes"]),
                    "hypothesis": separator_of(fields["hypothesis"], several=False),
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
    weights = zip(node["conflicts"], fractions(node["weights"]), strict=True)
    return Packing(dict(weights), fraction(node["sum"]))
