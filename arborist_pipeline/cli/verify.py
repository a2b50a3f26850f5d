"""arborist verify: recompute every root and hash of the store."""

from contextlib import suppress
from dataclasses import asdict

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import ExitCode, Invocation, Misuse, finish
from arborist_pipeline.cli.output import Progress, json_line, printable, say
from arborist_pipeline.core.documents.audit import Damage
from arborist_pipeline.workflows.verify import Audit, verify_store


@click.command("verify")
@click.option("--site", "site_key", metavar="KEY", help="Only pages of this site.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a damage, then one with the summary.")
@click.pass_obj
def verify(invocation: Invocation, site_key: str | None, *, as_json: bool) -> None:
    """Recompute every root from the stored chunks and bodies, and every body's hash, of all versions and site roots.

    Each damage is a line that names the page; the exit code is 1 where there is any. The store is only read. Ctrl-C
    ends it with what was found so far.
    """
    audit = Audit()
    is_whole = False
    with wiring.opened_store(wiring.load_settings(invocation.db), read_only=True) as store:
        if site_key is not None and store.sites.load_site(site_key) is None:
            raise Misuse(f"the store has no site {site_key!r}: see arborist sites list")
        with Progress("verifying", unit="documents and bodies") as progress:

            def report(damage: Damage) -> None:
                if as_json:
                    progress.emit(json_line({"url": damage.uri, "damage": damage.what}))
                else:
                    progress.emit(printable(f"damaged  {damage.uri or '(no page names it)'}  {damage.what}"))

            with suppress(KeyboardInterrupt):
                verify_store(
                    wiring.audit_of(store), site_key=site_key, report=report, advance=progress.advance, audit=audit
                )
                is_whole = True
        if as_json:
            progress.emit(json_line({"summary": {**asdict(audit), "complete": is_whole}}))
    say(f"{audit.documents} documents and {audit.bodies} bodies recomputed, {audit.damages} damages; "
        f"{audit.main_texts} main texts and {audit.site_roots} site roots")  # fmt: skip
    if audit.damages:
        say("fetch damaged pages again with arborist crawl --seed-url URL --ingest, or restore a backup")
    if not is_whole:
        say("interrupted: what was not reached is not checked")
    if audit.damages or not is_whole:
        finish(ExitCode.FAILED)
