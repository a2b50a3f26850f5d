"""How the shops of the family make their addresses. None of the rules here is known to the crawler.

A scheme is a set of forms: `{slug}`, `{id}` and `{code}` name the thing itself, `{dept}` and `{sub}` the categories
that it is in, `{year}` and `{month}` when a post appeared, `{dept_id}` and `{sub_id}` the numbers of categories.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """The forms of one kind of shop's addresses.

    `in_category` is the form of a second address that a good has in each category that lists it. `is_right` says that
    the fixed pattern (`/products?|p|item/` before a slug) finds goods and nothing else. `shares_words`: posts are
    named by the words of goods. `hides_goods`: categories show no goods, only a way to pages of lists that do.
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


_BY_ROUTE = "/index.php?route="
_BY_PAGE = "/index.php?main_page="

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
}  # fmt: skip
"""The schemes by name; the first three are those that the fixed pattern was made for."""


def append(address: str, form: str, **values: object) -> str:
    """Add what a form says to an address: a query joins the one that is there, a path goes before it."""
    added = form.format(**values)
    path, mark, query = address.partition("?")
    if added.startswith("?"):
        return f"{address}&{added[1:]}" if mark else address + added
    return f"{path}{added}{mark}{query}"
