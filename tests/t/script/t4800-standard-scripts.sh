#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 8
test_description='script: the scripts in Python that come with perf, on made-up events'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
. "$SRC/tests/lib/python/scripts.sh"
test_require RUNNER
made futex compaction net net-old stacks || exit 1

test_expect_success 'numbers of system calls' '
	ours calls syscall-counts >out && grep -qx "syscall events:" out && grep -qx "call1  *8" out && grep -qx "call257  *4" out &&
	ours calls syscall-counts prog >out && grep -qx "syscall events for prog:" out && grep -qx "call1  *7" out &&
	ours calls syscall-counts 101 >out && grep -qx "call1  *2" out && grep -qx "call257  *1" out && test_line_count -eq 8 out &&
	ours calls syscall-counts-by-pid >out && sed -n "/prog \\[101\\]/,/^$/p" out | sed "s/  */ /g" >part &&
	printf "%s\n" "prog [101]" " call1 2" " call257 1" "" | test_cmp - part &&
	ours calls sctop "other one" 7 >out && grep -qx "syscall events for other one:" out && grep -qx "call1  *1" out
'
test_expect_success 'errors of system calls' '
	ours calls failed-syscalls-by-pid prog >out && sed -n "/prog \\[100\\]/,/^$/p" out | sed "s/  */ /g; s/ $//" >part &&
	printf "%s\n" "prog [100]" " syscall: call257" " err = ENOENT 2" " err = EACCES 1" " syscall: call3" \
		" err = Unknown -4000 errno 1" | test_cmp - part
'
test_expect_success 'waits for locks' '
	ours futex futex-contention | sed 1d >out && test_cmp - out <<-\END
		locker[100] lock 7000 contended 3 times, 2000 avg ns [max: 3000 ns, min 1000 ns]
		second[101] lock 7000 contended 1 times, 700 avg ns [max: 700 ns, min 700 ns]
		second[101] lock 8000 contended 1 times, 50 avg ns [max: 50 ns, min 50 ns]
	END
'
test_expect_success 'compaction of memory' '
	ours compaction compaction-times -p -m -u >out 2>err && test_grep "^missing start compaction event for pid 300$" err &&
	test_cmp - out <<-\END
		total: 61us migration: moved=162 failed=30
		100[kcompactd0]: 17us migration: moved=54 failed=10
		200[browser]: 20us migration: moved=54 failed=10
		300[other]: 23us migration: moved=54 failed=10
	END
'
test_expect_success 'packets, on kernels of then and now' '
	ours net-old netdev-times tx dev=eth1 debug >old && ours net netdev-times tx dev=eth1 debug | test_cmp old - &&
	grep -c sec old >n && echo 2 | test_cmp - n && grep -qx "xmit netdevice:remain:1 overflow:0" old &&
	grep -q "^ *eth1 *103 .*sec  *0.002msec  *0.001msec$" old &&
	ours net netdev-times rx dev=eth1 >out && test_cmp - out <<-\END
		1.000046sec cpu=1
		  irq_entry(+0.000msec irq=25:eth1-rx)
		         |
		  softirq_entry(+0.002msec)
		         |
		         |---netif_receive_skb(+0.003msec skb=ffff888000011100 len=61)
		         |            |
		         |      skb_copy_datagram_iovec(+0.014msec 60:reader)
		         |
		         |---netif_receive_skb(+0.003msec skb=ffff888000011140 len=125)
		         |            |
		         |      skb_copy_datagram_iovec(+0.023msec 60:reader)
		         |
		  napi_poll_exit(+0.004msec eth1)

	END
'
test_expect_success 'dropped packets' '
	ours net net_dropmonitor >out && awk "NF == 3 && \$3 + 0 { n += \$3 } END { exit n != 3 }" out
'

# Functions of programs that were compiled at run time have names from /tmp.
trap 'rm -f "/tmp/perf-$STACKS_PID.map"; test_at_exit' EXIT
cp map.txt "/tmp/perf-$STACKS_PID.map"
test_expect_success 'stacks in lines' '
	ours stacks stackcollapse --tidy-java --include-tid >out && test_line_count -eq 8 out &&
	grep -qx "my_prog-$STACKS_PID;x:y;org/foo/Bar:::method;ns::fint, std::paira:b  1" out &&
	grep -qx "thread-$((STACKS_PID + 1));x:y;org/foo/Bar:::method;Foo\$Bar:::init 2" out &&
	! ours stacks stackcollapse --no-comm --include-pid >out 2>err && grep -q "requesting pid but not comm" err
'
test_expect_success 'a flame graph' '
	ours stacks flamegraph -f json -o - >out && python3 - out <<-\END &&
		import json
		import sys

		def total(node):
		    return node["v"] + sum(total(c) for c in node["c"])

		with open(sys.argv[1]) as f:
		    root = json.load(f)
		assert [(c["n"].split()[0], total(c)) for c in root["c"]] == [("my", 4), ("thread", 8)]
	END
	ours stacks flamegraph -o page.html >out && grep -qx "dumping data to page.html" out &&
	grep -c "</script>" page.html >n && echo 1 | test_cmp - n && ! grep -q "https*://" page.html &&
	echo "[/** @flamegraph_json **/, /** @options_json **/]" >template && ours stacks flamegraph --template template -o - >out &&
	python3 -c "import json, sys; tree, options = json.load(sys.stdin); assert options == {\"colorscheme\": \"blue-green\"}" <out &&
	! ours stacks flamegraph --template nosuch >out 2>err && grep -q "template nosuch does not exist" err
'
test_expect_success 'a profile for Firefox' '
	ours stacks gecko --save-only - >out && python3 - out <<-\END
		import json
		import sys

		with open(sys.argv[1]) as f:
		    profile = json.load(f)
		assert [c["name"] for c in profile["meta"]["categories"]] == ["User", "Kernel"]
		one, other = profile["threads"]
		assert one["name"] == "my prog" and other["tid"] == one["tid"] + 1
		assert len(one["samples"]["data"]) == 4 and len(other["samples"]["data"]) == 8
		at = other["samples"]["data"][0][other["samples"]["schema"]["stack"]]
		names = []
		while at is not None:
		    at, frame = other["stackTable"]["data"][at]
		    names.append(other["stringTable"][other["frameTable"]["data"][frame][0]].split(" (in ")[0])
		assert names == ["Lorg/foo/Bar;.call(Ljava/lang/String;I)V", "Lorg/foo/Bar;::method", "x;y"], names
	END
'
test_expect_success BROWSER 'the flame graph in a browser: searched, zoomed into' '
	ours stacks flamegraph -o page.html >out && python3 "$SRC/tests/lib/python/flame-check.py" page page.html 12 "x;y"
'
test_expect_success 'the profile is in the format that the viewer reads' '
	ours stacks gecko --save-only profile --kernel-color red --user-color green && test_grep "\"color\":\"red\"" profile &&
	python3 "$SRC/tests/lib/python/gecko-check.py" profile 12 &&
	sed "s/\"prefix\":0,\"frame\":1/\"prefix\":1,\"frame\":0/" profile >turned && ! cmp -s profile turned &&
	test_must_fail python3 "$SRC/tests/lib/python/gecko-check.py" turned 12 2>err
'
test_expect_success REF_SCRIPTS 'the reference prints the same' '
	while read -r line; do
		same $line || return 1
	done <<-\END
		calls syscall-counts
		calls syscall-counts prog
		calls syscall-counts-by-pid
		calls syscall-counts-by-pid 101
		calls failed-syscalls-by-pid
		futex futex-contention
		compaction compaction-times -pv
		compaction compaction-times -p -t -u
		compaction compaction-times -u -fs -ms 100-200
		net-old netdev-times
		net-old net_dropmonitor
		stacks stackcollapse
		stacks stackcollapse --tidy-java --include-pid --include-tid
		stacks flamegraph -f json -o -
	END
'
test_expect_success 'what is wrong with arguments is said' '
	for c in "syscall-counts a b" "sctop a 1 2" "sctop a x" "futex-contention a" \
		"net_dropmonitor a" "compaction-times (" "stackcollapse x" "flamegraph x" "gecko --user-color mauve"; do
		! ours calls $c >out 2>err && test -s err && ! grep -q Traceback err || { echo "$c"; cat err; return 1; }
	done
'
# What `perf script record NAME`, `report NAME` and `NAME` run.
test_expect_success 'each has its shell scripts, which pass arguments on' '
	mkdir -p fake && printf "#!/bin/sh\\nprintf \"[%%s]\" \"\$@\"\\n" >fake/perf && chmod +x fake/perf &&
	for f in "$SRC"/scripts/python/bin/*-report; do
		name=$(basename "$f" -report) && test -f "$SRC/scripts/python/$name.py" && test -x "${f%-report}-record" && test -x "$f" &&
		grep -q "^# description: ." "$f" || return 1
	done &&
	run() { PATH=$PWD/fake:$PATH PERF_EXEC_PATH=EP sh "$SRC/scripts/python/bin/$@"; } &&
	run sctop-record -o x true >out && echo -n "[record][-e][raw_syscalls:sys_enter][-o][x][true]" | test_cmp - out &&
	run sctop-report "a b" 3 -i - >out && echo -n "[script][-i][-][-s][EP/scripts/python/sctop.py][a b][3]" | test_cmp - out &&
	run sctop-report -i - a 3 >out && echo -n "[script][-i][-][-s][EP/scripts/python/sctop.py][a][3]" | test_cmp - out &&
	run sctop-report -i - >out && echo -n "[script][-i][-][-s][EP/scripts/python/sctop.py]" | test_cmp - out &&
	run flamegraph-report -i - -- -f json >out &&
	echo -n "[script][-i][-][-s][EP/scripts/python/flamegraph.py][--][-f][json]" | test_cmp - out
'

cat >work.c <<\EOF
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 37; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < 11; i++)
		close(-1);
	return 0;
}
EOF
test_expect_success ROOT,PERF_EVENTS,TRACEFS,GCC 'what a program did' '
	"${CC:-gcc}" -o work work.c && perf record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o live.data ./work &&
	id=$(printf "#include <sys/syscall.h>\\nSYS_getppid SYS_close\\n" | "${CC:-gcc}" -E - | tail -1) && set -- $id &&
	ours live syscall-counts work >out && grep -qx "call$1  *37" out &&
	ours live failed-syscalls-by-pid work >out && sed -n "/call$2 /,/syscall/p" out >part && grep -qx " *err = EBADF  *11" part
'
test_done
