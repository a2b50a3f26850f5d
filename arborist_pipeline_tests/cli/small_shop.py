"""A shop of six pages for the command, and ways to read what it printed and stored."""

import json
import sqlite3

from arborist_pipeline_tests.support.site_server import html

PRODUCT = """<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product",
"name": "Desk lamp", "sku": "L1", "offers": {"@type": "Offer", "price": "19.90", "priceCurrency": "EUR",
"availability": "https://schema.org/InStock"}}</script>"""


def shop():
    return {
        "/robots.txt": "User-agent: *\nDisallow: /cart\n",
        "/": html("Home", links=["/about", "/products/lamp", "/cart", "/broken", "/deep/1"]),
        "/about": html("About", "<p>We mend lamps in a yard behind the station.</p>"),
        "/products/lamp": html(
            "Desk lamp", "<h1>Desk lamp</h1><p>EUR 19.90</p><button>Add to cart</button>", head=PRODUCT
        ),
        "/deep/1": html("Deep 1", links=["/deep/2"]),
        "/deep/2": html("Deep 2", links=["/deep/3"]),
        "/deep/3": html("Deep 3"),
    }


def rows(home, query):
    connection = sqlite3.connect(home / "crawl/web.db")
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def paths(site, text):
    return [url.removeprefix(site.url("").rstrip("/")) for url in text.split()]
