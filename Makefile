# make demo      train a small network on handwritten digits; a page shows its code at every stage
# make test      lint, type-check, test
# make test-all  the tests with everything that they only sample otherwise (long)
# make bench     timings beside NumPy, and beside PyTorch and JAX where they are installed
# make fuzz      10,000 more random programs: every way of running them must give the same bits
# make fuzz-packs   100 more packs of 128 small random programs
# make fuzz-inputs  10,000 more bad inputs: each must end in a result or a clear error
# make soak      an hour of training, tracing, threads, forks and Ctrl-C: nothing grows, nothing changes
# make faults    jobs of several processes whose ranks are killed: they go on from their checkpoints
# make test-keras  the tests of Keras itself, on tfc
# make test-libraries  the tests of libraries for TensorFlow, with tfc in its place
# make stress    functions called, traced and dropped a million times: nothing is left (minutes)
# make compare-tensorflow   programs on both libraries: only what is intended may differ
# make accuracy  the largest errors of all functions, in ulp, beside those of other libraries
# make accuracy-all  every one of the 2^32 float32, a minute a function (FUNCTIONS="exp log")
# make docs      write the pages of docs/reference that are made from the code
# make site      make a site of docs/, with warnings as errors: build/site/index.html
# make runtime   write the native runtime's LLVM text, which is made of its C source
# make coverage-report   which of TensorFlow's most used names are here, and why others are not
# make gpu-wheels  gather wheels for a machine with a GPU and no network (PYCUDA=a wheel of it)
# make test-gpu  on such a machine: all that runs on GPUs, on a real one
# make bench-gpu on such a machine: timings into docs/reference/performance_gpu.md
# make clean     remove the virtual environment and caches
#
# Each makes .venv when it is not there (those for GPUs take GPU_PYTHON, python3, as it is).
# `make test PYTHON=/path/to/python` picks the interpreter, `make fuzz PROGRAMS=100` their number.

SHELL := /bin/bash
VENV  := .venv
RUN   := $(VENV)/bin/python
PIP   := $(RUN) -m pip install --quiet --disable-pip-version-check --no-compile
# pip compiles what it installs with one processor, this with all. (Some packages have broken files.)
BYTES := $(RUN) -m compileall -qq -j 0 $(VENV)/lib || :

# Installed interpreters, not names: a version manager's shim may exist and yet run nothing, and
# some systems ship Python without venv. So each candidate has to prove itself.
CANDIDATES := python3.14 python3.13 python3.12 python3.11 python3
PROBE      := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON     ?= $(shell for p in $(CANDIDATES); do \
	"$$p" -c '$(PROBE)' >/dev/null 2>&1 && { echo "$$p"; break; }; done)

.PHONY: demo test test-all test-keras test-libraries lint bench fuzz fuzz-packs fuzz-inputs soak faults stress accuracy accuracy-all docs site runtime coverage-report clean \
	gpu-wheels test-gpu bench-gpu compare-tensorflow
.DELETE_ON_ERROR:

demo: $(VENV)/.demo
	@$(RUN) examples/digits.py

# Types are checked beside the tests: nearly all of what mypy does is done by one processor.
test: $(VENV)/.test
	@echo "== ruff"
	@$(RUN) -m ruff check .
	@echo "== pytest, and mypy beside it"
	@$(RUN) -m mypy >$(VENV)/mypy.txt 2>&1 & types=$$!; failed=0; \
	$(RUN) -m pytest -q -n auto --maxprocesses=8 --dist=worksteal || failed=1; \
	wait $$types || failed=1; \
	echo "== mypy"; cat $(VENV)/mypy.txt; exit $$failed

# NumPy's products and decompositions, with which tests compare, are small. OpenBLAS' threads wait for
# the next one by spinning, on the processors that the other pytest processes need.
test: export OPENBLAS_NUM_THREADS = 1

# Who wants no bytecode beside the sources has it in .venv: the tests start some hundred processes.
ifneq ($(PYTHONDONTWRITEBYTECODE),)
test: export PYTHONDONTWRITEBYTECODE =
test: export PYTHONPYCACHEPREFIX = $(abspath $(VENV))/bytecode
endif

test-all: export TFC_TEST_ALL = 1
test-all: test

lint: $(VENV)/.test
	@echo "== ruff"
	@$(RUN) -m ruff check .
	@echo "== mypy"
	@$(RUN) -m mypy

# `make bench BENCH="--threads 2 --write"`; `make bench BENCH=--help` says what there is.
bench: $(VENV)/.core
	@$(RUN) -m benchmarks $(BENCH)

fuzz: $(VENV)/.test
	@$(RUN) -m tests.fuzz $(or $(PROGRAMS),10000)

fuzz-packs: $(VENV)/.test
	@$(RUN) -m tests.fuzz --packs $(or $(PACKS),100)

fuzz-inputs: $(VENV)/.test
	@$(RUN) -m tests.fuzz.inputs $(or $(INPUTS),10000)

soak: $(VENV)/.test
	@$(RUN) -m tests.soak --minutes $(or $(MINUTES),60)

faults: $(VENV)/.test
	@$(RUN) -m tests.distribute.faults --kills $(or $(KILLS),50)

test-keras: $(VENV)/.test $(VENV)/.jax
	@$(RUN) -m tools.keras_tests $(KERAS)

# `make test-libraries LIBRARIES="einops --write"`
test-libraries: $(VENV)/.core
	@$(RUN) -m tools.library_tests $(LIBRARIES)

stress: $(VENV)/.test
	@$(RUN) -m tests.stress

accuracy: $(VENV)/.test
	@$(RUN) -m benchmarks.accuracy

accuracy-all: $(VENV)/.test
	@$(RUN) -m benchmarks.accuracy.every $(FUNCTIONS)
	@$(RUN) -m benchmarks.accuracy.every --write

# In an environment of its own. COMPARE=--write writes what both give, --wide tries all cases, too.
TENSORFLOW ?= build/tensorflow
compare-tensorflow: $(VENV)/.test $(TENSORFLOW)/.made
	@$(RUN) -m tests.differential --tensorflow $(TENSORFLOW)/bin/python $(COMPARE)

$(TENSORFLOW)/.made:
	@echo "== installing TensorFlow into $(TENSORFLOW) (a minute, 1 GB)"
	@"$(PYTHON)" -m venv --clear $(TENSORFLOW)
	@$(TENSORFLOW)/bin/python -m pip install --quiet --disable-pip-version-check tensorflow-cpu scipy
	@touch $@

docs: $(VENV)/.core
	@$(RUN) -m tools.api
	@$(RUN) -m tools.ir_reference
	@$(RUN) -m tools.schedules
	@$(RUN) -m tools.environment
	@$(RUN) -m tools.differences

site: $(VENV)/.docs
	@$(RUN) -m sphinx -q -W --keep-going docs build/site
	@echo "build/site/index.html"

runtime: $(VENV)/.runtime
	@$(RUN) -m tools.runtime_text

coverage-report: $(VENV)/.core
	@$(RUN) -m tools.coverage

WHEELS     ?= build/wheels
GPU_PYTHON ?= python3
ON_GPU     := $(GPU_PYTHON) -m tools.gpu_machine run $(WHEELS)

gpu-wheels: $(VENV)/.core
	@$(RUN) -m tools.gpu_machine gather $(WHEELS) $(if $(PYCUDA),--pycuda $(PYCUDA))

test-gpu:
	@TFC_TEST_GPU=1 $(ON_GPU) -m pytest -q -p no:cacheprovider tests/devices/test_devices*.py

bench-gpu:
	@$(ON_GPU) -m benchmarks.gpu --write docs/reference/performance_gpu.md

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

# One stamp per set of packages, renewed when pyproject.toml changes.

$(VENV)/.made:
	@"$(PYTHON)" -c '$(PROBE)' >/dev/null 2>&1 || { \
		echo "Need Python 3.11 or newer with venv; tried: $(or $(PYTHON),$(CANDIDATES))" >&2; \
		echo "Name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "== making $(VENV) with $$("$(PYTHON)" --version 2>&1)"
	@"$(PYTHON)" -m venv --clear $(VENV)
	@touch $@

$(VENV)/.core: pyproject.toml | $(VENV)/.made
	@echo "== installing tfc"
	@$(PIP) --editable .
	@$(BYTES)
	@touch $@

$(VENV)/.demo: pyproject.toml | $(VENV)/.made
	@echo "== installing tfc and what the demo needs (a minute, the first time)"
	@$(PIP) --editable '.[demo]'
	@$(BYTES)
	@touch $@ $(VENV)/.core

$(VENV)/.test: pyproject.toml | $(VENV)/.made
	@echo "== installing tfc and what the tests need (a minute, the first time)"
	@$(PIP) --editable '.[test,demo]'
	@$(BYTES)
	@touch $@ $(VENV)/.core $(VENV)/.demo $(VENV)/.docs

$(VENV)/.jax: | $(VENV)/.test
	@echo "== installing JAX, with which Keras' tests compare (100 MB)"
	@$(PIP) 'jax>=0.4.30'
	@touch $@

$(VENV)/.runtime: pyproject.toml | $(VENV)/.made
	@echo "== installing tfc and a C compiler (100 MB)"
	@$(PIP) --editable '.[runtime]'
	@touch $@ $(VENV)/.core

$(VENV)/.docs: pyproject.toml | $(VENV)/.made
	@echo "== installing tfc and what makes the site"
	@$(PIP) --editable '.[docs]'
	@$(BYTES)
	@touch $@ $(VENV)/.core
