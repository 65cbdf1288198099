"""Commands that prove, check and answer: certify, fewest, verify and report."""

import json
from typing import Any

import click

from rosenblatt.command_line import terminal
from rosenblatt.command_line.group import cli
from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.options import (
    DATA,
    PICTURE,
    STREAM,
    common_options,
    table_options,
    to_write,
)

VERDICT_CODES = {"separable": 0, "touching": 1, "overlapping": 1, "undecided": 3}


@cli.command()
@DATA
@table_options
@click.option("--fit-intercept/--no-fit-intercept", default=True, help="Whether to allow a bias.")
@click.option(
    "--scheme",
    type=click.Choice(["one-vs-rest", "one-vs-one"]),
    help="How to split several classes.",
)
@click.option(
    "--kernel",
    type=click.Choice(["linear", "poly", "rbf", "laplacian"]),
    help="Decide whether some function of this kernel separates, for any gamma.",
)
@click.option("--degree", default=3, help="Degree of the kernel poly.")
@click.option(
    "--coef0",
    default=1.0,
    help="Constant term of the kernel poly; with 0, only the top degree remains.",
)
@click.option("--save", metavar="FILE", callback=to_write(), help="Write the certificate here.")
@STREAM
@common_options
def certify(
    data: Any,
    as_json: bool,
    fit_intercept: bool,
    scheme: str | None,
    kernel: str | None,
    degree: int,
    coef0: float,
    save: str | None,
    stream: bool | None,
    **options: Any,
) -> int:
    """Prove whether the data are separable, touching or overlapping.

    Exit code 0: separable; 1: touching or overlapping; 3: undecided. A table that does not fit in
    memory is read several times; --scheme and --kernel need it in memory.
    """
    from rosenblatt.command_line import row_sources
    from rosenblatt.command_line.reports import certificate_report, report_lines

    if scheme and save:
        raise click.UsageError(say("several"))
    if kernel and (scheme or stream):
        raise click.UsageError(say("kernel_alone"))
    if scheme:
        table = row_sources.open_table(data, **options)
        return certify_each(table, scheme, fit_intercept, as_json)
    table = row_sources.open_rows(data, False if kernel else stream, **options)
    space = {"kernel": kernel, "degree": degree, "coef0": coef0} if kernel else {}
    with terminal.waiting(say("deciding")):
        certificate = row_sources.certified(table, fit_intercept=fit_intercept, **space)
        found, beside = certificate_report.findings_of(table, certificate)
    facts = certificate_report.certificate_facts(table, certificate) | found
    if save:
        terminal.write(save, [certificate.to_json().encode()])
        facts["saved"] = [save]
    pairs = [*certificate_report.certificate_pairs(facts), *beside]
    lines = report_lines.told_lines(facts, pairs)
    terminal.tell(facts | {"certificate": json.loads(certificate.to_json())}, lines, as_json)
    return VERDICT_CODES[certificate.verdict]


def certify_each(table: Any, scheme: str, fit_intercept: bool, as_json: bool) -> int:
    """A verdict for each class, or each pair."""
    import rosenblatt
    from rosenblatt.command_line.reports import certificate_report, report_lines

    with terminal.waiting(say("deciding")):
        jointly = rosenblatt.certify(table, fit_intercept=fit_intercept)
        found = rosenblatt.certify_each(table, scheme=scheme, fit_intercept=fit_intercept)
    verdicts = certificate_report.by_name(found)
    facts = certificate_report.certificate_facts(table, jointly)
    facts |= {"scheme": scheme, "verdicts": verdicts}
    pairs = [(say("jointly"), certificate_report.verdict_text(facts))]
    for name, each in zip(verdicts, found.values(), strict=True):
        pairs += [(name, say(each.verdict, reason=terminal.in_our_words(each.reason)))]
    terminal.tell(facts, report_lines.told_lines(facts, pairs), as_json)
    return max(VERDICT_CODES[verdict] for verdict in verdicts.values())


@cli.command()
@DATA
@table_options
@click.option("--fit-intercept/--no-fit-intercept", default=True, help="Whether to allow a bias.")
@click.option("--effort", default=1.0, help="How much work to do; 1 is about half a minute.")
@click.option("--save", metavar="FILE", callback=to_write(), help="Write the certificate here.")
@click.option("--plot", metavar="FILE", callback=PICTURE, help="Draw the hyperplane here.")
@common_options
def fewest(
    data: Any,
    as_json: bool,
    fit_intercept: bool,
    effort: float,
    save: str | None,
    plot: str | None,
    **options: Any,
) -> int:
    """Find a hyperplane with few mistakes, and prove how few there can be.

    The rows that it gets wrong are listed with their values: their labels may be wrong. Exit code
    0: there are none; 1: there are some.
    """
    import rosenblatt
    from rosenblatt.command_line import row_sources
    from rosenblatt.command_line.reports import fewest_report

    if plot:
        terminal.plotting()
    table = row_sources.open_table(data, **options)
    with terminal.waiting(say("searching")):
        found = rosenblatt.fewest_mistakes(
            table.X, table.y, fit_intercept=fit_intercept, effort=effort
        )
    facts = fewest_report.bracket_facts(table, found)
    if save:
        terminal.write(save, [found.certificate().to_json().encode()])
    if plot:
        terminal.draw_picture(plot, "boundary", fewest_report.as_model(table, found), table)
    facts["saved"] = [path for path in (save, plot) if path]
    terminal.tell(facts, fewest_report.fewest_lines(facts), as_json)
    return 1 if found.mistakes else 0


@cli.command()
@click.argument("certificate")
@DATA
@table_options
@click.option("--independent", is_flag=True, help="Use the short, slow, independent checker.")
@STREAM
@common_options
def verify(
    certificate: str,
    data: Any,
    as_json: bool,
    independent: bool,
    stream: bool | None,
    **options: Any,
) -> int:
    """Check a certificate against the data, in exact arithmetic.

    Exit code 0: valid; 1: refuted. A table that does not fit in memory is read in blocks, once or a
    few times. --independent needs it in memory, and
    takes a few hundred times as long.
    """
    from rosenblatt.command_line import row_sources
    from rosenblatt.command_line.reports import certificate_report
    from rosenblatt.tables.files import find

    if independent and stream:
        raise click.UsageError(say("independent"))
    claim = certificate_report.claim_of(find(certificate))
    table = row_sources.open_rows(data, False if independent else stream, **options)
    facts = {"valid": True, "verdict": getattr(claim, "verdict", "fewest mistakes")}
    lines = [say("valid", verdict=certificate_report.claimed(claim))]
    try:
        with terminal.waiting(say("checking")):
            row_sources.verified(table, claim, independent)
    except ValueError as error:
        facts |= {"valid": False, "reason": str(error)}
        reason = str(error).removeprefix("certificate refuted: ")
        lines = [say("refuted", reason=terminal.in_our_words(reason)), say("same")]
    terminal.tell(facts, lines, as_json)
    return 0 if facts["valid"] else 1


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
def report(data: Any, as_json: bool, output: str, **options: Any) -> None:
    """Answer on one page: are the data separable, which rows and columns prevent it, and why?

    The page needs neither a server, nor the network, nor scripts. It also tells which coefficients
    of a logistic regression are infinite, and holds the certificate.
    """
    from rosenblatt.command_line import row_sources
    from rosenblatt.command_line.reports import certificate_report, report_lines
    from rosenblatt.html_report.recipes import Recipe
    from rosenblatt.html_report.report import report as make_report

    table = row_sources.open_table(data, **options)
    recipe = Recipe(data, **options) if data not in (None, "-") else None
    with terminal.waiting(say("examining")):
        made = make_report(table, lang=language(), recipe=recipe)
    made.save(output)
    facts = certificate_report.certificate_facts(table, made.findings.certificate)
    facts["saved"] = [output]
    pairs = certificate_report.certificate_pairs(facts)
    terminal.tell(facts, report_lines.told_lines(facts, pairs), as_json)
