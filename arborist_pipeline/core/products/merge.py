"""Drafts to one product, by evidence: every source is weighed for what it is good at, and agreement counts.

The weight of a source for a field is how often it is right about it; sources that say the same add up. Prices are
also held against what the page shows: an amount that stands in sight near the heading is worth more than one that
a reader cannot find. What was taken is recorded in `sources`, what disagreed in `conflicts`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.handle import build_handle, explain_handle
from arborist_pipeline.core.products.product import Conflict, FieldSource, Product
from arborist_pipeline.core.products.text import is_alike, words_of
from arborist_pipeline.core.products.tier import Draft, Found, T

_DEFAULT_WEIGHT = 1.0
_WEIGHTS = {
    "name": {"jsonld": 3.0, "microdata": 3.0, "opengraph": 1.5, "visible": 2.6},
    "price": {"jsonld": 3.0, "microdata": 3.0, "opengraph": 2.6, "visible": 2.4},
    "description": {"jsonld": 3.0, "microdata": 3.2, "opengraph": 1.8, "visible": 1.2},
    "images": {"jsonld": 3.0, "microdata": 2.0, "opengraph": 1.5, "visible": 1.2},
    "availability": {"jsonld": 2.6, "microdata": 2.6, "opengraph": 2.2, "visible": 1.6},
    "sku": {"jsonld": 3.0, "microdata": 3.0, "opengraph": 2.0, "visible": 2.2},
}  # fmt: skip
_GENERAL = {
    "shopify": 3.2,
    "woocommerce": 3.2,
    "magento": 3.0,
    "bigcommerce": 3.0,
    "variations": 3.0,
    "jsonld": 3.0,
    "microdata": 2.8,
    "opengraph": 2.0,
    "visible": 1.8,
    "embedded": 1.6,
    "address": 1.0,
}
_IN_SIGHT = 2.6
_NOT_IN_SIGHT = -1.0
_TITLE_COPIED = -3.0
_BAD_NEWS = 3.0
_FREE = frozenset(("description", "category", "images", "options", "variants"))
"""Fields that sources fill in their own ways: that they differ is no news."""
_GONE = ("OutOfStock", "SoldOut", "Discontinued")


class Ballot(NamedTuple):
    """What one source says of a field, with how much weight behind it, and what came of it."""

    tier: str
    where: str
    raw: str
    value: object
    weight: float
    result: str


Ballots = dict[str, tuple[Ballot, ...]]
"""The ballots by field, heaviest first."""


@dataclass(slots=True)
class _Vote:
    """The fields taken so far, with their sources, the dissent and all ballots."""

    drafts: Sequence[Draft]
    sources: dict[str, FieldSource]
    conflicts: list[Conflict]
    ballots: Ballots

    def take(
        self, field: str, read: Callable[[Draft], Found[T] | None], *, same: Callable[[T, T], bool],
        bonus: Callable[[T], float] = lambda _: 0.0,
    ) -> T | None:  # fmt: skip
        """Return the value with most weight behind it and note where it came from and who says otherwise."""
        found = [(draft.tier, each) for draft in self.drafts if (each := read(draft)) is not None]
        if not found:
            return None
        scored = [
            (self._support(field, pair, found, same) + bonus(pair[1].value), weight(field, pair[0]), *pair)
            for pair in found
        ]
        scored.sort(key=lambda each: each[:3], reverse=True)
        _, _, best_tier, best = scored[0]
        self.ballots[field] = tuple(
            Ballot(tier, each.where, each.raw, each.value, worth,
                   "taken" if each is best else "agrees" if same(each.value, best.value) else "outweighed")
            for worth, _, tier, each in scored
        )  # fmt: skip
        self.sources[field] = FieldSource(tier=best_tier, where=best.where, raw=best.raw)
        for tier, other in found if field not in _FREE else ():
            if tier != "address" and not same(other.value, best.value):
                self.conflicts.append(
                    Conflict(field=field, taken=str(best.value)[:200], other=str(other.value)[:200], tier=tier)
                )
        return best.value

    def agree_on_currency(self, evidence: Evidence) -> str | None:
        """Return the one currency that all prices in sight are in, where no source names that of the price."""
        codes = {each.money.currency: each for each in evidence.view.sightings if each.money.currency}
        if len(codes) != 1:
            return None
        code, shown = next(iter(codes.items()))
        self.sources["currency"] = FieldSource(tier="visible", where="all prices in sight", raw=shown.text[:200])
        self.ballots["currency"] = (Ballot("visible", "all prices in sight", shown.text, code, 0.0, "taken"),)
        return code

    def _support(
        self,
        field: str,
        pair: tuple[str, Found[T]],
        found: Sequence[tuple[str, Found[T]]],
        same: Callable[[T, T], bool],
    ) -> float:
        own = weight(field, pair[0])
        return own + sum(
            weight(field, tier) * 0.5 for tier, other in found if tier != pair[0] and same(other.value, pair[1].value)
        )


def weight(field: str, tier: str) -> float:
    """Return how much a tier's word counts for a field."""
    return _WEIGHTS.get(field, _GENERAL).get(tier, _GENERAL.get(tier, _DEFAULT_WEIGHT))


def merge_drafts(drafts: Sequence[Draft], evidence: Evidence, ballots: Ballots | None = None) -> Product | None:
    """Return the product that the drafts agree on; None where no draft names it. `ballots` takes how they voted."""
    vote = _Vote(drafts, {}, [], {} if ballots is None else ballots)
    name = vote.take(
        "name", lambda draft: draft.name, same=is_alike, bonus=lambda value: _title_copied(value, evidence)
    )
    if name is None:
        return None
    page = evidence.page
    handle = vote.take("handle", lambda draft: draft.handle, same=_equal)
    handle = handle or build_handle(page.canonical_url or page.url) or build_handle(page.url)
    money = _take_money(vote, evidence)
    product = Product(
        url=page.url,
        canonical_url=page.canonical_url,
        handle=handle,
        product_id=vote.take("product_id", lambda draft: draft.product_id, same=_same_text),
        group_id=vote.take("group_id", lambda draft: draft.group_id, same=_same_text),
        name=name,
        description=vote.take("description", lambda draft: draft.description, same=_same_start),
        brand=vote.take("brand", lambda draft: draft.brand, same=is_alike),
        category=vote.take("category", _category, same=_equal) or (),
        sku=vote.take("sku", lambda draft: draft.sku, same=_same_text),
        mpn=vote.take("mpn", lambda draft: draft.mpn, same=_same_text),
        gtin=vote.take("gtin", lambda draft: draft.gtin, same=_same_text),
        price=money.price,
        regular_price=money.regular,
        low_price=vote.take("low_price", lambda draft: draft.low_price, same=_equal),
        high_price=vote.take("high_price", lambda draft: draft.high_price, same=_equal),
        currency=money.currency,
        availability=_take_availability(vote),
        condition=vote.take("condition", lambda draft: draft.condition, same=_same_text),
        images=vote.take("images", lambda draft: draft.images, same=_equal) or (),
        rating=vote.take("rating", lambda draft: draft.rating, same=lambda one, two: one.value == two.value),
        options=vote.take("options", lambda draft: draft.options, same=_equal) or (),
        variants=vote.take("variants", lambda draft: draft.variants, same=_equal) or (),
        handle_reason=None if handle else explain_handle(page.url, page.canonical_url),
    )
    sources = {field: source for field, source in vote.sources.items() if getattr(product, field) not in (None, (), "")}
    return replace(product, sources=sources, conflicts=tuple(vote.conflicts))


def _title_copied(name: str, evidence: Evidence) -> float:
    """Return what a name loses for being the page's whole title where the heading is the beginning of it.

    The rest of a title is the shop's: its own name, "buy online", the department.
    """
    words, heading = words_of(name), words_of(evidence.view.name)
    is_copy = words == words_of(evidence.page.title or "") and len(heading) < len(words)
    return _TITLE_COPIED if is_copy and heading and words[: len(heading)] == heading else 0.0


class _Money(NamedTuple):
    price: Decimal | None
    regular: Decimal | None
    currency: str | None


def _take_money(vote: _Vote, evidence: Evidence) -> _Money:
    """Return price, regular price and currency: what stands in sight counts more, what a reader cannot find less.

    A price of nothing is one only where no source asks for more, pages show 0.00 before their scripts fill it in, and
    where a reader sees it: mark-up has a 0 for what has no price.
    """
    shown = _amounts_in_sight(evidence, vote.drafts)
    asked = any(draft.price and draft.price.value for draft in vote.drafts)
    nothing = ("visible",) if Decimal(0) not in shown else tuple(draft.tier for draft in vote.drafts)
    is_shown = any(draft.tier == "visible" and draft.certain for draft in vote.drafts)
    unseen = _NOT_IN_SIGHT if is_shown else 0.0
    price = vote.take(
        "price",
        lambda draft: (
            draft.price if draft.price and (draft.price.value or (not asked and draft.tier in nothing)) else None
        ),
        same=_equal,
        bonus=lambda amount: _IN_SIGHT if amount in shown else unseen,
    )
    regular = vote.take("regular_price", lambda draft: draft.regular_price, same=_equal)
    if regular is not None and price is not None and regular <= price:
        regular = None
    if price is None and regular is None:
        return _Money(None, None, None)
    currency = vote.take("currency", lambda draft: draft.currency, same=_equal)
    return _Money(price, regular, currency or vote.agree_on_currency(evidence))


def _take_availability(vote: _Vote) -> str | None:
    said = _bad_news_in_sight(vote.drafts)
    return vote.take(
        "availability",
        lambda draft: draft.availability,
        same=_equal,
        bonus=lambda value: _BAD_NEWS if value == said else 0.0,
    )


def _category(draft: Draft) -> Found[tuple[str, ...]] | None:
    return draft.category if draft.category and draft.category.value else None


def _bad_news_in_sight(drafts: Sequence[Draft]) -> str | None:
    """Return the stock that the page states in an element of its own, where this is bad news: shops forget mark-up."""
    for draft in drafts:
        if draft.tier == "visible" and draft.availability and draft.availability.where.startswith("stock"):
            return draft.availability.value if draft.availability.value in _GONE else None
    return None


def _amounts_in_sight(evidence: Evidence, drafts: Sequence[Draft]) -> frozenset[Decimal]:
    taken = [draft.price.value for draft in drafts if draft.tier == "visible" and draft.price]
    return frozenset(taken) | frozenset(
        each.money.amount for each in evidence.view.own if not each.is_struck and not each.is_called_old
    )


def _equal(one: object, other: object) -> bool:
    return one == other


def _same_text(one: str, two: str) -> bool:
    return words_of(one) == words_of(two)


def _same_start(one: str, two: str) -> bool:
    return words_of(one)[:5] == words_of(two)[:5]
