# SPDX-License-Identifier: GPL-2.0-or-later
#
# Objects that a build folder of clang does not have yet, or has of older headers, are compiled many at a time
# (at-once.sh), but for those with flags of their own.

AT_ONCE_SRC := $(TEST_LIB_SRC) $(foreach r,$(ROOMS),$(call room_src,$(r))) $(filter-out perf.c builtin-test.c,$(TOP_SRC)) \
	$(wildcard tests/suites/*.c)

# Tests spend their time in these rooms: HOT_OPT optimises them where nothing else is (see FUZZ_BUILD).
HOT_ROOMS := base codec export file hist jit machine objcache recording report session stacktree stat symbol tracefmt wire
HOT_SRC := $(filter $(AT_ONCE_SRC),$(foreach r,$(HOT_ROOMS),$(call room_src,$(r))))
$(HOT_SRC:%.c=$(O)/%.o): private ALL_CFLAGS += $(HOT_OPT)

at-once: $(PAGE_INC) $(SVG_INC) $(SYSARGS_INC)
	$(say) CC '$(words $(AT_ONCE_SRC) $(FUZZ_SRC)) files, many at a time'
	$(Q)sh scripts/mk/at-once.sh $(O) '$(CC) $(ALL_CFLAGS) $(HOT_OPT)' $(HOT_SRC)
	$(Q)sh scripts/mk/at-once.sh $(O) '$(CC) $(ALL_CFLAGS)' $(filter-out $(HOT_SRC),$(AT_ONCE_SRC))
	$(Q)sh scripts/mk/at-once.sh $(O) '$(CC) $(ALL_CFLAGS) -Itests/lib -O0' $(FUZZ_SRC) tests/fuzz/drivers/mutator.c

at-once-unit: at-once
	$(say) CC '$(words $(UNIT_SRC)) tests, many at a time'
	$(Q)sh scripts/mk/at-once.sh $(O) '$(CC) $(ALL_CFLAGS) -Itests/lib -O0 $(UNIT_CFLAGS)' $(filter-out $(UNIT_DEBUG),$(UNIT_SRC))
.PHONY: at-once at-once-unit
