"""The command line speaks its own language: options in messages, and no English in Chinese."""

import ast
import gzip
import re
from pathlib import Path
from string import Formatter

import click
import numpy as np
import pytest

import rosenblatt
from rosenblatt import datasets
from rosenblatt.cli import cli, main
from rosenblatt.command_line.catalogue import MESSAGES
from rosenblatt.command_line.messages import PHRASES
from rosenblatt.command_line.translation import MessageSubject, in_words

SOURCES = Path(rosenblatt.__file__).parent
# What people at a terminal never meet: the page and reports have words of their own.
PYTHON_ONLY = (
    "__init__.py",
    "play/",
    "command_line/messages.py",
    "command_line/catalogue/",
    "plots/labels.py",
    "dask.py",
    "out_of_core/dask_partitions.py",
    "model_files/onnx_export.py",
    "former_paths.py",
)
# What only Python meets: other objects than files, kernels that are functions, calls in turn.
NEVER_MET = re.compile(
    "with multi_class='direct', record=True|the first call of|classes='x' are not those|X is a lazy"
    "|the kernel gave an array|a precomputed kernel|the block from row|a block has the columns"
    "|blocks are read once|rows behind infinite coefficients|this needs the data|lines are read in"
    "|X has missing values in"
    "|early_stopping should be False|Provided 7 does not match|X has 7 features, and coef_ has"
    "|the rows are elsewhere|7 is an array of 7|labels must be all numbers or all text"
    "|the labels of some blocks are|7 has masked values|Expected 2D array"
    "|multi_class='x' was set after|kernel='x' was set after|y holds Python objects"
    "|y holds 7, which are no labels|X holds dates or times"
    "|X holds numbers beyond the range|'x' is not a|'x' is negative|y holds labels that end in NUL"
    "|7 has 7 numbers, and no place"
    "|X has columns that are no numbers|a block has columns that are no numbers"
)


# -- the catalogue ---------------------------------------------------------------------------------


def sentences():
    """Every sentence of an error or a warning in the sources, with its place; gaps hold `x`."""
    for path in sorted(SOURCES.rglob("*.py")):
        place = path.relative_to(SOURCES).as_posix()
        if not place.startswith(PYTHON_ONLY):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (text := sentence(node)) is not None:
                    yield f"{place}:{node.lineno}", text


def sentence(node):
    """The first argument of an error, a warning or a `require`, if it is written there."""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if re.search(r"(Error|BadParameter|UsageError|Inseparable|Malformed|Unusable|warn)$", name):
            return as_text(node.args[0]) if node.args else None
        if name == "require" and len(node.args) > 1:
            return as_text(node.args[1])
        if name in ("Undecided", "Proof") and node.args:
            reasons = [k.value for k in node.keywords if k.arg == "reason"]
            return as_text((reasons or node.args)[0])
    return None


def as_text(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    gaps = {True: "'x'", False: "7"}
    parts = (
        part.value if isinstance(part, ast.Constant) else gaps[part.conversion == ord("r")]
        for part in node.values
    )
    return "".join(parts)


def english(text):
    """Words of English that are left in a Chinese text."""
    text = re.sub(r"'[^']*'|`[^`]*`|“[^”]*”|--[\w-]+|\[[^\]]*\]|\S+[/\\.=]\S+", " ", text)
    known = NAMES | VALUES | set(cli.commands)
    return [word for word in re.findall(r"[A-Za-z]{2,}", text) if word not in known]


# Names that Chinese texts write as they are, and values of options.
NAMES = set(
    re.findall(
        r"\w+",
        """CSV TSV JSON Parquet libsvm npy npz gzip zstd UTF ASCII Unicode Excel Feather MB NaN None
        Novikoff Gram Perceptron GB iconv tr Python Ctrl pip install safetensors apt Debian Ubuntu
        Noto Sans CJK WenQuanYi Zen Hei rosenblatt pyarrow matplotlib fsspec openpyxl ffmpeg xls
        xlsx fonts noto cjk CP PDF HTML XML""",
    )
)
VALUES = set(
    re.findall(
        r"\w+",
        """en zh scale auto balanced direct ovr vote average last best pocket all margin boundary
        margins passes dual bound mistake true false fit intercept start sweep random worst active
        first after never primal poly rbf sigmoid laplacian linear cosine drop mean refuse one vs
        rest gamma degree coef pa relaxation project prediction score int float text some html mp
        parquet comma point elasticnet standard gif png svg pdf jpg""",
    )
)


def test_every_sentence_of_the_library_is_in_the_catalogue():
    left = [
        f"{place}: {text}"
        for place, text in sentences()
        if re.search(r"[a-z]{2,} [a-z]{2,}", text)
        and not NEVER_MET.match(text)
        and (english(in_words(text, "zh")) or not re.search("[一-鿿]", in_words(text, "zh")))
    ]
    assert left == []


def test_every_message_has_its_chinese_with_no_other_gaps():
    for pattern, said in MESSAGES.items():
        for words in said if isinstance(said, tuple) else (said,):
            assert gaps(words) <= gaps(pattern) | set(MessageSubject._fields), pattern
        chinese = said[1] if isinstance(said, tuple) else said
        written = re.sub(r"{[^}]*}", "", chinese)
        assert re.search("[一-鿿]", written) or not re.search("[a-z]{3}", written.replace("--", ""))


def gaps(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_phrase_has_its_chinese():
    for name, (spoken, chinese) in PHRASES.items():
        if re.search("[a-z]{3}", re.sub(r"{[^}]*}", "", spoken)):
            assert re.search("[一-鿿]", chinese), name


def test_every_help_has_its_chinese():
    for command in (cli, *cli.commands.values()):
        helps = [p.help for p in command.params if isinstance(p, click.Option)]
        for text in (*re.split(r"\n\s*\n", command.help), *helps):
            chinese = in_words(" ".join(text.split()), "zh")
            assert re.search("[一-鿿]", chinese), text


# -- as people see it ------------------------------------------------------------------------------


@pytest.fixture
def run(capfd, monkeypatch, tmp_path):
    """Run a command in a folder with some tables: exit code, standard output, standard error."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    for name, text in TABLES.items():
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def ran(*args):
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        return ended.value.code, *capfd.readouterr()

    return ran


TABLES = {
    "ab.csv": "u,v,w\n5,1,7\n6,1,7\n150,2,8\n160,1,8\n",
    "xor.csv": "0,0,0\n0,1,1\n1,0,1\n1,1,0\n",
    "three.csv": "u,w\n1,7\n2,8\n3,9\n4,9\n",
    "words.csv": "u,v,w\n1,r,7\n2,s,8\n3,r,8\n",
    "empty.csv": "",
    "header.csv": "u,v,w\n",
    "one.csv": "1,2,7\n3,4,7\n",
    "short.csv": "u,v,w\n1,2,0\n1,2\n",
    "missing.csv": "u,v,w\n1,,0\n1,2,1\n,3,1\n",
    "infinite.csv": "u,v,w\n1,inf,0\n1,2,1\n",
    "bytes.csv": b"u,v,w\n\xff,1,0\n1,2,1\n",
    "cut.parquet": "PAR1abc",
    "json.csv": "{}",
    "binary.csv": b"\x00\x01\x02",
    "far.csv": "1e300,0\n-1e300,1\n1,1\n",
    "id.csv": "u,w\n" + "".join(f"n{k},{k % 2}\n" for k in range(2000)),
    "number.csv": "v,u\n" + "".join(f"{k % 2},{k}.5\n" for k in range(2000)),
    "column.csv": "1\n2\n3\n",
    "quote.csv": 'u,w\n1,"2\n',
    "bad.libsvm": "1 1:x\n",
    "cut.csv.gz": gzip.compress(b"1,2,3\n" * 100)[:30],
    "old.xls": b"\xd0\xcf\x11\xe0" + bytes(20),
}


def test_every_command_speaks_chinese_only(run):
    for *args, codes in (
        ("fit", "ab.csv", "--save", "m.safetensors", "--cv", 2, "--test", "ab.csv", (0,)),
        ("fit", "xor.csv", (0,)),
        ("fit", "xor.csv", "--settle", "never", "--max-iter", 3, (0,)),
        ("fit", "xor.csv", "--settle", "never", "--max-iter", 1, "--min-margin", 0, (0,)),
        ("fit", "xor.csv", "--kernel", "rbf", (0,)),
        ("fit", "three.csv", "--multi-class", "ovr", (0,)),
        ("fit", "missing.csv", "--missing", "mean", (0,)),
        ("predict", "m.safetensors", "ab.csv", (0,)),
        ("explain", "ab.csv", (0,)),
        ("explain", "xor.csv", (0,)),
        ("explain", "xor.csv", "--kernel", "rbf", (0,)),
        ("bound", "ab.csv", (0,)),
        ("bound", "xor.csv", (0,)),
        ("bound", "three.csv", (0,)),
        ("bound", "ab.csv", "--rule", "pa", (0,)),
        ("certify", "ab.csv", "--save", "c.json", (0,)),
        ("certify", "xor.csv", (1,)),
        ("certify", "three.csv", (0, 1)),
        ("certify", "xor.csv", "--kernel", "poly", (0,)),
        ("certify", "three.csv", "--scheme", "one-vs-rest", (0, 1)),
        ("verify", "c.json", "ab.csv", (0,)),
        ("verify", "c.json", "xor.csv", (1,)),
        ("fewest", "xor.csv", "--save", "f.json", (1,)),
        ("verify", "f.json", "xor.csv", (0,)),
        ("animate", "ab.csv", "-o", "a.html", (0, 2)),
        ("plot", "ab.csv", "-o", "a.svg", (0, 2)),
        ("report", "ab.csv", "-o", "r.html", (0,)),
        ("report", "words.csv", "-o", "r.html", (0,)),
        *((name, "--help", (0,)) for name in cli.commands),
        ("--help", (0,)),
    ):
        code, out, err = run(*args, "--lang", "zh")
        assert code in codes, (args, err)
        assert english(out + err) == [], args


ERRORS = [
    ("fit", "nothing.csv"),
    ("fit", "empty.csv"),
    ("fit", "header.csv"),
    ("fit", "one.csv"),
    ("fit", "short.csv"),
    ("fit", "missing.csv"),
    ("fit", "infinite.csv"),
    ("fit", "bytes.csv"),
    ("fit", "cut.parquet"),
    ("fit", "json.csv"),
    ("fit", "binary.csv"),
    ("fit", "far.csv"),
    ("fit", "id.csv"),
    ("fit", "number.csv"),
    ("fit", "column.csv"),
    ("fit", "quote.csv"),
    ("fit", "bad.libsvm"),
    ("fit", "."),
    ("fit", "ab.csv", "--target", "q"),
    ("fit", "ab.csv", "--target", 7),
    ("fit", "ab.csv", "--without", "q", "--without", "r"),
    ("fit", "ab.csv", "--eta0", "x"),
    ("fit", "ab.csv", "--eta0", -1),
    ("fit", "ab.csv", "--max-iter", 0),
    ("fit", "ab.csv", "--keep", "some"),
    ("fit", "ab.csv", "--class-weight", "red"),
    ("fit", "ab.csv", "--gamma", 1),
    ("fit", "ab.csv", "--spam"),
    ("fit", "ab.csv", "--save", "nowhere/m"),
    ("fit", "*.tsv"),
    ("fit", "ab.csv", "three.csv"),
    ("fit", "cut.csv.gz"),
    ("fit", "old.xls"),
    ("fit", "s3q://bucket/t.csv"),
    ("fit", "ab.csv", "--save", "."),
    ("fit", "ab.csv", "--plot", "a.txt"),
    ("fit", "ab.csv", "--margin", 2),
    ("fit", "ab.csv", "--cv", 9),
    ("fit", "xor.csv", "--cv", 3),
    ("fit", "ab.csv", "--early-stopping"),
    ("fit", "--stream"),
    ("fry",),
    ("plot", "ab.csv"),
    ("predict", "ab.csv", "ab.csv"),
    ("predict",),
    ("verify", "ab.csv", "ab.csv"),
    ("fewest", "three.csv"),
    ("explain", "three.csv", "--multi-class", "ovr"),
    ("certify", "xor.csv", "--kernel", "poly", "--degree", 0),
    ("explain", "ab.csv", "--scale", "standard"),
    ("bound", "ab.csv", "--penalty", "l2"),
    ("plot", "three.csv", "-o", "a.svg", "--kind", "path"),
]


@pytest.mark.parametrize("args", ERRORS, ids=lambda args: " ".join(map(str, args)))
def test_errors_are_one_line_in_each_language(run, args):
    for lang, begin in (("en", "error: "), ("zh", "错误：")):
        code, out, err = run(*args, "--lang", lang)
        assert (code, out) == (2, "")
        assert err.startswith(begin)
        assert err.count("\n") == 1
        assert not re.search(r"\b\w+='|certify_each|partial_fit|=True|\by has\b", err), err
    assert english(err) == [], err


def test_all_bad_columns_are_named_at_once(run):
    rows = (f"n{k},{'7' * (k == 9)},{k},{k % 2}\n" for k in range(2000))
    Path("t.csv").write_text("id,u,v,y\n" + "".join(rows))
    _, _, err = run("fit", "t.csv")
    assert err == (
        "error: t.csv: column 'id' is text with more than 1,000 different values; line 2, column "
        "'u': a missing value; leave it out with --without id; leave such rows out with --missing "
        "drop, or fill them with --missing mean\n"
    )
    assert run("predict", "m", "ab.csv")[0] == 2
    run("fit", "ab.csv", "--save", "m")
    Path("t.csv").write_text("q\n1\n")
    assert "has no columns 'u', 'v', which the model needs" in run("predict", "m", "t.csv")[2]
    assert "t.csv 没有模型需要的列 'u', 'v'" in run("predict", "m", "t.csv", "--lang", "zh")[2]


def test_a_forgotten_target_is_asked_for_with_the_columns_that_there_are(run):
    Path("t.csv").write_text("kind,a,b\nyes,1,1.5\nno,2,2.5\nno,3,3.5\n")
    for command in ("fit", "certify", "fewest"):
        *_, err = run(command, "t.csv")
        assert "--target" in err, command
        assert "kind, a, b" in err, command
    *_, err = run("fewest", "three.csv")
    assert "the target 'w' has 3 classes" in err
    assert "(--target)? There are u, w" in err
    *_, err = run("fit", "number.csv")
    assert "name the column of labels with --target: v, u" in err


def test_decimal_commas_are_recognised_or_asked_about(run):
    Path("t.csv").write_text("1,5;2,5;7\n0,5;1,5;8\n")
    assert "t.csv: 2 rows, 2 features; target 'x3'; decimal commas\n" in run("fit", "t.csv")[1]
    Path("t.csv").write_text("1,500;7\n2,500;8\n")
    _, _, err = run("fit", "t.csv")
    assert err.endswith("may mean 1.5 or 1500; say which with --decimal comma or --decimal point\n")
    assert "可能是 1.5，也可能是 1500；请用 --decimal" in run("fit", "t.csv", "--lang", "zh")[2]
    for mark in ("comma", "point"):
        assert run("fit", "t.csv", "--decimal", mark)[0] == 0


# -- one number for one thing ----------------------------------------------------------------------


def test_one_number_for_one_thing(run):
    """Mistakes, bound and rows in conflict are the same in every command that tells them."""
    X, y = datasets.clouds(300, 5, 0.01, tight=True, random_state=1)
    np.savetxt("tight.csv", np.column_stack((X, y)), delimiter=",", fmt="%.17g")
    told = {name: run(name, "tight.csv")[1] for name in ("fit", "explain", "bound")}
    bound = re.search(r"at most ([\d,]+) mistakes by plain passes", told["fit"])[1]
    made = re.search(r"updates +([\d,]+) in", told["fit"])[1]
    for name in ("explain", "bound"):
        line = re.search(r"run made ([\d,]+) mistakes; .* at most ([\d,]+)\.", told[name])
        assert (line[1], line[2]) == (made, bound)


def test_where_there_was_no_run_every_command_says_so(run):
    X, y = datasets.clouds(6000, 60, 0.1, random_state=1)
    np.save("many.npy", np.column_stack((X, y)))
    assert (
        "none: decided without plain passes (--settle after makes them)"
        in run("fit", "many.npy")[1]
    )
    for name in ("explain", "bound"):
        assert "There was no run" in run(name, "many.npy")[1]
        assert "There was no run" not in run(name, "many.npy", "--settle", "after")[1]


def test_rows_in_conflict_are_lines_of_the_file_and_the_same_everywhere(run):
    X, y = datasets.clouds(100, 10, 0.1, flip=5, random_state=0)
    np.savetxt(
        "flip.csv", np.column_stack((X, y)), delimiter=",", fmt="%.17g", header="a,b", comments="#"
    )
    conflict = re.search(r"uses (\d+) rows: lines ([\d, ]+)", run("certify", "flip.csv")[1])
    said = " ".join(run("bound", "flip.csv")[1].split())
    assert f"lines {conflict[2].strip()} are in conflict" in said
    assert len(conflict[2].split(",")) == int(conflict[1])
    np.save("flip.npy", np.column_stack((X, y)))
    assert "(counted from 1)" in run("certify", "flip.npy")[1]
    with pytest.raises(ValueError, match=r"rows [\d, and]+ \(counted from 0\) are in conflict"):
        rosenblatt.max_margin(X, y)


def test_numbers_and_nouns_agree(run):
    assert "4 rows, 1 feature;" in run("fit", "three.csv")[1]
    assert "in 1 pass\n" in run("fit", "xor.csv", "--settle", "never", "--max-iter", 1)[1]
    _, out, _ = run("fit", "three.csv", "--multi-class", "ovr")
    assert re.search(r"updates +7: \d+, 8: \d+, 9: \d+ in \d+ passes\n", out)
    _, out, _ = run("fit", "xor.csv", "--settle", "never")
    assert "between 0 and" not in out
    assert "margin    at most " in out


@pytest.mark.parametrize(
    ("name", "said"),
    [("t.libsvm", "特征编号应从小到大排列，且不重复"), ("t.npy", "数组中是 Python 对象，而不是数")],
)
def test_what_other_libraries_say_of_files_has_its_chinese(run, name, said):
    Path("t.libsvm").write_text("1 2:1 1:1\n")
    np.save("t.npy", np.array([None, {}], dtype=object))
    _, _, err = run("--lang", "zh", "certify", name)
    assert said in err
