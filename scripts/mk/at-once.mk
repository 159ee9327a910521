# SPDX-License-Identifier: GPL-2.0-or-later
#
# Objects that a build folder of clang does not have yet, or has of older headers, are compiled many at a time
# (at-once.sh), but for those with flags of their own.

AT_ONCE_SRC := $(TEST_LIB_SRC) $(foreach r,$(ROOMS),$(call room_src,$(r))) $(filter-out perf.c builtin-test.c,$(TOP_SRC)) \
	$(wildcard tests/suites/*.c)

at-once: $(PAGE_INC) $(SVG_INC) $(SYSARGS_INC)
	$(say) CC '$(words $(AT_ONCE_SRC) $(FUZZ_SRC)) files, many at a time'
	$(Q)sh scripts/mk/at-once.sh $(O) '$(CC) $(ALL_CFLAGS)' $(AT_ONCE_SRC)
	$(Q)sh scripts/mk/at-once.sh $(O) '$(CC) $(ALL_CFLAGS) -Itests/lib -O0' $(FUZZ_SRC) tests/fuzz/drivers/mutator.c
.PHONY: at-once
