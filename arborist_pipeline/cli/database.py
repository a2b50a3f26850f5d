"""arborist db: migrations, soundness and copies of the store."""

from pathlib import Path

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import ExitCode, Invocation, finish
from arborist_pipeline.cli.output import emit, printable, say


@click.group("db")
def database() -> None:
    """Bring the store's tables up to date, check or copy them."""


@database.command("upgrade")
@click.pass_obj
def upgrade(invocation: Invocation) -> None:
    """Make the store, or bring an older one to this program's tables; twice does nothing more."""
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings):
        emit(f"{wiring.store_name(settings)} is at schema {wiring.SCHEMA}")


@database.command("check")
@click.pass_obj
def check(invocation: Invocation) -> None:
    """Say where the store stands; the exit code is 1 where it is damaged or not at this program's tables.

    Nothing is changed. What the rows say is arborist verify's work.
    """
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings, read_only=True) as store:
        upkeep = wiring.upkeep_of(store)
        damages = 0
        for damages, damage in enumerate(upkeep.find_damage(), 1):  # noqa: B007  # counted for after the loop
            emit(printable(f"damaged  {damage}"))
        emit(f"{wiring.store_name(settings)} is at schema {wiring.SCHEMA}, as this program needs it")
        emit(f"{upkeep.size_bytes():,} bytes, {wiring.search_in(store).size_bytes():,} of them the index for query")
    if damages:
        say("restore a backup, or keep what is sound: sqlite3 OLD .recover | sqlite3 NEW")
        finish(ExitCode.FAILED)


@database.command("backup")
@click.argument("path", type=click.Path(path_type=Path))
@click.pass_obj
def backup(invocation: Invocation, path: Path) -> None:
    """Copy the store to a file, as it stands at one moment; crawls may go on meanwhile."""
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings, read_only=True) as store:
        wiring.upkeep_of(store).back_up(path)
    emit(f"{wiring.store_name(settings)} is copied to {path}")
