"""Migrations by Alembic. Imported only where one runs: Alembic costs a second."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine

from arborist_pipeline.adapters.stores.engine import lock_schema, writing
from arborist_pipeline.core.errors import StoreError


def upgrade(engine: Engine) -> None:
    """Run all migrations that the database has not seen. Raises StoreError where it is newer than this program."""
    with writing(engine) as connection:  # one transaction: another process that wants the same waits, and finds it done
        lock_schema(connection)
        upgrade_in(connection, "head")


def upgrade_in(connection: Connection, revision: str) -> None:
    """Run the migrations up to one inside an open transaction. Raises StoreError as `upgrade` does."""
    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise StoreError(f"the store cannot be migrated: {error}; it may come from a newer Arborist: "
                         "install that one, or name another store with --db") from error  # fmt: skip


def head() -> str:
    """Return the newest migration."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
