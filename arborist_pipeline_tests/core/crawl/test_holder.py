"""A holder's name tells its process, and a name that tells none is read as such."""

import pytest

from arborist_pipeline.core.crawl.holder import Process, name_holder, parse_holder


@pytest.mark.parametrize("process", [Process("box", 1), Process("a-b.example", 4_194_304)])
def test_a_process_comes_back_out_of_the_name(process):
    assert parse_holder(name_holder("Dagster run 1 (retry)", process)) == process


@pytest.mark.parametrize("name", ["", "test", "Dagster run 5", "arborist crawl (process x on box)", "(process 1 on )"])
def test_other_names_tell_of_no_process(name):
    assert parse_holder(name) is None
