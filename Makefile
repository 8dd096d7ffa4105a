# SPDX-License-Identifier: MIT
# Builds and tests everything from a fresh checkout, on Debian 12. `make help` lists the targets. Results are under build/; make builds them
# again only if their sources changed.

BUILD := build
STAMPS := $(BUILD)/stamps
# The distribution's Python, because another one that is first on the path may lack numpy.
PYTHON ?= /usr/bin/python3
JOBS ?= $(shell nproc)
# Number of inferences of `make soak`, and seconds of each fuzz target.
SOAK ?= 20000
FUZZ_SECONDS ?= 60
# ON or OFF: compile sources in batches (docs/testing.md, Build time).
JUMBO ?= ON
# ON or OFF: precompile headers. Releases are built with OFF (docs/release.md, Reproducible builds).
PRECOMPILE ?= ON
# Options of tests/bench/run_bench, such as --no-build-time.
BENCH ?=

NINJA = ninja -j$(JOBS) -C
# Campaigns of `make soak` (docs/campaign.md). What fails is filed here.
SOAK_RESULTS = $(BUILD)/soak
CAMPAIGN = $(BUILD)/host/bin/cox campaign --quiet -o $(SOAK_RESULTS)/campaign.results --reproducers $(SOAK_RESULTS)/reproducers
# Without this policy the threads of OpenMP spin while they wait, and take the time of the tests beside them.
CTEST = OMP_WAIT_POLICY=passive ctest --output-on-failure -j$(JOBS)

# Boards with a machine in QEMU. For boards other than qemu-npu-soc, make builds only the firmware image.
BOARDS := $(patsubst boards/%/board.json,%,$(wildcard boards/*/board.json))
OTHER_BOARDS := $(filter-out qemu-npu-soc,$(BOARDS))

# Images of a board that is divided between the core's security states (docs/trustzone.md).
SERVICE := coxswain-service.elf trustzone_application.elf

# Folders of tests/ whose tests run with sanitizers; the second list is for `make soak`. KEY stands for the name of each engine.
SANITIZED := base;isa/tile/encoding;hal;firmware;firmware/signature;kernels/engine;sim/device;firmware/random_tasks;firmware/hostile;tflite
SANITIZED_SOAK := $(SANITIZED);isa/tile/operation;sim/tile/hazard;tools/tile;tools/run;target/firmware;host;submissions;faults;incoherent;sim/tile/arithmetic;isa/KEY;sim/KEY/engine;sim/KEY/machine;sim/KEY/programs;sim/cube/hazard;kernels/mx9;kernels/KEY;tools/npy;tools/tflite
# Layers that are compiled for the tests with sanitizers. Examples are left out: none of these tests needs an example, and examples take long
# to compile with sanitizers.
SANITIZED_LAYERS := base;device;isa;hal;firmware;tflite;kernels;sim/model;boards/native;host;tools;tests

export PYTHON

.DEFAULT_GOAL := help
.PHONY: help setup qemu host target host-asan demo yolov5s digits-mx test test-host test-asan release-check check deb bench soak fuzz site clean

help: ## what there is
	@echo "Coxswain: the control firmware of an NPU, under QEMU. Targets:"
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

setup: $(STAMPS)/setup ## install the Debian packages that are missing (root or sudo; none missing: nothing is done)
$(STAMPS)/setup: toolchain/setup
	toolchain/setup
	@mkdir -p $(@D) && touch $@

qemu: setup ## qemu-system-arm with the machines of all boards, from the distribution's source package
	$(PYTHON) toolchain/build-qemu -j $(JOBS)

# Without network, and without sources that were fetched before, only what signs and verifies images is left out.
$(STAMPS)/bearssl: toolchain/fetch-bearssl toolchain/debian_source.py | setup
	@mkdir -p $(@D)
	if $(PYTHON) toolchain/fetch-bearssl; then touch $@; else echo "make: signed images are left out of this build" >&2; fi

$(BUILD)/%/build.ninja: CMakePresets.json | setup $(STAMPS)/bearssl
	cmake --preset $* -B $(BUILD)/$* -DCOX_PRECOMPILE=$(PRECOMPILE) -DCOX_JUMBO=$(JUMBO) $(if $(filter host-asan,$*),-DCOX_TESTS="$(SANITIZED)" -DCOX_ONLY="$(SANITIZED_LAYERS)")

$(OTHER_BOARDS:%=$(BUILD)/%/build.ninja): $(BUILD)/%/build.ninja: CMakePresets.json | setup $(STAMPS)/bearssl
	cmake --preset qemu-npu-soc -B $(BUILD)/$* -DCOX_BOARD=$* -DCOX_ONLY="base;device;isa;hal;firmware;boards;examples/trustzone" -DCOX_PRECOMPILE=$(PRECOMPILE) -DCOX_JUMBO=$(JUMBO) -DCOX_JUMBO_LAYERS="isa;hal;firmware"

host: $(BUILD)/host/build.ninja ## the tools, the accelerator model, the native board and their tests
	$(NINJA) $(BUILD)/host

target: $(BOARDS:%=$(BUILD)/%/build.ninja) ## the firmware image for the Cortex-M55, for all boards
	$(NINJA) $(BUILD)/qemu-npu-soc
	set -e; for board in $(filter-out mps3-an547,$(OTHER_BOARDS)); do $(NINJA) $(BUILD)/$$board coxswain.elf; done
	$(NINJA) $(BUILD)/mps3-an547 coxswain.elf $(SERVICE) coxswain-nonsecure.elf secure_access.elf
	$(NINJA) $(BUILD)/qemu-npu-soc $(SERVICE) coxswain-nonsecure.elf

host-asan: $(BUILD)/host-asan/build.ninja ## the natively built tests with AddressSanitizer and UndefinedBehaviorSanitizer
	$(NINJA) $(BUILD)/host-asan

# The demo needs the command and the model, not the tests.
demo: qemu target $(BUILD)/host/build.ninja ## classify handwritten digits under QEMU: accuracy, cycles, a timeline to look at
	$(NINJA) $(BUILD)/host cox cox_model
	examples/digits/run_demo

# Host targets that the applications on the MX engine need.
MX_HOST = cox_model yolov5s_host yolov5s_limits digits_mx_pack_weights

yolov5s: qemu target $(BUILD)/host/build.ninja ## YOLOv5s on the MX engine under QEMU: each layer beside FP32 and its limit, boxes
	$(NINJA) $(BUILD)/host $(MX_HOST)
	examples/yolov5s/run

digits-mx: qemu target $(BUILD)/host/build.ninja ## the demo's digits on the MX engine: accuracy beside FP32
	$(NINJA) $(BUILD)/host $(MX_HOST)
	examples/digits_mx/run

# `-j2` makes two targets at a time: one keeps the processor's cores busy while the other configures or links.
test: setup ## everything: natively, with sanitizers, and the real image under QEMU
	$(MAKE) -j2 check qemu host host-asan target
	$(MAKE) -j1 test-host test-asan

test-host: qemu target host
	cd $(BUILD)/host && $(CTEST) -LE release

# The published traces take a quarter of the time of all tests with sanitizers. `make soak` runs them, too.
test-asan: host-asan
	cd $(BUILD)/host-asan && $(CTEST) -LE qemu -E PublishedTraces

release-check: qemu target host ## what a release needs and takes too long for every test: the tests labelled `release`
	cd $(BUILD)/host && $(CTEST) -L release

check: setup ## formatting, and generated files that are up to date
	toolchain/check

deb: qemu target $(BUILD)/host/build.ninja ## a Debian package of cox with QEMU and the images, in build/host/packages (docs/install.md)
	$(NINJA) $(BUILD)/host cox cox_model
	cd $(BUILD)/host && cpack -G DEB

bench: qemu target host ## the speed figures beside their limits, and build/bench/results.json (BENCH=--no-build-time leaves out the time of the builds)
	$(NINJA) $(BUILD)/host benchmarks
	$(PYTHON) tests/bench/run_bench $(BENCH)

soak: fuzz qemu target $(BUILD)/host/build.ninja $(BUILD)/host-asan/build.ninja $(BUILD)/host-tsan/build.ninja ## hours: inferences (SOAK=20000), random tasks, fault plans, jobs of a host, memory that is not coherent, every test with sanitizers, the fuzz targets
	$(NINJA) $(BUILD)/host cox cox_model random_tasks_test fault_campaign incoherent_tests host_test pim_equality_test unity_programs_test task_trials pim_trials unity_trials
	examples/digits/run_demo --soak $(SOAK)
	rm -rf $(SOAK_RESULTS)
	mkdir -p $(SOAK_RESULTS)
	$(CAMPAIGN) faults tasks --first 100000 --count 10000 --picture $(SOAK_RESULTS)/coverage.svg
	$(CAMPAIGN) pim unity --first 100000 --count 20000
	$(CAMPAIGN) soak --count 100
	COX_RANDOM_TASKS=10000 $(BUILD)/host/bin/random_tasks_test --gtest_filter='*.BrokenOnes*'
	COX_PIM_PROGRAMS=20000 $(BUILD)/host/bin/pim_equality_test --gtest_filter='PimInstructions.*:PimPrograms.OfManyCores*:PimPrograms.OnTheDefaultArray*'
	COX_UNITY_PROGRAMS=20000 $(BUILD)/host/bin/unity_programs_test --gtest_filter='-*.MachineAndInterpreterAgree'
	cd $(BUILD)/host && COX_HOST_JOBS=20000 bin/host_test --gtest_filter='Native/ManyJobs.*'
	cd $(BUILD)/host && COX_HOST_JOBS=5000 bin/host_test --gtest_filter='Qemu/ManyJobs.*'
	$(NINJA) $(BUILD)/host-tsan host_test
	cd $(BUILD)/host-tsan && COX_HOST_JOBS=400 $(CTEST)
	cd $(BUILD)/host && COX_CACHE_SEEDS=100 $(CTEST) -R '^incoherent'
	$(PYTHON) tests/incoherent/defects.py
	cmake --preset host-asan -DCOX_PRECOMPILE=$(PRECOMPILE) -DCOX_JUMBO=$(JUMBO) -DCOX_TESTS="$(SANITIZED_SOAK)" -DCOX_ONLY="$(SANITIZED_LAYERS)"
	$(NINJA) $(BUILD)/host-asan
	cd $(BUILD)/host-asan && COX_CACHE_SEEDS=5 $(CTEST) -LE qemu

fuzz: $(BUILD)/host/build.ninja $(BUILD)/host-fuzz/build.ninja ## hostile bytes to whatever reads files and jobs (FUZZ_SECONDS=60 for each target)
	$(NINJA) $(BUILD)/host cox
	$(NINJA) $(BUILD)/host-fuzz fuzz
	$(PYTHON) tests/fuzz/run_fuzz --seconds $(FUZZ_SECONDS)

site: ## the pages with search and the API reference, in build/site
	toolchain/setup site
	site/build

clean: ## remove what was built, but QEMU, which takes longest (all of it: rm -r build)
	rm -rf $(BUILD)/host $(BUILD)/host-asan $(BUILD)/host-tsan $(BUILD)/host-fuzz $(BUILD)/fuzz $(BOARDS:%=$(BUILD)/%) $(BUILD)/demo $(BUILD)/bench $(BUILD)/site $(BUILD)/site-pages $(STAMPS)
