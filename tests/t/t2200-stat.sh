#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='stat: many combinations of options, each laid out as the reference does'
. "$(dirname "$0")/../lib/tap.sh"
. "$SRC/tests/lib/stat.sh"
test_require PERF_EVENTS
test -z "$SAN" || test_skip_all 'the same lines as without sanitizers, much slower'

# one NAME OPTION...: what NAME prints to both streams and into files, and its status
one() {
	local name=$1 line=$2

	rm -f out
	(eval "timeout 60 $name stat $line") >printed 2>&1
	echo "exit $?" >>printed
	test ! -e out || cat out >>printed
	# how many intervals there are, and whether the last one is empty, is a matter of time
	case $line in
	*"-I "*) masked printed | some_intervals ;;
	# so little time may be all of one kind
	*user_time*) masked printed | sed -E "s/^ *(<not counted>|N) (ns +(user|system)_time) *\$/\2/" ;;
	*) masked printed ;;
	esac
}

# share PART PARTS: compare some of the lines; most of the time is waiting. What is printed depends
# on chance at times, as whether a counter ran all the time: a line is wrong when it differs always.
share() {
	local line q try

	mkdir "part.$1" && cd "part.$1" || return
	awk "NR % $2 == $1" ../lines | while read -r line; do
		q=$(quoted "$line")
		for try in 1 2 3; do
			one "$PERF" "$q" >ours </dev/null
			one "$REF" "$q" >ref </dev/null
			cmp -s ref ours && break
		done
		echo "$line" >>"../compared.$1"
		cmp -s ref ours || { echo "--- stat $line"; diff ref ours; }
	done >"../differ.$1"
}

# quoted WORD...: a line of the table as the shell reads it: only quotes in it count
quoted() { sed -e 's/[][{}*;()&|\\]/\\&/g' -e "s/PID/$PID/g" <<<"$1"; }

test_expect_success REFERENCE 'combinations' '
	sleep 1000 & PID=$!
	grep -v -e "^#" -e "^\$" "$SRC/tests/data/stat-combos.txt" >lines
	for part in 0 1 2 3 4 5; do share $part 6 & parts="$parts $!"; done
	wait $parts
	kill $PID; wait $PID 2>/dev/null
	cat differ.* && test "$(cat compared.* | wc -l)" -ge 170 &&
	test -z "$(cat differ.*)"
'

test_done
