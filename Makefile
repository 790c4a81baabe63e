# Each target sets up what it needs: `make kit` in a fresh clone is enough.

# Without PYTHON=… what `.venv` has, or the first Python that is new enough.
NAMED :=
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell for p in .venv/bin/python .venv/Scripts/python python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
else
NAMED := --this-python
endif
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
BENCH := .bench/ready
ARGS ?=
REV ?= HEAD
# FONTS=system leaves the font packages out; without FONTS=… what was chosen before stays.
FONTS ?=
SET_UP = "$(PYTHON)" tools/set_up.py $(NAMED) $(if $(FONTS),--fonts $(FONTS))

# The targets share one environment, so `make -j` changes nothing.
.NOTPARALLEL:
.PHONY: kit test prove table versions fresh lint types check bench picture browser scripts lock clean help

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

kit: environment ## draw, check and print a kit into output/ (ARGS="--seed … --lang ja" for more; FONTS=system without font packages)
	@$(BIN)/muster kit $(ARGS)

test: dev-environment ## run the tests
	@$(BIN)/python -m pytest $(ARGS)

prove: dev-environment ## the big counts, whole or a part (ARGS=…), into docs/proof.md; up to 20 minutes a part
	@$(BIN)/python -m tests.prove $(ARGS)

table: dev-environment ## make the tables of `muster selftest` anew, when what is drawn or printed was meant to change
	@$(BIN)/python -m tests.make_selftest $(ARGS)

versions: dev-environment ## every verb under the lowest, the newest and the pinned libraries, on every Python there is
	@$(BIN)/python -m tests.versions $(ARGS)

fresh: dev-environment ## set up, print and test in fresh clones of a revision (REV=…, default HEAD), with old pips and the newest
	@$(BIN)/python -m tests.fresh $(REV)

lint: dev-environment ## ruff (lint and format) and codespell
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/codespell .

types: dev-environment ## mypy --strict
	@$(BIN)/mypy
	@$(BIN)/python -m tests.sixth

check: lint types ## lint, types and tests, with what the tests do not cover
	@$(BIN)/python -m pytest --cov=generator --cov-report=term:skip-covered $(ARGS)

bench: dev-environment $(BENCH) ## measure times and memory, and fail if a target is missed (some parts: ARGS="page long")
	@$(BIN)/python -m bench $(ARGS)

picture: environment ## make the READMEs' pictures of pages again
	@$(BIN)/python docs/make_picture.py

AXE := axe-core@4.14.1
CHROMIUM := $(shell for p in chromium chromium-browser google-chrome chrome; do command -v $$p && break; done)
browser: dev-environment ## what the tests of the studio use besides, where it can be had: a Chromium, and axe-core in the tests' environment
	@test -n "$(CHROMIUM)" || { echo "installing Chromium …"; apt-get install -y -qq chromium; } || echo "no Chromium: tests of pages are skipped"
	@npm install --silent --no-save --ignore-scripts --prefix $(VENV)/axe $(AXE) || echo "no axe-core: the tests that need it are skipped"

ESLINT := eslint@9.39.5 @eslint/js@9.39.5 globals@17.14.0 typescript@5.9.3
scripts: ## eslint and types for the studio's scripts, where npm can be had
	@npm install --silent --no-save --ignore-scripts --prefix $(VENV)/eslint $(ESLINT) || { echo "no eslint: the scripts are not checked"; exit 0; }; \
	cp -r templates/studio tests/eslint.config.mjs tests/tsconfig.json $(VENV)/eslint/ && cd $(VENV)/eslint && npx eslint studio && npx tsc

LOCK = $(BIN)/uv pip compile -q $(UPGRADE) --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	--no-emit-find-links --generate-hashes pyproject.toml requirements.in
UPGRADE ?= --upgrade
lock: dev-environment ## pin the newest releases of all dependencies (UPGRADE= keeps the pins that still fit)
	@$(LOCK) -o requirements.lock
	@$(LOCK) --extra dev -o requirements-dev.lock

.PHONY: python environment dev-environment
python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Muster needs Python 3.11 or later: install it, or name it with PYTHON=…" >&2; exit 2; }

environment: python
	@$(SET_UP) kit

dev-environment: python
	@$(SET_UP) dev

$(BENCH): bench/requirements.txt
	@echo "setting up the tools to compare with (once) …"
	@$(BIN)/python -m venv .bench/venv
	@.bench/venv/bin/python -m pip install -q --disable-pip-version-check -r bench/requirements.txt
	@touch $@

clean: ## remove everything that was set up or made
	rm -rf $(VENV) .bench .versions dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
