#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='block: recordings of other kernels and of the other byte order, flushes, merges, partitions, lost events'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

kernel() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/block-kernels.py" "$@"; }
for l in 3.10 6.18; do
	kernel $l.data $l && kernel $l.big.data $l big || exit 1
done
kernel lost.data 6.18 lost || exit 1

# figure ROW COLUMN: of the CSV on standard input, whose first column tells the rows apart
figure() { perl -e '@n = split /,/, <STDIN> =~ s/\n//r; while (<STDIN>) { chomp; s/"([^"]*),([^"]*)"/$1:$2/g; @v = split /,/;
	for (0..$#n) { print "$v[$_]\n" if $v[0] eq $ARGV[0] && $n[$_] eq $ARGV[1] } }' "$@"; }
# figures ROW COLUMN=VALUE...: are those of report.csv
figures() {
	local row=$1 f && shift &&
	for f in "$@"; do test "$(figure "$row" "${f%=*}" <report.csv)" = "${f#*=}" || { echo "$row $f: $(figure "$row" "${f%=*}" <report.csv)" && return 1; }; done
}
test_expect_success 'requests, merges and bytes of each kind' '
	perf block -i 6.18.data --csv >report.csv &&
	figures 7:0 read_requests=0 write_requests=3 write_merges=2 write_bytes=16384 flush_requests=2 discard_requests=0 sync=2 errors=0 &&
	figures 8:0 read_requests=4 read_merges=1 read_bytes=24576 write_requests=1 errors=1 &&
	figures 253:0 discard_requests=1 discard_bytes=4096
'
test_expect_success 'a write is done when the flush behind it is, its device has done its part before' '
	perf block -i 6.18.data --by op --csv >report.csv &&
	figures WFS D2C_count=1 D2C_mean_ns=50000 C2E_mean_ns=306000 Q2C_mean_ns=361000 &&
	figures FF D2C_count=2 D2C_min_ns=300000 D2C_max_ns=400000 Q2C_count=0 &&
	figures FWS D2C_count=0 G2E_mean_ns=410000 Q2C_mean_ns=412000
'
test_expect_success 'bios that join a request, at its end and at its beginning' '
	figures W Q2G_mean_ns=1000 G2I_mean_ns=9000 I2D_mean_ns=20000 D2C_count=1 D2C_mean_ns=100000 Q2C_mean_ns=130000 Q2M_count=2 M2C_max_ns=127000
'
test_expect_success 'a partition, a split bio, a request that was given back, parts of one, one that swallows another' '
	figures R Q2G_count=2 Q2G_max_ns=4000 G2I_count=2 D2C_min_ns=20000 D2C_max_ns=80000 Q2C_count=2 Q2C_max_ns=100000 C2E_mean_ns=20000 &&
	figures RA read_requests=1 read_merges=1 read_bytes=8192 D2C_mean_ns=30000
'
test_expect_success 'what the device was asked for is busy time' '
	perf block -i 6.18.data >report && test_grep "^# 7,0 (7,0): busy 53.1% of 0.002 s, 0.53 requests at a time, at most 1$" report &&
	test_grep "^# 8,0 (8,0): .* at most 2$" report && test_grep "somebody waited for 0 of 5 (sync); 1 failed$" report &&
	test_grep "INFO: 1 completions without a beginning$" report && ! grep "on their way" report
'
test_expect_success 'whose it is' '
	perf block -i 6.18.data --by task,dev >rows && test_grep "^  7,0 *writer/100 * 0 * 3 * 0 * 0 * 2 * 0 * 16 * 67% " rows &&
	test_grep "^  7,0 *kworker/0:1H/7 * 0 * 0 * 0 * 2 " rows &&
	perf block -i 6.18.data --by task --comm writer >rows && test_grep "^  writer/100 * 4 * 3 * 1 * 0 " rows && ! grep kworker rows &&
	perf block -i 6.18.data --by dev -d 8:0 >rows && test_grep "^  8,0 " rows && ! grep -e "^  7,0" -e "^  253" rows
'
test_expect_success 'old kernels, and the other byte order, tell the same' '
	for f in 6.18.big 3.10 3.10.big; do perf block -i $f.data >got && test_cmp report got || return 1; done
'
test_expect_success 'the same through a pipe' 'perf block -i - <3.10.big.data >got && test_cmp report got'
test_expect_success 'JSON has the figures of CSV' '
	perf block -i 6.18.data --by op --csv | figure RA D2C_mean_ns >want && perf block -i 6.18.data --by op --json |
	python3 -c "import json, sys; print([o[\"D2C_mean_ns\"] for o in map(json.loads, sys.stdin) if o[\"op\"] == \"RA\"][0])" >got && test_cmp want got
'
test_expect_success 'events were lost while a request was on its way' '
	perf block -i lost.data >out && test_grep "INFO: 1 I/Os were on their way when events were lost$" out && test_grep "lost events (17 out of" out
'
test_expect_success 'a part of the time' '
	perf block -i 6.18.data --by dev --csv --time ,1.000150 >report.csv && figures 7:0 write_requests=1 flush_requests=0 && ! grep "^.8,0" report.csv
'
test_expect_success 'no I/O of a device' 'perf block -i 6.18.data -d 9:9 >out && test_grep "INFO: no I/O that is looked at was completed$" out'
test_expect_success 'histogram and heat map of one latency' '
	perf block -i 6.18.data --histogram --latency d2c --heatmap map.svg >out && test_grep "^# pairs  *8, " out && test_grep "^# maximum  *400us" out &&
	test_grep "<svg" map.svg && test_grep "Latency D2C of block I/O" map.svg
'
test_expect_success 'what there is not is told' '
	test_expect_code 255 perf block -i 6.18.data --by cgroup 2>err && grep "record --all-cgroups" err &&
	test_expect_code 255 perf block -i 6.18.data --by stack 2>err && grep "block record -g" err &&
	test_expect_code 129 perf block -i 6.18.data --by nonsense 2>err && grep "Unknown --by key: .nonsense" err &&
	test_expect_code 129 perf block -i 6.18.data --latency q2x 2>err && grep "Unknown --latency key: .q2x" err &&
	test_expect_code 129 perf block -i 6.18.data --json --csv 2>err && test_expect_code 129 perf block nonsense 2>err &&
	test_expect_code 129 perf block -i 6.18.data --histogram --csv 2>err && test_expect_code 129 perf block record --json true 2>err
'
test_expect_success 'recordings that are cut off end with what there is' '
	size=$(stat -c %s 6.18.data) && for part in 3 5 8; do
		head -c $((size * part / 9)) 6.18.data >cut.data && { perf block -i cut.data >got 2>err || test -s err; } &&
		! grep -i "assert\|sanitizer" err || return 1
	done
'
test_done
