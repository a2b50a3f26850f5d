"""The code location: all that stands under defs/, run in one process each. Importing it opens nothing."""

from pathlib import Path

import dagster as dg


@dg.definitions
def defs() -> dg.Definitions:
    """All definitions. One process a run: a crawl that is killed leaves no orphan that goes on fetching."""
    found = dg.load_from_defs_folder(path_within_project=Path(__file__).parent)
    return dg.Definitions.merge(found, dg.Definitions(executor=dg.in_process_executor))
