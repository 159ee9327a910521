# SPDX-License-Identifier: GPL-2.0-or-later
# The rules of the tree, and the builds that keep it honest.

lint: $(O)/perf
	$(Q)BUILD='$(O)' CC='$(CC)' tests/run $(if $(TEST_LOG),--log $(TEST_LOG)) scripts/lint/run.sh

format:
	$(Q)git ls-files '*.c' '*.h' | xargs clang-format -i

# Without any optional library it must build, start, and say what is missing.
check-alloff: $(BASE_OBJ)
	$(Q)$(MAKE) O=$(O)-alloff BASE=$(O) CFLAGS='-Werror -O0' $(foreach f,$(FEATURE_NAMES),NO_$(shell echo $(f) | tr a-z A-Z)=1) all
	$(Q)$(O)-alloff/perf version --build-options

# What gcc warns of is an error in the build that is tested (bootstrap); this is for clang.
check-clang:
	$(Q)$(MAKE) O=$(O)-clang CC=clang CFLAGS='-Werror -O0' at-once
	$(Q)$(MAKE) O=$(O)-clang CC=clang CFLAGS='-Werror -O0' all

.PHONY: lint format check-alloff check-clang
