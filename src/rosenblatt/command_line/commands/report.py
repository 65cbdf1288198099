"""The command that answers on one page: report."""

from typing import Any

import click

from rosenblatt.command_line import terminal
from rosenblatt.command_line.group import cli
from rosenblatt.command_line.messages import language, speaker
from rosenblatt.command_line.options import DATA, common_options, table_options, to_write


@cli.command()
@DATA
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    callback=to_write(".html"),
    help="Where to write the page: .html",
)
@table_options
@common_options
def report(data: Any, lang: str, as_json: bool, output: str, **options: Any) -> None:
    """Answer on one page: are the data separable, which rows and columns prevent it, and why?

    The page needs neither a server, nor the network, nor scripts. It also tells which coefficients
    of a logistic regression are infinite, and holds the certificate.
    """
    from rosenblatt.command_line.reports import certificate_report, report_lines
    from rosenblatt.html_report.recipes import Recipe
    from rosenblatt.html_report.report import report as make_report

    say = speaker(lang)
    table = terminal.open_table(data, say, **options)
    recipe = Recipe(data, **options) if data not in (None, "-") else None
    with terminal.waiting(say("examining")):
        made = make_report(table, lang=language(lang), recipe=recipe)
    made.save(output)
    facts = certificate_report.certificate_facts(table, made.findings.certificate)
    facts["saved"] = [output]
    pairs = certificate_report.certificate_pairs(facts, say)
    terminal.tell(facts, report_lines.told_lines(facts, pairs, say), as_json)
