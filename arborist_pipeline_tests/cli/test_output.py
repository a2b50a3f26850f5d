"""What is written, and where."""

import json

import pytest

from arborist_pipeline.cli.invocation import Misuse
from arborist_pipeline.cli.output import Progress, emit, json_line, printable, say, table


def test_a_table_is_aligned_numbers_to_the_right_and_nothing_as_a_dash():
    assert table(("NAME", "PRICE"), [("chair", "9.50"), ("table", None), ("à la carte", "120.00")]).split("\n") == [
        "NAME         PRICE",
        "chair         9.50",
        "table            -",
        "à la carte  120.00",
    ]


def test_a_table_without_rows_is_its_headings():
    assert table(("A", "B"), []) == "A  B"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines", "two lines"),
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("\x9b2J", "2J"),
        ("a\u202eb", "a b"),
        ("naïve 漢字", "naïve 漢字"),
    ],
)
def test_what_a_page_wrote_cannot_steer_a_terminal(text, shown):
    assert printable(text) == shown


STEERING = "\x00\x07\x1b[31m\x7f\x9b2J\x85\u2028\u202e\r\u2066"


def test_a_line_of_json_is_one_line_and_comes_back():
    value = {"text": f"a\nb{STEERING}\tnaïve 漢字", STEERING: 3, "none": None}
    line = json_line(value)
    assert json.loads(line) == value
    assert line == printable(line)
    assert "naïve 漢字" in line


def test_no_line_on_either_stream_steers_a_terminal(capsys):
    emit(f"data\t{STEERING}\nnext")
    say(f"words {STEERING}")
    Misuse(f"wrong {STEERING}").show()
    shown = "".join(capsys.readouterr())
    assert not set(shown) & set(STEERING) - set("[31m2J")
    assert "data\t" in shown
    assert "\nnext\n" in shown


def test_progress_on_no_terminal_is_silent_about_short_work(capsys):
    with Progress("reading", total=3) as progress:
        for number in range(3):
            progress.advance()
            progress.emit(f"line {number}")
    assert capsys.readouterr() == ("line 0\nline 1\nline 2\n", "")


def test_progress_on_no_terminal_tells_long_work_in_plain_lines(capsys, monkeypatch):
    monkeypatch.setattr("arborist_pipeline.cli.output.LINE_SECONDS", 0.0)
    with Progress("reading", unit="files", total=2) as progress:
        progress.advance()
        progress.advance()
    assert capsys.readouterr() == ("", "reading: 1 of 2 files\nreading: 2 of 2 files\n")


def test_what_is_done_now_is_told_now_and_then(capsys, monkeypatch):
    with Progress("looking") as progress:
        progress.tell("too early")
        monkeypatch.setattr("arborist_pipeline.cli.output.LINE_SECONDS", 0.0)
        progress.tell("address 2 of 50\x1b[2J")
    assert capsys.readouterr() == ("", "looking: address 2 of 50 [2J\n")


def test_progress_on_a_terminal_is_a_bar_on_stderr(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress("reading", unit="files", total=2) as progress:
        progress.advance()
        progress.emit("data")
    out, err = capsys.readouterr()
    assert out == "data\n"
    assert "reading" in err
    assert "\r" in err
