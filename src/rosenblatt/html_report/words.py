"""Findings in words."""

from collections.abc import Iterable
from typing import Any

from rosenblatt.html_report.phrases import Say
from rosenblatt.html_report.reasons import InfiniteCoefficient, Reason

SHOWN_NAMES = 8  # of a list in a sentence


def reason_text(reason: Reason, say: Say) -> str:
    """Such as "region = west: 6 rows, all of class dead"."""
    what = say("and").join(f"{c.column} {c.relation} {c.value}" for c in reason.conditions)
    phrase = "all_of" if reason.all_of else "none_of"
    return say(phrase, what=what, count=reason.count, label=reason.label)


def because(found: InfiniteCoefficient, say: Say) -> list[str]:
    """Why a coefficient is infinite; nothing if its sign is open, or it is not known."""
    if found.reasons:
        return [reason_text(reason, say) for reason in found.reasons]
    if not found.columns:
        return []
    phrase = "together" if len(found.columns) > 1 else "alone"
    return [say(phrase, columns=named(found.columns, say), count=found.count)]


def coefficient_name(found: InfiniteCoefficient, say: Say) -> str:
    """The name of a coefficient; with several classes, and which it belongs to."""
    name = say("intercept") if found.name == "intercept" else found.name
    return name if found.label is None else say("coefficient_of", name=name, label=found.label)


def named(names: Iterable[Any], say: Say) -> str:
    """Names in a sentence, not all of them if they are many."""
    told = [say("intercept") if name == "intercept" else str(name) for name in names]
    if len(told) <= SHOWN_NAMES:
        return say("comma").join(told)
    more = say("and_more", count=len(told) - SHOWN_NAMES)
    return say("comma").join([*told[:SHOWN_NAMES], more])
