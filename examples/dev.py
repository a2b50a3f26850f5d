"""`make dev`: the Dagster UI and daemon on loopback, on the home that `arborist refresh` and `make run` share."""

import os
import sys
from pathlib import Path

from arborist_pipeline.core.settings import read_settings
from arborist_pipeline.defs.home import ensure_dagster_home

# How Dagster begins to say that `dg dev` is newer; that one needs a package more and a project laid out its way.
SUPERSEDED = "Function `dev_command` is superseded"
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Become `dagster dev`."""
    settings = read_settings(os.environ, user_home=str(Path.home()))
    os.environ["DAGSTER_HOME"] = str(ensure_dagster_home(settings.dagster_home))
    print("The UI will be at http://127.0.0.1:3000/ in about twenty seconds; Ctrl-C ends it.")
    os.chdir(ROOT)
    dagster = [sys.executable, "-W", f"ignore:{SUPERSEDED}:FutureWarning", "-m", "dagster"]
    command = [*dagster, "dev", "-w", "workspace.yaml", "-h", "127.0.0.1", "-p", "3000"]
    os.execv(sys.executable, command)  # noqa: S606  # ours


if __name__ == "__main__":
    main()
