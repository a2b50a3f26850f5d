"""extruct over saved pages, its three syntaxes that tell of products. Usage: PAGES.jsonl."""

import json
import logging
import sys
import time
from pathlib import Path

import extruct

SYNTAXES = ["json-ld", "microdata", "opengraph"]


def read(page: dict[str, str]) -> bool:
    """Return whether a page has a product in JSON-LD or microdata; a page that cannot be read has none."""
    try:
        found = extruct.extract(page["html"], base_url=page["url"], syntaxes=SYNTAXES, errors="ignore")
    except (ValueError, TypeError, RecursionError):
        return False
    return "Product" in json.dumps([found.get("json-ld"), found.get("microdata")])


def main() -> None:
    """Read all pages in this process; the first ones twice, so that what is made at first use is left out."""
    logging.disable(logging.CRITICAL)
    pages = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    for page in pages[:20]:
        read(page)
    began = time.process_time()
    found = sum(map(read, pages))
    print(json.dumps({"whole": time.process_time() - began, "found": found}))


if __name__ == "__main__":
    main()
