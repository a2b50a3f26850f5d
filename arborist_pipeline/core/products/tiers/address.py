"""The address as evidence: the code that a shop's own URL gives a product, where the page bears it too.

Shops that show no article number still name the thing by one: /dp/B00…, /itm/3024…, ?products_id=2626. A code counts
only when the page repeats it, in a form or in its text, and it is weaker than any number that is called one.
"""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "address"
_PARAMETERS = re.compile(
    r"^(?:pid|prod(?:uct)?s?(?:_?id)?|item(?:_?id)?|sku|id|p_prodid|artikel|art|code|prod)$", re.IGNORECASE
)
_EXTENSION = re.compile(r"\.(?:html?|aspx?|php|jsp|do|uts|p)$", re.IGNORECASE)
_TAIL_CODE = re.compile(r"[-_,.]([A-Za-z]{0,4}\d{5,14}(?:[-_.]\d{1,4})?)$")
_CODE = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9_\-]{3,23}")


def read_address(evidence: Evidence) -> Draft | None:
    """Return the code of the page's address as article number; None where it has none that the page repeats."""
    for code in codes_of(evidence.page.url):
        if _is_repeated(code, evidence):
            return Draft(tier=TIER, sku=Found(code, "address", evidence.page.url[:200]),
                         product_id=Found(code, "address", evidence.page.url[:200]))  # fmt: skip
    return None


def codes_of(url: str) -> Iterator[str]:
    """Yield what can be a product's code in an address, likeliest first."""
    parts = urlsplit(url)
    for name, value in parse_qsl(parts.query)[:20]:
        if _PARAMETERS.match(name) and _CODE.fullmatch(value):
            yield value
    segments = [unquote(part) for part in parts.path.split("/") if part]
    for segment in reversed(segments[-4:]):
        plain = _EXTENSION.sub("", segment)
        if _CODE.fullmatch(plain) and sum(map(str.isdigit, plain)) >= 4 and len(plain) >= 5 and plain.count("-") <= 1:
            yield plain
        tail = _TAIL_CODE.search(plain)
        if tail:
            yield tail[1]


def _is_repeated(code: str, evidence: Evidence) -> bool:
    scan = evidence.scan
    for placed in scan.tagged("input"):
        if placed.element.get("value") == code:
            return True
    if any(code in text for text in scan.texts if len(text) <= 120):
        return True
    return any(code in (script.text or "")[:200_000] for script in scan.scripts[:60])
