import gzip

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from arborist_pipeline.core.web.xml_text import MAX_BYTES, iter_text, repair_xml


def read(body):
    faults = []
    text = "".join(iter_text(body, lambda fault, _example: faults.append(fault)))
    return text, faults


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200).filter(lambda text: not text.startswith("\ufeff"))
)
def test_text_comes_through_packed_or_not(text):
    body = text.encode()
    if not body.startswith(b"\x1f\x8b") and "<?xml" not in text:
        assert read(body) == (text, [])
        assert read(gzip.compress(body)) == (text, [])


def test_no_more_than_the_limit_is_read_and_that_is_said():
    text, faults = read(b"a" * (MAX_BYTES + 1))
    assert len(text) == MAX_BYTES
    assert faults == ["longer than 52,428,800 bytes uncompressed: the rest is not read"]


def test_a_file_of_exactly_the_limit_is_whole():
    assert read(b"a" * MAX_BYTES)[1] == []


def test_a_bomb_is_inflated_piece_by_piece_and_only_up_to_the_limit():
    bomb = gzip.compress(b"a" * (3 * MAX_BYTES), 1)
    faults = []
    sizes = [len(piece) for piece in iter_text(bomb, lambda fault, _example: faults.append(fault))]
    assert max(sizes) <= 65_536
    assert sum(sizes) == MAX_BYTES
    assert faults == ["longer than 52,428,800 bytes uncompressed: the rest is not read"]


@given(st.text("&;amplt#x10<>[]CDAT! /", max_size=60))
def test_repaired_text_is_well_formed_and_says_what_was_meant(text):
    """Any text without tags of its own reads, after repair, as itself: known references resolved, others kept."""
    text = text.replace("<", "").replace(">", "")
    repaired = "".join(repair_xml(iter([text]), lambda _fault, _example: None))
    try:
        element = etree.fromstring(f"<a>{repaired}</a>")
    except etree.XMLSyntaxError as fault:
        assert "CharRef" in str(fault)  # noqa: PT017  # a number that is no character, like &#0;
    else:
        assert (element.text or "").count("&") <= text.count("&")


@given(st.lists(st.sampled_from(["&", "&amp;", "<a>", "</a>", "x", "<![CDATA[&]]>"]), max_size=20), st.integers(1, 7))
def test_where_a_file_is_cut_does_not_matter(parts, size):
    text = "".join(parts)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join(repair_xml(iter(pieces), lambda *_: None)) == "".join(repair_xml(iter([text]), lambda *_: None))
