#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
TEST_TIMEOUT=600
test_description='stat: many combinations of options, each laid out as the reference does'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/t/stat/stat.sh"
test_require PERF_EVENTS
test -z "$SAN" || test_skip_all 'the same lines as without sanitizers, much slower'

# one NAME OPTION...: what NAME prints to both streams and into files, and its status
one() {
	local name=$1 line=$2

	rm -f out
	(eval "timeout 60 $name stat $line") >printed 2>&1
	echo "exit $?" | tr 0-9 a-j >>printed # not to be masked
	test ! -e out || cat out >>printed
	# how many intervals there are, and whether the last one is empty, is a matter of time
	case $line in
	*"-I "*) masked printed | some_intervals ;;
	# so little time may be all of one kind
	*user_time*) masked printed | sed -E "s/^ *(<not counted>|N) (ns +(user|system)_time) *\$/\2/" ;;
	*) masked printed ;;
	esac
}

test_expect_success REFERENCE 'combinations' '
	all_alike "$SRC/tests/data/stat-combos.txt" && test "$(cat compared.* | wc -l)" -ge "$(wc -l <lines)" && test_line_count -ge 30 lines
'

test_done
