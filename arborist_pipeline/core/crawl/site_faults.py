"""What a site list may say and cannot mean: faults that are refused, and doubts that are told.

`site_list` knows types and ranges. Here is what would be read, taken for something else, and never be noticed.
"""

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Any

from arborist_pipeline.core.crawl.admission import Rejection, build_admission
from arborist_pipeline.core.crawl.records import Mode, Render, Site, SiteType
from arborist_pipeline.core.errors import InvalidUrl
from arborist_pipeline.core.web.url import canonicalize, redact, same_site, split_origin

MAX_NUMBER = 1_000_000_000
MAX_CONCURRENCY = 1_000
MAX_KEY_CHARACTERS = 200
_WRITTEN = re.compile(r"https?://(?P<authority>[^/?#\\]+)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_PORT = re.compile(r":0+\Z")


def find_fault(key: str, value: object) -> str | None:
    """Say what is wrong with a setting that can be read and what to write; None where nothing is."""
    if key in ("seed_url", "sitemap") and isinstance(value, str):
        return find_address_fault(value)
    if key in ("include", "exclude") and isinstance(value, list):
        return next((fault for pattern in value if (fault := _pattern_fault(pattern))), None)
    if key == "key" and isinstance(value, str) and len(value) > MAX_KEY_CHARACTERS:
        return f"is longer than {MAX_KEY_CHARACTERS} characters; choose a shorter one"
    most = MAX_CONCURRENCY if key == "concurrency" else MAX_NUMBER
    if isinstance(value, int) and value > most:
        return f"must be at most {most}, not {value!r}"
    if key == "retention" and isinstance(value, Mapping):
        return find_fault("crawls", value.get("crawls"))
    return None


def find_address_fault(text: str) -> str | None:
    """Say why an address that a browser would take is not what was meant; None where it is, or is no address at all."""
    try:
        url = canonicalize(text)
    except InvalidUrl:
        return None
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        return f"names no host after the two slashes; if {split_origin(url).host} is the host, write {url}"
    authority = written["authority"]
    if "@" in authority:
        return f"has a user name or password, which no request would carry: write {url}"
    if _PORT.search(authority):
        return "has port 0, which no server has; leave it out or correct it"
    if "#" in written["rest"]:
        return f"names a place within a page (#…), which no server sees: write {url}"
    return _host_fault(authority, split_origin(url).host)


def mend_address(text: str) -> str:
    """Say what to do about a text that is no http(s) address."""
    has_scheme = re.match(r"\s*https?:", text, re.IGNORECASE)
    return "correct its host or port" if has_scheme else "write it with https:// in front"


def find_doubts(site: Site) -> tuple[str, ...]:
    """Say which settings of a site will not do what they seem to; each a line that names its key."""
    return tuple(f"{key}: {doubt}" for key, doubt in _doubts(site))


def _doubts(site: Site) -> Iterator[tuple[str, str]]:
    if redact(site.seed_url) != site.seed_url:
        yield "seed_url", "has what looks like a secret; addresses are stored, and shown in reports, as they are"
    if site.render is Render.ALWAYS:
        yield "render", "always is not built yet and acts as never; pages that are drawn by script are counted"
    if site.concurrency is not None and site.mode is Mode.POLITE:
        yield "concurrency", "counts in fast mode only; a polite crawl asks one page at a time"
    if site.stop_below and site.kind is not SiteType.SHOP:
        yield "stop_below", "counts for shops only; other sites have no products to become rare"
    if site.depth == 0:
        yield "depth", "0 fetches the seed alone and follows no link"
    if build_admission(site.seed_url, include=(), exclude=site.exclude, robots={}).reject(site.seed_url) is (
        Rejection.EXCLUDED
    ):
        yield "exclude", "leaves out the seed itself, and all that is like it"
    for key, patterns in (("include", site.include), ("exclude", site.exclude)):
        for pattern in patterns:
            if _is_foreign(pattern, site):
                yield key, f"{pattern!r} is of another host than the seed and matches nothing"


def _is_foreign(pattern: str, site: Site) -> bool:
    if "://" not in pattern or "*" in pattern.split("://", 1)[1].partition("/")[0]:
        return False
    try:
        return not same_site(canonicalize(pattern), site.seed_url)
    except InvalidUrl:
        return True


def _pattern_fault(pattern: Any) -> str | None:  # noqa: ANN401  # any value of a list
    if not isinstance(pattern, str) or not pattern:
        return None  # told by the reader of the list
    if not pattern.startswith(("/", "*", "http://", "https://")):
        return f"{pattern!r} never matches: write a path (/{pattern.lstrip('^./')}), a URL, or * in front"
    if re.search(r"\s", pattern):
        return f"{pattern!r} never matches: addresses have no white space (%20 stands for one)"
    return None


def _host_fault(authority: str, host: str) -> str | None:
    name = authority.rpartition(":")[0] if re.search(r":[0-9]*\Z", authority) else authority
    if ".." in host or host.startswith("."):
        return f"has an empty part in its host {name!r}; correct it"
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return None
    return None if name == host else f"writes an IP address as {name!r}; write it as {host}"
