"""How the shops of the family make their addresses. None of the rules here is known to the crawler.

A scheme is a set of forms: `{slug}`, `{id}`, `{code}` and `{opaque}` name the thing itself, `{dept}` and `{sub}` the
categories that it is in, `{year}` and `{month}` when it appeared, `{dept_id}` and `{sub_id}` the numbers of categories.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """The forms of one kind of shop's addresses.

    `in_category` is the form of a second address that a good has in each category that lists it. `is_right` says that
    the fixed pattern (`/products?|p|item/` before a slug) finds goods and nothing else. `shares_words`: posts are
    named by the words of goods. `hides_goods`: categories show no goods, only a way to pages of lists that do.
    `by_brand`: nor do these, but a way to the brands, whose pages do. `loads_more`: a page of a list leads to the next
    one alone. `prices_stories`: the cards of posts have a price, as those of goods.
    """

    good: str
    department: str
    sub: str
    post: str
    blog: str
    tag: str
    info: str
    desk: str
    brand: str
    brands: str = ""
    pages: tuple[str, ...] = ("?page={n}", "?p={n}", "/page/{n}")
    home: str = "/"
    in_category: str = ""
    listing: str = ""
    colour: str = "?colour={value}"
    order: str = "?sort={value}"
    is_right: bool = False
    shares_words: bool = False
    hides_goods: bool = False
    by_brand: bool = False
    loads_more: bool = False
    prices_stories: bool = False


_BY_ROUTE = "/index.php?route="
_BY_PAGE = "/index.php?main_page="
_BY_NUMBER = "/index.php?p="
_SESSION = "?osCsid=6f1c0c7e2b5d4a9f8e7d6c5b4a392817"

SCHEMES: Mapping[str, Scheme] = {
    "products": Scheme(
        good="/products/{slug}", department="/collections/{slug}", sub="/collections/{slug}", post="/blogs/news/{slug}",
        blog="/blogs/news", tag="/blogs/news/tagged/{slug}", info="/pages/{slug}", desk="/{slug}",
        brand="/collections/vendor-{slug}", pages=("?page={n}",), is_right=True,
    ),
    "collections": Scheme(
        good="/products/{slug}", in_category="/collections/{sub}/products/{slug}", department="/collections/{slug}",
        sub="/collections/{slug}", post="/blogs/journal/{slug}", blog="/blogs/journal",
        tag="/blogs/journal/tagged/{slug}", info="/pages/{slug}", desk="/{slug}", brand="/collections/vendor-{slug}",
        pages=("?page={n}",), is_right=True,
    ),
    "product": Scheme(
        good="/product/{slug}/", department="/product-category/{slug}/", sub="/product-category/{dept}/{slug}/",
        post="/{year}/{month}/{slug}/", blog="/blog/", tag="/tag/{slug}/", info="/{slug}/", desk="/{slug}/",
        brand="/brand/{slug}/", pages=("page/{n}/",), colour="?filter_colour={value}", order="?orderby={value}",
        is_right=True,
    ),
    "products-blog": Scheme(
        good="/shop/{slug}", department="/range/{slug}", sub="/range/{dept}/{slug}", post="/products/{slug}",
        blog="/products", tag="/products/about/{slug}", info="/help/{slug}", desk="/{slug}", brand="/makers/{slug}",
    ),
    "slug-number": Scheme(
        good="/{slug}-{id}.html", department="/{slug}.html", sub="/{dept}/{slug}.html", post="/magazine/{slug}.html",
        blog="/magazine.html", tag="/magazine/topic/{slug}.html", info="/{slug}.html", desk="/customer/{slug}.html",
        brand="/brands/{slug}.html", pages=("?p={n}",),
    ),
    "number-slug": Scheme(
        good="/{sub}/{id}-{slug}.html", department="/{id}-{slug}", sub="/{id}-{slug}", post="/content/{id}-{slug}.html",
        blog="/content", tag="/content/topic/{slug}", info="/content/page/{slug}", desk="/{slug}",
        brand="/brand/{slug}", pages=("?page={n}",), colour="?q=Colour-{value}", order="?order=product.{value}.asc",
    ),
    "root-mixed": Scheme(
        good="/{slug}", department="/{slug}", sub="/{slug}", post="/{slug}", blog="/journal", tag="/topic-{slug}",
        info="/{slug}", desk="/{slug}", brand="/brand-{slug}", pages=("?page={n}",), shares_words=True,
    ),
    "root-own": Scheme(
        good="/{slug}", department="/c/{slug}", sub="/c/{dept}/{slug}", post="/{slug}", blog="/stories",
        tag="/stories/{slug}", info="/info/{slug}", desk="/{slug}", brand="/b/{slug}",
    ),
    "query-route": Scheme(
        good=f"{_BY_ROUTE}product/product&product_id={{id}}", department=f"{_BY_ROUTE}product/category&path={{id}}",
        sub=f"{_BY_ROUTE}product/category&path={{dept_id}}_{{id}}", post=f"{_BY_ROUTE}blog/article&article_id={{id}}",
        blog=f"{_BY_ROUTE}blog/home", tag=f"{_BY_ROUTE}blog/tag&tag={{slug}}",
        info=f"{_BY_ROUTE}information/information&information_id={{id}}", desk=f"{_BY_ROUTE}account/{{slug}}",
        brand=f"{_BY_ROUTE}product/manufacturer/info&manufacturer_id={{id}}", pages=("?page={n}",),
        home="/index.php?route=common/home", colour="?filter={value}", order="?sort=p.{value}&order=ASC",
    ),
    "query-page": Scheme(
        good=f"{_BY_PAGE}product_info&cPath={{dept_id}}_{{sub_id}}&products_id={{id}}",
        department=f"{_BY_PAGE}index&cPath={{id}}", sub=f"{_BY_PAGE}index&cPath={{dept_id}}_{{id}}",
        post=f"{_BY_PAGE}news_article&article_id={{id}}", blog=f"{_BY_PAGE}news", tag=f"{_BY_PAGE}news&topic={{slug}}",
        info=f"{_BY_PAGE}page&id={{id}}", desk=f"{_BY_PAGE}{{slug}}", brand=f"{_BY_PAGE}index&manufacturers_id={{id}}",
        pages=("?page={n}",), home="/index.php?main_page=index", colour="?filter_id={value}", order="?sort={value}",
    ),
    "numeric": Scheme(
        good="/{id}", department="/list/{id}", sub="/list/{id}", post="/{id}", blog="/list/0", tag="/list/tag-{slug}",
        info="/page/{id}", desk="/user/{slug}", brand="/list/maker-{id}", pages=("?page={n}", "/{n}"),
    ),
    "hashed": Scheme(
        good="/d/{code}", department="/l/{code}", sub="/l/{code}", post="/d/{code}", blog="/l/stories",
        tag="/l/story-{slug}", info="/i/{slug}", desk="/u/{slug}", brand="/l/{code}", pages=("?o={n}",),
    ),
    "locale": Scheme(
        good="/en-gb/{dept}/{sub}/{slug}", department="/en-gb/{slug}", sub="/en-gb/{dept}/{slug}",
        post="/en-gb/inspiration/{month}/{slug}", blog="/en-gb/inspiration", tag="/en-gb/inspiration/{slug}",
        info="/en-gb/service/{slug}", desk="/en-gb/my/{slug}", brand="/en-gb/brands/{slug}", home="/en-gb",
    ),
    "nested": Scheme(
        good="/{dept}/{slug}", department="/{slug}", sub="/{dept}/{slug}", post="/journal/{slug}", blog="/journal",
        tag="/topics/{slug}", info="/about/{slug}", desk="/{slug}", brand="/brands/{slug}", colour="/{value}",
        pages=("?page={n}", "/page-{n}"),
    ),
    "behind-pages": Scheme(
        good="/goods/{slug}", department="/range/{slug}", sub="/range/{dept}/{slug}", post="/news/{slug}", blog="/news",
        tag="/news/about/{slug}", info="/pages/{slug}", desk="/{slug}", brand="/makers/{slug}",
        listing="/browse/{slug}", pages=("?page={n}", "?start={n}"), hides_goods=True,
    ),
    "item-codes": Scheme(
        good="/store/{code}/{slug}", department="/store/{slug}", sub="/store/{dept}/{slug}",
        post="/stories/{code}/{slug}", blog="/stories", tag="/stories/{slug}", info="/legal/{slug}", desk="/my/{slug}",
        brand="/store/brand/{slug}",
    ),
    "one-script": Scheme(
        good=f"{_BY_NUMBER}{{id}}", department=f"{_BY_NUMBER}{{id}}", sub=f"{_BY_NUMBER}{{id}}",
        post=f"{_BY_NUMBER}{{id}}", blog=f"{_BY_NUMBER}stories", tag=f"{_BY_NUMBER}tag-{{slug}}",
        info=f"{_BY_NUMBER}info-{{slug}}", desk=f"{_BY_NUMBER}{{slug}}", brand=f"{_BY_NUMBER}brand-{{id}}",
        pages=("?s={n}", "?start={n}"), home="/index.php",
    ),
    "opaque": Scheme(
        good="/v/{opaque}", department="/v/{opaque}", sub="/v/{opaque}", post="/v/{opaque}", blog="/v/stories",
        tag="/v/tag/{slug}", info="/about/{slug}", desk="/my/{slug}", brand="/v/{opaque}", pages=("?after={n}",),
        loads_more=True,
    ),
    "by-brand": Scheme(
        good="/{year}/{month}/{slug}/", department="/themes/{slug}/", sub="/themes/{dept}/{slug}/",
        post="/{year}/{month}/{slug}/", blog="/stories/", tag="/stories/{slug}/", info="/{slug}/", desk="/my/{slug}/",
        brand="/ateliers/{slug}/", pages=("?offset={n}", "more/{n}/"), by_brand=True, loads_more=True,
        prices_stories=True,
    ),
    "session": Scheme(
        good=f"/{{slug}}-p-{{id}}.html{_SESSION}", department=f"/{{slug}}-c-{{id}}.html{_SESSION}",
        sub=f"/{{slug}}-c-{{dept_id}}_{{id}}.html{_SESSION}", post=f"/{{slug}}-a-{{id}}.html{_SESSION}",
        blog=f"/articles.html{_SESSION}", tag=f"/articles-t-{{slug}}.html{_SESSION}",
        info=f"/{{slug}}.html{_SESSION}", desk=f"/{{slug}}.php{_SESSION}", brand=f"/{{slug}}-m-{{id}}.html{_SESSION}",
        pages=("?page={n}",), prices_stories=True,
    ),
}  # fmt: skip
"""The schemes by name; the first three are those that the fixed pattern was made for."""


def append(address: str, form: str, **values: object) -> str:
    """Add what a form says to an address: a query joins the one that is there, a path goes before it."""
    added = form.format(**values)
    path, mark, query = address.partition("?")
    if added.startswith("?"):
        return f"{address}&{added[1:]}" if mark else address + added
    return f"{path}{added}{mark}{query}"
