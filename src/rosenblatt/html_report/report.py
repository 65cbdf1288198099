"""`rosenblatt.report`: a table, answered on one page."""

from dataclasses import dataclass
from html import escape
from typing import Any

from rosenblatt.atomic_write import replacing
from rosenblatt.html_report.findings import Findings, examine_table
from rosenblatt.html_report.page import page
from rosenblatt.html_report.phrases import report_speaker
from rosenblatt.html_report.recipes import Recipe
from rosenblatt.html_report.subject import subject_of
from rosenblatt.tables import Table


@dataclass(frozen=True)
class Report:
    """A table, answered on one HTML page; notebooks show it.

    Attributes
    ----------
    findings : Findings
        All that the page says, as data.
    html : str
        The page. It needs neither a server, nor the network, nor scripts.
    """

    findings: Findings
    html: str

    def save(self, path: Any) -> None:
        """Write the page to a file."""
        with replacing(path) as stream:
            stream.write(self.html.encode())

    def __str__(self) -> str:
        return str(self.findings.certificate)

    def __repr__(self) -> str:
        return f"<Report: {self}>"

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 40rem; border: 1px solid #ddd"
        return f'<iframe srcdoc="{escape(self.html)}" style="{style}" sandbox></iframe>'


def report(X: Any, y: Any = None, *, lang: str = "en", recipe: Recipe | None = None) -> Report:
    """Answer what people ask of a table with classes, on one HTML page.

    Can the classes be separated? If not, how few mistakes are possible, and which rows prevent it?
    Which coefficients of a logistic regression are infinite, and why? Which columns are constant,
    duplicate or dependent, and which rows contradictory? How did the run go, and how accurate is
    it? The certificate can be downloaded from the page.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame or table of `read`
        The rows, as `certify` takes them. Of a table, rows are named by their lines in the file.
    y : array-like of shape (n_samples,)
        Two labels or more; by default those of the table.
    lang : {"en", "zh"}
        English or Chinese.
    recipe : Recipe or None
        How the table was read, for the end of the page.

    Returns
    -------
    Report
        With ``save(path)``, ``html`` and ``findings``.

    Examples
    --------
    >>> import rosenblatt
    >>> X, y = rosenblatt.datasets.credit()
    >>> page = rosenblatt.report(X, y)
    >>> page.findings.verdict, round(page.findings.accuracy.baseline, 2)
    ('separable', 0.66)
    >>> "<h1>" in page.html
    True
    """
    report_speaker(lang)  # which refuses other languages before the work begins
    findings = examine_table(subject_of(X, y))
    if recipe is None and isinstance(X, Table):
        recipe = recipe_of(X)
    return Report(findings, page(findings, recipe or Recipe(), lang))


def recipe_of(table: Table) -> Recipe:
    """How a table was read, as far as it tells."""
    last = table.encoding.target_place == table.encoding.n_columns - 1
    return Recipe(table.told.file, -1 if last or table.target is None else table.target)
