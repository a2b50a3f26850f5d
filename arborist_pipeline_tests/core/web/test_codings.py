"""Content codings: each round-trips in any pieces, bombs stop early, damage is said, claims are not believed."""

import gzip
import random
import zlib

import brotli
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.codings import BodyReader, parse_codings

HTML = b"<!doctype html><html><body>" + b"".join(b"<p>paragraph %d</p>" % n for n in range(3_000)) + b"</body></html>"


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


def read(header: str, wire: bytes, *, pieces: int = 1, limit: int = 10_000_000) -> BodyReader:
    reader = BodyReader(parse_codings(header), limit)
    size = max(1, len(wire) // pieces)
    for start in range(0, len(wire), size):
        reader.feed(wire[start : start + size])
    reader.end()
    return reader


@pytest.mark.parametrize("pieces", [1, 7, 1_000])
@pytest.mark.parametrize("name", ENCODERS)
def test_every_coding_comes_back_whole_in_any_pieces(name, pieces):
    reader = read(name, ENCODERS[name](HTML), pieces=pieces)
    assert (bytes(reader.body), reader.is_broken, reader.is_too_large) == (HTML, False, False)


def test_deflate_without_a_zlib_header_is_read_as_browsers_do():
    assert bytes(read("deflate", raw_deflate(HTML)).body) == HTML


def test_codings_are_undone_in_reverse_order():
    assert bytes(read("gzip, br", brotli.compress(gzip.compress(HTML))).body) == HTML


@pytest.mark.parametrize("pieces", [1, 3, 10_000])
@pytest.mark.parametrize(
    "tail", [b"", b"\x00" * 9, b"\x1f", b"\x28\xb5\x2f"], ids=["", "zeros", "half gzip", "half zstd"]
)
@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_members_one_after_another_are_one_body_and_what_is_no_member_after_them_is_none_of_it(name, tail, pieces):
    parts = [HTML, b"", b"a" * 1_000, b"", b"b", HTML]
    reader = read(name, b"".join(map(ENCODERS[name], parts)) + tail, pieces=pieces)
    assert (bytes(reader.body), reader.is_broken) == (b"".join(parts), False)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_member_that_breaks_off_after_a_whole_one_is_broken(name):
    encoded = ENCODERS[name](HTML)
    reader = read(name, encoded + encoded[: len(encoded) // 2])
    assert reader.is_broken
    assert bytes(reader.body).startswith(HTML)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "identity", "", "unknown"])
def test_a_plain_body_under_any_claim_stays_as_it_is(name):
    reader = read(name, HTML, pieces=5)
    assert (bytes(reader.body), reader.is_broken) == (HTML, False)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_stops_long_before_its_size(name):
    reader = read(name, ENCODERS[name](bytes(200_000_000)), limit=50_000_000, pieces=16)
    assert reader.is_too_large
    assert len(reader.body) <= 4 * 1024 * 1024


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_a_coding_cut_off_is_broken_and_keeps_what_came(name):
    noise = random.Random(1).randbytes(400_000)
    wire = ENCODERS[name](noise)
    reader = read(name, wire[: len(wire) // 2], pieces=4)
    assert reader.is_broken
    assert noise.startswith(bytes(reader.body))


def test_the_cap_on_bytes_holds_exactly():
    reader = read("gzip", gzip.compress(random.Random(2).randbytes(300_000)), limit=100_000)
    assert reader.is_too_large
    assert len(reader.body) == 100_000


@given(st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, gzip", "br, zstd"]), st.binary(max_size=400))
def test_no_bytes_make_it_raise(name, wire):
    read(name, wire, pieces=3)
