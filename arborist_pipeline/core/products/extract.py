"""A page to its kind and its product: gather the evidence once, rule out most pages, let all tiers read, merge."""

from dataclasses import dataclass, field

from arborist_pipeline.core.products.endpoints import lacks_variants, parse_endpoint
from arborist_pipeline.core.products.evidence import Evidence, gather_evidence
from arborist_pipeline.core.products.kind import judge_kind
from arborist_pipeline.core.products.merge import Ballots, merge_drafts
from arborist_pipeline.core.products.platforms import ENDPOINTS, PLATFORMS
from arborist_pipeline.core.products.product import Product
from arborist_pipeline.core.products.tiers import TELLING, TIERS
from arborist_pipeline.core.products.triage import rule_out_product
from arborist_pipeline.core.products.verdict import Trait
from arborist_pipeline.core.web.page import Page, PageKind
from arborist_pipeline.core.web.url import Url

READER = "reader-v5"
"""Names the rules by which pages are read; a change of what is read is a new name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a page is, the product it sells where it sells one, and why this kind or no product.

    `is_unsure` says that it may be a product page all the same; `traits` are what was weighed for its kind, `ballots`
    what each source said of each field; `evidence` is what all of it was read from. `endpoint` is an address of the
    shop's platform that tells what the page leaves open of its variants.
    """

    kind: PageKind
    product: Product | None
    reason: str
    is_unsure: bool = False
    traits: tuple[Trait, ...] = field(default=(), repr=False, compare=False)
    ballots: Ballots = field(default_factory=dict, repr=False, compare=False)
    endpoint: Url | None = None
    evidence: Evidence = field(repr=False, compare=False)


def read_page(page: Page, told: bytes | None = None) -> Reading:
    """Read a parsed page to its kind and its product; total. A product is there exactly when the kind is PRODUCT.

    `told` is what the platform's endpoint answered, where it was asked.
    """
    evidence = gather_evidence(page, parse_endpoint(told) if told is not None else None)
    verdict = rule_out_product(evidence)
    if verdict is not None:
        return Reading(kind=verdict.kind, product=None, reason=verdict.reason, traits=verdict.traits,
                       evidence=evidence)  # fmt: skip
    drafts = [draft for read in (*PLATFORMS, *TELLING) if (draft := read(evidence)) is not None]
    verdict = judge_kind(evidence, drafts)
    if verdict.kind is not PageKind.PRODUCT:
        return Reading(kind=verdict.kind, product=None, reason=verdict.reason, is_unsure=verdict.is_unsure,
                       traits=verdict.traits, evidence=evidence)  # fmt: skip
    drafts += [draft for read in TIERS[len(TELLING) :] if (draft := read(evidence)) is not None]
    ballots: Ballots = {}
    product = merge_drafts(drafts, evidence, ballots)
    if product is None:
        return Reading(kind=PageKind.OTHER, product=None, reason="no source names the product", is_unsure=True,
                       traits=verdict.traits, evidence=evidence)  # fmt: skip
    return Reading(kind=PageKind.PRODUCT, product=product, reason=verdict.reason, traits=verdict.traits,
                   ballots=ballots, endpoint=_endpoint(product, evidence), evidence=evidence)  # fmt: skip


def _endpoint(product: Product, evidence: Evidence) -> Url | None:
    """Return the address that may tell what a page leaves open, where it was not asked yet."""
    if evidence.told is not None or not lacks_variants(product):
        return None
    return next((url for find in ENDPOINTS if (url := find(evidence)) is not None), None)


def extract_product(page: Page) -> Product | None:
    """Return the product of a product page; None for every other page."""
    return read_page(page).product
