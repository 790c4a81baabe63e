# Each target sets up what it needs: `make kit` in a fresh clone is enough.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
KIT := $(VENV)/.kit-ready
DEV := $(VENV)/.dev-ready
BENCH := .bench/ready
ARGS ?=
FONTS ?= packages
# What is pinned there; with FONTS=system without the packages of fonts, should they not be there to install any more.
UNFONTED = -e '/^noto-cjk/,/[^\\]$$/d' -e '/^font-source/,/[^\\]$$/d'
LOCKED = sed $(if $(filter system,$(FONTS)),$(UNFONTED)) -e '' $(1) >$(VENV)/locked.txt

.PHONY: kit test prove table versions lint types check bench picture browser lock clean help

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

kit: $(KIT) ## draw, check and print a kit into output/ (ARGS="--seed … --lang ja" for more; FONTS=system without font packages)
	@$(BIN)/muster kit $(ARGS)

test: $(DEV) ## run the tests
	@$(BIN)/python -m pytest $(ARGS)

prove: $(DEV) ## the big counts, whole or a part (ARGS=…), into docs/proof.md; up to 20 minutes a part
	@$(BIN)/python -m tests.prove $(ARGS)

table: $(DEV) ## make the tables of `muster selftest` anew, when what is drawn or printed was meant to change
	@$(BIN)/python -m tests.make_selftest $(ARGS)

versions: $(DEV) ## every verb under the lowest, the newest and the pinned libraries, on every Python there is
	@$(BIN)/python -m tests.versions $(ARGS)

lint: $(DEV) ## ruff: lint and format
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(DEV) ## mypy --strict
	@$(BIN)/mypy
	@$(BIN)/python -m tests.sixth

check: lint types ## lint, types and tests, with what the tests do not cover
	@$(BIN)/python -m pytest --cov=generator --cov-report=term:skip-covered $(ARGS)

bench: $(DEV) $(BENCH) ## measure times and memory, and fail if a target is missed (some parts: ARGS="page long")
	@$(BIN)/python -m bench $(ARGS)

picture: $(KIT) ## make the README's picture of a map page again
	@$(BIN)/python docs/make_picture.py

AXE := axe-core@4.14.1
CHROMIUM := $(shell for p in chromium chromium-browser google-chrome chrome; do command -v $$p && break; done)
browser: $(DEV) ## what the tests of the studio use besides, where it can be had: a Chromium, and axe-core in the tests' environment
	@test -n "$(CHROMIUM)" || { echo "installing Chromium …"; apt-get install -y -qq chromium; } || echo "no Chromium: tests of pages are skipped"
	@npm install --silent --no-save --ignore-scripts --prefix $(VENV)/axe $(AXE) || echo "no axe-core: the tests that need it are skipped"

LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	--no-emit-find-links --generate-hashes pyproject.toml requirements.in
lock: $(DEV) ## pin the dependencies anew
	@$(LOCK) -o requirements.lock
	@$(LOCK) --extra dev -o requirements-dev.lock

$(KIT): requirements.lock pyproject.toml
	@$(MAKE) --no-print-directory venv
	@echo "setting up Muster (once) …"
	@$(call LOCKED,requirements.lock)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $(VENV)/locked.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(DEV): requirements-dev.lock pyproject.toml
	@$(MAKE) --no-print-directory venv
	@echo "setting up Muster and its tests (once) …"
	@$(call LOCKED,requirements-dev.lock)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $(VENV)/locked.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@ $(KIT)

$(BENCH): bench/requirements.txt
	@$(MAKE) --no-print-directory venv
	@echo "setting up the tools to compare with (once) …"
	@$(BIN)/python -m venv .bench/venv
	@.bench/venv/bin/python -m pip install -q --disable-pip-version-check -r bench/requirements.txt
	@touch $@

.PHONY: venv
venv:
	@test -n "$(PYTHON)" || { echo "Muster needs Python 3.11 or later: install it, or name it with PYTHON=…"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)

clean: ## remove everything that was set up or made
	rm -rf $(VENV) .bench .versions dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
