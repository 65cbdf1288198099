"""What Novikoff's theorem says of a run, in numbers and in print."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.loop import Array

SHOWN_STEPS = 10  # rows of the printed table


RELATIVE_ROUNDING = 1e-9  # more than a million steps of rounding add up to


class Steps(NamedTuple):
    """Both inequalities of the proof after each mistake."""

    k: Array  # 1, 2, …
    progress: Array  # w_k · w*
    least: Array  # k η γ
    length2: Array  # |w_k|²
    most: Array  # k η² R²
    angle: Array  # between w_k and w*, in degrees

    @property
    def hold(self) -> bool:
        """Whether both inequalities hold everywhere, up to rounding."""
        slack = RELATIVE_ROUNDING * self.most
        forward = self.progress >= self.least - RELATIVE_ROUNDING * np.sqrt(self.most)
        return bool((forward & (self.length2 <= self.most + slack)).all())


@dataclass(frozen=True, eq=False)
class MistakeBound:
    """What Novikoff's theorem says of a run.

    Attributes
    ----------
    mistakes : int or list of int
        The mistakes the run made.
    reason : str or None
        Why the theorem does not apply; then all below is None.
    radius : float
        R, the length of the longest row; with a kernel, in its feature space.
    gamma, gamma_upper : float
        The margin of the widest separator found, and what none can exceed: geometric margins
        in the space of (x, 1), as the theorem has them, and not those of `max_margin`.
    bound : float
        (R/γ)²: the most mistakes there can be.
    cheap_bound : float or None
        The same with the margin of the returned hypothesis; None if that makes errors.
    holds : bool
        Whether the number of mistakes and, if recorded, both inequalities satisfy it.
    eta : float
        The size of a step.
    steps : Steps or None
        Both inequalities at each mistake; needs ``record=True``.
    """

    mistakes: Any
    reason: str | None = None
    radius: float | None = None
    gamma: float | None = None
    gamma_upper: float | None = None
    bound: float | None = None
    cheap_bound: float | None = None
    holds: bool | None = None
    eta: float | None = None
    steps: Steps | None = None

    @property
    def applies(self) -> bool:
        """Whether the theorem is about this run."""
        return self.reason is None

    def __str__(self) -> str:
        parts = self.paragraphs()
        return "\n\n".join(fill(part, 88) if "\n" not in part else part for part in parts)

    def paragraphs(self) -> Iterator[str]:
        """The report in sentences, and the table of the steps."""
        if self.bound is None:
            yield f"Novikoff's theorem does not apply: {self.reason}."
            return
        yield self._made()
        yield (
            f"The longest row has length R = {self.radius:.4g} and the widest margin is "
            f"γ = {self.gamma:.4g}, so (R/γ)² = {_short(self.bound)}. {self._cheap()}"
        )
        if self.steps is None:
            yield "Fit with record=True to see each mistake."
        elif self.mistakes:
            yield inequality_table(self.steps)

    def _made(self) -> str:
        if not self.mistakes:  # from zero, the first row of a run is a mistake
            return (
                "There was no run: a separator was found without plain passes. They would make at "
                f"most {allowed(self.bound)} mistakes (Novikoff's theorem)."
            )
        kept = "It holds" if self.holds else "IT DOES NOT HOLD"
        mistakes = "mistake" if self.mistakes == 1 else "mistakes"
        return (
            f"The run made {self.mistakes:,} {mistakes}; Novikoff's theorem allows at most "
            f"{allowed(self.bound)}. {kept}."
        )

    def _cheap(self) -> str:
        if self.cheap_bound is None:
            return "The returned hypothesis makes errors, so it proves no bound itself."
        bound = allowed(self.cheap_bound)
        return f"The margin of the returned hypothesis alone gives the bound {bound}."


def inequality_table(steps: Steps) -> str:
    """The two inequalities, at the first mistakes, the last, and ever fewer between."""
    head = f"{'mistake':>9}{'w·w*':>11} >= {'kηγ':<10}{'|w|²':>11} <= {'kη²R²':<11}{'angle':>6}"
    n, shown = len(steps.k), np.arange(len(steps.k))
    if n > SHOWN_STEPS:
        shown = np.unique(np.geomspace(1, n, SHOWN_STEPS).round().astype(int)) - 1
    lines = (
        f"{k:>9,}{p:>11.4g} >= {least:<10.4g}{l2:>11.4g} <= {most:<11.4g}{angle:>5.0f}°"
        for k, p, least, l2, most, angle in (tuple(a[j] for a in steps) for j in shown)
    )
    return "\n".join((head, *lines))


def _short(bound: float) -> str:
    return f"{bound:,.1f}" if bound < 1e6 else f"{bound:.4g}"


def allowed(bound: Any) -> str:
    """The whole number of mistakes that a bound allows."""
    return f"{math.floor(bound * (1 + RELATIVE_ROUNDING)):,}" if bound < 1e15 else f"{bound:.3g}"
