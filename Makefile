# `make demo` and `make test` need Python >= 3.11, make and a C++20 compiler, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cmake/*) $(shell find core -name '*.[ch]pp')

.PHONY: help demo test quick check stubs benchmark clean
help:  ## What can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

demo: $(STAMP)  ## Train a small Chinese-English system on the sample corpus, translate with it, make headlines
	@$(BIN)/widl demo

test: $(STAMP) check  ## Linters, types and the whole test suite
	@$(BIN)/python -m pytest -q

quick: $(STAMP)  ## The part of the test suite that takes less than a minute
	@$(BIN)/python -m pytest -q -m "not slow"

check: $(STAMP)  ## ruff and mypy
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary

stubs: $(STAMP)  ## Type stubs of the native module, from its docstrings
	@$(BIN)/python -m nanobind.stubgen -q -m widl._core -o src/widl/_core.pyi

# A build without isolation keeps its cache: a change of one C++ file rebuilds in seconds.
$(STAMP): $(SOURCES)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) (the first time takes about two minutes)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	    "scikit-build-core>=1.1,<2" "nanobind>=3.1,<4" setuptools wheel "cmake>=3.22" ninja
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[test]"
	@touch $@

clean:  ## Everything that can be made again
	rm -rf $(VENV) build demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
