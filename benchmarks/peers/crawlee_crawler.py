"""Crawlee's Parsel crawler: the same walk with title, links and text of every page, in memory. Usage: URL."""

import asyncio
import logging
import sys
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


async def walk(url: str) -> None:
    """Follow every link of one host."""
    pages = characters = 0
    crawler = ParselCrawler(
        concurrency_settings=ConcurrencySettings(min_concurrency=16, desired_concurrency=16, max_concurrency=16),
        storage_client=MemoryStorageClient(),
        max_crawl_depth=50,
        configure_logging=False,
        statistics_log_format="inline",
        request_handler_timeout=timedelta(seconds=60),
    )

    @crawler.router.default_handler
    async def read(context: ParselCrawlingContext) -> None:
        nonlocal pages, characters
        root = context.selector.root
        text = root.xpath("//body//text()[not(parent::script or parent::style)]")
        pages += 1
        characters += len(root.findtext(".//title") or "") + len(" ".join(" ".join(text).split()))
        await context.enqueue_links(strategy="same-hostname")

    await crawler.run([url])
    print(f"{pages} pages, {characters} characters")


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(walk(sys.argv[1]))
