"""A generated shop of some sixty addresses that has one of everything a crawl meets.

Goods that lists and other goods link to, a chain of articles, twins, a redirect, a broken link, a forbidden page.
"""

import json

from arborist_pipeline_tests.support.site_server import Reply, html, redirect

GOODS, LISTS, ARTICLES = 40, 4, 8
FORBIDDEN = "/private/till"


def build_shop(*, delay_seconds, edition=1):
    """Return the routes; another edition has other prices and other text, at the same addresses."""
    routes = {"/": html("Shop", f"<p>Open again, edition {edition}.</p>",
                        links=["/list/1", "/about", "/moved", "/gone", FORBIDDEN, "/articles/1"])}  # fmt: skip
    for number in range(1, LISTS + 1):
        goods = range(number - 1, GOODS, LISTS)
        after = [f"/list/{number + 1}"] if number < LISTS else []
        routes[f"/list/{number}"] = html(f"List {number}", links=[f"/products/p-{each}" for each in goods] + after)
    for number in range(GOODS):
        routes[f"/products/p-{number}"] = _product(number, edition)
    for number in range(1, ARTICLES + 1):
        text = "Two pages say this." if number in (3, 4) else f"Chapter {number} of edition {edition}."
        links = [f"/articles/{number + 1}", "/"] if number < ARTICLES else ["/"]
        routes[f"/articles/{number}"] = html(f"Article {min(number, 3)}", f"<p>{text}</p>", links=links)
    routes["/about"] = html("About", "<p>We sell what we make.</p>", links=["/"])
    routes["/moved"] = redirect("/about")
    routes[FORBIDDEN] = html("Till")
    late = {path: _late(page, delay_seconds) for path, page in routes.items()}
    return late | {"/robots.txt": "User-agent: *\nCrawl-delay: 0\nDisallow: /private/\n"}


def _product(number, edition):
    offer = {"@type": "Offer", "price": f"{number + edition}.50", "priceCurrency": "EUR",
             "availability": "https://schema.org/InStock"}  # fmt: skip
    data = {"@context": "https://schema.org", "@type": "Product", "name": f"Good {number}", "sku": f"S{number}",
            "offers": offer}  # fmt: skip
    related = [f"/products/p-{(number * 7 + 3) % GOODS}", f"/products/p-{(number + 1) % GOODS}", "/"]
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>\n'
    return html(f"Good {number}", f"<h1>Good {number}</h1><p>Made by hand.</p>", links=related, head=head)


def _late(page, delay_seconds):
    if isinstance(page, Reply):
        return Reply(status=page.status, headers=page.headers, body=page.body, delay_seconds=delay_seconds)
    return Reply(body=page.encode(), delay_seconds=delay_seconds)
