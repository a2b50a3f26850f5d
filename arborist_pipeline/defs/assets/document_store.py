"""The documents of a site: canonical text, chunks, Merkle roots, and what superseded what."""

import dagster as dg

from arborist_pipeline.core.documents.document import site_root
from arborist_pipeline.defs.config import ReadingConfig
from arborist_pipeline.defs.failures import explained_failures, find_site
from arborist_pipeline.defs.metadata import document_metadata
from arborist_pipeline.defs.partitions import sites_partitions
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.ingest import ingest_pages


@dg.asset(group_name="arborist", partitions_def=sites_partitions, kinds={"python"}, deps=["crawled_pages"])
def document_store(
    context: dg.AssetExecutionContext, config: ReadingConfig, adapters: dg.ResourceParam[Adapters]
) -> dg.MaterializeResult[None]:
    """A site's current documents, content-addressed; the data version is one hash over all of them.

    Reads the stored pages that were not read yet. A changed page gives a new document and a supersedes edge.
    """
    with explained_failures(), adapters.open_store() as store:
        site = find_site(store.sites, context.partition_key)
        if config.again:
            store.documents.forget_readings(site.key)
        puts = ingest_pages(site, store=store.documents, clock=adapters.clock)
        documents = store.documents.roots(site.key)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(site_root(documents).hex()), metadata=document_metadata(puts, documents)
    )
