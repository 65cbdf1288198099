"""What a file is, by how it begins; what is not a table is refused by its name."""

from contextlib import suppress
from zipfile import ZipFile

from rosenblatt.tables.file_formats.formats import UNREADABLE
from rosenblatt.tables.files import File

# How files begin; those of Excel, too, are zip files.
MAGIC = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "feather"),
    (b"FEA1", "feather"),
    (b"\x93NUMPY", "npy"),
    (b"PK\x03\x04", "npz"),
)
NO_TABLES = (
    (b"%pdf", "PDF"),
    (b"<!doctype", "HTML or XML"),
    (b"<html", "HTML or XML"),
    (b"<?xml", "HTML or XML"),
    (b"[{", "JSON"),
    (b"[[", "JSON"),
)


def kind(file: File) -> str:
    """What a file is: parquet, feather, excel, npy, npz, libsvm, or text."""
    if file.is_folder:
        return "parquet"
    head = file.head()
    for magic, name in () if _is_text(head) else MAGIC:
        if head.startswith(magic):
            return "excel" if name == "npz" and is_workbook(file) else name
    if not head.strip():
        raise ValueError(f"{file.name} is empty")
    if head[8:9] == b"{" and head[0] != ord("{") and b"\x00" in head[:8]:
        raise ValueError(f"{file.name} is a model file, not a table")
    begins = b"".join(head.removeprefix(b"\xef\xbb\xbf").split())[:16].lower()
    if begins.startswith((b'{"', b"{}")):
        raise ValueError(f"{file.name} is JSON, not a table; is it a certificate?")
    if other := next((what for begin, what in NO_TABLES if begins.startswith(begin)), ""):
        raise ValueError(f"{file.name} is {other}, not a table; save its table as CSV")
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise ValueError(f"{file.name} is an old Excel file (.xls); save it as .xlsx or CSV")
    if form := _utf16(head):
        raise ValueError(f"{file.name} is UTF-16; convert it first: iconv -f {form} -t UTF-8")
    if b"\x00" in head:
        raise ValueError(f"{file.name} is neither text nor a format that is known here")
    return "libsvm" if _is_libsvm(file, head) else "text"


def _is_text(head: bytes) -> bool:
    """Whether it is of lines, in which all is printed but tabs."""
    return b"\n" in head and min(head.translate(None, b"\t\n\f\r"), default=0) >= ord(" ")


def _utf16(head: bytes) -> str | None:
    """The name of the encoding, if text takes two bytes a letter: by its mark, or by line ends and
    commas of which one byte is zero."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    for name in ("UTF-16LE", "UTF-16BE"):
        with suppress(UnicodeDecodeError):
            text = head[: len(head) // 2 * 2].decode(name)
            if "".join(text.split()).isprintable() and "\n" in text:
                return name
    return None


def is_workbook(file: File) -> bool:
    """Whether a zip file is one of Excel."""
    with suppress(*UNREADABLE), file.open() as stream, ZipFile(stream) as parts:
        return "xl/workbook.xml" in parts.namelist()
    return False


def _is_libsvm(file: File, head: bytes) -> bool:
    """Whether lines are a label and then pairs index:value."""
    if file.stem.endswith((".libsvm", ".svmlight", ".svm")):
        return True
    lines = [line.split(b"#")[0].split() for line in head.splitlines()[:-1] or [head]]
    pairs = [token.partition(b":") for line in lines for token in line[1:]]
    labels = all(_is_number(line[0]) for line in lines if line)
    return labels and bool(pairs) and all(map(_is_pair, pairs))


def _is_pair(pair: tuple[bytes, bytes, bytes]) -> bool:
    """Whether it is the number of a feature, a colon and a value; a time of the clock is not."""
    index, colon, value = pair
    return index == b"qid" or (index.isdigit() and bool(colon) and _is_number(value))


def _is_number(cell: bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
