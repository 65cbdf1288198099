"""Tests in a browser; a package, so that their conftest is not taken for that of all tests."""
