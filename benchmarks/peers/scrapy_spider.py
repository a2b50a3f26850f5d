"""Scrapy, tuned: the same walk with title, links and text of every page; nothing is stored. Usage: URL."""

import re
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

SETTINGS = {
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "DEPTH_LIMIT": 50,
    "LOG_LEVEL": "ERROR",
}


class Walk(Spider):
    """Follows every link of one host."""

    name = "walk"

    def __init__(self, url: str, **options: Any) -> None:  # noqa: ANN401  # Scrapy's own
        super().__init__(**options)
        self.start_urls = [url]
        self.characters = self.pages = 0
        self._links = LinkExtractor(allow=[re.escape(urljoin(url, "/"))])  # allow_domains takes no port

    def parse(self, response: Response) -> Iterator[Request]:
        """Read a page, then ask for what it links to."""
        if not isinstance(response, HtmlResponse):
            return
        root = response.selector.root
        text = root.xpath("//body//text()[not(parent::script or parent::style)]")
        self.pages += 1
        self.characters += len(root.findtext(".//title") or "") + len(" ".join(" ".join(text).split()))
        for link in self._links.extract_links(response):
            yield Request(link.url, callback=self.parse)

    def closed(self, reason: str) -> None:
        """Say what was done."""
        print(f"{self.pages} pages, {self.characters} characters, {reason}")


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    process.crawl(Walk, url=sys.argv[1])
    process.start()
