"""Tables: every format gives the same rows, and whatever is wrong is told with its line."""

import gzip
import io
import sys
from zipfile import ZipFile

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.datasets import dump_svmlight_file

from rosenblatt import certify, read, scan, verify
from rosenblatt.tables.file_formats import formats

ROWS = [[1.5, 2.0, 1], [-3.0, 0.25, -1], [4.0, 5e-3, 1]]
X = np.array(ROWS)[:, :2]
Y = [1, -1, 1]


def lines(delimiter, header=None):
    rows = ([header] if header else []) + [[str(v) for v in row] for row in ROWS]
    return "".join(delimiter.join(row) + "\n" for row in rows).encode()


@pytest.fixture
def write(tmp_path):
    """Put bytes or text in a file; returns its path."""

    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


# -- formats ---------------------------------------------------------------------------------------

TEXTS = {
    "plain.csv": lines(","),
    "header.csv": lines(",", ["a", "b", "y"]),
    "semicolon.csv": lines(";", ["a", "b", "y"]),
    "table.tsv": lines("\t", ["a", "b", "y"]),
    "spaces.dat": lines("  "),
    "course.dat": lines(" ").replace(b" 1\n", b"\t1\n").replace(b" -1\n", b"\t-1\n"),
    "padded.txt": b"".join(b"   " + line + b"  \n" for line in lines(" ").splitlines()),
    "comments.csv": b'# who "says\n#\n' + lines(",", ["a", "b", "y"]),
    "comments.dat": b"# what\n\n" + lines(" ").replace(b"\n", b" # why\n\n"),
    "dos.csv": lines(",", ["a", "b", "y"]).replace(b"\n", b"\r\n"),
    "mark.csv": b"\xef\xbb\xbf" + lines(",", ["a", "b", "y"]),
    "markless.csv": b"\xef\xbb\xbf" + lines(","),
    "blank.csv": lines(",").replace(b"\n", b"\n\n"),
    "spaced.csv": lines(", "),
    "quoted.csv": b'"a","b","y"\n'
    + b"".join(b'"' + line.replace(b",", b'","') + b'"\n' for line in lines(",").splitlines()),
    "unnamed": lines(","),
    "pairs.txt": b"+1 1:1.5 2:2\n-1 1:-3 2:.25 # note\n\n+1 1:4 2:5e-3\n",
    "zero.libsvm": b"1 qid:1 0:1.5 1:2\n-1 qid:2 0:-3 1:.25\n1 qid:2 0:4 1:5e-3\n\n",
}


def same(table):
    features = table.X.toarray() if hasattr(table.X, "toarray") else table.X
    assert_array_equal(features, X)
    assert table.y.tolist() == Y
    assert table.y.dtype == np.int64


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("zipped", [False, True], ids=["", "gz"])
def test_every_text_gives_the_same_rows(name, zipped, write):
    content = gzip.compress(TEXTS[name]) if zipped else TEXTS[name]
    same(read(write(name + ".gz" * zipped, content)))


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith((".csv", ".dat"))])
def test_the_patient_reader_gives_the_same_rows(name, write, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr(np, "loadtxt", lambda *a, **k: (_ for _ in ()).throw(ValueError()))
    table = read(write(name, TEXTS[name]))
    same(table)
    assert not table.source.fast


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("zipped", [False, True], ids=["", "gz"])
def test_lines_read_in_many_pieces_are_those_of_the_patient_reader(end, zipped, write, monkeypatch):
    """Quoted cells, text, missing numbers and empty lines, cut where the pieces happen to end."""
    kinds, rng = ("red", '"light, blue"', "绿"), np.random.default_rng(0)
    rows = [f"{rng.random()},{kinds[k]},{k}" for k in rng.integers(3, size=9000)]
    rows[4000:4000] = ["NA,red,1", "", "?,red,2"]
    content = end.join(map(str.encode, ["x,colour,kind", *rows, ""]))
    path = write("many.csv", gzip.compress(content) if zipped else content)
    monkeypatch.setattr("rosenblatt.tables.file_formats.delimited_text.BATCH_BYTES", 1000)
    fast = read(path, missing="drop")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    patient = read(path, missing="drop")
    assert (fast.source.fast, patient.source.fast, len(fast.y)) == (True, False, 9000)
    assert_array_equal(fast.X, patient.X)
    assert_array_equal(fast.y, patient.y)


def test_parquet_files_and_folders(tmp_path):
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "y": pa.array(Y, pa.int8())})
    (tmp_path / "folder").mkdir()
    pq.write_table(table, tmp_path / "one.parquet")
    pq.write_table(table[:1], tmp_path / "folder" / "1.parquet")
    pq.write_table(table[1:], tmp_path / "folder" / "2.parquet")
    (tmp_path / "folder" / "_SUCCESS").write_text("")
    for path in (tmp_path / "one.parquet", tmp_path / "folder"):
        same(read(path))
        assert read(path).feature_names == ["a", "b"]


def test_arrays(tmp_path):
    np.save(tmp_path / "all.npy", np.array(ROWS))
    np.savez(tmp_path / "two.npz", X=X, y=Y)
    same(read(tmp_path / "all.npy"))
    same(read(tmp_path / "two.npz"))


@pytest.mark.parametrize("form", ["text", "gzip", "parquet"])
def test_standard_input(form, monkeypatch, tmp_path):
    pq.write_table(pa.table({"a": X[:, 0], "b": X[:, 1], "y": Y}), tmp_path / "t")
    data = {
        "text": lines(" "),
        "gzip": gzip.compress(lines(",")),
        "parquet": (tmp_path / "t").read_bytes(),
    }[form]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    same(read("-"))


def test_a_course_exercise_needs_no_option(write):
    table = read(write("train.dat", "0.9 0.1 0.6 0.2\t1\n0.1 0.7 0.1 0.4\t-1\n"))
    assert table.X.shape == (2, 4)
    assert table.y.tolist() == [1, -1]
    assert str(table.told).endswith("train.dat: 2 rows, 4 features; target 'x5'")


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.floats(allow_nan=False, allow_infinity=False),
            st.sampled_from(["red", "green", "深蓝", "a,b", 'say "x"']),
            st.integers(-(2**40), 2**40),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_csv_and_parquet_agree_with_what_was_written(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    number, colour, label = (list(column) for column in zip(*rows, strict=True))
    table = pa.table({"n": number, "colour": colour, "y": label})
    pyarrow.csv.write_csv(table, folder / "t.csv")
    pq.write_table(table, folder / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        got = read(folder / name)
        assert_array_equal(got.X[:, 0], number)
        levels = [f.removeprefix("colour=") for f in got.feature_names[1:]]
        assert [levels[k] for k in got.X[:, 1:].argmax(axis=1)] == colour
        assert (got.X[:, 1:].sum(axis=1) == 1).all()
        assert got.y.tolist() == label


def test_libsvm_agrees_with_scikit_learn(tmp_path):
    rng = np.random.RandomState(0)
    M, y = rng.randint(0, 2, (50, 9)) * rng.randint(-4, 5, (50, 9)) / 4, rng.randint(0, 3, 50)
    M[0] = 1
    for zero_based in (True, False):
        dump_svmlight_file(M, y, str(tmp_path / "t.libsvm"), zero_based=zero_based)
        table = read(tmp_path / "t.libsvm")
        assert_array_equal(table.X.toarray(), M)
        assert_array_equal(table.y, y)
        assert table.feature_names[0] == ("x0" if zero_based else "x1")


def test_a_time_of_the_clock_does_not_make_a_table_libsvm(write):
    text = "time,temp,y\n2024-01-01 10:00:00,3.2,a\n2024-01-01 11:00:00,4.2,b\n"
    for table in (read(write("t.csv", text)), read(write("u.csv", text.partition("\n")[2]))):
        assert table.X.tolist() == [[1, 0, 3.2], [0, 1, 4.2]]
    assert read(write("t.txt", "1 10:30 11:nan\n-1 10:2\n"), missing="drop").X.shape == (1, 11)


# -- columns ---------------------------------------------------------------------------------------

FRUIT = "weight,colour,kind\n5,red,cherry\n150,green,apple\n160, red,apple\n"


def test_text_becomes_one_feature_for_each_level(write):
    table = read(write("fruit.csv", FRUIT))
    assert table.feature_names == ["weight", "colour=green", "colour=red"]
    assert table.X.tolist() == [[5, 0, 1], [150, 1, 0], [160, 0, 1]]
    assert table.y.tolist() == ["cherry", "apple", "apple"]
    assert "text columns encoded: colour" in str(table.told)


@pytest.mark.parametrize("target", ["weight", "0", 0, -3])
def test_the_target_by_name_or_position(target, write):
    table = read(write("fruit.csv", FRUIT), target)
    assert (table.target, table.y.tolist()) == ("weight", [5, 150, 160])


def test_columns_left_out_and_no_target(write):
    table = read(write("fruit.csv", FRUIT), None, without=["colour", "kind"])
    assert (table.X.tolist(), table.y) == ([[5], [150], [160]], None)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a,b,y\n1,2,u\n", True),
        ("1,2,u\n3,4,v\n", False),
        ("x,y\nred,yes\nblue,no\n", True),
        ("red,yes\nblue,no\nred,no\n", False),
        ("?,2,1\n3,NA,0\n", False),
        ("a,1,y\n1,2,3\n", True),
    ],
)
def test_a_header_is_found(text, named, write):
    assert (
        read(write("t.csv", text), missing="drop" if "?" not in text else "mean").source.named
        == named
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#id,age,y\n1,3,yes\n2,4,no\n3,8,no\n", ["id", "age"]),
        ("# made by us\n# id, age, y\n1,3,yes\n2,4,no\n", ["id", "age"]),
        ("# id age y\n1 3 1\n2 4 -1\n", ["id", "age"]),
        ("# a,b,c\nid,age,y\n1,3,yes\n2,4,no\n", ["id", "age"]),
        ("# some words\n1,3,yes\n2,4,no\n", ["x1", "x2"]),
        ("# 2024,1,x\n1,3,yes\n2,4,no\n", ["x1", "x2"]),
    ],
)
def test_a_comment_that_names_the_columns_is_the_header(text, names, write):
    for table in (read(write("t.csv", text)), scan(write("t.csv", text))):
        assert list(table.feature_names) == names
        assert table.told.rows == sum(line[0] in "123" for line in text.splitlines())
    assert read(write("t.csv", text), header=False, target=0).feature_names[0].startswith("x2")


def test_a_header_can_be_told(write):
    path = write("t.csv", "a,b\nc,d\n")
    assert read(path, header=False).X.shape == (2, 2)
    assert read(path, header=True).X.shape == (1, 1)


def test_labels_are_whole_numbers_numbers_or_text(write):
    for cells, kind in ((["1", "2.0"], "i"), (["0.5", "1"], "f"), (["1", "a"], "U")):
        y = read(write("t.csv", "".join(f"1,{cell}\n" for cell in cells))).y
        assert y.dtype.kind == kind


def test_names_that_come_twice_are_told_apart(write):
    assert read(write("t.csv", "a,a,,y\n1,2,3,0\n")).feature_names == ["a", "a.2", "x3"]


def test_wide_tables_are_sparse(write, monkeypatch):
    text = "colour,y\n" + "".join(f"c{k % 40},{k % 2}\n" for k in range(400))
    dense = read(write("t.csv", text)).X
    monkeypatch.setattr("rosenblatt.tables.encoding.SPARSE_BYTES", 0)
    assert_array_equal(read(write("t.csv", text)).X.toarray(), dense)


# -- what is missing -------------------------------------------------------------------------------

GAPS = "a,colour,y\n1,red,0\n\n,red,1\n3,,1\n5,blue,0\n"


def test_a_missing_value_is_told_with_line_and_column(write):
    with pytest.raises(ValueError, match=r"line 4, column 'a': a missing value.*'drop'.*'mean'"):
        read(write("t.csv", GAPS))


def test_rows_with_missing_values_can_be_dropped(write):
    table = read(write("t.csv", GAPS), missing="drop")
    assert table.X.tolist() == [[1, 0, 1], [5, 1, 0]]
    assert table.y.tolist() == [0, 0]
    assert table.numbers([1, 0, 1]) == [6, 2, 6]
    assert str(table.told).endswith("; rows with missing values dropped: 2")


def test_missing_values_can_be_filled_with_the_mean(write):
    table = read(write("t.csv", GAPS), missing="mean")
    assert table.X.tolist() == [[1, 0, 1], [3, 0, 1], [3, 1 / 3, 2 / 3], [5, 1, 0]]
    assert table.told.filled == 2


def test_a_missing_label_cannot_be_filled(write):
    path = write("t.csv", "a,y\n1,u\n2,\n3,v\n")
    with pytest.raises(ValueError, match="line 3, column 'y'"):
        read(path, missing="mean")
    assert read(path, missing="drop").y.tolist() == ["u", "v"]


# -- the next table --------------------------------------------------------------------------------


def test_the_next_table_is_read_alike(write):
    encoding = read(write("fruit.csv", FRUIT)).encoding
    table = read(write("new.csv", "colour,price,weight\nred,3,5\n"), None, like=encoding)
    assert table.X.tolist() == [[5, 0, 1]]
    headless = read(write("bare.csv", "7,green\n8,red\n"), None, like=encoding, header=False)
    assert headless.X.tolist() == [[7, 1, 0], [8, 0, 1]]
    labelled = read(write("test.csv", FRUIT), like=encoding)
    assert labelled.y.tolist() == ["cherry", "apple", "apple"]


def test_an_unknown_level_is_all_zeros_with_a_warning(write):
    encoding = read(write("fruit.csv", FRUIT)).encoding
    with pytest.warns(UserWarning, match="'colour' has levels .* such as 'blue'"):
        table = read(write("new.csv", "weight,colour\n5,blue\n"), None, like=encoding)
    assert table.X.tolist() == [[5, 0, 0]]


def test_a_column_that_is_not_there_is_named(write):
    encoding = read(write("fruit.csv", FRUIT)).encoding
    with pytest.raises(ValueError, match="no column 'colour'"):
        read(write("new.csv", "weight,size\n5,1\n"), None, like=encoding)
    with pytest.raises(ValueError, match="5 columns, but the model was learned from 3"):
        read(write("bare.csv", "1,2,3,4,5\n"), None, like=encoding)


def test_libsvm_keeps_its_width(write):
    encoding = read(write("a.libsvm", "1 1:1 4:1\n0 2:1\n")).encoding
    assert read(write("b.libsvm", "1 2:1\n"), like=encoding).X.toarray().tolist() == [[0, 1, 0, 0]]
    with pytest.warns(UserWarning, match="beyond number 4"):
        assert read(write("c.libsvm", "1 2:1 9:1\n"), like=encoding).X.shape == (1, 4)


# -- blocks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "dat", "parquet", "libsvm", "npy"])
@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_blocks_are_the_table_and_can_be_read_again(form, missing, tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "BATCH_LINES", 100)
    monkeypatch.setattr(formats, "ARRAY_BYTES", 2000)
    monkeypatch.setattr("rosenblatt.tables.schema.READ_BYTES", 2000)
    monkeypatch.setattr("rosenblatt.tables.file_formats.delimited_text.BATCH_LINES", 100)
    monkeypatch.setattr("rosenblatt.tables.file_formats.delimited_text.BATCH_BYTES", 2000)
    rng = np.random.RandomState(0)
    M = np.column_stack((rng.randint(1, 9, (5000, 3)) / 4, rng.randint(0, 2, 5000)))
    M[:, 3] += M[:, 3] == 0
    path = tmp_path / f"t.{form}"
    if missing == "drop":
        M[[7, 400, 4999], 1] = np.nan
    {
        "csv": lambda: np.savetxt(path, M, delimiter=",", fmt="%r"),
        "dat": lambda: np.savetxt(path, M, fmt="%r"),
        "parquet": lambda: pq.write_table(pa.table(dict(zip("abcy", M.T, strict=True))), path),
        "libsvm": lambda: dump_svmlight_file(np.nan_to_num(M[:, :3]), M[:, 3], str(path)),
        "npy": lambda: np.save(path, M),
    }[form]()
    table, blocks = read(path, missing=missing), scan(path, missing=missing)
    assert blocks.n_samples == len(table.y)
    for _ in range(2):
        parts = [(x.toarray() if hasattr(x, "toarray") else x, y) for x, y in blocks]
        assert len(parts) > 1
        whole = table.X.toarray() if hasattr(table.X, "toarray") else table.X
        assert_array_equal(np.concatenate([x for x, _ in parts]), whole)
        assert_array_equal(np.concatenate([y for _, y in parts]), table.y)
    assert_array_equal(blocks.classes, np.unique(table.y))


# -- what is refused -------------------------------------------------------------------------------

BAD = {
    "empty.csv": ("", "is empty"),
    "blank.csv": ("\n \n", "is empty"),
    "header.csv": ("a,b,c\n", "has a header, but no rows"),
    "comments.csv": ("# a\n# b\n", "has no rows"),
    "ragged.csv": ("a,b,y\n1,2,0\n\n1,2\n", "line 4: 2 values, where the header has 3"),
    "late.csv": ("1,2,0\n" * 20_000 + "1,2\n", "line 20001: 2 values, where the first row has 3"),
    "ragged.dat": ("1 2 0\n1 2\n", "line 2: 2 values, where the first row has 3"),
    "names.csv": (
        "n,id,y\n" + "".join(f"{k},name{k},{k % 2}\n" for k in range(100_000)),
        "column 'id' is text with more than 1,000 different values; leave it out",
    ),
    "word.csv": (
        "a,y\n" + "".join(f"{k},{k % 2}\n" for k in range(20_000)) + "oops,1\n",
        "column 'a' is numeric but for 'oops' in line 20002; correct such cells, or leave",
    ),
    "price.csv": (
        "a,price\n" + "".join(f"1,{k / 7}\n" for k in range(2000)),
        "the target 'price' has more than 1,000 different values",
    ),
    "nan.csv": ("a,b,y\n1,2,0\n1,nan,1\n", "line 3, column 'b': a missing value"),
    "nan.dat": ("1 2 0\n1 nan 1\n", "line 2, column 'x2': a missing value"),
    "inf.csv": ("a,b,y\n1,2,0\n1,-inf,1\n", "line 3, column 'b': infinity"),
    "huge.csv": ("a,b,y\n1,2,0\n1,1e400,1\n", "line 3, column 'b': .* too large"),
    "huge.dat": ("1 2 0\n1 1e400 1\n", "line 2, column 'x2': .* too large"),
    "huge.libsvm": ("1 1:1\n0 1:1e400\n", "line 2, column 'x': .* too large"),
    "latin.csv": (
        b"a,b,y\n1,caf\xe9,0\n2,x,1\n",
        "line 2: bytes .*GB18030.*CP1252",
    ),
    "words.csv": ("a,b,y\n1,2,0\n3,4,1\n".encode("utf-16"), "UTF-16; .* iconv -f UTF-16 -t UTF-8"),
    "little.csv": ("a,b,y\n1,绿,0\n".encode("utf-16-le"), "UTF-16; .* iconv -f UTF-16LE -t UTF-8"),
    "big.csv": ("a,b,y\r\n1,绿,0\r\n".encode("utf-16-be"), "UTF-16; .* iconv -f UTF-16BE -t"),
    "page.html": ("<html><table></table>\n", "is HTML or XML, not a table; save its table as CSV"),
    "page.pdf": (b"%PDF-1.4\nwords\n", "is PDF, not a table"),
    "list.json": ('[{"a": 1}]', "is JSON, not a table; save its table as CSV"),
    "full.csv": ("a，b，y\n1，2，0\n", "has cells separated by '，'; replace it by a comma"),
    "title.csv": ("Prices\na,b,y\n1,2,0\n", "line 1: one value, where others have 3; remove the"),
    "one.csv": ("1\n2\n", "one column only"),
    "pair.libsvm": ("1 1:1\n0 1:x\n", "line 2: could not convert"),
    "proof.json": ('{"format": "x"}', "is JSON, not a table"),
    "short.gz": (gzip.compress(b"1,2,0\n" * 500)[:-9], "cannot be unpacked"),
    "noise.bin": (b"\x00\x01\x02\x00", "neither text nor a format"),
    "part.parquet": (b"PAR1\x00\x00\x00", "cannot be read as Parquet; it may be truncated"),
    "part.npy": (b"\x93NUMPY\x01\x00", "cannot be read as an array"),
    "part.npz": (b"PK\x03\x04abc", "cannot be read as an array"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_tables_are_refused_with_a_sentence(name, write):
    content, said = BAD[name]
    path = write(name, content)
    with pytest.raises(ValueError, match=said) as raised:
        read(path)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)


def test_a_truncated_parquet_a_folder_and_a_missing_file(tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "y": [0, 1]}), tmp_path / "t.parquet")
    data = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(data[:-9])
    with pytest.raises(ValueError, match="may be truncated"):
        read(tmp_path / "t.parquet")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match=r"is a folder, and there are no \.parquet files"):
        read(tmp_path / "folder")
    with pytest.raises(FileNotFoundError, match="no such file"):
        read(tmp_path / "nothing.csv")


def test_parquet_columns_that_are_no_features(tmp_path):
    many = pa.array([[0], [1, 2]])
    big = pa.array([2**53 + 1, 1], pa.int64())
    pq.write_table(pa.table({"t": many, "b": big, "y": ["u", "v"]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="column 't' holds neither numbers nor text; leave it out"):
        read(tmp_path / "t.parquet", without=["b"])
    with pytest.raises(ValueError, match="column 'b' holds whole numbers beyond 2\\*\\*53"):
        read(tmp_path / "t.parquet", without=["t"])


def test_dates_and_times_are_days_since_1970(tmp_path):
    days = pa.array([0, 366], pa.date32())
    times = pa.array([0, 86400 * 3 // 2], pa.timestamp("s"))
    table = pa.table({"day": days, "time": times, "y": ["u", "v"]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").X.tolist() == [[0, 0], [366, 1.5]]


def test_truth_values_are_text_and_nulls_are_missing(tmp_path):
    table = pa.table({"t": [True, False, True], "n": pa.nulls(3), "y": [0, 1, 0]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet", without=["n"]).X.tolist() == [[0, 1], [1, 0], [0, 1]]
    with pytest.raises(ValueError, match="column 'n' is empty throughout; leave it out"):
        read(tmp_path / "t.parquet")


def test_the_parts_of_a_folder_have_the_same_columns(tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "y": [0, 1]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"b": [1, 2], "y": [0, 1]}), tmp_path / "2.parquet")
    with pytest.raises(ValueError, match=r"2.parquet has no column 'a', which .*1.parquet has"):
        read(tmp_path)


def test_arrays_that_are_no_tables(tmp_path):
    np.save(tmp_path / "c.npy", np.zeros((2, 2, 2)))
    np.save(tmp_path / "o.npy", np.array([None, {}], dtype=object))
    np.savez(tmp_path / "a.npz", a=1)
    np.savez(tmp_path / "b.npz", X=np.eye(3), y=np.zeros(2))
    for name, said in (
        ("o.npy", "objects"),
        ("c.npy", "must hold a matrix"),
        ("a.npz", "X and y"),
        ("b.npz", "number of rows"),
    ):
        with pytest.raises(ValueError, match=said):
            read(tmp_path / name)


def test_wishes_that_cannot_be_met(write):
    path = write("fruit.csv", FRUIT)
    for how, said in (
        ({"target": "knid"}, "did you mean 'kind'"),
        ({"target": "outcome"}, "no column 'outcome'; it has"),
        ({"target": "zzz"}, "it has weight, colour, kind"),
        ({"target": 3}, "has 3 columns"),
        ({"without": ["taste"]}, "no column 'taste' to leave out"),
        ({"missing": "guess"}, "missing='guess' is not known"),
    ):
        with pytest.raises(ValueError, match=said):
            read(path, **how)
    with pytest.raises(ValueError, match="labels come first"):
        read(write("t.libsvm", "1 1:1\n"), target=0)


def test_everything_missing_leaves_no_rows(write):
    path = write("t.csv", "a,b,y\n,1,0\n,2,1\n")
    with pytest.raises(ValueError, match="something is missing in each"):
        read(path, missing="drop")
    with pytest.raises(ValueError, match="'a' has no values to take the mean of"):
        read(path, missing="mean")


def test_without_pyarrow_parquet_names_the_extra(tmp_path, monkeypatch):
    pq.write_table(pa.table({"a": [1, 2], "y": [0, 1]}), tmp_path / "t.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"pip install 'rosenblatt\[tables\]'"):
        read(tmp_path / "t.parquet")


@pytest.mark.slow
def test_memory_is_bounded_by_twice_the_table(tmp_path):
    import subprocess

    rng = np.random.RandomState(0)
    names = [f"f{j}" for j in range(11)] + ["y"]
    columns = [*rng.standard_normal((11, 10**6)), rng.randint(0, 2, 10**6)]
    pyarrow.csv.write_csv(pa.table(columns, names=names), tmp_path / "t.csv")
    measure = """
import resource, sys, rosenblatt, pyarrow.csv
rosenblatt.read(sys.argv[2])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
X, *_ = rosenblatt.read(sys.argv[1])
print((peak() - before) / X.nbytes)
"""
    (tmp_path / "small.csv").write_text("1,2,0\n" * 1000)
    ran = subprocess.run(
        [sys.executable, "-c", measure, tmp_path / "t.csv", tmp_path / "small.csv"],
        capture_output=True,
        check=True,
    )
    assert float(ran.stdout) < 2.6  # twice the table, the labels, and what arrow has in flight


# -- words among numbers ---------------------------------------------------------------------------


def doses(odd, name="dose"):
    """Sixty numbers of which one is something else, in line 32."""
    cells = [odd if k == 30 else f"{k / 2}" for k in range(60)]
    return f"{name},y\n" + "".join(f'"{cell}",{k % 2}\n' for k, cell in enumerate(cells))


MISSING = "NA N/A n/a #N/A <NA> NaN -nan null NULL (null) nil None none ? - -- . 缺失 无"


@pytest.mark.parametrize("word", MISSING.split())
def test_what_people_write_for_a_missing_value(word, write):
    path = write("t.csv", doses(word))
    for take in (read, scan):
        with pytest.raises(ValueError, match="line 32, column 'dose': a missing value"):
            take(path)
    assert read(path, missing="drop").X.shape == (59, 1)
    assert sum(len(y) for _, y in scan(path, missing="drop")) == 59


@pytest.mark.parametrize("word", ["3o", "12%", "$12.50", "¥12.50", "unknown"])
def test_a_few_words_among_numbers_are_told_with_their_line(word, write):
    path = write("t.csv", doses(word))
    for take in (read, scan):
        with pytest.raises(ValueError, match="numeric but for") as raised:
            take(path)
        assert str(raised.value) == (
            f"{path}: column 'dose' is numeric but for {word!r} in line 32; correct such cells, "
            "or leave them empty where a value is missing; "
            "codes are read as text if you say so (text)"
        )
    extra = doses(word).replace("\n", ",1\n").replace("y,1", "y,z", 1)
    assert read(write("u.csv", extra), target="y", without=["dose"]).X.shape == (60, 1)


@pytest.mark.parametrize("levels", [["1", "2", "3", "other"], ["无", "有"], ["None", "mild", "-"]])
def test_categories_are_text_though_some_of_them_are_numbers_or_say_none(levels, write):
    rows = "".join(f"{levels[k % len(levels)]},{k % 2}\n" for k in range(400))
    assert read(write("t.csv", "a,y\n" + rows)).feature_names == [f"a={v}" for v in sorted(levels)]


def test_codes_of_which_more_than_a_tenth_are_words_are_text(write):
    rows = "".join(f"{'V' * (k % 8 == 0)}{k},{k % 2}\n" for k in range(200))
    assert read(write("t.csv", "code,y\n" + rows)).X.shape == (200, 200)


@pytest.mark.parametrize("cell", ["−7", "−7.5", "−1e3"])
def test_the_minus_sign_of_typesetters_is_one(cell, write):
    path = write("t.csv", doses(cell))
    assert read(path).X[30, 0] == float(cell.replace("−", "-"))
    assert read(write("u.csv", "1;−1\n2;1\n")).y.tolist() == [-1, 1]
    assert read(write("v.csv", f"{cell.replace('.', ',')};a\n2,5;b\n")).X[0, 0] < 0


# -- truth values ----------------------------------------------------------------------------------


@pytest.mark.parametrize("spelled", ["true false", "True False", "TRUE FALSE"])
def test_truth_values_have_one_spelling_in_all_formats(spelled, write, tmp_path):
    true, false = spelled.split()
    text = read(write("t.csv", f"flag,y\n{true},1\n{false},0\n{true},1\n"))
    pq.write_table(pa.table({"flag": [True, False, True], "y": [1, 0, 1]}), tmp_path / "t.parquet")
    for like in (text.encoding, read(tmp_path / "t.parquet").encoding):
        assert like.features() == ["flag=false", "flag=true"]
        for path in (tmp_path / "t.csv", tmp_path / "t.parquet"):
            assert read(path, like=like).X.tolist() == [[0, 1], [1, 0], [0, 1]]


def test_truth_values_of_excel_are_those_of_parquet(tmp_path):
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (["flag", "y"], [True, 1], [False, 0]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    assert read(tmp_path / "t.xlsx").feature_names == ["flag=false", "flag=true"]


def test_a_model_that_learned_another_spelling_still_predicts(write):
    path = write("t.csv", "flag,y\ntrue,1\nfalse,0\n")
    encoding = read(path).encoding
    (column,) = encoding.columns
    before = encoding._replace(columns=(column._replace(levels=("False", "True")),))
    assert read(path, like=before).X.tolist() == [[0, 1], [1, 0]]


def test_true_among_other_words_keeps_its_spelling(write):
    table = read(write("t.csv", "flag,y\nTrue,1\nFalse,0\nmaybe,1\n"))
    assert table.feature_names == ["flag=False", "flag=True", "flag=maybe"]


# -- what is told, and why -------------------------------------------------------------------------


@pytest.mark.parametrize("take", [read, scan])
def test_an_empty_column_is_to_be_left_out(take, write):
    path = write("t.csv", "a,b,,y\n1,2,,0\n2,3,,1\n")
    said = "column 'x3' is empty throughout; leave it out with without='x3'"
    with pytest.raises(ValueError, match="empty") as raised:
        take(path)
    assert str(raised.value) == f"{path}: {said}"
    assert take(path, without=["x3"]).feature_names == ["a", "b"]


def test_commas_at_the_ends_of_lines_are_no_target(write):
    path = write("t.csv", "a,y,\n1,u,\n2,v,\n")
    with pytest.raises(ValueError, match="column 'x3' is empty throughout; leave it out"):
        read(path)
    assert (read(path, without=["x3"]).target, read(path, without=["x3"]).X.shape) == ("y", (2, 1))


def test_what_to_do_about_missing_values_is_said_once(write):
    with pytest.raises(ValueError, match="a missing value") as raised:
        read(write("t.csv", "a,y\n1,u\n,\n3,v\n"))
    assert str(raised.value).count("leave such rows out") == 1


def test_a_target_whose_name_comes_twice_is_refused(write):
    path = write("t.csv", "y,a,y\n1,2,u\n2,3,v\n")
    with pytest.raises(ValueError, match=r"two columns named 'y'; say which .* position, 0 or 2"):
        read(path, "y")
    assert read(path, 0).y.tolist() == [1, 2]
    assert read(path, "y.3").y.tolist() == ["u", "v"]


def test_names_with_numbers_are_no_repeated_names(write):
    path = write("t.csv", "score,score.2,score.3\n1,2,3\n2,3,4\n")
    assert read(path, "score").feature_names == ["score.2", "score.3"]


IRIS = "".join(f"{k}.5,{k % 7},{'abc'[k % 3]}\n" for k in range(30))


@pytest.mark.parametrize("first", ["0,1,kind\n", "2019,2020,kind\n"])
def test_numbers_of_columns_are_a_header(first, write):
    table = read(write("t.csv", first + IRIS))
    assert (table.target, table.X.shape, set(table.y)) == ("kind", (30, 2), set("abc"))
    indexed = "".join(f"{k},{line}\n" for k, line in enumerate(IRIS.splitlines()))
    assert read(write("t.csv", f",{first}{indexed}")).feature_names[0] == "x1"


@pytest.mark.parametrize("first", ["1,2,a\n", "1,2,d\n7,8,d\n", "0.5,1,d\n", "2,4,d\n"])
def test_rows_that_are_like_others_are_no_header(first, write):
    assert read(write("t.csv", first + IRIS)).told.target == "x3"


def test_a_header_may_begin_with_the_sign_of_a_comment(write):
    path = write("t.csv", "#,name,y\n1,a,u\n2,b,v\n3,a,u\n")
    for header in (None, True):
        table = read(path, header=header, without=["name"])
        assert (table.feature_names, table.told.target, len(table.y)) == (["#"], "y", 3)


def test_a_header_that_comes_again_is_told(write):
    with pytest.raises(ValueError, match="line 32: repeats the header; remove such lines"):
        read(write("t.csv", 2 * f"p,q,kind\n{IRIS}"))
    again = "a,b\nc,d\n" * 5  # rows of words may be alike
    assert len(read(write("words.csv", again)).y) == 10


def test_a_file_that_names_its_columns_comes_first(write):
    nameless, named = write("a.csv", "1,2,A\n3,4,B\n"), write("b.csv", "a,b,y\n1,2,A\n2,3,B\n")
    with pytest.raises(ValueError, match=r"b.csv names its columns, and .*a.csv does not; name"):
        read([nameless, named])


@pytest.mark.parametrize("word", ["unknown", "<5"])
def test_one_word_again_and_again_among_numbers_is_refused(word, write):
    rows = "".join(f"{word if k % 4 == 0 else k},{k % 2}\n" for k in range(200))
    with pytest.raises(ValueError, match=f"'hp' is numeric but for '{word}' in line 2"):
        read(write("t.csv", f"hp,y\n{rows}"))


@pytest.mark.parametrize("word", ["\\N", "1.#QNAN", "na", "#NA"])
def test_words_of_databases_for_nothing_are_missing(word, write):
    table = read(write("t.csv", f"a,y\n1,0\n{word},1\n3,1\n"), missing="drop")
    assert table.X.tolist() == [[1], [3]]


@pytest.mark.parametrize("first", ["FEA1,FEA2", "PAR1,PAR2", "ARROW1,b", "{a},{b}"])
def test_text_that_begins_like_another_format_is_text(first, write):
    assert read(write("t.csv", f"{first},y\n1,2,0\n2,3,1\n")).X.tolist() == [[1, 2], [2, 3]]


CODES = "age,code,y\n" + "".join(f"{k % 9},{200 + k},{k % 2}\n" for k in range(40)) + "5,V57,1\n"


@pytest.mark.parametrize("take", [read, scan])
def test_codes_are_read_as_text_if_it_is_said(take, write):
    path = write("t.csv", CODES)
    with pytest.raises(
        ValueError, match=r"numeric but for 'V57' in line 42; .* as text if you say"
    ):
        take(path)
    table = take(path, text=["code"])
    assert (len(table.feature_names), table.feature_names[:2]) == (42, ["age", "code=200"])
    numbers = write("n.csv", "zip,y\n10115,0\n20095,1\n")
    assert take(numbers, text=["zip"]).feature_names == ["zip=10115", "zip=20095"]
    again = read(write("new.csv", "zip\n20095\n"), None, like=take(numbers, text=["zip"]).encoding)
    assert again.X.tolist() == [[0, 1]]


def test_what_cannot_be_read_as_text_is_told(write, tmp_path):
    with pytest.raises(ValueError, match=r"t.csv has no column 'zip' to read as text"):
        read(write("t.csv", CODES), text=["zip"])
    pq.write_table(pa.table({"a": [1, 2], "y": ["u", "v"]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"t.parquet is no text file: it tells which"):
        read(tmp_path / "t.parquet", text=["a"])


def test_labels_that_are_truth_values_have_one_spelling_in_all_formats(write, tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "y": [True, False]}), tmp_path / "t.parquet")
    paths = [tmp_path / "t.parquet"]
    for true, false in (("True", "False"), ("TRUE", "false"), ("true", "FALSE")):
        paths.append(write(f"{true}{false}.csv", f"a,y\n1,{true}\n2,{false}\n"))
    for path in paths:
        assert read(path).y.tolist() == ["True", "False"]
        assert scan(path).classes.tolist() == ["False", "True"]
    proof = certify([[1.0], [2.0]], np.array([True, False]))
    assert all(verify(proof, read(path).X, read(path).y) for path in paths)


def test_the_index_of_pandas_is_no_column(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1.0, 2, 3], "y": ["u", "v", "u"]}).iloc[[2, 0, 1]]
    frame.to_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet")
    assert (table.feature_names, table.told.target) == (["a"], "y")


def test_times_finer_than_microseconds_are_read(tmp_path):
    times = pa.array([1, 86_400_000_000_000], pa.timestamp("ns"))
    pq.write_table(pa.table({"a": times, "y": ["A", "B"]}), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").X.tolist() == [[1 / 86_400_000_000_000], [1]]


def test_times_that_days_cannot_tell_apart_are_refused(tmp_path):
    start = 1_715_000_000_000_000_000
    for unit, ticks in [("ns", [start, start + 100]), ("us", [10**17, 10**17 + 1])]:
        for kind in (pa.timestamp(unit), pa.timestamp(unit, "UTC")):
            table = pa.table({"a": pa.array(ticks, kind), "y": ["A", "B"]})
            pq.write_table(table, tmp_path / "t.parquet")
            with pytest.raises(ValueError, match="'a' holds times that days in double precision"):
                read(tmp_path / "t.parquet")


def test_times_that_days_cannot_tell_apart_are_refused_in_several_parts(tmp_path):
    table = pa.table({"a": pa.array([1_715 * 10**15 + k for k in (1, 2)], pa.timestamp("ns"))})
    table = table.append_column("y", pa.array(["A", "B"]))
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=1)
    with pytest.raises(ValueError, match="'a' holds times that days in double precision"):
        read(tmp_path / "t.parquet")


def test_remarks_are_no_names_where_the_model_knows_others(write):
    encoding = read(write("t.csv", "a,b,y\n1,2,0\n2,3,1\n"), "y").encoding
    table = read(write("new.txt", "# some random words\n1 2 0\n"), like=encoding)
    assert table.X.tolist() == [[1, 2]]


def test_without_the_last_column_the_target_is_the_one_before(write):
    path = write("t.csv", "a,b,y,note\n1,2,u,p\n2,3,v,q\n")
    for target in (-1, "y"):
        table = read(path, target, without=["note"])
        assert (table.target, table.feature_names) == ("y", ["a", "b"])


def test_a_column_of_words_and_numbers_is_no_misprint(write):
    cells = (f"A{k}" if k % 5 < 2 else str(k) for k in range(2000))
    path = write("t.csv", "id,y\n" + "".join(f"{cell},{k % 2}\n" for k, cell in enumerate(cells)))
    with pytest.raises(ValueError, match=r"column 'id' is text with more than .* leave it out"):
        read(path)


def test_a_zip_archive_of_other_files_is_to_be_unpacked(tmp_path):
    with ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", "1,2\n")
    with pytest.raises(ValueError, match="is a zip archive; unpack it first"):
        read(tmp_path / "t.zip")


def test_labels_that_numpy_would_cut_short_are_refused(tmp_path):
    pq.write_table(pa.table({"a": [1.0, 2], "y": ["A", "A\0"]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="the target 'y' has labels that end in NUL"):
        read(tmp_path / "t.parquet")


@pytest.mark.parametrize("encoding", ["gbk", "latin-1"])
@pytest.mark.parametrize("above", ["", "# remark\n"])
def test_headers_in_other_encodings_are_refused(tmp_path, encoding, above):
    names = "年龄,收入,标签" if encoding == "gbk" else "größe,b,c"
    path = tmp_path / "t.csv"
    path.write_bytes(f"{above}{names}\n25,3,1\n40,8,0\n31,4,1\n".encode(encoding))
    line = 1 + bool(above)
    with pytest.raises(ValueError, match=f"line {line}: bytes that are not UTF-8; convert the"):
        read(path)
    path.write_text(f"{above}{names}\n25,3,1\n40,8,0\n31,4,1\n", "utf-8")
    assert read(path).X.tolist() == [[25, 3], [40, 8], [31, 4]]


def test_a_header_of_several_lines_is_decoded_whole(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes('"a","b\xe9\nx",y\n1,2,0\n3,4,1\n'.encode("latin-1"))
    with pytest.raises(ValueError, match="line 1: bytes that are not UTF-8"):
        read(path)


@pytest.mark.parametrize("header", [None, False])
@pytest.mark.parametrize("mark", [";", ",", "|", "\t"])
def test_a_line_that_tells_excel_the_delimiter_is_no_row(write, mark, header):
    names = "" if header is False else f"a{mark}b{mark}y\n"
    rows = f"1{mark}2{mark}0\n3{mark}4{mark}1\n"
    table = read(write("t.csv", f"sep={mark}\n{names}{rows}"), header=header)
    assert table.X.tolist() == [[1, 2], [3, 4]]
    pairs = read(write("t.csv", f"sep={mark}\n1{mark}0\n3{mark}1\n"))
    assert pairs.X.tolist() == [[1], [3]]


def test_errors_of_spreadsheets_are_missing_values(write):
    path = write("t.csv", "a,b,y\n1,#DIV/0!,0\n#REF!,2,1\n3,4,1\n")
    assert read(path, missing="drop").X.tolist() == [[3, 4]]
    with pytest.raises(ValueError, match="a missing value"):
        read(path)


def test_a_comment_alone_is_no_table(write):
    with pytest.raises(ValueError, match="has no rows"):
        read(write("t.txt", "# a b y\n"))
