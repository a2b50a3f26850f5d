import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.sniffing import SNIFFED_BYTES, sniff_type


@pytest.mark.parametrize("body", [
    b"", b" ", b"<!doctype html>", b"\n\t <HTML>", b"<p>x", b"<!-- x -->", b"plain words", b"caf\xe9",
    b"\xef\xbb\xbf<p>",
    "<html>".encode("utf-16"), "<html>".encode("utf-16-le"), "<html>".encode("utf-16-be"),
    b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">', b"<?xml version='1.0'?><html xmlns='y'>",
    "\x1b$B4A\x1b(B".encode("latin-1"), b"<p>\x00\x01",
])  # fmt: skip
def test_what_may_be_a_page_is_given_the_benefit_of_the_doubt(body):
    assert sniff_type(body) == ""


@pytest.mark.parametrize(("body", "media_type"), [
    (b"%PDF-1.4", "application/pdf"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff\xe0", "image/jpeg"), (b"PK\x03\x04", "application/zip"), (b"\x1f\x8b\x08", "application/gzip"),
    (b"ID3\x03", "audio/mpeg"), (b"OggS\x00", "application/ogg"),
    (b"\x00\x00\x00\x18ftypmp42", "application/octet-stream"),
    (b"words\x00words", "application/octet-stream"), (b'<?xml version="1.0"?><rss version="2.0">', "text/xml"),
    (b"\xef\xbb\xbf<?xml version='1.0'?><urlset>", "text/xml"), (b"%!PS-Adobe-3.0", "application/postscript"),
])  # fmt: skip
def test_what_is_no_page_gives_its_type_away(body, media_type):
    assert sniff_type(body) == media_type


@given(st.binary(max_size=60), st.binary(max_size=600))
def test_any_bytes_have_an_answer_that_their_first_bytes_decide(start, rest):
    body = (start + rest).ljust(SNIFFED_BYTES, b"x")
    assert sniff_type(body) == sniff_type(body[:SNIFFED_BYTES]) == sniff_type(body + b"\x00<html>%PDF")
