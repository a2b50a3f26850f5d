"""What all tests share: the folder of shared data, and the rule that no test leaves the machine."""

import os
import signal
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from arborist_pipeline_tests.support.postgres import running_server, why_no_server

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


@pytest.fixture(scope="session")
def _postgres_server():
    reason = why_no_server()
    if reason is not None:
        pytest.skip(reason)
    with running_server() as url:
        yield url, count(1)


@pytest.fixture
def new_postgres(_postgres_server):
    """A function that makes an empty PostgreSQL database and returns its URL; skips where no server can be started."""
    url, numbers = _postgres_server
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    made = []

    def make() -> str:
        made.append(f"test_{next(numbers)}")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {made[-1]}"))
        return make_url(url).set(database=made[-1]).render_as_string(hide_password=False)

    yield make
    with engine.connect() as connection:
        for name in made:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()
