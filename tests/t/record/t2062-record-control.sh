#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 1 of 4
test_description='perf record: control channel, delays, overwritten rings, names of outputs'
# beside others
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS,TRACEFS

TP=syscalls:sys_enter_write

# ask COMMAND: send it, read one answer into $answer
ask() {
	answer=
	printf '%s\n' "$1" >&8 && read -r -t 60 -u 9 answer
}
# started OPTIONS...: perf record in the background with a control channel; err has its messages
started() {
	rm -f ctl ack && mkfifo ctl ack && exec 8<>ctl 9<>ack &&
	{ perf record --control fifo:ctl,ack "$@" 2>err & } && pid=$!
}

test_expect_success 'commands and their answers' '
	started -D -1 -e $TP -e cpu-clock -o c.data sh -c "while :; do echo; sleep 0.05; done >/dev/null" &&
	wait_for test -s c.data &&
	for c in ping enable disable "enable cpu-clock" "disable cpu-clock" "enable nosuch" "enable '\''$TP'\''" \
		evlist "evlist -v" "evlist -g" "evlist -F" "evlist -x" enablex snapshot; do
		ask "$c" && test "$answer" = ack || return 1
	done &&
	echo nonsense >&8 && ask stop && test "$answer" = ack && { wait $pid; test $? -eq 143; } && exec 8>&- 9>&- &&
	test "$(grep -c "^Events enabled$" err)" -eq 1 && test "$(grep -c "^Events disabled$" err)" -eq 2 &&
	test_grep "^Event cpu-clock enabled$" err && test_grep "^Event cpu-clock disabled$" err &&
	test_grep "^failed: can.t find .nosuch. event$" err && test_grep "^Event $TP enabled$" err &&
	test "$(grep -c "^failed: wrong command$" err)" -eq 2 && test_grep "nonsense" err &&
	test "$(grep -c "^$TP$" err)" -eq 2 && test_grep "^$TP: type: 2, size: [0-9]*, config: 0x" err &&
	test_grep "^$TP: sample_period=1$" err && test_grep "^dummy:HG: sample_period=1$" err && test_grep "Captured" err
'
test_expect_success 'between disable and enable nothing is sampled, but maps and names are known' '
	mkfifo step && exec 6<>step &&
	started -e $TP -o d.data sh -c "printf one; read -r x <&6; perf test -w noploop 0; printf two; read -r x <&6; printf three" >out &&
	wait_for grep -q one out && ask disable && echo >&6 && wait_for grep -q two out && ask enable && echo >&6 &&
	wait $pid && exec 6>&- 8>&- 9>&- &&
	perf script -i d.data --show-task-events >txt && test "$(grep -c "sys_enter_write: fd: 0x00000001" txt)" -eq 2 &&
	test_grep "COMM exec: perf" txt
'
test_expect_success 'descriptors: commands from a pipe whose other side goes away' '
	{ echo ping; echo bogus; } | perf record --control fd:0,9 -e dummy -o f.data sleep 0.3 9>acks 2>err &&
	test "$(cat acks)" = ack && test_grep "Captured" err &&
	test "$(sed -n "s/.*Woken up \([0-9]*\) times.*/\1/p" err)" -lt 20
'
test_expect_success 'a fifo that vanishes' '
	started -e dummy -o v.data sleep 30 && wait_for test -s v.data && rm ctl ack && ask ping && test "$answer" = ack &&
	ask stop && { wait $pid; test $? -eq 143; } && exec 8>&- 9>&- && test_grep Captured err
'
test_expect_success 'answers that nobody reads do not stop it' '
	rm -f ctl ack && mkfifo ctl ack && exec 8<>ctl &&
	{ perf record --control fifo:ctl,ack -e dummy -o n.data sleep 30 2>err & } && pid=$! && wait_for test -s n.data &&
	yes ping | head -20000 >&8 && echo stop >&8 && { wait $pid; test $? -eq 143; } && exec 8>&- &&
	test_grep "failed to write to the ack descriptor" err && test_grep Captured err
'
test_expect_success 'a snapshot is there when the answer comes' '
	started --switch-output -e $TP -o s.data sh -c "echo; : >go6; sleep 30" >/dev/null && wait_for test -e go6 && ask snapshot && test "$answer" = ack &&
	perf report --stats -i s.data.* >stats && ask stop && { wait $pid || :; } && exec 8>&- 9>&- && test_grep "SAMPLE events: *1" stats
'
test_expect_success 'control channels that make no sense' '
	for c in xx fd: fd:99 fd:a,b fd:0,99 fifo: fifo:/nonexistent fifo:a, fd:1x; do
		test_expect_code 129 perf record --control "$c" -o x.data true 2>err && test_grep "control" err || return 1
	done && test ! -e x.data
'

test_expect_success '-D with ranges: samples only inside them, and the end with the last' '
	test_expect_code 143 perf record -D 100-200,300-400 -e $TP -o r.data \
		sleep 30 2>err &&
	test "$(grep -c "^Events enabled$" err)" -eq 2 && test "$(grep -c "^Events disabled$" err)" -eq 3
'
test_expect_success '-D that makes no sense' '
	for d in abc -2 10-5 10-10 10-20,15-30 10-20,20-30 10-20, 10-20x 10- -5-7 10-20,30; do
		test_expect_code 129 perf record -D "$d" -o x.data true 2>err && test_grep "delay" err || return 1
	done && test ! -e x.data
'

test_expect_success 'overwritten rings: the newest whole records, in the order of time' '
	perf record --overwrite -m 4 -e $TP --filter "fd == 1" -o o.data dd if=/dev/zero of=/dev/null bs=1 count=20000 2>err &&
	perf script -F time,cpu,event -i o.data >txt && test_line_count -gt 50 txt && test_line_count -lt 2000 txt &&
	perf script --show-task-events -i o.data >end && tail -1 end >last && test_grep "EXIT" last &&
	perf report -D -i o.data 2>dump.err | sed -n "s/^[0-9]* \([0-9]*\) .*RECORD_SAMPLE.*/\1/p" >times && test -s times &&
	perf report --stats -i o.data 2>stats.err >stats && test_grep "SAMPLE events: *$(wc -l <txt)" stats && test ! -s stats.err
'
test_expect_success REFERENCE 'the reference reads them' '
	"$REF" script -F time -i o.data >ref.txt 2>/dev/null && perf script -F time -i o.data >our.txt && test_cmp ref.txt our.txt
'
test_expect_success 'a snapshot on a signal has what was in the rings, and no more twice' '
	rm -f go p.data* && started --overwrite --tail-synthesize --switch-output -m 8 -e $TP --filter "fd == 1" -o p.data \
		sh -c "echo a; echo b; echo c; : >go; sleep 30" >/dev/null && wait_for test -e go && ask snapshot && ask snapshot && ask stop &&
	{ wait $pid || :; } && exec 8>&- 9>&- && set -- p.data.* && test $# -eq 3 &&
	test "$(perf script -F event -i "$1" | wc -l)" -eq 3 && test "$(perf script -F event -i "$2" | wc -l)" -eq 0 &&
	perf script --show-task-events --show-mmap-events -i "$2" >txt && test_grep "COMM.*: sh:" txt && test_grep "MMAP2.*libc" txt &&
	perf script -F comm -i "$1" | sort -u >comms && test_line_count -eq 1 comms && test_grep "^ *sh" comms
'
test_expect_success 'backward rings and attrs as the reference has them' '
	perf record --overwrite -e cpu-clock -vv --dry-run true 2>txt && test_grep "write_backward  *1" txt
'
test_expect_success '--tail-synthesize: what there was stands at the end' '
	perf record --tail-synthesize -a -e dummy -o t.data true 2>err && perf report -D -i t.data 2>/dev/null >dump &&
	test "$(grep -n FINISHED_INIT dump | head -1 | cut -d: -f1)" -lt "$(grep -n "RECORD_COMM.*: systemd\|RECORD_COMM.*:1/1$" dump | tail -1 | cut -d: -f1)"
'

test_expect_success 'what was there becomes .old: files, links, folders' '
	rm -rf q* && echo first >q && perf record -e dummy -o q true 2>err && test "$(cat q.old)" = first &&
	rm -rf q* && mkdir q && echo x >q/data && perf record -e dummy -o q true 2>err && test -f q && test -f q.old/data &&
	perf record -e dummy -o q true 2>err && test -f q.old &&
	rm -rf q* && : >q && perf record -e dummy -o q true 2>err && test ! -e q.old &&
	rm -rf q* && mkdir q q.old q.old/kcore_dir && : >q/data && : >q.old/data && : >q.old/data.1 && : >q.old/kcore_dir/kcore &&
	perf record -e dummy -o q true 2>err && test -f q && test -f q.old/data && test ! -e q.old/data.1
'
test_expect_success 'a folder that is no recording is not removed' '
	rm -rf q* && mkdir q q.old && : >q/data && echo precious >q.old/letter && : >q.old/data &&
	test_expect_code 255 perf record -e dummy -o q touch ran 2>err &&
	test_grep "^Can.t remove old data: Unknown file found (q.old)$" err && test -f q.old/letter && test -f q.old/data && test ! -e ran
'

test_expect_success 'maps that take too long to read are left out, and that is said' '
	sleep 30 & pid=$! && wait_for grep -qx sleep /proc/$pid/comm && perf record --proc-map-timeout=0 -p $pid -e dummy -o m.data true 2>err; kill $pid &&
	test_grep "^Reading /proc/$pid/maps time out. You may want to increase the time limit by --proc-map-timeout$" err &&
	perf script --show-mmap-events -i m.data | grep -c "$pid/$pid.*MMAP2\|MMAP2 $pid/" >n && test "$(cat n)" -le 1
'
test_expect_success 'keys of the configuration' '
	attrs() { printf "[record]\n\t%s\n" "$1" >conf && PERF_CONFIG=$PWD/conf perf record -g --dry-run -vv -e cpu-clock true 2>txt; } &&
	attrs "call-graph = dwarf,1024" && test_grep "sample_stack_user  *1024" txt &&
	attrs "build-id = mmap" && test_grep "build_id  *1" txt && attrs "aio = 9" && test_grep ! "build_id" txt &&
	test_expect_code 129 attrs "call-graph = foo" && test_grep "Unknown --call-graph option value: foo" txt
'
test_lazy_prereq NO_KCORE 'this kernel has /proc/kcore' '! test -e /proc/kcore'
test_expect_success NO_KCORE '--kcore without one' '
	test_expect_code 255 perf record --kcore -e dummy -o x.data touch ran 2>err &&
	test_grep "^ERROR: kcore is not readable.$" err && test_grep "/proc/kcore, for --kcore" err && test ! -e x.data && test ! -e ran
'
# A kernel made of text, in a /proc of our own.
test_lazy_prereq OWN_PROC 'no mount namespaces, no python3, or sanitizers, which need the real /proc' '
	test -z "$SAN" && command -v python3 && unshare -m mount -t tmpfs none /mnt'
test_expect_success OWN_PROC '--kcore copies the kernel beside the data, once for all files' '
	mkdir -p k && python3 - <<-"PYTHON" &&
		import struct
		l, a = 0x8000, 0xffffffff81000000
		head = b"\x7fELF" + bytes([2, 1, 1, 0]) + bytes(8)
		head += struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
		head += struct.pack("<IIQQQQQQ", 1, 7, 0x1000, a, 0, l, l, 4096)
		open("k/kcore", "wb").write(head.ljust(0x1000, b"\0") + bytes(i * 7 & 255 for i in range(l)))
		open("k/kallsyms", "w").write("ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81005800 T _etext\n")
		open("k/modules", "w").write("")
	PYTHON
	unshare -m sh -c "mount --bind k /proc && exec \"$PERF\" record --kcore --switch-output-event syscalls:sys_enter_sync -e dummy -o K sync" 2>err &&
	set -- K.20* && test $# -eq 2 && for d; do
		test -f "$d/data" && cmp k/kallsyms "$d/kcore_dir/kallsyms" && test -f "$d/kcore_dir/modules" &&
		readelf -lW "$d/kcore_dir/kcore" >out && test_grep "LOAD .* 0xffffffff81000000 .* 0x006000 0x006000 RWE" out &&
		perf report --stats -i "$d" >out || return 1
	done &&
	test "$(stat -c %i "$1/kcore_dir/kcore")" = "$(stat -c %i "$2/kcore_dir/kcore")" && test ! -e K
'
test_expect_success '--timeout ends recording and its command' '
	timeout 20 perf record --timeout 200 -e cpu-clock -o timeout.data sleep 60 2>err && perf script -i timeout.data >out &&
	grep "Captured" err
'
test_done
