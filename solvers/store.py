"""Large computed data in a file: written whole or not at all, and never believed when read.

Layout, little-endian: magic (8 bytes), format version and length of the header text (4 bytes
each), the header text (JSON: what this is), one 4-byte checksum for each block of the body, the
SHA-256 of all that, zeros up to a multiple of `ALIGNMENT`, the body.

The head is checked when a file is opened; blocks of the body by whoever touches them.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import struct
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAGIC = b"3CROWNS\n"
VERSION = 1
ALIGNMENT = 4096
PREFIX = struct.Struct("<8sII")
DIGEST_BYTES = 32
STALE_SECONDS = 3600  # a temporary file this old was left behind by a killed process


class UnusableFile(Exception):
    """A file that is not what was looked for; the text says why."""


def write(path: Path, header: dict[str, object], body: bytearray, checksums: Sequence[int]) -> None:
    """Write the file in one step: nobody ever sees half of it. Raises OSError.

    `checksums` are of the blocks of the body, 32 bits each; `header` says how large blocks are.
    """
    head = _head(header, checksums)
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(path)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{time.time_ns()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(head)
            file.write(b"\0" * (-len(head) % ALIGNMENT))
            file.write(body)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _head(header: dict[str, object], checksums: Sequence[int]) -> bytes:
    text = _text(header)
    head = PREFIX.pack(MAGIC, VERSION, len(text)) + text
    head += struct.pack(f"<{len(checksums)}I", *checksums)
    return head + hashlib.sha256(head).digest()


def _text(header: dict[str, object]) -> bytes:
    """A JSON object; its keys and values are plain words and numbers of ours."""
    fields = (f'"{key}": "{value}"' for key, value in sorted(header.items()))
    return ("{" + ", ".join(fields) + "}").encode("ascii")


def temporaries(path: Path) -> list[Path]:
    """Unfinished files beside `path`, of running or killed processes."""
    return sorted(path.parent.glob(f"{path.name}.*.tmp"))


def _remove_stale(path: Path) -> None:
    for temporary in temporaries(path):
        with contextlib.suppress(OSError):
            if time.time() - temporary.stat().st_mtime > STALE_SECONDS:
                temporary.unlink()


def read(
    path: Path, header: dict[str, object], blocks: int, size: int
) -> tuple[memoryview, memoryview]:
    """Map a file that must carry this header, so many blocks, and a body of `size` bytes.

    Returns the body and the checksums of its blocks (unsigned 32-bit). Raises UnusableFile, or
    OSError where the file cannot be read (FileNotFoundError where there is none).
    """
    text = _text(header)
    at_checksums = PREFIX.size + len(text)
    at_digest = at_checksums + 4 * blocks
    at_body = at_digest + DIGEST_BYTES
    at_body += -at_body % ALIGNMENT
    with path.open("rb") as file:
        length = os.fstat(file.fileno()).st_size
        if length < at_checksums:
            raise UnusableFile(f"it is cut short, at {length} bytes")
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    magic, version, text_length = PREFIX.unpack_from(mapped)
    if magic != MAGIC:
        raise UnusableFile("it is no file of this program")
    if version != VERSION:
        raise UnusableFile(f"its format has version {version}, not {VERSION}")
    if text_length != len(text) or mapped[PREFIX.size : at_checksums] != text:
        raise UnusableFile("it was written for other rules or by another version")
    if length != at_body + size:
        raise UnusableFile(f"it has {length} bytes instead of {at_body + size}")
    if hashlib.sha256(mapped[:at_digest]).digest() != mapped[at_digest : at_digest + DIGEST_BYTES]:
        raise UnusableFile("its head is damaged")
    # Copied, because the checksums need not be aligned in the file.
    checksums = memoryview(bytearray(mapped[at_checksums:at_digest])).cast("I")
    return mapped[at_body:], checksums
