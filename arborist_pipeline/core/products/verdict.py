"""How traits of a page make a verdict on its kind.

Every trait speaks for a kind with some points, by how seldom it stands on pages of another kind; the kind with most
points wins, and below a floor it is OTHER.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arborist_pipeline.core.web.page import PageKind

FLOORS: Mapping[PageKind, float] = {
    PageKind.PRODUCT: 4.0,
    PageKind.LISTING: 2.5,
    PageKind.ARTICLE: 2.25,
    PageKind.HOME: 3.0,
}
_LEAD = 1.5

Trait = tuple[PageKind, float, str]
"""The kind a trait speaks for, with how many points, and what was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The kind of a page and the reason, in a few words; `is_unsure` where much, not enough, spoke for a product.

    `traits` are those that were weighed, none where one look decided.
    """

    kind: PageKind
    reason: str
    is_unsure: bool = False
    traits: tuple[Trait, ...] = field(default=(), compare=False)


def sum_points(traits: Iterable[Trait]) -> dict[PageKind, float]:
    """Return the points of every kind."""
    points = dict.fromkeys(PageKind, 0.0)
    for kind, worth, _ in traits:
        points[kind] += worth
    return points


def weigh_traits(traits: Sequence[Trait]) -> Verdict:
    """Return the verdict that the traits make."""
    points = sum_points(traits)
    kind = _strongest(points)
    is_unsure = kind is PageKind.OTHER and points[PageKind.PRODUCT] >= FLOORS[PageKind.PRODUCT] / 2
    return Verdict(kind=kind, reason=_reason(kind, traits), is_unsure=is_unsure, traits=tuple(traits))


def _strongest(points: Mapping[PageKind, float]) -> PageKind:
    """Return the kind with most points above its floor; the product is given a lead over kinds that its page has too.

    A product page shows related goods and prose; hardly any other page shows one price, one number and one control.
    """
    leads = {kind: worth + (_LEAD if kind is PageKind.PRODUCT else 0.0) for kind, worth in points.items()}
    able = [kind for kind, worth in points.items() if worth >= FLOORS.get(kind, 0.0)]
    return max(able, key=lambda kind: leads[kind], default=PageKind.OTHER)


def _reason(kind: PageKind, traits: Sequence[Trait]) -> str:
    speaking = sorted((trait for trait in traits if trait[0] is kind and trait[1] > 0), key=lambda trait: -trait[1])
    return "; ".join(text for _, _, text in speaking[:3]) or "nothing speaks for a product, list or article"
