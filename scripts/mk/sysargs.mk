# SPDX-License-Identifier: GPL-2.0-or-later
# The names of flags and values in arguments of system calls, taken from the headers of the kernel.

SYSARGS_INC := $(O)/include/sysargs/names.inc
$(SYSARGS_INC): scripts/sysargs/generate scripts/sysargs/names
	$(say) NAMES $@
	$(Q)mkdir -p $(@D)
	$(Q)scripts/sysargs/generate '$(CC) $(SYSROOT_FLAGS)' >$@
$(O)/util/sysargs/names.o: $(SYSARGS_INC)
