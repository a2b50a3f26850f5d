"""What is seen of a crawl while it runs: a line now and then, the first pages, products among the first sixty."""

from collections.abc import Callable

from arborist_pipeline.core.crawl.records import CrawledPage
from arborist_pipeline.core.web.page import PageKind

LINE_SECONDS = 5.0  # a line of Dagster's log is a database write
SAMPLE_PAGES = 25
FIRST_PAGES = 60


class CrawlProgress:
    """Called with each page as it is done; `say` gets one line every five seconds at most."""

    def __init__(self, say: Callable[[str], None], monotonic: Callable[[], float]) -> None:
        self.pages = self.products = self.first_products = 0
        self.sample: list[CrawledPage] = []
        self._say = say
        self._monotonic = monotonic
        self._said_at = monotonic()

    def __call__(self, page: CrawledPage) -> None:
        """Count a page, and say how far the crawl is when it is time to."""
        if page.order is None:
            return
        is_product = page.kind is PageKind.PRODUCT
        self.pages += 1
        self.products += is_product
        self.first_products += is_product and page.order <= FIRST_PAGES
        if len(self.sample) < SAMPLE_PAGES:
            self.sample.append(page)
        if self._monotonic() - self._said_at >= LINE_SECONDS:
            self._said_at = self._monotonic()
            self._say(f"{self.pages} pages, {self.products} of them products; last {page.outcome} {page.url}")
