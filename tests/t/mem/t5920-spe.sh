#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='records of Arm SPE become samples, which script, report, mem and c2c show'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

file() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/aux-files.py" "$@"; }
file spe.data spe && file n1.data spe sources numa cpuid=0x00000000410fd0c1 || exit 1

# counts [OPTION...]: the events of the samples, each with how many there are
counts() {
	perf script -i spe.data -F event "$@" 2>err.txt | tr -d ': ' | sort | uniq -c | sed 's/^ *//' | tr '\n' ,
}

test_expect_success 'each record counts for the events that it tells of' '
	c=$(counts) && echo "$c" &&
	test "$c" = "1 branch-miss,9 l1d-access,5 l1d-miss,3 llc-access,2 llc-miss,9 memory,1 remote-access,2 tlb-access,1 tlb-miss,"
'
test_expect_success '--itrace chooses the events; without, there are none' '
	test "$(counts --itrace=m)" = "3 llc-access,2 llc-miss," && test "$(counts --itrace=i4i)" = "3 instructions," &&
	test "$(counts --no-itrace)" = ""
'
test_expect_success 'a sample has the time, the task, the addresses and the latency of its record' '
	perf script -i spe.data --itrace=M -F pid,tid,time,ip,addr --ns 2>err.txt >out.txt
	sed -n 1p out.txt && sed -n 1p out.txt | grep -q "100/101 *1.000000100: *7f0000001000 *400100" &&
	perf mem report -i spe.data --itrace=M --stdio 2>err.txt | grep -q " 1  30  *L1 hit "
'
test_expect_success 'perf mem and perf c2c report the accesses' '
	perf mem report -i spe.data --stdio >out.txt 2>err.txt && grep -q "L3 miss.*400140\|Remote L3 miss" out.txt &&
	perf c2c report -i spe.data --stdio --stats >out.txt 2>err.txt && grep -q "Total records  *:  *9$" out.txt &&
	grep -q "Load Operations  *:  *7$" out.txt
'
test_expect_success REFERENCE 'the reference makes the same samples' '
	"$REF" script -i spe.data -F comm,pid,tid,cpu,time,period,event,ip,addr 2>/dev/null >ref.txt &&
	perf script -i spe.data -F comm,pid,tid,cpu,time,period,event,ip,addr >our.txt && cmp ref.txt our.txt
'
test_expect_success REFERENCE 'the reference reports the same accesses of a Neoverse core' '
	for o in "report --mem-mode" "mem report" "mem report -t store"; do
		"$REF" $o --stdio --itrace=M -i n1.data 2>/dev/null </dev/null | grep -v "^# (Tip" >ref.txt
		perf $o --stdio --itrace=M -i n1.data 2>err.txt | grep -v "^# (Tip" >our.txt && test_line_count -ge 300 our.txt && cmp ref.txt our.txt || return 1
	done
	"$REF" c2c report --stdio -d tot -i n1.data 2>/dev/null </dev/null | sed "/Global Shared/,\$d" >ref.txt
	perf c2c report --stdio -d tot -i n1.data 2>err.txt | sed "/Global Shared/,\$d" >our.txt &&
	grep -q "Load HIT Remote Peer *: *4\$" our.txt && cmp ref.txt our.txt
'
all() { perf script -F event,pid,tid,time,ip,addr "$@" 2>err.txt; }
test_expect_success 'streams have the same samples as files, from a pipe and from a file' '
	all -i spe.data >want.txt && perf inject -i spe.data -o - | cat >spe.pipe && cat spe.pipe | all -i - >our.txt && test_cmp want.txt our.txt &&
	all -i spe.pipe >our.txt && test_cmp want.txt our.txt && test "$(cat spe.pipe | all -i - --no-itrace | wc -l)" = 0
'
test_expect_success 'folders have the same samples' '
	mkdir dir && file dir/data spe index && : >dir/data.0 && all -i dir >our.txt && test_cmp want.txt our.txt
'
test_lazy_prereq ZSTD 'zstd is not installed, or this perf is built without it' 'command -v zstd && perf version --build-options | grep -q "zstd: \[ on"'
test_expect_success ZSTD 'compressed files have the same samples' '
	file z.data spe index compressed && all -i z.data >our.txt && test_cmp want.txt our.txt
'
test_expect_success 'inject --itrace puts samples in the place of traces, in a file and in a stream; --strip keeps these alone' '
	all -i spe.data --itrace=M >want.txt && perf inject -i spe.data --itrace=M -o in.data && all -i in.data --no-itrace >our.txt && test_cmp want.txt our.txt &&
	test "$(perf report -D -i in.data 2>err.txt | grep -c "AUX\|ITRACE_START")" = 0 && test "$(stat -c %s in.data)" -lt "$(($(stat -c %s spe.data) + 9 * 120))" &&
	cat spe.pipe | perf inject --itrace=M -i - -o in.pipe && all -i in.pipe --no-itrace >our.txt && test_cmp want.txt our.txt &&
	perf inject -i spe.data --itrace=M --strip -o strip.data 2>err.txt && all -i strip.data >our.txt && test_cmp want.txt our.txt
'
test_expect_success REFERENCE 'the reference injects the same samples, and reads ours' '
	"$REF" inject -i spe.data --itrace=M -o ref.data 2>/dev/null && all -i ref.data >our.txt && test_cmp want.txt our.txt &&
	"$REF" script -F event,pid,tid,time,ip,addr -i in.data 2>/dev/null </dev/null >ref.txt && test_cmp want.txt ref.txt
'
test_expect_success 'a trace that is no sequence of records is told, and no file is left behind' '
	file bad.data random &&
	mkdir tmp && TMPDIR=$PWD/tmp perf script -i bad.data >out.txt 2>err.txt && test -z "$(ls tmp)" &&
	grep -q "bytes of the traces of bad.data are damaged" err.txt
'

test_done
