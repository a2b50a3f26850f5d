"""What a crawl learns on its way: which links lead to products, and behind which pages new ones are found.

Each fetched page's verdict is the label; nobody trains anything. Two logistic models over the features of links tell
of each link how likely a new product is behind it and how many links to such it may lead to; what the pages of one arm
turned out to be is counted beside that and outweighs it. All that is decided follows from the order of what was
learned, so that a crawl that is cut and resumed decides as if it had not been (`lessons`).
"""

import math
from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from arborist_pipeline.core.crawl.arms import Arm, Arms
from arborist_pipeline.core.crawl.lessons import Lesson, Told
from arborist_pipeline.core.crawl.link_features import SPACE, Features
from arborist_pipeline.core.crawl.outlook import RECENT
from arborist_pipeline.core.web.url import Url

PRODUCT_LIKE = 0.5
"""From this chance on a link is product-shaped: it comes before all lists."""
FULL_LIST = 12.0
"""New products behind a page that make it as good a list as any."""
_LIST_QUALITY = 0.8  # of what a list shows, as long as nothing is known: the rest are no products
_PRIOR_PAGES = 2.0  # so many pages the models' word on an arm counts
_RATE = 0.25
_REPLAYED = 8
_REMEMBERED = 256
_TOLD_PAGES = 2  # that a model's word on one link counts for
_MOST_TOLD_PAGES = 6  # that its words on one arm count for together, less those that were seen
_BARREN_BELOW = 0.5
_MOST_BARREN = 20_000


class Outlook(NamedTuple):
    """New products for each request, if a page is asked for and then the best that it leads to; how many those are."""

    worth: float
    behind: float


class Learner:
    """The knowledge of one crawl."""

    def __init__(self) -> None:
        self.arms = Arms()
        self.lessons = 0
        self.products = 0
        self.in_vain = 0  # pages since the last new product
        self.recent: deque[bool] = deque(maxlen=RECENT)  # whether each of the latest pages was one
        self.epoch = 0  # grows with everything that may change a decision
        self._product, self._hub = _Logistic(), _Logistic()
        self._memory: deque[tuple[Features, bool | None, Mapping[int, int] | None]] = deque(maxlen=_REMEMBERED)
        self._replay_at = 0
        self._seen: set[int] = set()
        self._barren: dict[Url, None] = {}  # pages that led to no new product, the latest of them
        self._chances: dict[int, float] = {}

    # -- judging

    def chance(self, number: int, features: Features) -> float:
        """Return how likely a new product is behind a link of an arm."""
        guess = self._product.chance(features.numbers, features.product)
        return _with_counts(self.arms.arm(number), guess)

    def guess(self, features: Features) -> float:
        """Return how likely a product is behind a link by its features alone: what orders links of one arm."""
        return self._product.chance(features.numbers, features.product)

    def outlook(self, number: int, features: Features) -> Outlook:
        """Return what is expected of a page and of those it leads to."""
        behind = FULL_LIST * self._hub.chance(features.numbers, features.hub)
        worth = _LIST_QUALITY * behind / (1 + behind)
        arm = self.arms.arm(number)
        if arm.pages:
            weight = arm.pages / (arm.pages + _PRIOR_PAGES)
            seen = self._expected(arm.finds) / arm.pages
            behind = weight * seen + (1 - weight) * behind
            worth = weight * self._worth_of(arm) + (1 - weight) * worth
        return Outlook(worth, behind)

    def guess_yield(self, features: Features) -> float:
        """Return what `yield_of` says of a link by its features alone."""
        return FULL_LIST * self._hub.chance(features.numbers, features.hub)

    def arm_chance(self, number: int) -> float:
        """Return how likely a new product is behind any link of an arm."""
        chance = self._chances.get(number)
        if chance is None:
            features = self.arms.arm(number).features
            chance = self._chances[number] = self.chance(number, features)
        return chance

    def is_barren(self, before: Url | None, finds: Mapping[int, int]) -> bool:
        """Whether the later pages of a list are to be left: neither this one (`finds`) nor the one before gave any."""
        return before is not None and before in self._barren and self._expected(finds) < _BARREN_BELOW

    # -- learning

    def learn(self, lesson: Lesson) -> bool | None:
        """Take in a page; return whether it was a new product (one under another address before is none)."""
        is_new = self._is_new(lesson)
        arm = self.arms.arm(lesson.arm)
        features = self.arms.features_of(lesson.arm, lesson.url, lesson.anchor)
        self._note_list(lesson)
        arm.note_finds(lesson.finds)
        self.lessons += 1
        self.in_vain = 0 if is_new else self.in_vain + 1
        self.recent.append(bool(is_new))
        if is_new is not None:
            self.products += is_new
            arm.asked += 1
            arm.products += is_new
        self._chances.clear()
        self._take_in(features, is_new, lesson.finds)
        for _ in range(min(_REPLAYED, len(self._memory))):
            self._replay_at = (self._replay_at + 1) % len(self._memory)
            self._take_in(*self._memory[self._replay_at])
        self._memory.append((features, is_new, lesson.finds))
        for told in lesson.told:
            self._believe(told)
        self._chances.clear()
        self.epoch += 1
        if lesson.platform is not None:
            self.note_platform(lesson.platform)
        return is_new

    def note_platform(self, platform: str) -> None:
        """Take in what software the site runs on."""
        if self.arms.platform is None:
            self.arms.note_platform(platform)
            self._chances.clear()
            self.epoch += 1

    # -- inside

    def _worth_of(self, arm: Arm) -> float:
        """Return the products for each request that a page of an arm brings, its own and those of the best it leads to.

        A list whose links are no likelier than those that wait already is worth less than these.
        """
        chances = sorted(((self.arm_chance(number), count / arm.pages) for number, count in arm.finds.items()),
                         reverse=True)  # fmt: skip
        products, requests = 0.0, 1.0
        for chance, count in chances:
            if chance * requests <= products:
                break
            products, requests = products + chance * count, requests + count
        return products / requests

    def _believe(self, told: Told) -> None:
        """Take in a model's word on a link: as if some pages like it had been seen."""
        features = self.arms.features_of(told.arm, told.url, told.anchor)
        arm = self.arms.arm(told.arm)
        arm.told += _TOLD_PAGES
        arm.told_products += _TOLD_PAGES * told.is_product
        for _ in range(_TOLD_PAGES):
            self._product.learn(features.numbers, features.product, float(told.is_product))
        self._memory.append((features, told.is_product, None))  # of what it leads to nothing was said

    def _is_new(self, lesson: Lesson) -> bool | None:
        if not lesson.is_product:
            return lesson.is_product
        key = hash(lesson.identity or lesson.url)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new

    def _note_list(self, lesson: Lesson) -> None:
        if not lesson.is_product and self._expected(lesson.finds) < _BARREN_BELOW:
            self._barren[lesson.url] = None
            if len(self._barren) > _MOST_BARREN:
                del self._barren[next(iter(self._barren))]

    def _take_in(self, features: Features, is_product: bool | None, finds: Mapping[int, int] | None) -> None:  # noqa: FBT001  # a memory
        if is_product is not None:
            self._product.learn(features.numbers, features.product, float(is_product))
        if is_product is not True and finds is not None:
            worth = min(1.0, self._expected(finds) / FULL_LIST)
            self._hub.learn(features.numbers, features.hub, worth)

    def _expected(self, finds: Mapping[int, float]) -> float:
        return sum(count * self.arm_chance(number) for number, count in finds.items())


class _Logistic:
    """Logistic regression, a step a label, with a rate for each feature that falls as it is used (AdaGrad)."""

    def __init__(self) -> None:
        self._weights = [0.0] * SPACE
        self._squares = [0.0] * SPACE

    def chance(self, numbers: tuple[int, ...], prior: float) -> float:
        weights = self._weights
        return _squash(prior + sum([weights[number] for number in numbers]))  # noqa: C419  # a third faster

    def learn(self, numbers: tuple[int, ...], prior: float, label: float) -> None:
        slope = self.chance(numbers, prior) - label
        weights, squares, square = self._weights, self._squares, slope * slope
        for number in numbers:
            squares[number] += square
            weights[number] -= _RATE * slope / math.sqrt(1.0 + squares[number])


def _with_counts(arm: Arm, guess: float) -> float:
    """Blend a guess with what the pages of an arm were; of a mixed arm the guess tells more.

    A model's word stands in for pages as long as few were seen: each that is takes the place of one.
    """
    pages, products = float(arm.asked), float(arm.products)
    if arm.told and pages < _MOST_TOLD_PAGES:
        weight = min(_MOST_TOLD_PAGES - pages, arm.told)
        pages, products = pages + weight, products + weight * arm.told_products / arm.told
    if not pages:
        return guess
    mean = (products + _PRIOR_PAGES * guess) / (pages + _PRIOR_PAGES)
    purity = abs(2 * products / pages - 1)
    return purity * mean + (1 - purity) * guess


def _squash(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds)) if odds > -30 else 0.0
