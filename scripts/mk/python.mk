# SPDX-License-Identifier: GPL-2.0-or-later
#
# The module perf for programs in Python: $(O)/python/perf.abi3.so, for all versions from 3.8 on. It
# has in it what it needs of the rooms. Python itself is not linked: it is there when the module is loaded.

# The interpreter that is to find the module.
PYTHON ?= $(or $(wildcard /usr/bin/python3),python3)
# Its first folder of modules below the prefix.
pythondir ?= $(shell $(PYTHON) -c 'import sys; lib = sys.argv[1] + "/lib/"; \
	own = lib + "python%d.%d/site-packages" % sys.version_info[:2]; \
	print(next((d for d in sys.path if d.startswith(lib) and d.endswith("-packages")), own))' '$(prefix)')

PYTHON_ROOMS := base arch aux auxsamples codec cli wire tracefmt gauges events metric kernel live file session machine objcache symbol jit \
	disasm dwarf unwind resolve recording script
PYTHON_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard python/*.c))
PYTHON_ROOM_LIBS := $(foreach r,$(ROOMS),$(if $(filter $(r),$(PYTHON_ROOMS)),$(call room_lib,$(r))))

# A static perf loads nothing. A sanitizer has to be in the program: see t4951, which loads it first.
ifneq ($(LIBPYTHON_FOUND),)
ifeq ($(STATIC)$(CROSS),)
PYTHON_MODULE := $(O)/python/perf.abi3.so
ALL_OBJ += $(PYTHON_OBJ)
endif
endif

$(PYTHON_OBJ): private ALL_CFLAGS += $(LIBPYTHON_CFLAGS)

# link_module OBJECTS: link them, and the rooms, as $@.
link_module = $(CC) $(ALL_LDFLAGS) -shared -o $@.new $(1) -Wl,--start-group $(PYTHON_ROOM_LIBS) -Wl,--end-group $(LIBS) && \
	mv $@.new $@

$(O)/python/perf.abi3.so: $(PYTHON_OBJ) $(PYTHON_ROOM_LIBS) $(O)/.ldflags
	$(say) LD $@
	$(Q)mkdir -p $(@D)
	$(Q)$(call link_module,$(PYTHON_OBJ))

python: $(PYTHON_MODULE)
	$(Q)$(if $(PYTHON_MODULE),:,echo 'the module for Python is not built: it needs the headers of Python (python3-dev)')
.PHONY: python
