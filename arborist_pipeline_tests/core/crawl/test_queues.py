"""How much of a long queue is in memory, and how it is read."""

from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.memory_rows import MemoryRows
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.core.crawl.conftest import Walk as Drive
from arborist_pipeline_tests.core.crawl.conftest import make_entry
from arborist_pipeline_tests.support.builders import NOON

NAMES = [f"/{first}{second}" for first in "abcdefghij" for second in "abcdefghij"]


class CountedRows(MemoryRows):
    """Rows that count what is read of them."""

    def __init__(self, entries=()):
        super().__init__(entries)
        self.read = []

    def in_order(self, *place, **options):
        found = super().in_order(*place, **options)
        self.read.append(len(found))
        return found

    def due(self, *place, **options):
        found = super().due(*place, **options)
        self.read.append(len(found))
        return found


@pytest.mark.parametrize("portion", [1, 7, 50])
def test_a_long_queue_is_read_in_portions_once_and_in_order(portion):
    rows = CountedRows()
    drive = Drive(rows=rows, portion=portion)
    drive.take()
    drive.fetch("/", NAMES)
    drive.commit()
    assert drive.drain() == NAMES
    assert max(rows.read) <= portion
    assert len(rows.read) <= 100 // portion + 2


def test_a_short_queue_is_never_read():
    rows = CountedRows()
    drive = Drive(rows=rows)
    assert drive.drain({"/": NAMES}) == ["/", *NAMES]
    assert sum(rows.read) == 0


def test_entries_are_let_go_of_once_they_are_committed():
    drive = Drive(portion=5)
    drive.take()
    drive.fetch("/", NAMES)
    drive.commit()
    assert len(drive.frontier._known.uncommitted.entries) == 0
    assert repr(drive.frontier) == (
        "<Frontier seen=101 due_product=0 product_shaped=0 due_other=0 queue=100 last=0 in_flight=0 budget=no cap>"
    )
    assert [drive.take() for _ in range(3)] == NAMES[:3]


def test_what_comes_while_a_queue_is_long_stands_at_its_end_committed_or_not():
    drive = Drive(portion=3)
    drive.take()
    drive.fetch("/", NAMES[:5])
    drive.commit()
    assert drive.take() == NAMES[0]
    drive.fetch(NAMES[0], NAMES[5:8])
    assert drive.drain() == NAMES[1:8]


@pytest.mark.parametrize("portion", [1, 4, 100])
def test_due_pages_are_read_in_portions_and_none_twice(portion):
    entries = [make_entry(name, n + 1, state=State.DONE, due_hours=-n, kind=[PageKind.PRODUCT, None][n % 2])
               for n, name in enumerate(NAMES)]  # fmt: skip
    rows = CountedRows(entries)
    drive = Drive(rows=rows, portion=portion, now=NOON + timedelta(hours=1))
    assert drive.drain()[:100] == [*NAMES[98::-2], *NAMES[99::-2]][:100]
    assert max(rows.read) <= portion
