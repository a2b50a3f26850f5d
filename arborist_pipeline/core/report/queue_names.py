"""What waits in a queue of the frontier, in words for people: a class of work, or a kind of links."""

from collections.abc import Mapping

from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.report.url_record import QueueArm, QueuePlace
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import redact

_BUCKETS: Mapping[int, str] = {
    Bucket.DUE_PRODUCT: "known product pages",
    Bucket.PRODUCT_SHAPED: "product-shaped addresses",
    Bucket.DUE_OTHER: "other known pages",
    Bucket.QUEUE: "addresses in order of discovery",
    Bucket.BEHIND: "other addresses of known products, and later pages of lists that brought nothing new",
    Bucket.LAST: "addresses that come last, of patterns that led only to more of themselves",
}
_PARTS: Mapping[str, str] = {  # as `core.web.places` tells them
    "m": "in the content", "n": "in menus", "h": "in the header", "f": "in the footer", "a": "in side bars",
    "b": "in breadcrumbs", "p": "in the pagination", "l": "in the head", "s": "of the sitemap",
}  # fmt: skip
_SHOWN: Mapping[str, str] = {"i": "a picture", "c": "a price"}
_PAGES: Mapping[str, str] = {
    PageKind.PRODUCT: "of product pages",
    PageKind.LISTING: "of lists",
    PageKind.ARTICLE: "of articles",
    PageKind.HOME: "of the home page",
}


def queue_name(place: QueuePlace) -> str:
    """Return what waits in the queue where a URL stands: of an arm what its links have in common, and one of them."""
    if place.arm is not None:
        return f"{_links(place.arm)}, such as {redact(place.arm.example)}"
    return _BUCKETS.get(place.bucket, "links of a kind that the store has lost")


def _links(arm: QueueArm) -> str:
    shape, _, stands = arm.key.partition(" ")
    head, _, rest = stands.partition(".")
    words = ["links of many kinds" if shape == "*" else f"links like {shape}"]
    if shape == "*" and head.endswith("r"):
        words = ["product-shaped links of many kinds"]
    shown = [_SHOWN[sign] for sign in head[1:] if sign in _SHOWN]
    words += [f"beside {' and '.join(shown)}"] if shown else []
    words += [_PARTS.get(head[:1], ""), _PAGES.get(rest.rpartition(".")[2], "")]
    return " ".join(filter(None, words))
