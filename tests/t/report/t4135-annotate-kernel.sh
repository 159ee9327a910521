#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 4
test_description='code and lines of the kernel: its memory, what it changes, modules, BPF programs'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq CAPSTONE 'no disassembler is built in' 'perf check feature libcapstone'
test_lazy_prereq BPF 'the kernel lets nobody load BPF programs' '"$BUILD/tests/programs/bpfload" 1'
cat >made.py <<-\EOF
	import os, struct, sys
	import pdata as p
	fields = ["IP", "TID", "TIME", "CPU", "PERIOD"]
	TEXT, MODULE, OOL = 0xffffffff81000000, 0xffffffffc0100000, 0xffffffffc0200000
	# push %rbp; mov %rsp,%rbp; nopl 0(%rax,%rax,1); call second; pop %rbp; ret
	first = bytes.fromhex("554889e50f1f440000e8") + struct.pack("<i", 0x40 - 0x10 - 14) + bytes.fromhex("5dc3")
	text, module = bytearray(b"\xcc" * 0x1000), bytearray(b"\xcc" * 0x1000)
	text[0x10:0x20], text[0x40:0x43] = first, bytes.fromhex("31c0c3")
	module[0x20:0x26] = b"\xe8" + struct.pack("<i", TEXT + 0x40 - (MODULE + 0x25)) + b"\xc3"  # call second; ret
	def kcore(path, *parts):
	    at = 64 + 56 * len(parts)
	    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(parts), 0, 0, 0)
	    for vaddr, data in parts:
	        head += struct.pack("<IIQQQQQQ", 1, 7, at, vaddr, 0, len(data), len(data), 0x1000)
	        at += len(data)
	    with open(path, "wb") as f:
	        f.write(head + b"".join(bytes(d) for _, d in parts))
	def mmap(start, size, pgoff, name):
	    return p.record(1, p.KERNEL, struct.pack("<IIQQQ", 0xffffffff, 0, start, size, pgoff) + p.text(name))
	def poke(addr, old, new):
	    return p.record(20, p.KERNEL, struct.pack("<QHH", addr, len(old), len(new)) + old + new)
	def write(path, ips, *more):
	    p.write(path, [(p.attr(1, 0, fields), [1])], [mmap(TEXT, 0x1000, TEXT, "[kernel.kallsyms]_text"), p.comm(9, 9, "prog"), *more] +
	            [p.sample(fields, misc=p.KERNEL, IP=ip, TID=(9, 9), TIME=10**9 + i, PERIOD=1) for i, ip in enumerate(ips)])
	os.makedirs("rec/kcore_dir")
	kcore("rec/kcore_dir/kcore", (TEXT, text), (MODULE, module))
	with open("rec/kcore_dir/kallsyms", "w") as f:
	    for name, addr in (("_text", 0), ("first", 0x10), ("gap", 0x20), ("second", 0x40), ("_etext", 0x1000)):
	        f.write("%x T %s\n" % (TEXT + addr, name))
	    f.write("%x t of_module\t[amodule]\n%x t other\t[amodule]\n" % (MODULE + 0x20, MODULE + 0x26))
	with open("rec/kcore_dir/modules", "w") as f:
	    f.write("amodule 4096 0 - Live 0x%x\n" % MODULE)
	places = [TEXT + 0x11, TEXT + 0x11, TEXT + 0x19, MODULE + 0x20]
	amodule = mmap(MODULE, 0x1000, 0, "[amodule]")
	write("rec/data", places, amodule)
	os.makedirs("poked")
	os.symlink("../rec/kcore_dir", "poked/kcore_dir")
	made = p.record(17, p.KERNEL, struct.pack("<QIHH", OOL, 4, 2, 0) + p.text("made_by_kernel"))
	write("poked/data", places + [OOL + 1], amodule, made, poke(TEXT + 0x14, first[4:9], b"\xe8" + struct.pack("<i", OOL - (TEXT + 0x19))),
	      poke(OOL, b"", bytes.fromhex("909090c3")))
	def at(time, rec):
	    kind, misc, size = struct.unpack("<IHH", rec[:8])
	    return struct.pack("<IHH", kind, misc, size + 24) + rec[8:] + struct.pack("<IIQII", 9, 9, time, 0, 0)
	nop, jump = first[4:9], b"\xe9" + struct.pack("<i", OOL - (TEXT + 0x19))
	os.makedirs("timed")
	os.symlink("../rec/kcore_dir", "timed/kcore_dir")
	p.write("timed/data", [(p.attr(1, 0, fields, flags=1 << 18), [1])],
	        [at(0, mmap(TEXT, 0x1000, TEXT, "[kernel.kallsyms]_text")), at(0, p.comm(9, 9, "prog"))] +
	        [at(t, poke(TEXT + 0x14, *codes)) for t, codes in ((25, (nop, jump)), (45, (jump, nop)))] +
	        [p.sample(fields, misc=p.KERNEL, IP=TEXT + 0x14, TID=(9, 9), TIME=t, PERIOD=1) for t in (20, 30, 40, 50)])
	p.add_features("timed/data", [(6, struct.pack("<I", 8) + b"x86_64\0\0")])
	for data, ko in ("ko", "amodule.ko"), ("lines", "lines.ko"), ("split", "split.ko"), ("xz", "packed.ko.xz"), ("gz", "packed.ko.gz"), ("zst", "packed.ko.zst"):
	    write(data + ".data", [0xffffffffc0300000, 0xffffffffc0300000 + int(sys.argv[1], 0)], mmap(0xffffffffc0300000, 0x4000, 0, os.getcwd() + "/" + ko))
EOF
# insns FILE FUNCTION: shares, addresses and instructions
insns() { perf annotate --stdio -i "$1" "$2" 2>err | sed -n "s/^ *\([0-9.]* : *[0-9a-f]*:\) */\1 /p" | tr -s " \t" " "; }

cat >amodule.c <<-\EOF
	__attribute__((section(".text.unlikely"), noinline)) int cold(int a) { return a * 3; }
	__attribute__((noinline)) int warm(int a) { return a ? cold(a) + 1 : 2; }
	__attribute__((section(".init.text"))) int start(void) { return warm(3); }
EOF
cold=0
test_have_prereq GCC && ${CC:-gcc} -O1 -fno-pic -fcf-protection=none -c amodule.c -o amodule.ko &&
	cold=0x$(nm -S amodule.ko | awk '$4 == "warm" { print $2 }')
PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 made.py "$cold" || exit

test_expect_success '--kcore: names of the kernel and of modules are those beside the data' '
	cat >want <<-\EOF &&
		first ([kernel.kallsyms])
		first ([kernel.kallsyms])
		first ([kernel.kallsyms])
		of_module ([amodule])
	EOF
	perf script -F ip,sym,dso -i rec | awk "{ print \$2, \$3 }" >got && test_cmp want got
'
test_expect_success CAPSTONE '... and their code is in the memory, where calls lead from one to the other' '
	cat >want <<-\EOF &&
		0.00 : ffffffff81000010: pushq %rbp
		66.67 : ffffffff81000011: movq %rsp,%rbp
		0.00 : ffffffff81000014: nopl (%rax,%rax)
		33.33 : ffffffff81000019: callq ffffffff81000040 <second>
		0.00 : ffffffff8100001e: popq %rbp
		0.00 : ffffffff8100001f: retq
	EOF
	insns rec first >got && test_cmp want got && insns rec of_module >got && test_grep "100.00 : ffffffffc0100020: callq ffffffff81000040 <second>" got
'
# It takes the first sample for one of another function of that name. Sections and files have other names there.
test_expect_success REFERENCE 'with objdump as the reference has it' '
	perf annotate --stdio --objdump=objdump -i rec 2>/dev/null | sed "/Source code/{ N; d; }; s/load[0-9][^>:]*/load0/; s/^ *[0-9][0-9.]* :/S :/" >got &&
	test -s got && "$REF" annotate --stdio -i rec 2>/dev/null | sed "/Source code/{ N; d; }; s/^ *[0-9][0-9.]* :/S :/" >want && test_cmp want got
'
test_expect_success CAPSTONE 'what the kernel changed is shown as it was at the end, and code that it made' '
	insns poked first >got && test_grep "ffffffff81000014: callq ffffffffc0200000 <made_by_kernel>" got &&
	perf annotate --stdio -i poked first >got 2>err && test_grep "kernel changed this code 1 time while it was recorded" got &&
	perf annotate --stdio -i poked of_module >got 2>err && test_grep ! "kernel changed" got && insns poked made_by_kernel >got &&
	test_line_count = 4 got && test_grep "100.00 : ffffffffc0200001: nop" got && test_grep "ffffffffc0200003: retq" got
'
test_expect_success '... and by script as it was at the time of each sample' '
	printf "%s\n" "0f 1f 44 00 00" "e9 e7 ff 1f 3f" "e9 e7 ff 1f 3f" "0f 1f 44 00 00" >want &&
	perf script -F ip,insn -i timed 2>err | sed "s/.*insn: //; s/ *$//" >got && test_cmp want got
'
test_expect_success 'a kernel of which there is no code: what to do is said' '
	mkdir bare && cp rec/data bare/ && perf annotate --stdio --kallsyms=rec/kcore_dir/kallsyms -i bare >got 2>err &&
	test_grep "cannot be read" err && test_grep ! "Percent" got
'
test_expect_success GCC,CAPSTONE 'a module that is not loaded: functions and code of its file, section after section' '
	perf script -F sym,ip -i ko.data | awk "{ print \$2 }" >got && printf "warm\ncold\n" >want && test_cmp want got &&
	insns ko.data cold >got && objdump -d --no-show-raw-insn -j .text.unlikely amodule.ko | grep -c "^ *[0-9a-f]*:" >want && test_line_count = "$(cat want)" got &&
	insns ko.data warm >got && objdump -d -j .text --no-show-raw-insn amodule.ko | sed -n "s/^ *\([0-9a-f]*\):.*/\1/p" >want &&
	sed "s/.* : \([0-9a-f]*\): .*/\1/" got >addrs && test_cmp want addrs
'
# lines FILE [OPTION...]: the two functions of the module, with their lines
lines()
{
	local f=$1

	shift
	perf script -F ip,sym,srcline -i "$f" "$@" 2>err | awk '/^ *ffff/ { name = $2; next } { print name, $1 }' >got
	printf 'warm amodule.c:2\ncold amodule.c:1\n' >want && test_cmp want got
}
test_expect_success GCC,CAPSTONE 'lines of a module, whose debug information is relocated as its code is' '
	${CC:-gcc} -g -O1 -fno-pic -fcf-protection=none -c amodule.c -o lines.ko && lines lines.data &&
	perf annotate --stdio -i lines.data cold >got 2>err && test_grep "return a \* 3" got && test_grep ! "return a ?" got &&
	perf report --stdio -s sym,srcline -i lines.data 2>err >got && test_grep "warm *amodule.c:2" got &&
	${CC:-gcc} -gz -g -gdwarf-4 -O1 -fno-pic -fcf-protection=none -c amodule.c -o lines.ko && lines lines.data
'
test_expect_success GCC,CAPSTONE 'in a debug file of its own, known by its build-id' '
	ld -r --build-id=sha1 -o split.ko lines.ko && mkdir -p "root/usr/lib/debug$PWD" "root$PWD" &&
	objcopy --only-keep-debug split.ko "root/usr/lib/debug$PWD/split.ko.debug" &&
	strip -g split.ko && lines split.data; test $? -ne 0 && mv split.ko "root$PWD/" && lines split.data --symfs root &&
	ld -r --build-id=0x1234 -o "root/usr/lib/debug$PWD/split.ko.debug" lines.ko && ! HOME=$PWD/apart lines split.data --symfs root
'
for format in xz gz zst; do
	case $format in
	xz) tool=xz lib=liblzma ;;
	gz) tool=gzip lib=zlib ;;
	zst) tool=zstd lib=libzstd ;;
	esac
	test_lazy_prereq PACK_$format "needs $tool, and perf with $lib" "command -v $tool && perf check feature ${lib/liblzma/lzma}"
	test_expect_success "GCC,CAPSTONE,PACK_$format" "a module that $tool compressed: names, lines and code" '
		$tool -q -c lines.ko >packed.ko.$format && lines $format.data && insns $format.data cold >got && insns ko.data cold >want && test_cmp want got &&
		head -c 300 packed.ko.$format >cut && cp cut packed.ko.$format && ! lines $format.data
	'
done
test_expect_success ROOT,PERF_EVENTS,BPF,CAPSTONE 'a BPF program: its code, its lines, and the kernel that it calls' '
	echo 3000000 | perf record -q -o bpf.data -e cpu-clock -c 250000 "$(program bpfload)" -r >/dev/null &&
	name=$(perf script -F ip,sym -i bpf.data 2>/dev/null | sed -n "s/.* \(bpf_prog_[0-9a-f]*_demo_filter\)$/\1/p" | head -n 1) && test -n "$name" &&
	perf annotate --stdio -i bpf.data "$name" >got 2>err && test_grep " : 10 *return half(7);" got &&
	test_grep "callq\? *ffff[0-9a-f]* <bpf_prog_.*_demo_half>" got &&
	perf script -F ip,sym,srcline -i bpf.data 2>/dev/null | grep -A 1 demo_filter >got && test_grep "^ *demo.c:10$" got &&
	perf report --stdio -s sym,srcline -i bpf.data 2>/dev/null >got && test_grep "$name *demo.c:10" got &&
	perf annotate --stdio --objdump=objdump -i bpf.data "$name" >got 2>err; test_grep "leave --objdump out" err &&
	# in a stream that is made of it, too
	perf inject -i bpf.data >bpf.pipe && perf annotate --stdio -i - "$name" <bpf.pipe >got 2>err && test_grep "return half(7);" got
'
test_done
