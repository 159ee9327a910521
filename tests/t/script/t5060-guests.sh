#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 3 of 4
test_description='samples of virtual machines: where their symbols are'
. "$(dirname "$0")/../../lib/tap.sh"

PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF
	import struct
	import pdata as p
	GUEST_KERNEL, GUEST_USER = 4, 5
	fields = ["IP", "TID", "TIME", "CPU", "PERIOD"]
	def mmap(pid, start, size, pgoff, name, misc=GUEST_KERNEL):
	    return p.record(1, misc, struct.pack("<IIQQQ", pid, pid, start, size, pgoff) + p.text(name))
	def write(path, *maps):
	    records = [p.comm(100, 100, "qemu"), p.mmap2(100, 0x400000, 0x1000, 0, "/bin/qemu"), p.comm(200, 200, "qemu"),
	               p.mmap2(200, 0x400000, 0x1000, 0, "/bin/kvm"), *maps]
	    for misc, ip, pid in ((GUEST_KERNEL, 0xffffffff81000110, 100), (GUEST_KERNEL, 0xffffffff81000210, 200),
	                          (GUEST_KERNEL, 0xffffffffc0000010, 100), (GUEST_USER, 0x400100, 100), (GUEST_USER, 0x400100, 200),
	                          (p.USER, 0x400200, 100)):
	        records.append(p.sample(fields, misc=misc, IP=ip, TID=(pid, pid), TIME=10**9 + len(records) * 1000, PERIOD=1))
	    p.write(path, [(p.attr(0, 0, fields), [1])], records)
	text = 0xffffffff81000000
	fields.insert(0, "IDENTIFIER")
	ids = [(1, 0, 0, 0), (2, 1, 1, 0), (3, 2, 0, 0), (4, 3, 0, 0)]
	guests = [(0, 0), (100, 0), (100, 3), (123456, 1234)]
	p.write("ids.data", [(p.attr(0, 0, fields, flags=1 << 18), [1, 2, 3, 4])], [
	    p.record(69, 0, struct.pack("<Q", 4) + b"".join(struct.pack("<4Q", *i) for i in ids) +
	             b"".join(struct.pack("<2Q", *g) for g in guests))] +
	    [p.sample(fields, misc=misc, IDENTIFIER=n, IP=0x400100 + n, TID=(100, 100), TIME=10**9 + i * 1000, CPU=1, PERIOD=1)
	     for i, (misc, n) in enumerate([(2, 1), (5, 2), (4, 2), (5, 3), (2, 3), (5, 4), (5, 1), (5, 9)])])
	del fields[0]
	write("one.data", mmap(0, text, 0x1000000, text, "[guest.kernel.kallsyms]_text"))
	write("none.data")
	write("two.data", *(mmap(pid, text, 0x1000000, text, "[guest.kernel.kallsyms.%d]_text" % pid) for pid in (100, 200)))
EOF
cat >kallsyms <<-\EOF
	ffffffff81000000 T _text
	ffffffff81000100 T first
	ffffffff81000200 T second
	ffffffffc0000000 t of_module	[guestmod]
EOF
echo "guestmod 16384 1 - Live 0xffffffffc0000000" >modules
mkdir -p mount/100/proc mount/200/proc
cp kallsyms mount/100/proc/ && sed "s/second/other/" kallsyms >mount/200/proc/kallsyms
places() { perf script -F ip,sym,dso "$@" 2>/dev/null | awk '{ $1 = $1; print }'; }

test_expect_success 'copies of kallsyms and modules' '
	cat >want <<-\EOF &&
		ffffffff81000110 first ([guest.kernel.kallsyms])
		ffffffff81000210 second ([guest.kernel.kallsyms])
		ffffffffc0000010 of_module ([guestmod])
		400100 [unknown] ([unknown])
		400100 [unknown] ([unknown])
		400200 [unknown] (/bin/qemu)
	EOF
	places -i one.data --guestkallsyms=kallsyms --guestmodules=modules >out && test_cmp want out &&
	sed "s/of_module (.*)/[unknown] ([unknown])/" want >without && places -i one.data --guestkallsyms=kallsyms >out && test_cmp without out
'
test_expect_success REFERENCE 'without a module, as the reference names them' '
	places -i one.data --guestkallsyms=kallsyms >out &&
	"$REF" script -F ip,sym,dso -i one.data --guestkallsyms=kallsyms 2>/dev/null | awk "{ \$1 = \$1; print }" >ref && test_cmp ref out
'
test_expect_success 'of each its own: below the mount directory' '
	cat >want <<-\EOF &&
		ffffffff81000110 first ([guest.kernel.kallsyms.100])
		ffffffff81000210 other ([guest.kernel.kallsyms.200])
	EOF
	places -i two.data --guestmount=mount | head -n 2 >out && test_cmp want out
'
test_expect_success 'kernels that no record tells of are where their files say' '
	places -i one.data --guestkallsyms=kallsyms --guestmodules=modules >want &&
	places -i none.data --guestkallsyms=kallsyms --guestmodules=modules >out && test_cmp want out &&
	cp modules mount/100/proc/ && places -i none.data --guestmount=mount | head -n 3 >out && cat >want <<-\EOF && test_cmp want out
		ffffffff81000110 first ([guest.kernel.kallsyms.100])
		ffffffff81000210 other ([guest.kernel.kallsyms.200])
		ffffffffc0000010 [unknown] ([guestmod])
	EOF
'
test_expect_success 'their code is in the processes they run in' '
	places -i two.data --guest-code | sed -n 4,6p >out &&
	printf "400100 [unknown] (%s)\n" /bin/qemu /bin/kvm >want && echo "400200 [unknown] (/bin/qemu)" >>want && test_cmp want out
'
test_expect_success GCC 'a vmlinux; report' '
	printf ".globl _text, in_image\n_text: .fill 512, 1, 0x90\n.type in_image,@function\nin_image: .fill 512, 1, 0x90\n.size in_image, .-in_image\n" >image.S &&
	"${CC:-cc}" -nostdlib -static -Wl,-Ttext=0xffffffff80000000,-e,0 -o image image.S &&
	perf report --stdio -s sym -i one.data --guestvmlinux=image >out 2>err && test_grep "16.67%  \[g\] in_image" out &&
	perf report --stdio -s sym -i one.data --guestkallsyms=kallsyms >out 2>err && test_grep "\[g\] second" out &&
	perf report --stdio -v -s sym -i one.data >out 2>err && test_grep "\[g\] 0xffffffff81000210" out &&
	test_grep "guestkallsyms" err
'
test_expect_success REFERENCE 'machine_pid, vcpu: whose event it is' '
	for c in machine_pid,vcpu,tid,pid,cpu,time,event,ip,misc vcpu,ip machine_pid,ip -vcpu,-comm,+machine_pid; do
		"$REF" script -i ids.data -F $c >ref 2>/dev/null && perf script -i ids.data -F $c >out && test_cmp ref out &&
		perf inject -i ids.data -o - | perf script -i - -F $c >out && test_cmp ref out || return 1
	done &&
	perf script -i ids.data -F machine_pid,vcpu,comm >out && test_grep "^VM:123456 VCPU:1234 .*:100" out
'
test_expect_success 'a file that is not there' '
	test_expect_code 255 perf script -i one.data --guestmodules=nosuch >out 2>err && test_grep nosuch err &&
	perf report -i one.data --guestmodules=nosuch >out 2>err; test_grep "cannot read.*nosuch" err
'
test_done
