# SPDX-License-Identifier: GPL-2.0-or-later
#
# Optional libraries. scripts/feature/LIST names them; scripts/feature/probe.sh compiles and
# links scripts/feature/<name>.c for each and leaves, in $(O):
#	features.mk			HAVE_<NAME> in FEATURE_CFLAGS, link flags in FEATURE_LIBS
#	include/build-features.h	what `perf version --build-options` prints
#	features.txt			the table
# The answers are kept until a probe, the list, the compiler or a NO_X knob changes;
# `make features` asks again (after installing a library).

FEATURE_NAMES := $(shell sed -n 's/^\([a-z0-9_]\{1,\}\)|.*/\1/p' scripts/feature/LIST)
FEATURE_OFF := $(strip $(foreach f,$(FEATURE_NAMES),$(if \
	$(filter 1,$(NO_$(shell echo $(f) | tr a-z A-Z))),$(f))))
# -Werror changes what is accepted, not what is made.
FEATURE_KEY = $(CC) $(STATIC_CFLAGS) $(SAN_FLAGS) $(SYSROOT_FLAGS) $(filter-out -Werror,$(CFLAGS)) $(LDFLAGS) $(PKG_CONFIG) off: $(FEATURE_OFF)

PROBE = CC='$(CC)' PROBE_FLAGS='$(STATIC_CFLAGS) $(SAN_FLAGS) $(SYSROOT_FLAGS) $(filter-out -Werror,$(CFLAGS)) $(LDFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' \
	STATIC='$(STATIC)' \
	OFF='$(FEATURE_OFF)' sh scripts/feature/probe.sh $(O)

ifndef NO_BUILD
$(eval $(call write_if_changed,$(O)/.feature-key,$$(FEATURE_KEY)))

$(O)/features.mk: $(O)/.feature-key scripts/feature/LIST \
		scripts/feature/BUILD-OPTIONS scripts/feature/probe.sh \
		$(wildcard scripts/feature/*.c scripts/feature/*-config)
	$(Q)$(PROBE)
	$(Q)cat $(O)/features.txt

include $(O)/features.mk
endif

# Where make has just asked, because a build folder is new, it has been started again since.
features:
	$(Q)$(if $(MAKE_RESTARTS),:,$(PROBE))
	$(Q)$(if $(MAKE_RESTARTS),:,cat $(O)/features.txt)
.PHONY: features
