"""How a store keeps raw bodies: as zstd (RFC 8878), older ones as zlib (RFC 1950); their first bytes tell which."""

import sys
import zlib
from collections.abc import Iterable, Iterator

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CODING = "zstd"
"""What `pack_bodies` makes."""
_LEVEL = 1  # 0.05 ms a page of 14 kB, a third of what zlib's fastest level takes, and smaller; level 6 takes 0.2 ms
_MAGIC = b"\x28\xb5\x2f\xfd"


def pack_bodies(bodies: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each body compressed, as a frame of its own."""
    compressor = zstd.ZstdCompressor(level=_LEVEL)  # to make one takes half as long as a page
    for body in bodies:
        yield compressor.compress(body, compressor.FLUSH_FRAME)


def unpack_body(packed: bytes, limit: int | None = None) -> tuple[bytes, bool]:
    """Return a body, at most `limit` bytes of it (> 0), and whether the packed bytes reach to its end.

    Raises ValueError for bytes that are no body packed.
    """
    try:
        if packed.startswith(_MAGIC):
            frame = zstd.ZstdDecompressor()
            return frame.decompress(packed, -1 if limit is None else limit), frame.eof
        stream = zlib.decompressobj()
        return stream.decompress(packed, limit or 0), stream.eof
    except (zlib.error, zstd.ZstdError) as error:
        raise ValueError(str(error)) from error
