"""What every command shares: its exit codes, its way to fail, and what was said before the command's name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NoReturn, Protocol

import click

from arborist_pipeline.core.crawl.refresh import SiteRefresh
from arborist_pipeline.core.report.controls import mask_controls
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.core.web.url import redact


class ExitCode(IntEnum):
    """How a command ended (contract §3)."""

    DONE = 0
    FAILED = 1  # the work ended with failures
    MISUSED = 2  # wrong use or configuration
    GATE = 3  # a gate failed


class Refresh(Protocol):
    """The nightly job for some sites (None: all that are listed), run in this process."""

    def __call__(
        self, keys: Sequence[str] | None, *, full: bool, settings: Settings, say: Callable[[str], None]
    ) -> Sequence[SiteRefresh]:
        """Run it and return a result a site; `say` takes lines for people."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """What stands before the command's name (`--db`), and what the process handed in."""

    db: str | None = None
    refresh: Refresh | None = None


class Failure(click.ClickException):
    """The work ended with failures; the message is one line, none where it is empty."""

    exit_code = int(ExitCode.FAILED)

    def show(self, file: Any = None) -> None:  # noqa: ANN401  # click's own signature
        """Write the message to stderr."""
        if self.message:
            click.echo(mask_controls(redact(f"arborist: {self.message}")), file=file, err=True)


class Misuse(Failure):
    """Wrong use or configuration."""

    exit_code = int(ExitCode.MISUSED)


def not_built_yet(what: str, instead: str = "") -> Misuse:
    """Build the failure for a command or option whose name is fixed and which does nothing so far."""
    return Misuse(f"not built yet: {what}{f'; {instead}' if instead else ''}")


def finish(code: ExitCode) -> NoReturn:
    """End the command with this exit code."""
    click.get_current_context().exit(int(code))
