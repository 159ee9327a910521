# SPDX-License-Identifier: GPL-2.0-or-later
# make [O=dir] [V=1] [DEBUG=1] [SAN=1] [all|install|clean|...]; parts live in scripts/mk/.

O ?= build
MAKEFLAGS += --no-print-directory
ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-8s %s\n'
endif

CC ?= gcc
AR ?= ar
PKG_CONFIG ?= pkg-config
WARN := -Wall -Wextra -Wmissing-prototypes -Wvla -Wno-unused-parameter -Wno-format-truncation
OPT := -O2 -g
ifeq ($(DEBUG),1)
OPT := -O0 -g3
endif
ifeq ($(SAN),1)
OPT := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif
CFLAGS ?=
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Iutil -I. $(WARN) $(OPT) $(FEATURE_CFLAGS) $(CFLAGS)
LIBS = $(FEATURE_LIBS) -lpthread -lm

# Rooms in link order: a room before those it uses.
ROOMS := output hist resolve symbol machine session file kernel tracefmt events wire cli base

.DEFAULT_GOAL := all
include scripts/mk/features.mk

room_lib = $(O)/util/$(1)/lib$(1).a
ROOM_LIBS := $(foreach r,$(ROOMS),$(call room_lib,$(r)))

define room_rules
$(1)_SRC := $$(wildcard util/$(1)/*.c)
$(1)_OBJ := $$(patsubst %.c,$(O)/%.o,$$($(1)_SRC))
$(call room_lib,$(1)): $$($(1)_OBJ)
	$$(say) AR $$@
	$$(Q)mkdir -p $$(@D); rm -f $$@; $(AR) rcs $$@ $$^
ALL_OBJ += $$($(1)_OBJ)
endef
$(foreach r,$(ROOMS),$(eval $(call room_rules,$(r))))

TOP_SRC := perf.c $(wildcard builtin-*.c)
TOP_OBJ := $(patsubst %.c,$(O)/%.o,$(TOP_SRC))
ALL_OBJ += $(TOP_OBJ)
include scripts/mk/workloads.mk

$(O)/%.o: %.c $(O)/.cflags
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Rebuild everything when the flags change.
$(O)/.cflags: FORCE
	$(Q)mkdir -p $(O); echo '$(CC) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS)' > $@

$(O)/perf: $(TOP_OBJ) $(ROOM_LIBS)
	$(say) LD $@
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $(TOP_OBJ) $(ROOM_LIBS) $(LIBS)

all: $(O)/perf

clean:
	$(Q)rm -rf $(O)

-include $(ALL_OBJ:.o=.d)
FORCE:
.PHONY: all clean FORCE
