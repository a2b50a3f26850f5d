"""Which of all that waits comes next, and why.

Links that are likely to lead to a new product come first, the likeliest of them before the others; where there are
none, the page behind which most new products are expected for each page that it costs to fetch them. One choice in 32
goes to a kind of link that nothing is known of. Where a site showed no product in 40 pages, addresses come in the order
in which they were found, until one is in sight again.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from arborist_pipeline.core.crawl.arms import Arm
from arborist_pipeline.core.crawl.entries import FrontierEntry
from arborist_pipeline.core.crawl.learner import PRODUCT_LIKE, Learner
from arborist_pipeline.core.crawl.lessons import Told
from arborist_pipeline.core.crawl.link_features import Features
from arborist_pipeline.core.crawl.link_question import MAX_CANDIDATES, MAX_TEMPLATES, SHOWN_OF_A_TEMPLATE
from arborist_pipeline.core.crawl.outlook import RECENT, WaitingLinks, products_left, rate_of
from arborist_pipeline.core.crawl.platform_paths import PathKind
from arborist_pipeline.core.crawl.priority import FIRST_ARM, Bucket
from arborist_pipeline.core.crawl.queues import DUE, WINDOW, Queues
from arborist_pipeline.core.crawl.records import Priority, Tier

EXPLORES_EVERY = 32
GIVES_UP_AFTER = 40
"""Pages without a product after which a site is taken for none that sells."""
_LEAST_UNKNOWN = 3  # links of a kind that are worth a look
_IN_VAIN = 3  # pages without a new product, from which on every other choice tries a link that may be one
_LEAST_CHANCE = 0.1
_MOST_TRIES = 6
_TRIES_OF_A_LIST = 3
_FEW = 4  # one in so many pages is a product where a site shows them readily
_MANY_IN_VAIN = 8
_UNVISITED = (Bucket.PRODUCT_SHAPED, Bucket.QUEUE)


class Aim(Enum):
    """What a link is taken for."""

    PRODUCT = auto()  # it is likely to be one
    LIST = auto()  # for those that it leads to
    TRY = auto()  # it may be one, and nothing better came of late
    LOOK = auto()  # nothing is known of its kind
    TURN = auto()  # it was found before the others


class Rating(NamedTuple):
    """What an arm is worth by the link at its head: the chance of a product, those expected behind it."""

    number: int
    aim: Aim
    worth: float
    chance: float
    behind: float = 0.0


class Chooser:
    """Chooses among the arms that have something waiting; one that does not learn goes by addresses and discovery."""

    def __init__(self, queues: Queues, learner: Learner, *, learns: bool) -> None:
        self._queues, self._learner, self._learns = queues, learner, learns
        self._rated: dict[int, tuple[int, int, Rating]] = {}

    @property
    def has_unvisited(self) -> bool:
        """Whether any address waits that no run has asked for, but for those that come last."""
        return any(self._queues.first(number) is not None for number in self._arms())

    @property
    def in_sight(self) -> bool:
        """Whether a product-shaped link waits."""
        return self.best_shaped() is not None

    @property
    def has_hope(self) -> bool:
        """Whether the site may sell something, as far as is known."""
        return self._learns and (self._learner.products > 0 or self._learner.lessons < GIVES_UP_AFTER)

    def lacks_products(self, after_pages: int) -> bool:
        """Whether a model's word is needed: after so many pages no product is in sight, or all was in vain."""
        learner = self._learner
        if not self._learns or learner.lessons < after_pages:
            return False
        if learner.products * _FEW < learner.lessons and not self.in_sight:
            return True
        return learner.products == 0 and learner.lessons >= _MANY_IN_VAIN

    def diminishing(self, below: float) -> str | None:
        """Say why to stop where new products come at a lower rate than this, as far as is sure; None to go on.

        What is due and what is likely to be a product is asked for first.
        """
        recent = self._learner.recent
        rate = rate_of(recent)
        if len(recent) < RECENT or rate.high >= below or self.in_sight or any(map(self._queues.is_waiting, DUE)):
            return None
        left = products_left(self.waiting_links())
        return (f"of the last {len(recent)} pages {sum(recent)} were new products, which is a rate below {below:g} for "
                f"all that is sure; some {left.value:.0f} ({left.low:.0f} to {left.high:.0f}) are left among the links "
                "that wait")  # fmt: skip

    def waiting_links(self) -> Iterator[WaitingLinks]:
        """Yield what waits in each arm, with what is known of it."""
        for number in self._arms():
            count = self._queues.count(number)
            if count:
                yield WaitingLinks(count, self._learner.arm_chance(number), self._learner.arms.arm(number).asked)

    def samples(self) -> tuple[Told, ...]:
        """Return some waiting links of each arm, those of the longest queues first, to be put to a model.

        Where there are few arms, more links of each. None is a product as long as nobody says so.
        """
        waiting = [number for number in self._arms() if self._queues.first(number) is not None]
        waiting.sort(key=lambda number: (-self._queues.count(number), number))
        windows = [self._queues.window(number) for number in waiting[:MAX_TEMPLATES]]
        most = SHOWN_OF_A_TEMPLATE
        while most < WINDOW and sum(min(most + 1, len(window)) for window in windows) <= MAX_CANDIDATES:
            most += 1
        shown = [entry for window in windows for entry in _spread(window, most)]
        return tuple(Told(entry.bucket, entry.url, entry.anchor, False) for entry in shown)  # noqa: FBT003

    def best_shaped(self) -> Rating | None:
        """Return the product-shaped arm whose head is the likeliest to lead to a new product."""
        shaped = [rating for rating in self._ratings() if rating.aim is Aim.PRODUCT]
        return _best(shaped) if self._learns else min(shaped, key=self._seq_of, default=None)

    def best_other(self) -> Rating | None:
        """Return the arm behind whose head most is expected, or the one whose turn it is where nothing is."""
        ratings = [rating for rating in self._ratings() if rating.aim is not Aim.PRODUCT]
        if not ratings:
            return None
        if not self.has_hope:
            return min(ratings, key=self._seq_of)._replace(aim=Aim.TURN)
        if self._learner.lessons % EXPLORES_EVERY == EXPLORES_EVERY - 1:
            unknown = [rating for rating in ratings if self._is_unknown(rating.number)]
            if unknown:
                longest = max(unknown, key=lambda rating: (self._queues.count(rating.number), -rating.number))
                return longest._replace(aim=Aim.LOOK)
        if self._learner.in_vain >= _IN_VAIN and self._learner.in_vain % 2:
            likely = [rating for rating in ratings if self._is_worth_a_try(rating)]
            if likely:
                return max(likely, key=lambda rating: (rating.chance, -rating.number))._replace(aim=Aim.TRY)
        return _best(map(self._look_behind, ratings))

    def take(self, rating: Rating) -> tuple[FrontierEntry, Priority]:
        """Take the best of the first links of an arm; return it with the reason for it."""
        entry = self._queues.first(rating.number)
        assert entry is not None  # noqa: S101  # rated a moment ago
        if self.has_hope:
            is_for_links = rating.aim is Aim.LIST and rating.worth > rating.chance
            weigh = self._learner.guess_yield if is_for_links else self._learner.guess
            window = self._queues.window(rating.number)
            way = 1 if rating.aim is Aim.TRY else -1  # lists begin with what they lead on to: goods stand at the end
            entry = max(window, key=lambda each: (weigh(self._features(each)), way * each.seq))
        self._queues.take(entry)
        return entry, self._reason(rating, self._learner.arms.arm(rating.number))

    # -- inside

    def _arms(self) -> list[int]:
        return [number for number in self._queues.numbers if number >= FIRST_ARM or number in _UNVISITED]

    def _ratings(self) -> list[Rating]:
        ratings = []
        epoch, rated = self._learner.epoch, self._rated
        for number in self._arms():
            head = self._queues.first(number)
            if head is None:
                continue
            known = rated.get(number)
            if known is None or known[0] != epoch or known[1] != head.seq:
                known = rated[number] = (epoch, head.seq, self._rate(number, head))
            ratings.append(known[2])
        return ratings

    def _rate(self, number: int, head: FrontierEntry) -> Rating:
        if not self._learns:
            is_shaped = self._learner.arms.arm(number).is_regex
            return Rating(number, Aim.PRODUCT if is_shaped else Aim.TURN, float(is_shaped), float(is_shaped))
        chance = self._learner.chance(number, self._features(head))
        return Rating(number, Aim.PRODUCT if chance >= PRODUCT_LIKE else Aim.LIST, chance, chance)

    def _look_behind(self, rating: Rating) -> Rating:
        """Add to a rating what is expected behind the page: only where nothing better is in sight that is asked for."""
        head = self._queues.first(rating.number)
        if head is None:
            return rating
        worth, behind = self._learner.outlook(rating.number, self._features(head))
        return rating._replace(worth=max(rating.chance, worth), behind=behind)

    def _features(self, entry: FrontierEntry) -> Features:
        arms = self._learner.arms
        if entry.features is None or entry.features_version != arms.version:
            entry.features = arms.features_of(entry.bucket, entry.url, entry.anchor)
            entry.features_version = arms.version
        return entry.features

    def _seq_of(self, rating: Rating) -> int:
        head = self._queues.first(rating.number)
        return head.seq if head is not None else 0

    def _is_unknown(self, number: int) -> bool:
        arm = self._learner.arms.arm(number)
        return not arm.asked and not arm.told and not arm.pages and self._queues.count(number) >= _LEAST_UNKNOWN

    def _is_worth_a_try(self, rating: Rating) -> bool:
        """Whether links that may be products, but no likelier than not, have not been tried often in vain.

        Where nothing was one so far, what lists show is tried some times, however little it looks like one.
        """
        learner = self._learner
        arm = learner.arms.arm(rating.number)
        if (
            not learner.products
            and arm.asked < _TRIES_OF_A_LIST
            and learner.in_vain >= _MANY_IN_VAIN
            and arm.is_shown_in_lists
        ):
            return True
        return rating.chance >= _LEAST_CHANCE and arm.asked < _MOST_TRIES * (1 + arm.products)

    def _reason(self, rating: Rating, arm: Arm) -> Priority:
        if rating.aim is Aim.PRODUCT:
            tier, why = self._why_shaped(arm)
        elif rating.aim is Aim.TURN:
            tier, why = Tier.ORDER, "in order of discovery"
            if self._learns:
                why = f"{why}: no product in {self._learner.lessons} pages"
        elif rating.aim is Aim.LOOK:
            tier, why = Tier.LEARNED, f"a look at what nothing is known of: {arm.shape_text}"
        elif rating.aim is Aim.TRY:
            tier, why = (
                Tier.LEARNED,
                (
                    f"no new product in {self._learner.in_vain} pages: a try of the likeliest of what is left, "
                    f"{arm.shape_text}"
                ),
            )
        else:
            tier, why = self._why_list(rating, arm)
        return Priority(tier, 0.0 if rating.aim is Aim.TURN else round(rating.worth, 3), why)

    def _why_shaped(self, arm: Arm) -> tuple[Tier, str]:
        counted = f"{arm.products:.0f} of {arm.asked:.0f} pages like {arm.shape_text} were new products"
        if arm.is_regex:
            why = "the path has a product segment before a slug"
            return Tier.REGEX, f"{why}; {counted}" if arm.asked else why
        if arm.path_kind is PathKind.PRODUCT:
            why = f"{self._learner.arms.platform} has its products at such addresses"
            return Tier.PLATFORM, f"{why}; {counted}" if arm.asked else why
        if arm.told > arm.asked:
            return Tier.LLM, "a model took such links for products"
        return Tier.LEARNED, counted if arm.asked else "the link looks like those that lead to products"

    def _why_list(self, rating: Rating, arm: Arm) -> tuple[Tier, str]:
        if arm.pages:
            return Tier.LEARNED, (
                f"{rating.behind:.1f} new products are expected behind it, by pages like {arm.shape_text}"
            )
        if arm.path_kind is PathKind.LISTING:
            return Tier.PLATFORM, f"{self._learner.arms.platform} has its lists at such addresses"
        if arm.place == "s":
            return Tier.ORDER, "listed in the sitemap"
        return Tier.ORDER, "nothing better is known; no page like it was asked for yet"


def _best(ratings: Iterable[Rating]) -> Rating | None:
    return max(ratings, key=lambda rating: (rating.worth, -rating.number), default=None)


def _spread(window: Sequence[FrontierEntry], most: int) -> list[FrontierEntry]:
    """Return so many of some entries at most, from the first on at even distances."""
    count = min(most, len(window))
    return [window[place * len(window) // count] for place in range(count)]
