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
_LANG = "{lang}"
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[a-z]{2,5}$")
_SCRIPTS = frozenset({".php", ".asp", ".aspx", ".jsp", ".cgi", ".do", ".cfm"})  # what they show the query says
_SCRIPT = re.compile(r"[a-z]{1,16}(?:[-_][a-z]{1,16})?")  # other names before such an ending are those of what is shown
_LETTERS = re.compile(r"[a-z]++(?:[-_+][a-z]++)*+")
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


class _Folders(NamedTuple):
    """The segments before the last: the shapes of the first six, that of the first that is no language, all names."""

    shapes: tuple[str, ...]
    first: str
    names: tuple[str, ...]


@lru_cache(maxsize=512)
def shape_of(url: str, literals: frozenset[str] = frozenset()) -> UrlShape:
    """Return the shape of an absolute URL; `literals` are first segments that stay as they are."""
    whole, _, query = url.partition("?")
    folder, last = _split_path(whole)
    above = _read_folders(folder, literals)
    depth = len(above.names) + bool(last)
    shapes = above.shapes
    if last and depth <= MAX_SEGMENTS:
        shapes = (*shapes, _segment_shape(last, depth - 1, is_last=True, literals=frozenset()))
    lowered = last.lower()
    keys, route, is_page = _query_shape(query, is_door=depth <= 1 and (not last or _is_script(lowered)))
    words = tuple(_WORDS.findall(_EXTENSION.sub("", lowered))[:MAX_WORDS]) + route
    slash = "/" if last and whole.endswith("/") else ""
    text = f"/{'/'.join(shapes)}{'/...' if depth > MAX_SEGMENTS else slash}"
    if keys:
        text += f"?{'&'.join((*keys, *route))}"
    return UrlShape(
        text=text,
        first=above.first or (shapes[-1] if shapes and shapes[-1] != _LANG else ""),
        last=shapes[-1] if shapes else "",
        words=words,
        keys=keys,
        depth=depth,
        is_page=is_page or (above.names[-1:] == ("page",) and last.isdecimal()),
        before=tuple(map(str.lower, above.names[:MAX_SEGMENTS])),
    )


def names_later_page(url: str) -> bool:
    """Whether an address names a later page of a list, as `is_page` of its shape tells."""
    return ("?" in url or "/page/" in url) and shape_of(url).is_page


def first_segment(url: str) -> str:
    """Return the first path segment that is no language, "" where the path has but one."""
    folder, _ = _split_path(url.partition("?")[0])
    return _first_folder(folder)


def _split_path(whole: str) -> tuple[str, str]:
    """Split the path of an address without its query into what stands before its last segment, and that."""
    start = whole.find("/", whole.find("://") + 3)
    folder, _, last = whole[start:].rstrip("/").rpartition("/") if start > 0 else ("", "", "")
    return folder, last


@lru_cache(maxsize=512)
def _first_folder(folder: str) -> str:
    names = [segment for segment in folder.split("/") if segment]
    if names and _LANGUAGE.fullmatch(names[0]):
        names = names[1:]
    return names[0].lower() if names else ""


@lru_cache(maxsize=512)
def _read_folders(folder: str, literals: frozenset[str]) -> _Folders:
    names = tuple(segment for segment in folder.split("/") if segment)
    shapes = []
    first = ""
    for place, name in enumerate(names[:MAX_SEGMENTS]):
        shape = _segment_shape(name, place, is_last=False, literals=literals if not first else frozenset())
        first = first or ("" if shape == _LANG else shape)
        shapes.append(shape)
    return _Folders(tuple(shapes), first, names)


def _segment_shape(segment: str, place: int, *, is_last: bool, literals: frozenset[str]) -> str:
    lowered = segment.lower()
    if lowered in STRUCTURE and not (place == 0 and is_last):
        return lowered if not (place == 0 and _LANGUAGE.fullmatch(lowered) and len(lowered) == 2) else _LANG
    if place == 0 and not is_last and _LANGUAGE.fullmatch(segment):
        return _LANG
    if not is_last and lowered in literals:
        return lowered
    if _is_script(lowered):
        return lowered
    extension = _EXTENSION.search(lowered)
    ending = extension[0] if extension else ""
    if segment != lowered and _OPAQUE.fullmatch(segment, 0, len(segment) - len(ending)):
        return f"{{code}}{ending}"
    return f"{_name_shape(lowered.removesuffix(ending))}{ending}"


def _is_script(segment: str) -> bool:
    name, dot, ending = segment.rpartition(".")
    return dot + ending in _SCRIPTS and _SCRIPT.fullmatch(name) is not None


def _name_shape(name: str) -> str:
    if _LETTERS.fullmatch(name):  # most names of most shops
        return "{word}" if name.isalpha() else "{words}"
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
