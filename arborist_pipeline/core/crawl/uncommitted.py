"""What the frontier knows and the store does not yet: entries that changed, and where fresh answers lead.

Changes are taken for a batch and stay here until that batch is committed, so that whatever is read from the store in
between can be put right. One batch is under way at a time.
"""

from collections.abc import Iterable, Iterator

from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRow, Lead
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.url import Url


class Uncommitted:
    """Changed entries by URL, in the order in which they first changed."""

    def __init__(self) -> None:
        self.entries: dict[Url, FrontierEntry] = {}
        self._is_new: dict[Url, bool] = {}  # of those that no batch has taken
        self._links: dict[Url, tuple[Link, ...]] = {}
        self._targets: dict[Url, Link] = {}

    def add(self, entry: FrontierEntry, *, is_new: bool) -> None:
        """Note a URL that was met for the first time; `is_new` where the store has no row of it either."""
        self.entries[entry.url] = entry
        self._is_new[entry.url] = is_new

    def touch(self, entry: FrontierEntry) -> None:
        """Note that an entry changed."""
        self.entries[entry.url] = entry
        self._is_new.setdefault(entry.url, False)

    def note_links(self, page: Url, links: tuple[Link, ...]) -> None:
        """Note the links that hold for a page from now on; what its row leads to no longer counts."""
        self._links[page] = links

    def note_target(self, page: Url, target: Link) -> None:
        """Note where a page redirects from now on."""
        self._targets[page] = target
        self._links.setdefault(page, ())

    def note_answer(self, page: Url) -> None:
        """Note that a page was answered: where nothing else was noted it leads nowhere."""
        self._links.setdefault(page, ())

    def leads(self, page: Url) -> Iterator[Lead] | None:
        """Return where a page leads, None where only its row can tell."""
        links = self._links.get(page)
        return None if links is None else self._leads(page, links)

    def _leads(self, page: Url, links: tuple[Link, ...]) -> Iterator[Lead]:
        yield from (Lead(page, link.url, link.text) for link in links)
        target = self._targets.get(page)
        if target is not None:
            yield Lead(page, target.url, target.text, is_hop=True)

    def take(self) -> tuple[FrontierRow, ...]:
        """Return what changed since the last call as rows."""
        rows = tuple(_row(self.entries[url], is_new) for url, is_new in self._is_new.items())
        self._is_new.clear()
        return rows

    def settle(self, rows: Iterable[FrontierRow]) -> None:
        """Let go of what was taken as these rows and is committed, unless it has changed again since."""
        for row in rows:
            if row.url not in self._is_new:
                self.entries.pop(row.url, None)
                self._links.pop(row.url, None)
                self._targets.pop(row.url, None)


def _row(entry: FrontierEntry, is_new: bool) -> FrontierRow:  # noqa: FBT001  # private, called once
    return FrontierRow(entry.url, entry.state, entry.bucket, entry.seq, entry.depth, entry.parent, entry.anchor,
                       entry.priority, is_new, entry.written)  # fmt: skip
