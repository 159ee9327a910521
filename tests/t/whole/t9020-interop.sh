#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# with sanitizers in check-long only
test_description='what we record the reference reads alike, and the reverse'
. "$(dirname "$0")/../../lib/tap.sh"
test_require REFERENCE,PERF_EVENTS

# count FILE: its samples, as the reference counts them
count() { "$REF" script -F tid -i "$1" 2>/dev/null | grep -c .; }

# The number in "(N samples)" of the closing line of record.
told() { sed -n 's/.* (~\?\([0-9]*\) samples).*/\1/p' "$1"; }

# same_text COMMAND: what both write to ref.txt and our.txt is the same. Not compared: names in the vdso, which
# the reference knows only from its cache, entries of PLTs, which it hides by _init, files that are deleted, and frames
# inlined according to debug information.
same_text() {
	no_plt
	sed -i -E "s/[^ ]+ \(\[vdso\]\)/vdso/; s/ (_init|[^ ]+@plt)(\+0x[0-9a-f]+)? \(/ PLT (/" ref.txt our.txt
	# the entry before them all, which nothing calls by name
	awk 'NR == FNR { plt[FNR] = / PLT \(/; next } plt[FNR] { sub(/ \[unknown\] \(/, " PLT (") } 1' ref.txt our.txt >our.plt &&
		mv our.plt our.txt
	test -s our.txt && cmp our.txt ref.txt && return 0
	diff ref.txt our.txt | head -n 20
	wc -l our.txt ref.txt
	return 1
}

# same_script FILE [OPTION...]: both print the same.
same_script() {
	local f=$1

	shift
	"$REF" script --no-inline -i "$f" "$@" >ref.txt 2>ref.err || tail -n 3 ref.err
	perf script --no-inline -i "$f" "$@" >our.txt 2>our.err || return 1
	same_text
}

# same_report FILE [OPTION...]: the same lines, but for the notes above and below the table.
same_report() {
	local f=$1

	shift
	"$REF" report --stdio --no-inline -i "$f" "$@" 2>ref.err | grep -v "^#" >ref.txt
	perf report --stdio --no-inline -i "$f" "$@" 2>our.err | grep -v "^#" >our.txt
	sed -i -E "/\[vdso\]/d; /\(deleted\)/d; /\[\.\] (_init|[^ ]+@plt) *$/d" ref.txt our.txt
	same_text
}

# check_ours FILE LOG: samples counted alike by us and the reference; the same script text
check_ours() {
	n=$(told "$2")
	test -n "$n" && test "$n" -gt 0 && test "$n" -eq "$(count "$1")" || {
		echo "told '$n', the reference counts $(count "$1")"
		return 1
	}
	same_script "$1"
}

for who in ours theirs; do
	case $who in
	ours) rec=perf ;;
	theirs) rec=$REF ;;
	esac

	test_expect_success "$who: a workload" '
		"$rec" record -o $who-w.data "$PERF" test -w thloop 2 0.1 2>log &&
		check_ours $who-w.data log &&
		same_report $who-w.data
	'
	test_expect_success "$who: a workload with call chains" '
		"$rec" record -g -o $who-wg.data "$PERF" test -w callchain 0.1 2>log &&
		check_ours $who-wg.data log &&
		same_report $who-wg.data -g none
	'
	test_every 2 ROOT "$who: system-wide with call chains" '
		"$rec" record -a -g -F 1999 -o $who-ag.data sh -c "find /usr/include/linux | sort | tail -n 1; sleep 0.1" 2>log &&
		check_ours $who-ag.data log &&
		same_report $who-ag.data --no-children -g none
	'
	test_every 2 ROOT,TRACEFS "$who: all scheduler and raw system call tracepoints, system-wide" '
		"$rec" record -e "sched:*,raw_syscalls:*" -a -o $who-tp.data \
			"$PERF" test -w context_switch_loop 100 2>log &&
		check_ours $who-tp.data log
	'
	test_expect_success "$who: several events, fixed period" '
		"$rec" record -e cpu-clock,page-faults,context-switches -c 100000 -o $who-ev.data \
			"$PERF" test -w thloop 2 0.05 2>log &&
		same_script $who-ev.data
	'
	test_expect_success "$who: a pipe" '
		"$rec" record -o - "$PERF" test -w thloop 2 0.1 >$who-p.data 2>log &&
		"$REF" script --no-inline -i - <$who-p.data >ref.txt 2>ref.err &&
		perf script --no-inline -i - <$who-p.data >our.txt &&
		test_line_count -ge 20 our.txt &&
		same_text &&
		same_script $who-p.data
	'
	test_every 2 ROOT,TRACEFS "$who: tracepoints through a pipe" '
		"$rec" record -g -e "sched:sched_switch" -a -o - \
			"$PERF" test -w context_switch_loop 100 >$who-ptp.data 2>log &&
		"$REF" script --no-inline -i - <$who-ptp.data >ref.txt 2>ref.err &&
		perf script --no-inline -i - <$who-ptp.data >our.txt &&
		test_line_count -ge 20 our.txt && no_plt &&
		# the reference leaves out offsets and objects when it reads a pipe, but not when it reads a file
		sed -i -E "/^\t/s/(^[[:space:]]+[0-9a-f]+ [^ +]+).*/\1/" our.txt ref.txt &&
		same_text
	'
done

# What each header line is about, without the values.
kinds() { sed -n -E "s/^# ([a-z ]+) ?(:|=).*/\1/p" "$1" | sort -u; }

test_expect_success 'header: the reference finds in ours what it writes itself' '
	"$REF" report --header-only -I -i ours-w.data >our.txt 2>&1 &&
	"$REF" report --header-only -I -i theirs-w.data >ref.txt 2>&1 &&
	kinds our.txt >our.kinds && kinds ref.txt >ref.kinds &&
	test_cmp ref.kinds our.kinds &&
	for k in hostname "os release" arch nrcpus cpudesc cpuid; do
		grep "^# $k" our.txt >a; grep "^# $k" ref.txt >b; test_cmp b a || return 1
	done &&
	test_grep -E "^# cmdline : .*perf record -o ours-w.data .*test -w thloop 2 0.1" our.txt
'

test_expect_success 'the file is for its owner only, the one before is kept' '
	perf record -o own.data true && perf record -o own.data true &&
	test "$(stat -c %a own.data)" = 600 && test -s own.data.old
'

test_done
