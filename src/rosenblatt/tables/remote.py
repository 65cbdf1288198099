"""Files that are elsewhere: s3://, https:// and whatever else fsspec reads."""

import re
from io import BufferedReader
from typing import Any, BinaryIO

from rosenblatt.extras import need

REQUEST_BYTES = 2**20  # bytes that are asked for
PACKAGES = {"s3": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "http": "aiohttp", "https": "aiohttp"}


def scheme(path: Any) -> str | None:
    """The scheme of an address; None for a path."""
    found = re.match(r"([a-z][a-z0-9+.-]+)://", str(path))
    return found[1] if found else None


def filesystem(path: str) -> tuple[Any, str]:
    """What reads an address, and the place there; or one sentence that says what is missing."""
    name = scheme(path)
    core = need("fsspec.core", "remote", f"reading {name}://")
    try:
        return core.url_to_fs(path)
    except ImportError as error:
        package = PACKAGES.get(str(name), f"a package of fsspec for {name}")
        raise ImportError(
            f"reading {name}:// needs {package}: pip install 'rosenblatt[remote]'", name=package
        ) from error
    except ValueError as error:
        raise ValueError(f"{path}: fsspec does not know {name}://") from error


def open_remote(path: str) -> BinaryIO:
    """The bytes at an address. Files of fsspec read lines of any length only."""
    return BufferedReader(_asked(path, "open", "rb"), REQUEST_BYTES)


def size_and_version(path: str) -> tuple[int, str]:
    """The size of a file, or 0 if nobody says, and whatever tells that it has changed."""
    found = _asked(path, "info")
    changed = [str(found[k]) for k in ("ETag", "etag", "mtime", "LastModified") if found.get(k)]
    return int(found.get("size") or 0), " ".join(changed)


def expanded(path: str) -> list[str]:
    """The addresses that a pattern stands for."""
    files, _ = filesystem(path)
    return [files.unstrip_protocol(found) for found in sorted(_asked(path, "glob"))]


def _asked(path: str, what: str, *how: str) -> Any:
    """What a server answers; or one sentence, whatever its library raises."""
    files, place = filesystem(path)
    try:
        return getattr(files, what)(place, *how)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{path}: there is no such file") from error
    except Exception as error:
        why = str(error).partition("\n")[0] or type(error).__name__
        raise OSError(f"{path} cannot be read: {why}") from error
