"""`make dev`: the Dagster UI and daemon on loopback, on the home that `arborist refresh` and `make run` share."""

import os
import sys
from pathlib import Path

from arborist_pipeline.core.settings import read_settings
from arborist_pipeline.defs.home import ensure_dagster_home

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Become `dagster dev`."""
    settings = read_settings(os.environ, user_home=str(Path.home()))
    os.environ["DAGSTER_HOME"] = str(ensure_dagster_home(settings.dagster_home))
    dagster = str(Path(sys.executable).parent / "dagster")
    print("The UI will be at http://127.0.0.1:3000/ in about twenty seconds; Ctrl-C ends it.")
    os.chdir(ROOT)
    os.execv(dagster, [dagster, "dev", "-w", "workspace.yaml", "-h", "127.0.0.1", "-p", "3000"])  # noqa: S606  # ours


if __name__ == "__main__":
    main()
