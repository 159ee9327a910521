#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf trace: what arguments of calls point to, copied by BPF programs'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

asks=$(program asks)
perf trace -v -o out -e openat true 2>err && grep -q "memory of [1-9][0-9]* calls was copied" err ||
	test_skip_all "BPF programs cannot be loaded here: $(grep "without the memory" err)"

test_expect_success 'paths of files, also of a call that returns at once' '
	echo text >file && perf trace -o out -e openat cat file >text && test "$(cat text)" = text &&
	grep -E "openat\(dfd: CWD, filename: \"file\"(, flags: [^)]*)?\) += 3" out &&
	! grep -E "filename: 0x" out
'
test_expect_success 'two paths, an address of a socket, a time, a buffer with its length' '
	perf trace -o out -e renameat2,connect,clock_nanosleep,write,read,pipe2,mkdir "$asks" memory &&
	grep -E "renameat2\(olddfd: CWD, oldname: \"/no/such/old\", newdfd: CWD, newname: \"/no/such/new\", flags: NOREPLACE\) += -1 ENOENT" out &&
	grep -E "connect\(fd: [0-9]+.*, uservaddr: \{ .family: LOCAL, path: \"/no/such/socket\" }, addrlen: 110\) += -1 ENOENT" out &&
	grep -E "clock_nanosleep\(.*\{ .tv_sec: 0, .tv_nsec: 1234567 \}" out &&
	grep -E "write\(fd: [0-9]+.*, buf: \"in.tthe pipe\", count: 11\) += 11" out
'
test_expect_success 'what the kernel writes is there when the call has returned' '
	grep -E "read\(fd: [0-9]+.*, buf: \"in.tthe pipe\", count: 32\) += 11" out &&
	grep -E "pipe2\(fildes: \[[0-9]+.*, [0-9]+.*\], flags: CLOEXEC\) += 0" out
'
test_expect_success 'a path that was not in memory when the call began' '
	grep -E "mkdir\(pathname: \"/no/such/far\", mode: .*\) += -1 ENOENT" out
'
test_expect_success 'children are followed, and other processes are not' '
	perf trace -o out -e execve,openat sh -c "cat file; sh -c \"cat file; true\"" >text &&
	test "$(grep -c "openat(dfd: CWD, filename: \"file\"" out)" -eq 2 && ! grep -E "openat\(.*filename: 0x" out
'
test_expect_success 'the length of strings is kept to' '
	perf trace --string-len 4 -o out -e openat cat file >text && grep -E "filename: \"file\"" out &&
	perf trace --string-len 3 -o out -e openat cat file >text && grep -E "filename: \"fil\"\.\.\." out
'
test_expect_success 'a recording has the memory, and shows it anywhere' '
	perf trace record -q -o t.data -- "$asks" memory && rm -f far.txt &&
	perf trace -i t.data -e renameat2,mkdir,clock_nanosleep -o out &&
	grep -E "renameat2\(olddfd: CWD, oldname: \"/no/such/old\", newdfd: CWD, newname: \"/no/such/new\"" out &&
	grep -E "mkdir\(pathname: \"/no/such/far\"" out && grep -E "\{ .tv_sec: 0, .tv_nsec: 1234567 \}" out &&
	perf script -i t.data -F event >events && grep -q "raw_syscalls:sys_enter" events
'
test_expect_success 'the system as a whole' '
	perf trace -a -o out -e openat cat "$PWD/file" >text && grep -E "filename: \"$PWD/file\"" out
'
test_expect_success 'without the right to load programs calls are shown all the same' '
	setpriv --bounding-set -bpf,-sys_admin true 2>err || { echo "SKIP: no setpriv"; return 0; }
	setpriv --bounding-set -bpf,-sys_admin --inh-caps -bpf,-sys_admin "$(command -v perf)" trace -o out -e openat cat file >text 2>err &&
	grep -E "openat\(dfd: CWD, filename: (\"|0x)" out && ! grep -i bpf err
'
test_lazy_prereq CONTAINER 'no namespace of processes can be made' 'unshare -fp --mount-proc true'
test_lazy_prereq SETPRIV 'no setpriv to give up rights' 'setpriv --bounding-set -bpf,-sys_admin true'
test_expect_success SETPRIV 'without the right to load programs, memory of calls that go on is read, not only strings' '
	setpriv --bounding-set -bpf,-sys_admin --inh-caps -bpf,-sys_admin "$(command -v perf)" trace -v -o out "$asks" wait 300 2>err &&
	grep -E "clock_nanosleep\(.*rqtp: \{ .tv_sec: 0, .tv_nsec: 300000000 \}" out &&
	grep "strings of [1-9][0-9]* calls were read" err && grep "memory of 0 calls was copied" err
'
test_expect_success CONTAINER 'in a container, where threads have other numbers: memory, sums, children, the container as a whole' '
	unshare -fp --mount-proc "$PERF" trace -o out -e openat sh -c "cat file; true" >text && grep -E "cat/[0-9] openat\(dfd: CWD, filename: \"file\"" out &&
	! grep "filename: 0x" out &&
	unshare -fp --mount-proc "$PERF" trace -s --bpf-summary -o sums "$asks" forks 3 && test "$(grep -cE "^ asks \([2-5]\), " sums)" -eq 4 &&
	awk "/^   exit_group/ { n += \$2 } END { exit n != 4 }" sums &&
	unshare -fp --mount-proc "$PERF" trace -as --bpf-summary -o sums "$asks" many 7 && grep -E "^   getppid +7 +0 " sums
'
test_expect_success 'a control group: its memory, and its calls counted in the kernel' '
	root=$(sed -n "s/^cgroup2* \([^ ]*\) .*\(perf_event\|cgroup2\).*/\1/p" /proc/mounts | tail -n 1) && cg=perf-memory-$$ &&
	mkdir "$root/$cg" || { echo "SKIP: no control groups of our own"; return 0; }
	: >on; { sh -c "echo 0 >$root/$cg/cgroup.procs; while test -e on; do cat file; sleep 0.02; done" >text & } && in=$! &&
	wait_for grep -qx $in "$root/$cg/cgroup.procs" && perf trace -a -G $cg -e openat -o out sleep 0.4 &&
	perf trace -as -v -G $cg -o sums sleep 0.3 2>err; rc=$?
	rm on; wait $in; rmdir "$root/$cg" && test "$rc" -eq 0 && grep -E "cat/[0-9]+ openat\(dfd: CWD, filename: \"file\"" out && ! grep "filename: 0x" out &&
	! grep "sleep 0.4" out && grep -E "^ sh \($in\), " sums && ! grep -E "^ perf \(" sums && { ! grep "not counted in the kernel" err || grep "version 1" err; }
'
test_expect_success 'a thread with a ring of its own' '
	: >on; { exec sh -c "while test -e on; do test -e file; read line <file; sleep 0.02; done" & } && pid=$! && wait_comm $pid sh &&
	perf trace -v -t $pid --no-inherit -e openat -o out --max-events 4 2>err && rm on && wait $pid; grep -E "openat\(dfd: CWD, filename: \"file\"" out &&
	! grep "filename: 0x" out && grep "memory of [1-9]" err
'
# gone: no program of ours is loaded
gone() { ! bpftool prog | grep -E "name call_(enter|exit|task)"; }
test_expect_success 'no program is left behind, also after a signal' '
	type bpftool >/dev/null 2>&1 || { echo "SKIP: no bpftool"; return 0; }
	wait_for gone && { perf trace -o out -e read sleep 30 & } && trace=$! && wait_for test -s out
	kill -TERM $trace && wait $trace; wait_for gone
'
test_done
