"""The command line: parse, call the library, print.

Heavy imports wait until a command needs them, so that --help is quick.
"""

import io
import json
import sys
import traceback
from typing import Any

import click

from rosenblatt.command_line.messages import Say, language, speaker
from rosenblatt.command_line.options import (
    DATA,
    FILM,
    PICTURE,
    STREAM,
    chosen,
    common_options,
    model_options,
    scale_options,
    table_options,
    to_write,
)
from rosenblatt.command_line.terminal import (
    as_line,
    complain,
    describe,
    discard_stdout,
    draw,
    film,
    learned,
    open_rows,
    open_table,
    plotting,
    stems_from_ctrl_c,
    tell,
    trained,
    waiting,
    whole,
    write,
)

VERDICT_CODES = {"separable": 0, "touching": 1, "overlapping": 1, "undecided": 3}
PLOTS = ("boundary", "path", "margins", "bound", "passes", "dual")

# -- Commands --------------------------------------------------------------------------------------


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rosenblatt")
def cli() -> None:
    """The perceptron: separate your data, or know for certain that nothing can.

    DATA is a CSV, TSV, white space, Parquet, libsvm, .npy or .npz file, or - for standard input;
    without it, commands use embedded credit data.
    """


@cli.command()
@DATA
@table_options
@click.option("--test", metavar="FILE", help="Rows to measure accuracy on.")
@click.option("--cv", type=click.IntRange(min=2), help="Cross-validate with so many folds.")
@click.option("--save", metavar="FILE", callback=to_write(), help="Write the model here.")
@click.option("--plot", metavar="FILE", callback=PICTURE, help="Draw the boundary here.")
@scale_options
@model_options
@common_options
def fit(data: str | None, lang: str, as_json: bool, **options: Any) -> None:
    """Learn a hyperplane, and decide whether the data are separable.

    With --kernel, one in the feature space of the kernel. A table that does not fit in memory is
    read again for every pass; with --checkpoint, what was killed goes on when it is started again.
    """
    from rosenblatt.command_line import fit_report, row_sources
    from rosenblatt.model_files import file as model_file

    say, params = speaker(lang), chosen(options)
    if "kernel" not in params:
        params = {"settle": "first"} | params
    test, cv, save, plot = (options.pop(name) for name in ("test", "cv", "save", "plot"))
    if plot:
        plotting()
    scale = {name: options.pop(name) for name in ("stream", "checkpoint", "workers")}
    if plot or cv:
        if any(scale.values()):
            raise click.UsageError(say("whole"))
        scale["stream"] = False
    table, model = learned(data, say, scale, params, options)
    facts = fit_report.fit_facts(table, model)
    if test:
        held = open_rows(test, say, None, like=table.encoding, missing=options["missing"])
        facts["test"] = {"file": test, "accuracy": row_sources.accuracy(held, model)}
    if cv:
        facts["cross_validation"] = cross_validated(model, table, cv, say)
    if save:
        model_file.save(model, save, encoding=table.encoding)
    if plot:
        draw(plot, "boundary", model, table, say, language(lang))
    facts["saved"] = [path for path in (save, plot) if path]
    tell(facts, fit_report.fit_lines(facts, say), as_json)


def cross_validated(model: Any, table: Any, folds: int, say: Say) -> dict[str, Any]:
    """The accuracy on rows that were held back, fold by fold."""
    from sklearn.base import clone
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    with waiting(say("learning")):
        cut = StratifiedKFold(folds, shuffle=True, random_state=0)
        scores = cross_val_score(clone(model), table.X, table.y, cv=cut)
    return {"folds": folds, "mean": float(scores.mean()), "std": float(scores.std())}


@cli.command()
@DATA
@table_options
@click.option("--fit-intercept/--no-fit-intercept", default=True, help="Whether to allow a bias.")
@click.option("--scheme", type=click.Choice(["one-vs-rest", "one-vs-one"]), help="Several classes.")
@click.option("--save", metavar="FILE", callback=to_write(), help="Write the certificate here.")
@STREAM
@common_options
def certify(
    data: str | None,
    lang: str,
    as_json: bool,
    fit_intercept: bool,
    scheme: str | None,
    save: str | None,
    stream: bool | None,
    **options: Any,
) -> int:
    """Prove whether the data are separable, touching or overlapping.

    Exit code 0: separable; 1: touching or overlapping; 3: undecided. A table that does not fit in
    memory is read several times; --scheme needs it in memory.
    """
    from rosenblatt.command_line import certificate_report, reports, row_sources

    say = speaker(lang)
    if scheme and save:
        raise click.UsageError(say("several"))
    if scheme:
        table = open_table(data, say, **options)
        return certify_each(table, scheme, fit_intercept, as_json, say)
    table = open_rows(data, say, stream, **options)
    with waiting(say("deciding")):
        certificate = row_sources.certified(table, fit_intercept)
    facts = certificate_report.certificate_facts(table, certificate)
    if save:
        write(save, [certificate.to_json().encode()])
        facts["saved"] = [save]
    lines = [reports.data_line(facts, say)]
    lines += reports.aligned(certificate_report.certificate_pairs(facts, say))
    tell(facts | {"certificate": json.loads(certificate.to_json())}, lines, as_json)
    return VERDICT_CODES[certificate.verdict]


def certify_each(table: Any, scheme: str, fit_intercept: bool, as_json: bool, say: Say) -> int:
    """A verdict for each class, or each pair."""
    import rosenblatt
    from rosenblatt.command_line import certificate_report, reports

    with waiting(say("deciding")):
        found = rosenblatt.certify_each(table.X, table.y, scheme, fit_intercept=fit_intercept)
    verdicts = certificate_report.by_name(found)
    facts = {"data": reports.plain(table.told._asdict()), "scheme": scheme, "verdicts": verdicts}
    pairs = [(name, say(verdict, reason="?")) for name, verdict in verdicts.items()]
    tell(facts, [reports.data_line(facts, say), *reports.aligned(pairs)], as_json)
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
    data: str | None,
    lang: str,
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
    from rosenblatt.command_line import fewest_report

    say = speaker(lang)
    if plot:
        plotting()
    table = open_table(data, say, **options)
    with waiting(say("searching")):
        found = rosenblatt.fewest_mistakes(
            table.X, table.y, fit_intercept=fit_intercept, effort=effort
        )
    facts = fewest_report.fewest_facts(table, found)
    if save:
        write(save, [found.certificate().to_json().encode()])
    if plot:
        draw(plot, "boundary", fewest_report.as_model(table, found), table, say, language(lang))
    facts["saved"] = [path for path in (save, plot) if path]
    tell(facts, fewest_report.fewest_lines(facts, say), as_json)
    return 1 if found.mistakes else 0


@cli.command()
@click.argument("certificate")
@DATA
@table_options
@click.option("--independent", is_flag=True, help="Use the short, slow checker that stands alone.")
@STREAM
@common_options
def verify(
    certificate: str,
    data: str | None,
    lang: str,
    as_json: bool,
    independent: bool,
    stream: bool | None,
    **options: Any,
) -> int:
    """Check a certificate against the data, in exact arithmetic.

    Exit code 0: valid; 1: refuted. A table that does not fit in memory is read in blocks, once or a
    few times. --independent needs it in memory, and some hundred times as long.
    """
    from rosenblatt.command_line import certificate_report, row_sources
    from rosenblatt.tables.files import find

    say = speaker(lang)
    if independent and stream:
        raise click.UsageError(say("independent"))
    claim = certificate_report.claim_of(find(certificate).text())
    table = open_rows(data, say, False if independent else stream, **options)
    facts: dict[str, Any] = {"valid": True, "verdict": certificate_report.claimed(claim)}
    lines = [say("valid", verdict=certificate_report.claimed(claim, say))]
    try:
        with waiting(say("checking")):
            row_sources.verified(table, claim, independent)
    except ValueError as error:
        facts |= {"valid": False, "reason": str(error)}
        lines = [say("refuted", reason=error), say("same")]
    tell(facts, lines, as_json)
    return 0 if facts["valid"] else 1


@cli.command()
@click.argument("model")
@click.argument("data")
@click.option(
    "-o", "--output", default="-", metavar="FILE", callback=to_write(), help="Where to write."
)
@click.option("--target", help="The column of labels, if there is one, to be passed over.")
@click.option("--header/--no-header", default=None, help="Whether line 1 names columns.")
@STREAM
@common_options
def predict(
    model: str,
    data: str,
    output: str,
    lang: str,
    as_json: bool,
    stream: bool | None,
    **options: Any,
) -> None:
    """Predict labels with a saved model, as CSV: prediction and score.

    Columns are found by name, or else by position, and encoded as they were in training.
    """
    from rosenblatt.command_line import reports
    from rosenblatt.model_files import file as model_file

    say, saved = speaker(lang), model_file.unpack(model)
    table = open_rows(data, say, stream, like=saved.encoding, **options)
    columns = reports.predictions(saved.model, table)
    lines = iter([as_line(reports.joined(columns))]) if as_json else reports.as_csv(columns)
    if output != "-":
        return write(output, (text.encode() for text in lines))
    for text in lines:
        click.echo(text, nl=False)


@cli.command()
@DATA
@table_options
@click.option("--mistakes", default=20, help="How many mistakes to show.")
@click.option("--obstacles/--no-obstacles", default=True, help="Look for rows to remove (slow).")
@model_options
@common_options
def explain(
    data: str | None, lang: str, as_json: bool, mistakes: int, obstacles: bool, **options: Any
) -> None:
    """The run mistake by mistake, the bound, the conflict and the obstacles, if any.

    With --kernel, the run, the bound in the feature space, and how it ended.
    """
    import rosenblatt
    from rosenblatt.command_line import certificate_report, fit_report, reports

    say, params = speaker(lang), chosen(options)
    table = open_table(data, say, **options)
    model = trained(table, say, **params | {"record": True})
    if "kernel" in params:
        facts = fit_report.fit_facts(table, model)
        with waiting(say("deciding")):
            bound = rosenblatt.novikoff(model, table.X, table.y)
        facts |= {"log": reports.mistakes(table, model.log_, mistakes), "bound": bound.bound}
        first, *rest = fit_report.fit_lines(facts, say)
        run = [*reports.mistake_lines(facts["log"], model.n_updates_, say), ""]
        proof = [str(bound), ""] if bound.applies else []
        return tell(facts, [first, *run, *proof, *rest], as_json)
    with waiting(say("deciding")):
        certificate = rosenblatt.certify(table.X, table.y, fit_intercept=model.fit_intercept)
        facts = certificate_report.certificate_facts(table, certificate)
        bound = rosenblatt.novikoff(model, table.X, table.y)
        if obstacles and certificate.verdict != "separable":
            rows = rosenblatt.obstacles(table.X, table.y)
            facts["obstacles"] = certificate_report.places(table, rows)
    facts |= {"mistakes": model.n_updates_, "stop_reason": model.stop_reason_, "bound": bound.bound}
    facts["log"] = reports.mistakes(table, model.log_, mistakes)
    lines = [reports.data_line(facts, say)]
    lines += reports.mistake_lines(facts["log"], model.n_updates_, say)
    lines += ["", str(bound), ""] if bound.applies else [""]
    lines += reports.aligned(certificate_report.certificate_pairs(facts, say))
    tell(reports.plain(facts), lines, as_json)


@cli.command()
@DATA
@table_options
@model_options
@common_options
def bound(data: str | None, lang: str, as_json: bool, **options: Any) -> None:
    """The convergence bound, beside the mistakes that were made."""
    import rosenblatt
    from rosenblatt.command_line import reports

    say, params = speaker(lang), chosen(options)
    table = open_table(data, say, **options)
    model = trained(table, say, **params | {"record": True})
    with waiting(say("deciding")):
        found = rosenblatt.novikoff(model, table.X, table.y)
    facts = {k: getattr(found, k) for k in ("mistakes", "radius", "gamma", "bound", "holds")}
    facts |= {"reason": found.reason, "data": table.told._asdict()}
    tell(reports.plain(facts), [reports.data_line(facts, say), str(found)], as_json)


@cli.command()
@DATA
@click.option("-o", "--output", required=True, callback=PICTURE, help=".png, .svg, .pdf or .jpg")
@click.option("--kind", type=click.Choice(PLOTS), default="boundary", help="What to draw.")
@table_options
@model_options
@common_options
def plot(
    data: str | None, lang: str, as_json: bool, output: str, kind: str, **options: Any
) -> None:
    """Draw the boundary, the path, the margins, the bound, the passes or the dual form."""
    say, params = speaker(lang), chosen(options)
    plotting()
    table = open_table(data, say, **options)
    model = trained(table, say, **params | {"record": True})
    draw(output, kind, model, table, say, language(lang))
    tell({"saved": [output]}, [f"{say('saved')}  {output}"], as_json)


@cli.command()
@DATA
@click.option("-o", "--output", required=True, callback=FILM, help=".gif, .mp4 or .html")
@table_options
@model_options
@common_options
def animate(data: str | None, lang: str, as_json: bool, output: str, **options: Any) -> None:
    """The run as a film."""
    say, params = speaker(lang), chosen(options)
    plotting()
    table = open_table(data, say, **options)
    model = trained(table, say, **params | {"record": True})
    film(output, model, table, say, language(lang))
    tell({"saved": [output]}, [f"{say('saved')}  {output}"], as_json)


@cli.command()
@click.argument("link", required=False)
@click.option("--host", default="127.0.0.1", help="Where to listen; other machines need 0.0.0.0.")
@click.option("--port", type=click.IntRange(0, 65535), help="1958, or a free one, if not given.")
@click.option("--browser/--no-browser", default=True, help="Whether to open a browser.")
@common_options
def play(
    link: str | None, lang: str, as_json: bool, host: str, port: int | None, browser: bool
) -> None:
    """Watch it learn in a local web page; LINK is one that somebody shared.

    Ctrl-C ends it.
    """
    from rosenblatt.extras import need

    for module in ("starlette", "uvicorn", "contourpy"):
        need(module, "play", "the playground")
    from rosenblatt.play import server

    say = speaker(lang)
    sock = server.listen(host, port)
    door = server.open_door(host, sock)
    address = door.address + (f"#{link.partition('#')[2]}" if link else "")
    if not door.is_local:
        complain("warning", say("exposed", host=host))
    tell({"address": address}, [say("playing", address=address)], as_json)
    if browser:
        click.launch(address)
    server.serve(door, sock)


# -- The door --------------------------------------------------------------------------------------


def main(args: list[str] | None = None) -> None:
    """Run the command line; errors are one line and exit code 2."""
    args = sys.argv[1:] if args is None else args
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        sys.stdout = whole(sys.stdout)
    code = run(args)
    discard_stdout()
    sys.exit(code)


def run(args: list[str]) -> int:
    """Run a command; the exit code."""
    try:
        return cli.main(args, prog_name="rosenblatt", standalone_mode=False) or 0
    except KeyboardInterrupt:
        return interrupted()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.ClickException as error:
        complain("error", error.format_message())
    except Exception as error:
        if stems_from_ctrl_c(error):
            return interrupted()
        if isinstance(error, click.Abort):  # click takes the end of a file for Ctrl-D
            error = EOFError(str(error.__cause__))
        if "--debug" in args:
            traceback.print_exc()
        complain("error", describe(error))
    return 2


def interrupted() -> int:
    complain("interrupted", "")
    return 130
