# SPDX-License-Identifier: GPL-2.0-or-later
# The only Makefile; `make help` lists what it can do.

SAN ?=
O ?= build$(if $(SAN),-san)
V ?=
prefix ?= /usr/local
DESTDIR ?=
RECORDED ?= ../shared/recorded
FUZZ_SECONDS ?= 10
ARCH ?= arm64

, := ,
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wwrite-strings -Wvla
SANITIZE := $(if $(SAN),-fsanitize=address$(,)undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
CFLAGS ?= -O2 -g
VERSION := 0.1.0
ALL_CFLAGS = -std=gnu11 $(WARNINGS) $(CFLAGS) $(SANITIZE) -D_GNU_SOURCE -pthread \
	-I. -Iharness -I$(O)/generated $(LIBS_CFLAGS)


# Only the mains and their commands print or exit; all else is the library.
MAINS := shootdown compare-results guest-init
COMMANDS := $(wildcard harness/commands/*.c)
COMPARE := $(wildcard harness/commands/compare_*.c) harness/commands/deliver.c \
	harness/commands/terminal.c
LIBRARY := $(wildcard bench/*.c harness/base/*.c harness/verdicts/*.c \
	harness/measure/*.c harness/kernels/*.c harness/boots/*.c harness/plots/*.c \
	harness/nights/*.c) \
	$(filter-out %/plugin.c,$(wildcard harness/counting/*.c))
UNIT_TESTS := $(wildcard tests/unit/*.c)
SYSTEM_TESTS := $(wildcard tests/system/*.sh)
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz-%.c,%,$(wildcard tests/fuzz/*.c))
GUEST_TESTS := $(wildcard tests/guest/test-*.c)
LAB_TESTS := $(wildcard tests/lab/test-*.c)

object = $(patsubst %.c,$(O)/%.o,$(1))
BINARIES := $(addprefix $(O)/,$(MAINS))
PLUGIN := $(O)/counting.so
TEST_BINARIES := $(patsubst tests/unit/%.c,$(O)/tests/unit/%,$(UNIT_TESTS))

.PHONY: help all cross deps bench bench-compare ab overhead test test-guest fuzz install clean lint format \
	test-guest-all test-lab test-zoo
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

help:
	@echo "make bench       set up, build, measure this machine's running kernel"
	@echo "make ab          a kernel with and without batching: build, boot, compare"
	@echo "make test        unit tests and tests of the programs on this machine"
	@echo "make fuzz        feed each parser bad input for FUZZ_SECONDS ($(FUZZ_SECONDS)) seconds"
	@echo "make test-guest  tests with real kernels in QEMU; KERNEL=IMAGE"
	@echo "make test-guest-all  and those of every other architecture"
	@echo "make test-lab    nights of a lab machine in QEMU, and what goes wrong in them"
	@echo "make test-zoo    past faults put back, and what finds them (docs/zoo.md)"
	@echo "make all         build into $(O)/ (the default)"
	@echo "make cross       build for guests of ARCH ($(ARCH)), into build-$(ARCH)/"
	@echo "make deps        install the packages that all of this needs (root)"
	@echo "make overhead    what the harness costs: bare loops and run swap, readers in turn"
	@echo "make bench-compare  how fast 10,000 result files are read and compared"
	@echo "make install     programs, manual pages, completion, data to \$$(prefix)"
	@echo "make lint        clang-format, clang-tidy, cppcheck, shellcheck, yamllint"
	@echo "make format      let clang-format rewrite the C files"
	@echo "make clean       remove what was built"
	@echo
	@echo "O=DIR output folder   V=1 show commands   SAN=1 ASan and UBSan   CC=clang"

deps:
	$(Q)ci/deps core lib guest dev

PKGS := hwloc jansson libRmath libarchive libelf liburing nettle smartcols zlib yajl

# make cross runs this makefile once more with these.
SYSROOT ?=
CROSS_COMPILE ?=
PKG_CONFIG := $(if $(SYSROOT),PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) PKG_CONFIG_PATH= \
	PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(CROSS_COMPILE:%-=%)/pkgconfig:$(SYSROOT)/usr/lib/pkgconfig \
	)pkg-config

# config.mk finds the libraries once, after the packages are there; make reads
# it and starts again. Goals that build nothing do without it.
ifneq ($(filter-out help deps clean format cross,$(or $(MAKECMDGOALS),all)),)
-include $(O)/config.mk
endif

$(O)/config.mk: ci/packages ci/deps ci/libperf
	$(Q)ci/deps core lib
	$(Q)mkdir -p $(O)
	$(Q)$(PKG_CONFIG) --print-errors --exists $(PKGS)
	$(Q)if $(PKG_CONFIG) --exists libperf; then \
		echo "PERF_CFLAGS := $$($(PKG_CONFIG) --cflags libperf)"; \
		echo "PERF_LIBS := $$($(PKG_CONFIG) --libs libperf)"; \
	else \
		[ -e $(O)/libperf/libapi.a ] || \
			ci/libperf $(O)/libperf $(CROSS_COMPILE) $(SYSROOT) || exit 2; \
		echo "PERF_CFLAGS := -isystem $(O)/libperf/include"; \
		echo "PERF_LIBS := $(O)/libperf/libperf.a $(O)/libperf/libapi.a"; \
	fi >$@
	$(Q)echo "LIBS_CFLAGS := $$($(PKG_CONFIG) --cflags $(PKGS)) \$$(PERF_CFLAGS)" >>$@
	$(Q)pfm=$$(echo '#include <perfmon/pfmlib.h>' | $(CC) -E - >/dev/null 2>&1 && \
		echo -lpfm); \
	echo "LIBS := \$$(PERF_LIBS) $$($(PKG_CONFIG) --libs $(PKGS)) $$pfm -lm" >>$@

all: $(BINARIES) $(PLUGIN)

$(O)/libshootdown.a: $(call object,$(LIBRARY))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $^

$(O)/shootdown: $(call object,harness/shootdown.c $(COMMANDS)) $(O)/libshootdown.a
$(O)/compare-results: $(call object,harness/compare-results.c $(COMPARE)) $(O)/libshootdown.a
# It carries its libraries along into each guest.
$(O)/guest-init: LIBS = $(shell $(PKG_CONFIG) --libs zlib)
$(O)/guest-init: $(call object,harness/guest-init.c harness/guest-init-lab.c) \
	$(O)/libshootdown.a
$(BINARIES):
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(O)/%.o: %.c $(O)/config.mk
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -DSHOOTDOWN_VERSION='"$(VERSION)"' -MMD -MP -c -o $@ $<

$(O)/tests/unit/%: $(O)/tests/unit/%.o $(O)/libshootdown.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcriterion

$(O)/tests/guest/test-%: $(O)/tests/guest/test-%.o $(O)/libshootdown.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcriterion

$(O)/tests/lab/test-%: $(O)/tests/lab/test-%.o $(O)/tests/lab/lab.o $(O)/tests/lab/disk.o \
		$(O)/libshootdown.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcriterion

# Loaded by QEMU, so never sanitized. QEMU has the functions that it leaves open.
$(PLUGIN): $(patsubst %.c,$(O)/pic/%.o,harness/counting/plugin.c \
		harness/counting/classify.c harness/counting/symbols.c harness/base/file.c)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -o $@ $^

$(O)/pic/%.o: SANITIZE = -fPIC -fvisibility=hidden
$(O)/pic/%.o: %.c $(O)/config.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# What guests are given to run.
$(O)/tests/guest/%: $(O)/tests/guest/%.o
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

-include $(shell find $(O) -path '*/sysroot' -prune -o -name '*.d' -type f -print 2>/dev/null)

$(O)/tests/overhead/%: $(O)/tests/overhead/%.o $(O)/libshootdown.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(O)/tests/speed/%: $(O)/tests/speed/%.o $(O)/libshootdown.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# The guests' programs and libraries for another architecture.
triplet_arm64 := aarch64-linux-gnu
triplet_riscv64 := riscv64-linux-gnu
triplet_ppc64le := powerpc64le-linux-gnu
TRIPLET = $(or $(triplet_$(ARCH)),$(error ARCH=$(ARCH): there are arm64, riscv64, ppc64le))
CROSS_O = $(dir $(abspath $(O)))build-$(ARCH)

cross: $(CROSS_O)/sysroot/.complete
	$(Q)$(MAKE) --no-print-directory O=$(CROSS_O) SAN= SYSROOT=$(CROSS_O)/sysroot \
		CROSS_COMPILE=$(TRIPLET)- AR=$(TRIPLET)-ar \
		CC='$(TRIPLET)-gcc --sysroot=$(CROSS_O)/sysroot' \
		$(CROSS_O)/shootdown $(CROSS_O)/guest-init

$(CROSS_O)/sysroot/.complete: ci/sysroot ci/packages
	$(Q)ci/deps $(ARCH)
	$(call say,SYSROOT,$(@D))
	$(Q)rm -rf $(@D)
	$(Q)ci/sysroot $(ARCH) $(@D)
	$(Q)touch $@

# `run` takes its place below results/runs by host, time and kernel.
bench: all
	$(Q)$(O)/shootdown run --suite quick -o results/runs/

ab: all
	$(Q)ci/deps guest
	$(Q)$(O)/shootdown ab nobatch batch --boots 6

overhead: all $(addprefix $(O)/tests/overhead/,bare-swap bare-readers sampling)
	$(Q)O=$(O) tests/overhead/overhead.sh swap
	$(Q)O=$(O) tests/overhead/overhead.sh readers
	$(Q)$(O)/tests/overhead/sampling

# Half a gigabyte of files, below TMPDIR.
bench-compare: $(O)/tests/speed/compare-many
	$(Q)folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
		$(O)/tests/speed/compare-many "$$folder" 10000 2

test: all $(TEST_BINARIES)
	$(Q)O=$(O) RECORDED=$(RECORDED) tests/run $(TEST_BINARIES) $(SYSTEM_TESTS)

fuzz: $(addprefix fuzz-,$(FUZZ_TARGETS))

FUZZER = clang $(ALL_CFLAGS) -fno-sanitize-recover=all -fsanitize=address$(,)undefined

$(O)/fuzz/%.o: %.c $(O)/config.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZER)$(,)fuzzer-no-link -DSHOOTDOWN_VERSION='"$(VERSION)"' -MMD -MP -c -o $@ $<

$(O)/fuzz/libshootdown.a: $(patsubst %.c,$(O)/fuzz/%.o,$(LIBRARY))
	$(Q)rm -f $@ && $(AR) qcs $@ $^

$(O)/fuzz/fuzz-%: $(O)/fuzz/tests/fuzz/fuzz-%.o $(O)/fuzz/libshootdown.a
	$(call say,LD,$@)
	$(Q)$(FUZZER)$(,)fuzzer -o $@ $^ $(LIBS)

# What a run found stays in the corpus for the next one.
fuzz-%: $(O)/fuzz/fuzz-%
	$(Q)mkdir -p $(O)/fuzz/$*.corpus
	$(Q)$< -max_total_time=$(FUZZ_SECONDS) -timeout=5 -max_len=8192 -print_final_stats=1 \
		-artifact_prefix=$(O)/fuzz/$*- $(O)/fuzz/$*.corpus tests/fixtures \
		>$(O)/fuzz/$*.log 2>&1 || { tail -n 40 $(O)/fuzz/$*.log; exit 1; }
	$(Q)sed -n 's/^stat::number_of_executed_units: */  FUZZ    $* /p' $(O)/fuzz/$*.log

# Architectures, some with a page size, whose guests the tests boot.
GUESTS := arm64
# For how long litmus looks for faults of a sound kernel: so long timed, as long traced.
LITMUS_SECONDS ?= 15
GUEST_ARCHES = $(sort $(foreach g,$(GUESTS),$(firstword $(subst :, ,$(g)))))
test-guest: all $(GUEST_TESTS:%.c=$(O)/%) $(O)/tests/guest/fault $(O)/tests/lab/test-nights \
		$(O)/tests/overhead/bare-migrate $(O)/tests/overhead/bare-readers
	$(Q)ci/deps guest $(GUEST_ARCHES)
	$(Q)for arch in $(GUEST_ARCHES); do $(MAKE) cross ARCH=$$arch || exit; done
	$(Q)[ -n "$(KERNEL)" ] || $(O)/shootdown kernel build batch
	$(Q)image="$(KERNEL)"; \
	[ -n "$$image" ] || image=$$($(O)/shootdown kernel show batch | sed -n 's/^image *//p'); \
	O=$(O) KERNEL=$$image GUESTS="$(GUESTS)" LITMUS_SECONDS=$(LITMUS_SECONDS) \
		OTHER=$$image tests/run $(GUEST_TESTS:%.c=$(O)/%) $(O)/tests/lab/test-nights \
		$(wildcard tests/guest/*.sh)

test-guest-all: LITMUS_SECONDS := 150
test-guest-all: GUESTS := arm64 arm64:16K arm64:64K riscv64 ppc64le ppc64le:4K
test-guest-all: test-guest

image_of = $$($(O)/shootdown kernel show $(1) | sed -n 's/^image *//p')
test-lab: all $(LAB_TESTS:%.c=$(O)/%) $(O)/tests/guest/hang
	$(Q)ci/deps guest
	$(Q)rm -f $(O)/tests/lab/faults
	$(Q)$(O)/shootdown kernel build batch tests/zoo/sound.variant
	$(Q)O=$(O) KERNEL=$(call image_of,batch) OTHER=$(call image_of,tests/zoo/sound.variant) \
		tests/run $(LAB_TESTS:%.c=$(O)/%)
	$(Q)sort -u $(O)/tests/lab/faults | awk -F '\t' '{ faults++; states += !seen[$$1]++ } \
		END { print faults " faults in " states " states of a night" }'

test-zoo: all
	$(Q)ci/deps guest arm64
	$(Q)$(MAKE) cross ARCH=arm64
	$(Q)$(O)/shootdown kernel build tests/zoo/sound.variant tests/zoo/luf/sound.variant
	$(Q)$(O)/shootdown kernel build tests/zoo/sound.variant --arch arm64
	$(Q)O=$(O) ARM64=1 tests/zoo/zoo.sh

install: all
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(prefix)/share/man/man1 \
		$(DESTDIR)$(prefix)/libexec/shootdown \
		$(DESTDIR)$(prefix)/share/bash-completion/completions \
		$(DESTDIR)$(prefix)/share/shootdown/bench/suites \
		$(DESTDIR)$(prefix)/share/shootdown/events \
		$(DESTDIR)$(prefix)/share/shootdown/harness/plots \
		$(DESTDIR)$(prefix)/share/shootdown/results/published
	install $(filter-out %/guest-init,$(BINARIES)) $(DESTDIR)$(prefix)/bin
	install $(O)/guest-init $(DESTDIR)$(prefix)/libexec/shootdown
	install -m 644 $(PLUGIN) $(DESTDIR)$(prefix)/libexec/shootdown
	install -m 644 man/*.1 $(DESTDIR)$(prefix)/share/man/man1
	install -m 644 bench/suites/*.suite \
		$(DESTDIR)$(prefix)/share/shootdown/bench/suites
	install -m 644 harness/plots/*.py harness/plots/*.css \
		$(DESTDIR)$(prefix)/share/shootdown/harness/plots
	install -m 644 events/*.events $(DESTDIR)$(prefix)/share/shootdown/events
	find kconfigs -type f -exec \
		install -D -m 644 {} $(DESTDIR)$(prefix)/share/shootdown/{} \;
	install -m 644 results/published/*.json \
		$(DESTDIR)$(prefix)/share/shootdown/results/published
	install -m 644 man/shootdown.bash-completion \
		$(DESTDIR)$(prefix)/share/bash-completion/completions/shootdown
	ln -sf shootdown $(DESTDIR)$(prefix)/share/bash-completion/completions/compare-results

C_FILES = $(shell git ls-files '*.c' '*.h')
SCRIPTS = $(shell git ls-files ci .ci tests | xargs grep -lE '^\#!/bin/sh')

format:
	$(Q)clang-format -i $(C_FILES)

TIDY_FILES = $(filter bench/%.c harness/%.c,$(C_FILES))
lint: $(O)/config.mk
	$(Q)ci/deps dev
	clang-format --dry-run -Werror $(C_FILES)
	printf '%s\n' $(TIDY_FILES) | xargs -P $$(nproc) -n 4 sh -c 'clang-tidy --quiet "$$@" \
		-- $(ALL_CFLAGS) -DSHOOTDOWN_VERSION=\"\" 2>/dev/null' clang-tidy
	cppcheck --quiet --error-exitcode=1 --inline-suppr -D'Test(...)=void test(void)' -D'TestSuite(...)=void suite(void)' \
		--enable=warning,performance,portability -I. -Iharness $(filter %.c,$(C_FILES))
	shellcheck -x -P tests/system:tests/guest $(SCRIPTS)
	yamllint --strict ci/jobs
	! /usr/bin/python3 -c 'import lava_common' 2>/dev/null || /usr/bin/python3 -c \
		'import yaml; from lava_common.schemas import validate; \
		validate(yaml.safe_load(open("ci/jobs/lava.yml")), strict=True)'

clean:
	rm -rf build build-san build-arm64 build-riscv64 build-ppc64le
