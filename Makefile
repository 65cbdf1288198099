# Everything runs in .venv, which is set up when it is first needed and whenever pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# The files that exercise the compiled loop, quick enough without a compiler.
CORE := $(patsubst %,tests/%.py,core/test_loop core/test_orders core/test_keepers core/test_rules \
	core/test_log core/test_vectors core/test_training estimators/test_perceptron \
	core/test_gram_cache core/test_budget separability/convex_hull/test_nearest_point)

.PHONY: demo test slow fuzz targets oldest coverage lint docs bench dist clean

demo: $(VENV)/plots
	@mkdir -p build
	$(BIN)/rosenblatt fit --plot build/demo.png

test: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m "not slow"

slow: $(VENV)/ready $(VENV)/documented
	$(BIN)/python -m pytest -n 2 -m slow

# The same properties with fifty times as many examples: about half an hour on two cores. With a
# time, as in FUZZ=10m, the adversary instead: hard tables against an exact judge, from a seed.
fuzz: $(VENV)/ready
ifdef FUZZ
	cd tests && ../$(BIN)/python -m adversary $(FUZZ) $(SEED)
else
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n 2 -m "not slow" \
		tests/test_properties.py tests/test_malformed.py tests/test_numbers.py \
		tests/core/test_loop.py tests/separability/test_certify.py tests/test_checker.py \
		tests/separability/exact/test_exact.py
endif

# The tests that decide, prove or compare numbers, as other processors would run them.
targets: $(VENV)/ready
	$(BIN)/python tests/targets.py

oldest: .venv-oldest/ready
	NUMBA_CACHE_DIR=$(CURDIR)/.venv-oldest/cache .venv-oldest/bin/python -m pytest -n 2 -m "not slow"

# Compiled code is not traced; without the compiler the same loop runs as Python, and wraps integers
# as compiled code does, with a warning.
coverage: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m "not slow" --cov --cov-report=
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 $(CORE) --cov --cov-append --cov-fail-under=95 \
		-k "not separable_by_construction" -W "ignore:overflow encountered in scalar multiply"

lint: $(VENV)/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/documented
	$(BIN)/sphinx-build -q -W --keep-going docs build/docs
	@echo "build/docs/index.html"

bench: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	$(BIN)/python benchmarks/run.py
	$(BIN)/python docs/peers.py

# The same sources make the same files, bit by bit: hatchling fixes all times.
dist: $(VENV)/ready
	$(BIN)/python -m build
	$(BIN)/python .ci/bill_of_materials.py dist

$(VENV)/plots: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[plot]"
	touch $@

$(VENV)/ready: pyproject.toml
	@echo "Setting up $(VENV): a minute, or a few"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	$(BIN)/rosenblatt warm
	touch $(VENV)/plots $@

$(VENV)/documented: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@

.venv-oldest/ready: pyproject.toml constraints-min.txt
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check \
		-c constraints-min.txt -e ".[test]"
	touch $@

clean:
	rm -rf $(VENV) .venv-oldest build dist docs/gallery docs/reference
