# SPDX-License-Identifier: GPL-2.0-or-later
#
# make              build perf                    make check        all tests
# make install      into $(DESTDIR)$(prefix)      make fuzz-smoke   each fuzz target, shortly
# make man          man pages                     make lint         the rules of the tree
# make features     probe the libraries again     make clean        remove $(O)
#
# make static       one file that needs nothing where it runs, build-static/perf; it loads no interpreters,
#                   filters and plugins
# make python       the module perf for programs in Python, $(O)/python
# make deb          a package for Debian and its kin, $(O)/perf_VERSION_ARCH.deb (packaging/debian)
#
# O=dir      build folder (build; build-debug and build-san with the next two)
# V=1        print the commands          DEBUG=1   no optimisation
# CC=clang   another compiler            SAN=1     address and undefined-behaviour sanitizers
# CROSS_COMPILE=aarch64-linux-gnu- SYSROOT=dir   for another machine (Documentation/CONTRIBUTING.md)
# NO_X=1     without library X, as printed by `make features` (NO_LIBZSTD=1, ...)
#
# The parts live in scripts/mk/: one file per subject.

MAKEFLAGS += --no-print-directory --no-builtin-rules
.SUFFIXES:
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

include scripts/mk/config.mk
include scripts/mk/features.mk
include scripts/mk/rooms.mk
include scripts/mk/engines.mk
include scripts/mk/python.mk
include scripts/mk/agents.mk
include scripts/mk/page.mk
include scripts/mk/sysargs.mk
include scripts/mk/docs.mk
include scripts/mk/completion.mk
include scripts/mk/install.mk
include scripts/mk/paths.mk
include scripts/mk/tests.mk
include scripts/mk/lint.mk
include scripts/mk/svg.mk
include scripts/mk/at-once.mk
include scripts/mk/deb.mk

# What each object was made from, headers included; after every list of objects is complete.
-include $(ALL_OBJ:.o=.d)

all: $(O)/perf engines agents

static: $(BASE_OBJ)
	$(Q)$(MAKE) STATIC=1 O=$(O)-static BASE=$(O) all

clean:
	$(Q)rm -rf $(O)

help:
	$(Q)sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

FORCE:
.PHONY: all static clean help FORCE
