# The two commands: `make play` and `make test`. See `make help`.
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=
# Run one long test in SHARE: a different part of them each day.
SHARE ?= 1
# The frameworks for which there are adapters; each has its own constraints file.
FRAMEWORKS := $(patsubst constraints/%.txt,%,$(wildcard constraints/*.txt))
ONLY ?= $(FRAMEWORKS)
# plybench needs a later Python than we do. It is left out if there is none.
LATER_PYTHON = $(firstword $(foreach each,$(PYTHON) python3.12 python3.13 \
  $(shell pyenv whence --path python3.12 2>/dev/null),$(shell $(each) -c \
  'import ensurepip, sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo $(each))))
PYTHON_OF = $(if $(filter plybench,$(1)),$(LATER_PYTHON),$(PYTHON))
# Keep bytecode: hundreds of processes of the tests import the same modules.
unexport PYTHONDONTWRITEBYTECODE
# The commands that numduel prints must work as they are printed.
AS_TYPED := NUMDUEL_COMMAND='make play ARGS="{}"'
# The headless build of the browser needs half the time in the tests.
FIND_HEADLESS := which chromium-headless-shell >/dev/null 2>&1
FIND_BROWSER := which chromium-headless-shell chromium chromium-browser google-chrome 2>/dev/null | grep -q .
FIND_SHELLS := which zsh fish >/dev/null 2>&1
FIND_POSTGRES := { which initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1
FIND_NGINX := { which nginx || ls /usr/sbin/nginx; } >/dev/null 2>&1 && which openssl >/dev/null 2>&1
FIND_PGBOUNCER := { which pgbouncer || ls /usr/sbin/pgbouncer; } >/dev/null 2>&1
FIND_NODE := which node >/dev/null 2>&1
FIND_ROCQ := { which rocq rocqchk || which coqc coqchk; } >/dev/null 2>&1
APT = { sudo=$$([ $$(id -u) -eq 0 ] || echo sudo -n); $$sudo apt-get update && $$sudo apt-get install -y \
  --no-install-recommends -o Dpkg::Options::=--force-unsafe-io $(1); } </dev/null >/dev/null 2>&1
# Modules are compiled at their first import; most of them are never imported.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
PYTEST := $(BIN)/pytest -n logical --dist worksteal
# The packages with full branch coverage, and the tests that must reach it.
MEASURED := core games play players proof solver
MEASURED_TESTS := $(MEASURED:%=tests/%) tests/theory tests/test_conformance.py \
  tests/test_docstrings.py

.PHONY: help play serve site test test-measured test-others compiled soak soak-tests siege proofs dist integrations \
  setup format check bench screenshots clean

help:
	@echo "make play [ARGS=...]  play (ARGS are passed to numduel)"
	@echo "make serve [ARGS=...] play in a browser"
	@echo "make site [ARGS=...]  write the games and the documentation to site/, for any web space"
	@echo "make test             format, lint, types, imports and the tests: what must pass"
	@echo "make soak             the long tests: kills, large sizes, random input, attacks on the server"
	@echo "make integrations     the tests of each framework in agents/, or of one: ONLY=..."
	@echo "make proofs           let Rocq (formerly Coq) check the theorems"
	@echo "make dist             build the wheel and the source archive in dist/, and try the wheel"
	@echo "make setup            install what development needs"
	@echo "make format           format the code"
	@echo "make check            format, lint, types and imports, without the tests"
	@echo "make bench [ARGS=...] run the benchmarks, or one of them: ARGS=site"
	@echo "make screenshots      pictures of each page in screenshots/, and all of them small in docs/"

# The extra that a command needs is installed when it is first used.
EXTRA_arena := arena
EXTRA_bench := arena
EXTRA_dataset := arena
EXTRA_export := web docs
EXTRA_mcp := mcp
EXTRA_plot := arena lab
EXTRA_sweep := arena lab
EXTRA_serve := web

play: .venv/.base $(patsubst %,.venv/.%,$(EXTRA_$(firstword $(ARGS))))
	@$(AS_TYPED) $(BIN)/numduel $(ARGS) || [ $$? -eq 130 ]

serve: .venv/.web
	@$(AS_TYPED) $(BIN)/numduel serve $(ARGS) || [ $$? -eq 130 ]

site: .venv/.web .venv/.docs
	@$(AS_TYPED) $(BIN)/numduel export site $(ARGS) || [ $$? -eq 130 ]

# The parts run in parallel; each one's output is printed when it ends.
test:
	@$(MAKE) --no-print-directory --jobs --output-sync=target check compiled .venv/.machine .venv/.pyodide
	@$(MAKE) --no-print-directory --jobs --output-sync=target test-measured test-others

# Compile Python's bytecode and numba's functions once, and not in each test process: import all tests,
# and run those that compile most.
compiled: .venv/.dev
	$(BIN)/pytest tests -k "test_retrograde or test_matching or test_geography or test_bulk or test_growth"

# Coverage makes tests three times as slow: long tests that add no coverage run without it.
test-measured: .venv/.dev
	$(PYTEST) -m "not no_cover" --cov --cov-report=term $(MEASURED_TESTS) examples
	$(PYTEST) -m no_cover $(MEASURED_TESTS)

# These tests mostly wait for servers and browsers: use two processes for each core.
test-others: .venv/.dev .venv/.machine .venv/.pyodide
	$(PYTEST) -n $$(($$(getconf _NPROCESSORS_ONLN) * 2)) tests $(MEASURED_TESTS:%=--ignore=%)

soak: soak-tests
	$(MAKE) siege

soak-tests: .venv/.dev .venv/.machine .venv/.pyodide
	$(PYTEST) --soak --share $(SHARE)

siege: .venv/.dev .venv/.machine
	$(MAKE) --jobs 2 --output-sync siege-sqlite siege-postgresql

# Players play while the server is attacked, and then while the things it depends on fail.
siege-%: .venv/.dev .venv/.machine
	$(BIN)/python -m benchmarks.siege --short --on $*
	$(BIN)/python -m benchmarks.siege --short --faults --on $*

# The wheel must work in an empty environment.
dist: .venv/.dev
	rm -rf dist
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	@empty=$$(mktemp -d) && trap 'rm -rf "$$empty"' EXIT && $(PYTHON) -m venv "$$empty" && \
	  "$$empty/bin/pip" install --quiet --disable-pip-version-check -c constraints.txt dist/*.whl && \
	  cd "$$empty" && NUMDUEL_HOME=home bin/numduel play double-or-add --p1 perfect --p2 random --plain

proofs:
	@$(FIND_ROCQ) || $(call APT,coq); \
	$(FIND_ROCQ) || { echo "no Rocq (formerly Coq): apt-get install coq"; exit 1; }
	@proofs/check

integrations: $(ONLY:%=integration-%)
integration-verifiers: $(filter integration-openenv,$(ONLY:%=integration-%))  # whose server it plays

# A framework cannot be installed without the network, or on a system that it does not support.
integration-%:
	@if [ -z "$(call PYTHON_OF,$*)" ]; then echo "$* needs Python 3.12 or later: skipped"; \
	elif $(MAKE) --no-print-directory .integrations/$*/.made; then \
	  INTEGRATION=$* .integrations/$*/bin/pytest -n auto --dist worksteal -W ignore $(ARGS) \
	    tests/integrations/$* tests/test_docs.py::test_the_page_for_programs_runs_as_written; \
	elif [ "$$CI" ]; then echo "$* cannot be installed: a failure, as CI is set"; exit 1; \
	else echo "$* cannot be installed: skipped"; fi

check: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/.dev .venv/.machine .venv/.pyodide $(if $(ARGS),,.integrations/pgx/.made)
	$(BIN)/python -m benchmarks $(ARGS)
	$(if $(ARGS),,.integrations/pgx/bin/python -m benchmarks.pgx_steps)

screenshots: .venv/.dev .venv/.machine
	rm -rf screenshots
	SCREENSHOTS=screenshots $(PYTEST) --soak tests/web/browser/test_every_page.py \
	  tests/web/browser/test_games_of_others.py
	$(BIN)/python tests/web/browser/contact_sheet.py screenshots docs

setup: .venv/.dev .venv/.machine .venv/.pyodide

clean:
	rm -rf .venv .integrations .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache \
	  .import_linter_cache

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "numduel needs Python 3.11 or later: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.base: .venv/.made pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

.venv/.arena .venv/.docs .venv/.lab .venv/.mcp .venv/.web: .venv/.%: .venv/.base
	$(PIP) -e '.[$*]'
	@touch $@

.venv/.dev: .venv/.made pyproject.toml constraints.txt
	$(PIP) -e '.[dev]'
	@touch .venv/.base .venv/.arena .venv/.docs .venv/.lab .venv/.mcp .venv/.web $@

# verifiers has a client for OpenEnv, whose server needs an environment of its own.
NEEDS_verifiers := 'verifiers[openenv]'
.integrations/verifiers/.made: .integrations/openenv/.made

.integrations/%/.made: constraints/%.txt pyproject.toml
	@$(call PYTHON_OF,$*) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-compile -c $< -e '.[$*]' \
	  hypothesis pexpect pytest pytest-xdist pyyaml $(NEEDS_$*)
	@touch $@

# Debian's browser, PostgreSQL, PgBouncer, shells, nginx and Node.js. Tests are skipped if what they need
# is missing.
.venv/.machine: .venv/.made
	@wanted=$$($(FIND_HEADLESS) || echo chromium-headless-shell; $(FIND_POSTGRES) || echo postgresql; \
	  $(FIND_SHELLS) || echo zsh fish; $(FIND_NGINX) || echo nginx-light openssl; \
	  $(FIND_PGBOUNCER) || echo pgbouncer; $(FIND_NODE) || echo nodejs); \
	[ -z "$$wanted" ] || $(call APT,$$wanted) || for each in $$wanted; do $(call APT,$$each); done; \
	$(FIND_BROWSER) || $(call APT,chromium); \
	$(FIND_BROWSER) || echo "no browser: the browser tests will be skipped"; \
	$(FIND_POSTGRES) || echo "no PostgreSQL: its tests will be skipped"; \
	if $(FIND_BROWSER) && $(FIND_POSTGRES); then touch $@; fi

# Pyodide (Python for browsers), from npm, for the tests of the exported site.
.venv/.pyodide: .venv/.dev src/numduel/site/pyodide.py
	@if $(BIN)/python -m numduel.site.pyodide .venv/pyodide; then touch $@; \
	else echo "no Pyodide: the tests of the exported site will be skipped"; fi
