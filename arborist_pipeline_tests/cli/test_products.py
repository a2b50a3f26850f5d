"""arborist products: the catalogue, listed and shown."""

import csv
import json
import sqlite3
from contextlib import closing

import pytest

from arborist_pipeline_tests.support.site_server import LocalSite, html


def product(name, price="19.90"):
    data = {"@context": "https://schema.org", "@type": "Product", "name": name, "sku": name[:3],
            "offers": {"@type": "Offer", "price": price, "priceCurrency": "EUR"}}  # fmt: skip
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return html(name, f"<h1>{name}</h1><p>€ {price}</p><button>Add to cart</button>", head=head)


@pytest.fixture
def shop(arborist):
    routes = {
        "/": html("Home", links=["/products/desk-lamp", "/products/sum"]),
        "/products/desk-lamp": product("Desk lamp"),
        "/products/sum": product("=SUM(A1)"),
    }
    with LocalSite(routes) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
        yield site


def test_the_table_shows_what_is_current(arborist, shop):
    result = arborist("products", "list")
    assert result.exit_code == 0
    heading, lamp, other = result.stdout.splitlines()
    assert heading.split() == ["NAME", "PRICE", "CURRENCY", "AVAILABILITY", "SKU", "URL"]
    assert lamp.split() == ["Desk", "lamp", "19.90", "EUR", "InStock", "Des", shop.url("/products/desk-lamp")]
    assert other.startswith("=SUM(A1)")


@pytest.mark.parametrize("form", [("--format", "jsonl"), ("--json",)])
def test_json_lines_are_whole_records(arborist, shop, form):
    first, _ = (json.loads(line) for line in arborist("products", "list", *form).stdout.splitlines())
    assert first["site"] == f"127.0.0.1-{shop.port}"
    assert (first["name"], first["price"], first["variants"], first["sources"]["price"]["tier"]) == (
        "Desk lamp", "19.90", [], "jsonld",
    )  # fmt: skip


def test_csv_has_a_column_a_field_and_no_formulas(arborist, shop):
    rows = list(csv.DictReader(arborist("products", "list", "--format", "csv").stdout.splitlines()))
    assert [(row["name"], row["price"], row["handle"]) for row in rows] == [
        ("Desk lamp", "19.90", "desk-lamp"),
        ("'=SUM(A1)", "19.90", "sum"),
    ]
    assert rows[0]["url"] == shop.url("/products/desk-lamp")


def test_one_site_may_be_named(arborist, shop):
    key = f"127.0.0.1-{shop.port}"
    assert len(arborist("products", "list", "--site", key, "--json").stdout.splitlines()) == 2
    result = arborist("products", "list", "--site", "nobody")
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_product_is_shown_by_url_or_handle_with_its_versions(arborist, shop):
    shop.routes["/products/desk-lamp"] = product("Desk lamp", "17.50")
    arborist("crawl", "--seed-url", shop.url(), "--fast", "--ingest")
    by_url = arborist("products", "show", shop.url("/products/desk-lamp?utm_source=x"), "--json")
    by_handle = arborist("products", "show", "desk-lamp", "--json")
    assert by_url.stdout == by_handle.stdout
    record = json.loads(by_url.stdout)
    assert record["price"] == "17.50"
    assert record["last_seen_at"].endswith("Z")
    assert [(version["price"], version["is_current"]) for version in record["versions"]] == [
        ("19.90", False),
        ("17.50", True),
    ]


def test_a_person_reads_what_a_product_costs_and_where_that_stands(arborist, shop):
    shop.routes["/products/desk-lamp"] = product("Desk lamp", "17.50")
    arborist("crawl", "--seed-url", shop.url(), "--fast", "--ingest")
    lines = arborist("products", "show", "desk-lamp").stdout.splitlines()
    assert lines[:3] == ["Desk lamp", "17.50 EUR, InStock", shop.url("/products/desk-lamp")]
    (price,) = (line for line in lines if line.startswith("price "))
    assert (price.split()[1], price.split()[-1]) == ("jsonld:", "17.50")
    assert [line.split()[-3:] for line in lines[-2:]] == [["-", "EUR", "InStock"]] * 2
    assert [line.split()[2] for line in lines[-2:]] == ["19.90", "17.50"]


@pytest.mark.usefixtures("shop")
def test_a_product_that_costs_nothing_has_a_price_wherever_it_is_shown(arborist, home):
    with closing(sqlite3.connect(home / "crawl/web.db")) as store, store:
        store.execute("UPDATE products SET price = '0.00', record = json_set(record, '$.price', '0.00')")
    listed = arborist("products", "list").stdout.splitlines()[1]
    assert listed.split()[2:4] == ["0.00", "EUR"]
    row = next(csv.DictReader(arborist("products", "list", "--format", "csv").stdout.splitlines()))
    assert (row["name"], row["price"]) == ("Desk lamp", "0.00")
    shown = arborist("products", "show", "desk-lamp").stdout.splitlines()
    assert shown[1].startswith("0.00 EUR")


@pytest.mark.parametrize("name", ["no-such-lamp", "https://shop.example/x", ""])
def test_an_unknown_product_ends_with_2(arborist, shop, name):
    result = arborist("products", "show", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert shop.url() not in result.stderr


def test_without_a_store_that_is_said_and_none_is_made(arborist, home):
    result = arborist("products", "list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no store" in result.stderr
    assert not home.exists()


def test_an_empty_catalogue_says_how_to_fill_it(arborist):
    arborist("db", "upgrade")
    result = arborist("products", "list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no products so far" in result.stderr


def test_export_is_to_come(arborist):
    result = arborist("products", "export", "--format", "parquet")
    assert result.exit_code == 2
    assert "not built yet" in result.stderr
