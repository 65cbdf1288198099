"""Commands that learn and tell: fit, predict, explain and bound."""

from typing import Any

import click

from rosenblatt.command_line import terminal
from rosenblatt.command_line.file_roles import reads
from rosenblatt.command_line.group import cli
from rosenblatt.command_line.messages import say
from rosenblatt.command_line.options import (
    DATA,
    DECIMAL,
    HEADER,
    PICTURE,
    REQUIRED_DATA,
    STREAM,
    chosen,
    common_options,
    model_options,
    scale_options,
    table_options,
    to_write,
)


@cli.command()
@DATA
@table_options
@click.option("--test", metavar="FILE", callback=reads, help="Rows to measure accuracy on.")
@click.option("--cv", type=click.IntRange(min=2), help="Cross-validate with this number of folds.")
@click.option("--save", metavar="FILE", callback=to_write(), help="Write the model here.")
@click.option("--plot", metavar="FILE", callback=PICTURE, help="Draw the boundary here.")
@scale_options
@model_options
@common_options
def fit(data: Any, as_json: bool, **options: Any) -> None:
    """Learn a hyperplane, and decide whether the data are separable.

    With --kernel, in the feature space of the kernel. A table that does not fit in memory is read
    again for every pass; with --checkpoint, an interrupted run continues when it is started
    again.
    """
    from rosenblatt.command_line import row_sources
    from rosenblatt.command_line.reports import fit_report
    from rosenblatt.model_files import file as model_file

    params = chosen(options)
    test, cv, save, plot = (options.pop(name) for name in ("test", "cv", "save", "plot"))
    if plot:
        terminal.plotting()
    scale = {name: options.pop(name) for name in ("stream", "checkpoint", "workers")}
    if plot or cv:
        if any(scale.values()):
            raise click.UsageError(say("whole"))
        scale["stream"] = False
    table, model = row_sources.learned(data, scale, params, options)
    facts = fit_report.fit_facts(table, model)
    if test:
        how = {name: options[name] for name in ("missing", "decimal")}
        held = row_sources.open_rows(test, None, like=table.encoding, **how)
        facts["test"] = {"file": test, "accuracy": row_sources.accuracy(held, model)}
    if cv:
        facts["cross_validation"] = row_sources.cross_validated(table, model, cv)
    if save:
        model_file.save(model, save, encoding=table.encoding)
    if plot:
        terminal.draw_picture(plot, "boundary", model, table)
    facts["saved"] = [path for path in (save, plot) if path]
    terminal.tell(facts, fit_report.fit_lines(facts), as_json)


@cli.command()
@click.argument("model", callback=reads)
@REQUIRED_DATA
@click.option(
    "-o", "--output", default="-", metavar="FILE", callback=to_write(), help="Where to write."
)
@click.option("--target", help="The column of labels, if there is one, to be ignored.")
@click.option(
    "--missing",
    type=click.Choice(["refuse", "drop"]),
    default="refuse",
    help="With drop, rows with missing values have empty predictions.",
)
@HEADER
@DECIMAL
@STREAM
@common_options
def predict(
    model: str,
    data: Any,
    output: str,
    as_json: bool,
    stream: bool | None,
    missing: str,
    **options: Any,
) -> None:
    """Predict labels with a saved model, as CSV: prediction and score.

    Columns are found by name, or else by position, and encoded as they were in training.
    """
    from rosenblatt.command_line.reports.report_lines import as_csv, joined_columns
    from rosenblatt.command_line.row_sources import open_rows, predictions
    from rosenblatt.model_files import file as model_file

    saved = model_file.unpack(model)
    if missing == "drop":
        if stream:
            raise click.UsageError(say("drop"))
        stream = False
    table = open_rows(data, stream, like=saved.encoding, missing=missing, **options)
    if table.told.dropped:
        terminal.complain("warning", say("unpredicted", count=table.told.dropped))
    columns = predictions(saved.model, table)
    lines = [terminal.as_line(joined_columns(columns))] if as_json else as_csv(columns)
    if output != "-":
        terminal.write(output, (text.encode() for text in lines))
        return click.echo(f"{say('saved')}  {output}", err=True)
    for text in lines:
        click.echo(text, nl=False)


@cli.command()
@DATA
@table_options
@click.option(
    "--mistakes", type=click.IntRange(min=0), default=20, help="How many updates to show."
)
@click.option("--obstacles/--no-obstacles", default=True, help="Look for rows to remove (slow).")
@model_options
@common_options
def explain(data: Any, as_json: bool, mistakes: int, obstacles: bool, **options: Any) -> None:
    """Show every update, the bound and the conflict.

    Obstacles are rows without which the others can be separated. With --kernel, the run, the bound
    in the feature space, and how it ended.
    """
    import rosenblatt
    from rosenblatt.command_line import row_sources
    from rosenblatt.command_line.reports import certificate_report, fit_report, report_lines
    from rosenblatt.play.json_text import json_value

    params = chosen(options)
    table = row_sources.open_table(data, **options)
    model = row_sources.trained(table, **params | {"record": True})
    if "kernel" in params:
        facts = fit_report.fit_facts(table, model)
        with terminal.waiting(say("deciding")):
            bound = rosenblatt.novikoff(model, table.X, table.y)
        facts |= {"log": report_lines.mistakes(table, model.log_, mistakes), "bound": bound.bound}
        first, *rest = fit_report.fit_lines(facts)
        run = [*report_lines.mistake_lines(facts["log"], model.n_updates_), ""]
        proof = [*report_lines.bound_lines(bound), ""] if bound.applies else []
        return terminal.tell(facts, [first, *run, *proof, *rest], as_json)
    with terminal.waiting(say("deciding")):
        certificate = rosenblatt.certify(table, fit_intercept=model.fit_intercept)
        found, beside = certificate_report.findings_of(table, certificate)
        facts = certificate_report.certificate_facts(table, certificate) | found
        bound = rosenblatt.novikoff(model, table.X, table.y)
        if obstacles and certificate.verdict != "separable" and len(certificate.classes) == 2:
            how = {"fit_intercept": model.fit_intercept}
            best = rosenblatt.fewest_mistakes(table.X, table.y, **how)
            facts["obstacles"] = report_lines.places(table, best.rows)
            facts["fewest"] = {"mistakes": best.mistakes, "least": best.at_least}
    facts |= {"mistakes": model.n_updates_, "stop_reason": model.stop_reason_, "bound": bound.bound}
    facts["log"] = report_lines.mistakes(table, model.log_, mistakes)
    verdict, *others = certificate_report.certificate_pairs(facts)
    lines = [report_lines.data_line(facts), *report_lines.aligned([verdict]), ""]
    if model.n_updates_ or not bound.applies:
        lines += [*report_lines.mistake_lines(facts["log"], model.n_updates_), ""]
    lines += [*report_lines.bound_lines(bound), ""] if bound.applies else []
    lines += report_lines.aligned([*others, *beside])
    terminal.tell(json_value(facts), lines, as_json)


@cli.command()
@DATA
@table_options
@model_options
@common_options
def bound(data: Any, as_json: bool, **options: Any) -> None:
    """Compare the number of updates with the convergence bound."""
    import rosenblatt
    from rosenblatt.command_line import row_sources
    from rosenblatt.command_line.reports import report_lines
    from rosenblatt.play.json_text import json_value

    params = chosen(options)
    table = row_sources.open_table(data, **options)
    model = row_sources.trained(table, **params | {"record": True})
    with terminal.waiting(say("deciding")):
        found = rosenblatt.novikoff(model, table.X, table.y)
    facts = {k: getattr(found, k) for k in ("mistakes", "radius", "gamma", "bound", "holds")}
    facts |= {"reason": found.reason, "data": table.told._asdict()}
    lines = [report_lines.data_line(facts), *report_lines.bound_lines(found)]
    terminal.tell(json_value(facts), lines, as_json)
