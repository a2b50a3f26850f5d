"""What a URL is made like: a shape that the pages of one kind share, and the words in it.

`/en-gb/shop/blue-cotton-shirt-17.html?page=2` has the shape `/{lang}/shop/{words-n}.html?page`. Words of structure
stay (`shop`, `category`, `blog`), and so does the first segment where a site has few of them; names, numbers and codes
become what they are.
"""

import re
from functools import lru_cache
from typing import NamedTuple

MAX_SEGMENTS = 6
MAX_WORDS = 10

STRUCTURE = frozenset(
    """account actualites artikel article articles author b blog blogs brand brands c cart catalog catalogue categories
    category categoria categorie cms collection collections content customer d departments detail details docs dp en
    faq goods gp help i info item items journal kategorie kategorien kategoria magazine marke media news p page pages
    pd post posts press prod produkt produkte produit produits produto produtos producto productos prodotto prodotti
    product product-category product-tag product_info products recipes review reviews s sale search service shop sku
    stories store stores support t tag tags tienda topic topics u user v wiki wp""".split()
)
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[a-z]{2,5}$")
_SCRIPTS = frozenset({".php", ".asp", ".aspx", ".jsp", ".cgi", ".do", ".cfm"})  # what they show the query says
_SCRIPT = re.compile(r"[a-z]{1,16}(?:[-_][a-z]{1,16})?")  # other names before such an ending are those of what is shown
_HEX = re.compile(r"(?=[^/]*\d)[0-9a-f]{6,}|[0-9a-f]{8}-[0-9a-f-]{20,}")
_CODE = re.compile(r"(?=[^/]*\d)(?=[^/]*[A-Za-z])[0-9A-Za-z]{5,}")
_OPAQUE = re.compile(  # as base64 for URLs has it (RFC 4648 §5): capitals and digits within, no word to be read
    r"(?=[^A-Z]*[A-Z])(?=.*(?:[a-z][A-Z]|[A-Za-z][0-9]+[A-Za-z]))(?!.*[a-z]{5})[A-Za-z0-9_-]{8,}={0,2}"
)
_SIGN = re.compile(r"(-[a-z]{1,2})[-_]?[0-9]+(?:[-_][0-9]+)*\Z")  # `-p-17`, `-c12_3`: one for each kind of page
_WORDS = re.compile(r"[^\W\d_]{2,}")
_ROUTES = frozenset(
    {"route", "main_page", "controller", "fc", "module", "option", "view", "task", "action", "do", "mod"}
)
_PAGE_KEYS = frozenset({"page", "p", "pg", "paged", "start", "offset", "pagenumber", "pageno", "from", "seite"})


class UrlShape(NamedTuple):
    """The shape as text, that of the first segment ("" for none) and of the last, whose words, the query's keys.

    `before` are the segments before the last as they are; `is_page` tells that it names a later page of a list.
    """

    text: str
    first: str
    last: str
    words: tuple[str, ...]
    keys: tuple[str, ...]
    depth: int
    is_page: bool
    before: tuple[str, ...]


@lru_cache(maxsize=512)
def shape_of(url: str, literals: frozenset[str] = frozenset()) -> UrlShape:
    """Return the shape of an absolute URL; `literals` are first segments that stay as they are."""
    path, _, query = url.partition("?")
    start = path.find("/", path.find("://") + 3)
    segments = [segment for segment in path[start:].split("/") if segment] if start > 0 else []
    shapes = []
    first = ""
    for place, segment in enumerate(segments[:MAX_SEGMENTS]):
        is_last = place == len(segments) - 1
        shape = _segment_shape(segment, place, is_last=is_last, literals=literals if not first else frozenset())
        first = first or ("" if shape == "{lang}" else shape)
        shapes.append(shape)
    last = segments[-1] if segments else ""
    keys, route, is_page = _query_shape(query, is_door=not segments or (len(segments) == 1 and _is_script(last)))
    words = tuple(word.lower() for word in _WORDS.findall(_EXTENSION.sub("", last))[:MAX_WORDS]) + route
    slash = "/" if segments and path.endswith("/") else ""
    text = f"/{'/'.join(shapes)}{'/...' if len(segments) > MAX_SEGMENTS else slash}"
    if keys:
        text += f"?{'&'.join((*keys, *route))}"
    is_page = is_page or (len(segments) > 1 and segments[-2] == "page" and last.isdecimal())
    return UrlShape(text, first, shapes[-1] if shapes else "", words, keys, len(segments), is_page,
                    tuple(segment.lower() for segment in segments[:-1][:MAX_SEGMENTS]))  # fmt: skip


def first_segment(url: str) -> str:
    """Return the first path segment that is no language, "" where the path has but one."""
    segments = url.partition("?")[0].split("/")[3:]
    names = [segment for segment in segments if segment]
    if names and _LANGUAGE.fullmatch(names[0]):
        names = names[1:]
    return names[0].lower() if len(names) > 1 else ""


def _segment_shape(segment: str, place: int, *, is_last: bool, literals: frozenset[str]) -> str:
    lowered = segment.lower()
    if lowered in STRUCTURE and not (place == 0 and is_last):
        return lowered if not (place == 0 and _LANGUAGE.fullmatch(lowered) and len(lowered) == 2) else "{lang}"
    if place == 0 and not is_last and _LANGUAGE.fullmatch(segment):
        return "{lang}"
    if not is_last and lowered in literals:
        return lowered
    if _is_script(lowered):
        return lowered
    extension = _EXTENSION.search(lowered)
    ending = extension[0] if extension else ""
    if _OPAQUE.fullmatch(segment, 0, len(segment) - len(ending)):
        return f"{{code}}{ending}"
    return f"{_name_shape(lowered.removesuffix(ending))}{ending}"


def _is_script(segment: str) -> bool:
    name, dot, ending = segment.lower().rpartition(".")
    return dot + ending in _SCRIPTS and _SCRIPT.fullmatch(name) is not None


def _name_shape(name: str) -> str:
    if name.isdecimal():
        return "{n}"
    if _HEX.fullmatch(name):
        return "{x}"
    parts = re.split(r"[-_+.]|%20", name)
    if len(parts) == 1:
        return "{code}" if _CODE.fullmatch(name) else "{word}"
    head = "n-" if parts[0].isdecimal() else ""
    tail = "-n" if parts[-1].isdecimal() else "-x" if _HEX.fullmatch(parts[-1]) else ""
    sign = _SIGN.search(name)
    return f"{{{head}words{sign[1] if sign else ''}{tail}}}"


def _query_shape(query: str, *, is_door: bool) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Return the keys in order of name, values that say what kind is shown, and whether it names a later page.

    `route=product/product` says a kind. Through a door (the root, one script for all) so does `page=category`, and
    `?p=17` alone is no later page of anything.
    """
    if not query:
        return (), (), False
    keys, route, is_page = set(), [], False
    pairs = query.split("&")[:12]
    for pair in pairs:
        key, _, value = pair.partition("=")
        key, value = key.lower()[:24], value.lower()
        keys.add(key)
        if key in _ROUTES and value and len(value) < 40 and not any(map(str.isdigit, value)):
            route.append(value)
        elif key in _PAGE_KEYS:
            is_name = is_door and bool(value) and not value.isdecimal()
            route += [value if value in STRUCTURE else _name_shape(value)] if is_name else []
            is_page = is_page or not (is_name or (is_door and key == "p" and len(pairs) == 1))
    return tuple(sorted(keys)), tuple(sorted(route)), is_page
