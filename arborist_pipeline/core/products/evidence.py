"""All that one page gives: the scan of its tree, its structured data, and the view a reader has."""

from dataclasses import dataclass

from arborist_pipeline.core.products.embedded import Embedded, parse_embedded, telling_nodes
from arborist_pipeline.core.products.item_data import parse_item_data
from arborist_pipeline.core.products.linked_data import parse_linked_data
from arborist_pipeline.core.products.nodes import Node, first, product_nodes
from arborist_pipeline.core.products.scan import PageScan, scan_page
from arborist_pipeline.core.products.text import fold_text, is_alike, likeness
from arborist_pipeline.core.products.view import PageView, build_view
from arborist_pipeline.core.web.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What tiers, platforms and the verdict on the page's kind read; gathered once a page."""

    scan: PageScan
    linked: tuple[object, ...]
    items: tuple[Node, ...]
    linked_products: tuple[Node, ...]
    item_products: tuple[Node, ...]
    embedded: tuple[Embedded, ...]
    embedded_nodes: tuple[tuple[Node, str], ...]
    titles: tuple[str, ...]
    view: PageView

    @property
    def page(self) -> Page:
        """The page itself."""
        return self.scan.page


def gather_evidence(page: Page) -> Evidence:
    """Read a page to its evidence; total."""
    scan = scan_page(page)
    linked = parse_linked_data(scan.scripts)
    items = parse_item_data(scan)
    embedded = parse_embedded(scan)
    titles = tuple(filter(None, (fold_text(scan.meta("og:title", "twitter:title")), page.title or "")))
    return Evidence(
        scan=scan,
        linked=linked,
        items=items,
        linked_products=product_nodes(linked),
        item_products=product_nodes(items),
        embedded=embedded,
        embedded_nodes=telling_nodes(embedded),
        titles=titles,
        view=build_view(scan, titles),
    )


def choose_product(nodes: tuple[Node, ...], evidence: Evidence) -> Node | None:
    """Return the node of the page's product: the one that bears its heading or address, else the only one.

    Several products of different names, none of which is the page's, are a list: None.
    """
    best: Node | None = None
    best_score = -1.0
    for node in nodes[:200]:
        score = _fit(node, evidence)
        if score > best_score:
            best, best_score = node, score
    names = {fold_text(first(node, "name")).lower() for node in nodes}
    return best if best_score >= 2 or len(names) <= 1 else None


def _fit(node: Node, evidence: Evidence) -> float:
    name = fold_text(first(node, "name"))
    score = 0.0
    for title in (evidence.view.name, *evidence.titles):
        if name and title and is_alike(name, title):
            score = max(score, 2 + likeness(name, title))
    page = evidence.page
    for key in ("url", "@id", "mainEntityOfPage"):
        address = first(node, key)
        if isinstance(address, str) and len(address) > 1 and not address.startswith("#"):
            resolved = evidence.scan.url(address.split("#")[0])
            score += 2 if resolved is not None and resolved in (page.url, page.canonical_url) else 0
    return score + (0.5 if "offers" in node else 0) + min(len(node), 40) / 1000
