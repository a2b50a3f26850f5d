"""A breadth-first walk of the shop, as a crawler without any idea of products makes it; for comparison."""

from collections import deque
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from examples.demo_shop.faults import is_forbidden
from examples.demo_shop.shop import Shop

_ORIGIN = "http://shop.invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class BreadthFirst:
    """What such a walk fetched, in order (paths and queries), and how many of these are products."""

    fetched: tuple[str, ...]
    products: int


def breadth_first(shop: Shop, n: int = 60) -> BreadthFirst:
    """Walk the links of the pages in document order, from the home page, robots.txt obeyed, n fetches at most."""
    queue, seen, fetched = deque(["/"]), {"/"}, list[str]()
    while queue and len(fetched) < n:
        target = queue.popleft()
        fetched.append(target)
        for found in _targets(shop, target):
            if found not in seen and not is_forbidden(found):
                seen.add(found)
                queue.append(found)
    products = sum(urlsplit(target).path in shop.truth.products for target in fetched)
    return BreadthFirst(fetched=tuple(fetched), products=products)


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the reference of an anchor."""
        href = dict(attrs).get("href")
        if tag == "a" and href is not None:
            self.hrefs.append(href)


def _targets(shop: Shop, target: str) -> list[str]:
    """Return where a page links, or where a redirect leads: paths and queries of this shop."""
    answer = shop.response("GET", target, {"host": urlsplit(_ORIGIN).netloc})
    hrefs = [answer.headers["location"]] if "location" in answer.headers else []
    if answer.status == 200 and answer.headers["content-type"].startswith("text/html"):
        reader = _Anchors()
        reader.feed(answer.body.decode())
        hrefs = reader.hrefs
    urls = (urljoin(_ORIGIN + target, href).partition("#")[0] for href in hrefs)
    return [url.removeprefix(_ORIGIN) or "/" for url in urls if url.startswith(_ORIGIN + "/") or url == _ORIGIN]
