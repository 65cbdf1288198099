"""The playground: a local page that replays what the library learned, mistake by mistake.

`server` speaks HTTP and computes nothing; `process_pool` has processes of their own, which can be
stopped; `responses` is what they do: a state comes in as JSON, and the run goes back. The page
learns nothing itself, so that it can be written to one file with its run, which needs no server.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.play.one_file import ReplayPage


def export(model: Any, X: Any, y: Any, path: Any = None, *, lang: str = "en") -> "ReplayPage":
    """A page that replays a recorded run, as one HTML file that needs no server and no network.

    Parameters
    ----------
    model : Perceptron or KernelPerceptron
        Fitted with ``record=True`` on two to four classes.
    X, y : array-like
        The rows and labels it was fitted on: at most 2,000 rows of 16 features.
    path : path or None
        Where to write the file.
    lang : {"en", "zh"}
        The language in which the page opens; it can be switched there.

    Returns
    -------
    ReplayPage
        Shows itself in a notebook; has ``html`` and ``save(path)``.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, play
    >>> X, y = datasets.textbook()
    >>> page = play.export(Perceptron(shuffle=False, record=True).fit(X, y), X, y)
    >>> page.html.splitlines()[0]
    '<!doctype html>'
    """
    from rosenblatt.play.one_file import replay_page  # the server does not need it, and starts

    page = replay_page(model, X, y, lang)
    if path is not None:
        page.save(path)
    return page
