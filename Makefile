# A thin layer over CMake: each target installs the Debian packages it needs, then does one thing.
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)

DEPS      := scripts/install-deps
CONFIGURE := cmake --preset release
BUILD     := cmake --build --preset release --parallel $(JOBS)

.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: build check test clang fuzz demo bench engines lab site python wheel deb install clean format lint deps help

build: ## the command at build/bin/polhode, the library and its CMake package under build/
	$(DEPS) build
	$(CONFIGURE) -DPOLHODE_BUILD_TESTS=OFF -DPOLHODE_BUILD_EXAMPLES=OFF -DPOLHODE_BUILD_BENCHMARKS=OFF \
	  -DPOLHODE_BUILD_PYTHON=OFF -DPOLHODE_BUILD_ENGINES=OFF
	$(BUILD)

check: ## the quick tests, in build/check: no Python, no other compilers, no long tests
	$(DEPS) build test lint
	cmake --preset check
	cmake --build --preset check --parallel $(JOBS)
	ctest --preset check --parallel $(JOBS)

test: ## build and pass all tests
	$(DEPS) build test lint python python-test lab lab-test
	$(CONFIGURE) -DPOLHODE_BUILD_TESTS=ON -DPOLHODE_BUILD_EXAMPLES=ON -DPOLHODE_BUILD_BENCHMARKS=OFF \
	  -DPOLHODE_BUILD_PYTHON=ON -DPOLHODE_TEST_LAB=ON -DPOLHODE_BUILD_ENGINES=OFF
	$(BUILD)
	ctest --preset release --parallel $(JOBS)

clang: ## the command and some of the tests, built with Clang in build/clang-tests
	$(DEPS) build test
	cmake --preset clang-tests
	cmake --build --preset clang-tests --parallel $(JOBS)
	ctest --preset clang-tests --parallel $(JOBS)

FUZZ_SECONDS ?= 3600
fuzz: ## the fuzzers one after the other and hostile arguments of Python, FUZZ_SECONDS=3600 each; what is found: build/attack/fuzz/found
	$(DEPS) build test python
	$(CONFIGURE) -DPOLHODE_BUILD_TESTS=ON -DPOLHODE_TEST_ATTACK=ON -DPOLHODE_BUILD_PYTHON=ON
	cmake --build --preset release --parallel $(JOBS) --target attack_fuzzers polhode_python_package
	seed=$$(date +%s) && echo "seed $$seed" && export FUZZ_SEED=$$seed FUZZ_CORPUS=build/attack/fuzz/corpus && \
	for name in step parsers files c_interface scenario; do \
	  echo "fuzz: $$name" && tests/fuzz/run build/attack/fuzz/$$name $$name $(FUZZ_SECONDS) build/attack/fuzz/found || exit 1; done && \
	echo "fuzz: arguments of Python" && cd build/attack/fuzz && \
	  POLHODE_CALLS=found/python-calls PYTHONPATH=$(CURDIR)/build/python PYTHONDONTWRITEBYTECODE=1 \
	  /usr/bin/python3 -X faulthandler $(CURDIR)/python/tests/hostile_arguments.py $$seed $(FUZZ_SECONDS)

demo: ## build, run the main job, write out/report.html
	$(MAKE) build
	scripts/demo

bench: ## the benchmarks side by side: a table, and out/bench.json
	$(DEPS) build bench
	$(CONFIGURE) -DPOLHODE_BUILD_TESTS=OFF -DPOLHODE_BUILD_EXAMPLES=OFF -DPOLHODE_BUILD_BENCHMARKS=ON \
	  -DPOLHODE_BUILD_PYTHON=OFF -DPOLHODE_BUILD_ENGINES=OFF
	$(BUILD)
	mkdir -p out
	build/bin/polhode bench --output out/bench.json

engines: ## physics engines on the conformance kit: a table and a figure in out/engines
	$(DEPS) build engines
	$(CONFIGURE) -DPOLHODE_BUILD_TESTS=OFF -DPOLHODE_BUILD_EXAMPLES=OFF -DPOLHODE_BUILD_BENCHMARKS=OFF \
	  -DPOLHODE_BUILD_PYTHON=OFF -DPOLHODE_BUILD_ENGINES=ON
	$(BUILD)
	scripts/engines build out/engines

lab: ## the laboratory in the browser, static files in out/lab
	$(DEPS) lab
	scripts/build-lab $(JOBS)

site: lab ## the documentation as pages in out/site/index.html, with the laboratory
	$(DEPS) build python site
	$(CONFIGURE) -DPOLHODE_BUILD_TESTS=OFF -DPOLHODE_BUILD_EXAMPLES=OFF -DPOLHODE_BUILD_BENCHMARKS=OFF \
	  -DPOLHODE_BUILD_PYTHON=ON -DPOLHODE_BUILD_ENGINES=OFF
	$(BUILD)
	scripts/build-site $(JOBS)

python: ## the Python module, into the interpreter PYTHON=... (default: .venv, made from /usr/bin/python3)
	$(DEPS) python
	POLHODE_JOBS=$(JOBS) scripts/install-python $(PYTHON)

wheel: ## dist/polhode-*.whl and the source package, built and tried without a network (PYTHON=...: for another interpreter)
	$(DEPS) python
	POLHODE_JOBS=$(JOBS) scripts/build-wheel $(PYTHON)

deb: ## the Debian packages in out/deb
	$(DEPS) build python deb
	POLHODE_JOBS=$(JOBS) scripts/build-deb

install: build ## headers, C library, command, manual pages, CMake package, pkg-config file into PREFIX (default /usr/local)
	cmake --install build --prefix "$(PREFIX)"

clean: ## remove everything that was built or written
	rm -rf build out dist .venv lab/node_modules lab/generated

format: ## lay out all sources by .clang-format
	$(DEPS) lint
	scripts/check-format --fix

lint: ## clang-tidy over all sources, and the rules of the tree
	$(DEPS) build test lint
	cmake --preset clang
	scripts/check-includes
	scripts/check-names
	scripts/check-format
	scripts/lint build/clang $(JOBS)

deps: ## install every Debian package that any target needs
	$(DEPS) build test bench engines figures lint python python-test lab lab-test deb site

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
