"""Labels and rows as people hand them to scikit-learn's Perceptron."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from test_uses import CANCER, FRAME, LABELS, Peer, no_other_exception

from rosenblatt import Perceptron

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning"),
    pytest.mark.filterwarnings("ignore::PendingDeprecationWarning"),
]
MIXED = FRAME.assign(where=np.resize(["north", "south", "west"], 200))
KINDS_OF_LABELS = {
    "negative integers": np.where(LABELS, -7, -3),
    "booleans": LABELS.astype(bool),
    "booleans of pandas": pd.Series(LABELS.astype(bool), dtype="boolean"),
    "nullable integers": pd.Series(LABELS, dtype="Int64"),
    "strings of pandas": pd.Series(np.where(LABELS, "yes", "no"), dtype="string"),
    "strings of arrow": pd.Series(np.where(LABELS, "yes", "no"), dtype="str"),
    "objects": np.array(["benign", "malignant"], object)[LABELS],
    "strings of NumPy": np.where(LABELS, "yes", "no").astype(np.dtypes.StringDType()),
    "unsigned": LABELS.astype(np.uint8),
    "large integers": LABELS.astype(np.int64) * 2**60,
    "a column": LABELS.reshape(-1, 1),
    "a frame of one column": pd.DataFrame({"target": LABELS}),
    "a series of polars": pl.Series(LABELS),
    "a list of strings": np.where(LABELS, "yes", "no").tolist(),
    "a tuple": tuple(LABELS.tolist()),
    "whole floats": np.where(LABELS, 2.0, -2.0),
    "other alphabets": np.where(LABELS, "是", "否"),
    "fractions": LABELS + 0.5,
    "missing": np.where(LABELS, 1.0, np.nan),
    "missing strings": np.where(LABELS, "yes", None),
    "mixed": np.array(["yes", 3], object)[LABELS],
    "three integers, one negative": np.resize([-1, 0, 5], 200),
}
KINDS_OF_ROWS = {
    "arrow": lambda: pa.table(FRAME),
    "a frame with an index": lambda: FRAME.set_index(pd.Index(range(1000, 1200))),
    "a frame with numbers as names": lambda: pd.DataFrame(CANCER),
    "a frame of float32": lambda: FRAME.astype(np.float32),
    "a frame of nullable floats": lambda: FRAME.convert_dtypes(),
    "a frame of booleans": lambda: FRAME > 0,
    "a frame of several kinds": lambda: FRAME.assign(
        a=FRAME.a.gt(0), b=FRAME.b.round().astype(int)
    ),
    "a sparse frame": lambda: (FRAME > 1).astype(pd.SparseDtype(float, 0)),
    "a memory map": lambda: CANCER.view(np.memmap),
    "a masked array": lambda: np.ma.masked_array(CANCER),
    "a matrix": lambda: np.asmatrix(CANCER),
    "objects": lambda: CANCER.astype(object),
    "text": lambda: MIXED,
    "complex numbers": lambda: CANCER.astype(complex),
    "one dimension": lambda: CANCER[:, 0],
    "three dimensions": lambda: CANCER[:, :, None],
    "no rows": lambda: CANCER[:0],
    "no columns": lambda: CANCER[:, :0],
    "big-endian floats": lambda: CANCER.astype(">f8"),
    "long doubles": lambda: CANCER.astype(np.longdouble),
    "numbers as text": lambda: CANCER.astype(str),
    "a list of arrays": lambda: list(CANCER),
    "a constant column": lambda: np.column_stack((CANCER, np.ones(200))),
}


@pytest.mark.parametrize("kind", KINDS_OF_LABELS)
def test_labels(kind):
    y = KINDS_OF_LABELS[kind]
    no_other_exception(lambda C: np.asarray(C().fit(CANCER, y).predict(CANCER)))


@pytest.mark.parametrize("kind", KINDS_OF_ROWS)
def test_rows(kind):
    made = KINDS_OF_ROWS[kind]
    no_other_exception(lambda C: C().fit(made(), LABELS).predict(made()))


def test_both_refuse_a_lazy_frame():
    lazy = pl.DataFrame(FRAME.to_dict("list")).lazy()
    with pytest.raises(ValueError, match="array"):
        Peer().fit(lazy, LABELS)
    with pytest.raises(TypeError, match="collect it"):
        Perceptron().fit(lazy, LABELS)
