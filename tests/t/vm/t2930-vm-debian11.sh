#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-long only
# beside others
# takes long
test_description='make static: the file runs in the root of Debian 11, and with its kernel in an emulated machine'
TEST_TIMEOUT=400
VM_SECONDS=${VM_SECONDS:-200}
VM_RELEASE=bullseye
. "$(dirname "$0")/../../vm/lib.sh"
. "$(dirname "$0")/../../lib/tap.sh"

test -z "$SAN" || test_skip_all 'sanitizers need shared libraries'
test "$(uname -m)" = x86_64 || test_skip_all 'the perf of this machine has to be for x86_64'
test_lazy_prereq STATIC 'no make, or no static C library, libelf or libdw' '
	command -v make && test -f "$SRC/Makefile" &&
	printf "#include <elfutils/libdw.h>\nint main(void) { return !dwarf_begin; }\n" >probe.c &&
	gcc -static -o probe probe.c -ldw -lelf -lz -lbz2 -llzma -lzstd'
test_require STATIC
vm_tools amd64 || test_skip_all "$vm_why"
vm_fetch amd64 busybox-static bash coreutils base-files || test_skip_all "$vm_why"
test_lazy_prereq CHROOT 'cannot mount a folder over another and change into it' '
	mkdir -p o/up o/work o/all && unshare -m mount -t overlay -o lowerdir="$VM_ROOT",upperdir=o/up,workdir=o/work none o/all'

W=$PWD
test_expect_success 'it is built' '
	flock "$BUILD/.static" make -C "$SRC" O="$BUILD" CFLAGS="-Werror -O0" static >out 2>&1 || { cat out; return 1; }
	cp "$BUILD-static/perf" perf
'
cat >within <<'END'
#!/bin/sh
# within ROOT COMMAND...: among the programs of Debian 11, in this folder as /tmp/here
cd "${0%/*}" && mkdir -p up work all && mount -t overlay -o "lowerdir=$1,upperdir=up,workdir=work" none all &&
	mkdir -p all/proc all/tmp/here && mount -t proc none all/proc && mount --bind . all/tmp/here && shift &&
	exec chroot all /bin/bash -c 'cd /tmp/here && "$@"' bash "$@"
END
chmod +x within
within() { unshare -m "$W/within" "$VM_ROOT" "$@"; }
test_expect_success ROOT,CHROOT,PERF_EVENTS 'in the root of Debian 11: a recording, names of its programs and libraries, counts' '
	within cat /etc/debian_version >version && test_grep "^11" version &&
	within ./perf record -g -e cpu-clock -o x.data -- bash -c "for ((i = 0; i < 60000; i++)); do a=\$i\$a; a=\${a:0:9}; done" 2>err || { cat err; return 1; }
	within ./perf report -i x.data --stdio --no-children -g none -s dso,sym >report 2>err &&
	test_grep "libc-2.31.so  *\[\.\] [a-z_]" report && test_grep "bash  *\[\.\] [a-z_]" report &&
	within ./perf stat -e task-clock,faults -- ls / 2>err && test_grep "[1-9].* task-clock" err
'

test_expect_success 'the machine boots its kernel, records and powers off' '
	vm_initrd amd64 initrd "$VM_DIR/debian11.sh" bin/perf="$W/perf" || { echo "$vm_why"; return 1; }
	vm_run amd64 initrd "$TRASH/cwd" -smp 2 && test_set_prereq BOOTED
'
test_have_prereq BOOTED || test_done
test_expect_success 'that is Linux 5.10; all commands end well, without warnings' '
	test_grep "^5\.10\." kernel.out &&
	for f in version record report all script stat kallsyms buildid pages calls nobody; do
		cat $f.out | head -n 20 && test_grep "^exit 0" $f.out || return 1
	done &&
	test_grep ! -i "warning\|error" record.out && test_grep ! -i "warning\|error" all.out
'
test_expect_success 'names, times, tracepoints and counts' '
	test_grep "noploop" report.out && test_grep "\[k\] [a-z_]" report.out &&
	test_grep "cpu-clock:.*" script.out && test_grep "sched:sched_switch:" script.out && test_grep "\[001\]" script.out &&
	test_grep "[1-9].* task-clock" stat.out && test_grep ! "not supported" stat.out && test_grep "^schedule: \[kernel\]" kallsyms.out
'
test_expect_success 'what 5.10 does not have is told; users record their own programs' '
	test_grep "before 5.12" buildid.out && test_grep "left out: --data-page-size, --code-page-size (since Linux 5.11)" pages.out &&
	test_grep "Captured and wrote" nobody.out
'
test_expect_success 'BPF programs copy what calls point to' '
	test_grep "memory of [1-9][0-9]* calls was copied" calls.out && test_grep "open\(at\)\?(.*filename: \"/proc/version\"" calls.txt &&
	test_grep "execve(.* argv: \[\"cat\", \"/proc/version\"\]" calls.txt
'
test_expect_success 'its recordings are read here' '
	perf report --stdio -i record.data -s comm -g none >out 2>err && test_grep " perf" out && perf evlist -v -i record.data >out && test_grep "ksymbol: 1" out &&
	perf script -i all.data -F event >out 2>err && test_grep sched_switch out
'
test_done
