"""What all tests share: the folder of shared data, and the rule that no test leaves the machine."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder named by ARBORIST_SHARED (default ../shared beside the checkout); skips where it is absent."""
    folder = Path(os.environ.get("ARBORIST_SHARED") or REPOSITORY.parent / "shared").resolve()
    if not (folder / "conformance").is_dir():
        pytest.skip(f"no shared test data at {folder}: set ARBORIST_SHARED to the folder that holds conformance/")
    return folder
