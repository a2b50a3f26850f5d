"""The house stands as it was drawn: floors, sizes, mirrors, registries (docs/why.md has the reasons)."""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import arborist_pipeline

PACKAGE = Path(arborist_pipeline.__file__).parent
TESTS = Path(__file__).parent
ROOT = TESTS.parent
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
ROOMS = [module for module in MODULES if not module.endswith("__init__.py")]
MAX_LINES = 400
MAX_FUNCTION_LINES = 60
BANNED_NAMES = {"utils", "util", "helpers", "common", "misc", "manager", "base"}

# What has no mirror of its own, and the test that has it.
COVERED = {
    "core/crawl/memory_rows.py": "adapters/stores/test_frontier_rows.py",
    "__main__.py": "cli/test_program.py",
    "adapters/stores/columns.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/env.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0001_first_schema.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0002_addresses_as_written.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0003_answers_and_aliases.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0004_lists_of_sites.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0005_site_roots.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0006_robots_files.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0007_due_pages_in_order.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0008_long_addresses.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0009_arms_and_lessons.py": "adapters/stores/test_migrate.py",
    "adapters/stores/migrations/versions/0010_documents_by_site.py": "adapters/stores/test_migrate.py",
    "adapters/stores/page_links.py": "adapters/stores/test_crawls.py",
    "adapters/stores/page_states.py": "adapters/stores/test_crawls.py",
    "adapters/stores/pages.py": "adapters/stores/test_crawls.py",
    "adapters/stores/schema.py": "adapters/stores/test_migrate.py",
    "cli/invocation.py": "cli/test_program.py",
    "cli/unbuilt.py": "cli/test_program.py",
    "core/crawl/entries.py": "core/crawl/test_frontier.py",
    "core/crawl/known_urls.py": "core/crawl/test_frontier.py",
    "core/crawl/platform_routes.py": "core/crawl/test_platform_paths.py",
    "core/crawl/records.py": "core/crawl/test_policy.py",
    "core/errors.py": "core/documents/test_proof.py",
    "core/ports.py": "adapters/stores/test_store.py",
    "core/report/duplicates.py": "core/report/signals/test_duplicates.py",
    "core/report/finding.py": "core/report/test_report.py",
    "core/web/fetch.py": "adapters/fetchers/test_http.py",
    "defs/jobs.py": "test_definitions.py",
    "defs/resources.py": "test_definitions.py",
}
# Folders of siblings that one test goes through together.
COVERED_FOLDERS = {
    "core/products/platforms": "core/products/platforms/test_platforms.py",
    "core/products/tiers": "core/products/tiers/test_tiers.py",
}
REGISTRIES = {
    "core/products/platforms": "PLATFORMS",
    "core/products/tiers": "TIERS",
    "core/report/signals": "SIGNALS",
}


@cache
def tree_of(module):
    return ast.parse((PACKAGE / module).read_text())


def test_the_import_contracts_hold():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"Contracts: 9 kept, 0 broken", done.stdout)


def test_no_contract_was_loosened():
    assert "ignore_imports" not in (ROOT / "setup.cfg").read_text()


@pytest.mark.parametrize("module", MODULES)
def test_no_module_is_too_long(module):
    assert len((PACKAGE / module).read_text().splitlines()) < MAX_LINES


def test_no_module_of_tests_is_too_long():
    tests = Path(__file__).parent
    assert [path.name for path in tests.rglob("*.py") if len(path.read_text().splitlines()) >= MAX_LINES] == []


@pytest.mark.parametrize("module", MODULES)
def test_no_function_is_too_long(module):
    functions = [node for node in ast.walk(tree_of(module)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {node.name: length for node in functions
            if (length := (node.end_lineno or 0) - node.lineno + 1) >= MAX_FUNCTION_LINES}  # fmt: skip
    assert long == {}


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_what_it_is_for_and_has_a_name_of_the_field(module):
    assert Path(module).stem not in BANNED_NAMES
    if (PACKAGE / module).read_text().strip():
        assert ast.get_docstring(tree_of(module)), "a module begins with what the room is for"


@pytest.mark.parametrize("module", [module for module in MODULES if module.endswith("__init__.py")])
def test_a_package_holds_a_docstring_or_a_registry_and_no_code(module):
    allowed = ast.Expr | ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign
    bodies = [node for node in tree_of(module).body if not isinstance(node, allowed)]
    assert all(isinstance(node, ast.FunctionDef) and node.name == "main" for node in bodies)


@pytest.mark.parametrize("module", ROOMS)
def test_every_module_has_its_mirror_or_a_test_that_stands_for_it(module):
    path = Path(module)
    folder = path.parent.as_posix()
    mirror = TESTS / folder / f"test_{path.name}"
    if mirror.exists():
        assert module not in COVERED, "it has a mirror of its own now: strike it from the list"
        return
    substitute = COVERED.get(module) or COVERED_FOLDERS.get(folder)
    assert substitute is not None, f"write {mirror.relative_to(ROOT)}"
    assert (TESTS / substitute).is_file()


def test_nothing_is_listed_that_is_not_there():
    assert set(COVERED) <= set(ROOMS)
    assert all((PACKAGE / folder).is_dir() for folder in (*COVERED_FOLDERS, *REGISTRIES))


@pytest.mark.parametrize(("folder", "name"), REGISTRIES.items())
def test_a_registry_holds_every_file_of_its_folder(folder, name):
    package = f"arborist_pipeline.{folder.replace('/', '.')}"
    entries = getattr(import_module(package), name)
    assert isinstance(entries, tuple)
    assert len(set(entries)) == len(entries)
    files = {path.stem for path in (PACKAGE / folder).glob("*.py")} - {"__init__"}
    assert {entry.__module__.removeprefix(f"{package}.") for entry in entries} == files


@pytest.mark.parametrize("folder", ["core", "workflows", "adapters", "cli"])
def test_dagster_is_named_in_defs_alone(folder):
    named = [
        module for module in MODULES if module.startswith(f"{folder}/")
        for node in ast.walk(tree_of(module))
        if (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "dagster" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "dagster")
    ]  # fmt: skip
    assert named == []


def test_importing_the_core_and_the_workflows_loads_no_library_of_the_outside():
    modules = [module.removesuffix(".py").replace("/", ".") for module in ROOMS
               if module.startswith(("core/", "workflows/"))]  # fmt: skip
    code = (
        "import sys, importlib\n"
        f"for name in {modules!r}: importlib.import_module('arborist_pipeline.' + name)\n"
        "print([name for name in ('dagster', 'httpx', 'aiohttp', 'sqlalchemy', 'playwright', 'openai', 'pandas')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_environment_is_read_at_the_two_roots_alone():
    readers = {module for module in MODULES if re.search(r"\bos\.(environ|getenv)\b", (PACKAGE / module).read_text())}
    assert all(module.startswith(("cli/", "defs/")) for module in readers), readers
