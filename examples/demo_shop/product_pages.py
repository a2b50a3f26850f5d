"""Product pages in four hands: a shop theme, one with a product group, one with a graph, and one written by hand."""

from html import escape

from examples.demo_shop.catalogue import CURRENCY, Catalogue, Item, Look, slug
from examples.demo_shop.layout import breadcrumbs, cards, link, money, page, prose
from examples.demo_shop.markup import ORIGIN, grouped_product, image_paths, product_graph, script, theme_product

STOCK_TEXT = {
    "InStock": "In stock, sent within two days",
    "OutOfStock": "Sold out",
    "PreOrder": "Pre-order now, sent when the first batch arrives",
    "BackOrder": "On back order, sent in about three weeks",
}


def product_page(catalogue: Catalogue, item: Item) -> str:
    """Return a product's page in the look that the product has."""
    trail = _trail(item)
    write_main, head = {
        Look.THEME: (_theme_main, _theme_head(item)),
        Look.GROUP: (_group_main, script(grouped_product(item))),
        Look.GRAPH: (_graph_main, script(product_graph(item, trail))),
        Look.PLAIN: (_plain_main, ""),
    }[item.look]
    crumbs = breadcrumbs(trail, item.name)
    related = f'<section class="related"><h2>Goes well with it</h2>\n{cards(catalogue.related(item))}\n</section>'
    return page(
        catalogue,
        title=item.name,
        main=f"<main>\n{crumbs}\n{write_main(item)}\n{related}\n</main>",
        canonical=item.path,
        head=head,
        about=item.description[0],
    )


def _trail(item: Item) -> tuple[tuple[str, str], ...]:
    shelves = (item.department, item.kind)
    return (("Home", "/"), *((title, f"/collections/{slug(title)}") for title in shelves))


def _theme_head(item: Item) -> str:
    graph = {"og:type": "product", "og:title": item.name, "og:url": ORIGIN + item.path,
             "og:image": ORIGIN + image_paths(item)[0], "og:price:amount": str(item.price),
             "og:price:currency": CURRENCY}  # fmt: skip
    tags = "\n".join(f'<meta property="{name}" content="{escape(value)}">' for name, value in graph.items())
    return f"{tags}\n{script(theme_product(item))}"


def _theme_main(item: Item) -> str:
    was = f'<s class="price__was">{money(item.regular_price)}</s> ' if item.regular_price else ""
    now = "price__now now" if item.regular_price else "price__now"
    data = {
        "id": 4_000_000 + item.number,
        "handle": item.handle,
        "options": list(item.option_names),
        "variants": [
            {"id": variant.number, "title": variant.title or "Default Title", "sku": variant.sku,
             "available": variant.availability != "OutOfStock", "price": int(variant.price * 100),
             "compare_at_price": int(variant.regular_price * 100) if variant.regular_price else None}
            for variant in item.variants
        ],
    }  # fmt: skip
    options = "".join(
        f'<option value="{variant.number}"{" disabled" if variant.availability == "OutOfStock" else ""}>'
        f"{escape(variant.title)}: {money(variant.price)}</option>"
        for variant in item.variants
    )
    chooser = f'<label>{escape(" / ".join(item.option_names))} <select name="id">{options}</select></label>'
    if not item.option_names:
        chooser = f'<input type="hidden" name="id" value="{item.variants[0].number}">'
    return f"""<section class="product goods" data-product-id="{4_000_000 + item.number}">
<div class="product__media">{_pictures(item)}</div>
<div class="product__info">
<p class="product__vendor">{escape(item.brand)}</p>
<h1 class="product__title">{escape(item.name)}</h1>
{_stars(item)}<div class="price{" price--on-sale" if was else ""}">
{was}<span class="{now}">{money(item.price)}</span>
</div>
<p class="product__stock">{STOCK_TEXT[item.availability]}</p>
<form method="post" action="/cart/add" class="product-form">{chooser}
{_button(item)}</form>
<div class="product__description">
{prose(item.description)}
</div>
{script(data, "application/json")}
</div>
</section>"""


def _group_main(item: Item) -> str:
    fieldsets = "\n".join(_choices(item, place, name) for place, name in enumerate(item.option_names))
    rows = "\n".join(
        f"<tr><td>{escape(variant.title)}</td><td>{variant.sku}</td><td>{money(variant.price)}</td>"
        f"<td>{STOCK_TEXT[variant.availability]}</td></tr>"
        for variant in item.variants
    )
    return f"""<article class="goods">
<div>{_pictures(item)}</div>
<div>
<h1>{escape(item.name)}</h1>
<p>by {escape(item.brand)}</p>
{_stars(item)}<p class="price">{_price(item)}</p>
<p>{STOCK_TEXT[item.availability]}</p>
<form method="post" action="/cart/add">
{fieldsets}
{_button(item)}
</form>
{prose(item.description)}
<h2>All choices</h2>
<table><tr><th>Choice</th><th>Number</th><th>Price</th><th>Stock</th></tr>
{rows}
</table>
</div>
</article>"""


def _graph_main(item: Item) -> str:
    variant = item.variants[0]
    return f"""<div class="goods">
<div>{_pictures(item)}</div>
<div>
<h1>{escape(item.name)}</h1>
{_stars(item)}<p class="price">{_price(item)}</p>
<form method="post" action="/cart/add">{_button(item)}</form>
{prose(item.description)}
<h2>Details</h2>
<table><tr><th>Maker</th><td>{escape(item.brand)}</td></tr>
<tr><th>Our number</th><td>{variant.sku}</td></tr>
<tr><th>GTIN</th><td>{variant.gtin}</td></tr>
<tr><th>Stock</th><td>{STOCK_TEXT[item.availability]}</td></tr></table>
</div>
</div>"""


def _plain_main(item: Item) -> str:
    select = ""
    if item.option_names:
        name = item.option_names[0]
        options = "".join(f"<option>{escape(variant.title)}</option>" for variant in item.variants)
        select = f'<label>{escape(name)}: <select name="{escape(name.lower())}">{options}</select></label><br>\n'
    cost = f"<b>{money(item.price)}</b>"
    if item.regular_price:
        cost = f'<del>{money(item.regular_price)}</del> <b class="now">{money(item.price)}</b>'
    return f"""<div id="content" class="goods">
<div>{_pictures(item)}</div>
<div>
<h1>{escape(item.name)}</h1>
{prose(item.description[:1])}
<p class="price">{cost}</p>
<form method="post" action="/cart/add">
{select}<p>{STOCK_TEXT[item.availability]}.</p>
<input type="submit" value="{"Sold out" if item.availability == "OutOfStock" else "Add to basket"}"\
{" disabled" if item.availability == "OutOfStock" else ""}>
</form>
{prose(item.description[1:])}
<p>Made by {escape(item.brand)}. See {link("/pages/makers", "who they are")}.</p>
</div>
</div>"""


def _pictures(item: Item) -> str:
    main, detail = image_paths(item)
    return (
        f'<img src="{main}" alt="{escape(item.name)}" width="400" height="400">'
        f'<img src="{detail}" alt="" width="96" height="96" style="width:6rem">'
    )


def _price(item: Item) -> str:
    if item.regular_price is None:
        return f"<span>{money(item.price)}</span>"
    return f'<s>{money(item.regular_price)}</s> <span class="now">{money(item.price)}</span>'


def _stars(item: Item) -> str:
    if item.rating is None:
        return ""
    value, count = item.rating
    return f"<p>Rated {value} out of 5 by {count} customers</p>\n"


def _button(item: Item) -> str:
    if item.availability == "OutOfStock":
        return '<button type="submit" name="add" disabled>Sold out</button>'
    return '<button type="submit" name="add">Add to basket</button>'


def _choices(item: Item, place: int, name: str) -> str:
    values = dict.fromkeys(variant.options[place][1] for variant in item.variants)
    field = slug(name)
    radios = "\n".join(
        f'<label><input type="radio" name="{field}" value="{escape(value)}"{" checked" if not number else ""}> '
        f"{escape(value)}</label>"
        for number, value in enumerate(values)
    )
    return f"<fieldset><legend>{escape(name)}</legend>\n{radios}\n</fieldset>"
