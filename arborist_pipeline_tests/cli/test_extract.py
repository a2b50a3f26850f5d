"""arborist extract: saved pages to products, without network."""

import gzip
import json
import os
import subprocess
import sys

import pytest

URL = "https://shop.example/products/desk-lamp"


def product_page(name="Desk lamp", charset=None, canonical=None):
    declared = f'<meta charset="{charset}">' if charset else ""
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    data = {"@context": "https://schema.org", "@type": "Product", "name": name, "image": "/lamp.jpg",
            "offers": {"@type": "Offer", "price": "19.90", "priceCurrency": "EUR"}}  # fmt: skip
    return (
        f'<html><head>{declared}{link}<title>{name}</title><script type="application/ld+json">'
        f"{json.dumps(data, ensure_ascii=False)}</script></head><body><h1>{name}</h1><p>€ 19.90</p>"
        "<button>Add to cart</button></body></html>"
    )


def lines(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def saved(tmp_path):
    (tmp_path / "lamp.html").write_text(product_page())
    (tmp_path / "about.html").write_text("<title>About</title><p>We mend lamps.")
    (tmp_path / "lamp.html.gz").write_bytes(gzip.compress(product_page("Floor lamp").encode()))
    return tmp_path


@pytest.mark.usefixtures("saved")
def test_each_file_is_a_line_with_kind_and_product(arborist):
    result = arborist("extract", "about.html", "lamp.html.gz")
    assert result.exit_code == 0
    about, lamp = lines(result)
    assert list(about) == ["file", "kind", "product"]
    assert (about["file"], about["product"]) == ("about.html", None)
    assert (lamp["file"], lamp["kind"], lamp["product"]["name"]) == ("lamp.html.gz", "product", "Floor lamp")
    assert (lamp["product"]["price"], lamp["product"]["currency"]) == ("19.90", "EUR")


@pytest.mark.usefixtures("saved")
def test_the_address_resolves_what_is_relative(arborist):
    (line,) = lines(arborist("extract", "lamp.html", "--url", URL))
    assert (line["product"]["url"], line["product"]["handle"]) == (URL, "desk-lamp")
    assert line["product"]["images"] == ["https://shop.example/lamp.jpg"]


def test_without_an_address_the_canonical_link_is_taken(arborist, saved):
    (saved / "own.html").write_text(product_page(canonical=URL))
    result = arborist("extract", "own.html")
    assert lines(result)[0]["product"]["images"] == ["https://shop.example/lamp.jpg"]
    assert "no canonical" not in result.stderr


@pytest.mark.usefixtures("saved")
def test_without_any_address_that_is_said(arborist):
    result = arborist("extract", "lamp.html")
    assert result.exit_code == 0
    assert "no canonical link" in result.stderr


def test_a_manifest_names_files_addresses_and_charsets(arborist, saved):
    folder = saved / "corpus"
    (folder / "pages").mkdir(parents=True)
    (folder / "pages/a.html").write_bytes(product_page("Lámpa ő").replace("€", "EUR").encode("iso-8859-2"))
    (folder / "pages/b.html.gz").write_bytes(gzip.compress(product_page("Lampe").encode()))
    entries = [
        {"file": "pages/a.html", "url": URL, "charset": "iso-8859-2", "more": 1},
        {"file": "pages/b.html.gz", "url": URL, "charset": None},
    ]
    (folder / "manifest.jsonl").write_text("\n\n".join(map(json.dumps, entries)))
    result = arborist("extract", "--batch", "corpus/manifest.jsonl")
    assert result.exit_code == 0
    assert [(line["file"], line["product"]["name"]) for line in lines(result)] == [
        ("pages/a.html", "Lámpa ő"),
        ("pages/b.html.gz", "Lampe"),
    ]


def test_a_manifest_may_lie_in_the_folder_that_its_files_name(arborist, saved):
    (saved / "odd").mkdir()
    (saved / "odd/lamp.html").write_text(product_page())
    (saved / "odd/manifest.jsonl").write_text(json.dumps({"file": "odd/lamp.html", "url": URL}))
    assert lines(arborist("extract", "--batch", "odd/manifest.jsonl"))[0]["product"]["name"] == "Desk lamp"


BAD_ENTRIES = [
    ("not JSON", "{", "line 2"),
    ("a list", "[1]", "line 2"),
    ("deep", "[" * 100_000, "line 2"),
    ("no file", '{"url": "https://a.example/"}', "line 2"),
    ("a number for a file", '{"file": 3}', "line 2"),
    ("a number for a URL", '{"file": "lamp.html", "url": 3}', "line 2"),
    ("no such file", '{"file": "missing.html", "url": "https://a.example/"}', "missing.html"),
    ("a folder", '{"file": ".", "url": "https://a.example/"}', "cannot be read"),
    ("no name for a file", '{"file": "a\\u0000b", "url": null}', "cannot be read"),
    ("a bad URL", '{"file": "lamp.html", "url": "lamp"}', "lamp.html"),
    ("damaged gzip", '{"file": "damaged.gz"}', "damaged gzip"),
    ("short gzip", '{"file": "short.gz"}', "damaged gzip"),
]


@pytest.mark.parametrize(("entry", "words"), [case[1:] for case in BAD_ENTRIES], ids=[case[0] for case in BAD_ENTRIES])
def test_what_cannot_be_read_is_said_and_the_others_go_on(arborist, saved, entry, words):
    whole = gzip.compress(product_page().encode())
    (saved / "damaged.gz").write_bytes(whole[:30] + b"\x00\x01\x02" + whole[33:])
    (saved / "short.gz").write_bytes(whole[:-20])
    good = json.dumps({"file": "lamp.html", "url": URL})
    (saved / "manifest.jsonl").write_text(f"{good}\n{entry}\n{good}\n")
    result = arborist("extract", "--batch", "manifest.jsonl")
    assert result.exit_code == 1
    assert [line["file"] for line in lines(result)] == ["lamp.html", "lamp.html"]
    assert words in result.stderr
    assert "1 files could not be read" in result.stderr


@pytest.mark.usefixtures("saved")
def test_a_missing_file_among_others_ends_with_1(arborist):
    result = arborist("extract", "lamp.html", "missing.html", "about.html")
    assert result.exit_code == 1
    assert [line["file"] for line in lines(result)] == ["lamp.html", "about.html"]
    assert "missing.html" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("lamp.html", "--batch", "manifest.jsonl"),
        ("lamp.html", "about.html", "--url", URL),
        ("--batch", "manifest.jsonl", "--url", URL),
        ("--batch", "missing.jsonl"),
        ("lamp.html", "--url", "nonsense"),
    ],
)
@pytest.mark.usefixtures("saved")
def test_wrong_use_ends_with_2(arborist, arguments):
    result = arborist("extract", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


@pytest.mark.parametrize("body", [b"", b"\x00" * 1000, b"\xff\xfe" * 500, b"<" * 5000, b"\x1f\x8b", b"plain words"])
def test_any_bytes_are_a_page(arborist, saved, body):
    (saved / "odd.html").write_bytes(body)
    result = arborist("extract", "odd.html", "--url", URL)
    assert result.exit_code == (1 if body == b"\x1f\x8b" else 0)
    assert all(line["product"] is None for line in lines(result))


def test_a_lone_surrogate_does_not_end_the_output(process, saved):
    page = product_page().replace('"Desk lamp"', '"Desk \\ud800 lamp"')
    (saved / "odd.html").write_text(page)
    child = process("extract", "odd.html", "--url", URL)
    out, errors = child.communicate()
    assert child.returncode == 0, errors
    assert json.loads(out)["product"]["name"].startswith("Desk")


def test_a_reader_that_goes_away_is_no_error(home, saved):
    (saved / "manifest.jsonl").write_text("\n".join([json.dumps({"file": "lamp.html", "url": URL})] * 2000))
    command = f'"{sys.executable}" -m arborist_pipeline extract --batch manifest.jsonl | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=dict(os.environ), check=False)  # noqa: S602  # a pipe is the point
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""
    assert not home.exists()


@pytest.mark.shared
def test_pages_of_the_corpus_give_predictions_that_can_be_scored(arborist, shared, tmp_path):
    corpus = shared / "corpus"
    entries = [json.loads(line) for line in (corpus / "manifest.jsonl").read_text().splitlines()][::8]
    manifest = [json.dumps(entry | {"file": str(corpus / entry["file"])}) for entry in entries]
    (tmp_path / "manifest.jsonl").write_text("\n".join(manifest))
    result = arborist("extract", "--batch", "manifest.jsonl")
    assert result.exit_code == 0
    predictions = result.stdout.replace(f"{corpus}/", "")
    assert [json.loads(line)["file"] for line in predictions.splitlines()] == [entry["file"] for entry in entries]
    (tmp_path / "predictions.jsonl").write_text(predictions)
    command = [sys.executable, corpus / "score.py", tmp_path / "predictions.jsonl", "--json"]
    scored = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert scored["predicted"] == len(entries)
    assert scored["page"]["precision"] > 0.5
