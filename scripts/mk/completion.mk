# SPDX-License-Identifier: GPL-2.0-or-later
# Completion scripts, made from the option tables of the binary that was built.

COMPLETION := $(O)/completion/perf.bash $(O)/completion/_perf $(O)/completion/perf.fish
$(O)/completion/perf.bash: SHELL_NAME := bash
$(O)/completion/_perf: SHELL_NAME := zsh
$(O)/completion/perf.fish: SHELL_NAME := fish
$(COMPLETION): $(O)/perf $(wildcard scripts/completion/*)
	$(Q)mkdir -p $(@D); sh scripts/completion/generate $(O)/perf $(SHELL_NAME) >$@.new && mv $@.new $@
completion: $(COMPLETION)
.PHONY: completion
