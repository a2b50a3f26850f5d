"""What a crawl may still find: how fast new products come, how many are left, and how sure that is."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

RECENT = 50
"""Pages by which the rate of new products is judged."""
_SURE = 1.645  # standard deviations on either side: nine in ten
_OWN_PAGES = 3.0  # a kind of links counts for so many pages more than were seen of it


class Estimate(NamedTuple):
    """A number with the range in which it is nine times in ten."""

    value: float
    low: float
    high: float


class WaitingLinks(NamedTuple):
    """Links of one kind that wait: how many, how likely each is a new product, by how many pages that is known."""

    links: int
    chance: float
    pages: float


def rate_of(recent: Sequence[bool]) -> Estimate:
    """Return the share of new products among the latest pages (Wilson's interval; nothing seen is anything)."""
    tried = len(recent)
    if not tried:
        return Estimate(0.0, 0.0, 1.0)
    share, square = sum(recent) / tried, _SURE**2
    middle = (share + square / (2 * tried)) / (1 + square / tried)
    reach = _SURE * math.sqrt(share * (1 - share) / tried + square / (4 * tried**2)) / (1 + square / tried)
    return Estimate(share, max(0.0, middle - reach), min(1.0, middle + reach))


def products_left(waiting: Iterable[WaitingLinks]) -> Estimate:
    """Return how many new products are among the links that wait; what is not linked yet is not counted.

    The kinds of links are judged apart, so the doubts about them add up as independent ones.
    """
    value = doubt = most = 0.0
    for kind in waiting:
        value += kind.links * kind.chance
        most += kind.links
        doubt += kind.links**2 * kind.chance * (1 - kind.chance) / (kind.pages + _OWN_PAGES)
    reach = _SURE * math.sqrt(doubt)
    return Estimate(value, max(0.0, value - reach), min(most, value + reach))
