# Everything runs in .venv, which is set up when it is first needed and whenever pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test slow fuzz lint docs bench clean

demo: $(VENV)/ready
	@mkdir -p build
	$(BIN)/rosenblatt fit --plot build/demo.png

test: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m "not slow"

slow: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m slow

# The same properties with fifty times as many examples: about half an hour on two cores.
fuzz: $(VENV)/ready
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n 2 -m "not slow" \
		tests/test_properties.py tests/test_malformed.py tests/test_numbers.py \
		tests/test_sweep.py tests/test_certificates.py tests/test_checker.py tests/test_exact.py

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

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@

$(VENV)/documented: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@

clean:
	rm -rf $(VENV) build dist docs/gallery docs/reference
