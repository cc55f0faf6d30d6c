# `make run` and `make test` set up everything that they need, from nothing: Python 3.11+, Node 20+ and make.
PYTHON ?= python3
BIN := .venv/bin
STATIC := backend/hermes_sessions/web/static
DASHBOARD_SOURCES := $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/generated/*' 2>/dev/null)

# Compiled modules are kept: every process would compile them anew, which takes a third of its start.
unexport PYTHONDONTWRITEBYTECODE

# An older make tells what it does side by side all mixed.
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

# A build that was broken off is not taken for a whole one.
.DELETE_ON_ERROR:

.PHONY: run test check format schema bench wheel clean

run: .venv/run $(STATIC)/index.html ## Serve the Hermes home that is found, else a demo home; ARGS="--port 9000" adds options
	$(BIN)/hermes-sessions serve --demo-home .demo $(ARGS)

# What needs Node and what needs Python is made side by side. Tests go folder by folder: a browser starts once for each
# worker, and short files come last.
test: ## Everything that CI runs
	$(MAKE) --jobs 2 $(SYNC) test-frontend prepare-tests
	$(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder $(ARGS)

check: check-backend check-frontend ## Formatting, lint, types and import directions of both sides

.PHONY: check-backend check-frontend test-frontend prepare-tests
check-backend: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-frontend: frontend/node_modules/.package-lock.json
	cd frontend && npm run check

# Both steps generate code, so that they wait for each other.
test-frontend: check-frontend
	cd frontend && npm test
	$(MAKE) $(STATIC)/index.html
	cd frontend && npm run size

prepare-tests: check-backend
	$(BIN)/python -m tests.hermes.venv
	$(BIN)/python -m tests.browser.chromium

format: .venv/dev ## Write the formatting that check wants
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

schema: .venv/run ## Write schema.graphql anew from the code
	$(BIN)/hermes-sessions schema > schema.graphql

bench: .venv/run ## Measure the API against its targets: make bench HOME_DIR=path; ARGS="--grow path2" adds options
	$(if $(HOME_DIR),,$(error Name the Hermes home to measure: make bench HOME_DIR=path))
	$(BIN)/hermes-sessions bench --home "$(HOME_DIR)" $(ARGS)

wheel: .venv/dev $(STATIC)/index.html ## A wheel with the dashboard inside, in dist/
	$(BIN)/python -m hatchling build -t wheel

clean: ## Remove everything that was installed or built here
	rm -rf .venv .hermes-venv dist $(STATIC) frontend/node_modules

.venv/run: pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable .
	touch $@

.venv/dev: .venv/run
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.[dev]'
	touch $@

frontend/node_modules/.package-lock.json: frontend/package.json frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund
	touch $@

$(STATIC)/index.html: frontend/node_modules/.package-lock.json schema.graphql $(DASHBOARD_SOURCES)
	cd frontend && npm run build
	touch $@
