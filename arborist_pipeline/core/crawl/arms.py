"""The arms of a site: kinds of links, told apart by the shape of the address and the place on the page.

A link is put into the queue of its arm when it is met, and stays there; what is learned of an arm moves the whole
queue. So a million waiting links are never sorted, and each decision looks at some dozens of arms.
"""

from collections.abc import Iterable, Mapping

from arborist_pipeline.core.crawl.link_features import Features, features_of_kind, features_of_link
from arborist_pipeline.core.crawl.platform_paths import PathKind, judge_path
from arborist_pipeline.core.crawl.priority import FIRST_ARM, Bucket, looks_like_product_url
from arborist_pipeline.core.crawl.url_shapes import STRUCTURE, UrlShape, first_segment, shape_of
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

MAX_ARMS = 300
MAX_LITERALS = 24
"""First segments of paths that are told apart by name; a site with more of them has a name there for each category."""
_FADES = 0.96  # of what the pages of an arm led to: some 25 pages count
_MOST = 1e6


class Arm:
    """One kind of links: how many of its pages were judged, how many of those were new products, where they lead.

    `pages` and `finds` fade, since a list that was rich is so no longer when all behind it is known; `finds` counts the
    new links by the arms that they went to. `told` and `told_products` are a model's word, as so many pages.
    """

    __slots__ = ("asked", "example", "features", "finds", "is_regex", "key", "pages", "path_kind", "place", "products",
                 "shape_text", "told", "told_products")  # fmt: skip

    def __init__(self, shape_text: str, place: str, example: str) -> None:
        self.shape_text, self.place, self.example = shape_text, place, example
        self.key = f"{shape_text} {place}"
        self.asked = self.products = self.told = self.told_products = 0
        self.pages = 0.0
        self.finds: dict[int, float] = {}
        self.is_regex = False
        self.path_kind: PathKind | None = None
        self.features = Features((), 0.0, 0.0)

    @property
    def is_shown_in_lists(self) -> bool:
        """Whether the links stand in the content of pages that are lists."""
        return self.place[:1] == "m" and self.place.endswith(f".{PageKind.LISTING}")

    def note_finds(self, finds: Mapping[int, int]) -> None:
        """Take in what a page of the arm led to."""
        self.pages = self.pages * _FADES + 1
        for arm in self.finds:
            self.finds[arm] *= _FADES
        for number, count in finds.items():
            self.finds[number] = min(_MOST, self.finds.get(number, 0.0) + count)


class Arms:
    """The arms of one site by number; a number once given is kept in the store with the rows that bear it."""

    def __init__(self) -> None:
        self.by_number: dict[int, Arm] = {}
        self.platform: str | None = None
        self.version = 0  # of what holds for each arm beforehand
        self._numbers: dict[str, int] = {}
        self._literals: set[str] = set()
        self._fixed: frozenset[str] = frozenset()
        self._new: dict[int, tuple[str, str]] = {}
        self.arm(Bucket.PRODUCT_SHAPED)
        self.arm(Bucket.QUEUE)

    def load(self, keys: Iterable[tuple[int, str, str]]) -> None:
        """Take in the stored arms: number, key and example."""
        stored = sorted(keys)
        firsts = (first_segment(example) for _, key, example in stored if not key.startswith("*"))
        for first in firsts:
            self._learn_literal(first)
        for number, key, example in stored:
            shape_text, _, place = key.partition(" ")
            self._put(number, Arm(shape_text, place, example))

    def take_new(self) -> tuple[tuple[int, str, str], ...]:
        """Return the arms made since the last call: number, key and example."""
        new = tuple((number, *kept) for number, kept in self._new.items())
        self._new.clear()
        return new

    def number_for(self, url: Url, place: str) -> int:
        """Return the arm that a link goes to."""
        if len(self.by_number) < MAX_ARMS:
            self._learn_literal(first_segment(url))
        shape = self.shape_of(url)
        key = f"{shape.text} {place}"
        number = self._numbers.get(key)
        if number is None and len(self.by_number) >= MAX_ARMS:
            key = f"* {place.partition('.')[0]}{'r' if looks_like_product_url(url) else ''}"
            number = self._numbers.get(key)
        if number is None:
            number = max(FIRST_ARM, max(self.by_number) + 1)
            shape_text, _, place = key.partition(" ")
            self._put(number, Arm(shape_text, place, url))
            self._new[number] = (key, url)
        return number

    def arm(self, number: int) -> Arm:
        """Return an arm; rows of an earlier version stand in queues that are none, and get one without a shape."""
        arm = self.by_number.get(number)
        if arm is None:
            example = "https://host.example/product/x" if number == Bucket.PRODUCT_SHAPED else "https://host.example/x"
            arm = Arm("*", "r" if number == Bucket.PRODUCT_SHAPED else "", example)
            self._put(number, arm)
        return arm

    def features_of(self, number: int, url: Url, anchor: str) -> Features:
        """Return the features of a link that stands in an arm."""
        return features_of_link(self.arm(number).features, self.shape_of(url), anchor)

    def shape_of(self, url: str) -> UrlShape:
        """Return the shape of an address; the first segments that a site has few of stay as they are."""
        return shape_of(url, self._fixed)

    def note_platform(self, platform: str) -> None:
        """Take in what software the site runs on: its addresses are known."""
        if self.platform is None:
            self.platform = platform
            self.version += 1
            for number, arm in self.by_number.items():
                self._put(number, arm)

    def _learn_literal(self, first: str) -> None:
        if first not in self._literals and len(self._literals) < MAX_LITERALS and _is_name(first):
            self._literals.add(first)
            self._fixed = frozenset(self._literals)

    def _put(self, number: int, arm: Arm) -> None:
        self.by_number[number] = arm
        self._numbers.setdefault(arm.key, number)
        is_common = arm.shape_text == "*"
        arm.is_regex = number == Bucket.PRODUCT_SHAPED or (
            arm.place.endswith("r") if is_common else looks_like_product_url(arm.example)
        )
        if self.platform is not None and not is_common:
            arm.path_kind = judge_path(self.platform, Url(arm.example))
        shape = shape_of(arm.example, self._fixed)
        if is_common:
            shape = shape._replace(text="*", first="", last="", words=(), keys=(), is_page=False, before=())
        arm.features = features_of_kind(shape, arm.place, is_regex=arm.is_regex, path_kind=arm.path_kind)


def _is_name(segment: str) -> bool:
    return (
        bool(segment)
        and segment not in STRUCTURE
        and segment.isascii()
        and segment.replace("-", "").isalpha()
        and len(segment) <= 24
    )
