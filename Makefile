# Python 3.11 or newer and make are all that is needed; the rest goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web
UV := uv==0.13.7
LOCK := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header

# The tests start Python some hundred times; it should not compile the same modules each time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help page run test soak check format bench docs pictures types lock

help:  ## show what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

run: page  ## open tables on this machine
	$(BIN)/hastilude serve

page: .venv/ready  ## build the page, if anything of it has changed
	@$(BIN)/python hatch_build.py

test: check  ## all checks and all tests
	$(BIN)/python -m tests.web.chromium
	$(BIN)/pytest -n auto
	$(NPM) test

soak: .venv/ready  ## what takes too long for every change: many kills, long outages
	$(BIN)/pytest -m soak

check: page  ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(NPM) run check

format: page  ## put the code into its form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(NPM) run format

bench: .venv/ready  ## measure the engine on this machine
	$(BIN)/hastilude bench

docs: .venv/ready  ## write the generated pages again
	$(BIN)/python docs/generate.py

pictures: page  ## draw the icons of the page, the picture of its links and those of the README again
	$(BIN)/python -m tests.web.pictures

types: page  ## write the page's types of what the server says again
	$(BIN)/python web/generate.py

lock: .venv/ready  ## choose the newest allowed versions of everything
	$(BIN)/pip install --quiet $(UV)
	$(LOCK) --upgrade --output-file requirements/runtime.txt
	$(LOCK) --upgrade --group dev --output-file requirements/dev.txt

.venv/ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Hastilude needs Python 3.11 or newer: make PYTHON=…" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
