"""arborist extract --explain: why a page is what it is, and why each field is what it is."""

import json

import pytest

from arborist_pipeline_tests.cli.test_extract import URL, product_page

DISPUTED = product_page().replace("€ 19.90", "€ 17.50")


def explained(arborist, page, *arguments, url=URL):
    result = arborist("extract", "--explain", "-", "--url", url, *arguments, stdin=page)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def block(text, field):
    """The lines of a field, split into words."""
    lines = text.split(f"\n{field}: ", 1)[1].split("\n\n")[0].split("\n")
    return [line.split() for line in lines]


def test_the_kind_is_told_with_what_spoke_for_it(arborist):
    text = explained(arborist, product_page())
    assert text.startswith(f"-: {URL}\nkind: product, because: jsonld names one product; ")
    assert "4.00  jsonld names one product" in text
    assert "needed: product 4, listing 2.5, article 2.25, home 3" in text


def test_every_source_of_a_field_is_a_row_with_its_weight_and_what_came_of_it(arborist):
    text = explained(arborist, DISPUTED)
    value, headings, *rows = block(text, "price")
    assert value == ["17.50"]
    assert headings[:4] == ["SOURCE", "VALUE", "WEIGHT", "RESULT"]
    assert [(row[0], row[1], row[3]) for row in rows] == [
        ("visible", "17.50", "taken"), ("jsonld", "19.90", "outweighed"),
    ]  # fmt: skip
    assert float(rows[0][2]) > float(rows[1][2])
    assert ["price", "17.50", "19.90", "jsonld"] in [line.split() for line in text.split("conflicts:")[1].split("\n")]


def test_a_missing_handle_is_explained(arborist):
    assert "\nhandle: desk-lamp\n" in explained(arborist, product_page())
    text = explained(arborist, product_page(), url="https://shop.example/84682.html")
    assert "\nhandle: none, because the path ends in '84682', which is a code and not words\n" in text


def test_a_page_that_sells_nothing_is_explained_too(arborist):
    text = explained(arborist, "<title>About</title><p>We mend lamps.")
    assert "kind: other, because: nothing speaks for a product, list or article" in text
    assert "price" not in text
    assert "decided at one look" in explained(arborist, product_page(), url="https://shop.example/")


def test_what_a_page_says_cannot_steer_the_terminal(arborist):
    text = explained(arborist, product_page("Desk\\u001b[2Jlamp\\u009b31m"))
    assert "\x1b" not in text
    assert "\x9b" not in text


def test_long_values_are_cut(arborist):
    text = explained(arborist, product_page("Desk lamp " * 60))
    assert max(map(len, text.split("\n"))) < 260
    assert "…" in text


@pytest.mark.parametrize("body", ["", "\x00" * 1000, "<" * 5000, "plain words"])
def test_any_page_is_explained(arborist, body):
    assert "kind: other" in explained(arborist, body)


def test_without_the_flag_stdin_is_a_line_like_any_file(arborist):
    result = arborist("extract", "-", "--url", URL, stdin=product_page())
    (line,) = map(json.loads, result.stdout.splitlines())
    assert (line["file"], line["product"]["name"]) == ("-", "Desk lamp")


def test_files_and_manifests_are_explained_one_after_the_other(arborist, tmp_path):
    (tmp_path / "a.html").write_text(product_page())
    entries = [{"file": "a.html", "url": URL}, {"file": "missing.html"}, {"file": "a.html", "url": URL}]
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, entries)))
    result = arborist("extract", "--explain", "--batch", "m.jsonl")
    assert (result.exit_code, result.stdout.count("kind: product")) == (1, 2)
    assert "missing.html cannot be read" in result.stderr
