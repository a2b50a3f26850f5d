"""python -m arborist_pipeline, and the `arborist` command: the command line with the nightly job put into its hands."""

import atexit
import gc
import signal
import sys
from collections.abc import Callable, Sequence

from arborist_pipeline.cli import main as run_command_line
from arborist_pipeline.core.crawl.refresh import SiteRefresh
from arborist_pipeline.core.settings import Settings

_OBJECTS_MADE = 50_000
"""So many new objects before garbage is looked for: with Python's 700, that takes a twentieth of a crawl."""


def main() -> int:
    """Run the command line of this process and return its exit code.

    SIGTERM, by which services and containers are stopped, is Ctrl-C by another name.
    """
    gc.set_threshold(_OBJECTS_MADE, 20, 20)
    atexit.register(gc.freeze)  # else a last look for garbage among all modules takes a tenth of a second
    # httpx would load its own command, and with it what draws on terminals; without that it goes on the same.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # None: not to be had (importlib)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return run_command_line(refresh=refresh_sites)


def refresh_sites(
    keys: Sequence[str] | None, *, full: bool, settings: Settings, say: Callable[[str], None]
) -> Sequence[SiteRefresh]:
    """Run the nightly job for these sites (None: all listed) in this process; see `defs.refresh`."""
    from arborist_pipeline.definitions import defs  # noqa: PLC0415  # Dagster costs a second that other commands save
    from arborist_pipeline.defs import refresh  # noqa: PLC0415  # as above

    return refresh.refresh_sites(keys, full=full, settings=settings, say=say, definitions=defs())


if __name__ == "__main__":
    sys.exit(main())
