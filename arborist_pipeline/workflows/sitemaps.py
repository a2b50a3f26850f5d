"""Read a site's sitemap once: index files followed, robots.txt obeyed, nothing of it ingested."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from arborist_pipeline.core.report.snapshot import ProblemSource, SitemapUrl, SiteProblem
from arborist_pipeline.core.web.fetch import BodyRule, FetchRequest, FetchResult
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.sitemap import SitemapFile, SitemapKind, parse_sitemap
from arborist_pipeline.core.web.url import Url, canonicalize, resolve
from arborist_pipeline.workflows.visits import Visitor

MAX_FILES = 50
MAX_INDEX_DEPTH = 3
MAX_REDIRECTS = 5
MAX_URLS = 500_000
MAX_FILE_BYTES = 52_428_800  # sitemaps.org: 50 MB a file
TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapReading:
    """What the site declares. `entries` None: no file could be read as a sitemap, so nothing is known."""

    entries: tuple[SitemapUrl, ...] | None
    problems: tuple[SiteProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class _File:
    """A file to read. `is_guess`: nobody named it, so its absence is no fault."""

    url: Url
    depth: int
    is_guess: bool = False


async def read_sitemap(
    seed: Url, *, visitor: Visitor, sitemap: Url | None, tell: Callable[[str], None] | None = None
) -> SitemapReading:
    """Read the sitemap given, else those that robots.txt names, else /sitemap.xml, and what they lead to.

    Indexes are followed to depth 3, each file is asked for once, 50 files at most, none once the crawl that this is
    part of has ended. Never raises for what a site does.
    `tell` hears before each file which one it is.
    """
    reader = _Reader(seed, visitor)
    rules = await visitor.rules_for(seed)
    waiting = deque(_starts(seed, sitemap, rules))
    seen = {file.url for file in waiting}
    read = 0
    while waiting and not visitor.is_over:
        file = waiting.popleft()
        if read >= MAX_FILES:
            reader.report(file, f"More than {MAX_FILES} sitemap files are listed; the rest were not read.")
            break
        read += 1
        if tell is not None:
            tell(f"sitemap file {read} of {min(read + len(waiting), MAX_FILES)} known so far: {file.url}")
        for url in await reader.read(file):
            if url not in seen and file.depth < MAX_INDEX_DEPTH:
                seen.add(url)
                waiting.append(_File(url, file.depth + 1))
            elif url not in seen:
                reader.report(_File(url, file.depth + 1), f"Index files are nested deeper than {MAX_INDEX_DEPTH}; "
                              "this one was not read. List it in the first index.")  # fmt: skip
    return reader.reading()


def _starts(seed: Url, sitemap: Url | None, rules: RobotsRules) -> list[_File]:
    if sitemap is not None:
        return [_File(sitemap, 1)]
    named = [url for text in rules.sitemaps if (url := resolve(seed, text)) is not None]
    if named:
        return [_File(url, 1) for url in dict.fromkeys(named)]
    return [_File(canonicalize(str(resolve(seed, "/sitemap.xml"))), 1, is_guess=True)]


class _Reader:
    """Reads files one by one and gathers what they list."""

    def __init__(self, seed: Url, visitor: Visitor) -> None:
        self._seed = seed
        self._visitor = visitor
        self._found: dict[Url, SitemapUrl] = {}
        self._problems: list[SiteProblem] = []
        self._has_sitemap = False

    def report(self, file: _File, message: str, *, is_serious: bool = True) -> None:
        self._problems.append(
            SiteProblem(ProblemSource.SITEMAP, file.url, message, is_serious=is_serious and not file.is_guess)
        )

    def reading(self) -> SitemapReading:
        entries = tuple(self._found.values()) if self._has_sitemap else None
        return SitemapReading(entries=entries, problems=tuple(self._problems))

    async def read(self, file: _File) -> tuple[Url, ...]:
        """Take in one file; return the files that it leads to."""
        result = await self._fetch(file)
        if result is None:
            return ()
        parsed = parse_sitemap(result.body, result.requested_url, site_url=self._seed)
        if parsed.kind is SitemapKind.NOT_A_SITEMAP:
            self.report(file, f"This file is no sitemap ({'; '.join(parsed.problems)}). "
                        "Serve a sitemap in XML or as a list of addresses, or name another file.")  # fmt: skip
            return ()
        self._keep(file, parsed)
        if result.truncated or result.too_large:
            self.report(file, "This file is larger than 50 MB or broke off; only its beginning was read. Split it.")
        for problem in parsed.problems:
            self.report(file, f"This sitemap has a fault: {problem}.", is_serious=False)
        return parsed.sitemaps

    def _keep(self, file: _File, parsed: SitemapFile) -> None:
        self._has_sitemap = self._has_sitemap or parsed.kind is not SitemapKind.INDEX
        for entry in parsed.entries:
            if len(self._found) >= MAX_URLS:
                self.report(file, f"More than {MAX_URLS:,} addresses are listed; the rest were not looked at.")
                return
            known = self._found.setdefault(entry.url, SitemapUrl(entry.url, file.url, entry.lastmod, entry.written))
            if entry.written is None and known.written is not None:  # one in plain form is enough
                self._found[entry.url] = known._replace(written=None)

    async def _fetch(self, file: _File) -> FetchResult | None:
        """Ask for a file, redirects followed; None where there is nothing to read, which is reported."""
        url = file.url
        for _ in range(MAX_REDIRECTS + 1):
            result = await self._visitor.ask(
                FetchRequest(url=url, body=BodyRule.ANY, max_body_bytes=MAX_FILE_BYTES, timeout_seconds=TIMEOUT_SECONDS)
            )
            if result is None:
                self.report(file, await self._refusal(url))
                return None
            if not result.is_redirect or result.redirect_to is None:
                if _is_there(result):
                    return result
                self.report(file, _absence(file, result))
                return None
            url = result.redirect_to
        self.report(file, f"This sitemap redirects more than {MAX_REDIRECTS} times. Serve it where it is named.")
        return None

    async def _refusal(self, url: Url) -> str:
        """Say why nothing was asked for."""
        held = self._visitor.refusal_of(url)
        if held is not None:
            return f"This sitemap was not read: {held}."
        if self._visitor.is_over:
            return "This sitemap was not read: the crawl ended before."
        rules = await self._visitor.rules_for(url)
        if rules.unreachable:
            return f"This sitemap was not read: {rules.reason}, so nothing may be asked for."
        return f"robots.txt forbids crawlers to read this sitemap ({url}). Allow it."


def _is_there(result: FetchResult) -> bool:
    is_good = result.failure is None and result.status is not None and 200 <= result.status < 300
    return is_good and bool(result.body)


def _absence(file: _File, result: FetchResult) -> str:
    if result.failure is not None:
        how = f"did not arrive ({result.failure.kind}: {result.failure.message})"
    elif result.status == 200:
        how = "is empty"
    else:
        how = f"answers with status {result.status}"
    if file.is_guess:
        return f"robots.txt names no sitemap, and /sitemap.xml {how}. Publish one and name it in robots.txt."
    return f"This sitemap {how}. Serve it with status 200, or correct its address."
