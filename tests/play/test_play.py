"""The playground's server: what it tells is the library's, and much it refuses."""

import asyncio
import contextlib
import http.client
import io
import json
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from urllib.parse import urlsplit

import numpy as np
import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState

from rosenblatt import Certificate, KernelPerceptron, Perceptron, datasets, novikoff, verify
from rosenblatt.cli import main
from rosenblatt.play import access_control, classroom
from rosenblatt.play import server as server_module
from rosenblatt.play.access_control import BODY, ServerAddress, is_ours
from rosenblatt.play.json_fields import Refused
from rosenblatt.play.process_pool import Pool
from rosenblatt.play.requests import PASSES_ALLOWED, TRACE
from rosenblatt.play.responses import answer
from rosenblatt.play.samples import POINTS
from rosenblatt.play.server import listen
from rosenblatt.play.worker_process import WARM

CLOUDS = {"name": "clouds", "n": 60, "margin": 0.25, "noise": 0.1, "seed": 1}
SEPARABLE = CLOUDS | {"noise": 0}
ROWS, LABELS = datasets.clouds(40, 2, 0.25, flip=4, random_state=2)
EXACT = {"name": "points", "X": (np.round(4 * ROWS) / 4).tolist(), "y": LABELS.tolist()}


def told(data, learner=None, question="run", **more):
    """The answer to a question, which must not be refused."""
    status, body = respond(data, learner, question, **more)
    assert status == 200, body
    return body


def respond(data, learner=None, question="run", **more):
    data = {"name": data} if isinstance(data, str) else data
    status, body = answer(
        question, json.dumps({"data": data, "learner": learner or {}, **more}).encode()
    )
    return status, json.loads(body)


def signs_of(run):
    return 2 * np.array(run["codes"]) - 1


# -- What it tells ---------------------------------------------------------------------------------


def test_the_textbook_run_is_the_library_s():
    run = told("textbook", {"shuffle": False})
    X, y = datasets.textbook()
    model = Perceptron(shuffle=False, record=True).fit(X, y)
    assert (run["log"]["t"], run["log"]["i"]) == (model.log_.t.tolist(), [0, 2, 2, 2, 0, 2, 2])
    assert run["path"] == model.log_.path(X).tolist()
    assert (run["stop"], run["mistakes"], run["handed"]) == ("separated", 7, [1, 1, -3])
    bound = novikoff(model, X, y)
    assert run["bound"]["bound"] == bound.bound
    assert run["bound"]["length2"] == bound.steps.length2.tolist()


@pytest.mark.parametrize("order", ["sweep", "random", "worst", "active"])
@pytest.mark.parametrize("batch", [1, 4, "all"])
@pytest.mark.parametrize("keep", ["pocket", "best", "last"])
def test_what_is_kept_in_the_end_is_what_the_library_hands_back(order, batch, keep):
    learner = {"order": order, "batch_size": batch, "keep": keep, "max_iter": 20, "min_margin": 0}
    run = told(EXACT, learner)
    which = -1 if keep == "last" else run["kept"]["which"][-1]
    assert run["path"][which] == run["handed"]
    assert run["errors"][which] == run["handed_errors"]
    assert len(run["errors"]) == len(run["path"]) == len(run["log"]["ends"]) + 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_means_are_those_of_the_hypotheses_held_so_far():
    run = told(CLOUDS, {"keep": "average", "shuffle": False, "max_iter": 3})
    k = len(run["path"]) - 1
    learner = {"keep": "average", "shuffle": False, "max_iter": 3}
    X, y = np.array(run["points"]), signs_of(run)
    visits = run["log"]["t"][k - 1]
    held = np.repeat(run["path"], np.diff([0, *run["log"]["t"], run["seen"]]), axis=0)
    assert np.allclose(run["kept"]["means"][k], held[:visits].mean(axis=0))
    model = Perceptron(**learner, settle="never").fit(X, y)
    assert np.allclose(np.append(model.coef_, model.intercept_), held.mean(axis=0))


@pytest.mark.parametrize("learner", [{}, {"kernel": "rbf"}, {"kernel": "poly", "degree": 2}])
def test_the_bracket_closes_around_the_widest_margin(learner):
    run = told(SEPARABLE, learner | {"min_margin": 0})
    model = (KernelPerceptron if learner else Perceptron)(**learner, min_margin=0)
    model.fit(np.array(run["points"]), signs_of(run))
    lower, upper = (np.array(run["bracket"][side]) for side in ("lower", "upper"))
    widest = run["bound"]["gamma"] / run["radius"]
    assert np.all(lower <= widest * (1 + 1e-6))
    assert np.all(upper >= widest * (1 - 1e-6))
    assert np.all(np.diff(lower) >= 0)
    assert np.all(np.diff(upper) <= 0)
    # the library looks after each pass, the page after each mistake
    assert lower[-1] >= model.margin_bounds_[0] * (1 - 1e-9)
    assert upper[-1] <= model.margin_bounds_[1] * (1 + 1e-9)


@pytest.mark.parametrize("learner", [{}, {"batch_size": 4}, {"kernel": "poly", "gamma": 1}])
def test_the_margins_of_a_mistake_before_and_after_it(learner):
    run = told(EXACT, learner | {"shuffle": False, "max_iter": 5})
    rows, steps, signs = run["log"]["i"], np.array(run["log"]["c"]), signs_of(run)
    K = np.array(run["points"]) @ np.array(run["points"]).T
    K = (K + 1) ** 3 + 1 if "kernel" in learner else K + 1
    for j, begin in enumerate(np.searchsorted(run["log"]["t"], run["log"]["t"])):
        end = np.searchsorted(run["log"]["t"], run["log"]["t"][j], "right")
        before, after = (steps[:k] @ K[rows[:k], rows[j]] for k in (begin, end))
        assert run["margins"]["before"][j] == signs[rows[j]] * before
        assert run["margins"]["after"][j] == signs[rows[j]] * after


def test_a_conflict_comes_with_its_common_point_and_a_certificate():
    verdict = told("xor")["verdict"]
    assert (verdict["verdict"], verdict["conflict"]["point"]) == ("overlapping", [0.5, 0.5])
    assert sorted(verdict["conflict"]["rows"]) == [0, 1, 2, 3]
    certificate = Certificate.from_json(json.dumps(verdict["certificate"]))
    assert verify(certificate, *datasets.xor())


def test_the_names_of_verdicts():
    verdicts = {name: told(name)["verdict"]["verdict"] for name in ("textbook", "credit", "xor")}
    assert verdicts == {"textbook": "separable", "credit": "separable", "xor": "overlapping"}
    assert told("touching")["verdict"]["verdict"] == "touching"


def test_a_band_rests_on_its_support():
    run = told(SEPARABLE)
    band, X, y = run["verdict"]["band"], np.array(run["points"]), signs_of(run)
    margins = y * (X @ band["w"] + band["b"])
    assert margins.min() == pytest.approx(1, rel=1e-5)
    assert np.allclose(margins[band["support"]], 1, rtol=1e-5)


def test_many_features_are_looked_at_in_a_plane():
    run = told("credit", {"max_iter": 5})
    axes = np.array(run["plane"]["axes"])
    assert np.allclose(axes @ axes.T, np.eye(2))
    assert run["features"] == ["age", "income", "debt"]
    assert run["classes"] == ["no", "yes"]


def test_a_kernel_comes_with_its_numbers():
    data, learner = {"name": "circles", "n": 80, "noise": 0.0, "seed": 1}, {"kernel": "rbf"}
    run = told(data, learner)
    gamma = 1 / (2 * np.var(run["points"]))
    assert run["kernel"]["name"] == "rbf"
    assert run["kernel"]["gamma"] == pytest.approx(gamma)
    assert run["kernel"]["bias"] == 1
    assert told("xor")["kernel"] is None


def test_a_start_that_is_given():
    run = told("textbook", {"shuffle": False, "start": [1, 0, -2]})
    assert run["path"][0] == [1, 0, -2]
    assert "did not start from zero" in run["bound"]["reason"]


def test_a_pasted_table():
    text = "width,height,kind\n1,1,small\n2,1,small\n5,4,large\n6,6,large\n"
    run = told({"name": "table", "text": text})
    assert (run["points"][2], run["classes"]) == ([5, 4], ["large", "small"])
    assert (run["codes"], run["features"]) == ([1, 1, 0, 0], ["width", "height"])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("data", "learner"),
    [
        ("textbook", {"shuffle": False, "start": [1, 0, -2], "eta0": 0.5}),
        ("credit", {"batch_size": "all", "max_iter": 50}),
        (CLOUDS, {"rule": "pa1", "C": 0.5, "max_iter": 20}),
        ({"name": "moons", "n": 40, "noise": 0.1, "seed": 2}, {"kernel": "poly", "degree": 3}),
        ("touching", {"form": "dual", "max_iter": 30}),
        (CLOUDS, {"settle": "never", "max_iter": 4, "min_margin": 0}),
        ({"name": "points", "X": [[0, 1], [2, 3]], "y": [1, -1], "classes": ["z", "a"]}, {}),
    ],
)
def test_the_python_that_it_offers_makes_the_same_mistakes(data, learner):
    run, names = told(data, learner), {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(run["code"], names)
    log = names["model"].log_
    assert (log.i.tolist(), log.c.tolist()) == (run["log"]["i"], run["log"]["c"])
    assert printed.getvalue().startswith(f"{run['stop']} {run['mistakes']}\n")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learner", [{}, {"fit_intercept": False}])
@pytest.mark.parametrize("kernel", [None, "linear"])
def test_the_python_that_it_offers_gives_the_verdict_of_the_page(learner, kernel):
    run = told("textbook", learner | {"kernel": kernel})
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(run["code"], {})
    verdict, begins = ("touching", "not separable: ") if learner else ("separable", "separable")
    assert run["verdict"]["verdict"] == verdict
    assert printed.getvalue().splitlines()[-1].startswith(begins)


def test_a_long_run_is_cut_where_the_replay_ends():
    run = told(CLOUDS, {"min_margin": 0, "max_iter": PASSES_ALLOWED})
    assert (run["mistakes"], run["full"]) == (TRACE, TRACE)


# -- What it refuses -------------------------------------------------------------------------------

POINT = {"name": "points", "X": [[0, 0], [1, 1]], "y": [1, -1]}


@pytest.mark.parametrize(
    ("data", "learner", "sentence"),
    [
        ("digits", {}, "there are no data called 'digits'"),
        ({"name": "clouds"}, {}, "clouds needs"),
        (CLOUDS | {"n": 3000}, {}, "n of clouds is a whole number between 4 and 2000"),
        (CLOUDS | {"n": 10.5}, {}, "a whole number"),
        (CLOUDS | {"colour": 1}, {}, "clouds has no 'colour'"),
        (POINT | {"X": [[0, 0]] * (POINTS + 1), "y": [1] * (POINTS + 1)}, {}, "at most 2,000"),
        (POINT | {"X": [[0] * 17] * 2}, {}, "the most is 16"),
        (POINT | {"X": [[0, 0], [1]]}, {}, "the same number of features"),
        (POINT | {"X": [[], []]}, {}, "at least one"),
        (POINT | {"X": [[0, "0"], [1, 1]]}, {}, "'0' is not a number"),
        (POINT | {"X": [[0, True], [1, 1]]}, {}, "'True' is not a number"),
        (POINT | {"X": [[0, 1e300], [1, 1]]}, {}, "between 1e-09 and 1e+09"),
        (POINT | {"X": [[0, 10**400], [1, 1]]}, {}, "between 1e-09 and 1e+09"),
        (POINT | {"y": [1, 1]}, {}, "points of every class"),
        (POINT | {"y": [1, 2]}, {}, "-1 and 1, or the numbers"),
        (POINT | {"y": [-1, 0]}, {}, "-1 and 1, or the numbers"),
        (POINT | {"classes": ["a", "b", "c"]}, {}, "or the numbers of their classes"),
        (POINT | {"y": [0, 2], "classes": ["a", "b", "c"]}, {}, "points of every class"),
        (POINT | {"classes": list("abcde")}, {}, "there are 2 to 4 classes, not 5"),
        (POINT | {"held": 7}, {}, "held is one of 0, 2, 3, 4, 5"),
        (POINT | {"held": 2}, {}, "a class has no points"),
        (POINT | {"y": [1]}, {}, "2 points have 1 labels"),
        (POINT | {"classes": ["a", "a"]}, {}, "two classes are called 'a'"),
        (POINT | {"classes": ["a"]}, {}, "there are 2 to 4 classes, not 1"),
        (POINT | {"classes": ["a", 1]}, {}, "classes are 2 names"),
        (POINT | {"features": ["a", 1]}, {}, "features are 2 names"),
        ({"name": "table", "text": "1,a\n3,b\n5,c\n1,d\n2,e\n"}, {}, "5 labels"),
        ({"name": "table", "text": ""}, {}, "table.csv"),
        ({"name": "table", "text": ",".join(["abc"] * 10**5)}, {}, "has 100,000 columns"),
        ("xor", {"colour": "red"}, "the learner has no 'colour'"),
        ("xor", {"max_updates": 5}, "the learner has no 'max_updates'"),
        ("xor", {"rule": "newton"}, "rule='newton' is not known"),
        ("xor", {"order": "zigzag"}, "order='zigzag' is not known"),
        ("xor", {"kernel": "quantum"}, "kernel='quantum' is not known"),
        ("xor", {"kernel": "precomputed"}, "not a precomputed kernel"),
        ("xor", {"kernel": "rbf", "form": "dual"}, "the learner has no 'form'"),
        ("xor", {"max_iter": PASSES_ALLOWED + 1}, "at most 1,000 passes"),
        ("xor", {"eta0": -1}, "eta0 must be a number above 0"),
        ("xor", {"eta0": [1]}, "eta0 is not a list"),
        ("xor", {"shuffle": "no"}, "shuffle is true or false"),
        ("xor", {"start": [1, 2]}, "2 weights and a bias"),
        ("iris", {"start": [1, 2, 3]}, "2 weights and a bias for each class, 9 numbers"),
        ("xor", {"start": "1, 2"}, "start and features are lists"),
        ("xor", {"settle": "auto"}, "settle is one of first, after, never here"),
        ("xor", {"class_weight": [1, 2, 3]}, "3 weights; there are 2 classes"),
        ("xor", {"class_weight": [1, 0]}, "weights here are between"),
        ("xor", {"class_weight": "heavy"}, "balanced"),
        ("xor", {"boundary": 2}, "boundary=2 is not known"),
        ("xor", {"features": ["cubes"]}, "features are some of squares, products, sines"),
        ("xor", {"order": "adversary"}, "points that are separable"),
        ("iris", {"order": "adversary"}, "for two classes"),
        ("textbook", {"order": "adversary", "class_weight": "balanced"}, "equal steps"),
        ("xor", {"kernel": "poly", "degree": 40}, "at most 10 degrees"),
    ],
)
def test_what_is_not_understood_or_too_much_is_refused_in_a_sentence(data, learner, sentence):
    status, body = respond(data, learner)
    assert (status, sentence in body["error"]) == (422, True), body


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[" * 100_000, b'{"data":NaN}', b'{"learner":{"eta0":Infinity}}'],
)
def test_what_is_not_json_is_refused(body):
    assert answer("run", body)[0] == 400


# -- Over the wire ---------------------------------------------------------------------------------


def start(*options):
    command = [sys.executable, "-c", "from rosenblatt.cli import main; main()", "play"]
    command += ["--no-browser", "--port", "0", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def found(process):
    """Where a server is."""
    address = urlsplit(json.loads(process.stdout.readline())["address"])
    return SimpleNamespace(process=process, host=address.netloc, path=address.path)


@pytest.fixture(scope="module")
def server():
    process = start("--json")
    yield found(process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)


def fetch(server, body=None, path="run", method="POST", **headers):
    """A status, headers and a body."""
    connection = http.client.HTTPConnection(server.host, timeout=60)
    kind = {"Content-Type": "application/json"} if method == "POST" else {}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    path = path if path.startswith("/") else server.path + path
    connection.request(
        method, path, body, {k: v for k, v in (kind | given).items() if v is not None}
    )
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    return reply.status, reply.headers, content


def state(data="xor", **learner):
    return json.dumps({"data": {"name": data}, "learner": learner})


def test_a_run_over_the_wire_is_the_same(server):
    status, _, body = fetch(server, state("textbook", shuffle=False))
    assert (status, json.loads(body)) == (200, told("textbook", {"shuffle": False}))


def test_the_page_is_complete_and_has_no_inline_code(server):
    status, headers, body = fetch(server, path="", method="GET")
    policy = headers["Content-Security-Policy"]
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert b"<style" not in body
    assert b" style=" not in body
    assert b" on" + b"click" not in body
    for name in ("main.js", "style.css", "words.js", "icon.svg"):
        assert fetch(server, path=name, method="GET")[0] == 200


@pytest.mark.parametrize(
    ("status", "wrong"),
    [
        (403, {"Host": "evil.example"}),
        (403, {"Host": "127.0.0.1"}),
        (403, {"Host": "127.0.0.1:1"}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Origin": "null"}),
        (403, {"Sec_Fetch_Site": "cross-site"}),
        (403, {"Sec_Fetch_Site": "same-site"}),
        (403, {"path": "/run"}),
        (403, {"path": "/0000000000000000000000/run"}),
        (404, {"path": "fit"}),
        (403, {"path": "/"}),
        (405, {"method": "PUT"}),
        (415, {"Content_Type": "text/plain"}),
        (415, {"Content_Type": None}),
        (413, {"Content_Length": str(BODY + 1)}),
    ],
)
def test_strangers_are_refused(server, status, wrong):
    assert fetch(server, state(), **wrong)[0] == status


def test_our_own_page_may_ask(server):
    from_page = {"Origin": f"http://{server.host}", "Sec_Fetch_Site": "same-origin"}
    assert fetch(server, state(), **from_page)[0] == 200


def test_a_million_points_are_too_large_a_request(server):
    many = {"name": "points", "X": [[0, 0]] * 10**6, "y": [1] * 10**6}
    status, _, body = fetch(server, json.dumps({"data": many, "learner": {}}))
    assert (status, json.loads(body)["error"]) == (413, f"a request has at most {BODY:,} bytes")


def test_a_body_without_a_length_is_read_no_further_than_the_limit(server):
    def pieces():
        for _ in range(100):
            yield b" " * 50_000

    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        assert fetch(server, pieces(), Transfer_Encoding=None)[0] == 413
    assert fetch(server, state())[0] == 200


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: "])
def test_a_header_that_does_not_arrive_holds_no_connection(before, sent, monkeypatch):
    monkeypatch.setattr(server_module, "HEADER_SECONDS", 0.2)

    async def answer(scope, receive, send):
        await asyncio.sleep(0.4)  # longer than a header may take
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    async def ask():
        config = uvicorn.Config(answer, lifespan="off", timeout_keep_alive=1)
        served = await asyncio.get_running_loop().create_server(
            lambda: server_module.TimedConnection(config, ServerState(), {}), "127.0.0.1", 0
        )
        reader, writer = await asyncio.open_connection(*served.sockets[0].getsockname())
        for _ in range(before):
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            await reader.readuntil(b"done")
        writer.write(sent)
        with contextlib.suppress(ConnectionResetError):
            await asyncio.wait_for(reader.read(), 4)
        served.close()

    with ThreadPoolExecutor(1) as beside:  # a browser's tests keep a loop in the main thread
        beside.submit(asyncio.run, ask()).result()


def test_nothing_is_found_outside_the_page(server):
    for path in ("../server.py", "%2e%2e/server.py", "page/main.js", "main.py"):
        assert fetch(server, path=path, method="GET")[0] == 404


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5000), st.floats(allow_nan=False), st.text(max_size=8)
)
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=5), v, max_size=3)
)
rows = st.lists(st.lists(st.floats(-100, 100), min_size=2, max_size=2), min_size=2, max_size=8)
samples = st.one_of(
    values,
    st.sampled_from([{"name": "xor"}, {"name": "touching"}, CLOUDS, {"name": "iris", "held": 3}]),
    st.fixed_dictionaries({"name": st.just("table"), "text": st.text(max_size=60)}),
    rows.flatmap(
        lambda X: st.fixed_dictionaries(
            {"name": st.just("points"), "X": st.just(X)}
            | {"y": st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=len(X), max_size=len(X))},
            optional={
                "classes": st.sampled_from([["b", "a"], ["a", "b", "c"], ["a"], [1, 2]]),
                "held": st.sampled_from([0, 2, 3, 7]) | scalars,
            },
        )
    ),
)
learners = st.fixed_dictionaries(
    {},
    optional={
        "eta0": scalars | st.floats(1e-3, 10),
        "rule": st.sampled_from(["rosenblatt", "margin", "pa", "pa1", "pa2", "relaxation", "x"]),
        "order": st.sampled_from(["sweep", "random", "worst", "active", "adversary"]),
        "boundary": st.sampled_from(["mistake", 1, -1]) | scalars,
        "class_weight": st.sampled_from([None, "balanced", [1, 2], [1, 2, 3]]) | values,
        "features": st.sampled_from([[], ["squares"], ["sines", "products"]]) | values,
        "settle": st.sampled_from(["first", "after", "never", "auto"]),
        "kernel": st.sampled_from([None, "rbf", "poly", "sigmoid", "cosine", "laplacian"]),
        "gamma": scalars,
        "keep": st.sampled_from(["pocket", "best", "last", "average", "vote"]),
        "batch_size": st.sampled_from([1, 2, "all", 0]),
        "start": values,
        "max_iter": st.integers(0, 20),
        "fit_intercept": st.booleans(),
        "margin": scalars,
    },
)


requests = st.fixed_dictionaries({"data": samples, "learner": learners | values})


exports = st.fixed_dictionaries({"state": values, "questions": st.lists(requests, max_size=2)})


@given(st.sampled_from(["run", "export"]), values | requests | exports)
def test_whatever_is_sent_is_answered(server, question, body):
    status, _, reply = fetch(server, json.dumps(body), path=question)
    assert status in (200, 400, 422), reply
    assert ("error" in json.loads(reply)) == (status != 200)


@given(st.binary(max_size=200).filter(lambda body: body not in WARM))  # bytes of the source
def test_bytes_that_are_no_request_leave_the_server_answering(server, body):
    assert fetch(server, body)[0] in (400, 422)
    assert server.process.poll() is None


def test_hundreds_at_once_are_answered_or_refused_politely(server):
    with ThreadPoolExecutor(200) as crowd:
        replies = list(crowd.map(lambda _: fetch(server, state()), range(200)))
    assert {status for status, *_ in replies} == {200, 503}
    refused = {json.loads(body)["code"] for status, _, body in replies if status == 503}
    assert refused == {"busy"}
    assert fetch(server, state())[0] == 200


# -- Time and processes ----------------------------------------------------------------------------


@pytest.mark.slow
def test_what_takes_too_long_is_stopped_and_the_next_is_answered():
    async def story():
        pool = Pool(seconds=0.05)
        pool.begin()
        slow = json.dumps({"data": CLOUDS | {"n": POINTS}, "learner": {"kernel": "rbf"}}).encode()
        with pytest.raises(Refused, match="stopped after"):
            await pool.ask("run", slow)
        pool.seconds = 60
        answered = await pool.ask("run", state().encode())
        await pool.stop()
        return answered[0]

    with ThreadPoolExecutor(1) as beside:  # a browser's tests keep a loop in the main thread
        assert beside.submit(asyncio.run, story()).result() == 200


@pytest.mark.parametrize("moments", range(0, 24, 2))
def test_a_pool_can_be_stopped_at_any_moment_of_its_start(moments):
    async def story():
        pool = Pool(seconds=1)
        pool.begin()
        for _ in range(moments):
            await asyncio.sleep(0)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()  # as asyncio.run does, too
        async with asyncio.timeout(30):
            await pool.stop()
        return len(pool.tasks)

    with ThreadPoolExecutor(1) as beside:
        assert beside.submit(asyncio.run, story()).result() == 0


def test_ctrl_c_ends_it_though_somebody_waits():
    process = start("--json")
    server = found(process)
    connection = http.client.HTTPConnection(server.host, timeout=60)
    kind = {"Content-Type": "application/json"}
    connection.request("POST", server.path + "run", state(), kind)  # its workers still wake up
    assert fetch(server, path="", method="GET")[0] == 200
    process.send_signal(signal.SIGINT)
    assert connection.getresponse().status == 503
    connection.close()
    _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint.strip()) == (130, b"interrupted")


def test_where_other_machines_may_come_in_it_warns(monkeypatch, capsys):
    monkeypatch.setattr(server_module, "listen", lambda host, port: listen("127.0.0.1", 0))
    monkeypatch.setattr(server_module, "serve", lambda door, sock: sock.close())
    monkeypatch.setattr(access_control, "network_numbers", lambda: ["10.1.2.3"])
    with pytest.raises(SystemExit):
        main(["play", "--no-browser", "--host", "0.0.0.0", "http://127.0.0.1:1/secret/#data=xor"])
    printed = capsys.readouterr()
    assert "whoever reaches this machine at 0.0.0.0" in printed.err
    assert re.match(r"http://127\.0\.0\.1:\d+/[\w-]{22}/#data=xor ", printed.out)
    assert re.search(r"machines: http://10\.1\.2\.3:\d+/[\w-]{22}/#data=xor", printed.out)


def test_a_classroom_gets_the_address_of_the_network_and_a_square_of_it(monkeypatch):
    pytest.importorskip("segno")
    monkeypatch.setattr(access_control, "network_numbers", lambda: ["10.1.2.3"])
    door = ServerAddress("0.0.0.0", 1958, "secret")
    page = server_module.load_page(door.for_others)
    assert b'<body data-classroom="http://10.1.2.3:1958/secret/">' in page["index.html"]
    assert page["classroom.svg"].startswith(b"<?xml")
    assert "█" in classroom.square_text(door.for_others)
    assert ServerAddress("127.0.0.1", 1958, "secret").for_others is None
    assert "classroom.svg" not in server_module.load_page(None)


@pytest.mark.parametrize(
    ("door", "host", "ours"),
    [
        (ServerAddress("127.0.0.1", 1958, "x"), "localhost:1958", True),
        (ServerAddress("127.0.0.1", 1958, "x"), "192.168.1.5:1958", False),
        (ServerAddress("0.0.0.0", 1958, "x"), "192.168.1.5:1958", True),
        (ServerAddress("0.0.0.0", 1958, "x"), "rebound.example:1958", False),
        (ServerAddress("lab.example", 1958, "x"), "lab.example:1958", True),
        (ServerAddress("::1", 1958, "x"), "[::1]:1958", True),
        (ServerAddress("127.0.0.1", 80, "x"), "localhost", True),
        (ServerAddress("127.0.0.1", 1958, "x"), "localhost", False),
    ],
)
def test_the_hosts_that_are_ours(door, host, ours):
    assert is_ours(door, host) is ours


def test_a_port_in_use_is_told(server):
    with pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", int(server.host.partition(":")[2]))
