"""Views for notebooks and BI: the present, hashes in hex."""

VIEWS = (
    """
    CREATE VIEW current_documents AS
    SELECT sites.key AS site, documents.document_uri, documents.title, documents.status, documents.leaf_count,
           documents.characters, documents.document_root, documents.main_root, documents.recipe,
           documents.first_seen_at, documents.last_seen_at
    FROM documents JOIN sites ON sites.id = documents.site_id
    WHERE documents.is_current
    """,
    """
    CREATE VIEW current_products AS
    SELECT sites.key AS site, products.url, products.canonical_url, products.tenant, products.handle, products.name,
           products.sku, products.gtin, products.price, products.regular_price, products.currency,
           products.availability, products.record, products.first_seen_at, products.last_seen_at
    FROM products JOIN sites ON sites.id = products.site_id
    WHERE products.is_current
    """,
)
"""DROP VIEW comes first in a migration that changes one."""
