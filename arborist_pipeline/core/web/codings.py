"""Content codings undone as bytes come (RFC 9110 §8.4.1): gzip, deflate, br, zstd, in bounded memory.

A coding that the bytes do not have (a body sent plain under `Content-Encoding: gzip`) is taken off again: what the
bytes are counts, not what a header claims.
"""

import sys
import zlib
from dataclasses import dataclass, field
from typing import Any, Protocol

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
MAX_RATIO = 200  # HTML seldom shrinks to a twentieth; a bomb of zeros to a thousandth
RATIO_FREE_BYTES = 1024 * 1024  # below this size no ratio matters
_STEP_BYTES = 256 * 1024
_MAX_CODINGS = 4
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


class _Decoder(Protocol):
    """One coding: `feed` gives at most about `limit` bytes, `rest` says that more is there without new input."""

    def feed(self, data: bytes, limit: int) -> bytes: ...

    @property
    def rest(self) -> bool: ...

    @property
    def finished(self) -> bool: ...


@dataclass(slots=True)
class BodyReader:
    """A body in the making: feed it what the wire gives, read `body`, `is_too_large`, `is_broken`.

    At most `limit` decoded bytes are kept; past that, or where the decoded size is out of all proportion to what came,
    `is_too_large` is set and nothing more is taken. `is_broken` says that the coding was damaged; what came before it
    stays.
    """

    codings: tuple[str, ...]
    limit: int
    body: bytearray = field(default_factory=bytearray)
    wire_bytes: int = 0
    is_too_large: bool = False
    is_broken: bool = False
    _decoders: list[_Decoder] | None = None

    @property
    def is_full(self) -> bool:
        """Whether there is no use in feeding more."""
        return self.is_too_large or self.is_broken

    def feed(self, data: bytes) -> None:
        """Take bytes from the wire."""
        if self.is_full or not data:
            return
        self.wire_bytes += len(data)
        if self._decoders is None:
            self._decoders = _build_decoders(self.codings, data)
        try:
            self._push(data, self._decoders)
        except (zlib.error, brotli.error, zstd.ZstdError, EOFError):
            self.is_broken = True

    def end(self) -> None:
        """Say that the wire has ended: a coding that has not is broken."""
        if not self.is_full and any(not decoder.finished for decoder in self._decoders or ()):
            self.is_broken = True

    def _push(self, data: bytes, decoders: list[_Decoder]) -> None:
        if not decoders:
            self._take(data)
            return
        head, *tail = decoders
        piece = head.feed(data, _STEP_BYTES)
        while piece or head.rest:
            if piece:
                self._push(piece, tail)
            if self.is_full or not head.rest:
                return
            piece = head.feed(b"", _STEP_BYTES)

    def _take(self, data: bytes) -> None:
        self.body += data
        bomb = len(self.body) > RATIO_FREE_BYTES and len(self.body) > self.wire_bytes * MAX_RATIO
        if len(self.body) > self.limit or bomb:
            del self.body[self.limit :]
            self.is_too_large = True


def parse_codings(header: str) -> tuple[str, ...]:
    """Return the codings of a Content-Encoding header in the order they were applied, `identity` left out."""
    names = (part.strip().lower() for part in header.split(","))
    return tuple(name.removeprefix("x-") for name in names if name and name != "identity")[:_MAX_CODINGS]


def _build_decoders(codings: tuple[str, ...], start: bytes) -> list[_Decoder]:
    """Build the decoders, last coding first; one whose magic the bytes lack is left out."""
    decoders: list[_Decoder] = []
    for place, name in enumerate(reversed(codings)):
        if place == 0 and not _has_magic(name, start):
            continue
        match name:
            case "gzip":
                decoders.append(_Zlib(wbits=31))
            case "deflate":
                decoders.append(_Zlib(wbits=15 if _looks_like_zlib(start) or place else -15))
            case "br":
                decoders.append(_Brotli())
            case "zstd":
                decoders.append(_Zstd())
            case _:
                break  # unknown to us: the bytes are what they are
    return decoders


def _has_magic(name: str, start: bytes) -> bool:
    if name == "gzip":
        return start[:2] == _GZIP_MAGIC[: len(start)]
    if name == "zstd":
        return start[:4] == _ZSTD_MAGIC[: len(start)]
    return not start.lstrip()[:15].lower().startswith((b"<!doctype", b"<html", b"<?xml"))  # br, deflate have no magic


def _looks_like_zlib(start: bytes) -> bool:
    return len(start) > 1 and start[0] & 0x0F == 8 and (start[0] << 8 | start[1]) % 31 == 0


class _Zlib:
    """zlib, raw deflate or gzip; gzip members may follow one another (RFC 1952 §2.2)."""

    def __init__(self, *, wbits: int) -> None:
        self._wbits = wbits
        self._object = zlib.decompressobj(wbits)
        self._rest = b""

    def feed(self, data: bytes, limit: int) -> bytes:
        pending = self._rest + data
        if self._object.eof:
            if self._wbits != 31 or not pending.startswith(_GZIP_MAGIC):
                self._rest = pending if _GZIP_MAGIC.startswith(pending) else b""
                return b""
            self._object = zlib.decompressobj(self._wbits)
        piece = self._object.decompress(pending, limit)
        self._rest = self._object.unused_data if self._object.eof else self._object.unconsumed_tail
        return piece

    @property
    def rest(self) -> bool:
        if self._object.eof:
            return self._wbits == 31 and self._rest.startswith(_GZIP_MAGIC)
        return bool(self._rest)

    @property
    def finished(self) -> bool:
        return self._object.eof


class _Brotli:
    def __init__(self) -> None:
        self._object: Any = brotli.Decompressor()

    def feed(self, data: bytes, limit: int) -> bytes:
        if self._object.is_finished():
            return b""
        return bytes(self._object.process(data, output_buffer_limit=limit))

    @property
    def rest(self) -> bool:
        return not self._object.is_finished() and not self._object.can_accept_more_data()

    @property
    def finished(self) -> bool:
        return bool(self._object.is_finished())


class _Zstd:
    """zstd; frames may follow one another (RFC 8878 §3)."""

    def __init__(self) -> None:
        self._object = zstd.ZstdDecompressor()
        self._rest = b""

    def feed(self, data: bytes, limit: int) -> bytes:
        pending = self._rest + data
        if self._object.eof:
            if not pending.startswith(_ZSTD_MAGIC):
                self._rest = pending if _ZSTD_MAGIC.startswith(pending) else b""
                return b""
            self._object = zstd.ZstdDecompressor()
        piece = bytes(self._object.decompress(pending, limit))
        self._rest = self._object.unused_data if self._object.eof else b""
        return piece

    @property
    def rest(self) -> bool:
        return self._rest.startswith(_ZSTD_MAGIC) if self._object.eof else not self._object.needs_input

    @property
    def finished(self) -> bool:
        return bool(self._object.eof)
