"""The top of the command line: commands found by name and imported when called, every failure as one line."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import click

from arborist_pipeline import __version__
from arborist_pipeline.cli.invocation import ExitCode, Failure, Invocation, Misuse, Refresh
from arborist_pipeline.core.errors import ArboristError, ConfigError, InvalidUrl

_EPILOG = (
    "Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 the work ended with failures, "
    "2 wrong use or configuration, 3 a gate failed (--fail-on)."
)


class Entry(NamedTuple):
    """Where a command is defined ("module:attribute") and the line that the list of commands has for it."""

    target: str
    help: str


class Program(click.Group):
    """The `arborist` command over a registry of entries."""

    def __init__(self, entries: Mapping[str, Entry], refresh: Refresh | None) -> None:
        super().__init__(
            name="arborist",
            help="Keep product catalogues fresh, and tell webmasters the truth about their sites.",
            epilog=_EPILOG,
            callback=self._remember_db,
            params=[
                click.Option(
                    ["--db"],
                    metavar="PATH|URL",
                    help="The store: a SQLite path or an SQLAlchemy URL.  [default: ARBORIST_DB]",
                ),
            ],
        )
        click.version_option(__version__, prog_name="arborist")(self)
        self._entries = entries
        self._refresh = refresh

    def run(self, arguments: Sequence[str] | None) -> int:
        """Run a command line and return its exit code; whatever happens to stdout happens quietly."""
        for stream in (sys.stdout, sys.stderr):  # a lone surrogate of a page must not end a command
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        code: object = None
        try:
            self.main(None if arguments is None else list(arguments), prog_name="arborist")
        except SystemExit as end:
            code = end.code
        finally:
            _flush_quietly()
        return code if isinstance(code, int) else int(ExitCode.DONE)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's own signature
        """Call the command; an error of ours becomes one line and an exit code."""
        try:
            return super().invoke(ctx)
        except (ConfigError, InvalidUrl) as error:
            raise Misuse(str(error)) from error
        except ArboristError as error:
            raise Failure(str(error)) from error
        except KeyboardInterrupt as error:
            raise Failure("interrupted; what was stored until now is kept") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the registry."""
        del ctx
        return list(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        entry = self._entries.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101  # the registry names commands only
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the registry, none imported."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self._entries.items()])

    def _remember_db(self, db: str | None) -> None:
        if db is not None and not db.strip():
            raise ConfigError("--db needs a path or an SQLAlchemy URL")
        click.get_current_context().obj = Invocation(db=db, refresh=self._refresh)


def build_program(entries: Mapping[str, Entry], *, refresh: Refresh | None = None) -> Program:
    """Build the command line over a registry."""
    return Program(entries, refresh)


def _flush_quietly() -> None:
    """Flush stdout; where its reader has gone, let the interpreter find nothing left to write at its end."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
