# The two commands: `make play` and `make test`. See `make help`.
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=
# The frameworks that programs play through; each has its own versions of what it needs.
FRAMEWORKS := $(patsubst constraints/%.txt,%,$(wildcard constraints/*.txt))
ONLY ?= $(FRAMEWORKS)
# Compiled once, not by each of the hundreds of processes that the tests start.
unexport PYTHONDONTWRITEBYTECODE
# So that the commands that numduel prints are those that work here.
AS_TYPED := NUMDUEL_COMMAND='make play ARGS="{}"'
# Without windows to draw it takes half the time.
FIND_HEADLESS := which chromium-headless-shell >/dev/null 2>&1
FIND_BROWSER := which chromium-headless-shell chromium chromium-browser google-chrome 2>/dev/null | grep -q .
FIND_SHELLS := which zsh fish >/dev/null 2>&1
FIND_POSTGRES := { which initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1
FIND_COQ := which coqc coqchk >/dev/null 2>&1
INSTALL = { sudo=$$([ $$(id -u) -eq 0 ] || echo sudo -n); $$sudo apt-get update && \
  $$sudo apt-get install -y --no-install-recommends $(1); } </dev/null >/dev/null 2>&1

.PHONY: help play serve test soak soak-tests siege proofs dist integrations setup format check bench screenshots \
  clean

help:
	@echo "make play [ARGS=...]  play (ARGS are passed to numduel)"
	@echo "make serve [ARGS=...] play in a browser"
	@echo "make test             everything that must hold: format, lint, types, imports, tests"
	@echo "make soak             the long and rough tests: kills, large sizes, random input, a siege"
	@echo "make integrations     the suite of each framework in agents/, or ONLY=... of one"
	@echo "make proofs           the theorems, checked by Coq"
	@echo "make dist             the wheel and the source archive, in dist/, checked and tried"
	@echo "make setup            set up what development needs"
	@echo "make format           format the code"
	@echo "make check            format, lint, types and imports, without the tests"
	@echo "make bench            the benchmarks"
	@echo "make screenshots      pictures of each page, in screenshots/, and all of them small, in docs/"

play: .venv/.base $(if $(filter serve,$(firstword $(ARGS))),.venv/.web)
	@$(AS_TYPED) $(BIN)/numduel $(ARGS) || [ $$? -eq 130 ]

serve: .venv/.web
	@$(AS_TYPED) $(BIN)/numduel serve $(ARGS) || [ $$? -eq 130 ]

test: check .venv/.machine
	$(BIN)/pytest -n auto --dist worksteal --cov --cov-report=term

soak: soak-tests
	$(MAKE) siege

soak-tests: .venv/.dev .venv/.machine
	$(BIN)/pytest -n auto --dist worksteal --soak

siege: .venv/.dev .venv/.machine
	$(MAKE) --jobs 2 --output-sync siege-sqlite siege-postgresql

# People play while the server is attacked, and then while what it stands on breaks.
siege-%: .venv/.dev .venv/.machine
	$(BIN)/python -m benchmarks.siege --untimed --on $*
	$(BIN)/python -m benchmarks.siege --faults --on $*

# The wheel must play where there is nothing else of ours.
dist: .venv/.dev
	rm -rf dist
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	@empty=$$(mktemp -d) && trap 'rm -rf "$$empty"' EXIT && $(PYTHON) -m venv "$$empty" && \
	  "$$empty/bin/pip" install --quiet --disable-pip-version-check -c constraints.txt dist/*.whl && \
	  cd "$$empty" && NUMDUEL_HOME=home bin/numduel play double-or-add --p1 perfect --p2 random --plain

proofs:
	@$(FIND_COQ) || $(call INSTALL,coq); $(FIND_COQ) || { echo "no Coq: apt-get install coq"; exit 1; }
	@proofs/check

integrations: $(ONLY:%=integration-%)
integration-verifiers: $(filter integration-openenv,$(ONLY:%=integration-%))  # whose server it plays

# Without the network, or on a system that it is not made for, a framework cannot be installed.
integration-%:
	@if $(MAKE) --no-print-directory .integrations/$*/.made; then \
	  INTEGRATION=$* .integrations/$*/bin/pytest -n auto --dist worksteal -W ignore $(ARGS) \
	    tests/integrations/$* tests/test_docs.py; \
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

bench: .venv/.dev .integrations/pgx/.made
	$(BIN)/python -m benchmarks
	.integrations/pgx/bin/python -m benchmarks.pgx_steps

screenshots: .venv/.dev .venv/.machine
	rm -rf screenshots
	SCREENSHOTS=screenshots $(BIN)/pytest -n auto --soak tests/web/browser/test_every_page.py \
	  tests/web/browser/test_games_of_others.py
	$(BIN)/python tests/web/browser/contact_sheet.py screenshots docs

setup: .venv/.dev .venv/.machine

clean:
	rm -rf .venv .integrations .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache \
	  .import_linter_cache

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "numduel needs Python 3.11 or later: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.base: .venv/.made pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/.web: .venv/.base
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[web]'
	@touch $@

.venv/.dev: .venv/.base
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

# One framework has a client of another, whose server cannot live beside it.
NEEDS_verifiers := 'verifiers[openenv]'
.integrations/verifiers/.made: .integrations/openenv/.made

.integrations/%/.made: constraints/%.txt pyproject.toml
	@$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -c $< -e '.[$*]' \
	  hypothesis pexpect pytest pytest-xdist pyyaml $(NEEDS_$*)
	@touch $@

# Debian's browser, PostgreSQL and shells, for the tests that need them; without, these are skipped.
.venv/.machine: .venv/.made
	@$(FIND_HEADLESS) || $(call INSTALL,chromium-headless-shell); \
	$(FIND_BROWSER) || $(call INSTALL,chromium); $(FIND_POSTGRES) || $(call INSTALL,postgresql); \
	$(FIND_SHELLS) || $(call INSTALL,zsh fish); \
	$(FIND_BROWSER) || echo "no browser: the browser tests will be skipped"; \
	$(FIND_POSTGRES) || echo "no PostgreSQL: its tests will be skipped"; \
	if $(FIND_BROWSER) && $(FIND_POSTGRES); then touch $@; fi
