# SPDX-License-Identifier: GPL-2.0-or-later
# The only Makefile; `make help` lists what it can do.

SAN ?=
O ?= build$(if $(SAN),-san)
V ?=
prefix ?= /usr/local
DESTDIR ?=
RECORDED ?= ../shared/recorded

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
MAINS := shootdown compare-results
COMMANDS := $(wildcard harness/commands/*.c)
LIBRARY := $(wildcard bench/*.c harness/base/*.c harness/verdicts/*.c \
	harness/measure/*.c harness/kernels/*.c harness/boots/*.c)
UNIT_TESTS := $(wildcard tests/unit/*.c)
SYSTEM_TESTS := $(wildcard tests/system/*.sh)
GUEST_TESTS := $(wildcard tests/guest/*.sh)

object = $(patsubst %.c,$(O)/%.o,$(1))
BINARIES := $(addprefix $(O)/,$(MAINS))
TEST_BINARIES := $(patsubst tests/unit/%.c,$(O)/tests/unit/%,$(UNIT_TESTS))

.PHONY: help all deps bench test install clean lint format
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

help:
	@echo "make bench       set up, build, measure this machine's running kernel"
	@echo "make test        unit tests and tests of the programs on this machine"
	@echo "make all         build into $(O)/ (the default)"
	@echo "make deps        install the packages that all of this needs (root)"
	@echo "make install     programs, manual pages, completion, data to \$$(prefix)"
	@echo "make lint        clang-format, clang-tidy, cppcheck, shellcheck"
	@echo "make format      let clang-format rewrite the C files"
	@echo "make clean       remove what was built"
	@echo
	@echo "O=DIR output folder   V=1 show commands   SAN=1 ASan and UBSan   CC=clang"

deps:
	$(Q)ci/deps core guest dev

# config.mk finds the libraries once, after the packages are there; make reads
# it and starts again. Goals that build nothing do without it.
ifneq ($(filter-out help deps clean format,$(or $(MAKECMDGOALS),all)),)
-include $(O)/config.mk
endif

$(O)/config.mk: ci/packages ci/deps ci/libperf
	$(Q)ci/deps core
	$(Q)mkdir -p $(O)
	$(Q)if pkg-config --exists libperf; then \
		echo "PERF_CFLAGS := $$(pkg-config --cflags libperf)"; \
		echo "PERF_LIBS := $$(pkg-config --libs libperf)"; \
	else \
		[ -e $(O)/libperf/libapi.a ] || ci/libperf $(O)/libperf || exit 2; \
		echo "PERF_CFLAGS := -isystem $(O)/libperf/include"; \
		echo "PERF_LIBS := $(O)/libperf/libperf.a $(O)/libperf/libapi.a"; \
	fi >$@
	$(Q)echo "LIBS_CFLAGS := $$(pkg-config --cflags hwloc jansson nettle smartcols) \
		\$$(PERF_CFLAGS)" >>$@
	$(Q)echo "LIBS := \$$(PERF_LIBS) $$(pkg-config --libs hwloc jansson nettle smartcols) -lm" >>$@

all: $(BINARIES)

$(O)/libshootdown.a: $(call object,$(LIBRARY))
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(O)/shootdown: $(call object,harness/shootdown.c $(COMMANDS)) $(O)/libshootdown.a
$(O)/compare-results: $(call object,harness/compare-results.c) $(O)/libshootdown.a
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

-include $(shell find $(O) -name '*.d' 2>/dev/null)

test: all $(TEST_BINARIES)
	$(Q)O=$(O) RECORDED=$(RECORDED) tests/run $(TEST_BINARIES) $(SYSTEM_TESTS)

clean:
	rm -rf build build-san
