"""What the frontier lets in: the links of a page, what the site lists itself, each into the queue where it belongs."""

from collections import Counter
from collections.abc import Iterable

from arborist_pipeline.core.crawl.admission import Admission, Rejection
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.known_urls import KnownUrls, Path
from arborist_pipeline.core.crawl.marks import Standing, ceiling
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.records import Priority, Tier
from arborist_pipeline.core.crawl.url_shapes import names_later_page
from arborist_pipeline.core.web.links import Link, LinkPlaces
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

LISTED = Priority(Tier.ORDER, 0.0, "listed in the sitemap")
"""Why an address waits that the site lists itself, as its row says."""
_IN_ORDER = Priority(Tier.ORDER, 0.0, "in order of discovery")
_SHAPED = Priority(Tier.REGEX, 1.0, "the path has a product segment before a slug")
_BEHIND = Priority(Tier.ORDER, 0.0, "another address of a known product, or a later page of a list without new ones")


class Intake:
    """Admits addresses to the known ones of a site. `finds` counts the new links of pages under way by their arms."""

    def __init__(self, known: KnownUrls, admission: Admission) -> None:
        self.admission = admission
        self.rejected: Counter[Rejection] = Counter()
        self.finds: dict[Url, dict[int, int]] = {}
        self._known, self._marks = known, known.marks

    def add(
        self,
        links: Iterable[Link],
        *,
        parent: Url,
        depth: int,
        places: LinkPlaces | None = None,
        kind: PageKind | None = None,
    ) -> tuple[int, tuple[Link, ...]]:
        """Admit links found on `parent` at `depth`; return how many are new and which of the new robots.txt forbids.

        `places` tells where on the page they stand, `kind` what the page is for.
        """
        new: list[Link] = []
        forbidden: list[Link] = []
        shorter: dict[Url, Path] = {}
        mark_of, unchanged = self._marks.by_hash.get, ceiling(depth + 1)
        for link in links:
            mark = mark_of(hash(link.url))
            if mark is not None and mark < unchanged:  # nearly every link of nearly every page
                continue
            if self._marks.is_met(link.url):
                shorter.setdefault(link.url, Path(depth + 1, parent, link.text))
                self._meet_as_written(link)
                continue
            rejection = self.admission.reject(link.url, written=link.written)
            if rejection is None:
                new.append(link)
                continue
            self.rejected[rejection] += 1
            if rejection is Rejection.ROBOTS:
                self._known.remember(link.url, Path(depth + 1, parent, link.text), bucket=Bucket.QUEUE,
                                     priority=_IN_ORDER, written=link.written, is_refused=True)  # fmt: skip
                forbidden.append(link)
        count = self._take_in(new, parent, depth + 1, places, kind)
        self._known.lower(shorter)
        self._known.traps.note_finds(parent, (link.url for link in new))
        return count, tuple(forbidden)

    def admit_listed(self, links: Iterable[Link]) -> int:
        """Admit addresses that the site lists itself, one hop from the seed; return how many are new."""
        new = 0
        for link in links:
            if self._marks.is_met(link.url):
                continue
            rejection = self.admission.reject(link.url, written=link.written)
            if rejection is not None:
                self.rejected[rejection] += 1
                continue
            self._known.remember(link.url, Path(1), bucket=self._known.bucket_for(link.url, "s"), priority=LISTED,
                                 written=link.written)  # fmt: skip
            new += 1
        return new

    # -- inside

    def _take_in(
        self, new: list[Link], parent: Url, depth: int, places: LinkPlaces | None, kind: PageKind | None
    ) -> int:
        """Queue the new links of a page, the later pages of its list after what it lists itself; return how many."""
        finds = self.finds.setdefault(parent, {})
        later: list[tuple[Link, str]] = []
        count = 0
        learns = self._known.policy.learns
        for link in new:
            place = f"{places.place_of(link)}.{kind or ''}" if places is not None and learns else ""
            if learns and (place[:1] == "p" or names_later_page(link.url)):
                later.append((link, place))
            else:
                count += self._admit(link, Path(depth, parent, link.text), place, finds)
        page = self._known.queues.in_flight.get(parent)
        before = page.parent if page is not None else None
        is_barren = bool(later) and self._known.learner.is_barren(before, finds)
        for link, place in later:
            count += self._admit(link, Path(depth, parent, link.text), place, None if is_barren else finds)
        return count

    def _admit(self, link: Link, path: Path, place: str, finds: dict[int, int] | None) -> bool:
        """Queue one link in its arm, or behind where it is not worth one (`finds` None); return whether it was new."""
        if self._marks.is_met(link.url):  # twice on one page
            return False
        bucket = self._known.bucket_for(link.url, place) if finds is not None else Bucket.BEHIND
        is_shaped = bucket != Bucket.BEHIND and self._known.learner.arms.arm(bucket).is_regex
        priority = _BEHIND if bucket == Bucket.BEHIND else _SHAPED if is_shaped else _IN_ORDER
        self._known.remember(link.url, path, bucket=bucket, priority=priority, written=link.written)
        if finds is not None and bucket != Bucket.BEHIND:
            finds[bucket] = finds.get(bucket, 0) + 1
        return True

    def _meet_as_written(self, link: Link) -> None:
        """Admit what robots.txt forbids as one link has it and allows as another has it."""
        if self._marks.standing(link.url) is not Standing.REFUSED_AS_WRITTEN:
            return
        if self.admission.reject(link.url, written=link.written) is None:
            for entry in self._known.queues.find((link.url,)).values():
                entry.written = link.written
                if entry.depth <= self._known.policy.max_depth:
                    self._known.queue(entry)
                else:
                    self._known.set_state(entry, State.BEYOND)
