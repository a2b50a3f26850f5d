"""norm-v1 and body-v1 as tables of own cases, the laws of norm-v1, and all shared vectors."""

import json
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.chunking import split_chunks
from arborist_pipeline.core.documents.merkle import build_tree, hash_leaf
from arborist_pipeline.core.documents.text import MIN_MAIN_CHARACTERS, body_text, normalize_text, order_marks
from arborist_pipeline.core.web.html import parse_html

# What norm-v1 treats in some special way, so that random texts meet it often.
ODD = (
    "\t\n\x0b\x0c\r \x85\xa0\xad\u200b\u200c\u200d\u2028\u2029\u2060\u3000\ufeff\ud800\udfff\x00\x1b\x7f"
    "\u0301e\u0327\u1e69\uac00\u1100\u1161ab"
)
TEXTS = st.one_of(st.text(alphabet=ODD), st.text(alphabet=st.characters(exclude_categories=())))
MARKUP = [
    *"<>/= \n\x00'\"!-&;\ud800\ufeff", *"div p pre nav br hidden script".split(), "<p>", "</p>", "<nav>", "</nav>",
    "<td>", "<title>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "&#0;", "</html>", "<html>", "<body>", "<head>", "oak",
]  # fmt: skip
LONG = "Bark, heartwood and sapwood tell the age of a tree to whoever counts the rings with patience. " * 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \t\n\u3000\r\n", ""),
        ("oak  elm\t\tash", "oak elm ash"),
        ("  oak  \n\n\n  elm  ", "oak\nelm"),
        ("oak\r\nelm\rash\x0byew\x0cfir\x85bay\u2028box\u2029end", "oak\nelm\nash\nyew\nfir\nbay\nbox\nend"),
        ("oak\xa0\u2003\u3000elm", "oak elm"),
        ("o\xada\u200bk\u2060 \ufeffelm", "oak elm"),
        ("o\x00a\x1bk\x9f\x7f", "oak"),
        ("e\u0301", "\xe9"),
        ("e\xad\u0301", "\xe9"),
        ("\u212b \u2126", "\xc5 \u03a9"),
        ("\xb2 \xbd \ufb01 \uff21", "\xb2 \xbd \ufb01 \uff21"),
        ("\u1100\u1161", "\uac00"),
        ("a\u200db\u200cc\u200ed", "a\u200db\u200cc\u200ed"),
        ("Oak “quoted” — 1\u20442", "Oak “quoted” — 1\u20442"),
        ("a\ud800b", "a\ufffdb"),
        ("\u180e", "\u180e"),
        ("a \u0301b", "a \u0301b"),
    ],
)
def test_norm_v1_brings_a_text_to_one_form(text, expected):
    assert normalize_text(text) == expected


@given(TEXTS)
@example("\u200b\n\u0301")
def test_norm_v1_is_idempotent(text):
    once = normalize_text(text)
    assert normalize_text(once) == once
    assert unicodedata.is_normalized("NFC", once)


MARKS = st.lists(st.sampled_from("\u0301\u0316\u0345\u0f73\u0344\u0327\u1161a\u05b4\U000e0100\U0001d165"), min_size=40)


@given(MARKS.map("".join), TEXTS)
def test_long_runs_of_marks_have_the_normal_forms_that_they_had(marks, text):
    text = f"e{marks}{text}{marks}"
    for form in ("NFC", "NFD"):
        assert unicodedata.normalize(form, order_marks(text)) == unicodedata.normalize(form, text)


def test_every_mark_is_looked_for():
    characters = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    marks = [each for each in characters if unicodedata.combining(unicodedata.normalize("NFD", each)[0])]
    assert len(marks) > 900
    for mark in marks:
        run = order_marks("a" + mark * 40 + "\u0316" * 40)  # ordered: were they left alone, the text would be the same
        assert all(one <= two for one, two in pairwise(map(unicodedata.combining, run[1:]))), hex(ord(mark))


@given(TEXTS, TEXTS)
def test_norm_v1_is_line_local(first, second):
    parts = [part for part in (normalize_text(first), normalize_text(second)) if part]
    assert normalize_text(f"{first}\n{second}") == "\n".join(parts)


def body(html):
    text = body_text(parse_html(html))
    assert text is not None
    return text.body


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("<!-- only this -->", ""),
        ("bare words", "bare words"),
        ("<title>t</title><p>words</p>", "words"),
        ("<p>o<b>a</b><i>k</i> <a href=x>elm</a></p>", "oak elm"),
        ("<p>oak\n   elm\u2028ash</p>", "oak elm ash"),
        ("<div>oak<p>elm</p>ash</div>", "oak\nelm\nash"),
        ("oak<br>elm<br/>ash</br>yew", "oak\nelm\nash\nyew"),
        ("<pre>oak\n  elm\x0bash</pre>yew", "oak\nelm\nash\nyew"),
        ("<pre><code>oak\n<b>elm\nash</b>\nyew</code></pre>", "oak\nelm\nash\nyew"),
        ("<textarea>oak\nelm <b></textarea>", "oak\nelm <b>"),
        ("<table><tr><td>oak<td>elm<tr><th>ash<td><p>yew</p></table>", "oak elm\nash\nyew"),
        ("<label>S</label><input><label>M</label><button>go</button>on", "S M go on"),
        ("<select><option>S<option>M</select>fits", "S\nM\nfits"),
        ("<ul><li>oak<li>elm</ul>", "oak\nelm"),
        ("oak<script>x()</script>elm<style>p{}</style>ash<noscript>no</noscript>", "oakelmash"),
        ("oak<svg><title>t</title></svg>elm<iframe>f</iframe>ash<math><mi>x</mi></math>yew", "oak elm ash yew"),
        ("oak<!-- no -->elm<?php no ?>ash<![CDATA[no]]>yew", "oakelmashyew"),
        ("oak<div hidden>no</div>elm", "oakelm"),
        ("<p hidden=UNTIL-FOUND>oak</p><p hidden=' until-found'>no</p>", "oak"),
        ("<body hidden>oak<svg hidden></svg>elm", "oakelm"),
        ("oak<dialog>no</dialog>elm<dialog open>yes</dialog>", "oakelm\nyes"),
        ("<details><summary>oak</summary>elm</details>", "oak\nelm"),
        ("<p style='display:none' aria-hidden=true>oak</p>", "oak"),
        ("<img alt=no title=no><input value=no>oak", "oak"),
        ("<x-card>oak</x-card><o:p>elm</o:p><wbr>ash", "oakelmash"),
        ("<p>oak</p></body></html><p>elm</p>", "oak\nelm"),
        ("<html><body>oak</body></html><!-- c --><html><body>elm</body></html>", "oak\nelm"),
        ("<p>caf&eacute; &#x2013; &#150; &amp;amp; &nosuch;</p>", "caf\xe9 \u2013 \u2013 &amp; &nosuch;"),
        ("\ufeff<p>o\x00ak\ud800</p>", "oak\ufffd"),
        ("<meta charset=koi8-r><p>\xe9", "\xe9"),
        ("<?xml version='1.0' encoding='latin1'?><html><body>\xe9</body></html>", "\xe9"),
    ],
)
def test_body_v1_reads_the_text_of_a_page(html, expected):
    assert body(html) == expected


@pytest.mark.parametrize(
    ("landmark", "kept"),
    [
        ("<nav>L</nav>", False),
        ("<nav role=presentation>L</nav>", False),
        ("<main><aside>L</aside></main>", False),
        ("<search>L</search>", False),
        ("<div role=' Navigation menu'>L</div>", False),
        ("<div role='menu navigation'>L</div>", True),
        ("<div role='\xa0navigation'>L</div>", True),
        ("<form role=search>L</form>", False),
        ("<span role=contentinfo>L</span>", False),
        ("<header>L</header>", False),
        ("<div><footer>L</footer></div>", False),
        ("<article><header>L</header></article>", True),
        ("<div role=region><footer>L</footer></div>", True),
        ("<section></section><footer>L</footer>", False),
        ("<article><header role=banner>L</header></article>", False),
        ("<div role=alert>L</div>", True),
    ],
)
def test_main_text_leaves_landmarks_out_and_a_line_break_in_their_place(landmark, kept):
    text = body_text(parse_html(f"<p>a<span>b{landmark}c</span></p><p>{LONG}</p>"))
    assert text is not None
    assert "L" in text.body.split("Bark")[0]
    assert text.main.startswith("ab\nc\n") or kept
    assert ("L" in text.main.split("Bark")[0]) == kept
    assert (text.main == text.body) == kept


def test_nested_landmarks_leave_one_gap_and_roles_on_the_page_itself_count_for_nothing():
    text = body_text(parse_html(f"<body role=banner>a<header>b<nav>c</nav>d</header>e<nav>f</nav><p>{LONG}</p>"))
    assert text is not None
    assert text.body.startswith("a\nb\nc\nd\ne\nf\nBark")
    assert text.main.startswith("a\ne\nBark")


@pytest.mark.parametrize(("length", "kept"), [(MIN_MAIN_CHARACTERS, True), (MIN_MAIN_CHARACTERS - 1, False)])
def test_too_little_main_text_gives_way_to_the_whole(length, kept):
    text = body_text(parse_html(f"<nav>menu</nav><p>{'x' * length}</p>"))
    assert text is not None
    assert (text.main != text.body) == kept


@pytest.mark.parametrize(("depth", "readable"), [(998, True), (999, False), (5_000, False)])
def test_text_is_kept_to_a_thousand_levels_and_refused_beyond(depth, readable):
    html = "<body>" + "<div>" * depth + "deep"  # html and body are two levels more
    text = body_text(parse_html(html))
    assert (text is not None and text.body == "deep") == readable


@given(st.lists(st.sampled_from(MARKUP)).map("".join))
def test_any_string_has_a_text_in_norm_v1(html):
    text = body_text(parse_html(html))
    assert text is not None
    assert normalize_text(text.body) == text.body
    assert normalize_text(text.main) == text.main


@pytest.mark.shared
def test_all_shared_norm_v1_vectors_hold(shared):
    path = shared / "conformance" / "normalisation" / "norm-v1-vectors.jsonl"
    vectors = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(vectors) == 56
    assert [vector["id"] for vector in vectors if normalize_text(vector["input"]) != vector["output"]] == []


@pytest.mark.shared
def test_all_shared_body_v1_vectors_hold_with_their_roots(shared):
    path = shared / "conformance" / "normalisation" / "body-v1-vectors.jsonl"
    vectors = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(vectors) == 262
    for vector in vectors:
        text = body_text(parse_html(vector["html"]))
        if vector["body_text"] is None:
            assert text is None, vector["id"]
            assert vector["reason"] == "too_deep"
            continue
        assert text is not None, vector["id"]
        assert (text.body, text.main) == (vector["body_text"], vector["main_text"]), vector["id"]
        leaves = [[hash_leaf(chunk.encode()) for chunk in split_chunks(part)] for part in (text.body, text.main)]
        assert [build_tree(hashes).root.hex() for hashes in leaves] == [vector["document_root"], vector["main_root"]], (
            vector["id"]
        )
