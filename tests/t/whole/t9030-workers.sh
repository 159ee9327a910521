#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 3 of 4
test_description='any number of workers gives the output of one'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

# same COMMAND...: PERF_WORKERS of 1, 2, 3 and 7
same() {
	local n

	PERF_WORKERS=1 "$@" >one 2>one.err && test -s one || return 1
	for n in 2 3 7; do
		PERF_WORKERS=$n "$@" >many 2>many.err && cmp one many || return 1
	done
}

test_expect_success 'a recording with threads, forks and call chains' '
	perf record -F 5000 -g -e cpu-clock,page-faults -o a.data sh -c "
		for i in 1 2 3 4 5 6 7 8; do perf test -w thloop 3 0.05; ls /usr/include >/dev/null; done"
'
for opts in '' '--no-children' '-s comm,dso,sym,pid,cpu -n' '-g caller' '--no-children -s pid -g none'; do
	test_expect_success "report $opts" 'same perf report --stdio -i a.data '"$opts"
done
test_expect_success 'script' 'same perf script -i a.data'

test_expect_success CORPUS 'recorded files of other machines' '
	ls "$CORPUS"/* | grep -v "\.md$\|pipe" | sampled "${SAN:+4}" >files && test -s files &&
	while read -r f; do
		perf report --stdio -i "$f" >/dev/null 2>&1 || continue
		PERF_WORKERS=1 perf report --stdio -i "$f" >one 2>/dev/null
		PERF_WORKERS=4 perf report --stdio -i "$f" >many 2>/dev/null
		cmp one many || { echo "$f"; return 1; }
	done <files
'
test_done
