"""What all tests share: the folder of shared data, and the rule that no test leaves the machine."""

import os
import signal
from pathlib import Path

import pytest

# A background shell hands down an ignored SIGINT, and the commands that tests start would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder named by ARBORIST_SHARED (default ../shared beside the checkout); skips where it is absent."""
    folder = Path(os.environ.get("ARBORIST_SHARED") or REPOSITORY.parent / "shared").resolve()
    if not (folder / "conformance").is_dir():
        pytest.skip(f"no shared test data at {folder}: set ARBORIST_SHARED to the folder that holds conformance/")
    return folder
