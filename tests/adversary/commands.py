"""The command line in this process: exit codes, one object of JSON, the verdicts of Python."""

import contextlib
import csv
import io
import json
import runpy
import tempfile
from pathlib import Path
from unittest.mock import patch

import numpy as np

import rosenblatt
from adversary import judge
from rosenblatt import KernelPerceptron, Perceptron, checker
from rosenblatt.cli import run

CODES = {"separable": 0, "touching": 1, "overlapping": 1, "undecided": 3}


def check_commands(X, y, rng):
    """What is false about a few commands on a table."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "t.csv")
        lines = [",".join([*map(repr, x), "abcd"[c]]) for x, c in zip(X.tolist(), y, strict=True)]
        table.write_text("\n".join(lines) + "\n")
        command = (certify, fit, bound, check_alone)[rng.integers(4)]
        return [f"{command.__name__}: {told}" for told in command(table, X, y, rng)]


def ran(*args):
    """The exit code, the object of JSON, and what was said beside it."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([*map(str, args), "--no-header", "--json", "--lang", "en"])
    told = json.loads(out.getvalue()) if code in (0, 1, 3) else None
    return code, told, err.getvalue()


def certify(table, X, y, rng):
    """The verdict of the command, and of the certificate that it saves."""
    bias, proof = bool(rng.random() < 0.7), table.with_name("proof.json")
    streamed = ["--stream"] if rng.random() < 0.3 else []
    flag = "--fit-intercept" if bias else "--no-fit-intercept"
    code, facts, err = ran("certify", table, "--save", proof, flag, *streamed)
    truth = judge.verdict_of(X, y, bias)
    if streamed and "floating point; scale the features" in err:
        return []
    if code not in (0, 1, 3) or facts["verdict"] not in (truth, "undecided"):
        return [f"code {code}, {facts and facts['verdict']}, and it is {truth}: {err}"]
    if code != CODES[facts["verdict"]]:
        return [f"exit code {code} of {facts['verdict']}"]
    if code == 3:
        return []
    independent = ["--independent"] if rng.random() < 0.3 else []
    again = ran("verify", proof, table, *independent)
    return [] if again[0] == 0 and again[1]["valid"] else [f"verify says {again}"]


def options(rng):
    """Parameters of fit, and the options that say the same."""
    choices = {
        "rule": ["rosenblatt", "pa1"],
        "keep": ["pocket", "best", "last", "average", "vote"],
        "settle": ["auto", "first", "after", "never"],
        "order": ["sweep", "random", "active"],
        "max_iter": [1, 20],
        "boundary": ["mistake", 1, -1],
        "multi_class": ["direct", "ovr"],
        "batch_size": [1, 2, "all"],
    }
    p = {name: values[rng.integers(len(values))] for name, values in choices.items()}
    if rng.random() < 0.3:
        p |= {"kernel": "poly", "degree": 2}
    return p, [part for name, v in p.items() for part in (f"--{name.replace('_', '-')}", v)]


def fit(table, X, y, rng):
    """The same model as in Python, or the same refusal."""
    p, args = options(rng)
    code, facts, err = ran("fit", table, *args)
    try:
        with np.errstate(all="ignore"):
            model = (KernelPerceptron if "kernel" in p else Perceptron)(**p).fit(X, y)
    except ValueError as error:
        return [] if code == 2 else [f"code {code} where Python says {error}: {p}"]
    if code != 0:
        return [f"code {code}: {err} of {p}"]
    same = facts["converged"] == model.converged_ and facts["stop_reason"] == model.stop_reason_
    return [] if same else [f"{facts['stop_reason']} is {model.stop_reason_} in Python: {p}"]


def bound(table, X, y, rng):
    """The bound holds, or it is refused for the reason that there is none."""
    code, facts, err = ran("bound", table, "--max-iter", 100)
    if code == 2:
        return [] if "error: " in err and err.count("\n") == 1 else [f"it says {err!r}"]
    return [] if code in (0, 1) else [f"code {code}: {facts}"]


# Labels that a CSV file must quote, or that a reader might take for others.
ODD_LABELS = ('a"b', "x,y", " z", "é", "1", "01", "1.0", "", "\ufeff", "p\rq", "x\x0by", "#")


def check_alone(table, X, y, rng):
    """The checker by itself accepts what certify says of a file, and nothing about another one."""
    odd = rng.choice(len(ODD_LABELS), int(y.max()) + 1, replace=False)
    labels = [ODD_LABELS[odd[c]] for c in y]
    found = rosenblatt.certify(X, labels)
    if found.verdict == "undecided":
        return []
    proof = table.with_name("proof.json")
    proof.write_text(found.to_json(), "utf-8")
    said = [] if told_alone(proof, table, X, labels) == "valid\n" else ["a proof is refused"]
    swapped = [*labels[1:], labels[0]]
    if swapped != labels and told_alone(proof, table, X, swapped) == "valid\n":
        said.append("a proof is accepted for other labels")
    return [f"{each}, labels {labels}" for each in said]


def told_alone(proof, table, X, labels):
    """What the checker prints about a file with these rows and labels; None if it refuses it."""
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([*x, label] for x, label in zip(X.tolist(), labels, strict=True))
    out = io.StringIO()
    with patch("sys.argv", ["checker", str(proof), str(table)]), contextlib.redirect_stdout(out):
        try:
            runpy.run_path(checker.__file__, run_name="__main__")
        except SystemExit:
            return None
    return out.getvalue()
