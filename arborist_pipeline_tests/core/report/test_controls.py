import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.report.controls import escape_controls, mask_controls
from arborist_pipeline.core.report.render import RENDERERS
from arborist_pipeline.core.report.report import to_json

STEERING = "\x1b[2J\x1b]0;owned\x07\x08\x7f\x9b31m\u2028\u202eevil\u2066\x00"
CHARACTERS = {character for character in STEERING if not character.isprintable()}


@pytest.mark.parametrize("text", ["", "plain\n\ttext\r\n", "caf\xe9 \u05d0\u05d1 \u200f\u00a0\U0001f333", "\ufffd"])
def test_ordinary_text_of_any_script_stays_as_it_is(text):
    assert mask_controls(text) == escape_controls(text) == text


def test_each_character_that_steers_is_masked():
    assert mask_controls("a\x1bb\rc\x85d\u202ee") == "a\ufffdb\ufffdc\ufffdd\ufffde"


@given(st.text() | st.text(STEERING))
def test_escaped_json_says_the_same_and_steers_nothing(text):
    escaped = escape_controls(json.dumps({"x": text}, ensure_ascii=False))
    assert json.loads(escaped) == {"x": text}
    assert mask_controls(escaped) == escaped


@pytest.mark.parametrize("form", RENDERERS)
def test_no_form_of_a_report_steers_a_terminal(report, form):
    first = report.findings[0]
    source = first.sources[0]._replace(anchor=STEERING)
    hostile = replace(report, site=f"shop {STEERING}", findings=(replace(first, message=STEERING, sources=(source,)),))
    text = RENDERERS[form](hostile)
    assert not CHARACTERS & set(text)
    if form == "json":
        assert json.loads(text) == json.loads(json.dumps(to_json(hostile)))
