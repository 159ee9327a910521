#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 4
test_description='inject --guest-data: what a guest recorded is put into the recording of its host'
. "$(dirname "$0")/../../lib/tap.sh"

cat >made.py <<-\EOF
	import struct, sys
	import pdata as p
	fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD"]
	flags = 1 << 18 | 1 << 20 | 1 << 24  # sample_id_all, exclude_guest, comm_exec
	def tail(rec, pid, tid, time, cpu, number):
	    rec += struct.pack("<IIQIIQ", pid, tid, time, cpu, 0, number)
	    return rec[:6] + struct.pack("<H", len(rec)) + rec[8:]
	def user(kind, body=b""):
	    return p.record(kind, 0, body)
	def index(first):
	    ids = [(first + i, i, i % 2, -1) for i in range(4)]
	    return user(69, struct.pack("<Q", 4) + b"".join(struct.pack("<QQqq", *i) for i in ids))
	def kernel(start):
	    return tail(p.record(1, 1, struct.pack("<IIQQQ", 0xffffffff, 0, start, 0x1000000, start) + p.text("[kernel.kallsyms]_text")),
	                0, 0, 0, 0, 0)
	def fork(pid, ppid, tid=None):
	    return p.record(7, 0, struct.pack("<IIIIQ", pid, ppid, tid or pid, ppid, 0))
	def switch(out, pid):
	    return p.record(15, 0x2000 * out, struct.pack("<II", pid, pid))
	def conv(shift=0, mult=0, zero=0):
	    return [user(79, struct.pack("<QQQQQBB6x", shift, mult, zero, 0, 0, 1, 0))] if mult else []
	def sample(misc, ip, pid, tid, time, cpu, number):
	    return p.sample(fields, misc=misc, IDENTIFIER=number, IP=ip, TID=(pid, tid), TIME=time, CPU=cpu, PERIOD=1)
	events = lambda first: [(p.attr(1, 0, fields, flags=flags), [first, first + 1]),
	                        (p.attr(1, 9, fields, flags=flags), [first + 2, first + 3])]
	ms = 10**6
	def host(path, *more):
	    p.write(path, events(1), [index(1), kernel(0xffffffff81000000), *conv(*more),
	        tail(p.comm(100, 100, "qemu"), 0, 0, 0, 0, 0), tail(p.comm(100, 101, "CPU 0/KVM"), 0, 0, 0, 0, 0),
	        tail(p.comm(7, 7, "of-host"), 0, 0, 0, 0, 0), tail(p.mmap2(7, 0x400000, 0x1000, 0, "/bin/of-host"), 0, 0, 0, 0, 0), user(82),
	        tail(p.comm(100, 102, "CPU 1/KVM"), 100, 102, 1000 * ms, 0, 3), tail(switch(0, 100), 100, 101, 1001 * ms, 1, 4),
	        sample(2, 0x400010, 7, 7, 1010 * ms, 0, 1), sample(4, 0xffffffff91000010, 100, 101, 1020 * ms, 1, 2), user(68),
	        tail(switch(1, 100), 100, 101, 1030 * ms, 1, 4), tail(switch(0, 100), 100, 102, 1031 * ms, 1, 4),
	        sample(2, 0x400020, 7, 7, 1050 * ms, 0, 1), user(68)])
	def guest(path, *more):
	    p.write(path, events(51), [index(51), kernel(0xffffffff91000000), *conv(*more),
	        tail(p.comm(1, 1, "init"), 0, 0, 0, 0, 0), user(82),
	        tail(fork(7, 1), 1, 1, 1002 * ms, 0, 53), tail(p.comm(7, 7, "of-guest", 0x2000), 7, 7, 1003 * ms, 0, 53),
	        tail(p.mmap2(7, 0x400000, 0x1000, 0, "/bin/of-guest"), 7, 7, 1004 * ms, 0, 53),
	        sample(2, 0x400010, 7, 7, 1011 * ms, 0, 51), tail(switch(1, 1), 7, 7, 1012 * ms, 1, 54),
	        tail(p.record(13, 0, struct.pack("<Q", 3)), 7, 7, 1013 * ms, 0, 53), user(68),
	        tail(p.record(17, 1, struct.pack("<QIHH", 0xffffffffc0000000, 64, 1, 0) + p.text("bpf_prog_1")), 7, 7, 1032 * ms, 1, 54),
	        tail(p.record(4, 0, struct.pack("<IIIIQ", 7, 1, 7, 1, 1060 * ms)), 7, 7, 1060 * ms, 0, 53), user(68)])
	host("host.data"), guest("guest.data")
	host("host-conv.data", 10, 300, 7000), guest("guest-conv.data", 10, 500, 1000)
	fields.remove("IDENTIFIER")
	p.write("plain.data", [(p.attr(1, 0, fields, flags=flags), [1])], [tail(p.comm(100, 101, "CPU 0/KVM"), 0, 0, 0, 0, 0)[:-8], user(82)])
EOF
PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 made.py || exit
# lines PERF FILE [FIELD...]: all records in order, and whose they are
lines() {
	"$1" script --show-task-events --show-mmap-events --show-switch-events --show-bpf-events \
		-F "comm,pid,tid,time,event,ip,machine_pid,vcpu${3+,$3}" -i "$2" 2>/dev/null | awk '{ $1 = $1; print }'
}

test_expect_success 'records of the guest stand where their time is, of its own threads, on the CPU of its processor' '
	cat >want <<-\EOF &&
		VM: 100 VCPU:000 swapper 0/0 [000] 0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff91000000(0x1000000) @ 0xffffffff91000000]: x [kernel.kallsyms]_text
		VM: 100 VCPU:000 init 0/0 [000] 0.000000: PERF_RECORD_COMM: init:1/1
		CPU 1/KVM 100/102 [000] 1.000000: PERF_RECORD_COMM: CPU 1/KVM:100/102
		CPU 0/KVM 100/101 [001] 1.001000: PERF_RECORD_SWITCH_CPU_WIDE IN prev pid/tid: 100/100
		VM: 100 VCPU:000 init 1/1 [001] 1.002000: PERF_RECORD_FORK(7:7):(1:1)
		VM: 100 VCPU:000 of-guest 7/7 [001] 1.003000: PERF_RECORD_COMM exec: of-guest:7/7
		VM: 100 VCPU:000 of-guest 7/7 [001] 1.004000: PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 08:01 123 0]: r-xp /bin/of-guest
		of-host 7/7 [000] 1.010000: cpu-clock: 400010
		VM: 100 VCPU:001 of-guest 7/7 [000] 1.012000: PERF_RECORD_SWITCH_CPU_WIDE OUT next pid/tid: 1/1
		CPU 0/KVM 100/101 [001] 1.020000: cpu-clock: ffffffff91000010
		CPU 0/KVM 100/101 [001] 1.030000: PERF_RECORD_SWITCH_CPU_WIDE OUT next pid/tid: 100/100
		CPU 1/KVM 100/102 [001] 1.031000: PERF_RECORD_SWITCH_CPU_WIDE IN prev pid/tid: 100/100
		VM: 100 VCPU:001 of-guest 7/7 [001] 1.032000: PERF_RECORD_KSYMBOL addr ffffffffc0000000 len 64 type 1 flags 0x0 name bpf_prog_1
		of-host 7/7 [000] 1.050000: cpu-clock: 400020
		VM: 100 VCPU:000 of-guest 7/7 [001] 1.060000: PERF_RECORD_EXIT(7:7):(1:1)
	EOF
	perf inject -i host.data -o out.data --guest-data=guest.data,100 2>err && ! test -s err &&
	lines perf out.data cpu | sed "1,/of-host.*MMAP2/d" >got && test_cmp want got
'
test_expect_success 'a stream holds the same' '
	perf inject -i host.data --guest-data=guest.data,100 >out.pipe && lines perf out.data cpu >want && lines perf - cpu <out.pipe >got &&
	test_cmp want got
'
test_expect_success 'samples are of the host: no thread or mapping of the guest is taken for its' '
	perf script -F comm,ip,dso -i host.data >want && perf script -F comm,ip,dso -i out.data | sed "s/guest.kernel.kallsyms.100/unknown/" >got &&
	test_cmp want got && perf report --tasks -i out.data >tasks && test_grep "of-host" tasks && test_grep ! "of-guest\|init" tasks
'
test_expect_success 'what the host sampled in the kernel of the guest has names: below --guestmount' '
	mkdir -p mount/100/proc mount/100/bin mount/100/sys/kernel && cp "$(command -v sleep)" mount/100/bin/of-guest &&
	cp /sys/kernel/notes mount/100/sys/kernel/ && printf "ffffffff91000000 T _text\nffffffff91000008 T guest_function\n" >mount/100/proc/kallsyms &&
	perf script --guestmount=mount -F ip,sym,dso -i out.data >got && test_grep "guest_function (\[guest.kernel.kallsyms.100\])" got
'
test_expect_success 'build-ids of what the guest mapped come from its own files' '
	perf inject -i host.data -o ids.data --guest-data=guest.data,100 --guestmount=mount && perf buildid-list -i ids.data >got &&
	perf buildid-list -k >kernel && test_grep "^$(cat kernel) \[kernel.kallsyms\]$" got && test_grep "[0-9a-f] /bin/of-guest$" got &&
	test_grep ! of-host got
'
# It leaves KSYMBOL records out, against its manual, and calls the thread of a sample in a guest :TID.
test_expect_success REFERENCE 'the reference makes the same of them, with times that are converted, too' '
	for way in "host guest 100" "host guest 100,0x3b9aca00,1.25" "host guest 100,-9000000000" "host-conv guest 100,5000,1.5" \
		"host guest-conv 100,5000,1.5" "host-conv guest-conv 100,-9000000000,1.1"; do
		set -- $way
		perf inject -i $1.data -o o.data --guest-data=$2.data,$3 && "$REF" inject -i $1.data -o r.data --guest-data=$2.data,$3 &&
		lines "$REF" r.data >want && lines "$REF" o.data | grep -v KSYMBOL >got && test_cmp want got && lines perf o.data | grep -v KSYMBOL | sort >got &&
		sed "s/:101 100/CPU 0\/KVM 100/" want | sort >sorted && test_cmp sorted got && "$REF" evlist -v -i r.data >want && "$REF" evlist -v -i o.data >got &&
		test_cmp want got || { echo "$way"; return 1; }
	done
'
test_expect_success 'two guests, at once or one after the other' '
	perf inject -i host.data -o two.data --guest-data=guest.data,100 --guest-data=guest-conv.data,100,1000 &&
	perf inject -i out.data -o again.data --guest-data=guest-conv.data,100,1000 && lines perf two.data | sort >want &&
	lines perf again.data | sort >got && test_cmp want got && test "$(grep -c "VM:.*of-guest:7/7" want)" = 2 && perf evlist -i two.data >events &&
	test_line_count = 6 events
'
test_expect_success 'build-ids of the host can be added in the same run' '
	perf inject -b -i host.data -o b.data --guest-data=guest.data,100 && lines perf out.data >want && lines perf b.data >got && test_cmp want got
'
# refused STATUS WORDS OPTION...
refused() {
	local status=$1 words=$2
	shift 2
	test_expect_code "$status" perf inject -o no.data "$@" 2>err && test_grep "$words" err && test ! -e no.data || return
	test_have_prereq REFERENCE || return 0
	test_expect_code "$status" "$REF" inject -o ref-no.data "$@" 2>/dev/null
}
test_expect_success 'what cannot be put together is refused, with the statuses of the reference' '
	refused 129 "lacks the PID" -i host.data --guest-data=guest.data && refused 129 "lacks the PID" -i host.data --guest-data=guest.data,x &&
	refused 129 "lacks a scale" -i host.data --guest-data=guest.data,100,1,0 && refused 255 "nosuch" -i host.data --guest-data=nosuch,100 &&
	refused 255 "not a perf.data" -i host.data --guest-data=made.py,100 && refused 234 "no thread of process 7" -i host.data --guest-data=guest.data,7 &&
	test_expect_code 244 perf inject -i host.data -o no.data --guest-data=guest.data,100 --guestmount=nowhere 2>err &&
	test_grep "not at nowhere/100" err &&
	perf inject -i host.data >host.pipe && refused 234 "a stream" -i host.data --guest-data=host.pipe,100 &&
	refused 234 "the host is a stream" -i host.pipe --guest-data=guest.data,100 &&
	test_expect_code 242 perf inject -i plain.data -o no.data --guest-data=guest.data,100 2>err && test_grep "sample-identifier" err
'
test_expect_success 'of a guest that is cut off the rest is put in, and the status tells' '
	head -c $(($(stat -c %s guest.data) - 100)) guest.data >cut.data &&
	test_expect_code 255 perf inject -i host.data -o o.data --guest-data=cut.data,100 2>err && test_grep "cut off" err &&
	lines perf o.data >got && test_grep "VM: 100 .*of-guest:7/7" got && test_grep ! "PERF_RECORD_EXIT" got &&
	perf inject -f -i host.data -o o.data --guest-data=cut.data,100 2>/dev/null
'
cat >vm.py <<-\EOF
	import ctypes, threading, time
	def vcpu(n):
	    ctypes.CDLL(None).prctl(15, b"CPU %d/KVM" % n, 0, 0, 0)
	    time.sleep(0.05)
	    for _ in range(100):
	        pass
	    time.sleep(0.3)
	threads = [threading.Thread(target=vcpu, args=(n,)) for n in range(64)]
	for t in threads: t.start()
	for t in threads: t.join()
EOF
test_expect_success ROOT,PERF_EVENTS,REFERENCE 'two recordings made at the same time: the reference makes and reads the same' '
	perf record -q -B -N -o live.data --sample-identifier -e task-clock -- python3 vm.py & vm=$! &&
	perf record -q -B -N -o live-guest.data --sample-identifier --switch-events -a -e cpu-clock -F 99 -- sleep 0.1; wait $vm &&
	pid=$(perf script --show-task-events -F pid -i live.data | awk -F "[:/]" "/CPU 0.KVM:/ { print \$(NF - 1); exit }") && test -n "$pid" &&
	perf inject -i live.data -o o.data --guest-data=live-guest.data,$pid && "$REF" inject -i live.data -o r.data --guest-data=live-guest.data,$pid &&
	lines "$REF" r.data >want && lines "$REF" o.data >got && test_cmp want got && test_grep "^VM:" got && lines perf o.data >got &&
	test_cmp want got
'
test_done
