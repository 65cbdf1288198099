"""Pages are tests; the figures of a page are closed when it ends."""

import pytest


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
