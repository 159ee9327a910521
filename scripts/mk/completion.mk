# SPDX-License-Identifier: GPL-2.0-or-later
# Completion scripts, made from the option tables of the binary that was built; of another machine's
# build, from one that runs here.

HOST_PERF ?= $(if $(CROSS),build/perf,$(O)/perf)

COMPLETION := $(O)/completion/perf.bash $(O)/completion/_perf $(O)/completion/perf.fish
$(O)/completion/perf.bash: SHELL_NAME := bash
$(O)/completion/_perf: SHELL_NAME := zsh
$(O)/completion/perf.fish: SHELL_NAME := fish
$(O)/completion/.rows: $(HOST_PERF) $(wildcard scripts/completion/* scripts/python/bin/*-report)
	$(Q)mkdir -p $(@D); sh scripts/completion/generate $(HOST_PERF) rows >$@.new && mv $@.new $@
$(COMPLETION): $(O)/completion/.rows
	$(Q)ROWS=$< sh scripts/completion/generate $(HOST_PERF) $(SHELL_NAME) >$@.new && mv $@.new $@
ifneq ($(HOST_PERF),$(O)/perf)
$(HOST_PERF):
	$(Q)echo 'completions are made by a perf that runs here: build one ("make"), or set HOST_PERF' >&2; exit 1
endif
completion: $(COMPLETION)
.PHONY: completion
