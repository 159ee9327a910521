# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the binary finds what was installed beside it, as $(O)/include/perf-paths.h; a binary
# run from the build folder looks there first. A BINARY that is given has its own already.

sysconfdir ?= /etc
ifndef NO_BUILD
ifndef BINARY
define perf_paths_text
$(HASH)define PERF_BIN_PATH "$(bindir)"
$(HASH)define PERF_EXEC_PATH "$(perfexecdir)"
$(HASH)define PERF_LIB_PATH "$(perflibdir)"
$(HASH)define PERF_MAN_PATH "$(mandir)"
$(HASH)define PERF_DOC_PATH "$(docdir)"
$(HASH)define PERF_SYSCONFDIR "$(sysconfdir)"
endef
ifneq ($(strip $(file <$(O)/include/perf-paths.h)),$(strip $(perf_paths_text)))
$(shell mkdir -p $(O)/include)
$(file >$(O)/include/perf-paths.h,$(perf_paths_text))
endif
endif
endif
