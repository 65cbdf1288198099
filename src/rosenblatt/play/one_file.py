"""One file: the page with everything it replays in it, which opens from disk without a server.

The modules of the page become data addresses, named by an import map; the runs, compressed JSON.
"""

import base64
import gzip
import json
import re
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.atomic_write import replacing
from rosenblatt.inputs.validation import validate_data
from rosenblatt.play.json_text import encoded
from rosenblatt.play.requests import TRACE
from rosenblatt.play.responses import replay_facts
from rosenblatt.play.runs.points import LabelledPoints, numbered_features
from rosenblatt.play.runs.replay import Replay
from rosenblatt.play.runs.verdicts import Facts
from rosenblatt.play.samples import CLASSES, FEATURES, POINTS

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


class ReplayPage(NamedTuple):
    """A page that replays; in a notebook it shows itself."""

    html: str

    def save(self, path: Any) -> None:
        """Write it, all of it or nothing."""
        with replacing(path) as stream:
            stream.write(self.html.encode())

    def _repr_html_(self) -> str:
        frame = 'width="100%" height="820" style="border:0"'
        return f'<iframe srcdoc="{escape(self.html)}" {frame}></iframe>'


def replay_page(model: Any, X: Any, y: Any, lang: str) -> ReplayPage:
    """The page of a fitted model."""
    if lang not in ("en", "zh"):
        raise ValueError(f"lang={lang!r} is not known; lang is one of 'en', 'zh'")
    cloud = labelled_points(model, X, y)
    run = replay_facts(Replay(model, cloud), f"{model!r}.fit(X, y)\n", cloud)
    data = {"name": "points", "X": cloud.X, "y": cloud.codes}
    data |= {"classes": cloud.classes, "features": cloud.features}
    state = {"data": data, "learners": [settings(model)], "k": 0, "lang": lang, "theme": None}
    return assemble({"state": state, "questions": [None], "answers": [run]})


def labelled_points(model: Any, X: Any, y: Any) -> LabelledPoints:
    """The rows of a recorded run, or a sentence that says why they cannot be shown."""
    data = validate_data(X, y, classes=model.classes_)
    n, d = data.X.shape
    k = len(model.classes_)
    if k > CLASSES:
        raise ValueError(f"the page shows at most {CLASSES} classes, not {k}")
    if k > 2 and model.multi_class == "ovr":
        raise ValueError("the page shows one linear machine: fit with multi_class='direct'")
    if not hasattr(model, "log_"):
        raise ValueError("the mistakes were not recorded: fit with record=True")
    if n > POINTS or d > FEATURES:
        raise ValueError(f"the page shows {POINTS:,} rows of {FEATURES} features, not {n:,} × {d}")
    if len(model.log_) > TRACE:
        raise ValueError(f"the page replays {TRACE:,} updates; fit with max_updates={TRACE}")
    if callable(getattr(model, "kernel", None)) or getattr(model, "kernel", "") == "precomputed":
        raise ValueError("the page draws kernels that have a name")
    rows = data.X.toarray() if hasattr(data.X, "toarray") else np.asarray(data.X)
    named = list(map(str, getattr(model, "feature_names_in_", numbered_features(rows))))
    classes = tuple(map(str, model.classes_.tolist()))
    return LabelledPoints(rows.astype(float), data.codes, classes, named, "")


def settings(model: Any) -> Facts:
    """The settings of a learner, as the page has them."""
    given = model.get_params(deep=False)
    rule = "rosenblatt" if given["rule"] == "auto" else given["rule"]
    shared = ("eta0", "margin", "C", "keep", "fit_intercept", "max_iter")
    return {name: given[name] for name in shared} | {
        "rule": rule,
        "boundary": str(given["boundary"]),
        "class_weight": "" if given["class_weight"] is None else "weighted",
        "batch_size": str(given["batch_size"]),
        "kernel": given.get("kernel", "none"),
        "form": "dual" if given.get("form") == "dual" else "primal",
        "order": given["order"],
    }


# -- The file --------------------------------------------------------------------------------------


def assemble(recorded: Facts) -> ReplayPage:
    """The page with what it replays in it."""
    page = {
        f.name: f.read_text("utf-8") for f in files("rosenblatt.play").joinpath("page").iterdir()
    }
    modules = {name: text for name, text in page.items() if name.endswith(".js")}
    in_base64 = {name: base64.b64encode(bare(text).encode()) for name, text in modules.items()}
    imports = {k: f"data:text/javascript;base64,{v.decode()}" for k, v in in_base64.items()}
    packed = base64.b64encode(gzip.compress(encoded(recorded), mtime=0)).decode()
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        f"<style>{page['style.css']}</style>",
        f'<script type="importmap">{json.dumps({"imports": imports})}</script>',
        f'<script type="text/plain" id="recorded">{packed}</script>',
        '<script type="module">import "main.js";</script>',
    ]
    html = re.sub(r"  <(link|script)[^\n]*\n", "", page["index.html"])
    html = html.replace("</head>", "\n".join(head) + "\n</head>")
    return ReplayPage(html.replace("<body>", '<body class="recorded">'))


def bare(text: str) -> str:
    """A module that imports others by their names alone, which the import map knows."""
    return re.sub(r'(from|import) "\./([\w-]+\.js)"', r'\1 "\2"', text)
