#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 1 of 4
test_description='random keys, clicks and sizes: screens neither crash nor hang, and can be left. LONG=1: ten minutes'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

# The seed is told, so that keys can be pressed again.
SEED=${SEED:-$(date +%s)}
SECONDS_EACH=${RANDOM_SECONDS:-${LONG:+150}}

# presses COMMAND...: it bears them.
presses() {
	echo "# seed $SEED"
	rm -f perf.hist.* perf.annotation.*
	PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/random_keys.py" "$SEED" "${SECONDS_EACH:-2}" "$@"
}

test_expect_success 'perf report' '
	ui_recording two.data && presses perf report -i two.data
'

test_expect_success 'perf report, with levels' '
	presses perf report -i two.data --hierarchy --group -s comm,dso,sym
'

test_expect_success 'perf annotate' '
	presses perf annotate -i two.data
'

test_expect_success PERF_EVENTS 'perf top' '
	presses perf top -e cpu-clock,page-faults -g -d 0.2
'

test_done
