# SPDX-License-Identifier: GPL-2.0-or-later
# One probe per optional library: scripts/feature/<lib>.c compiles and links, or the library is absent.
# Sets HAVE_<LIB> in FEATURE_CFLAGS and the link flags in FEATURE_LIBS.

FEATURES := libelf libzstd libtraceevent libiberty
feature_pkg_libelf := libelf
feature_pkg_libzstd := libzstd
feature_pkg_libtraceevent := libtraceevent
feature_flags_libiberty := -liberty

upper = $(shell echo $(1) | tr a-z A-Z)
define feature_probe
ifneq ($$(feature_pkg_$(1)),)
feature_cflags_$(1) := $$(shell $(PKG_CONFIG) --cflags $$(feature_pkg_$(1)) 2>/dev/null)
feature_flags_$(1) := $$(shell $(PKG_CONFIG) --libs $$(feature_pkg_$(1)) 2>/dev/null)
endif
feature_ok_$(1) := $$(shell $(CC) $$(feature_cflags_$(1)) -o /dev/null scripts/feature/$(1).c $$(feature_flags_$(1)) 2>/dev/null && echo 1)
ifeq ($$(feature_ok_$(1)),1)
FEATURE_CFLAGS += $$(feature_cflags_$(1)) -DHAVE_$(call upper,$(1))
FEATURE_LIBS += $$(feature_flags_$(1))
endif
endef
$(foreach f,$(FEATURES),$(eval $(call feature_probe,$(f))))
