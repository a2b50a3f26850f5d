"""What stands on every page: head, header, the large menu, footer; and the small pieces that pages share."""

from decimal import Decimal
from html import escape

from examples.demo_shop.articles import INFO_PAGES
from examples.demo_shop.catalogue import Catalogue, Collection, Item
from examples.demo_shop.faults import FEED, Mention
from examples.demo_shop.markup import ORIGIN, image_paths

SHOP = "Fernhallow Stores"
_STYLE = """
:root{--ink:#27302b;--leaf:#2f5d46;--paper:#fbf9f4;--line:#ddd6c6;--soft:#f1ece0;--sale:#a3402a}
*{box-sizing:border-box}body{margin:0;font:16px/1.6 Georgia,serif;color:var(--ink);background:var(--paper)}
a{color:var(--leaf)}header,footer{background:var(--leaf);color:#fff;padding:1rem 2rem}header a,footer a{color:#fff}
.top{display:flex;gap:1.5rem;align-items:baseline}.top .logo{font-size:1.5rem;text-decoration:none;margin-right:auto}
.menu{background:var(--soft);border-bottom:1px solid var(--line);padding:.5rem 2rem}.menu summary{cursor:pointer}
.columns{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem;font-size:.85rem}
.columns ul{list-style:none;margin:0;padding:0}.columns b{font-size:1rem}
main{max-width:66rem;margin:0 auto;padding:1rem 2rem 3rem}h1{font-weight:normal;line-height:1.2}
.crumbs{font-size:.85rem;color:#6d6a60}.crumbs ol{list-style:none;display:flex;gap:.5rem;padding:0;flex-wrap:wrap}
.crumbs li+li:before{content:"\\203A\\00A0"}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:1.5rem;list-style:none;padding:0}
.card{background:#fff;border:1px solid var(--line);border-radius:6px;padding:.75rem}.card img{width:100%;height:auto}
.card p{margin:.25rem 0}s,del{color:#857f72}.now{color:var(--sale);font-weight:bold}
.goods{display:grid;grid-template-columns:minmax(14rem,24rem) 1fr;gap:2rem}.goods img{width:100%;height:auto}
.price{font-size:1.4rem;margin:.5rem 0}button,input[type=submit]{background:var(--leaf);color:#fff;border:0;
padding:.6rem 1.2rem;border-radius:4px;font:inherit}button[disabled]{background:#a9a596}select,fieldset{font:inherit;
margin:.25rem 0 .75rem}fieldset{border:1px solid var(--line)}table{border-collapse:collapse}td,th{text-align:left;
padding:.2rem 1rem .2rem 0;border-bottom:1px solid var(--line);font-weight:normal}.pager a,.pager b{padding:0 .35rem}
footer{font-size:.9rem;columns:3}footer p{margin:0 0 .25rem}
"""


def page(
    catalogue: Catalogue, *, title: str | None, main: str, canonical: str | None = None, head: str = "", about: str = ""
) -> str:
    """Return a whole page. No title gives a page without a title element; `canonical` is a path and query."""
    parts = [f"<title>{escape(title)} | {SHOP}</title>"] if title else []
    if about:
        parts.append(f'<meta name="description" content="{escape(about)}">')
    if canonical:
        parts.append(f'<link rel="canonical" href="{ORIGIN}{escape(canonical)}">')
    parts += [head] if head else []
    lines = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{lines}\n<style>{_STYLE}</style>\n'
        f"</head>\n<body>\n{_header(catalogue)}\n{main}\n{_footer()}\n</body>\n</html>\n"
    )


def link(path: str, text: str) -> str:
    """Return an anchor; path and text are plain text."""
    return f'<a href="{escape(path)}">{escape(text)}</a>'


def prose(paragraphs: tuple[str, ...]) -> str:
    """Return paragraphs of plain text as elements."""
    return "\n".join(f"<p>{escape(text)}</p>" for text in paragraphs)


def mentions(found: tuple[Mention, ...]) -> str:
    """Return a paragraph for each mention, its link in place."""
    return "\n".join(
        f"<p>{escape(each.sentence).replace('{link}', link(each.target, each.anchor))}</p>" for each in found
    )


def breadcrumbs(trail: tuple[tuple[str, str], ...], here: str) -> str:
    """Return the way from the home page; pairs are title and path, the page itself is no link."""
    steps = "".join(f"<li>{link(path, title)}</li>" for title, path in trail)
    return (
        f'<nav class="crumbs" aria-label="Breadcrumb"><ol>{steps}<li aria-current="page">{escape(here)}</li></ol></nav>'
    )


def money(amount: Decimal) -> str:
    """Return an amount as a British shop writes it."""
    return f"£{amount:,.2f}"


def card(item: Item) -> str:
    """Return a product as it stands in a listing."""
    price = f"{money(item.price)}"
    if item.regular_price:
        price = f'<s>{money(item.regular_price)}</s> <span class="now">{money(item.price)}</span>'
    elif len({variant.price for variant in item.variants}) > 1:
        price = f"From {money(min(variant.price for variant in item.variants))}"
    note = " · sold out" if item.availability == "OutOfStock" else ""
    return (
        f'<li class="card"><a href="{item.path}"><img src="{image_paths(item)[0]}" alt="" width="240" height="240" '
        f'loading="lazy">{escape(item.name)}</a><p>{escape(item.brand)}{note}</p><p>{price}</p></li>'
    )


def cards(items: tuple[Item, ...]) -> str:
    """Return a grid of products."""
    return '<ul class="grid">\n' + "\n".join(card(item) for item in items) + "\n</ul>"


def _header(catalogue: Catalogue) -> str:
    titles = {shelf.path: shelf.title for shelf in catalogue.collections}
    tops = [shelf for shelf in catalogue.collections if shelf.parent is None]
    columns = "\n".join(_menu_column(top, titles) for top in tops)
    return (
        f'<header><div class="top"><a class="logo" href="/">{SHOP}</a> {link("/search", "Search")} '
        f"{link('/account/', 'Your account')} {link('/cart', 'Basket')}</div></header>\n"
        f'<nav class="menu" aria-label="Departments"><details><summary>All departments</summary>\n'
        f'<div class="columns">\n{columns}\n</div></details></nav>'
    )


def _menu_column(top: Collection, titles: dict[str, str]) -> str:
    below = "".join(f"<li>{link(path, titles[path])}</li>" for path in top.children)
    return f"<ul><li><b>{link(top.path, top.title)}</b></li>{below}</ul>"


def _footer() -> str:
    pages = "\n".join(f"<p>{link(page.path, page.title)}</p>" for page in INFO_PAGES)
    return (
        f"<footer>\n<p>{link('/blog', 'Journal')}</p>\n{pages}\n<p>{SHOP}, 4 Corn Yard, Saltmere</p>\n"
        f"<p>A made-up shop: nothing here is for sale.</p>\n</footer>"
    )


def feed_discovery() -> str:
    """Return the head element by which a browser finds the journal's feed."""
    return f'<link rel="alternate" type="application/rss+xml" title="Journal" href="{FEED}">'
