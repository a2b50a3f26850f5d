"""DAGSTER_HOME and the dagster.yaml in it, written at first use. Run as a module it prints the folder, made ready.

Nothing of Dagster is imported here: the command line may ask where the home is without paying for that.
"""

import os
import sys
from pathlib import Path

from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.settings import read_settings

DAGSTER_YAML = """\
# Written by Arborist at first use; yours to edit from then on.
telemetry: {enabled: false}
nux: {enabled: false}

concurrency:
  runs:
    max_concurrent_runs: 3
    tag_concurrency_limits:
      # one run at a time for each site
      - {key: dagster/partition, value: {applyLimitPerUniqueValue: true}, limit: 1}
  pools:
    # how many sites are crawled at once, command-line runs included
    granularity: op
    default_limit: 2

run_monitoring:
  enabled: true
  start_timeout_seconds: 180
  cancel_timeout_seconds: 60
  free_slots_after_run_end_seconds: 60
  # the last resort; runs started by schedule or sensor carry a limit of their own, from max_minutes in sites.yaml
  max_runtime_seconds: 86400
  max_resume_run_attempts: 0

retention:
  # runs and their events are cleared by the job `maintenance`
  schedule: {purge_after_days: 90}
  sensor:
    purge_after_days: {skipped: 2, failure: 30, success: 30}
"""


def ensure_dagster_home(home: str) -> Path:
    """Make the folder and write dagster.yaml where there is none; return the absolute path. Raises ConfigError."""
    folder = Path(home).expanduser().resolve()
    target = folder / "dagster.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            part = folder / f"dagster.yaml.{os.getpid()}.part"
            part.write_text(DAGSTER_YAML, encoding="utf-8")
            part.replace(target)
    except OSError as error:
        raise ConfigError(f"DAGSTER_HOME={home!r}: the folder cannot be made or written ({error.strerror})") from error
    return folder


def main() -> int:
    """Print the folder; 2 and a sentence on stderr where it cannot be had."""
    try:
        folder = ensure_dagster_home(read_settings(os.environ, user_home=str(Path.home())).dagster_home)
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
