#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 3 of 4
test_description='block: what a loop device is asked for, by the counts of the kernel and by known requests'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq LOOP 'no loop device could be made' '
	truncate -s 32M "$TRASH/disk" && losetup -f --show "$TRASH/disk" >"$TRASH/loop"
'
trap 'test ! -s "$TRASH/loop" || losetup -d "$(cat "$TRASH/loop")"' EXIT

# figure COLUMN: the sum over the rows of CSV on standard input
figure() { perl -e '@n = split /,/, <STDIN> =~ s/\n//r; while (<STDIN>) { chomp; @v = split /,/; for (0..$#n) { $s += $v[$_] if $n[$_] eq $ARGV[0] } }
	print $s + 0, "\n"' "$1"; }
test_expect_success ROOT,PERF_EVENTS,LOOP 'known requests are recorded with the counts of the kernel around them' '
	loop=$(cat "$TRASH/loop") && name=${loop#/dev/} && cat >work <<-END &&
	settle() { udevadm settle 2>/dev/null || :; }
	settle
	cat /sys/block/$name/stat >before
	dd if=/dev/zero of=$loop bs=4k count=12 oflag=direct,dsync
	dd if=/dev/zero of=$loop bs=1M count=4 oflag=direct
	dd if=$loop of=/dev/null bs=16k count=40 iflag=direct
	dd if=/dev/zero of=$loop bs=4k count=512 conv=fsync
	blkdiscard -l 2M $loop
	settle
	cat /sys/block/$name/stat >after
	END
	perf block record -d $name -o loop.data -- sh work 2>err && test_grep "^=== $name ===$" err && test_grep "Total: .* events (dropped 0)" err &&
	perf block -i loop.data --csv >report.csv
'
# delta N: how much the Nth count has grown
delta() { echo $(($(awk "{ print \$$1 }" after) - $(awk "{ print \$$1 }" before))); }
test_expect_success ROOT,PERF_EVENTS,LOOP 'reads, writes, discards, flushes, merges and sectors are those of /sys/block/DEV/stat' '
	test "$(delta 1)" -ge 40 && test "$(delta 15)" = 1 -o "$(delta 12)" -ge 1 &&
	for pair in 1:read_requests 5:write_requests 12:discard_requests 16:flush_requests 2:read_merges 6:write_merges; do
		test "$(figure ${pair#*:} <report.csv)" = "$(delta ${pair%:*})" || { echo "$pair: $(delta ${pair%:*})" && cat report.csv && return 1; }
	done &&
	for pair in 3:read_bytes 7:write_bytes 14:discard_bytes; do
		test "$(figure ${pair#*:} <report.csv)" = "$(($(delta ${pair%:*}) * 512))" || { echo "$pair: $(delta ${pair%:*})" && return 1; }
	done
'
test_expect_success ROOT,PERF_EVENTS,LOOP 'the requests of dd are those it was told to make' '
	perf block -i loop.data --comm dd --by op --json >ops && perl -MJSON::PP -ne "\$o = decode_json(\$_); \$r{\$o->{op}} = \$o;
		END { exit !(\$r{WFS}{write_requests} == 12 && \$r{WFS}{write_bytes} == 12 * 4096 && \$r{WFS}{Q2C_count} == 12 &&
		\$r{RS}{read_requests} == 40 && \$r{RS}{read_bytes} == 40 * 16384 && \$r{WS}{write_bytes} == 6 << 20) }" ops &&
	perf block -i loop.data --by op --csv | grep ^FF, >/dev/null
'
test_expect_success ROOT,PERF_EVENTS,LOOP 'parts of the way are all of it' '
	perf block -i loop.data >report && awk "/^  (Q2G|G2I|I2D|G2D|D2C|C2E|G2E) / { s += \$3 } END { exit !(s > 99.9 && s < 100.1) }" report &&
	test_grep "^# $name ($(tr : , </sys/block/$name/dev)): busy [0-9.]*% of " report && ! grep INFO report
'
test_expect_success ROOT,PERF_EVENTS,LOOP 'only the device is recorded, and no touched buffers' '
	perf script -i loop.data -F event,trace | grep -v plug >events && test_line_count -gt 200 events &&
	! grep -v " $(tr : , </sys/block/$name/dev) " events && ! grep buffer events
'
test_expect_success ROOT,PERF_EVENTS,LOOP 'stacks and cgroups; options before and behind the verb; a pipe' '
	perf block record -g --all-cgroups -d $loop -o - -- dd if=$loop of=/dev/null bs=4k count=8 iflag=direct 2>err >pipe.data &&
	perf block report -i - --by stack,op --comm dd <pipe.data >out && test_grep "^  RS .*submit_bio.* <- " out &&
	perf block --by cgroup -i - <pipe.data >out && test_grep "^  /" out
'
test_expect_success ROOT,PERF_EVENTS,LOOP 'files of blktrace beside the recording' '
	perf block record -d $name --trace traced -o traced.data -- dd if=$loop of=/dev/null bs=4k count=8 iflag=direct 2>err &&
	perf block -i traced --by op --csv >got && test "$(figure read_requests <got)" -ge 8 && perf block -i traced.data --by op --csv | figure Q2C_count >want &&
	figure Q2C_count <got | test_cmp want - && test_expect_code 129 perf block record --trace traced -o - true 2>err >pipe && grep "not in a pipe" err
'
test_expect_success ROOT,PERF_EVENTS,LOOP 'lines of events through a pipe' '
	perf block record -d $name -o - -- dd if=$loop of=/dev/null bs=4k count=8 iflag=direct 2>err | perf block parse -i - >out &&
	test "$(grep -c " D  RS [0-9]* + 8 \[dd\]$" out)" -ge 8 && test_grep "^Events ($name): [0-9]* entries$" out
'
test_expect_success 'a device that there is not' '
	test_expect_code 129 perf block record -d no-such-disk true 2>err && grep "no block device .no-such-disk" err
'
test_expect_success 'options of the report before other verbs' '
	test_expect_code 129 perf block --by dev record true 2>err && grep "do not go with record" err && test_expect_code 129 perf block -C 0 record true 2>err &&
	test_expect_code 129 perf block --comm dd parse 2>err && test_expect_code 129 perf block -d 7:0 script 2>err && grep "does not go with script" err
'
test_expect_success 'a recording of other events is refused with the command that makes one' '
	perf record -q -e task-clock -o other.data true &&
	test_expect_code 255 perf block -i other.data 2>err && grep "none of block:block_bio_queue, .*only task-clock" err && grep "perf block record$" err
'
test_done
