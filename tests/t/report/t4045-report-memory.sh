#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 7 of 8
test_description='report: keys of memory accesses, source lines, sizes and addresses, as the reference prints them'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
test_require REFERENCE

test_expect_success 'recordings' '
	cat >prog.c <<-\EOF &&
		#include <stdio.h>
		int table[64] = {1, 2, 3};
		char buffer[4096];
		struct { long a, b, c; } pair = {1, 2, 3};
		static __attribute__((noinline)) int work(int n)
		{
			return table[n % 64] * n;
		}
		__attribute__((noinline)) int other(int n)
		{
			buffer[n % 4096] = n;
			pair.b += n;
			return work(n) + 1;
		}
		int main(void)
		{
			printf("%d\n", other(4));
			return 0;
		}
	EOF
	$CC -g -O1 -no-pie -o prog prog.c &&
	nm prog >symbols && readelf -lW prog | grep LOAD >loads &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF
		import os, struct
		import pdata as p
		prog = os.getcwd() + "/prog"
		at = {l.split()[2]: int(l.split()[0], 16) for l in open("symbols") if len(l.split()) == 3}
		loads = [l.split() for l in open("loads")]
		DATA = 1 << 13
		def mapping(pid, start, length, pgoff, name, misc=p.USER, prot=5, dev=8):
		    return p.record(10, misc, struct.pack("<IIQQQIIQQII", pid, pid, start, length, pgoff, dev, 1, 123 if dev else 0, 0, prot,
			2) + p.text(name))
		who = [p.comm(100 + i, 100 + i, "prog%d" % i) for i in range(3)] + [p.comm(100, 110, "prog12-3")]
		for pid in (100, 101, 102):
		    for l in loads:
		        start, off, size = int(l[2], 16) & ~4095, int(l[1], 16) & ~4095, (int(l[5], 16) + int(l[2], 16) % 4096 + 4095) & ~4095
		        who.append(mapping(pid, start, size, off, prog) if "E" in l[6:-1] else
			    mapping(pid, start, size, off, prog, p.USER | DATA, 3))
		    who += [mapping(pid, 0x7f0000000000, 0x10000, 0, "//anon", p.USER | DATA, 3, 0),
			mapping(pid, 0x7fff00000000, 0x10000, 0, "[stack]", p.USER | DATA, 3, 0)]
		def source(i):
		    level = [1, 2 | 8, 2 | 0x10, 2 | 0x20, 2 | 0x40, 2 | 0x80, 2 | 0x100, 4 | 8, 2, 4, 2 | 0x400, 2 | 0x1000, 4 | 0x2000, 0]
		    n = i % len(level)
		    tlb = [1, 2 | 8, 2 | 0x10, 2 | 8 | 0x10, 4 | 0x20, 4 | 0x40, 2 | 0x20, 0]
		    return ([1, 2, 4, 8, 16][i % 5] | level[n] << 5 | [1, 2, 4, 8, 16, 10, 0][i % 7] << 19 | [1, 2, 0, 0][i % 4] << 24 |
			tlb[i % 8] << 26 | (n < 9) * [0, 1, 2, 3, 4, 9][n % 6] << 33 | (n == 13) << 37 |
			[0, 1, 2, 1, 0, 0, 2][i % 7] << 38 | [0, 1, 2, 4, 6][i % 5] << 40)
		t, b, pair, w, o = (at[s] for s in ("table", "buffer", "pair", "work", "other"))
		data = [t, t + 4, t + 8, b, b + 100, b + 64, pair, pair + 8, 0x7f0000000010, 0x7fff00000100, 0x7fff00000140, 0,
			0xdead0000, w, 0xffffffff81000000]
		fields = ["IP", "TID", "TIME", "ADDR", "CPU", "PERIOD", "DATA_SRC", "WEIGHT_STRUCT", "PHYS_ADDR", "DATA_PAGE_SIZE"]
		p.write("mem.data", [(p.attr(4, 0x1cd, fields), [1])], who + [p.sample(fields, misc=p.KERNEL if i % 9 == 8 else p.USER,
			IP=[w, w + 4, o + 5, o, 0xffffffff81000010][i % 5], TID=(100 + i % 3, 110 if i % 6 == 0 else 100 + i % 3),
			TIME=10**9 + 7000000 * i, CPU=i % 4, PERIOD=100 + i, ADDR=data[i % 15], DATA_SRC=source(i),
			WEIGHT_STRUCT=i % 5 * 10 | i % 3 * 5 << 32 | i % 4 * 2 << 48, PHYS_ADDR=[0x1000, 0x12345678, 0, 0x7fffffffff][i % 4],
			DATA_PAGE_SIZE=[4096, 2 << 20, 0][i % 3]) for i in range(60)])
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "BRANCH_STACK", "WEIGHT_STRUCT"]
		p.write("branch.data", [(p.attr(1, 0, fields, branch=8), [1])], who + [p.sample(fields, IP=w + i % 5, TID=(100, 100),
			TIME=10**9 + i, CPU=i % 3, PERIOD=100, WEIGHT_STRUCT=i % 4 * 10 | i % 3 * 7 << 32 | 5 << 48, BRANCH_STACK=[
			(w + 4 * (i % 3), o, 1 | i % 7 << 4), (o + 2, w, 2 | 3 << 4), (o + i % 4, o + 9, 5),
			(0xffffffff81000010 + i % 2, o, 0)]) for i in range(30)])
	EOF
'
for k in symbol_daddr dso_daddr locked tlb mem snoop symbol_iaddr phys_daddr data_page_size blocked; do
	test_every 3 "$k" "
		same mem.data --mem-mode -s $k && same mem.data --mem-mode -F sample,comm,$k && same mem.data --mem-mode -F sample,$k -t,"
done
test_expect_success 'the keys of --mem-mode by default, behind and before others' '
	same mem.data --mem-mode && same mem.data --mem-mode -n --show-total-period -s sym,mem,blocked &&
	same mem.data --mem-mode -s +sample && same mem.data --mem-mode -w 4,8,10,12 -s mem,tlb,snoop &&
	same mem.data --mem-mode -s dso,symbol_daddr,dso_daddr -c prog1 && same mem.data -s comm,sym -d prog &&
	same mem.data -s dso,sample -t, && same mem.data -F dso_size,comm -w 5,3 && same mem.data --mem-mode -F dso_daddr,comm -w 5,3'
test_expect_success 'lines of the cache' '
	perf report --stdio -i mem.data --mem-mode -F sample,dcacheline >out && test_grep "\[\.\] buffer+0x40$" out &&
	test_grep "\[\.\] 0x00007fff00000140$" out && test_grep "\[X\] 0x00000000dead0000$" out'
for k in srcline srcfile dso_size symbol_size dso_size,sym srcline,comm comm,srcfile,srcline; do
	test_every 3 "$k" "same mem.data -s $k && same mem.data -F sample,$k && same mem.data -F $k,sample -t,"
done
for k in addr_from addr_to srcline_from srcline_to addr_from,addr_to srcline_from,srcline_to,cpu weight local_ins_lat,cpu; do
	test_every 3 "of branches: $k" "same branch.data -b -s $k && same branch.data -b -F sample,$k"
done
test_expect_success 'added to the default keys' 'same mem.data -s +period && same mem.data -s +srcline && same mem.data -F comm -s +cpu &&
	same mem.data -F +sample && same mem.data -F +period,srcline -s comm && same mem.data --hierarchy -s comm,srcline'
test_expect_success REFERENCE 'the parent is not told among the keys; what stands for instructions per cycle is not cut' '
	for o in "--mem-mode -p x" "--mem-mode -s time -p x" "-s symbol -w 3,3,3" "-s symbol_iaddr,phys_daddr -w 3,3,3,9 --mem-mode"; do
		same mem.data $o || return 1
	done'
for w in 1 2 3 4 5 6 9 12 25; do
	test_every 3 REFERENCE "every key in a column of $w" '
		widths=3$(printf ",$w%.0s" $(seq 40)) &&
		for o in "" -v; do
			same mem.data --mem-mode -w $widths $o -s comm,pid,cpu,socket,weight,local_weight,ins_lat,local_ins_lat,symbol_daddr,symbol_iaddr,mem &&
			same mem.data --mem-mode -w $widths $o -s dso,dso_daddr,phys_daddr,snoop,tlb,locked,blocked,sym,addr,time,transaction,srcline &&
			same mem.data --mem-mode -w $widths $o -s cgroup,cgroup_id,code_page_size,data_page_size,srcfile,dso_size,symbol_size,trace &&
			same branch.data -b -w $widths $o -s dso_from,dso_to,in_tx,abort,cycles || return 1
		done'
done
test_expect_success 'keys of other samples' '
	for k in mem dso_from; do
		perf report -i mem.data -s $k 2>err >out; test_grep "Invalid --sort key: .$k." err || return 1
	done &&
	perf report -i branch.data --mem-mode 2>err >out; test_grep "no mem data" err &&
	perf report -i mem.data -b --mem-mode 2>err >out; test_grep "branch and mem mode incompatible" err && test ! -s out'
test_expect_success 'names by kind, processes, places in functions' '
	perf report --stdio -i mem.data -F sample,comm_nodigit >out && test_grep " prog<N>-<N>$" out &&
	perf report --stdio -i mem.data -F sample,tgid >out && test_grep " 100:prog0" out &&
	perf report --stdio -i mem.data -F sample,symoff >out && test_grep "\[\.\] other+0x5$" out &&
	perf report --stdio -i mem.data -F sample,local_retire_lat,retire_lat >out && test_grep "Local Retire Latency  Retire Latency" out'
test_expect_success PERF_EVENTS,ROOT 'parents' '
	# a program with frame pointers: a chain that goes astray has no parent here (Documentation/differences.md)
	perf record -q -g -F 1999 -o chain.data perf test -w context_switch_loop 20000 >/dev/null 2>&1 &&
	for o in "-s parent -p sys" "--no-children -s comm -p ^do_sys" "--no-children -s sym -p pipe -x" "-s parent -p __x64_sys -G" \
		"-F parent,sample -p read" "-x -s comm" "-s comm,parent,dso -p _sys_ -x --percentage relative"; do
		same chain.data -g none $o || return 1
	done &&
	PERF_WORKERS=1 perf report --stdio -i chain.data -s comm,parent -p _sys_ >one &&
	PERF_WORKERS=3 perf report --stdio -i chain.data -s comm,parent -p _sys_ >three && test_cmp one three &&
	perf report -i mem.data -s parent 2>err >out; test_grep "but no callchain data" err &&
	test_must_fail perf report -i mem.data -p "[" 2>err && test_grep "Invalid regex: \[" err'
test_expect_success PERF_EVENTS,ROOT 'namespaces' '
	perf record -q --namespaces -F 1999 -o spaces.data unshare -C ls -R /usr/share/doc/ >/dev/null 2>&1 &&
	same spaces.data -F cgroup_id,sample && same spaces.data -s cgroup_id,comm && same spaces.data -s comm,cgroup_id -t,'
test_expect_success 'workers and pipes change nothing' '
	PERF_WORKERS=1 perf report --stdio -i mem.data --mem-mode >one && PERF_WORKERS=4 perf report --stdio -i mem.data --mem-mode >four &&
	test_cmp one four && perf inject -i mem.data -o - >p.data &&
	perf report --stdio -i - --mem-mode -s symbol_daddr,srcline,comm_nodigit <p.data | grep -v "^#" >pipe &&
	perf report --stdio -i mem.data --mem-mode -s symbol_daddr,srcline,comm_nodigit | grep -v "^#" >file && test_cmp file pipe'
test_done
