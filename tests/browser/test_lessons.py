"""The lessons: each can be gone through, its facts are true, and it can be taken away as a file."""

import pytest

pytestmark = pytest.mark.slow

NAMES = ("model", "loss", "primal", "dual", "separability", "novikoff", "pocket", "kernels")


def slow(name):
    return pytest.param(name, marks=pytest.mark.slow)


def lessons_of(page):
    """All lessons, as the page has them."""
    return page.evaluate("""async () => (await import("./lessons.js")).LESSONS.map((lesson) => ({
        ...lesson, steps: lesson.steps.map((step) => ({ ...step, goal: Boolean(step.goal) })),
    }))""")


def begin(page, name):
    page.evaluate("document.querySelector('#card-lessons').open = true")
    page.click(f"#lesson-{name}")
    page.wait_for_selector("#guide h2")


def answer(page, step):
    """Answer a step as one who knows; what is asked must be true of the run that is shown."""
    page.wait_for_selector("body:not([aria-busy])")
    if step["goal"]:
        assert page.inner_text("#guide .then") == ""
        page.click("#lesson-solution")
    elif "point" in step:
        page.locator("#scrub").fill(str(step["point"] + 1))
        erring = page.inner_text("#sentence").split("oint ")[1].split(" ")[0]
        page.click(f"#option-{int(erring) - 1}")
    else:
        page.click(f"#option-{step['answer']}")
    page.wait_for_selector("#guide .then strong")
    assert page.inner_text("#guide .then").startswith("Right.")


def go_through(page, lesson):
    for k, step in enumerate(lesson["steps"]):
        assert page.inner_text("#guide h2").endswith(f"({k + 1} of {len(lesson['steps'])})")
        answer(page, step)
        page.click("#lesson-next")
    page.wait_for_selector("#guide", state="hidden")


def test_there_are_eight_in_both_languages(visit):
    lessons = lessons_of(visit())
    assert [lesson["name"] for lesson in lessons] == list(NAMES)
    for lesson in lessons:
        texts = [lesson["title"]]
        for step in lesson["steps"]:
            texts += [step["tell"], step["ask"], step["then"], *step.get("options", [])]
            assert step["goal"] + ("point" in step) + ("options" in step) == 1
            assert bool(step.get("solution")) == step["goal"]
        assert all(len(pair) == 2 and all(pair) for pair in texts)


@pytest.mark.parametrize("names", [("primal", "separability"), slow(NAMES)])
def test_lessons_can_be_gone_through_and_the_browser_remembers_it(visit, names):
    page = visit()
    for lesson in lessons_of(page):
        if lesson["name"] in names:
            begin(page, lesson["name"])
            go_through(page, lesson)
    page.reload()
    page.wait_for_selector("#stamp")
    done = page.locator("#lessons .done").all_text_contents()
    assert done == ["done" if name in names else "" for name in NAMES]


def test_a_wrong_answer_is_told_and_the_right_one_shown(visit):
    page = visit("#data=textbook&k=1&lesson=loss.1")
    page.click("#option-0")
    assert page.inner_text("#guide .then").startswith("Not quite. (3, 3) + (−1)·(1, 1) = (2, 2)")
    page.click("[data-lang=zh]")
    assert page.inner_text("#guide .then").startswith("不对。")
    page.go_back()
    page.go_forward()


def test_a_point_is_an_answer_too_and_a_goal_is_reached_by_hand(visit):
    page = visit("#data=textbook&k=1&lesson=primal.1")
    x, y = page.evaluate("""() => {
        const box = document.querySelector("#figure-a .points .neg").getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }""")
    page.mouse.click(x, y)
    assert page.inner_text("#guide .then").startswith("Right.")
    assert page.locator("#figure-a .points > *").count() == 3
    page = visit("#data=textbook&k=0&lesson=model.2")
    page.fill("#start", "2, 0, -5")
    page.keyboard.press("Enter")
    page.wait_for_selector("#guide .then strong")
    assert page.inner_text("#guide .then").startswith("Right.")


@pytest.mark.parametrize("name", ["kernels", *(slow(n) for n in NAMES if n != "kernels")])
def test_a_lesson_is_a_file_of_its_own(visit, from_disk, tmp_path, name):
    page = visit()
    (lesson,) = [each for each in lessons_of(page) if each["name"] == name]
    begin(page, name)
    with page.expect_download() as caught:
        page.click("#lesson-save")
    caught.value.save_as(tmp_path / "lesson.html")
    go_through(from_disk(tmp_path / "lesson.html"), lesson)
