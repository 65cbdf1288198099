"""Novikoff's bound on the mistakes of a run."""

from rosenblatt.mistake_bound.report import MistakeBound, Steps
from rosenblatt.mistake_bound.theorem import novikoff

__all__ = ["MistakeBound", "Steps", "novikoff"]
