"""What to ask of every picture: no text is clipped, and none lies on other text."""

from itertools import combinations


def texts(figure):
    """The boxes of all titles, names of axes, tick labels and legends, by what they say."""
    figure.draw_without_rendering()
    found = []
    for ax in figure.axes:
        parts = [ax.title, ax.xaxis.label, ax.yaxis.label, ax.get_legend()]
        parts += [tick.label1 for axis in (ax.xaxis, ax.yaxis) for tick in axis._update_ticks()]
        parts += ax.texts
        for part in parts:
            if part is None or not part.get_visible() or getattr(part, "get_text", str)() == "":
                continue
            box = part.get_window_extent()
            if box.width > 0 and box.height > 0:
                found.append((getattr(part, "get_text", lambda: "legend")(), box))
    return found


def clipped(figure, slack=1.0):
    """The texts that are not wholly within the figure."""
    width, height = figure.bbox.width + slack, figure.bbox.height + slack
    return [
        text
        for text, box in texts(figure)
        if box.x0 < -slack or box.y0 < -slack or box.x1 > width or box.y1 > height
    ]


def overlapping(figure, slack=1.0):
    """The pairs of texts that lie on each other."""
    return [
        (a, b)
        for (a, p), (b, q) in combinations(texts(figure), 2)
        if min(p.x1, q.x1) - max(p.x0, q.x0) > slack and min(p.y1, q.y1) - max(p.y0, q.y0) > slack
    ]


def assert_legible(figure):
    assert clipped(figure) == []
    assert overlapping(figure) == []
