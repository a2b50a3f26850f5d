"""Runs of the code location in Dagster's own run worker, a process that a test can stop, kill, and look after.

run_id, worker = house.start_run()
with worker:
    house.wait_for_pages(12)
    worker.kill()
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time

import dagster as dg
from dagster._core.definitions.reconstruct import ReconstructableRepository
from dagster._grpc.types import ExecuteRunArgs
from dagster_shared.serdes import serialize_value

from arborist_pipeline.defs.home import ensure_dagster_home
from arborist_pipeline_tests.conftest import REPOSITORY
from arborist_pipeline_tests.support.site_server import Gate

PATIENCE_SECONDS = 180  # an upper bound for a loaded machine, not what it takes
JOB = ReconstructableRepository.for_module(
    "arborist_pipeline.definitions", "defs", working_directory=str(REPOSITORY)
).get_reconstructable_job("catalog_refresh")
EXECUTE_RUN = "import sys; from dagster._cli import main; sys.argv[0] = 'dagster'; main()"


class House:
    """A home of Arborist and of Dagster with one site on its list, `shop`, that is asked for one page at a time.

    From the page of number `held_from` on the site's answers wait for the gate.
    """

    def __init__(self, folder, site, *, held_from):
        self.folder, self.site = folder, site
        self.gate, self.held_from = Gate(), held_from
        site.routes = {path: self._held(page) for path, page in site.routes.items()}
        self.store = folder / "crawl" / "web.db"
        folder.mkdir()
        (folder / "sites.yaml").write_text(
            f"sites:\n  - {{key: shop, seed_url: '{site.url()}', mode: fast, concurrency: 1, max_pages: 0}}\n"
        )
        self.instance = dg.DagsterInstance.from_config(str(ensure_dagster_home(str(folder / "dagster"))))
        self.instance.add_dynamic_partitions("sites", ["shop"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.gate.set()
        self.instance.dispose()

    def start_run(self, **config):
        """Create a run of the night's job and start its worker; return both, the run's id and the process."""
        origin = JOB.get_python_origin()
        run = self.instance.create_run_for_job(
            job_def=JOB.get_definition(), job_code_origin=origin, tags={"dagster/partition": "shop"},
            run_config={"ops": {"crawled_pages": {"ops": {"crawl_site": {"config": config}}}}},
        )  # fmt: skip
        arguments = ExecuteRunArgs(
            job_origin=origin,
            run_id=run.run_id,
            instance_ref=self.instance.get_ref(),
            set_exit_code_on_failure=True,
        )
        return run.run_id, self._start("-c", EXECUTE_RUN, "api", "execute_run", serialize_value(arguments))

    def arborist(self, *arguments):
        """Start the command in a process of its own."""
        return self._start("-m", "arborist_pipeline", *arguments)

    def status(self, run_id):
        """How Dagster says that a run ended."""
        return self.instance.get_run_by_id(run_id).status

    def rows(self, query):
        with contextlib.closing(sqlite3.connect(self.store, timeout=30)) as database:
            return database.execute(query).fetchall()

    def write(self, statement):
        """Change the store behind the program's back."""
        with contextlib.closing(sqlite3.connect(self.store, timeout=30)) as database:
            database.execute(statement)
            database.commit()

    @property
    def asked(self):
        """What the site was asked for, robots.txt and sitemap left out, in order."""
        return [target for target in self.site.targets if not target.endswith((".txt", ".xml"))]

    def wait_for_pages(self, count):
        """Wait until the site was asked for so many pages."""
        until = time.monotonic() + PATIENCE_SECONDS
        while len(self.asked) < count:
            assert time.monotonic() < until, "the run does not come to its pages"
            time.sleep(0.005)

    def _held(self, page):
        def answer(request):
            if len(self.asked) >= self.held_from and request.path != "/robots.txt":
                self.gate.wait()
            return page

        return answer

    def _start(self, *words):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ARBORIST_", "CRAWL_", "DAGSTER_"))}  # fmt: skip
        settings = {"ARBORIST_HOME": str(self.folder), "ARBORIST_SITES": str(self.folder / "sites.yaml"),
                    "ARBORIST_ALLOW_PRIVATE": "1", "DAGSTER_HOME": str(self.folder / "dagster"),
                    "PYTHONPATH": str(REPOSITORY)}  # fmt: skip
        return _Process(
            [sys.executable, *words], cwd=REPOSITORY, env=kept | settings, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


class _Process(subprocess.Popen):
    """A process that does not outlive the context it is used in."""

    def end(self):
        """Wait for the end; return exit code and what was said on stderr."""
        _, errors = self.communicate(timeout=PATIENCE_SECONDS)
        return self.returncode, errors

    def __exit__(self, *error):
        if self.poll() is None:
            self.send_signal(signal.SIGCONT)
            self.kill()
        super().__exit__(*error)
