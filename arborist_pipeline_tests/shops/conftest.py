"""The shops of the shared folder: the address of each, and the folder with the truth about it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arborist_pipeline_tests.support.shop_software import copy_truth, serve_shop


def _shop(name: str, shared: Path, truth: Path) -> Iterator[tuple[str, Path]]:
    folder = shared / "shops" / name
    copy_truth(folder, truth)
    with serve_shop(folder) as url:
        yield url, truth


@pytest.fixture(scope="session")
def oscar(shared, tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """A django-oscar shop."""
    yield from _shop("oscar", shared, tmp_path_factory.mktemp("oscar-truth"))


@pytest.fixture(scope="session")
def cartridge(shared, tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """A Cartridge shop."""
    yield from _shop("cartridge", shared, tmp_path_factory.mktemp("cartridge-truth"))
