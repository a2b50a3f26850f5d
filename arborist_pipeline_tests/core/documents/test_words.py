"""Words are the same in a text, in a question and in a snippet's marks; whatever is asked is data."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.words import (
    MAX_PHRASE_WORDS,
    MAX_PHRASES,
    find_snippet,
    parse_query,
    split_words,
)


@pytest.mark.parametrize(("text", "words"), [
    ("Desk lamp, 40W (oak)", ["desk", "lamp", "40w", "oak"]),
    ("Crème brûlée", ["creme", "brulee"]),
    ("cre\u0300me", ["cre", "me"]),  # stored texts are NFC: no accent stands apart in them
    ("Straße STRASSE", ["strasse", "strasse"]),
    ("東京の lamp", ["東", "京", "の", "lamp"]),
    ("ไฟ", ["ไ", "ฟ"]),
    ("snake_case -x+y*", ["snake", "case", "x", "y"]),
    ("\uff26\uff55ll", ["full"]),
    ("\x00\ud800 \t", []),
    ("", []),
])  # fmt: skip
def test_words_are_runs_of_letters_and_digits_without_case_and_accents(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize(("asked", "phrases"), [
    ("Desk lamp", (("desk",), ("lamp",))),
    ('"desk lamp" oak', (("desk", "lamp"), ("oak",))),
    ("“desk lamp”", (("desk", "lamp"),)),
    ('"desk lamp', (("desk", "lamp"),)),
    ("wall-lamp", (("wall", "lamp"),)),
    ("lamp lamp LAMP", (("lamp",),)),
    ("東京", (("東", "京"),)),
    ("a AND b OR NOT c NEAR(d)", (("a",), ("and",), ("b",), ("or",), ("not",), ("c",), ("near", "d"))),
    ('"" \' * ^ : - % ; -- \x00', ()),
])  # fmt: skip
def test_what_is_asked_is_words_and_phrases_and_nothing_else(asked, phrases):
    assert parse_query(asked) == phrases


@given(st.text(max_size=300))
@example('"' * 10_000)
@example("a " * 10_000)
@example("x" * 10_000)
@example(" ".join(map(str, range(3_000))))
def test_any_text_may_be_asked(asked):
    phrases = parse_query(asked)
    assert len(phrases) <= MAX_PHRASES
    assert all(1 <= len(words) <= MAX_PHRASE_WORDS for words in phrases)
    assert '"' not in "".join(word for words in phrases for word in words)


@given(st.lists(st.sampled_from(["lamp", "Lampe", "Öl", "x" * 30, ".", "\n", "東"]), max_size=120).map(" ".join))
def test_marks_are_words_that_were_asked_for_and_the_snippet_is_a_piece_of_the_text(text):
    snippet = find_snippet(text, {"lamp", "ol", "東"}, width=60)
    assert all(split_words(snippet.text[start:end])[0] in {"lamp", "ol", "東"} for start, end in snippet.marks)
    assert snippet.text.strip("…") in text.replace("\n", " ")
    assert len(snippet.text) <= 60 + 2
    assert bool(snippet.marks) == bool({"lamp", "ol", "東"} & set(split_words(text)))
    assert list(snippet.marks) == sorted(snippet.marks)


def test_a_snippet_is_where_most_of_the_words_stand():
    text = "lamp. " + "Nothing of note. " * 50 + "An oak desk with a lamp." + " More of nothing." * 50
    snippet = find_snippet(text, {"oak", "lamp", "desk"})
    assert "oak desk with a lamp" in snippet.text
    assert [snippet.text[start:end] for start, end in snippet.marks] == ["oak", "desk", "lamp"]
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")


def test_a_text_without_the_words_shows_its_beginning():
    assert find_snippet("A short text.", {"lamp"}) == ("A short text.", ())
