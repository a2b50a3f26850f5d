"""The registries of tiers and platforms."""

from pathlib import Path

import pytest

from arborist_pipeline.core.products import platforms, tiers
from arborist_pipeline.core.products.platforms import PLATFORMS
from arborist_pipeline.core.products.tier import Draft
from arborist_pipeline.core.products.tiers import TIERS


@pytest.mark.parametrize(("package", "registry"), [(tiers, TIERS), (platforms, PLATFORMS)])
def test_a_registry_holds_every_reader_of_its_folder(package, registry):
    files = {path.stem for path in Path(package.__file__).parent.glob("*.py")} - {"__init__"}
    assert {reader.__module__.rsplit(".", 1)[1] for reader in registry} == files


@pytest.mark.parametrize("reader", [*PLATFORMS, *TIERS], ids=lambda reader: reader.__name__)
def test_no_reader_finds_anything_on_an_empty_page(evidence_of, reader):
    assert reader(evidence_of("", "https://ware.example/")) is None


def test_a_draft_knows_nothing_by_itself():
    assert Draft(tier="x").price is None
    assert not Draft(tier="x").certain
