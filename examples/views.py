"""python -m examples.views [STORE]: what the store's views hold, read with pandas as a notebook would.

STORE is a SQLite path or any SQLAlchemy URL; without it ARBORIST_DB is taken, else ~/.arborist/crawl/web.db.
"""

import os
import sys
from pathlib import Path

import pandas as pd
from sqlalchemy import create_engine


def load_views(store: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the current products and documents, a row each; prices are numbers, roots hex."""
    engine = create_engine(store if "://" in store else f"sqlite:///{store}")
    try:
        products = pd.read_sql("SELECT * FROM current_products ORDER BY site, url", engine)
        documents = pd.read_sql("SELECT * FROM current_documents ORDER BY site, document_uri", engine)
    finally:
        engine.dispose()
    products["price"] = pd.to_numeric(products["price"])
    for column in ("document_root", "main_root"):
        documents[column] = documents[column].map(lambda root: bytes(root).hex())
    return products, documents


def summarize(products: pd.DataFrame, documents: pd.DataFrame) -> str:
    """Return prices by site and currency, and pages that say the same."""
    prices = products.groupby(["site", "currency"])["price"].agg(["count", "min", "median", "max"])
    twins = documents[documents["status"] == "ok"].groupby(["recipe", "document_root"])["document_uri"].agg(list)
    same = [", ".join(uris) for uris in twins if len(uris) > 1]
    return "\n".join(["Prices", prices.to_string(), "", "Pages with one text", *(same or ["none"])])


def main() -> None:
    """Print the summary of a store."""
    default = os.environ.get("ARBORIST_DB") or str(Path.home() / ".arborist" / "crawl" / "web.db")
    store = sys.argv[1] if len(sys.argv) > 1 else default
    if "://" not in store and not Path(store).exists():
        sys.exit(f"there is no store at {store}: crawl a site first")
    print(summarize(*load_views(store)))


if __name__ == "__main__":
    main()
