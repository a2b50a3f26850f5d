"""Soft 404s: addresses that do not exist and are answered with status 200 and a page that says so (RFC 9110 §15.5.5).

Asked once for an address that cannot exist, a site shows what such a page looks like; pages that show the same text
are soft 404s. The question costs a request, so it is asked only of sites that give reason to: two addresses with one
text, or a title that speaks of an error.
"""

import hashlib
import re
from dataclasses import replace

from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.crawl.records import CrawledPage, Outcome
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url, canonicalize

MAX_TEXTS = 5_000
"""Texts remembered to see one again: a site where so many pages all differ gives no reason to ask."""
REASON = "soft 404: it shows what the site shows for an address that does not exist"
_ERROR_TITLE = re.compile(
    r"\b404\b|not found|does ?n[o']t exist|no longer (?:available|exists)|nicht gefunden|existiert nicht|introuvable"
    r"|n'existe pas|no encontrad|no existe|non trovat|non esiste|niet gevonden|n[ãa]o encontrad|nie znaleziono"
    r"|nem tal[áa]lhat|не найден|nenalezen|hittades inte|ikke fundet|ikke funnet|bulunamad",
    re.IGNORECASE,
)


class SoftErrors:
    """What one crawl knows of its site's page for addresses that do not exist.

    First `suspects`, and where it says so a probe, told to `learn`; from then on `is_one` knows.
    """

    def __init__(self) -> None:
        self.is_settled = False
        self._template: bytes | None = None
        self._first: dict[bytes, CrawledPage] = {}  # without bodies and links

    def suspects(self, reading: Reading) -> bool:
        """Take in a page; whether it gives reason to ask the site for an address that cannot exist."""
        key, page = reading.text_key, reading.page
        if self.is_settled or key is None:
            return False
        first = self._first.get(key)
        if first is None and len(self._first) < MAX_TEXTS:
            self._first[key] = replace(page, body=None, links=None, headers={}, stored=None)
        repeats = first is not None and first.url != page.url and page.canonical_url in (None, page.url)
        return repeats or _ERROR_TITLE.search(page.title or "") is not None

    def learn(self, shown: Reading | None, *, seed: Url) -> CrawledPage | None:
        """Take in what came for the probe (None: nothing could be asked); return a page taken for a live one till now.

        A site that answers everything with its start page shows no page for errors.
        """
        self.is_settled = True
        first, self._first = self._first, {}
        key = shown.text_key if shown is not None else None
        if key is None:
            return None
        earlier = first.get(key)
        if earlier is not None and earlier.url == seed:
            return None
        self._template = key
        return earlier

    def is_one(self, reading: Reading, *, seed: Url) -> bool:
        """Whether a page shows what the site shows for an address that does not exist; its seed exists."""
        return self._template is not None and reading.text_key == self._template and reading.page.url != seed


def probe_url(suspect: Url) -> Url:
    """Return an address beside a page, with its ending, that cannot exist; the same for every page of a folder."""
    folder, _, name = suspect.partition("?")[0].rpartition("/")
    ending = "." + name.rpartition(".")[2] if re.search(r"\.[a-z0-9]{1,5}$", name, re.IGNORECASE) else ""
    token = hashlib.sha256(folder.encode()).hexdigest()[:20]
    return canonicalize(f"{folder}/no-such-page-{token}{ending}")


def as_soft_error(reading: Reading) -> Reading:
    """Return the reading of a page that turned out to be a soft 404: no document, no product, nothing to follow."""
    page = replace(reading.page, outcome=Outcome.SOFT_404, reason=REASON, kind=PageKind.OTHER, body=None, links=None,
                   document_root=None, needs_rendering=False)  # fmt: skip
    return Reading(page=page)
