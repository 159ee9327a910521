# SPDX-License-Identifier: GPL-2.0-or-later
#
# One static archive per room. util/ROOMS names the rooms, each below those it uses, so the
# reverse of that order is the link order.

HASH := \#
ROOM_NAMES := $(shell sed -n 's/^\([a-z]\{1,\}\):.*/\1/p' util/ROOMS)
reverse = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
# Rooms arch and ui stand at the root, with folders of their own; all others are folders of util.
at_root = $(filter arch ui,$(1))
room_dir = $(if $(at_root),$(1),util/$(1))
room_src = $(wildcard $(call room_dir,$(1))/*.c $(if $(at_root),$(1)/*/*.c))
ROOMS := $(foreach r,$(call reverse,$(ROOM_NAMES)),$(if $(call room_src,$(r)),$(r)))

# What libraries are there, and whether they are loaded or linked, matters to few files. A build that
# differs in nothing else (make static, make check-alloff) has these alone, and takes all other objects
# from the build in BASE.
BASE ?= $(O)
FEATURE_SRC := $(shell grep -lE 'HAVE_|PERF_STATIC|base/library\.h|features\.h' *.c cmd/*/*.c util/*/*.c ui/*/*.c)
objects_of = $(patsubst %.c,$(O)/%.o,$(filter $(FEATURE_SRC),$(1))) $(patsubst %.c,$(BASE)/%.o,$(filter-out $(FEATURE_SRC),$(1)))

room_lib = $(O)/$(call room_dir,$(1))/lib$(1).a
ROOM_LIBS := $(foreach r,$(ROOMS),$(call room_lib,$(r)))

# archive ARCHIVE,SOURCES: built from SOURCES, and rebuilt when one of them goes away.
define archive_rules
$(eval objs := $(call objects_of,$(2)))
$(if $(NO_BUILD),,$(eval $(call write_if_changed,$(1).list,$(objs))))
$(1): $(objs) $(1).list
	$$(say) AR $$@
	$$(Q)rm -f $$@; $$(AR) rcs $$@ $(objs)
ALL_OBJ += $(objs)
endef
$(foreach r,$(ROOMS),$(eval $(call archive_rules,$(call room_lib,$(r)),$(call room_src,$(r)))))

TOP_SRC := perf.c $(wildcard builtin-*.c cmd/*/*.c)
TOP_OBJ := $(call objects_of,$(TOP_SRC))
include scripts/mk/workloads.mk
ALL_OBJ += $(TOP_OBJ)
# What such a build takes from this one.
BASE_OBJ := $(filter-out $(patsubst %.c,$(O)/%.o,$(FEATURE_SRC)),$(ALL_OBJ))

# The version is what git says of a checkout, else the VERSION file of a release; it lives
# in a header of its own so that only what prints it is compiled again.
ifndef NO_BUILD
VERSION := $(shell cat VERSION)
GIT_HASH := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
PERF_VERSION := $(VERSION)$(if $(GIT_HASH),.g$(GIT_HASH))
$(eval $(call write_if_changed,$(O)/include/perf-version.h,$(HASH)define PERF_VERSION "$$(PERF_VERSION)"))
$(eval $(call write_if_changed,$(O)/.cflags,$$(CC) $$(filter-out -Werror,$$(ALL_CFLAGS))))
$(eval $(call write_if_changed,$(O)/.ldflags,$$(CC) $$(ALL_LDFLAGS) $$(LIBS) $$(PROGRAM_LDFLAGS)))
endif

$(O)/%.o: %.c $(O)/.cflags
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/perf: $(TOP_OBJ) $(ROOM_LIBS) $(O)/.ldflags
	$(say) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) $(PROGRAM_LDFLAGS) -o $@.new $(TOP_OBJ) -Wl,--start-group $(ROOM_LIBS) -Wl,--end-group $(LIBS)
	$(Q)mv $@.new $@
