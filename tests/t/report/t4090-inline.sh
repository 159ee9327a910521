#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 4
test_description='inlined functions in call chains: report, script, and profiles for other programs'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq GXX 'no g++' 'command -v g++'
"$PERF" version --build-options | grep -q "libelf: \[ on" || test_skip_all 'built without libelf'
test_require PERF_EVENTS,GXX

exports() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/exports.py" "$@"; }

# Call chains of a report, each on a line; no more of them than are of the program, whole and from its main on.
folded()
{
	perf report --stdio -i prog.data --no-children -s sym -g folded,0,0,caller --comms prog --percent-limit=0 "$@" 2>err |
		sed -n 's/^[0-9.]*% .*main\( prog.cc:[0-9]*\)\?;/main;/p' | grep -v '_interrupt\|_exc_\|_ipi' | sort -u
}

test_expect_success 'a program with inlined functions, in each other and around a call at the end' '
	cat >prog.cc <<-\EOF &&
	template <typename T> static inline __attribute__((always_inline)) T leaf(T n)
	{
		volatile T x = 0;
		for (T i = 0; i < n; i++)
			x = x + i * i; /* leaf */
		return x;
	}
	namespace ns {
	struct box {
		int v;
		__attribute__((always_inline)) int middle(int n)
		{
			v += leaf<int>(n); /* first */
			return v + leaf<long>(n); /* second */
		}
	};
	}
	static volatile int sum;
	__attribute__((noinline)) void tail(int n)
	{
		volatile int i = n;
		while (i--)
			sum = sum + 1;
	}
	static inline __attribute__((always_inline)) void to_tail(int n)
	{
		sum = sum + leaf<int>(n); /* third */
		tail(n);
	}
	__attribute__((noinline)) int parent(ns::box *b, int n)
	{
		int r = b->middle(n); /* box */
		to_tail(n); /* calls */
		return r + sum;
	}
	__attribute__((noinline)) void at_end(int n)
	{
		sum = sum + 3;
		to_tail(n);
	}
	int main()
	{
		ns::box b = { 0 };
		int s = 0;

		for (int i = 0; i < 400; i++) {
			s += parent(&b, 100000);
			at_end(100000);
			sum = sum + s;
		}
		return 0;
	}
	EOF
	g++ -O2 -g -fno-omit-frame-pointer -fcf-protection=none -o prog prog.cc &&
	perf record -q -e cpu-clock:u -F 4000 -g -o prog.data ./prog
'
test_expect_success 'chains have them, as the source says' '
	folded --inline >chains && sed -i "s/leaf<long int>/leaf<long>/" chains && cat chains &&
	cat >want <<-\EOF &&
	main;at_end;to_tail (inlined);leaf<int> (inlined)
	main;parent;ns::box::middle (inlined);leaf<int> (inlined)
	main;parent;ns::box::middle (inlined);leaf<long> (inlined)
	main;parent;to_tail (inlined);leaf<int> (inlined)
	main;parent;to_tail (inlined);tail
	main;tail
	EOF
	for chain in $(seq 6); do
		grep -qxF "$(sed -n "${chain}p" want)" chains || { sed -n "${chain}p" want; return 1; }
	done
'
test_expect_success 'by default, and not with --no-inline' '
	for c in "report --stdio -g address" "report --stdio -g caller --no-children" script "script -F +srcline"; do
		perf $c -i prog.data >default 2>err && perf $c --inline -i prog.data >with 2>err &&
		test_cmp default with && grep -q "(inlined)$" default && perf $c --no-inline -i prog.data >without 2>err && ! grep inlined without ||
			return
	done
'
test_expect_success REFERENCE 'without them it is what the reference shows, which has none in chains of frame pointers' '
	"$REF" script -i prog.data >ref 2>err && perf script --no-inline -i prog.data >our 2>err && cmp our ref &&
	for o in --no-children "--no-children -g caller"; do
		"$REF" report --stdio -i prog.data --comms prog $o 2>err </dev/null | grep -v "^#" >ref &&
		perf report --stdio --no-inline -i prog.data --comms prog $o 2>err | grep -v "^#" >our && test_cmp ref our || return
	done
'
# lists FILE: of addresses in the program the functions: the address, then names and offsets, innermost first
lists()
{
	awk '/^\t/ { at = $1; kind = $NF; sub(/^\t *[0-9a-f]* /, ""); sub(/ \([^(]*\)$/, ""); gsub(/ /, "")
			if (at != last) { list = ""; n = whole = 0 }
			last = at
			if (kind == "(inlined)" && !whole) { list = list $0 "|"; n++; next }
			if (n && kind ~ /\/prog\)$/) print at " " list $0
			whole = 1; next }
		{ last = "" }' "$1" | sed "s/<longint>/<long>/g" | sort -u
}
# How the reference unwinds stacks, or what of a chain it has, does not matter: what is at the sampled addresses is
# compared, where it has found all of the inlined functions (addr2line may say the outer one is the innermost).
test_expect_success REFERENCE 'the lines of script are those of the reference' '
	perf record -q -e cpu-clock:u -F 2000 --call-graph dwarf,2048 -o stacks.data ./prog &&
	"$REF" script --max-stack 8 -i stacks.data >ref.txt 2>err && perf script -i prog.data >our.txt 2>err &&
	lists ref.txt >ref && lists our.txt >our && cat our ref && grep -q "leaf<int>+0x[0-9a-f]*|to_tail+0x[0-9a-f]*|parent+0x" our &&
	join our ref >both &&
	if test -s both; then awk "\$2 != \$3 { exit bad = 1 }" both || { cat both; return 1; }; else test_say "# no address in common"; fi
'
test_expect_success 'offsets are those of the function, lines are their own, callers are at the call' '
	line() { grep -n "/\* $1 \*/" prog.cc | cut -d: -f1; } &&
	perf script --inline -F ip,sym,symoff,srcline -i prog.data >out 2>err &&
	awk -v leaf=$(line leaf) -v third=$(line third) -v calls=$(line calls) "
		/ leaf<int>\+0x/ { getline at; if (at != \"  prog.cc:\" leaf \" (inlined)\") next
			off = \$0; sub(/.*\+/, \"\", off); getline; if (\$2 != \"to_tail+\" off) next
			getline at; if (at != \"  prog.cc:\" third \" (inlined)\") exit bad = 1
			getline; if (\$2 == \"parent+\" off) { getline at; if (at != \"  prog.cc:\" calls) exit bad = 1; found++ } }
		END { exit bad || !found }" out &&
	folded --inline -g folded,0,0,caller,address >lines &&
	grep -E "parent prog.cc:$(line box);ns::box::middle prog.cc:$(line second) \(inlined\);leaf<long( int)?> prog.cc:[0-9]* \(inlined\)$" lines &&
	grep -E "parent prog.cc:$(line calls);to_tail prog.cc:[0-9]* \(inlined\);tail prog.cc" lines &&
	folded --inline -g folded,0,0,caller,srcline >lines &&
	grep -E "parent prog.cc:$(line calls);to_tail prog.cc:$(line third) \(inlined\);leaf<int> prog.cc:$(line leaf) \(inlined\)$" lines
'
test_expect_success 'with --children they have rows, of which none is sampled' '
	perf report --stdio --inline --children -i prog.data -s sym -g none -t, --percent-limit=0 2>err | tr -d " " >rows &&
	grep -E "^[0-9.]+%,0.00%,\[.\]leaf<int>\(inlined\)$" rows && grep -E "^[0-9.]+%,0.00%,\[.\]ns::box::middle\(inlined\)$" rows &&
	test_line_count -eq 1 <(grep "leaf<int>" rows) && grep -E "^[0-9.]+%,[1-9][0-9.]*%,\[.\]parent$" rows
'
test_expect_success 'filters, orders and what chains begin at know them' '
	perf report --stdio --inline --no-children -i prog.data -s sym -S parent -g callee >out 2>err && grep -E "^ +.--[0-9.]+%--leaf<int> \(inlined\)" out &&
	perf report --stdio --inline --no-children -i prog.data -s sym -g folded,0,0,caller --ignore-callees "^to_tail$" >out 2>err &&
	grep "\] to_tail (inlined)$" out && grep "^[0-9.]*% to_tail (inlined);leaf<int> (inlined)$" out && ! grep ";to_tail" out &&
	perf report --stdio --inline -i prog.data --no-children -s sym -p ^ns::box:: -x -g none >out 2>err && grep "\] parent" out && ! grep "\] tail" out
'
test_expect_success 'any number of workers, and a pipe' '
	for c in "report --stdio" "report --stdio -g address --no-children" "script -F +srcline"; do
		PERF_WORKERS=1 perf $c --inline -i prog.data >one 2>err && PERF_WORKERS=3 perf $c --inline -i prog.data >three 2>err &&
		test_cmp one three || return
	done &&
	perf script --inline -F ip,sym -i prog.data >file 2>err &&
	perf record -q -e cpu-clock:u -F 1000 -g -o - ./prog | perf script --inline -i - >out 2>err && grep "leaf<int>+0x[0-9a-f]* (inlined)$" out
'
test_expect_success PYTHON 'profiles for other programs have them' '
	for format in folded flamegraph dot callgrind speedscope gecko ndjson otlp pprof perfetto chrome-trace html; do
		perf report -i prog.data --comms prog --$format $format.out 2>err || { test_say "$format"; cat err; return 1; }
		case $format in
		folded|flamegraph|html|dot) ;;
		*) exports has $format $format.out ns::box::middle "leaf<int>" to_tail parent || { test_say "$format"; return 1; } ;;
		esac
	done &&
	grep "main;parent;ns::box::middle;leaf<int> [0-9]" folded.out && grep -q "ns::box::middle" flamegraph.out && grep -q "ns::box::middle" dot.out &&
	grep "\"name\":\"ns::box::middle\",\"kind\":\"inlined\"" ndjson.out &&
	perf data convert -i prog.data --to-folded again.out 2>err && grep "main;parent;ns::box::middle;leaf<int> [0-9]" again.out &&
	perf data convert -i prog.data --no-inline --to-folded plain.out 2>err && ! grep leaf plain.out &&
	perf report -i prog.data --no-inline --comms prog --folded plain.out 2>err && ! grep leaf plain.out
'
test_expect_success 'profiles have the same ones whether functions are looked up while samples are counted or at the end' '
	perf report -i prog.data --folded early 2>err && perf inject -i prog.data -o - 2>err | perf report -i - --folded late 2>err &&
	grep -q "ns::box::middle;leaf<int> [0-9]" early && sort early >a && sort late >b && test_cmp a b
'
test_expect_success PYTHON 'a place of pprof has several lines, the innermost first' '
	python3 - <<-\EOF
	import gzip
	def number(b, at):
	    value = shift = 0
	    while True:
	        byte = b[at]
	        value |= (byte & 127) << shift
	        at, shift = at + 1, shift + 7
	        if byte < 128:
	            return value, at
	def fields(b):
	    at = 0
	    while at < len(b):
	        key, at = number(b, at)
	        if key & 7 == 0:
	            value, at = number(b, at)
	        elif key & 7 == 2:
	            size, at = number(b, at)
	            value, at = b[at:at + size], at + size
	        else:
	            raise SystemExit("a field of type %d" % (key & 7))
	        yield key >> 3, value
	all = list(fields(gzip.open("pprof.out").read()))
	text = [v.decode() for k, v in all if k == 6]
	name = {}
	for k, v in all:
	    if k == 5:
	        f = dict(fields(v))
	        name[f[1]] = text[f[2]]
	places = [[name[dict(fields(line))[1]] for key, line in fields(v) if key == 4] for k, v in all if k == 4]
	assert ["leaf<int>", "ns::box::middle", "parent"] in places, places
	assert ["to_tail", "parent"] in places, places
	EOF
'
test_expect_success PYTHON 'rows have them' '
	perf script --inline --ndjson=rows.json -i prog.data 2>err && python3 - <<-\EOF &&
	import json
	found = 0
	for line in open("rows.json"):
	    chain = json.loads(line)["callchain"]
	    for a, b in zip(chain, chain[1:]):
	        if a.get("inlined"):
	            assert a["ip"] == b["ip"] and a["symoff"] == b["symoff"] and "dso" not in a, chain
	            found += a["sym"] == "leaf<int>" and b["sym"] == "to_tail" and b["inlined"]
	    assert not chain or not chain[-1].get("inlined"), chain
	assert found
	EOF
	perf script --inline --csv=rows.csv -i prog.data 2>err && grep -q "leaf<int>+0x[0-9a-f]* (inlined);to_tail+0x[0-9a-f]* (inlined);parent+0x" rows.csv
'
test_expect_success 'programs without debug information are as ever, mangled names stay so when asked for' '
	perf report --stdio --inline --no-demangle -i prog.data -s sym 2>err | grep "_ZN2ns3box6middleEi (inlined)" &&
	mkdir -p bare$PWD && strip -g -o bare$PWD/prog prog &&
	export HOME=$PWD/nowhere &&
	perf script --symfs bare -i prog.data >without 2>err && perf script --inline --symfs bare -i prog.data >with 2>err && cmp with without &&
	grep "parent+0x" with
'
test_expect_success 'formats that have no functions in chains refuse it' '
	test_must_fail perf data convert -i prog.data --inline --to-json x.json 2>err && grep "inline is for profiles" err && test ! -e x.json
'
test_done
