"""What several tests of separability share."""

import pytest
from adversary import verdicts


@pytest.fixture
def as_if_wide():
    """Decide as in thousands of columns: no frame, no exact arithmetic."""
    with verdicts.as_if_wide():
        yield
