"""The `arborist` command: one file a command or group, imported when its command is called."""

from collections.abc import Mapping, Sequence

from arborist_pipeline.cli.invocation import Refresh
from arborist_pipeline.cli.program import Entry, build_program

_HERE = "arborist_pipeline.cli"

COMMANDS: Mapping[str, Entry] = {
    "crawl": Entry(f"{_HERE}.crawl:crawl", "Walk one site and print its URLs in fetch order."),
    "crawler": Entry(f"{_HERE}.recrawl:crawler", "Ask whether stored pages are still what their sites serve."),
    "crawl-report": Entry(f"{_HERE}.report:crawl_report", "Tell a webmaster what is wrong with a crawled site."),
    "refresh": Entry(f"{_HERE}.refresh:refresh", "Run the nightly job for these sites now."),
    "sites": Entry(f"{_HERE}.sites:sites", "List, add, remove and check the sites of sites.yaml."),
    "products": Entry(f"{_HERE}.products:products", "Read the catalogue."),
    "extract": Entry(f"{_HERE}.extract:extract", "Read products from saved HTML, without network."),
    "verify": Entry(f"{_HERE}.verify:verify", "Recompute every root and hash of the store."),
    "prove": Entry(f"{_HERE}.proofs:prove", "Prove that a piece of text stands in a stored page."),
    "verify-proof": Entry(f"{_HERE}.proofs:verify_proof", "Check a proof, with no database."),
    "db": Entry(f"{_HERE}.database:database", "Bring the store's tables up to date, check or copy them."),
    "query": Entry(f"{_HERE}.query:query", "Search the full text of the store, with snippets."),
    "history": Entry(f"{_HERE}.history:history", "Show the versions of a page and what changed."),
    "why": Entry(f"{_HERE}.why:why", "Tell all that is known of one URL, and why it was fetched when it was."),
    "status": Entry(f"{_HERE}.unbuilt:status", "Show how each site stands (not built yet)."),
    "changes": Entry(f"{_HERE}.unbuilt:changes", "Tell what is new, gone or changed (not built yet)."),
    "validate": Entry(f"{_HERE}.validate:validate", "Try live storefronts: products found, and how soon."),
}


def main(arguments: Sequence[str] | None = None, *, refresh: Refresh | None = None) -> int:
    """Run a command line (None: that of the process) and return its exit code (contract §3).

    `refresh` runs the nightly job; it is handed in, because the command line knows nothing of Dagster.
    """
    return build_program(COMMANDS, refresh=refresh).run(arguments)
