# SPDX-License-Identifier: GPL-2.0-or-later
#
# Engines run scripts in other languages (perf script -s). Each is a shared object of its own,
# $(O)/script-<language>.so, which perf loads when a script is asked for, so that perf itself is not
# linked with an interpreter. An engine is not linked with the rooms: what it calls of them comes in
# a table (script/host.h).

# engine LANGUAGE,LIBRARY of scripts/feature/LIST
define engine_rules
ENGINE_$(1)_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard engines/$(1)/*.c))
$$(ENGINE_$(1)_OBJ): private ALL_CFLAGS += $$($(2)_CFLAGS)
$(O)/script-$(1).so: $$(ENGINE_$(1)_OBJ) $$(ENGINE_COMMON_OBJ) $(O)/.ldflags
	$$(say) LD $$@
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -shared -o $$@.new $$(ENGINE_$(1)_OBJ) $$(ENGINE_COMMON_OBJ) $$($(2)_LIBS)
	$$(Q)mv $$@.new $$@
ENGINES += $(O)/script-$(1).so
ALL_OBJ += $$(ENGINE_$(1)_OBJ)
endef

# All of them are linked with these.
ENGINE_COMMON_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard engines/common/*.c))
ALL_OBJ += $(ENGINE_COMMON_OBJ)

ENGINES :=
$(if $(LIBPERL_FOUND),$(eval $(call engine_rules,perl,LIBPERL)))
$(if $(LIBPYTHON_FOUND),$(eval $(call engine_rules,python,LIBPYTHON)))

# A perf in the build folder finds the modules of scripts beside itself, as an installed one does in
# its own folder.
$(O)/scripts:
	$(Q)ln -sfn '$(CURDIR)/scripts' $@

engines: $(ENGINES) $(O)/scripts
.PHONY: engines
