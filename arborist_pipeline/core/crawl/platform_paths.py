"""The platform tier: which software a shop runs on, by what its pages hold, and what that software's addresses mean.

Addresses are judged by the routes that a platform documents or ships. Where a merchant makes the address (slugs at the
root of Magento 2, BigCommerce, nopCommerce and others) there is no verdict.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from arborist_pipeline.core.crawl.platform_marks import PLATFORMS
from arborist_pipeline.core.crawl.platform_routes import ROUTES
from arborist_pipeline.core.web.page import Page
from arborist_pipeline.core.web.url import Url, path_and_query, split_origin

_MAX_ELEMENTS, _MAX_LINKS, _MAX_CHARACTERS = 600, 200, 1_000
_ASSET_RELATIONS = frozenset({"stylesheet", "preload", "modulepreload", "prefetch", "icon", "apple-touch-icon"})
_GENERATORS = frozenset({"generator", "platform"})
_STREAMED = "self.__next_f"
"""How a program begins that holds the texts of the page."""
_COOKIE = re.compile(r"(?:^|, )([^=;,\s]+)=")
_SEGMENT, _FOLDERS = "[^/]+", "(?:/[^/]+){0,3}"


class PathKind(StrEnum):
    """What an address is for, by its platform's routes; OTHER is neither: baskets, accounts, comparisons, posts."""

    PRODUCT = "product"
    LISTING = "listing"
    OTHER = "other"


def find_platform(page: Page, headers: Mapping[str, str]) -> str | None:
    """Return the name of the software that made a page, None where nothing gives it away.

    `headers` are those of the answer, names in lower case (`FetchResult.headers`). A bounded part of the page is read:
    the elements of its head and its scripts, not its text, so that to write about a platform is no mark of it.
    """
    traces = _read_traces(page, headers)
    for marks in PLATFORMS:
        if (
            _holds(traces.generators, marks.generators)
            or _holds(traces.assets, marks.assets)
            or _holds(traces.scripts, marks.scripts)
            or _holds(traces.names, marks.names)
            or _holds(traces.targets, marks.targets)
            or _holds(traces.headers, marks.headers, before="\n")
            or _holds(traces.cookies, marks.cookies, before="\n")
        ):
            return marks.platform
    return None


def judge_path(platform: str, url: Url) -> PathKind | None:
    """Return what an address of a platform is for; None where its addresses do not tell, or the platform is unknown."""
    path, _, query = path_and_query(url).partition("?")
    given = {
        name.lower(): unquote(value).lower() for name, _, value in (part.partition("=") for part in query.split("&"))
    }
    path = path.rstrip("/") or "/"
    for route in _routes_of(platform):
        if route.path.fullmatch(path) and all(_is_given(given, name, value) for name, value in route.parameters):
            return route.kind
    return None


class _Traces(NamedTuple):
    """What a page and its headers hold that marks are looked for in: a text for each kind, a line for each trace."""

    generators: str
    assets: str
    scripts: str
    names: str
    targets: str
    headers: str
    cookies: str


class _Route(NamedTuple):
    kind: PathKind
    path: re.Pattern[str]
    parameters: tuple[tuple[str, re.Pattern[str]], ...]


def _holds(traces: str, marks: tuple[str, ...], *, before: str = "") -> bool:
    return bool(traces) and any(f"{before}{mark}" in traces for mark in marks)


def _read_traces(page: Page, headers: Mapping[str, str]) -> _Traces:
    found: dict[str, list[str]] = {field: [] for field in _Traces._fields}
    origin = f"{split_origin(page.url)}/"
    for element in islice(page.tree.iter("html", "body", "meta", "link", "script", "form", "input"), _MAX_ELEMENTS):
        for kind, trace in _traces_of(element, origin):
            found[kind].append(trace[:_MAX_CHARACTERS])
    own = (link.url for link in page.links if link.url.startswith(origin))
    found["targets"] += [path_and_query(url) for url in islice(own, _MAX_LINKS)]
    found["headers"] = [f"{name}: {value[:_MAX_CHARACTERS].lower()}" for name, value in headers.items()]
    found["cookies"] = _COOKIE.findall(headers.get("set-cookie", "").lower())
    return _Traces(**{kind: "".join(f"\n{trace}" for trace in traces) for kind, traces in found.items()})


def _traces_of(element: etree._Element, origin: str) -> Iterator[tuple[str, str]]:
    """Give each trace that an element is with the kind of marks that are looked for in it."""
    tag, name = element.tag, element.get("name") or ""
    if tag == "script":
        yield from _traces_of_script(element)
    elif tag == "link" and not _ASSET_RELATIONS.isdisjoint((element.get("rel") or "").lower().split()):
        yield "assets", element.get("href") or ""
    elif tag == "meta" and name.lower() in _GENERATORS:
        yield "generators", (element.get("content") or "").lower()
    elif tag in ("html", "body"):
        yield "names", " ".join(("", *map(str, element.keys()), *(element.get("class") or "").split()))
    elif tag in ("meta", "input", "form"):
        yield "names", f" {name}"
    if tag == "form":
        action = element.get("action") or ""
        if action.startswith(origin) or "//" not in action:
            yield "targets", action


def _traces_of_script(element: etree._Element) -> Iterator[tuple[str, str]]:
    """Give the address of a program, else how it begins; of data in a script only what kind it is said to be."""
    kind, source = (element.get("type") or "").lower(), element.get("src")
    if source:
        yield "assets", source
    elif kind not in ("", "module") and "javascript" not in kind:
        yield "scripts", kind
    else:
        beginning = (element.text or "")[:_MAX_CHARACTERS].lstrip()
        if not beginning.startswith(_STREAMED):
            yield "scripts", beginning


@lru_cache(maxsize=8)
def _routes_of(platform: str) -> tuple[_Route, ...]:
    routes = []
    kind = PathKind.OTHER
    for word in ROUTES.get(platform, "").split():
        if word.endswith(":"):
            kind = PathKind(word[:-1])
        else:
            routes.append(_parse_route(kind, word))
    return tuple(routes)


def _parse_route(kind: PathKind, route: str) -> _Route:
    """Parse a route as `core.crawl.platform_routes` writes them."""
    path, _, query = route.partition("?")
    asked = [part.partition("=") for part in query.split("&") if part]
    return _Route(
        kind=kind,
        path=re.compile(f"{_FOLDERS}{_pattern_of(path, wild=_SEGMENT)}" if path else ".*", re.IGNORECASE),
        parameters=tuple((name, re.compile(_pattern_of(value, wild=".*") or ".+")) for name, _, value in asked),
    )


def _pattern_of(form: str, *, wild: str) -> str:
    stem = form.removesuffix("/...")
    pattern = stem.replace(".", r"\.").replace("#", "[0-9]+")
    below = "(?:/.+)?" if stem != form else ""
    return ".+".join(part.replace("*", wild) for part in pattern.split("**")) + below


def _is_given(given: Mapping[str, str], name: str, value: re.Pattern[str]) -> bool:
    """Whether a parameter has a value that a route wants."""
    names = [each for each in given if each.startswith(name[:-1])] if name.endswith("*") else [name]
    return any(value.fullmatch(given[each]) for each in names if given.get(each))
