# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/unit/<room>/test-<what>.c	one cmocka program each, $(O)/tests/unit/test-<room>-<what>, linked with
#			every room and tests/lib/*.c; those of a room are one file with several names
# tests/t/*/t*.sh	shell tests, TAP through tests/lib/tap.sh
# tests/programs/*.c	programs the shell tests record (those of `perf test -w` are in the binary)
# tests/fuzz/fuzz-*.c	one fuzz target each; corpus and kept crashes in tests/fuzz/corpus/<x>/
#
# make check [T='programs']	everything that a commit has to pass, or only the programs named
# make check-unit check-t check-fuzz
# make check-long	the shell tests that do more when LONG is set: every line of tables and grids of
#			options of which check does some, and those with a line "# check-long only", or
#			with SAN=1 "# with sanitizers in check-long only": they compare a lot with the
#			reference, in code that other tests run with sanitizers
#
# Tests with a line "# turn N of M" (with SAN=1 also "# with sanitizers turn N of M") take longer than most, and are of a kind
# of which others run always. M is 2, 4, 8 or 16. A commit has the turn that the last digit of its name tells, 0 to 15, and of
# each M tests those whose N is the remainder, so each is checked by one commit in M. TURN=0 to 15 chooses another one,
# TURN=all has them all, as check-long and T='...' do.

UNIT_SRC := $(wildcard tests/unit/*/test-*.c tests/unit/test-*.c)
# The program of a source file: test-<room>-<what>, for tests/unit/test-<room>-<what>.c as well.
unit_bin = $(O)/tests/unit/test-$(patsubst test-%,%,$(subst /test-,-,$(patsubst tests/unit/%.c,%,$(1))))
UNIT_BIN := $(foreach f,$(UNIT_SRC),$(call unit_bin,$(f)))
# Those that can run beside others come first, and of these those that take long, so that no processor waits.
T_SRC := $(sort $(wildcard tests/t/*/t*.sh))
ONLY_LONG := ^\# check-long only$$$(if $(filter 1,$(SAN)),\|^\# with sanitizers in check-long only$$)
T_CHECK_LONG := $(if $(T_SRC),$(shell grep -l '$(ONLY_LONG)\|\$$LONG\|test_every [0-9]\|success [A-Z_,]*LONG[ ,]\|sampled [0-9]\|lib/matrix.sh\|^\# turn [0-9]* of [0-9]*$$' $(T_SRC)))
ifeq ($(TURN),)
TURN := $(if $(NO_BUILD),0,$(shell echo $$((0x$$(git rev-parse HEAD 2>/dev/null | sed 's/.*\(.\)$$/\1/' | grep . || echo 0)))))
endif
# Those of other turns; of TURN=all none
OTHER_TURNS := $(if $(T_SRC),$(if $(filter all,$(TURN)),,$(shell awk -v turn='$(TURN)' -v san='$(filter 1,$(SAN))' \
	'/^\# turn [0-9]+ of [0-9]+$$/ || san && /^\# with sanitizers turn [0-9]+ of [0-9]+$$/ { if (turn % $$NF != $$(NF - 2)) print FILENAME }' \
	$(T_SRC))))
ifeq ($(LONG),)
T_SRC := $(filter-out $(OTHER_TURNS) $(if $(T_SRC),$(shell grep -l '$(ONLY_LONG)' $(T_SRC))),$(T_SRC))
endif
T_LONG := $(if $(T_SRC),$(shell grep -l '^\# takes long' $(T_SRC)))
T_BESIDE := $(filter-out $(T_LONG),$(if $(T_SRC),$(shell grep -l '^\# beside others' $(T_SRC))))
T_SRC := $(T_LONG) $(T_BESIDE) $(filter-out $(T_LONG) $(T_BESIDE),$(T_SRC))
PROGRAM_BIN := $(patsubst %.c,$(O)/%,$(wildcard tests/programs/*.c))
FUZZ_SRC := $(wildcard tests/fuzz/fuzz-*.c tests/fuzz/traces/fuzz-*.c)
fuzz_name = $(patsubst fuzz-%.c,%,$(notdir $(1)))
FUZZ_NAMES := $(foreach f,$(FUZZ_SRC),$(call fuzz_name,$(f)))
REPLAY_BIN := $(patsubst %,$(O)/tests/fuzz/replay-%,$(FUZZ_NAMES))
# A run that has fuzz-smoke as well, which begins with the kept inputs, leaves these out (KEPT_INPUTS=).
KEPT_INPUTS := $(REPLAY_BIN)
TEST_LIB_SRC := $(wildcard tests/lib/*.c)

ifneq ($(TEST_LIB_SRC),)
TEST_LIB := $(O)/tests/lib/libtest.a
$(eval $(call archive_rules,$(TEST_LIB),$(TEST_LIB_SRC)))
endif
STORM := $(O)/tests/fuzz/storm
TEST_OBJ := $(patsubst %.c,$(O)/%.o,$(UNIT_SRC) tests/unit/choose.c $(FUZZ_SRC) $(addprefix tests/fuzz/,drivers/replay.c drivers/storm.c drivers/mutator.c))
ALL_OBJ += $(TEST_OBJ)
.SECONDARY: $(filter $(O)/tests/fuzz/%,$(TEST_OBJ))
$(TEST_OBJ): private ALL_CFLAGS += -Itests/lib -O0

# There are hundreds of programs to link, so the fastest linker that is there does it.
TEST_LDFLAGS = $(ALL_LDFLAGS) $(PROGRAM_LDFLAGS) $(FAST_LD)
link_rooms = -Wl,--start-group $(TEST_LIB) $(ROOM_LIBS) -Wl,--end-group $(LIBS)

# Without cmocka the unit programs are left out, and said to be.
HAVE_CMOCKA := $(if $(NO_BUILD)$(CROSS),,$(wildcard /usr/include/cmocka.h /usr/local/include/cmocka.h))
ifneq ($(HAVE_CMOCKA),)
CHECK_UNIT := $(UNIT_BIN)
endif

# To link three hundred programs takes as long as to compile a tenth of the tree, so the tests of a room are linked
# once, and the name that the program is started by chooses between their sources (tests/unit/unit-main.h).
UNIT_DIRS := $(sort $(patsubst %/,%,$(dir $(UNIT_SRC))))
UNIT_OBJ := $(UNIT_SRC:%.c=$(O)/%.o)
UNIT_CHOOSE := $(O)/tests/unit/choose.o
UNIT_CFLAGS := -include tests/unit/unit-main.h
# It looks for the lines and types of its own functions.
UNIT_DEBUG := tests/unit/proberun/test-kernel.c
$(UNIT_DEBUG:%.c=$(O)/%.o): private ALL_CFLAGS += -g
$(UNIT_OBJ): private ALL_CFLAGS += $(UNIT_CFLAGS)
# unit_rules FOLDER,SOURCES
define unit_rules
# The folder of the sources is newer, too, when a test has gone.
$(O)/$(1)/all: $(2:%.c=$(O)/%.o) $(UNIT_CHOOSE) $(TEST_LIB) $(ROOM_LIBS) $(1) $(O)/.ldflags
	$$(say) LD $$@
	$$(Q)$$(CC) $$(TEST_LDFLAGS) -o $$@ $$(filter %.o,$$^) $$(link_rooms) -lcmocka
$(foreach f,$(2),$(call unit_bin,$(f))): $(O)/$(1)/all
	$$(Q)ln -sfn $$(patsubst $(O)/tests/unit/%,%,$$<) $$@
endef
$(foreach d,$(UNIT_DIRS),$(eval $(call unit_rules,$(d),$(wildcard $(d)/test-*.c))))

# They keep frame pointers and their functions, whatever the build's own flags are, and spend no time in PLTs,
# whose entries we name and the reference does not. Tests know what PROGRAM_CC makes of them.
PROGRAM_CC ?= $(CC)
$(PROGRAM_BIN): $(O)/%: %.c
	$(say) CC $@
	$(Q)mkdir -p $(@D)
	$(Q)$(PROGRAM_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer \
		-fno-optimize-sibling-calls -fno-inline -fno-plt $(WARN) -o $@ $< -lpthread -lm

# These go through what a command does, not through rooms alone.
$(O)/tests/fuzz/replay-stat $(O)/tests/fuzz/fuzz-stat: FUZZ_PARTS := $(O)/cmd/stat/report.o $(O)/cmd/stat/show.o
$(O)/tests/fuzz/replay-stat $(O)/tests/fuzz/fuzz-stat: $(O)/cmd/stat/report.o $(O)/cmd/stat/show.o

$(foreach f,$(FUZZ_SRC),$(eval $(addprefix $(O)/tests/fuzz/,replay-$(call fuzz_name,$(f)) fuzz-$(call fuzz_name,$(f))): \
	$(patsubst %.c,$(O)/%.o,$(f))))
$(REPLAY_BIN): $(O)/tests/fuzz/replay-%: $(O)/tests/fuzz/drivers/replay.o \
		$(TEST_LIB) $(ROOM_LIBS) $(O)/.ldflags
	$(say) LD $@
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $(filter %/fuzz-$*.o,$^) $(FUZZ_PARTS) $(O)/tests/fuzz/drivers/replay.o $(link_rooms)

# Damages recordings and runs whole commands on them.
$(STORM): $(O)/tests/fuzz/drivers/storm.o $(TEST_LIB) $(ROOM_LIBS) $(O)/.ldflags
	$(say) LD $@
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $< $(link_rooms)

# What shell tests need, and what all do
t-build: $(O)/perf engines agents python $(PROGRAM_BIN) $(STORM)
tests-build: t-build $(CHECK_UNIT) $(KEPT_INPUTS)

RUN = BUILD='$(abspath $(O))' CC='$(PROGRAM_CC)' SAN='$(SAN)' SAN_CC='$(CC)' tests/run -j $(TEST_JOBS) --again 5 $(if $(TEST_LOG),--log $(TEST_LOG))
ifneq ($(CROSS),)
RUN = echo 'programs for $(CROSS) do not run here: see "Emulated machines" in Documentation/CONTRIBUTING.md' >&2; false
endif
# Those that run beside others wait for timers, children and locks of the kernel a quarter of their time.
TEST_JOBS ?= $(shell expr $$(nproc) \* 2)
T ?= $(T_LONG) $(CHECK_UNIT) $(KEPT_INPUTS) $(filter-out $(T_LONG),$(T_SRC))

# Completions, which several of them look at, are made once.
check: tests-build $(if $(SAN)$(CROSS),,completion)
	$(Q)$(if $(HAVE_CMOCKA),,echo 'no cmocka: unit tests are left out';) $(RUN) $(T)
check-unit: $(CHECK_UNIT)
	$(Q)$(RUN) $(CHECK_UNIT)
check-t: t-build $(if $(SAN)$(CROSS),,completion)
	$(Q)$(RUN) $(T_SRC)
check-fuzz: $(REPLAY_BIN)
	$(Q)$(RUN) $(REPLAY_BIN)
check-long: $(O)/perf engines agents python $(PROGRAM_BIN)
	$(Q)LONG=1 $(RUN) $(T_CHECK_LONG)

# Fuzzing proper: clang's libFuzzer over an instrumented build of its own.
FUZZ_CC ?= clang
FUZZ_O := $(O)/fuzz
FUZZ_BIN := $(patsubst %,$(O)/tests/fuzz/fuzz-%,$(FUZZ_NAMES))
FUZZ_SECONDS ?= 1
# Code that is not optimised is built six times as fast; whoever fuzzes for hours wants FUZZ_OPT=-O1.
FUZZ_OPT ?= -O0
# ... of the rooms in which tests spend their time
FUZZ_HOT_OPT ?=
# These read a whole perf.data file: their inputs are damaged with knowledge of the format.
FUZZ_FORMAT := convert file profile rewrite sched text triage
$(FUZZ_FORMAT:%=$(O)/tests/fuzz/fuzz-%): MUTATOR := $(O)/tests/fuzz/drivers/mutator.o
$(FUZZ_FORMAT:%=$(O)/tests/fuzz/fuzz-%): $(O)/tests/fuzz/drivers/mutator.o

$(FUZZ_BIN): $(O)/tests/fuzz/fuzz-%: $(TEST_LIB) $(ROOM_LIBS)
	$(say) LD $@
	$(Q)$(CC) $(TEST_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %/fuzz-$*.o,$^) $(FUZZ_PARTS) $(MUTATOR) $(link_rooms)
fuzz-bins: $(FUZZ_BIN)

# The second compiler reads every file here, so that its warnings are seen without a build of their own.
FUZZ_BUILD = $(MAKE) O=$(FUZZ_O) CC=$(FUZZ_CC) PROGRAM_CC='$(CC)' SAN=1 HOT_OPT='$(FUZZ_HOT_OPT)' \
	CFLAGS='$(CFLAGS) $(FUZZ_OPT) -fsanitize=fuzzer-no-link'
fuzz-build:
	+$(Q)$(FUZZ_BUILD) at-once
	+$(Q)$(FUZZ_BUILD) all fuzz-bins

# Other tests can run with its sanitizers as well, so that there need not be another build with those of CC. They are twice
# as fast with FUZZ_HOT_OPT=-O1, from the first fuzz-build on.
fuzz-check-build:
	+$(Q)$(FUZZ_BUILD) at-once at-once-unit
	+$(Q)$(FUZZ_BUILD) tests-build KEPT_INPUTS=
fuzz-check: fuzz-check-build
	+$(Q)$(FUZZ_BUILD) check KEPT_INPUTS=

fuzz-smoke:
	$(Q)if echo 'int LLVMFuzzerTestOneInput(const char *p, long n) { return !p || !n; }' | \
		$(FUZZ_CC) -x c -fsanitize=fuzzer,address -o /dev/null - 2>/dev/null; then \
		$(MAKE) fuzz-build && FUZZ_SECONDS=$(FUZZ_SECONDS) BUILD='$(abspath $(FUZZ_O))' \
			tests/run $(if $(TEST_LOG),--log $(TEST_LOG)) tests/fuzz/drivers/smoke.sh; \
	else \
		echo 'no libFuzzer ($(FUZZ_CC)): the kept inputs are replayed only'; \
		$(MAKE) check-fuzz; \
	fi

.PHONY: check check-unit check-t check-fuzz check-long tests-build t-build fuzz-bins fuzz-build fuzz-check-build fuzz-check fuzz-smoke
