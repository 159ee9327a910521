# SPDX-License-Identifier: GPL-2.0-or-later
#
# make deb: a Debian package of this perf, $(O)/perf_VERSION-1_ARCH.deb. What is not code, and the
# scripts that run when it is installed, are in packaging/debian. Objects that know where perf was
# installed are compiled again, with prefix=/usr; all others are those of `make`.

# Where Debian wants them, whatever the command line of this make says of folders.
DEB_DIRS := prefix=/usr bindir=/usr/bin libdir=/usr/lib libexecdir=/usr/libexec mandir=/usr/share/man docdir=/usr/share/doc/perf \
	bash_completion_dir=/usr/share/bash-completion/completions \
	zsh_completion_dir=/usr/share/zsh/vendor-completions \
	fish_completion_dir=/usr/share/fish/vendor_completions.d \
	pythondir=/usr/lib/python3/dist-packages
DEB_SRC := perf.c builtin-help.c cmd/common/settings.c
DEB_OBJ := $(DEB_SRC:%.c=$(O)/deb/%.o)
# The module for Python, where that is built.
DEB_MODULE_SRC := python/machine.c
DEB_MODULE_OBJ := $(DEB_MODULE_SRC:%.c=$(O)/deb/%.o)
DEB_MODULE := $(if $(PYTHON_MODULE),$(O)/deb/perf.abi3.so)
DEB_ARCH = $(shell dpkg --print-architecture)
DEB_VERSION = $(VERSION)-1
# Reproducible: times of files are that of the last commit, or of this release's description.
DEB_EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION))

ifndef NO_BUILD
define deb_paths_text
$(HASH)define PERF_BIN_PATH "/usr/bin"
$(HASH)define PERF_EXEC_PATH "/usr/libexec/perf-core"
$(HASH)define PERF_LIB_PATH "/usr/lib/perf"
$(HASH)define PERF_MAN_PATH "/usr/share/man"
$(HASH)define PERF_DOC_PATH "/usr/share/doc/perf"
$(HASH)define PERF_SYSCONFDIR "/etc"
endef
ifneq ($(strip $(file <$(O)/deb/include/perf-paths.h)),$(strip $(deb_paths_text)))
$(shell mkdir -p $(O)/deb/include)
$(file >$(O)/deb/include/perf-paths.h,$(deb_paths_text))
endif
endif

$(DEB_OBJ) $(DEB_MODULE_OBJ): $(O)/deb/%.o: %.c $(O)/.cflags $(O)/deb/include/perf-paths.h
	$(say) CC '$< for /usr'
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -I$(O)/deb/include $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
-include $(DEB_OBJ:.o=.d) $(DEB_MODULE_OBJ:.o=.d)
$(DEB_MODULE_OBJ): private ALL_CFLAGS += $(LIBPYTHON_CFLAGS)

DEB_LINK := $(filter-out $(DEB_SRC:%.c=$(O)/%.o),$(TOP_OBJ)) $(DEB_OBJ)
$(O)/deb/perf: $(DEB_LINK) $(ROOM_LIBS) $(O)/.ldflags
	$(say) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@.new $(DEB_LINK) -Wl,--start-group $(ROOM_LIBS) -Wl,--end-group $(LIBS)
	$(Q)mv $@.new $@

DEB_MODULE_LINK := $(filter-out $(DEB_MODULE_SRC:%.c=$(O)/%.o),$(PYTHON_OBJ)) $(DEB_MODULE_OBJ)
$(O)/deb/perf.abi3.so: $(DEB_MODULE_LINK) $(PYTHON_ROOM_LIBS) $(O)/.ldflags
	$(say) LD $@
	$(Q)$(call link_module,$(DEB_MODULE_LINK))

deb-tools:
	$(Q)sh packaging/debian/build --check $(if $(CROSS),cross)

deb: deb-tools $(O)/perf $(O)/deb/perf $(DEB_MODULE)
	$(Q)rm -rf $(O)/deb/root
	$(Q)$(MAKE) install O='$(O)' BINARY='$(O)/deb/perf' MODULE='$(DEB_MODULE)' $(DEB_DIRS) DESTDIR='$(O)/deb/root' >/dev/null
	$(Q)SOURCE_DATE_EPOCH=$(DEB_EPOCH) sh packaging/debian/build '$(O)/deb/root' $(DEB_VERSION) $(DEB_ARCH) \
		'$(O)/perf_$(DEB_VERSION)_$(DEB_ARCH).deb'
	$(say) DEB '$(O)/perf_$(DEB_VERSION)_$(DEB_ARCH).deb'

.PHONY: deb deb-tools
