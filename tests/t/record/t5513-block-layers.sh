#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='block: why writing through a mounted loop device is slow, by one command'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq LOOP_MOUNT 'no file system on a loop device could be made and mounted' '
	mkdir -p "$TRASH/mnt" && truncate -s 64M "$TRASH/image" && mkfs.ext4 -q -F "$TRASH/image" && losetup -f --show "$TRASH/image" >"$TRASH/loop" &&
	mount "$(cat "$TRASH/loop")" "$TRASH/mnt"
'
trap 'mountpoint -q "$TRASH/mnt" && umount "$TRASH/mnt"; test ! -s "$TRASH/loop" || losetup -d "$(cat "$TRASH/loop")"' EXIT
test_lazy_prereq LOWER 'the files of tests are on no block device' '
	test -e "/sys/dev/block/$(stat -c %d "$TRASH" | perl -ne "printf \"%d:%d\", \$_ >> 8, \$_ & 255")"
'
n=24
test_expect_success ROOT,PERF_EVENTS,LOOP_MOUNT 'the events of all layers are recorded' '
	loop=$(cat "$TRASH/loop") && name=${loop#/dev/} && cat >work <<-END &&
	sync -f $TRASH/mnt
	cat /sys/block/$name/stat >before
	dd if=/dev/zero of=$TRASH/mnt/file bs=64k count=$n oflag=dsync
	cat /sys/block/$name/stat >after
	END
	perf block record -o layers.data -- sh work 2>err && perf block -i layers.data >report
'
# of TASK COLUMN: a figure of a task on the loop device
of() { perf block -i layers.data -d "$name" --by task --json | perl -MJSON::PP -ne "\$o = decode_json(\$_); \$s += \$o->{$2} if \$o->{task} =~ m{^$1/}; END { print \$s + 0, qq(\n) }"; }
test_expect_success ROOT,PERF_EVENTS,LOOP_MOUNT 'each write of dd is one request; the journal makes most of the others, and two flushes for each' '
	test "$(of dd write_bytes)" -ge $((n * 65536)) && test "$(of dd write_requests)" -ge $n &&
	journal=$(($(of jbd2.* write_requests) + $(of jbd2.* write_merges))) && test $journal -gt $((2 * $(of dd write_requests))) &&
	flushes=$(($(awk "{ print \$16 }" after) - $(awk "{ print \$16 }" before))) && test $flushes -ge $((2 * n)) &&
	test "$(perf block -i layers.data -d $name --by dev --json | perl -MJSON::PP -ne "print decode_json(\$_)->{flush_requests}")" -ge $flushes
'
# Interrupts that come while their CPU is idle may leave no event: of the device below, and of flushes, only some completions are told of.
# below: how many writes of the device below are told of as completed
below() { perf script -i "$TRASH/cwd/layers.data" | grep "block_rq_complete: [0-9]*,[0-9]* [A-Z]*W" | grep -vc "block_rq_complete: 7,"; }
test_lazy_prereq BELOW 'this kernel tells of no completions of the device below, whose interrupts come while its CPU is idle' 'test "$(below)" -ge $n'
# share LAYER COLUMN: of the tree of layers, by what its line begins with
share() { sed -n "s/^$1  *//p" report | awk "{ print \$$2 + 0; exit }"; }
# at_least LAYER COLUMN FIGURE: says what the tree has when it is less
at_least() { test "$(share "$1" "$2" | cut -d. -f1)" -ge "$3" || { echo "$1: less than $3" && cat report && return 1; }; }
test_expect_success ROOT,PERF_EVENTS,LOOP_MOUNT,LOWER,BELOW 'writes wait for flushes, for which the file is written on the device below' '
	test_grep "^  $name write " report && test_grep "^    $name flush " report && test_grep "^      [a-z].* write " report &&
	at_least "  $name write" 1 $((2 * n)) && at_least "    $name flush" 1 $n && at_least "      [a-z0-9]* write" 1 $((n / 2)) && at_least "  $name write" 6 20
'
test_expect_success ROOT,PERF_EVENTS,LOOP_MOUNT 'sizes, distances, and requests at a time' '
	perf block -i layers.data -d $name --details >out && awk "/^    64 KiB / { exit !(\$4 >= $n) }" out &&
	test_grep "requests begin where the last one ended" out && test_grep "^# from s  *depth  *at most$" out &&
	test_expect_code 129 perf block -i layers.data --details --by dev 2>err
'
test_done
