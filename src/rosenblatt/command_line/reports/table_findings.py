"""What `certify` and `explain` tell of a table besides its verdict: infinite coefficients with the
rows behind them, columns that add nothing, and rows that contradict each other."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.reports.report_lines import Facts
from rosenblatt.html_report.columns import contradictory_rows, examine_columns
from rosenblatt.html_report.phrases import Say, report_speaker
from rosenblatt.html_report.reasons import examine_coefficients
from rosenblatt.html_report.subject import subject_of
from rosenblatt.html_report.words import (
    because,
    coefficient_name,
    contradiction_texts,
    contradictory,
    enumerated,
    odd_columns,
)
from rosenblatt.play.json_text import json_value
from rosenblatt.tables import Table

EXAMINED_NUMBERS = 4e6  # in a table examined beside its verdict; `report` examines larger ones
SHOWN_COEFFICIENTS = 10
SHOWN_GROUPS = 4  # of contradictory rows


class TableFindings:
    """Coefficients, columns and rows of a table in memory."""

    def __init__(self, table: Table, certificate: Any) -> None:
        self.subject, self.verdict = subject_of(table), certificate.verdict
        self.coefficients = examine_coefficients(self.subject, certificate)
        self.columns = examine_columns(self.subject)
        self.contradictions = contradictory_rows(self.subject) or []

    def facts(self) -> Facts:
        """All of it, for machines."""
        return json_value(
            {
                "infinite_coefficients": [asdict(c) for c in self.coefficients.infinite],
                "reference_levels": self.coefficients.references,
                "columns": self.columns._asdict(),
                "contradictions": [
                    {"numbers": self.subject.numbers(group.rows), "labels": group.labels}
                    for group in self.contradictions
                ],
            }
        )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """All of it, for people."""
        tell = report_speaker(language())
        yield from named_once(say("infinite"), list(self._coefficients(tell)))
        yield from named_once(say("columns"), list(odd_columns(self.columns, tell)))
        if groups := self.contradictions:
            some = contradiction_texts(groups, self.subject, tell, SHOWN_GROUPS)
            yield from named_once(say("contradictory"), [contradictory(groups, tell), *some])

    def _coefficients(self, tell: Say) -> Iterator[str]:
        found = self.coefficients
        if self.verdict in ("separable", "overlapping"):
            yield tell("all_infinite" if self.verdict == "separable" else "all_finite")
        known = [c for c in found.infinite if c.direction != "either"]
        for each in known[:SHOWN_COEFFICIENTS]:
            why = tell("semicolon").join(because(each, tell))
            told = f"{coefficient_name(each, tell)} → {tell(each.direction)}"
            yield tell("why", what=told, why=why) if why else told
        if len(known) > SHOWN_COEFFICIENTS:
            yield tell("and_more", count=len(known) - SHOWN_COEFFICIENTS)
        if either := [coefficient_name(c, tell) for c in found.infinite if c.direction == "either"]:
            yield tell("either", count=len(either), names=enumerated(either, tell))
        if found.references and found.infinite:
            levels = [f"{column} = {level}" for column, level in found.references.items()]
            yield tell("reference_coding", levels=enumerated(levels, tell))


def named_once(name: str, lines: list[str]) -> Iterator[tuple[str, str]]:
    """Lines beside a name, which stands at the first."""
    for k, line in enumerate(lines):
        yield "" if k else name, line


def findings_of(table: Any, certificate: Any) -> TableFindings | None:
    """What there is to tell; nothing of kernels, of blocks of rows and of large tables."""
    told = isinstance(table, Table) and not certificate.kernel
    if not told or certificate.verdict == "undecided" or table.X.size > EXAMINED_NUMBERS:
        return None
    return TableFindings(table, certificate)
