#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='c2c: contention for known cache lines in recordings of all makers, as the reference shows it'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/t/mem/files.sh"
test_require PYTHON

mem_program && for k in intel amd arm powerpc every; do
	mem_file $k.data $k "program=$PWD/prog" || exit 1
done
mem_file random.data random "program=$PWD/prog" lines=12 count=1500 && mem_file big.data random "program=$PWD/prog" lines=12 count=1500 big &&
	mem_file names.data random lines=4 count=300 && mem_file bare.data intel bare "program=$PWD/prog" || exit 1

c2c() { local f=$1 && shift && perf c2c report --stdio -i "$f" "$@" >got 2>err; }
number() { test_grep "^  $1  *: *$2\$" got; }

test_expect_success 'the sums of an Intel machine' '
	c2c intel.data --stats && number "Total records" 84 && number "Locked Load/Store Operations" 5 && number "Load Operations" 44 &&
	number "Load Local HITM" 13 && number "Load Remote HITM" 22 && number "Load Local DRAM" 2 && number "Load Remote DRAM" 0 &&
	number "LLC Misses to Remote cache (HITM)" 91.7% && number "LLC Misses to Remote cache (HIT)" 0.0% && number "Store L1D Miss" 10 &&
	number "Total Shared Cache Lines" 3 && number "Total Merged records" 75 && number "Cachelines sort on" "Total HITMs" &&
	number "Cacheline data grouping" "offset,iaddr" && ! grep Pareto got
'
test_expect_success 'lines, and what is accessed in them' '
	c2c intel.data && sed -n "/Cache Line Table/,\$p" got | sed "s/ *\$//" >tables && line=$(printf "%#x" $((shared10 - 16))) &&
	test_grep "^      0  *$line     1       1   85.71%       30       10       20       75       35       40       30       10 " tables &&
	test_grep "^         100.00%    0.00%    0.00%    0.00%    0.00%                0x18     1       1  *0x[0-9a-f]*       310         0         0       20         2  .\.. reader  prog  prog.c:11     1\$" tables &&
	test_grep "^           0.00%    0.00%   66.67%    0.00%    0.00%                0x10 .* writer  prog  prog.c:6      0\$" tables &&
	test_grep "^           0.00%  100.00% .*0x20 .*       104         0       10         1  .\.. writer " tables
'
test_expect_success 'the other makers' '
	c2c amd.data --stats && number "Load Remote HITM" 10 && number "Load Local HITM" 5 && number "Unable to parse data source" 1 &&
	c2c powerpc.data --stats && number "Load Remote HITM" 5 && number "Load Remote HIT" 5 && number "Store No available memory level" 10 &&
	c2c arm.data && number "Load HIT Local Peer" 12 && number "Load HIT Remote Peer" 6 && number "Cachelines sort on" "Peer Snoop" &&
	test_grep -- "-- Peer Snoop --" got && test_grep "^         100.00%  100.00% .*0x18 .*  91        92 .* reader " got
'
# like FILE OPTION...: the report beside the reference's, without what differs on purpose: it counts how often the physical
# address was another one than before, divides by 0, and rounds means in steps.
like() {
	local f=$1

	shift
	"$REF" c2c report --stdio -f -i "$f" "$@" 2>/dev/null </dev/null >want
	c2c "$f" "$@"
	for x in want got; do
		sed -Ei 's/-nan%/0.00%/g; s/ +$//; s/^( +[0-9]+ +0x[0-9a-f]+ +(N\/A|[-,0-9]+)) +[0-9]+ /\1 PA /; s/^( .*% +0x[0-9a-f]+ +(N\/A|[-,0-9]+)) +[0-9]+ /\1 PA /' $x
	done
	test_line_count -ge 20 got && test_cmp want got
}
for o in "" "--no-source -d rmt -c pid,tid,iaddr,dso -N" "--no-source -d lcl -c pid,iaddr -NN" \
	"-d peer -c tid -N" "-c dso --show-all" "--full-symbols --no-source -d peer"; do
	test_expect_success REFERENCE "as the reference shows it${o:+: $o}" "like random.data $o"
done
test_expect_success REFERENCE 'each meaning of a data source, and code without symbols' '
	like every.data --no-source && like names.data --no-source && like powerpc.data --no-source
'
test_expect_success 'callers, and none of them' '
	mem_file calls.data intel "program=$PWD/prog" chains && mem_file chains.data random "program=$PWD/prog" lines=3 count=300 chains &&
	c2c calls.data -g && grep -m1 -A7 "0x10 .* writer  *prog" got | sed -n "s/ *\$//; 2,8p" >graph && printf "            %s\n" "|" "---main" "   |" \
		"   |--18.67%--writer" "   |" "    --8.00%--reader" "              writer" | test_cmp - graph &&
	c2c calls.data && test_grep "^            ---writer\$" got && c2c calls.data -g none && test_grep ! -e "---writer" got &&
	c2c calls.data -g folded,count && test_grep "^14 writer;main\$" got && ! c2c calls.data -g upwards && test_grep "upwards" err &&
	c2c calls.data --stitch-lbr && test_grep "Please apply --call-graph lbr" err
'
for o in "" "-g -c tid,iaddr -N" "-g caller,count,0,3" "-g flat,address"; do
	test_every 2 REFERENCE "callers as the reference shows them${o:+: $o}" "like chains.data $o"
done
test_expect_success 'JSON' '
	perf c2c report -i intel.data --json -c tid,iaddr >got && python3 - <<-\EOF
		import json
		d = json.load(open("got"))
		assert d["shared_lines"] == 3 and d["line_size"] == 64 and d["counts"]["remote_hitm"] == 22
		line = d["lines"][0]
		assert line["counts"]["accesses"] == 75 and line["memory_nodes"] == "1"
		e = [e for e in line["entries"] if e["offset"] == 24]
		assert len(e) == 1 and e[0]["comm"] == "reader" and e[0]["symbol"] == "reader" and e[0]["source"] == "prog.c:11", e
		assert e[0]["cycles"]["remote_hitm"] == 309.5 and e[0]["cpus"] == 2 and e[0]["nodes"] == "1"
		assert "callers" not in e[0]
	EOF
'
test_expect_success 'pairs of lines that are fetched together count as one' '
	perf c2c report -i random.data --json --show-all >one && perf c2c report -i random.data --json --show-all --double-cl >two && python3 - <<-\EOF
		import collections, json
		one, two = json.load(open("one")), json.load(open("two"))
		assert (one["line_size"], two["line_size"]) == (64, 128)
		def accesses(d):
		    sums = collections.Counter()
		    for l in d["lines"]:
		        assert int(l["address"], 0) % d["line_size"] == 0
		        sums[int(l["address"], 0) // 128] += l["counts"]["accesses"]
		    return sums
		assert accesses(one) == accesses(two) and len(two["lines"]) < len(one["lines"]), (accesses(one), accesses(two))
		assert max(e["offset"] for l in two["lines"] for e in l["entries"]) >= 64
	EOF
'
test_expect_success 'JSON with callers' '
	perf c2c report -i calls.data --json -g graph,0 >got && python3 - <<-\EOF &&
		import json
		def ways(nodes, before=()):
		    for n in nodes:
		        below = list(ways(n.get("callers", []), before + tuple(n["frames"])))
		        ends = n["accesses"] - sum(c["accesses"] for c in n.get("callers", []))
		        assert ends >= 0
		        yield from ([(before + tuple(n["frames"]), ends)] if ends else []) + below
		d = json.load(open("got"))
		entries = [e for e in d["lines"][0]["entries"] if e["symbol"] == "writer" and e["offset"] == 16]
		assert sum(n for e in entries for _, n in ways(e["callers"])) == sum(e["counts"]["accesses"] for e in entries) == 40
		assert {w for e in entries for w, _ in ways(e["callers"])} == {("writer", "main"), ("writer", "reader", "main")}, entries
	EOF
	perf c2c report -i calls.data --json -g none >got && ! grep callers got
'
test_lazy_prereq X86 'the code of this machine is not that of x86' 'test "$(uname -m)" = x86_64'
# accessing FUNCTION: the first of its instructions that accesses memory
accessing() { objdump -d prog | sed -n "/<$1>:\$/,/^\$/s/^ *\([0-9a-f]*\):.*(%rip).*/0x\1/p" | head -n 1; }
test_expect_success X86 'what a line holds, and which field to move' '
	mem_file exact.data intel "program=$PWD/prog" "writer=$(accessing writer)" "reader=$(accessing reader)" &&
	c2c exact.data --object && test_grep "0x[0-9a-f]*  shared+0 of prog\$" got &&
	test_grep "prog.c:6  *struct pair +0x10 (c)  *0\$" got &&
	test_grep "hint: move the field at 0x10 (struct pair +0x10 (c)), which thread 101 stores to, to a line of its own:" got &&
	test_grep "30 of 30 contended loads are of fields that no other thread stores to" got && test "$(grep -c hint: got)" = 1 &&
	perf c2c report -i exact.data --object --json >got && grep -o "\"move\":{[^}]*}" got >move &&
	echo "\"move\":{\"offset\":16,\"tid\":101,\"contended_loads\":30,\"avoidable_loads\":30}" >want && test_cmp want move
'
test_expect_success X86 'a page' '
	perf c2c report -i exact.data --html p.html && python3 - <<-\EOF &&
		import html.parser, re
		text = open("p.html").read()
		stack = []
		class P(html.parser.HTMLParser):
		    def handle_starttag(self, tag, attrs):
		        if tag not in ("meta",): stack.append(tag)
		    def handle_endtag(self, tag):
		        assert stack.pop() == tag
		P().feed(text)
		assert not stack and "<script" not in text and "http:" not in text and text.count("<h2 ") == 3
		assert "struct pair +0x10 (c)" in text and "move the field at 0x10" in text and "shared+0 of prog" in text
	EOF
	test_expect_code 255 perf c2c report -i intel.data --html /nowhere/p.html 2>err && test_grep /nowhere err
'
test_expect_success 'workers, pipes and byte orders change nothing' '
	for w in 1 3; do
		PERF_WORKERS=$w perf c2c report --stdio -i random.data -c pid,tid,iaddr -N >$w.out || return 1
	done && test_cmp 1.out 3.out && perf c2c report --stdio -i big.data -c pid,tid,iaddr -N >big.out && test_cmp 1.out big.out &&
	perf inject -i random.data -o - | perf c2c report --stdio -i - -c pid,tid,iaddr -N >pipe.out && test_cmp 1.out pipe.out
'
test_expect_success 'a recording without nodes, CPUs and physical addresses' '
	c2c bare.data && number "Load Remote HITM" 22 && test_grep "0x10   N/A       0 " got && ! grep nan got
'
test_expect_success 'filters' '
	c2c intel.data --tid 102 && number "Total records" 31 && number "Store Operations" 0 && c2c intel.data -C 0,1 && number "Load Remote HITM" 0 &&
	c2c intel.data --time 1.000001,1.000040 && number "Total records" 40
'
test_expect_success 'samples between others' '
	for o in "--switch-on cpu/mem-stores/P" "--switch-off cpu/mem-stores/P" "--switch-on cpu/mem-stores/P --show-on-off-events" \
		"--switch-on cpu/mem-stores/P --switch-off cpu/mem-loads,ldlat=30/P"; do
		perf script -F ip -i intel.data $o >want && c2c intel.data --stats $o && number "Total records" $(wc -l <want) &&
			perf c2c report --stats -i - $o <intel.data >piped && test_cmp got piped || return 1
	done
'
test_expect_success 'what is refused' '
	test_expect_code 255 perf c2c report -i intel.data -c bad 2>err && test_grep "unrecognized sort token: bad" err &&
	test_expect_code 255 perf c2c report -i intel.data -d bad 2>err && test_grep "failed: unknown display type: bad" err &&
	test_expect_code 234 perf c2c report -i intel.data -k none 2>err && test_grep "Invalid file: none" err &&
	test_expect_code 255 perf c2c report -i intel.data --switch-on none 2>err && test_grep "switch-on event not found (none)" err &&
	test_expect_code 129 perf c2c report -i intel.data --html page --json 2>err && test_grep "choose one of them" err && test ! -e page &&
	test_expect_code 129 perf c2c 2>err && test_expect_code 129 perf c2c bogus 2>err && test_expect_code 255 perf c2c report -i none.data 2>err &&
	perf record -q -e dummy -o plain.data true && test_expect_code 255 perf c2c report -i plain.data 2>err && test_grep "perf c2c record" err
'
test_expect_success 'recordings that are cut off' '
	size=$(stat -c %s random.data) && for part in 2 5 8; do
		head -c $((size * part / 9)) random.data >cut.data && { c2c cut.data || test -s err; } && ! grep -i "assert\|sanitizer" err || return 1
	done
'
test_done
