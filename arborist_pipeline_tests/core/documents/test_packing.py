"""Bodies come back to the byte, however they were packed; what is none is refused, and no bomb goes off."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.packing import pack_bodies, unpack_body


@given(st.lists(st.binary(max_size=300), max_size=5))
def test_bodies_come_back_each_by_itself(bodies):
    assert [unpack_body(packed) for packed in pack_bodies(bodies)] == [(body, True) for body in bodies]
    assert [unpack_body(zlib.compress(body)) for body in bodies] == [(body, True) for body in bodies]


@pytest.mark.parametrize("pack", [lambda body: next(pack_bodies([body])), zlib.compress], ids=["zstd", "zlib"])
def test_no_more_is_unpacked_than_is_asked_for(pack):
    body, is_whole = unpack_body(pack(bytes(10**8)), 1000)
    assert (len(body), is_whole) == (1000, False)


@pytest.mark.parametrize("pack", [lambda body: next(pack_bodies([body])), zlib.compress], ids=["zstd", "zlib"])
@pytest.mark.parametrize("kept", range(1, 9))
def test_a_body_without_its_end_is_not_whole(pack, kept):
    packed = pack(b"A lamp for a desk, and a desk for a lamp")
    assert unpack_body(packed[: len(packed) - kept])[1] is False


@pytest.mark.parametrize("packed", [b"\xff\x00", b"no body", b"\x28\xb5\x2f\xfd" + b"\xff" * 20])
def test_what_is_no_packed_body_is_refused(packed):
    with pytest.raises(ValueError, match=r"."):
        unpack_body(packed)
