#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
test_description='an emulated x86 machine: perf probe on a kernel with kprobes'
TEST_TIMEOUT=600
VM_SECONDS=${VM_SECONDS:-450}
. "$(dirname "$0")/../../vm/lib.sh"
. "$(dirname "$0")/../../lib/tap.sh"

test -n "$LONG" || test_skip_all 'takes minutes where the machine is busy; with LONG=1'
test -z "$SAN" || test_skip_all 'an emulated machine is slow enough without'
test "$(uname -m)" = x86_64 || test_skip_all 'runs the perf of this machine, which has to be x86_64'
vm_tools amd64 || test_skip_all "$vm_why"
vm_fetch amd64 busybox-static || test_skip_all "$vm_why"

# Definitions by lines and variables are made here, where the debug information of that kernel is.
release=$(strings -n 12 "$VM_ROOT/boot/vmlinuz" | sed -n 's/^\([0-9][^ ]*\) (.*/\1/p' | head -n 1)
vmlinux=${VM_VMLINUX:-/usr/lib/debug/boot/vmlinux-$release}
test_lazy_prereq VMLINUX "needs the debug information of the kernel $release of the machine" "test -e '$vmlinux'"
: >definitions
if test_have_prereq VMLINUX; then
	perf probe -k "$vmlinux" -D 'line=do_sys_openat2:5 dfd' -D 'var=do_filp_open name=pathname->name:string flag=op->open_flag' >definitions
fi

test_expect_success 'the machine boots, probes and powers off' '
	test_have_prereq REFERENCE && ref=ref/perf=$REF
	vm_initrd amd64 initrd "$VM_DIR/amd64-probe.sh" ours/perf="$PERF" definitions=definitions $ref || { echo "$vm_why"; return 1; }
	vm_run amd64 initrd "$TRASH/cwd" && test_set_prereq BOOTED
'
test_have_prereq BOOTED || test_done

test_expect_success 'entry, return, offset, arguments, module: made' '
	for f in entry return offset args number module; do test_grep "^exit 0" ours/$f.out || return 1; done &&
	test_grep "^p:probe/args _text+[0-9]* dfd=%di:s32 path=+0(%si):ustring" ours/events &&
	test_grep "^r[0-9]*:probe/opened__return _text+[0-9]* ret=.retval:s32" ours/events &&
	test_grep "^p:mine/number _text+[0-9]* arg1=.arg1:x32 arg2=.comm" ours/events &&
	test_grep "^p:probe/virtio_queue_rq virtio_blk:virtio_queue_rq" ours/events
'
test_expect_success 'what is recorded' '
	test_grep "cat *probe:args: (ffff.*) dfd=-100 path=\"/etc/passwd\"" ours/script.out &&
	test_grep "cat *probe:opened__return: (ffff.* <- ffff.*) ret=3" ours/script.out &&
	test_grep "cat *mine:number: (ffff.*) arg1=0xffffff9c arg2=\"cat\"" ours/script.out &&
	test_grep "dd *probe:virtio_queue_rq: (ffff" ours/script.out || test_grep "probe:virtio_queue_rq: (ffff" ours/script.out
'
test_expect_success VMLINUX 'lines and variables, by definitions made from the debug information' '
	test_line_count = 2 definitions && test_grep "cat *probe:line: (ffff.*) dfd=-100" ours/script.out &&
	test_grep "cat *probe:var: (ffff.*) name=\"/etc/passwd\" flag=32768" ours/script.out
'
test_expect_success REFERENCE 'the same as the reference: the probes, their lists, what is refused' '
	for f in events entry.out again.out force.out return.out args.out number.out module.out none.out offset.out list.out delete.out rest.out all.out events.rest; do
		sed "s/^r[0-9]*:/r:/" ref/$f | sort >want && sed "s/^r[0-9]*:/r:/" ours/$f | sort >have && test_cmp want have || return 1
	done && test_grep "^asm_.* is blacklisted function" ref/blacklisted.out
'
test_expect_success 'functions that have no probes, that are not there, that are there twice' '
	test_grep "^[a-z_0-9]* is blacklisted function: the kernel allows no probes in it" ours/blacklisted.out && test_grep ! "^exit 0" ours/blacklisted.out &&
	test_grep "Failed to find symbol no_such_function_at_all in kernel" ours/none.out &&
	test_grep "event \"do_sys_openat2\" already exists" ours/again.out && test_grep "probe:do_sys_openat2_1" ours/force.out
'
test_expect_success 'functions of modules, by the name and by the file' '
	test_grep "^virtio_queue_rq" of_module.out && test_grep "^virtio_queue_rq" of_file.out && test_grep "^vfs_open" functions.out &&
	test_grep "^p:probe/virtio_queue_rq virtio_blk:virtio_queue_rq" file_events.out
'
test_expect_success 'many at once and none of them; two at once' '
	test "$(cat many.count)" = "$(wc -l <names)" && test "$(wc -l <names)" -ge 40 && test_grep "^exit 0" many_delete.out &&
	test ! -s half.events && test_grep ! "^exit 0" half.out &&
	test "$(grep -c vfs_read two.events)" = 2 && test "$(grep -c vfs_write two.events)" = 2 && test_grep "^exit 0" two_delete.out
'
test_expect_success 'users without rights; kernels that are locked down' '
	test_grep ! "^exit 0" nobody.out && test_grep "run as root" nobody.out && test_grep "^exit 0" dry.out &&
	test_grep "^exit 0" lock.integrity.out &&
	test_grep "kernel is locked down (/sys/kernel/security/lockdown), which forbids kprobes" lock.confidentiality.out
'
test_done
