"""Real Dagster runs that are killed, cancelled and overtaken: the next one goes on, and no host is asked by two."""

import os
import signal
import sqlite3

import dagster as dg
import pytest

from arborist_pipeline_tests.faults.dagster_runs import House
from arborist_pipeline_tests.faults.small_shop import FORBIDDEN, LISTS, build_shop
from arborist_pipeline_tests.faults.test_stop import is_caught, wait_until
from arborist_pipeline_tests.support.site_server import LocalSite

YIELDING = {"/", *(f"/list/{number}" for number in range(1, LISTS + 1))}
"""What every run asks for again, since new pages may be found there: the seed, and listings that brought some."""
CUT_AT = 12


@pytest.fixture
def house(tmp_path):
    with (
        LocalSite(build_shop(delay_seconds=0.0)) as site,
        House(tmp_path / "home", site, held_from=CUT_AT) as house,
    ):
        yield house


def pages(site):
    return set(site.routes) - {"/robots.txt", FORBIDDEN} | {"/gone"}


@pytest.mark.parametrize(("config", "again"), [({"resume": True}, set()), ({}, YIELDING)])
def test_a_killed_run_gives_way_to_the_next_at_once_which_does_the_rest(config, again, house):
    killed, worker = house.start_run()
    with worker:
        house.wait_for_pages(CUT_AT)
        with house.arborist("crawl", "--seed-url", house.site.url()) as command:
            code, errors = command.end()
        assert code == 1
        assert f"is being crawled by Dagster run {killed} (process {worker.pid} on " in errors
        assert " since 20" in errors
        worker.kill()
        worker.wait()
    house.gate.set()
    asked_before, stored = house.asked, house.rows('SELECT count(*) FROM pages WHERE "order" IS NOT NULL')[0][0]
    assert len(asked_before) - stored <= 1
    run_id, worker = house.start_run(**config)
    with worker:
        assert worker.end()[0] == 0
    assert house.status(run_id) is dg.DagsterRunStatus.SUCCESS
    assert set(house.asked) == pages(house.site)
    twice = {target for target in house.asked if house.asked.count(target) > 1}
    assert twice <= again | {asked_before[-1]}
    assert house.rows("SELECT stopped_by FROM crawls ORDER BY id DESC LIMIT 1") == [("exhausted",)]


@pytest.mark.parametrize(
    ("number", "by_dagster", "status"),
    [(signal.SIGINT, True, dg.DagsterRunStatus.CANCELED), (signal.SIGTERM, False, dg.DagsterRunStatus.FAILURE)],
)
def test_a_run_that_is_terminated_keeps_its_pages_and_lets_go_of_the_host(number, by_dagster, status, house):
    run_id, worker = house.start_run()
    with worker:
        house.wait_for_pages(CUT_AT)
        if by_dagster:  # what its run launcher does before it sends the signal; a machine that shuts down does not
            house.instance.report_run_canceling(house.instance.get_run_by_id(run_id))
        worker.send_signal(number)
        worker.end()
    assert house.status(run_id) is status
    assert len(house.asked) == CUT_AT
    house.gate.set()
    assert house.rows("SELECT stopped_by FROM crawls") == [("interrupted",)]
    with house.arborist("crawl", "--seed-url", house.site.url(), "--depth", "20", "--resume") as command:
        assert command.end()[0] == 0
    assert set(house.asked) == pages(house.site)
    assert len(house.asked) - len(set(house.asked)) <= 1


def test_an_orphan_that_was_overtaken_stops_by_itself_and_writes_no_more(house):
    orphaned, worker = house.start_run()
    with worker:
        house.wait_for_pages(CUT_AT)
        os.kill(worker.pid, signal.SIGSTOP)  # as a machine that sleeps, or a run that nobody remembers
        house.write("UPDATE leases SET expires_at = '2000-01-01 00:00:00.000000'")
        house.gate.set()
        with house.arborist("crawl", "--seed-url", house.site.url(), "--depth", "20", "--fast") as command:
            assert command.end()[0] == 0
        asked, stored = len(house.asked), house.rows("SELECT count(*) FROM pages")
        os.kill(worker.pid, signal.SIGCONT)
        assert worker.end()[0] == 1
    assert house.status(orphaned) is dg.DagsterRunStatus.FAILURE
    assert len(house.asked) - asked <= 1
    assert house.rows("SELECT count(*) FROM pages") == stored
    assert house.rows("SELECT stopped_by FROM crawls ORDER BY id") == [("lease_lost",), ("exhausted",)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_refresh_that_is_told_to_stop_says_how_to_go_on_and_its_run_is_cancelled(number, house):
    with house.arborist("refresh", "shop") as command:
        house.wait_for_pages(CUT_AT)
        command.send_signal(number)
        code, errors = command.end()
    assert code == 1
    assert "interrupted; all that was fetched is kept. To go on: arborist refresh shop" in errors
    assert "Traceback" not in errors
    assert [run.status for run in house.instance.get_runs()] == [dg.DagsterRunStatus.CANCELED]
    assert house.rows("SELECT stopped_by FROM crawls") == [("interrupted",)]


def test_a_refresh_that_is_told_twice_ends_at_once_and_the_next_one_clears_up(house):
    with house.arborist("refresh", "shop") as command:
        house.wait_for_pages(CUT_AT)
        with sqlite3.connect(house.store, isolation_level=None) as blocker:
            blocker.execute("BEGIN IMMEDIATE")  # while another program writes, no books can be closed
            command.send_signal(signal.SIGTERM)
            wait_until(lambda: not is_caught(command.pid, signal.SIGTERM))
            command.send_signal(signal.SIGTERM)
            assert command.end()[0] == -signal.SIGTERM
        blocker.close()
    house.gate.set()
    with house.arborist("refresh", "shop") as command:
        assert command.end()[0] == 0
    assert dg.DagsterRunStatus.STARTED not in {run.status for run in house.instance.get_runs()}
