"""What tests of this floor begin with: a home, a little shop, jobs run in process, and what they say."""

import json
from contextlib import contextmanager

import dagster as dg

from arborist_pipeline.core.settings import read_settings
from arborist_pipeline.definitions import defs
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline_tests.support.site_server import html

# Loaded whole before any test: Dagster loads by the first instance of a process, which a later test would find closed.
DEFINITIONS = defs()
DEFINITIONS.get_repository_def()

VARIABLES = (
    "ARBORIST_DB ARBORIST_SITES ARBORIST_USER_AGENT ARBORIST_CHROMIUM ARBORIST_LLM_MODEL ARBORIST_ALLOW_PRIVATE "
    "CRAWL_MAX_PAGES CRAWL_PRODUCT_FALLBACK_AFTER_PAGES DAGSTER_HOME"
).split()


def product_page(name, price):
    data = {"@context": "https://schema.org", "@type": "Product", "name": name,
            "offers": {"@type": "Offer", "price": price, "priceCurrency": "EUR",
                       "availability": "https://schema.org/InStock"}}  # fmt: skip
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return html(
        name, f"<h1>{name}</h1><p>{name} is a fine thing to have in a kitchen, and it costs {price}.</p>", head=head
    )


def shop_routes():
    """A home page, an article and two products."""
    return {
        "/": html("Little shop", "<p>Welcome to the shop.</p>", links=["/about", "/products/pan", "/products/pot"]),
        "/about": html("About", "<p>We sell things for kitchens, and have done so since a long time ago.</p>"),
        "/products/pan": product_page("Iron pan", "39.00"),
        "/products/pot": product_page("Copper pot", "120.50"),
    }


class Home:
    """A home with its site list; `adapters` are those that a run in it gets."""

    def __init__(self, folder):
        self.folder = folder
        self.sites_file = folder / "sites.yaml"

    @property
    def environment(self):
        return {
            "ARBORIST_HOME": str(self.folder),
            "ARBORIST_SITES": str(self.sites_file),
            "ARBORIST_ALLOW_PRIVATE": "1",
        }

    @property
    def settings(self):
        return read_settings(self.environment, user_home=str(self.folder))

    @property
    def adapters(self):
        return Adapters(settings=self.settings)

    def list_sites(self, **seeds):
        """Write the site list; one request at a time without pauses, so that tests are quick and orders are fixed."""
        entries = [f"  - {{key: {key}, seed_url: '{seed}'}}\n" for key, seed in seeds.items()]
        text = "".join(entries) or "  []\n"
        self.sites_file.write_text(f"defaults: {{mode: fast, concurrency: 1}}\nsites:\n{text}")

    def store(self, *, read_only=False):
        return self.adapters.open_store(read_only=read_only)


class Run:
    """Runs jobs and assets of the code location on one instance."""

    def __init__(self, definitions, instance):
        self.definitions, self.instance = definitions, instance

    def job(self, name, key=None, **options):
        job = self.definitions.resolve_job_def(name)
        return job.execute_in_process(instance=self.instance, partition_key=key, raise_on_error=False, **options)

    def assets(self, *names, key=None, **options):
        job = self.definitions.resolve_implicit_global_asset_job_def()
        return job.execute_in_process(
            instance=self.instance, partition_key=key, asset_selection=[dg.AssetKey(name) for name in names],
            raise_on_error=False, **options,
        )  # fmt: skip


def crawl_config(**config):
    return {"ops": {"crawled_pages": {"ops": {"crawl_site": {"config": config}}}}}


def metadata_of(result, asset):
    """What the one materialization of an asset says, as plain values; tables as lists of rows."""
    found = [
        event.materialization.metadata
        for event in result.get_asset_materialization_events()
        if event.materialization.asset_key == dg.AssetKey(asset)
    ]
    assert len(found) == 1, f"{asset} was materialized {len(found)} times"
    return {name: _plain(value) for name, value in found[0].items()}


def _plain(value):
    if isinstance(value, dg.TableMetadataValue):
        return [dict(record.data) for record in value.records]
    return value.value


def failure_of(result):
    """The description of the one failed step."""
    (event,) = result.get_step_failure_events()
    assert event.step_failure_data.user_failure_data is not None, event.step_failure_data.error
    return event.step_failure_data.user_failure_data.description


@contextmanager
def held_lease(home, host):
    """The lease of a host in other hands."""
    adapters = home.adapters
    with adapters.open_store() as store:
        lease = store.leases.acquire(host, holder="somebody else", seconds=600, now=adapters.clock.now())
        yield
        store.leases.release(lease, adapters.clock.now())
