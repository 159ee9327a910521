#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 6 of 8
test_description='report -v: paths of objects, where rows were first seen, where symbols are from; filters by paths, columns that filters make needless'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
test_require REFERENCE GCC

# head_lines COMM OPTIONS: with the symbol too, which no row may have
head_lines() {
	local p

	for p in "$REF" perf; do
		$p report --stdio -f -i flat.data $2 --comms "$1" --dsos prog -S work 2>err | grep "^# [a-z]*:" >"${p##*/}.head"
	done
	test_line_count -ge 2 perf.head && test_cmp "${REF##*/}.head" perf.head
}

test_expect_success 'recordings' '
	cat >prog.c <<-\EOF &&
		__attribute__((noinline)) int work(int n) { return n * 3; }
		__attribute__((noinline)) int caller_of_work(int n) { return work(n) + 1; }
		int main(int argc, char **argv) { return caller_of_work(argc); }
	EOF
	$CC -g -O1 -no-pie -o prog prog.c && mkdir -p else/where && cp prog else/where/prog && nm prog >symbols &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF
		import os
		import pdata as p
		at = {l.split()[2]: int(l.split()[0], 16) for l in open("symbols") if len(l.split()) == 3}
		prog, work, caller, main = os.getcwd() + "/prog", at["work"], at["caller_of_work"], at["main"]
		base = work & ~4095
		def who(name, path, pid):
		    return [p.comm(pid, pid, name), p.mmap2(pid, base, 0x1000, 0x1000, path), p.mmap2(pid, 0x7f0000000000, 0x1000, 0, "/lib/gone.so")]
		everybody = who("one", prog, 100) + who("two", os.getcwd() + "/else/where/prog", 200)
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
		places = [work + 2, work, caller + 1, main + 3, 0x7f0000000123, 0x12345678, work + 1]
		def one(i, ip):
		    pid = 100 if i % 3 else 200
		    chain = [(1 << 64) - 512, ip]
		    chain += [caller + 1 + i % 2, main + 4 + i % 3] if ip in (work, work + 1, work + 2) else [main + 5]
		    return p.sample(fields, TID=(pid, pid), IP=ip, TIME=10**9 + i * 1000, PERIOD=1000 + i * 7, CALLCHAIN=chain)
		p.write("chain.data", [(p.attr(1, 0, fields), [1])], everybody + [one(i, places[i % 7]) for i in range(40)])
		fields = fields[:-1]
		p.write("flat.data", [(p.attr(1, 0, fields), [1])], everybody + [p.sample(fields, TID=(100 + i % 2 * 100, 100 + i % 2 * 100),
			IP=places[i * 5 % 7], TIME=10**9 + i, PERIOD=100 + i * 3) for i in range(50)])
		events = [i * 5 % 3 for i in range(50)]
		p.write("group.data", [(p.attr(1, k, fields + ["ID"]), [1 + k]) for k in range(3)], everybody + [p.sample(fields + ["ID"],
			TID=(100, 100), IP=places[i * 5 % 6], TIME=10**9 + 50 - i * (1 - e), PERIOD=100 + i * 3, ID=1 + e) for i, e in enumerate(events)])
		fields.append("BRANCH_STACK")
		def branch(i):
		    return (places[i % 5], places[(i * 3 + 1) % 5], 1 + i % 2)
		p.write("branch.data", [(p.attr(0, 0, fields, branch=8), [1])], everybody + [p.sample(fields, TID=(100, 100), IP=work,
			TIME=10**9 + i, PERIOD=100, BRANCH_STACK=[branch(i * i + k) for k in range(4)]) for i in range(30)])
		p.add_features("branch.data", [(3, b"\x40\0\0\0" + b"host".ljust(64, b"\0")), (15, b"")])
	EOF
'
for opts in '' '-s dso' '-s sym' '-s dso,sym' '-s comm,dso,sym,cpu -n' '-t,' '-s sym --show-total-period' \
	'--hierarchy' '-s dso,sym,comm --hierarchy' '-w 8,8,8,8' '-w 9,9,30,30,30'; do
	test_expect_success "flat: $opts" 'same flat.data -v $opts'
	test_expect_success "with call chains: $opts" 'same chain.data -v --no-children $opts && same chain.data -v --children $opts'
done
for opts in '' '-s sym' '-s comm,sym -n' '-s dso,sym --hierarchy'; do
	test_expect_success "groups: $opts" 'same group.data -v --group $opts'
done
for opts in '-F sym,overhead' '-s comm,sym --dsos prog' '-S work' '-s sym,dso,cpu -S main'; do
	test_expect_success "flat, the rows' own filters: $opts" 'same flat.data -v $opts'
done
for opts in '' '-s dso_from,dso_to,cpu' '-s sym' '-s dso,sym' '--hierarchy'; do
	test_expect_success "branches: $opts" 'same branch.data -v $opts'
done
test_expect_success 'the address is that of the first sample in the object, the letter says where from' '
	perf report -v -i flat.data -s dso,sym -t, 2>err >out && work=$(awk "\$3 == \"work\" { print substr(\$1, length(\$1) - 2) }" symbols) &&
	grep -q "$PWD/prog *,$(printf "0x%x" $((0x1000 + 0x$work + 2))) *d \[.\] work$" out &&
	grep "gone.so" out | grep -q "0x123 *! \[.\] 0x0000000000000123"
'
test_expect_success 'two objects of one name are two rows' '
	perf report -v -i flat.data -s dso 2>err | grep "/prog" >two && test_line_count = 2 two &&
	perf report -i flat.data -s dso 2>err | grep "prog" >one && test_line_count = 1 one
'
test_expect_success '-q takes -v back' '
	perf report -q -i flat.data >quiet 2>err && perf report -v -q -i flat.data >both 2>err && test -s quiet && test_cmp quiet both
'
test_expect_success 'workers and pipes change nothing' '
	PERF_WORKERS=1 perf report -v -i chain.data 2>err >one && PERF_WORKERS=5 perf report -v -i chain.data 2>err >five && test_cmp one five &&
	perf inject -i chain.data -o - | perf report -v -i - 2>err >pipe && test_cmp one pipe
'
test_expect_success 'objects may be named by their paths' '
	same flat.data -s comm,sym --dsos "$PWD/prog" && same flat.data -v -s comm,sym --dsos prog,gone.so &&
	same flat.data -v -s comm,dso,sym --dsos "/lib/gone.so,$PWD/else/where/prog" && same chain.data --no-children -s sym,dso --dsos /lib/gone.so
'
for opts in '-F comm,dso -s dso,comm' '-F dso,comm' '-F overhead,comm -s dso' '-F overhead,sym -s comm,dso' '-s pid,sym -F dso,comm' \
	'-s sym,dso,comm' '-s comm,dso,sym --hierarchy'; do
	test_expect_success "which names pass, in the order of the columns: $opts" '
		same flat.data $opts --comms one --dsos prog && grep -q "^# comm: one" our.out &&
		head_lines two "$opts"
	'
done
for opts in '-s dso --dsos prog' '-s comm --comms one' '-s sym -S work' '-s comm,dso --dsos prog --comms one' '-F overhead,comm --comms one'; do
	test_expect_success "what a row is stays when all columns were needless: $opts" 'same flat.data $opts'
done
test_lazy_prereq LIBIBERTY 'built without libiberty' 'perf version --build-options | grep -q "libiberty: .*on"'
test_expect_success LIBIBERTY 'names have their parameters' '
	echo "void _ZN3net5parseEPKci(void) {} void plain(void) {} int main(void) { return 0; }" >names.c && $CC -no-pie -o names names.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$(nm names | sed -n "s/^0*\([0-9a-f]*\) T _ZN.*/\1/p")" <<-\EOF &&
		import os, sys
		import pdata as p
		at = int(sys.argv[1], 16)
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD"]
		p.write("names.data", [(p.attr(1, 0, fields), [1])], [p.comm(100, 100, "names"),
			p.mmap2(100, at & ~4095, 0x1000, 0x1000, os.getcwd() + "/names"), p.sample(fields, TID=(100, 100), IP=at, TIME=10**9, PERIOD=5)])
	EOF
	same names.data -v -s sym && grep -q "net::parse(char const\*, int)" our.out && same names.data -s sym && grep -q "net::parse *$" our.out &&
	for o in "" -v; do
		"$REF" script $o -i names.data -F ip,sym >ref.out 2>err && perf script $o -i names.data -F ip,sym >our.out 2>err && test_cmp ref.out our.out || return 1
	done && grep -q "net::parse(char const\*, int)" our.out && same names.data -v -s sym --no-demangle
'
test_done
