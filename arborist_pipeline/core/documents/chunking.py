"""blocks-v1: canonical text to chunks whose borders depend on the text around them alone.

A line closes its chunk by its own hash, so an edit moves no border but those it touches, and what two pages share
gives the same chunks on both. There is no minimum size: it would make a border depend on where the chunk began.
"""

from collections.abc import Iterator
from hashlib import sha256

MAX_CHUNK_CHARACTERS = 4_000
_CLOSING_BLOCK_CHARACTERS = 40  # shorter lines (menu entries, labels) repeat too often to be borders
_LONG_CHUNK_CHARACTERS = 1_500  # from here on any line may close


def split_chunks(text: str) -> tuple[str, ...]:
    """Split a norm-v1 text into chunks of whole lines, each at most 4,000 code points; "" gives none.

    Joined by LF the chunks are the text again, unless a line was longer than 4,000 and lost a space where it was cut.
    """
    chunks: list[str] = []
    lines: list[str] = []
    length = -1  # of the lines joined by LF
    for line in _blocks(text):
        if lines and length + 1 + len(line) > MAX_CHUNK_CHARACTERS:
            chunks.append("\n".join(lines))
            lines, length = [], -1
        lines.append(line)
        length += 1 + len(line)
        if (len(line) >= _CLOSING_BLOCK_CHARACTERS or length >= _LONG_CHUNK_CHARACTERS) and _closes(line, length):
            chunks.append("\n".join(lines))
            lines, length = [], -1
    if lines:
        chunks.append("\n".join(lines))
    return tuple(chunks)


def _blocks(text: str) -> Iterator[str]:
    """Yield the lines, over-long ones cut at their last space that fits, or where they must."""
    for line in text.split("\n") if text else ():
        rest = line
        while len(rest) > MAX_CHUNK_CHARACTERS:
            space = rest.rfind(" ", 1, MAX_CHUNK_CHARACTERS + 1)
            stop = space if space > 0 else MAX_CHUNK_CHARACTERS
            yield rest[:stop]
            rest = rest[stop + 1 if space > 0 else stop :]
        yield rest


def _closes(line: str, chunk_length: int) -> bool:
    may_close = len(line) >= _CLOSING_BLOCK_CHARACTERS
    is_long = chunk_length >= _LONG_CHUNK_CHARACTERS
    mark = int.from_bytes(sha256(line.encode()).digest()[:4], "big")
    return (may_close and mark % 3 == 0) or (is_long and mark % 8 == 0)
