"""Pages that replay without a server: they open from disk, with the network off."""

import numpy as np
import pytest

from rosenblatt import KernelPerceptron, Perceptron, datasets, play

pytestmark = pytest.mark.slow


def test_a_recorded_run_is_one_file_that_replays(from_disk, tmp_path):
    X, y = datasets.textbook()
    model = Perceptron(shuffle=False, record=True).fit(X, y)
    play.export(model, X, y, tmp_path / "run.html")
    page = from_disk(tmp_path / "run.html")
    for k, (w1, w2, b) in enumerate(model.log_.path(X).tolist()):
        told = f"w = ({w1:g}, {w2:g}),  b = {b:g}".replace("-", "−")
        assert page.inner_text("#now") == told, k
        page.keyboard.press("ArrowRight")
    assert page.inner_text("#stamp") == "Separable"
    page.click("[data-lang=zh]")
    assert page.inner_text("#stamp") == "线性可分"
    assert page.locator("#data-name").is_hidden()


def test_the_file_of_a_kernel_draws_its_borders(from_disk, tmp_path):
    X, y = datasets.circles(60, noise=0.05, random_state=1)
    labels = np.where(y > 0, "in, side", "<out>")
    model = KernelPerceptron(kernel="rbf", record=True).fit(X, labels)
    play.export(model, X, labels, tmp_path / "run.html", lang="zh")
    page = from_disk(tmp_path / "run.html")
    page.keyboard.press("End")
    assert len(page.get_attribute("#figure-a .line", "d")) > 200
    assert "● <out>" in page.inner_text("figcaption")
    assert page.inner_text("#stamp") == "在特征空间中线性可分"


def test_the_page_saves_what_it_shows(visit, from_disk, tmp_path):
    page = visit("#data=clouds&n=30&margin=0.2&noise=0.1&seed=1&compare=1&k=4")
    with page.expect_download() as caught:
        page.click("#save-html")
    caught.value.save_as(tmp_path / "page.html")
    other = from_disk(tmp_path / "page.html")
    for part in ("#sentence", "#formulas", "#stamp", "#conflict", "#fewest"):
        assert other.inner_text(part) == page.inner_text(part)
    assert other.locator("figure:visible").count() == 2


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (Perceptron(), "fit with record=True"),
        (Perceptron(record=True, multi_class="ovr"), "fit with multi_class='direct'"),
        (KernelPerceptron(kernel=lambda A, B: A @ B.T, record=True), "have a name"),
    ],
)
def test_what_cannot_be_replayed_is_refused(model, told):
    X, y = np.array([[0.0, 0], [1, 1], [3, 0]]), np.array([0, 1, 2 if "direct" in told else 1])
    with pytest.raises(ValueError, match=told):
        play.export(model.fit(X, y), X, y)
