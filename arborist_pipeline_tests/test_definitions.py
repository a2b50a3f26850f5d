"""The code location is exactly this graph, and loading it touches nothing outside the process."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
import yaml

from arborist_pipeline_tests.defs.runs import DEFINITIONS

REPOSITORY = Path(__file__).resolve().parents[1]

GRAPH = {
    "seed_sites": (None, set()),
    "crawled_pages": ("sites", {"seed_sites"}),
    "product_extractions": ("sites", {"crawled_pages"}),
    "document_store": ("sites", {"crawled_pages"}),
    "webmaster_report": ("sites", {"product_extractions", "document_store"}),
    "recrawl_checks": ("sites", {"crawled_pages"}),
}
JOBS = {
    "catalog_refresh": {"seed_sites", "crawled_pages", "product_extractions", "document_store", "webmaster_report"},
    "recrawl_check": {"recrawl_checks"},
    "reextract": {"product_extractions", "document_store"},
    "maintenance": set(),
}


@pytest.fixture(scope="module")
def repository():
    return DEFINITIONS.get_repository_def()


def test_the_assets_their_order_and_their_partitions_are_these():
    found = {}
    for spec in DEFINITIONS.resolve_all_asset_specs():
        partitions = spec.partitions_def
        name = partitions.name if isinstance(partitions, dg.DynamicPartitionsDefinition) else partitions
        found[spec.key.to_user_string()] = (name, {dep.asset_key.to_user_string() for dep in spec.deps})
        assert spec.group_name == "arborist"
        assert spec.description
    assert found == GRAPH


def test_the_jobs_and_what_they_make_are_these():
    found = {job.name: job for job in DEFINITIONS.resolve_all_job_defs() if not job.name.startswith("__")}
    made = {name: {key.to_user_string() for key in job.asset_layer.selected_asset_keys} for name, job in found.items()}
    assert made == JOBS
    assert all(job.description for job in found.values())


def test_the_schedule_and_the_sensors_are_these(repository):
    (schedule,) = repository.schedule_defs
    assert (schedule.name, schedule.cron_schedule, schedule.job_name) == (
        "nightly_catalog_refresh", "0 2 * * *", "catalog_refresh",
    )  # fmt: skip
    assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED
    statuses = {sensor.name: sensor.default_status for sensor in repository.sensor_defs}
    running, stopped = dg.DefaultSensorStatus.RUNNING, dg.DefaultSensorStatus.STOPPED
    assert statuses == {
        "site_registry_sensor": running, "recrawl_check_sensor": stopped, "stale_pages_sensor": stopped,
    }  # fmt: skip


def test_a_site_is_held_to_one_run_and_crawls_to_a_pool(repository):
    """No backfill policy: with one, runs of a backfill would lack the tag that the limit of one a site goes by."""
    graph = repository.asset_graph
    assert {node.backfill_policy for node in graph.asset_nodes} == {None}
    crawl = DEFINITIONS.resolve_job_def("catalog_refresh").get_node_named("crawled_pages").definition
    assert {node.name: node.definition.pool for node in crawl.nodes} == {"crawl_site": "crawl"}


def test_crawls_run_in_the_process_of_their_run(repository):
    """A process a step would go on fetching when its run is killed."""
    assert {repository.get_job(name).executor_def.name for name in JOBS} == {"in_process"}


def test_every_asset_has_a_file_of_its_name():
    files = {path.stem for path in (REPOSITORY / "arborist_pipeline" / "defs" / "assets").glob("*.py")} - {"__init__"}
    assert files == set(GRAPH)


def test_an_asset_is_wiring():
    """House rule: thirty lines of body are too many."""
    for path in (REPOSITORY / "arborist_pipeline" / "defs" / "assets").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.body[0].lineno < 30, f"{path.name}: {node.name}"


def test_the_workspace_names_this_location():
    (entry,) = yaml.safe_load((REPOSITORY / "workspace.yaml").read_text(encoding="utf-8"))["load_from"]
    assert entry == {"python_module": {"module_name": "arborist_pipeline.definitions",
                                       "location_name": "arborist_pipeline"}}  # fmt: skip


def test_dagster_finds_it_loadable():
    dg.Definitions.validate_loadable(DEFINITIONS)


BARE = """
import sys

forbidden = []

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "sqlite3.connect", "subprocess.Popen"):
        forbidden.append((event, arguments))
    elif event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        forbidden.append((event, arguments))

import dagster
sys.addaudithook(watch)
from arborist_pipeline.definitions import defs
assert len(defs().resolve_all_asset_specs()) == 6
assert not forbidden, forbidden
heavy = {"playwright", "openai", "pandas", "numpy"} & set(sys.modules)
assert not heavy, heavy
"""


def test_loading_opens_nothing_reads_no_setting_and_loads_no_heavy_library(tmp_path):
    """A process without a home, and with settings that no run could use."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path / "none"), "ARBORIST_HOME": str(tmp_path / "home"),
        "ARBORIST_DB": "nonsense://", "ARBORIST_USER_AGENT": "1 2 3", "CRAWL_MAX_PAGES": "many",
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", BARE], capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_loads_no_dagster(tmp_path):
    program = (
        "import sys; sys.argv = ['arborist', '--help']\n"
        "from arborist_pipeline.__main__ import main\n"
        "code = main()\n"
        "assert code == 0 and 'dagster' not in sys.modules, (code, 'dagster' in sys.modules)"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "refresh" in done.stdout
