# The two commands: `make play` and `make test`. See `make help`.
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=

.PHONY: help play test setup format check bench clean

help:
	@echo "make play [ARGS=...]  play (ARGS are passed to numduel)"
	@echo "make test             everything that must hold: format, lint, types, imports, tests"
	@echo "make setup            set up what development needs"
	@echo "make format           format the code"
	@echo "make check            format, lint, types and imports, without the tests"
	@echo "make bench            the benchmarks"

play: .venv/.base
	@$(BIN)/numduel $(ARGS) || [ $$? -eq 130 ]

test: check
	$(BIN)/pytest -n auto --cov --cov-report=term

check: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/.dev
	$(BIN)/python -m benchmarks

setup: .venv/.dev

clean:
	rm -rf .venv .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "numduel needs Python 3.11 or later: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.base: .venv/.made pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/.dev: .venv/.base
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
