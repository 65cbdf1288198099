"""Files as people have them: several, packed, elsewhere, and in the formats of other programs."""

import bz2
import datetime
import gzip
import lzma
import sys

import numpy as np
import pytest

from rosenblatt import Perceptron, fit_blocks, read, scan

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXT = "u,v,kind\n1,2,a\n3,4,b\n5,6,a\n"
ROWS = [[1, 2], [3, 4], [5, 6]]


def rows_of(path, **how):
    """The rows of a table, the same whether it is read or scanned."""
    table, blocks = read(path, **how), scan(path, **how)
    assert np.vstack([X for X, _ in blocks]).tolist() == table.X.tolist()
    assert blocks.n_samples == len(table.X)
    return table.X.tolist()


# -- packed ----------------------------------------------------------------------------------------


def zstd(data):
    return pa.compress(data, "zstd", asbytes=True)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd])
def test_packed_text(tmp_path, pack):
    path = tmp_path / "t.csv.packed"
    path.write_bytes(pack(TEXT.encode()))
    assert rows_of(path) == ROWS
    path.write_bytes(pack(TEXT.encode() * 1000)[:-20])
    with pytest.raises(ValueError, match=r"t\.csv\.packed cannot be unpacked"):
        read(path)


def test_a_packed_table_is_recognised_by_the_name_inside(tmp_path):
    path = tmp_path / "t.tsv.zst"
    path.write_bytes(zstd(b"a b\tkind\n1\tx\n2\ty\n"))
    assert list(read(path).feature_names) == ["a b"]


# -- several ---------------------------------------------------------------------------------------


def test_several_files_and_patterns(tmp_path):
    (tmp_path / "part-1.csv").write_text("u,v,kind\n1,2,a\n3,4,b\n")
    (tmp_path / "part-2.csv").write_text("kind,u,v\na,5,6\n")
    for paths in (
        str(tmp_path / "part-*.csv"),
        [tmp_path / "part-1.csv", tmp_path / "part-2.csv"],
        [str(tmp_path / "part-?.csv")],
    ):
        assert rows_of(paths) == ROWS
    table = read(paths)
    assert table.y.tolist() == ["a", "b", "a"]
    assert table.told.file == f"{tmp_path / 'part-1.csv'} and 1 more file"
    assert table.numbers([0, 2]) == [f"{tmp_path / 'part-1.csv'}:2", f"{tmp_path / 'part-2.csv'}:2"]
    (tmp_path / "whole.csv").write_text(TEXT)
    model = Perceptron(shuffle=False, settle="never", max_iter=3, tol=None)
    whole = fit_blocks(model, scan(tmp_path / "whole.csv")).coef_.tolist()
    assert fit_blocks(model, scan(paths)).coef_.tolist() == whole


def test_what_is_text_in_one_file_is_text_in_all(tmp_path):
    (tmp_path / "1.csv").write_text("code,kind\n7,a\n8,b\n")
    (tmp_path / "2.csv").write_text("code,kind\nx,a\n")
    assert list(read(str(tmp_path / "*.csv")).feature_names) == ["code=7", "code=8", "code=x"]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("u,w,kind\n1,2,a\n", "2.csv has no column 'v', which .*1.csv has"),
        ("u,kind\n1,a\n", "2.csv has 2 columns, and .*1.csv has 3"),
        ("u,v,kind\n1,2\n", "2.csv, line 2: 2 values, where the header has 3"),
        ("u,v,kind\n1,,a\n", "line .*2.csv:2, column 'v': a missing value"),
    ],
)
def test_files_that_do_not_go_together_are_named(tmp_path, other, said):
    (tmp_path / "1.csv").write_text(TEXT)
    (tmp_path / "2.csv").write_text(other)
    with pytest.raises(ValueError, match=said):
        read(str(tmp_path / "*.csv"))


def test_a_pattern_that_nothing_matches(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"\*\.tsv: there are no such files"):
        read(str(tmp_path / "*.tsv"))


def test_a_file_whose_name_is_a_pattern(tmp_path):
    (tmp_path / "t[1].csv").write_text(TEXT)
    assert rows_of(tmp_path / "t[1].csv") == ROWS


# -- Parquet with keys -----------------------------------------------------------------------------


def test_keys_in_the_names_of_folders_are_columns(tmp_path):
    for region, year, u in (("north", 2023, 1.0), ("south%20west", 2024, 2.0)):
        folder = tmp_path / f"region={region}" / f"year={year}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"u": [u, u + 10], "kind": ["a", "b"]}), folder / "p.parquet")
    (tmp_path / "_metadata.parquet").write_bytes(b"not for readers")
    table = read(tmp_path)
    assert list(table.feature_names) == ["region=north", "region=south west", "year", "u"]
    assert table.target == "kind"
    assert rows_of(tmp_path)[2] == [0, 1, 2024, 2]
    assert read(tmp_path, target="region").y.tolist() == ["north"] * 2 + ["south west"] * 2
    pq.write_table(pa.table({"u": [1.0], "kind": ["a"]}), tmp_path / "loose.parquet")
    with pytest.raises(ValueError, match=r"has the keys none, and .* has region, year"):
        read(tmp_path)


def test_a_key_without_a_value_is_missing(tmp_path):
    for key in ("g=1", "g=__HIVE_DEFAULT_PARTITION__"):
        (tmp_path / key).mkdir()
        pq.write_table(pa.table({"u": [1.0], "kind": ["a"]}), tmp_path / key / "p.parquet")
    assert read(tmp_path, missing="drop").X.tolist() == [[1, 1]]


# -- Feather and Excel -----------------------------------------------------------------------------


def test_feather(tmp_path):
    from pyarrow import feather

    path = tmp_path / "t.feather"
    held = pa.table({"u": [1.0, 3, 5], "v": [2, 4, 6], "kind": ["a", "b", "a"]})
    feather.write_feather(held, str(path), chunksize=2)
    assert rows_of(path) == ROWS
    assert scan(path).pieces == 2
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match="cannot be read as Feather; it may be truncated"):
        read(path)


def test_excel(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    path, book = tmp_path / "t.xlsx", openpyxl.Workbook()
    for row in (["u", "v", "on", "kind"], [1, "1,5", datetime.date(1970, 1, 3), "a"], [None] * 4):
        book.active.append(row)
    book.active.append([3, "2,5", datetime.datetime(1970, 1, 1, 12), "b"])
    book.save(path)
    assert rows_of(path) == [[1, 1.5, 2], [3, 2.5, 0.5]]
    table = read(path)
    assert table.told.decimal == ","
    assert table.numbers([0, 1]) == [2, 4]
    book.active.append([None, "2,5", None, "b"])
    book.save(path)
    with pytest.raises(ValueError, match="row 5, column 'u': a missing value"):
        read(path)


def test_without_a_reader_the_extra_is_named(tmp_path, monkeypatch):
    from zipfile import ZipFile

    with ZipFile(tmp_path / "t.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", "")
    for module in ("openpyxl", "fsspec", "fsspec.core"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"reading Excel needs openpyxl: .*rosenblatt\[excel\]"):
        read(tmp_path / "t.xlsx")
    with pytest.raises(ImportError, match=r"reading s3:// needs fsspec: .*rosenblatt\[remote\]"):
        read("s3://bucket/t.csv")


# -- elsewhere -------------------------------------------------------------------------------------


def test_files_at_an_address():
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    for name, data in (("t-1.csv", TEXT.encode()), ("t-2.csv.gz", gzip.compress(TEXT.encode()))):
        files.pipe(f"/data/{name}", data)
    assert rows_of("memory://data/t-1.csv") == ROWS
    assert rows_of("memory://data/t-2.csv.gz") == ROWS
    assert rows_of("memory://data/t-*") == ROWS * 2
    with files.open("/data/t.parquet", "wb") as stream:
        pq.write_table(pa.table({"u": [1.0, 3, 5], "v": [2, 4, 6], "kind": list("aba")}), stream)
    assert rows_of("memory://data/t.parquet") == ROWS
    with pytest.raises(FileNotFoundError, match=r"memory://data/none\.csv: there is no such file"):
        read("memory://data/none.csv")
    with pytest.raises(ValueError, match="fsspec does not know spam://"):
        read("spam://t.csv")
