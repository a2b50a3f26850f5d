"""All that one page gives: the scan of its tree, its structured data, and the view a reader has."""

from dataclasses import dataclass
from functools import cached_property

from arborist_pipeline.core.products.controls import Controls, find_controls
from arborist_pipeline.core.products.embedded import Embedded, parse_embedded, telling_nodes
from arborist_pipeline.core.products.item_data import parse_item_data
from arborist_pipeline.core.products.linked_data import parse_linked_data
from arborist_pipeline.core.products.nodes import Node, first, product_nodes
from arborist_pipeline.core.products.scan import PageScan, scan_page
from arborist_pipeline.core.products.text import fold_text, is_alike, likeness
from arborist_pipeline.core.products.view import PageView, build_view
from arborist_pipeline.core.web.page import Page


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What tiers, platforms and the verdict on the page's kind read; each part is read once, when first asked for.

    Most pages of a crawl are no products, and of those the cheap parts tell (`triage`). Without slots, since the parts
    that are read are kept in the instance. `told` is what the platform's endpoint says of the page's product.
    """

    scan: PageScan
    told: Node | None = None

    @property
    def page(self) -> Page:
        """The page itself."""
        return self.scan.page

    @cached_property
    def linked(self) -> tuple[object, ...]:
        """The values of JSON-LD."""
        return parse_linked_data(self.scan.scripts)

    @cached_property
    def items(self) -> tuple[Node, ...]:
        """The top-level items of microdata and RDFa."""
        return parse_item_data(self.scan)

    @cached_property
    def linked_products(self) -> tuple[Node, ...]:
        """The products among the values of JSON-LD."""
        return product_nodes(self.linked)

    @cached_property
    def item_products(self) -> tuple[Node, ...]:
        """The products among the items."""
        return product_nodes(self.items)

    @cached_property
    def embedded(self) -> tuple[Embedded, ...]:
        """The data that the page carries for its scripts, after what the platform's endpoint told."""
        roots = self.page.tree.roots
        told = (Embedded("endpoint", self.told, roots[0]),) if self.told is not None and roots else ()
        return (*told, *parse_embedded(self.scan))

    @cached_property
    def embedded_nodes(self) -> tuple[tuple[Node, str], ...]:
        """The nodes of that data which have what products have."""
        return telling_nodes(self.embedded)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """What the page calls its subject outside of its body, best first."""
        return tuple(filter(None, (fold_text(self.scan.meta("og:title", "twitter:title")), self.page.title or "")))

    @cached_property
    def controls(self) -> Controls:
        """The controls that sell."""
        return find_controls(self.scan)

    @cached_property
    def view(self) -> PageView:
        """The page as a reader sees it. With it zones take their final value: what holds the heading is exempt."""
        _ = self.items  # reads zones as they are before
        return build_view(self.scan, self.titles, self.controls)


def gather_evidence(page: Page, told: Node | None = None) -> Evidence:
    """Read a page, and what its platform's endpoint told of its product, to its evidence; total."""
    return Evidence(scan=scan_page(page), told=told)


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
