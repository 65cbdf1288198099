"""Pages are tests; the figures of a page are closed when it ends."""

import pytest

collect_ignore_glob = ["*.py", "gallery/*"]  # scripts that build the pages


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
