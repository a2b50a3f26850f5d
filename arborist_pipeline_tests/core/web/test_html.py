"""Trees: any string has one, all of a page is in it, and pages nested too deep say so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.html import (
    MAX_ATTRIBUTES,
    MAX_DEPTH,
    MAX_TAGS,
    bound_attributes,
    clean_html,
    inline_text,
    parse_html,
)
from arborist_pipeline.core.web.links import extract_links

PIECES = [*"<>/!-?=&;# \n'\"\x00\ud800\ufeff\x0b", "oak",
          "<p>", "</p>", "<div ", "</html>", "<html>", "<body>", "<title>", "<!--", "-->", "<?xml ", "<![CDATA[", "]]>",
          "</br>", "&#0;", "&#xD800;", "<script>", "<table>", "<a href="]  # fmt: skip


@pytest.mark.parametrize("text", ["", " \n", "\x00", "\ufeff", "<!doctype html>", "<!-- c -->", "<?pi?>"])
def test_a_text_without_elements_has_no_roots(text):
    tree = parse_html(text)
    assert (tree.roots, tree.too_deep) == ((), False)


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_any_text_has_a_tree_of_elements(text):
    tree = parse_html(text)
    assert all(isinstance(element.tag, str) for element in tree.iter())
    assert not tree.too_deep


def test_elements_come_in_document_order_whatever_stands_beside_the_root():
    tree = parse_html("<!-- a --><p>1</p></body></html><!-- b --><p>2</p><div>3</div>")
    assert [inline_text(element) for element in tree.iter("p", "div")] == ["1", "2", "3"]
    assert list(tree.iter("table")) == []
    assert [element.tag for element in parse_html("<p><b>x</b>").iter()] == ["html", "body", "p", "b"]


def test_text_after_a_comment_is_text_of_the_element_around_it():
    (element,) = parse_html("<p>from <!-- -->$5<?pi?> a <b>piece</b></p>").iter("p")
    assert inline_text(element) == "from $5 a piece"


def test_declarations_inside_a_decoded_text_change_nothing():
    for head in ("<meta charset=koi8-r>", "<?xml version='1.0' encoding='koi8-r'?>"):
        assert inline_text(next(parse_html(f"{head}<p>\xe9\u20ac</p>").iter("p"))) == "\xe9\u20ac"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("\ufeff\ufeffoak", "\ufeffoak"),
        ("\x00\ufeffo\x00ak", "oak"),
        ("a</br>b</BR >c</br/>d</bra>e</br", "a<br>b<br >c<br/>d</bra>e</br"),
    ],
)
def test_cleaning_is_the_first_step_of_body_v1(text, clean):
    assert clean_html(text.encode()) == clean.encode()


def test_half_a_surrogate_pair_is_no_character():
    assert inline_text(next(parse_html("<p>a\ud800b\udfff").iter("p"))) == "a\ufffdb\ufffd"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p> oak\n\telm <b>ash</b>yew </p>", "oak elm ashyew"),
        ("<p>oak<!-- no -->elm<?no?>ash</p>", "oakelmash"),
        ("<p></p>", ""),
    ],
)
def test_inline_text_folds_white_space_and_passes_comments_over(html, text):
    assert inline_text(next(parse_html(html).iter("p"))) == text


@pytest.mark.parametrize(("encoding", "kept"), [("cp1251", "cp1251"), ("utf-8", "utf-8"), ("utf-16-le", "utf-8")])
def test_links_of_utf_16_pages_are_escaped_in_utf_8(encoding, kept):
    assert parse_html("<p>", encoding=encoding).encoding == kept


@pytest.mark.parametrize("tag", ["div", "span", "b", "ul", "x-card"])
@pytest.mark.parametrize(("spare", "too_deep"), [(0, False), (1, True)])
def test_a_thousand_levels_are_not_too_deep_and_one_more_is(tag, spare, too_deep):
    body = f"<{tag}>" * (MAX_DEPTH - 2 + spare)  # html and body are two
    tree = parse_html(f"<html><body>{body}<!-- c -->")
    assert max(sum(1 for _ in element.iterancestors()) + 1 for element in tree.iter()) == MAX_DEPTH + spare
    assert tree.too_deep == too_deep


@pytest.mark.parametrize("html", ["<p>" * 5_000, "<div></div>" * 5_000, ("<div>" * 90 + "</div>" * 90) * 50])
def test_many_elements_side_by_side_are_not_deep(html):
    assert not parse_html(html).too_deep


def test_a_second_root_may_be_too_deep_as_well():
    assert parse_html("<p>x</p></body></html>" + "<div>" * 1_001).too_deep


@pytest.mark.parametrize("tag", ["<div>", "<span>", "<b>", "<ul><li>", "<table><tr><td>", "<a href=x>y<div>"])
def test_a_huge_page_nested_too_deep_ends_and_gives_the_links_that_were_read(tag):
    tree = parse_html("<a href=/first>first</a>" + tag * (3_000_000 // len(tag)))
    assert tree.too_deep
    assert extract_links(tree, "https://oak.example/").links[0].url == "https://oak.example/first"


def test_links_below_a_thousand_levels_are_given_to_where_the_parser_reads():
    tree = parse_html("<div>" * 1_500 + "<a href=/deep>deep</a>" + "</div>" * 1_500 + "<a href=/after>after</a>")
    assert tree.too_deep
    urls = [link.url for link in extract_links(tree, "https://oak.example/").links]
    assert urls == ["https://oak.example/deep", "https://oak.example/after"]


def attributes(count, form="a{}"):
    return " ".join(form.format(number) for number in range(count))


@pytest.mark.parametrize(
    "form", ["a{}", "a{}=1", "a{}='>'", 'a{}="</p><p>"', "a{} = 'x'", "a{}=<b", "/a{}", 'é{}="\'"']
)
@pytest.mark.parametrize("around", ["{}", "<script>x<b c='</script>{}", "<!-- <p a='-->{}", '<title><a b="</title>{}'])
def test_of_a_tag_with_too_many_attributes_the_first_are_kept_and_the_page_is_read_on(form, around):
    tag = f"<p id=x {attributes(30_000, form)}>oak</p>"
    tree = parse_html(f"<a href=/before>b</a>{around.format(tag)}<a href=/after>a</a>")
    assert tree.lost_attributes
    assert max(len(element.attrib) for element in tree.iter()) == MAX_ATTRIBUTES
    assert (next(tree.iter("p")).get("id"), inline_text(next(tree.iter("p")))) == ("x", "oak")
    urls = [link.url for link in extract_links(tree, "https://oak.example/").links]
    assert urls == ["https://oak.example/before", "https://oak.example/after"]


JSON = '{"a": "x=1 y=2", "b": "<p c=d>e</p>", "f": null} '


@pytest.mark.parametrize(
    "html",
    [
        f"<p {attributes(MAX_ATTRIBUTES)}>x</p>",
        f"<p data-json='{JSON * 20_000}' id=x>x</p>",
        f"<script>if (a <b {JSON.replace('>', ' ') * 20_000})</script><p>x</p>",
        f"<!-- <p {attributes(5_000)}> --><p>x</p>",
        f"<textarea><p {attributes(5_000)}></textarea><p>x</p>",
        "<p " + "a=1 " * 5_000 + ">x</p>",
    ],
)
def test_long_values_scripts_and_comments_lose_nothing(html):
    assert bound_attributes(source := html.encode()) is source
    assert not parse_html(html).lost_attributes


def test_a_page_that_hides_a_tag_from_the_cut_is_not_read():
    tree = parse_html(f"<script>x<b {attributes(MAX_ATTRIBUTES - 1)} c='</script><p {attributes(5_000)} d='e'>x'</p>")
    assert (tree.roots, tree.too_large, tree.is_whole) == ((), True, False)


def test_a_page_of_a_million_tags_is_read_whole_and_of_a_larger_one_the_beginning():
    whole, larger = parse_html("<br>" * (MAX_TAGS - 1) + "<p>last"), parse_html("<br>" * MAX_TAGS + "<p>lost")
    assert (whole.is_whole, inline_text(next(whole.iter("p")))) == (True, "last")
    assert (larger.is_whole, larger.too_large, list(larger.iter("p"))) == (False, True, [])
