"""A certificate is plain data: a verdict, and its proof in exact rationals."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from rosenblatt.checker import FORMATS, SEVERAL, TWO, is_kernel
from rosenblatt.separability.certificate_parts import (
    ABOUT,
    ConflictWeights,
    DependentColumns,
    Hyperplane,
    LinearMachine,
    PairConflictWeights,
    conflict_of,
    html_table,
    is_count,
    kernel_name,
    listed_rows,
    parts_of,
    related_of,
    sentence,
    separator_of,
    texts,
)
from rosenblatt.separability.coding import Coding
from rosenblatt.separability.coefficients.dependent_columns import Dependence, dependence
from rosenblatt.separability.coefficients.infinite import (
    Cone,
    coefficient_directions,
    multinomial_directions,
    weak_separators,
)
from rosenblatt.separability.coefficients.separated_rows import SeparatedRows, separated_rows
from rosenblatt.separability.fingerprint import FORMS

CERTIFICATE_KINDS = (FORMATS[0], None), (FORMATS[1], TWO), (FORMATS[1], SEVERAL)
PARTS = ("separator", "conflict")

FIELDS: dict[str, Callable[[Any], bool]] = {
    "fit_intercept": lambda value: type(value) is bool,
    "classes": lambda value: len(value) > 1 and all(type(label) is str for label in value),
    "n_samples": is_count,
    "n_features": is_count,
    "sha256": lambda value: type(value) is str,
    "reason": lambda value: value is None or type(value) is str,
}


@dataclass(frozen=True)
class Certificate:
    """A verdict on linear separability, and its proof in exact rationals.

    Attributes
    ----------
    verdict : {"separable", "touching", "overlapping", "undecided"}
        Some hyperplane has every row strictly on its side; or no row on the wrong side, but some on
        the hyperplane (quasi-complete separation); or neither; or no proof was found.
    separator : Hyperplane, LinearMachine or None
        Its `w` and `b`, where the verdict is separable or touching; with several classes, one of
        each for every class.
    conflict : ConflictWeights, PairConflictWeights or None
        Its `rows` and `weights`, where the verdict is touching or overlapping; with several classes
        also the `rivals`, for each row a class that it cannot outscore.
    margin : float or None
        The geometric margin of the separator, in the space of x: the distance of the nearest row
        from it; 0 where there is none. It is no part of the proof, and not written to JSON: None
        for a certificate that was read.
    reason : str or None
        What is missing, where the verdict is undecided.
    fit_intercept, classes, n_samples, n_features, sha256
        What the certificate is about.
    proof : {"exact", "bounded"}
        Whether the weights of a conflict add its rows up to zero exactly; or weights near them do,
        all positive, as a bound on the rounding errors of floating point shows: in hundreds of
        columns, exact weights would have millions of digits.
    dependent : dict or None
        Columns that such a bound leaves out: each is exactly this combination of others, in all
        rows (of classes that touch, in those in conflict). Columns are named by their places, as
        text, or "intercept".
    combined : dict or None
        Columns that the bound takes without this combination of others: what rounding has left of
        them, where they were computed from these.
    hashed : {None, "nonzero", "blocks"}
        What the hash is over: all numbers; of large sparse tables, those that are not zero; of
        large dense ones, the hashes of blocks of rows.
    kernel : dict or None
        The feature space that the question is about, if it is not that of the rows. Its separator
        has a weight for each monomial: first the features, then their products by two, and so on.
    """

    verdict: str
    fit_intercept: bool
    classes: tuple[str, ...]
    n_samples: int
    n_features: int
    sha256: str
    separator: Hyperplane | LinearMachine | None = None
    conflict: ConflictWeights | PairConflictWeights | None = None
    margin: float | None = field(default=None, compare=False)
    reason: str | None = None
    proof: str = "exact"
    dependent: DependentColumns | None = None
    combined: DependentColumns | None = None
    hashed: str | None = None
    kernel: dict[str, Any] | None = None
    _data: Any = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the certificate, and not the data that it is about."""
        return vars(replace(self, _data=None))

    def to_json(self, indent: int | None = None) -> str:
        """The certificate as JSON, its numbers as exact fractions."""
        about = {name: getattr(self, name) for name in ("verdict", *ABOUT)}
        parts = {
            "hash": self.hashed,
            "kernel": self.kernel,
            "proof": None if self.proof == "exact" else self.proof,
            "dependent": self.dependent and texts(self.dependent),
            "combined": self.combined and texts(self.combined),
            "separator": self.separator and texts(self.separator._asdict()),
            "conflict": self.conflict and texts(self.conflict._asdict()),
            "reason": self.reason,
        }
        fields = self._kind() | about | {name: part for name, part in parts.items() if part}
        return json.dumps(fields, indent=indent, ensure_ascii=False)

    def _kind(self) -> dict[str, str]:
        """The format, and in the second what the claim is about."""
        several = len(self.classes) > 2
        if several or self.hashed or self.kernel or self.proof != "exact":
            return {"format": FORMATS[1], "kind": SEVERAL if several else TWO}
        return {"format": FORMATS[0]}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a certificate back. Whether it is true, `verify` says."""
        try:
            fields = json.loads(text)
            if not isinstance(fields, dict):
                raise ValueError(f"its format is not {FORMATS[0]}")
            form, kind = fields.pop("format", None), fields.pop("kind", None)
            if (form, kind) not in CERTIFICATE_KINDS:
                raise ValueError(f"its format is not {FORMATS[0]}")
            several = kind == SEVERAL
            if (len(fields["classes"]) > 2) != several:
                raise ValueError("its classes are malformed")
            fields["hashed"] = fields.pop("hash", None)
            if fields["hashed"] not in ((None,) if form == FORMATS[0] else FORMS):
                raise ValueError("its hash is of an unknown form")
            if "proof" in fields and (fields["proof"], form) != ("bounded", FORMATS[1]):
                raise ValueError("its proof is of an unknown kind")
            if not is_kernel(fields.get("kernel"), form):
                raise ValueError("its kernel is not known")
            if s := fields.get("separator"):
                fields["separator"] = separator_of(s, several)
            for name in ("dependent", "combined"):
                if fields.get(name) is None:
                    continue
                fields[name] = related_of(fields[name], name)
                if "proof" not in fields:
                    raise ValueError(f"{name} columns are no part of its proof")
            if s := fields.get("conflict"):
                fields["conflict"] = conflict_of(s, several)
            if {part for part in PARTS if fields.get(part)} != parts_of(fields):
                raise ValueError("its parts are not those of its verdict")
            fields |= {"classes": tuple(fields["classes"]), "_data": None}
            if not math.isfinite(fields.pop("margin", 0)):  # of an earlier version, and not proved
                raise ValueError("its margin is malformed")
            if wrong := [name for name, right in FIELDS.items() if not right(fields.get(name))]:
                raise ValueError(f"its {wrong[0]} is malformed")
            return cls(**fields)
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise ValueError(f"this is not a certificate: {error}") from None

    def infinite_coefficients(self) -> dict[Any, Any]:
        """For each coefficient of a logistic regression, whether its estimate is infinite.

        The weak separators in the unit box decide: a coefficient that can only be positive there
        runs to "+inf", one that can only be negative to "-inf", one that can be both to "either";
        the others are "finite". A column that is a combination of those before it is "aliased".
        Of a text column, the most frequent level that several classes have is the "reference", and
        the coefficients of the others are differences from it.
        With several classes, the multinomial model: for each class but the first, a dictionary of
        its coefficients against the first.

        References
        ----------
        Albert, A. and Anderson, J. A. (1984). On the existence of maximum likelihood estimates in
        logistic regression models. Biometrika 71. Konis, K. (2007). Linear programming algorithms
        for detecting separated data in binary logistic regression models.
        """
        table = self._table()
        if self.verdict == "undecided":
            raise ValueError(f"the verdict is open: {self.reason}")
        if len(self.classes) > 2:
            problem, _, given = table
            told = multinomial_directions(problem, self.fit_intercept, given)
            by_name = [dict(zip(self._names, each, strict=True)) for each in told]
            return dict(zip(problem.classes[1:].tolist(), by_name, strict=True))
        of_two = coefficient_directions(self._cone, table[-1])
        return dict(zip(self._names, of_two, strict=False))

    def separated_rows(self) -> dict[str, SeparatedRows]:
        """For each coefficient that runs to "+inf" or "-inf", the rows that make it do so.

        They are the rows off the hyperplane of a weak separator with few columns: rows whose class
        these columns determine.

        Examples
        --------
        >>> import pandas as pd
        >>> from rosenblatt import certify
        >>> ward = pd.DataFrame({"dose": [1, 2, 3, 4, 5, 6, 2, 5], "ward": list("aaaaaabb")})
        >>> certificate = certify(ward, ["ill", "well"] * 3 + ["well"] * 2)
        >>> certificate.separated_rows()
        {'ward=b': SeparatedRows(columns=['ward=b'], rows=array([6, 7]))}
        """
        if len(self.classes) > 2:
            raise ValueError("rows behind infinite coefficients are looked for with two classes")
        return separated_rows(self.infinite_coefficients(), self._cone, self._names)

    @cached_property
    def _names(self) -> list[str]:
        """Those of the features and of the bias, which comes last."""
        coding: Coding = self._table()[-2]
        return coding.coefficients(self.n_features, self.fit_intercept)

    @cached_property
    def _cone(self) -> Cone:
        """The weak separators. That of a touching table is right on as many rows as any."""
        primal, rows, _, given = self._table()
        found = self.separator if self.verdict == "touching" else None
        return weak_separators(primal, rows, given, found)

    def dependence(self) -> Dependence | None:
        """Which columns are combinations of others up to rounding; None if there are none.

        A verdict is about the numbers as stored. Where a column is a total, a share or another unit
        of others, its rounding errors are part of them, and may decide. The verdict returned here
        is the one that would hold without these columns, as if they were exact combinations.

        Examples
        --------
        >>> import numpy as np
        >>> from rosenblatt import certify
        >>> x = np.arange(12) / 10
        >>> found = certify(np.column_stack((x, 1.8 * x + 32)), np.arange(12) % 2)
        >>> found.verdict, found.dependence()
        ('overlapping', Dependence(columns={'x1': ['intercept', 'x0']}, verdict='overlapping'))
        """
        if len(self.classes) > 2:
            raise ValueError("columns that depend on each other are looked for with two classes")
        primal, rows, _, given = self._table()
        return dependence(primal, rows, self._names, given)

    def _table(self) -> Any:
        if self.kernel:
            raise ValueError("coefficients are those of a linear model, and this is about a kernel")
        if self._data is None:
            raise ValueError("this needs the data: call certify on them instead of reading a file")
        return self._data

    def __str__(self) -> str:
        return sentence(self)

    def _repr_html_(self) -> str:
        facts = {
            "verdict": self.verdict,
            "classes": " against ".join(self.classes),
            "rows × features": f"{self.n_samples} × {self.n_features}",
            "feature space": kernel_name(self.kernel) if self.kernel else "",
            "margin": f"{self.margin:.3g}" if self.margin else "",
            "rows in conflict": listed_rows(self.conflict.rows) if self.conflict else "",
        }
        return html_table(facts, str(self))
