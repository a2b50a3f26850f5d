"""JSON and object literals as shops write them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.literals import MAX_DEPTH, parse_literal_at, parse_values

NESTED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.text(st.characters(exclude_characters="\ud800"), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1}', ({"a": 1},)),
        ('{"a": 1,}', ({"a": 1},)),
        ("[1, 2,]", ([1, 2],)),
        ('{"a": 1};', ({"a": 1},)),
        ('{"a": "x\ny"}', ({"a": "x\ny"},)),
        ("{a: 'it', b: !0, c: undefined}", ({"a": "it", "b": True, "c": None},)),
        ('{"a": 1, /* c */ "b": 2 // d\n}', ({"a": 1, "b": 2},)),
        ('{"url": "https://x.example/a", "b": 2,}', ({"url": "https://x.example/a", "b": 2},)),
        ('{"a": "12" wide", "b": 1}', ({"a": '12" wide', "b": 1},)),
        ('{"a": 1} {"b": 2}', ({"a": 1}, {"b": 2})),
        ('<!-- {"a": 1} -->', ({"a": 1},)),
        ('//<![CDATA[\n{"a": 1,}\n//]]>', ({"a": 1},)),
        ('/*<![CDATA[*/{"a": 1,}/*]]&gt;*/', ({"a": 1},)),
        ("{&quot;a&quot;: &quot;b &amp;amp; c&quot;}", ({"a": "b &amp; c"},)),
        ('{"a": "\\u00e9\\/\\n", }', ({"a": "é/\n"},)),
        ('{"a": .5, "b": -1e3,}', ({"a": 0.5, "b": -1000.0},)),
        ("null", (None,)),
        ("", ()),
        ("no json at all", ()),
        ('{"a": ', ()),
        ('{"broken": (} {"b": 2}', ({"b": 2},)),
    ],
)  # fmt: skip
def test_values_are_read_as_shops_write_them(text, values):
    assert parse_values(text) == values


@pytest.mark.parametrize(
    ("text", "marker", "value"),
    [
        ('var a = {"x": [1]}; var b = 2;', "=", {"x": [1]}),
        ("window.s = JSON.parse('{\"x\": 1}');", "(", {"x": 1}),
        ('window.s = JSON.parse("{\\"x\\": \\"y\\"}");', "(", {"x": "y"}),
        ("var a = function () {}", "=", None),
        ("var a = {x: 1, f: function () { return {y: 2} }, z: g('a, b')}", "=", {"x": 1, "f": None, "z": None}),
        ("var a = {x: 'a' + b + \"c\", y: [f(1), 2]}", "=", {"x": "a", "y": [None, 2]}),
        ("var a = {x 1}", "=", None),
    ],
)
def test_a_literal_is_read_where_it_begins(text, marker, value):
    assert parse_literal_at(text, text.index(marker) + 1)[0] == value


@given(NESTED)
def test_strict_json_reads_as_the_standard_library_reads_it(value):
    assert parse_values(json.dumps({"v": value})) == ({"v": value},)


@given(NESTED)
def test_what_the_standard_library_refuses_for_a_comma_reads_the_same(value):
    assert parse_values(f"[{json.dumps(value, ensure_ascii=False)},\n,]") == ([value],)


@given(st.text(alphabet="{}[]\"':,/*\\ab1 \n<!->", max_size=120))
def test_reading_is_total(text):
    assert isinstance(parse_values(text), tuple)
    assert parse_literal_at(text, 0)[1] > 0


@pytest.mark.parametrize("piece", ["{", '["', '{"a":', '"  ', "/*", "{a//", "<!--", "{/*", "`", "{'", "\\", "[[1,"])
def test_hostile_repetition_is_read_in_one_pass(piece):
    text = piece * 60_000
    assert isinstance(parse_values(text), tuple)
    assert parse_literal_at("{" + text, 0)[0] is None


def test_nesting_beyond_the_bound_is_left_out():
    (value,) = parse_values("[" * 5_000 + "]" * 5_000 + ",")
    depth = 0
    while isinstance(value, list) and value:
        value, depth = value[0], depth + 1
    assert depth < MAX_DEPTH
