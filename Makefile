# make demo   build, install into .venv, run `treewright demo`: a report on a bundled table
# make test   the same, with what the tests need, then the tests of less than half a second each
# make lint   ruff, clang-format and mypy
# make clean  remove everything that was built or written by these commands
#
# A fresh machine needs python3 (3.11 or newer, with pip and its C headers), make and a C++20
# compiler; the rest comes by pip into .venv. Stamp files in .venv remember what is done, so a second
# run only repeats what a changed file asks for. Other tasks are nox sessions: see noxfile.py.

PYTHON ?= python3
WORKERS ?= 2

# The build sees exactly the packages in .venv, whatever the caller's shell says.
unexport PYTHONPATH PYTHONHOME PIP_USER PIP_TARGET PIP_PREFIX

python := .venv/bin/python
pip := $(python) -m pip --disable-pip-version-check --quiet
# Folders are listed too: their time changes when a file is removed.
sources := pyproject.toml CMakeLists.txt $(shell find cpp src -name __pycache__ -prune -o -print)

MAKEFLAGS += --jobs=2

.DELETE_ON_ERROR:
.PHONY: demo test lint install dev clean

demo: .venv/.installed
	.venv/bin/treewright demo

test: .venv/.test
	$(python) -m pytest -n $(WORKERS) -m "not slow and not long" $(PYTEST_ARGUMENTS)

lint: .venv/.dev
	.venv/bin/nox -s lint

install: .venv/.installed

dev: .venv/.dev

# The build tools live in .venv, not in pip's throw-away build environment: the paths that CMake
# remembers in build/ then stay valid and a changed file recompiles alone.
.venv/.tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "treewright needs Python 3.11 or newer; choose one with: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import os, sys, sysconfig as s; sys.exit(not os.path.exists(os.path.join(s.get_path("include"), "Python.h")))' || \
	  { echo "The C headers of $(PYTHON) are missing (Python.h); on Debian: apt install python3-dev" >&2; exit 1; }
	@echo "Creating .venv and installing the build tools"
	@test -x $(python) || $(PYTHON) -m venv .venv 2>/dev/null || \
	  { $(PYTHON) -m venv --clear --without-pip .venv && \
	    $(PYTHON) -m pip --quiet --python $(python) install pip; }
	@$(python) tools/requirements.py --build > .venv/build-requirements.txt
	@$(pip) install -r .venv/build-requirements.txt "cmake>=3.26" ninja
	@touch $@

.venv/.built: .venv/.tools $(sources)
	@echo "Building treewright (the first time takes a few minutes)"
	@$(pip) install --no-build-isolation --no-deps .
	@touch $@

# Packages of others are installed while the compiler runs.
.venv/.packages: .venv/.tools
	@$(python) tools/requirements.py > .venv/requirements.txt
	@$(pip) install -r .venv/requirements.txt
	@touch $@

.venv/.test-packages: .venv/.packages
	@$(python) tools/requirements.py test > .venv/test-requirements.txt
	@$(pip) install -r .venv/test-requirements.txt
	@touch $@

.venv/.dev-packages: .venv/.test-packages
	@$(python) tools/requirements.py dev > .venv/dev-requirements.txt
	@$(pip) install -r .venv/dev-requirements.txt
	@touch $@

.venv/.installed: .venv/.built .venv/.packages
	@touch $@

.venv/.test: .venv/.installed .venv/.test-packages
	@touch $@

.venv/.dev: .venv/.installed .venv/.dev-packages
	@touch $@

clean:
	rm -rf .venv .nox build docs/made treewright-demo
