"""What several tests of separability share."""

import pytest

from rosenblatt.separability import decide, facial_reduction, proofs
from rosenblatt.separability.floating_point import orthonormal_basis


@pytest.fixture
def as_if_wide(monkeypatch):
    """Decide as in thousands of columns: no frame, no exact arithmetic."""
    for module in (decide, facial_reduction, proofs):
        monkeypatch.setattr(module, "REACH", 0)
    for module in (decide, orthonormal_basis):
        monkeypatch.setattr(module, "MOST_DIMENSIONS", 0)
