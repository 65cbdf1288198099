"""The command line: text, JSON, files and exit codes, from the installed command."""

import csv
import errno
import importlib.util
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest

import rosenblatt
from rosenblatt import KernelPerceptron, Perceptron, datasets
from rosenblatt.cli import cli, main
from rosenblatt.command_line.messages import PHRASES, choose_language, language, say
from rosenblatt.command_line.options import KERNEL, LINEAR

COMMAND = shutil.which("rosenblatt", path=str(Path(sys.executable).parent)) or "rosenblatt"
FRUIT = "weight,colour,kind\n5,red,cherry\n6,red,cherry\n150,green,apple\n160,red,apple\n"


def installed(*args, stdin=b"", **environment):
    """Run the installed command."""
    return subprocess.run(
        [COMMAND, *map(str, args)],
        input=stdin,
        capture_output=True,
        env=os.environ | {"LC_ALL": "C.UTF-8"} | environment,
    )


@pytest.fixture
def run(capfd, monkeypatch):
    """Run the command in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def ran(*args):
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        return ended.value.code, *capfd.readouterr()

    return ran


@pytest.fixture
def fruit(tmp_path):
    path = tmp_path / "fruit.csv"
    path.write_text(FRUIT)
    return path


@pytest.fixture
def xor(tmp_path):
    path = tmp_path / "xor.csv"
    path.write_text("0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n")
    return path


# -- the installed command -------------------------------------------------------------------------


def test_the_first_command_of_the_readme_ends_with_a_verdict():
    ran = installed("fit")
    assert ran.returncode == 0, ran.stderr
    text = ran.stdout.decode()
    assert text.startswith("the embedded credit data: 200 rows, 3 features; target 'approved'\n")
    assert re.search(r"^verdict +separable", text, re.MULTILINE)
    assert re.search(r"^accuracy +training 100.00%", text, re.MULTILINE)
    assert re.search(r"^  income +\+", text, re.MULTILINE)
    assert b"\x1b" not in ran.stdout


def test_a_course_exercise_on_standard_input():
    ran = installed("fit", "-", "--json", stdin=b"1 2 0 1 1\n0 1 1 0 -1\n2 2 0 1 1\n0 0 1 1 -1\n")
    facts = json.loads(ran.stdout)
    assert (ran.returncode, facts["rows"], facts["features"]) == (0, 4, 4)
    assert (facts["verdict"], facts["training_accuracy"]) == ("separable", 1)
    assert ran.stdout.count(b"\n") == 1
    told = installed("certify", "-", "--lang", "zh", stdin=b"1 1\n2 0\n").stdout.decode()
    assert told.startswith("标准输入：2 行")


def test_an_interrupt_ends_with_130_and_leaves_nothing(tmp_path):
    process = subprocess.Popen(
        [COMMAND, "fit", "-", "--save", tmp_path / "model"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b"1 2 1\n")
    process.stdin.flush()
    wait_for_reading(process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said
    assert os.listdir(tmp_path) == []


def wait_for_reading(process):
    """Until the command waits for more input: its own modules are loaded by then."""
    import time

    for _ in range(600):
        maps = Path(f"/proc/{process.pid}/maps")
        if not maps.exists():
            time.sleep(3)
            return
        if "llvmlite" in maps.read_text():
            time.sleep(1)
            return
        time.sleep(0.05)


def test_help_is_quick_because_nothing_heavy_is_loaded():
    code = "import sys, rosenblatt.cli; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = set(ran.stdout.decode().split())
    assert not loaded & {"numpy", "scipy", "numba", "sklearn", "pyarrow", "rich"}
    assert b"Commands:" in installed("--help").stdout


def test_chinese_by_option_and_by_locale(fruit):
    by_locale = installed("fit", fruit, LC_ALL="zh_CN.UTF-8").stdout.decode()
    assert installed("fit", fruit, "--lang", "zh").stdout.decode() == by_locale
    assert "结论" in by_locale
    assert "线性可分" in by_locale
    assert "目标列“kind”" in by_locale


# -- fit -------------------------------------------------------------------------------------------


def test_fit_tells_everything_in_json(run, fruit):
    code, out, _ = run("fit", fruit, "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["data"]["encoded"] == ["colour"]
    assert facts["classes"] == ["apple", "cherry"]
    assert set(facts["weights"]) == {"weight", "colour=red", "colour=green"}
    sizes = [abs(w) for w in facts["weights"].values()]
    assert sizes == sorted(sizes, reverse=True)
    assert facts["mistake_bound"] > 0
    assert facts["settled"] is False  # so small a table is separated by plain passes
    assert facts["mistake_bounds"] == [0, 0]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "1 of 4 rows; at least 1 with any hyperplane"),
        ("zh", "4 行中的 1 行；任何超平面至少 1 行"),
    ],
)
def test_fit_tells_how_few_mistakes_there_can_be(run, tmp_path, lang, said):
    path = tmp_path / "xor.csv"
    path.write_text("0,0,1\n1,1,1\n0,1,0\n1,0,0\n")
    code, out, _ = run("fit", str(path), "--lang", lang)
    assert code == 0
    assert said in out


def test_explain_tells_how_few_mistakes_there_can_be(run, tmp_path):
    path = tmp_path / "xor.csv"
    path.write_text("0,0,1\n1,1,1\n0,1,0\n1,0,0\n")
    code, out, _ = run("explain", str(path))
    assert code == 0
    assert "fewest     1 wrong, and no hyperplane gets fewer than 1 wrong" in out
    facts = json.loads(run("explain", str(path), "--json")[1])
    assert facts["fewest"] == {"mistakes": 1, "least": 1}


def test_fit_has_an_option_for_every_parameter():
    parameters = set(inspect.signature(Perceptron).parameters)
    assert set(LINEAR) == parameters - {"warm_start", "record"}
    of_kernels = set(inspect.signature(KernelPerceptron).parameters)
    assert set(KERNEL) == of_kernels - {"record", "kernel_params"}


def test_options_reach_the_perceptron(run, tmp_path):
    path = tmp_path / "t.dat"
    np.savetxt(path, np.column_stack(datasets.textbook()))
    options = "--no-shuffle --settle never --keep last --boundary -1 --batch-size 1 --eta0 2"
    code, out, _ = run("fit", path, "--json", *options.split())
    model = Perceptron(shuffle=False, settle="never", keep="last", boundary=-1, eta0=2)
    model.fit(*datasets.textbook())
    facts = json.loads(out)
    assert code == 0
    assert [facts["weights"]["x1"], facts["weights"]["x2"]] == model.coef_[0].tolist()
    assert facts["mistakes"] == model.n_updates_


@pytest.mark.parametrize("value", ["balanced", "apple=2,cherry=1"])
def test_class_weights(run, fruit, value):
    assert run("fit", fruit, "--class-weight", value)[0] == 0


def test_several_classes(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("".join(f"{x},{y},{x + 3 * y}\n" for x in (0, 1) for y in (0, 1)))
    for form in ("direct", "ovr"):
        code, out, _ = run("fit", path, "--multi-class", form)
        assert code == 0
        for label in (0, 1, 3, 4):
            assert f"class {label}" in out
    assert json.loads(run("fit", path, "--json")[1])["verdict"] == "separable"
    assert len(json.loads(run("fit", path, "--json", "--multi-class", "ovr")[1])["verdict"]) == 4


def test_scores_of_several_classes_are_told_by_name(run, tmp_path):
    path, model = tmp_path / "t.csv", tmp_path / "m"
    path.write_text("0,0,a\n9,0,b\n0,9,c\n")
    assert run("fit", path, "--save", model)[0] == 0
    out = run("predict", model, path)[1]
    assert out.splitlines()[0] == "prediction,score=a,score=b,score=c"
    assert [line[0] for line in out.splitlines()[1:]] == ["a", "b", "c"]


def test_of_many_weights_some_are_shown(run, tmp_path):
    np.savetxt(tmp_path / "t.dat", np.column_stack((np.eye(25), [0, 1] * 12 + [0])), fmt="%g")
    out = run("fit", tmp_path / "t.dat", "--lang", "en")[1]
    assert len(re.findall(r"^  x\d+ ", out, re.MULTILINE)) == 20
    assert "5 more (--json shows all)" in out


def test_accuracy_on_other_rows_and_by_folds(run, tmp_path, fruit):
    other = tmp_path / "other.csv"
    other.write_text("colour,weight,kind\nred,4,cherry\nred,170,cherry\n")
    X, y = datasets.clouds(60, 2, 0.5)
    many = tmp_path / "many.dat"
    np.savetxt(many, np.column_stack((X, y)))
    facts = json.loads(run("fit", fruit, "--test", other, "--json")[1])
    assert facts["test"] == {"file": str(other), "accuracy": 0.5}
    facts = json.loads(run("fit", many, "--cv", 3, "--json")[1])
    assert facts["cross_validation"]["mean"] > 0.8
    assert "cross-validated" in run("fit", many, "--cv", 3)[1]
    single = tmp_path / "single.csv"
    single.write_text("1,2,p\n2,1,p\n3,3,p\n4,1,q\n")
    one_line(run("fit", single, "--cv", 2), "--cv needs two rows of each class")


def test_rows_that_cannot_be_separated(run, xor):
    code, out, err = run("fit", xor)
    assert (code, err) == (0, "")
    assert re.search(r"^verdict +not separable, which is proved", out, re.MULTILINE)


# -- kernels ---------------------------------------------------------------------------------------


def test_fit_with_a_kernel(run, xor):
    code, out, err = run("fit", xor, "--kernel", "poly", "--degree", 2, "--gamma", 1)
    assert (code, err) == (0, "")
    names = [line.split()[0] for line in out.splitlines()[1:]]
    assert names == ["verdict", "updates", "kernel", "support", "margin", "accuracy"]
    assert re.search(r"^verdict +separable: in the feature space", out, re.MULTILINE)
    assert re.search(r"^kernel +poly, gamma 1, degree 2, coef0 1$", out, re.MULTILINE)
    assert re.search(r"^support +4 of the rows \(no: 2, yes: 2\)$", out, re.MULTILINE)
    assert "核函数" in run("fit", xor, "--kernel", "rbf", "--lang", "zh")[1]


def test_options_reach_the_kernel(run, xor):
    options = "--kernel sigmoid --gamma auto --coef0 0.5 --budget 3 --forget project --keep last"
    code, out, _ = run("fit", xor, "--json", "--max-iter", 4, "--cache-size", 1, *options.split())
    facts = json.loads(out)
    assert code == 0
    assert facts["kernel"] == {"name": "sigmoid", "gamma": 0.5, "coef0": 0.5}
    assert facts["support_vectors"] == sum(facts["support_by_class"].values()) <= 3
    assert (facts["verdict"], facts["stop_reason"]) == ("open", "max_iter")
    assert facts["margin_bounds"] is facts["radius"] is None
    assert not {"weights", "intercept", "settled"} & set(facts)


def test_a_kernel_of_several_classes(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("".join(f"{x},{y},{(x + y) % 3}\n" for x in range(3) for y in range(3)))
    for form in ("ovr", "direct"):
        code, out, _ = run("fit", path, "--kernel", "rbf", "--multi-class", form)
        assert code == 0
        assert "training 100.00%" in out
        assert out.count("separable: in the feature space") == (3 if form == "ovr" else 1)


def test_from_a_kernel_to_predictions_and_pictures(run, xor, tmp_path):
    pytest.importorskip("matplotlib")
    model, picture = tmp_path / "m", tmp_path / "p.png"
    code, out, _ = run("fit", xor, "--kernel", "rbf", "--save", model, "--plot", picture)
    assert (code, out.count("saved")) == (0, 2)
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, out, _ = run("predict", model, xor)
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["no", "yes", "yes", "no"]
    assert run("plot", xor, "--kernel", "laplacian", "-o", picture)[0] == 0


def test_explain_with_a_kernel(run, xor, tmp_path):
    code, out, _ = run("explain", xor, "--kernel", "rbf")
    assert code == 0
    assert "All 4 mistakes:" in out
    assert re.search(r"^verdict +separable: in the feature space", out, re.MULTILINE)
    assert "obstacles" not in out
    assert "Novikoff's theorem allows at most" in out
    facts = json.loads(run("explain", xor, "--kernel", "rbf", "--mistakes", 2, "--json")[1])
    assert (facts["mistakes"], len(facts["log"])) == (4, 2)
    assert facts["bound"] >= 4
    code, out, _ = run("explain", xor, "--kernel", "sigmoid", "--max-iter", 5)
    assert (code, "Novikoff" in out) == (0, False)
    three = tmp_path / "three.csv"
    three.write_text("a,b,kind\n0,0,x\n0,1,y\n1,0,z\n")
    one_line(
        run("explain", three, "--kernel", "rbf", "--multi-class", "ovr"),
        "3 classes, each with a run of its own",
    )
    assert run("explain", three, "--kernel", "rbf")[0] == 0


def test_options_of_the_other_estimator_are_refused(run, xor):
    assert run("fit", xor, "--kernel", "rbf", "--settle", "first")[0] == 0
    one_line(
        run("fit", xor, "--kernel", "rbf", "--form", "dual"), "--form does not apply to kernels"
    )
    one_line(run("fit", xor, "--gamma", 2), "--gamma needs --kernel")
    one_line(run("fit", xor, "--cache-size", 2), "--cache-size needs --kernel")
    one_line(run("fit", xor, "--kernel", "rbf", "--gamma", "wide"), "use scale, auto or a number")
    one_line(run("fit", xor, "--kernel", "spline"), "'spline' is not one of")


# -- tables ----------------------------------------------------------------------------------------


def test_a_table_is_read_as_asked(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y,id,a\nu,k1,1\nv,k2,\nv,k3,3\n")
    code, out, _ = run("fit", path, "--target", "y", "--without", "id", "--missing", "drop")
    assert code == 0
    assert "2 rows, 1 feature; target 'y'; rows with missing values dropped: 1" in out


# -- predict ---------------------------------------------------------------------------------------


def test_from_a_table_to_predictions(run, fruit, tmp_path):
    model, out = tmp_path / "model.rosenblatt", tmp_path / "out.csv"
    assert run("fit", fruit, "--save", model)[0] == 0
    assert run("predict", model, fruit, "-o", out) == (0, "", f"saved  {out}\n")
    with out.open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["prediction"] for row in rows] == ["cherry", "cherry", "apple", "apple"]
    assert [float(row["score"]) > 0 for row in rows] == [True, True, False, False]
    new = tmp_path / "new.csv"
    new.write_text("colour,weight\nred,4\n")
    code, shown, _ = run("predict", model, new)
    assert (code, shown.splitlines()[0]) == (0, "prediction,score")
    assert json.loads(run("predict", model, new, "--json")[1])["prediction"] == ["cherry"]
    assert run("predict", model, new, "--json", "-o", out) == (0, "", f"saved  {out}\n")
    assert json.loads(out.read_text())["prediction"] == ["cherry"]


def test_what_is_no_link_of_the_playground_is_refused(run):
    one_line(run("play", "nonsense", "--no-browser"), "'nonsense' is no link of the playground")


def test_characters_without_a_font_are_told_once(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n1,2,\U00013000\n3,1,\U00013001\n2,5,\U00013001\n", encoding="utf-8")
    code, _, err = run("plot", path, "-o", tmp_path / "t.png")
    assert code == 0
    assert err.count("has characters that no font here has") == 1
    assert "Glyph" not in err


def test_a_model_saved_from_python_predicts_too(run, tmp_path):
    X, y = datasets.textbook()
    rosenblatt.save(Perceptron().fit(X, y), tmp_path / "m")
    np.savetxt(tmp_path / "x.dat", X)
    code, out, _ = run("predict", tmp_path / "m", tmp_path / "x.dat")
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()] == ["prediction", "1", "1", "-1"]


def test_an_unknown_level_is_told(run, fruit, tmp_path):
    run("fit", fruit, "--save", tmp_path / "m")
    new = tmp_path / "new.csv"
    new.write_text("colour,weight\nblue,4\n")
    code, _, err = run("predict", tmp_path / "m", new)
    assert code == 0
    assert err.startswith("warning: column 'colour' has levels that the model has not seen")


# -- errors ----------------------------------------------------------------------------------------


def one_line(ran, said, begin="error: "):
    code, out, err = ran
    assert (code, out) == (2, "")
    assert err.startswith(begin)
    assert err.count("\n") == 1
    assert re.search(said, err), err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"a,b,y\n", "has a header, but no rows"),
        (
            b"1,2,yes\n3,4,yes\n",
            "one class only, 'yes', and a perceptron needs two.*--target.*x1, x2, x3",
        ),
        (b"a,b,y\n1,2,0\n1,2\n", "line 3: 2 values, where the header has 3"),
        (b"a,b,y\n1,,0\n1,2,1\n", "line 2, column 'b': a missing value"),
        (b"a,b,y\n1,inf,0\n1,2,1\n", "line 2, column 'b': infinity"),
        (b"a,b,y\n1,1e400,0\n1,2,1\n", "line 2, column 'b': .* too large"),
        (b"a,b,y\n\xff,1,0\n1,2,1\n", "line 2: bytes that are not UTF-8"),
        (b"PAR1abc", "truncated"),
        ("id,y\n" + "".join(f"n{k},{k % 2}\n" for k in range(100_000)), "column 'id' is text"),
    ],
)
def test_bad_tables_are_one_line_and_code_2(run, tmp_path, content, said):
    path = tmp_path / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    one_line(run("fit", path), said)


def test_bad_usage_is_one_line_and_code_2(run, fruit, tmp_path):
    model = tmp_path / "model"
    run("fit", fruit, "--save", model)
    one_line(run("fit", tmp_path / "nothing.csv"), "nothing.csv: there is no such file")
    one_line(run("fit", tmp_path), r"no \.parquet files")
    one_line(run("fit", model), "is a model file, not a table")
    one_line(run("predict", fruit, fruit), "is not a model file")
    one_line(run("fit", fruit, "--target", "knid"), "did you mean 'kind'")
    one_line(run("fit", fruit, "--eta0", "x"), "'x' is not a valid float")
    one_line(run("fit", fruit, "--eta0", "-1"), "--eta0 must be a number above 0")
    one_line(
        run("fit", fruit, "--keep", "all"), "--keep all is not known; it is one of last, average"
    )
    one_line(run("fit", fruit, "--class-weight", "red"), "label=weight")
    one_line(run("fit", fruit, "--spam"), "No such option")
    one_line(run("fry"), "No such command")


def test_files_that_cannot_be_written(run, fruit, tmp_path, monkeypatch):
    one_line(run("fit", fruit, "--save", tmp_path), "is a folder")
    one_line(run("fit", fruit, "--save", tmp_path / "no" / "m"), "there is no folder")
    before = sorted(os.listdir(tmp_path))

    def full(number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    one_line(run("fit", fruit, "--save", tmp_path / "m"), "m: No space left on device")
    assert sorted(os.listdir(tmp_path)) == before


def test_a_read_only_folder(run, fruit, tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied", "/folder/.m.x1")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    one_line(run("fit", fruit, "--save", tmp_path / "m"), "m: Permission denied")


def test_debug_shows_the_traceback(run, tmp_path):
    code, _, err = run("fit", tmp_path / "nothing.csv", "--debug")
    assert code == 2
    assert "Traceback" in err


def test_the_unexpected_is_one_line_too(run, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("never mind")

    monkeypatch.setattr("rosenblatt.tables.read", broken)
    one_line(run("fit"), r"RuntimeError: never mind \(--debug shows where it happened\)")


# -- proofs ----------------------------------------------------------------------------------------

ANSWERS = {
    "separable": ("0,0,no\n0,1,no\n3,3,yes\n", 0),
    "touching": ("0,0,no\n1,0,no\n1,0,yes\n2,0,yes\n", 1),
    "overlapping": ("0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n", 1),
}


@pytest.mark.parametrize("verdict", ANSWERS)
def test_certify_and_verify(run, tmp_path, verdict):
    data, proof = tmp_path / "t.csv", tmp_path / "proof.json"
    data.write_text(ANSWERS[verdict][0])
    code, out, _ = run("certify", data, "--save", proof)
    assert code == ANSWERS[verdict][1]
    assert re.search(rf"^verdict +{verdict}", out, re.MULTILINE)
    assert json.loads(proof.read_text())["verdict"] == verdict
    code, out, _ = run("verify", proof, data)
    assert (code, out.startswith("valid")) == (0, True)
    assert json.loads(run("verify", proof, data, "--json")[1]) == {
        "valid": True,
        "verdict": verdict,
    }
    data.write_text(ANSWERS[verdict][0].replace("0,0", "0,0.5"))
    code, out, _ = run("verify", proof, data)
    assert (code, out.startswith("refuted")) == (1, True)
    assert "--target" in out


def test_certificates_name_the_lines_of_the_file(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n\n" + ANSWERS["overlapping"][0])
    facts = json.loads(run("certify", path, "--json")[1])
    assert facts["conflict"] == {"unit": "line", "numbers": [3, 4, 5, 6]}
    assert sorted(facts["certificate"]["conflict"]["rows"]) == [0, 1, 2, 3]
    assert "the proof uses 4 rows: lines 3, 4, 5, 6" in run("certify", path)[1]


@pytest.mark.parametrize("rows", ["0,0,a\n1,1,a\n0,1,b\n1,0,c\n", "0,0,a\n1,1,a\n0,1,b\n1,0,b\n"])
@pytest.mark.parametrize("kernel", [(), ("--kernel", "poly", "--degree", "2"), ("--kernel", "rbf")])
def test_what_is_certified_and_saved_is_verified(run, tmp_path, rows, kernel):
    path, proof = tmp_path / "rows.csv", tmp_path / "proof.json"
    path.write_text(rows)
    code, out, _ = run("certify", path, *kernel, "--save", proof)
    assert code == (0 if kernel or "c" in rows else 1)
    assert ("in the feature space" in out, "kernel" in out) == (bool(kernel), bool(kernel))
    for how in ((), ("--independent",)):
        assert run("verify", proof, path, *how)[0] == 0


def test_a_kernel_is_decided_in_memory(run, tmp_path):
    (tmp_path / "rows.csv").write_text("0,0,a\n1,1,b\n0,0,b\n")
    path = tmp_path / "rows.csv"
    code, out, _ = run("certify", path, "--kernel", "laplacian")
    assert code == 1
    assert "touching: in the feature space" in out
    assert "lines 1, 3" in out
    for other in (("--stream",), ("--scheme", "one-vs-rest")):
        one_line(run("certify", path, "--kernel", "rbf", *other), "--kernel needs the table in")


def test_several_classes_are_certified_by_scheme(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("0,a\n1,b\n2,c\n")
    code, out, _ = run("certify", path, "--lang", "en")
    assert code == 0
    assert re.search("^verdict +separable: some linear machine", out, re.MULTILINE)
    code, out, _ = run("certify", path, "--scheme", "one-vs-rest", "--json")
    assert code == 1
    verdicts = json.loads(out)["verdicts"]
    assert {k: v == "separable" for k, v in verdicts.items()} == {"a": True, "b": False, "c": True}
    assert run("certify", path, "--scheme", "one-vs-one")[0] == 0
    assert run("certify", path, "--scheme", "one-vs-one", "--no-fit-intercept")[0] == 1
    one_line(run("certify", path, "--scheme", "one-vs-one", "--save", "p"), "makes several")


def test_what_is_no_certificate(run, fruit, tmp_path):
    one_line(run("verify", fruit, fruit), "not a certificate")
    one_line(run("verify", tmp_path / "nothing.json", fruit), "no such file")


def test_explain_shows_mistakes_bound_and_obstacles(run, xor, tmp_path):
    code, out, _ = run("explain", xor, "--mistakes", 3)
    assert code == 0
    assert "The first 3 of" in out
    assert re.search(r"^obstacles .*line", out, re.MULTILINE)
    path = tmp_path / "t.dat"
    np.savetxt(path, np.column_stack(datasets.textbook()), fmt="%g")
    code, out, _ = run("explain", path, "--no-shuffle")
    assert "All 7 mistakes:" in out
    assert [line.split()[2] for line in out.splitlines()[5:12]] == list("1333133")
    facts = json.loads(run("explain", path, "--no-shuffle", "--json")[1])
    assert [m["row"] for m in facts["log"]] == [0, 2, 2, 2, 0, 2, 2]
    assert facts["mistakes"] <= facts["bound"]


def test_bound(run):
    code, out, _ = run("bound", "--json")
    facts = json.loads(out)
    assert (code, facts["holds"]) == (0, True)


# -- pictures --------------------------------------------------------------------------------------


def test_pictures_in_chinese_or_the_font_they_need(run, tmp_path):
    words = pytest.importorskip("rosenblatt.plots.labels")
    path = tmp_path / "t.dat"
    np.savetxt(path, np.column_stack(datasets.textbook()), fmt="%g")
    result = run("plot", path, "-o", tmp_path / "m.png", "--kind", "margins", "--lang", "zh")
    try:
        words.chinese_font()
        assert result[0] == 0
    except FileNotFoundError:
        one_line(result, "字体", begin="错误：")


def test_pictures_and_films(run, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "t.dat"
    np.savetxt(path, np.column_stack(datasets.textbook()), fmt="%g")
    for name, magic in (("p.png", b"\x89PNG"), ("p.svg", b"<?xml"), ("p.pdf", b"%PDF")):
        assert run("plot", path, "-o", tmp_path / name)[0] == 0
        assert (tmp_path / name).read_bytes().startswith(magic)
    assert run("plot", path, "-o", tmp_path / "m.png", "--kind", "margins")[0] == 0
    assert run("fit", path, "--plot", tmp_path / "f.png")[0] == 0
    assert run("animate", path, "-o", tmp_path / "a.gif")[0] == 0
    assert (tmp_path / "a.gif").read_bytes().startswith(b"GIF")
    one_line(run("animate", path, "-o", tmp_path / "a.txt"), "txt")
    one_line(run("plot", path, "-o", tmp_path / "p.xyz"), "xyz")


def test_without_matplotlib_the_extra_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    one_line(run("plot", "-o", tmp_path / "p.png"), r"pip install 'rosenblatt\[plot\]'")


# -- languages -------------------------------------------------------------------------------------


def test_every_phrase_has_the_same_gaps_in_both_languages():
    for english, chinese in PHRASES.values():
        gaps = [sorted(re.findall(r"{(\w+)", text)) for text in (english, chinese)]
        assert gaps[0] == gaps[1]


def test_the_language_is_that_of_the_locale(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert language() == "en"
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    assert language() == "zh"
    assert say("verdict") == "结论"
    choose_language(["--lang", "en"])
    assert language() == "en"
    assert say("verdict") == "verdict"
    choose_language([])


def test_every_command_says_what_it_does():
    for command in cli.commands.values():
        assert command.help
        assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_the_page_of_the_command_line_is_not_stale():
    path = Path(__file__).parents[2] / "docs" / "command_line.py"
    spec = importlib.util.spec_from_file_location("command_line", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.PAGE.read_text(encoding="utf-8") == made.page()


# -- the files of a command ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ("fit", "fruit.csv", "--save", "fruit.csv"),
        ("fit", "--save", "link.csv", "fruit.csv"),
        ("fit", "xor.csv", "--test", "fruit.csv", "--save", "fruit.csv"),
        ("fit", "*.csv", "--save", "fruit.csv"),
        ("certify", "fruit.csv", "--save", "fruit.csv"),
        ("fewest", "fruit.csv", "--save", "../{folder}/fruit.csv"),
        ("predict", "xor.csv", "fruit.csv", "-o", "fruit.csv"),
        ("predict", "fruit.csv", "xor.csv", "-o", "fruit.csv"),
    ],
)
def test_a_file_that_is_read_is_not_overwritten(run, fruit, xor, args, monkeypatch):
    monkeypatch.chdir(fruit.parent)
    Path("link.csv").symlink_to("fruit.csv")
    code, out, said = run(*(arg.format(folder=fruit.parent.name) for arg in args))
    assert (code, out) == (2, "")
    assert said.endswith(".csv is read and would be overwritten: name another file\n")
    assert fruit.read_text() == FRUIT


def test_a_file_whose_name_is_a_pattern_is_not_overwritten(run, fruit):
    odd = fruit.rename(fruit.with_name("data[1].csv"))
    odd.with_name("data1.csv").write_text(FRUIT)
    code, _, said = run("certify", odd, "--save", odd)
    assert (code, "is read and would be overwritten" in said) == (2, True)
    assert odd.read_text() == FRUIT


def test_a_file_is_not_written_twice(run, fruit):
    path = fruit.parent / "s.png"
    code, _, said = run("fit", fruit, "--save", path, "--plot", path)
    assert (code, said) == (2, f"error: {path} would be written twice: name different files\n")
    assert not path.exists()
    assert run("fewest", fruit, "--save", os.devnull)[0] == 0


def test_a_part_of_a_folder_that_is_read_is_not_overwritten(run, tmp_path):
    pq, pa = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    part = tmp_path / "part.parquet"
    pq.write_table(pa.table({"x": [1, 2], "y": ["a", "b"]}), part)
    code, _, said = run("certify", tmp_path, "--save", part)
    assert (code, "would be overwritten" in said) == (2, True)
    assert run("certify", tmp_path, "--save", tmp_path / "certificate.json")[0] == 0


# -- values that options do not take ---------------------------------------------------------------


def test_explain_lists_as_many_mistakes_as_are_asked_for(run, fruit):
    made = json.loads(run("explain", fruit, "--json")[1])["mistakes"]
    code, out, _ = run("explain", fruit, "--mistakes", 0)
    assert (code, f"\n{made} mistakes (--mistakes shows them).\n" in out) == (0, True)
    assert (
        "次误分类（用 --mistakes 显示）。"
        in run("explain", fruit, "--mistakes", 0, "--lang", "zh")[1]
    )
    one_line(run("explain", fruit, "--mistakes", -3), "-3 is not in the range x>=0")


def test_the_target_cannot_be_left_out(run, fruit):
    told = "the target 'kind' cannot be left out; name another one with --target"
    one_line(run("certify", fruit, "--without", "kind", "--target", "kind"), told)
    code, out, _ = run("certify", fruit, "--without", "kind", "--target", "colour")
    assert code == 1
    assert run("certify", fruit, "--without", "kind") == (code, out, "")


def test_rows_with_missing_values_have_empty_predictions(run, fruit, tmp_path):
    model, new = tmp_path / "m", tmp_path / "new.csv"
    assert run("fit", fruit, "--save", model)[0] == 0
    new.write_text("weight,colour\n,red\n5,red\n160,red\n7,\n,\n")
    one_line(run("predict", model, new), "leave such rows out with --missing drop")
    code, out, said = run("predict", model, new, "--missing", "drop")
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()] == [
        "prediction",
        "",
        "cherry",
        "apple",
        "",
        "",
    ]
    assert said == "warning: 3 rows with missing values: no prediction\n"
    found = json.loads(run("predict", model, new, "--missing", "drop", "--json")[1])
    assert found["prediction"] == [None, "cherry", "apple", None, None]
    assert [score is None for score in found["score"]] == [True, False, False, True, True]
    one_line(
        run("predict", model, new, "--missing", "drop", "--stream"), "does not go with --stream"
    )


def test_text_is_refused_before_workers_are_started(run, fruit, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("rosenblatt.dask.local_client", None)
    one_line(run("fit", fruit, "--workers", 2), "Parquet and .npy have")


@pytest.mark.parametrize("last", [lambda k: 900 + k % 150, lambda k: f"name{k}", lambda k: k / 7])
@pytest.mark.parametrize("stream", [(), ("--stream",)])
def test_a_column_of_many_values_is_not_taken_for_classes(run, tmp_path, last, stream):
    path = tmp_path / "houses.csv"
    path.write_text(
        "area,kind,price\n" + "".join(f"{k},{'ab'[k % 2]},{last(k)}\n" for k in range(300))
    )
    for command in ("fit", "certify"):
        said = r"too many for classes; name the column of labels with --target: area, kind, price"
        one_line(run(command, path, *stream), said)
    code, out, _ = run("fit", path, "--target", "kind", "--without", "price")
    assert (code, "classes:" in out) == (0, False)


def test_many_classes_are_learned_from_if_the_target_is_named(run, tmp_path):
    path = tmp_path / "faces.csv"
    path.write_text("x,person\n" + "".join(f"{k},p{k // 2}\n" for k in range(240)))
    one_line(run("fit", path), "too many for classes; name the column of labels with --target")
    assert "120 classes" in run("fit", path, "--target", "person", "--max-iter", 1)[1]


def test_a_column_of_codes_is_text_if_it_is_said(run, tmp_path):
    path, page = tmp_path / "t.csv", tmp_path / "t.html"
    path.write_text("code,y\n" + "".join(f"{k},{k % 2}\n" for k in range(30)) + "V57,1\n")
    one_line(run("certify", path), "numeric but for 'V57' in line 32; .* as text with --text")
    assert "若是编码，请用 --text 按文本读取" in run("certify", path, "--lang", "zh")[2]
    assert "31 features" in run("certify", path, "--text", "code")[1]
    run("report", path, "--text", "code", "-o", page)
    assert "--text=code" in page.read_text()


def test_labels_that_the_model_does_not_know_are_told(run, tmp_path):
    train, test = tmp_path / "a.csv", tmp_path / "b.csv"
    train.write_text("a,y\n1,Yes\n2,Yes\n3,No\n4,No\n")
    test.write_text("a,y\n1,yes\n2,Yes\n3,no\n4,No\n")
    code, out, said = run("fit", train, "--test", test)
    assert (code, "b.csv 50.00%" in out) == (0, True)
    told = "has labels that the model does not know, and whose rows count as wrong: no, yes"
    assert said == f"warning: {test} {told}\n"
    assert "模型未见过的标签" in run("fit", train, "--test", test, "--lang", "zh")[2]
    assert run("fit", train, "--test", train)[2] == ""


def test_columns_that_name_or_number_the_rows_are_told(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "id,k,x,y\n" + "".join(f"P{k},{(7 * k) % 30},{k % 5},{k % 2}\n" for k in range(30))
    )
    assert "id, k have a different value in each row" in run("certify", path)[1]
    assert json.loads(run("certify", path, "--json")[1])["columns"]["row_names"] == ["id", "k"]


def test_the_classes_are_told_if_there_are_more_than_two(run, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("x,y\n1,yes\n2,no\n3,No\n4,yes\n")
    for command in ("fit", "certify"):
        first = run(command, path)[1].splitlines()[0]
        assert first.endswith("; target 'y'; 3 classes: No, no, yes")
    assert "；3 个类别：No, no, yes" in run("certify", path, "--lang", "zh")[1]


@pytest.mark.parametrize(
    ("options", "english", "chinese"),
    [
        (
            ["--class-weight", "yes=2,maybe=1"],
            "has no weight for no, and one for a label",
            "没有给出类别 no 的",
        ),
        (
            ["--class-weight", "yes=-1"],
            "weights must be finite and not negative, got -1",
            "非负数，而给出的是 -1",
        ),
        (["--random-state", "-1"], "-1 is not in the range 0<=x<=4294967295", "不在范围"),
        (["--save", ""], "name a file to write", "请指定要写入的文件"),
        (
            ["--cv", "3"],
            "--cv 3 is more than the rows of any class: the largest has 2",
            "最大的类别有 2 个",
        ),
    ],
)
def test_values_that_cannot_be_are_refused_in_plain_words(run, xor, options, english, chinese):
    one_line(run("fit", xor, *options), english)
    one_line(run("fit", xor, *options, "--lang", "zh"), chinese, "错误：")


def test_no_command_of_the_list_is_cut_short(run):
    assert "Show every update, the bound and the conflict.\n" in run("--help")[1]
    assert "..." not in run("--help")[1].partition("Commands:")[2]
    assert "A column to leave out; can be repeated." in run("fit", "--help")[1]


def test_what_is_no_certificate_is_named(run, fruit):
    one_line(run("verify", fruit, fruit), f"{fruit}: this is not a certificate: ")
