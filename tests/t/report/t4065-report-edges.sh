#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 8
test_description='report and diff: filters in front of listings, quiet headers, narrow columns, sizes of mappings, ends of branches, parents, sums as keys'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
test_require REFERENCE GCC

# all FILE [OPTION...]: status and standard output, whatever it is
all() {
	local f=$1 ref

	shift
	"$REF" report --stdio --no-inline -f --kallsyms kallsyms -i "$f" "$@" 2>/dev/null </dev/null >ref.raw
	ref=$?
	perf report --stdio --no-inline -f --kallsyms kallsyms -i "$f" "$@" 2>our.err </dev/null >our.raw
	test $? = $ref && steady <ref.raw >ref.all && steady <our.raw >our.all && test_cmp ref.all our.all
}

# differ [OPTION...]: perf diff of two files
differ() {
	"$REF" diff -f --kallsyms kallsyms "$@" >ref.all 2>/dev/null </dev/null &&
		perf diff -f --kallsyms kallsyms "$@" >our.all 2>our.err </dev/null && test_line_count -ge 5 our.all &&
		test_cmp ref.all our.all
}

test_expect_success 'recordings' '
	for i in 0 1 2 3; do echo "__attribute__((aligned(256))) int function_$i(int x) { return x + $i; }"; done >prog.c &&
	echo "int main(void) { return function_0(1); }" >>prog.c && gcc -O1 -no-pie -o prog prog.c && nm prog >symbols &&
	printf "ffffffff%s\n" "81000000 T _text" "81000000 T _stext" "81100000 T middle" "812ff234 T _etext" >kallsyms &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\END
		import os, random
		import pdata as p
		at = {l.split()[2]: int(l.split()[0], 16) for l in open("symbols") if len(l.split()) == 3}
		prog, base = os.getcwd() + "/prog", at["function_0"] & ~4095
		host = (3, b"\x40\0\0\0" + b"host".ljust(64, b"\0"))
		who = [p.comm(100, 100, "prog"), p.comm(101, 101, "other one"), p.mmap2(100, base, 0x1000, base & 0xfffff, prog)]
		other = [p.mmap2(101, base + 0x10000000, 0x1000, base & 0xfffff, prog)]
		def mixed(name, seed, fields, more, events=1, parts=()):
		    rng, t, records = random.Random(seed), 10**9, who + list(parts)
		    for i in range(120):
		        t += rng.randrange(10**7)
		        place = lambda: at["function_%d" % rng.randrange(4)] + rng.randrange(3)
		        pid = rng.choice([100, 100, 101])
		        ip, misc = (0xffffffff81000000 + rng.randrange(0x200000), p.KERNEL) if fields == plain and rng.random() < .2 else (place(), p.USER)
		        records.append(p.sample(fields, misc=misc, TID=(pid, pid), IP=ip, TIME=t, CPU=0, PERIOD=1000 + rng.randrange(50),
		            ID=1 + i % events, **more(place, rng, ip)))
		    p.write(name, [(p.attr(1, k, fields, branch=8 if "BRANCH_STACK" in fields else 0), [1 + k]) for k in range(events)], records)
		    p.add_features(name, [host] + ([(15, b"")] if "BRANCH_STACK" in fields else []))
		plain = ["IP", "TID", "TIME", "CPU", "PERIOD", "ID"]
		# a mapping of all of the file, replaced in part by the code
		pieces = [p.mmap2(101, base - 0x1000, 0x5000, (base & 0xfffff) - 0x1000, prog), p.mmap2(101, base, 0x2000, base & 0xfffff, prog)]
		nothing = lambda place, rng, ip: {}
		mixed("flat.data", 1, plain, nothing, parts=pieces)
		mixed("flat2.data", 2, plain, nothing, parts=pieces)
		mixed("calls.data", 3, plain + ["CALLCHAIN"], lambda place, rng, ip: {"CALLCHAIN": [2**64 - 512, ip] + [place() for _ in
		    range(rng.randrange(4))]}, events=2)
		def branch(place, rng):
		    return (place(), rng.choice([place(), place(), 0x7f0000000000 + rng.randrange(3)]), 2)
		mixed("branch.data", 4, plain + ["BRANCH_STACK"], lambda place, rng, ip: {"BRANCH_STACK": [branch(place, rng) for _ in
		    range(rng.randrange(6))]}, parts=other)
		# addresses without symbol in a few objects, of user space and of the kernel
		p.write("bare.data", [(p.attr(1, 0, plain), [1])], who + [p.mmap2(100, 0x10000, 0x9000, 0, "/no/such"), p.mmap2(101, 0x10000, 0x9000, 0, "/none/such")] +
		    [p.sample(plain, misc=p.KERNEL if i % 5 == 0 else p.USER, TID=(100 + i % 2, 100 + i % 2), IP=0x10000 + 0x1000 * (i * 7 % 8) + i % 4 if i % 5 > 1 else 0x90000 - 0x10000 * (i % 5) + i,
		    TIME=10**9 + i, CPU=0, PERIOD=100 * (1 + i * 5 % 7) if i % 5 > 1 else 500, ID=1) for i in range(40)])
		# as much of each process, in one sample or several
		p.write("even.data", [(p.attr(1, 0, plain), [1])], who + [p.sample(plain, misc=p.USER, TID=(pid, pid), IP=at["function_%d" % (i % 3)],
		    TIME=10**9 + i, CPU=0, PERIOD=100 + 100 * (pid == 100), ID=1) for i, pid in enumerate([101, 101, 100])])
		# events of which not all tell their CPU: the first of a kind decides
		bare, whole = ["IDENTIFIER", "IP", "TID", "TIME"], ["IDENTIFIER", "IP", "TID", "TIME", "CPU"]
		for name, kinds in (("first", [(1, whole), (1, bare)]), ("later", [(1, bare), (1, whole)]), ("kinds", [(1, whole), (0, bare)])):
		    # perf 6.1 may crash on samples without CPU that it lets pass
		    of = [0 if name == "first" else i % 2 for i in range(24)]
		    p.write("cpus.%s.data" % name, [(p.attr(kind, k, fields), [1 + k]) for k, (kind, fields) in enumerate(kinds)], who +
		        [p.sample(kinds[e][1], misc=p.USER, IDENTIFIER=1 + e, IP=at["function_%d" % (i % 4)], TID=(100, 100), TIME=10**9 + i,
		            CPU=i % 3 % 2) for i, e in enumerate(of)])
		    p.add_features("cpus.%s.data" % name, [host, (7, b"\2\0\0\0\2\0\0\0")])
	END
'
for opts in '--stats -c prog' '--stats -d prog -c prog' '--tasks -c prog' '-D -S function_1' '-b -c prog' '--mem-mode -d prog' \
	'-q --stats -c prog' '--stats -c prog -s dso' '--stats -s nonsense'; do
	test_every 5 "filters of one name first: $opts" 'all flat.data $opts'
done
test_expect_success 'a pipe tells of itself with -q too' '
	perf inject -i flat.data -o - >told.data && all told.data --header -q -s comm && all told.data --header -s comm && all told.data -q -s comm'
for name in first later kinds; do
	test_every 5 "whether CPUs can be asked for: $name" '
		all cpus.$name.data -C 0 -s comm,sym -n && all cpus.$name.data -C 1 -s cpu || return 1
		"$REF" script -f -C 0 -F event,cpu,ip -i cpus.$name.data >ref.out 2>/dev/null
		echo $? >>ref.out
		perf script -f -C 0 -F event,cpu,ip -i cpus.$name.data >our.out 2>our.err
		echo $? >>our.out && test_cmp ref.out our.out'
done
for opts in '--header -q' '--header-only -q' '--header --stats -q' '--time x' '--time x --header' '--time 2,1'; do
	test_every 5 "heads: $opts" 'all flat.data $opts'
done
for opts in '-w 3,3,3,3' '-w 9,9,4,4' '-w 0,0,0,1' '-s time' '-s time,comm --time-quantum 1ms' '--ns -s time' \
	'-s time -w 5,4' '-s time -t,' '-d prog -w 12,9,30,8' \
	'-s dso,comm,sym -d prog -c prog -w 9,8,7,6' '-s time,comm -d nosuch' '-s weight -c nosuch'; do
	test_every 5 "narrow columns: $opts" 'same flat.data $opts'
done
for opts in '-s dso_size' '-s dso,dso_size' '-s comm,dso_size,sym'; do
	test_every 5 "sizes of mappings: $opts" 'same flat.data $opts && same calls.data --no-children -g none $opts'
done
test_expect_success 'a mapping inside another one is told by its own size' '
	perf report -f --kallsyms kallsyms -i flat.data -s comm,dso_size -q >out && test_grep "  8192" out && test_grep ! "  20480" out'
for opts in '-s addr_from' '-s addr_to' '-s addr_from,dso_from' '-s addr_to,dso_to' '-v' '-v -n -s dso_from,dso_to,sym' '-w 3,3,3,3,3'; do
	test_every 5 "ends of branches: $opts" 'same branch.data $opts'
done
for opts in '-s symbol_size,sym' '-t, -g folded' '-t; -g folded,count' '-g folded' '--group --group-sort-idx 1' '--group --group-sort-idx 1 -n -g none -s sym' \
	'--group --group-sort-idx 0 -g none' '--group --group-sort-idx 1 --no-children' \
	'--no-children -s sym -F +sample' '--no-children -s sym -F +sym -g caller'; do
	test_every 5 "call chains: $opts" 'same calls.data $opts'
done
for opts in '-F overhead,sym -x' '-F overhead,sym -p function_1' '-F overhead,sym -p function_1 -x' \
	'-F overhead,sym,parent -x' '-F overhead,sym,parent -p function_1 -x' \
	'-F overhead,dso -s comm -x -p function_1' '-F overhead,sym -p function_1 --hierarchy' '-s dso -x --hierarchy' '-F +parent -p function_1' \
	'-s dso -x -w 9,8,7'; do
	test_every 5 "parents: $opts" 'all calls.data -g none --no-children $opts'
done
test_expect_success 'samples without parent are in no row: in a hierarchy, too' '
	mkdir -p "fs$PWD" && objcopy --redefine-sym function_3=sys_function prog "fs$PWD/prog" &&
	perf report -i calls.data --symfs fs -g none --no-children -q -s dso -x >rows &&
	perf report -i calls.data --symfs fs -g none -q -s dso -x --hierarchy >levels &&
	test_grep "prog" rows && sed "s/^ *//; s/  */ /" levels >ours && sed "s/^ *//; s/  */ /" rows | test_cmp - ours &&
	perf report -i calls.data --symfs fs -g none --no-children -q -s dso,sym -x >rows &&
	perf report -i calls.data --symfs fs -g none -q -s dso,sym -x --hierarchy >levels &&
	awk "NF { print \$NF }" rows | LC_ALL=C sort -u >want && awk "/\[/ { print \$NF }" levels | LC_ALL=C sort -u | test_cmp want -'
for opts in '--group -w 5,9,3 -n' '--group -n -t,' '--group'; do
	test_every 5 "groups asked of a stream: $opts" '
		perf inject -i calls.data -o - >stream.data && all stream.data -g none --no-children $opts &&
		perf inject -i flat.data -o - >stream.data && all stream.data $opts && test_line_count -ge 9 our.all'
done
for opts in '-w 10' '-w 30,1,1' '-w 1,30,1 -n' '-w 20,20,20 --show-total-period'; do
	test_every 5 "nothing below a row, with widths: $opts" '
		all calls.data -g none --no-children --hierarchy --percent-limit 30 $opts && test_grep "no entry >= 30" our.all'
done
for opts in '' '-n --show-total-period' '-n -s {comm,pid},{dso,sym}' '-F sample,comm,sym,overhead'; do
	test_every 5 "levels that weigh the same, of more or fewer samples: $opts" 'all even.data --hierarchy -s pid,sym $opts'
done
for opts in '' '-n' '--hierarchy'; do
	test_every 5 "columns are not coloured with a separator, chains are: $opts" '
		all calls.data -g fractal --no-children $opts -t, --stdio-color always &&
		perf report -i calls.data -g none $opts -t, --stdio-color always >out && test_grep ! "$(printf "\033")" out'
done
for opts in '-q --header-only' '-q --header-only -I' '-q --header-only --tasks' '--header-only' '--header -q'; do
	test_every 5 "the header of a stream: $opts" 'perf inject -i calls.data -o - >stream.data && all stream.data -g none --no-children $opts && test -s our.all'
done
for opts in '--hierarchy -s trace_fields' '--hierarchy -s trace_fields -t,' '-s trace_fields'; do
	test_every 5 "no tracepoints, no fields: $opts" 'all calls.data -g none --no-children $opts'
done
for opts in '--max-stack 3' '--max-stack 1 --no-children' '--max-stack 2 -g caller' '--max-stack 2 -g caller --no-children' '--max-stack 5 -s sym'; do
	test_every 5 "branches in front of a chain have a limit of their own: $opts" 'all branch.data --branch-history $opts'
done
test_expect_success 'names from files' '
	printf "function_1\n\nfunction_3\nfunction_1, too\n" >some && echo "other one" >one && echo prog >prog.list &&
	for opts in "-S file://some" "-S function_2,file://some -s sym,comm" "-c file://one" "-c file://one,prog" "-d file://prog.list -s dso,sym" \
		"-S file://one" "-c other\ one," "-c ,prog"; do
		eval "all flat.data $opts" || return 1
	done &&
	for opts in "-S file://some" "-C file://one -s comm,sym" "-d file://prog.list"; do differ $opts flat.data flat2.data || return 1; done &&
	for opts in "-S file://some" "-c file://one,prog" "--dsos file://prog.list,x" "--stop-bt file://some" "-c ,"; do
		perf script --no-inline -f -i calls.data $opts >our.out &&
		"$REF" script --no-inline -f -i calls.data $opts >ref.out 2>/dev/null &&
		test_cmp ref.out our.out || return 1
	done &&
	perf report -f -i flat.data -c prog,file:///nosuch/file 2>err && test_grep "problems parsing comm list" err && test_grep "/nosuch/file: No such" err
'
# What cannot be done is told in one order whatever else is shown; the status and what stands before it are the same.
for opts in '-s nonsense -g caller' '-F nonsense -b' '-s nonsense -C 0' '-s nonsense --time x' '-s nonsense --header-only' '-s nonsense -D' '-s +' '-F +' \
	'--stats -b' '--tasks -g caller' '--mmaps -p main' '--stats --mem-mode' '--tasks --time x' '--stats --group-sort-idx 1' '--stats --switch-on nosuch' \
	'--header-only --switch-on nosuch' '--switch-on nosuch --group-sort-idx 1' '--switch-on nosuch --hierarchy -F sym' '--hierarchy -F sym -s nonsense' \
	'--stats --tasks --prefix-strip 1' '--stats --tasks -s nonsense' '-t . --time x' '--stats -t .' \
	'-D -t .' '-D -g caller' '-D -q' '-g caller -S none' '-p main -c none' \
	'--branch-history -g none' '-F parent' '-F overhead,parent -g none' '--stats -x'; do
	test_every 5 "refused in order: $opts" 'all flat.data $opts'
done
test_expect_success 'what is not there comes before what is not understood' '
	test_expect_code 255 perf report -i nosuch.data --stats --tasks 2>err && test_expect_code 255 perf report -i nosuch.data -C x 2>err &&
	test_expect_code 0 perf report -f -i flat.data -C x -s nonsense >out 2>err && test_grep "nonsense" err && test ! -s out &&
	test_expect_code 234 perf report -f -i flat.data --pid x -S none >out 2>err && test_grep "header info" out'
for opts in '-C 7' '-C 0-2 -s cpu' '-C 7 --stats' '-C 2 --tasks --header' '-C 2 -c none' '-C 0-1 -s cpu'; do
	test_every 5 "no such CPU: $opts" 'all cpus.first.data $opts'
done
test_expect_success 'keys of streams come first, names of filters before what streams tell of themselves' '
	perf inject -i flat.data -o - >stream.data && all stream.data -b -s nonsense && all stream.data -t . -F nonsense && all stream.data -s nonsense --time x &&
	all stream.data --header -S none && all stream.data -I -c none'
test_expect_success 'blocks have their own keys' 'all branch.data --total-cycles -s nonsense && all branch.data --total-cycles -c none'
for opts in '-g none,x' '-g none,branch' '-g folded,0.5,1,9'; do
	test_every 5 "call graphs: $opts" 'all calls.data --no-children $opts'
done
for opts in '-s overhead_children' '-s comm,overhead_children' '-s +overhead_children' \
	'-F +overhead_children,sample' '-F comm,overhead_children -w 9,15' '-F comm,overhead_children -w 9,2' \
	'--no-children -s comm,overhead_children -w 9,9,15' '-F overhead_children,comm -t, -w 12' '-s overhead_guest_sys,comm' '-s pid,overhead_sys,comm' \
	'-U --pid 99999' '-U --pid 99999 -s comm' '-U --pid 100 --hierarchy' '--stdio-color always -w 5' '--stdio-color always -w 5,3 -n'; do
	test_every 5 "columns of sums: $opts" 'all flat.data $opts && all branch.data $opts && all calls.data -g none $opts'
done
test_expect_success 'rows that all keys find equal go by shares' '
	all bare.data -s sym,overhead_sys && all bare.data -s +overhead_children &&
	all bare.data -s overhead_guest_sys,dso,sym && all bare.data --show-cpu-utilization -s dso,sym'
for opts in '-s overhead_us,comm' '-s overhead,overhead_us,comm' '-s overhead_us,sample,comm -n' \
	'-s sample,overhead,dso,comm' '-s period,overhead_us,comm --show-cpu-utilization' \
	'-s comm,period -t,' '-s comm,sample,sym -t,' '-s overhead_us'; do
	test_every 5 "sums among levels: $opts" 'all flat.data --hierarchy $opts && all calls.data -g none --hierarchy $opts'
done
for opts in '-s time' '-s comm,time' '-s period' '-s comm,period' '-s overhead,sym' '-s sample,comm -b' '-s comm,period -t,' '-s +cpu' '-s +pid -p'; do
	test_every 5 "differences: $opts" 'differ $opts flat.data flat2.data'
done
test_expect_success 'what is wrong with an argument is said, and what may have been meant' '
	while read -r said opts; do
		perf report -f -i flat.data $opts >out 2>err </dev/null
		test_grep "$(echo "$said" | tr _ " ")" err || { echo "$opts"; return 1; }
	done <<-\END &&
		^invalid_part_.foo._of_--call-graph -g graph,foo
		^Did_you_mean_symbol?$ -s comm,symbl
		^Did_you_mean_overhead?$ -F overhed
		^.5x._is_neither_start,stop --time 5x
		^invalid_--percentage_.foo. --percentage foo
		^invalid_limit_.x. --percent-limit x
		^invalid_--percent-type_.x. --percent-type x
	END
	test_expect_code 129 perf report -f -i flat.data --percent-limit 5x && perf report -f -i flat.data --percent-limit 5% >out &&
	test_expect_code 129 perf diff -f --percentage foo flat.data flat2.data &&
	test_must_fail perf script -f -i flat.data -F comm,tme 2>err && test_grep "There is no .tme.: did you mean .time.?" err
'
test_expect_success 'statuses of diff' '
	test_expect_code 255 perf diff -f -o 2 -s nonsense flat.data flat2.data && test_expect_code 255 perf diff -f --stream -s nonsense flat.data flat2.data &&
	test_expect_code 129 perf diff -f -s nonsense --time x flat.data flat2.data &&
	test_expect_code 255 perf diff -f --stream flat.data flat2.data 2>err && test_grep "no callchain" err &&
	test_expect_code 234 perf diff -f --time x flat.data flat2.data'
test_expect_success 'an event that switches and is not there ends the command, in a pipe too' '
	perf inject -i flat.data -o - >pipe.data && test_expect_code 254 perf report -i - --switch-on nosuch <pipe.data >out 2>err &&
	test ! -s out && test_grep "nosuch" err'
# What forked it was lost; in time order it has no name before.
test_expect_success 'a thread that is named late: sums over all the time know it by its first name' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\END &&
		import struct
		import pdata as p
		fields, records = ["IP", "TID", "TIME", "CPU", "PERIOD", "ID"], []
		for i, (tid, name) in enumerate([(100, "prog"), (100, None), (107, None), (108, None), (107, "first"), (107, None),
		    (107, "second"), (107, None), (107, "prog"), (107, None), (109, None)]):
		    records.append(p.record(3, 0, struct.pack("<II", 100, tid) + p.text(name) + struct.pack("<IIQQII", 100, tid, 10**9 + i, 1, 0, 0))
			if name else p.sample(fields, TID=(100, tid), IP=0x1000, TIME=10**9 + i, CPU=0, PERIOD=1000, ID=1))
		p.write("late.data", [(p.attr(1, 0, fields, flags=1 << 18), [1])], records)
	END
	for o in "-s comm" "-s pid,comm" "-s comm,sym -n" "--hierarchy -s comm,dso" "-s comm -c second"; do all late.data $o || return 1; done &&
	perf report -i late.data -s comm >out && test_grep "first" out && test_grep ! ":107" out && test_grep ":108" out &&
	perf report -i late.data -s comm -c "first" >out && test_grep "28.57%  *first" out &&
	perf inject -i late.data -o - | perf report -i - -s comm >out && test_grep "first" out && test_grep ! ":107" out &&
	perf script -i late.data -F comm,tid >out && test_grep ":107 *107" out'
test_expect_success 'in call graphs, what has no symbol stands among the functions of its object, at its place' '
	objcopy -N function_1 -N function_3 prog part && PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\END &&
		import os
		import pdata as p
		at = {l.split()[2]: int(l.split()[0], 16) for l in open("symbols") if len(l.split()) == 3}
		base, fields = at["function_0"] & ~4095, ["IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
		def write(name, to):
		    code = p.mmap2(100, base + to, 0x1000, base & 0xfffff, os.getcwd() + "/part")
		    chains = [[at["function_%d" % n] + to for n in (0, i // 2 % 4, (i + i // 8) % 4)] for i in range(48)]
		    p.write(name, [(p.attr(1, 0, fields), [1])], [p.comm(100, 100, "prog"), code] + [p.sample(fields, IP=c[0], TID=(100, 100),
		        TIME=10**9, CPU=0, PERIOD=10, CALLCHAIN=[2**64 - 512] + c) for c in chains])
		write("part.data", 0)
		write("moved.data", 0x10000000)
	END
	for f in part.data moved.data; do
		for o in "" "-G" "--no-children -g folded" "-s sym -g fractal" "-s comm -g caller,count" "-g address" "--hierarchy -s comm"; do
			all $f $o || return 1
		done
	done
'
test_done
