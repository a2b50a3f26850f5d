"""arborist db: migrations of the store."""

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import Invocation
from arborist_pipeline.cli.output import emit


@click.group("db")
def database() -> None:
    """Bring the store's tables up to date, or check them."""


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
    """Say where the store stands; the exit code is 1 where it is not at this program's tables. Nothing is changed."""
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings, read_only=True):
        emit(f"{wiring.store_name(settings)} is at schema {wiring.SCHEMA}, as this program needs it")
