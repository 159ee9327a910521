#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='the agent for Java: compiled methods have names and lines in recordings'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_lazy_prereq AGENT 'needs a JDK, and the agent that was built with its headers' '
	test -e "$BUILD/libperf-jvmti.so" && java -version && javac -version
'

cat >Hot.java <<'END'
public class Hot {
	static int step(int sum, int i) {
		return sum * 31 + (i ^ sum) / 3;
	}
	static int work(int n) {
		int sum = 0;
		for (int i = 0; i < n; i++)
			sum = step(sum, i);
		return sum;
	}
	public static void main(String[] args) {
		int sum = 0;
		for (int i = 0; i < 400; i++)
			sum += work(100000);
		System.out.println(sum);
	}
}
END

test_expect_success AGENT 'methods by name and line, of a program in Java' '
	javac -g Hot.java && JITDUMPDIR=$PWD perf record -k mono -o j.data \
		java -Xshare:auto -XX:TieredStopAtLevel=1 "-agentpath:$BUILD/libperf-jvmti.so" Hot 2>err >out && cat out err &&
	dump=$(ls .debug/jit/java-jit-*/jit-*.dump) && echo "$dump" && perf inject --jit -i j.data -o i.data &&
	perf report --stdio -i i.data -s sym 2>/dev/null >out && test_grep "Hot.work(int)" out &&
	test_grep "Interpreter" out &&
	perf report --stdio -i i.data -s sym,srcline 2>/dev/null | grep "Hot.work" >out && cat out &&
	test_grep "Hot.java:[3678]" out && test_must_fail grep -v "Hot.java:[35678]" out
'

test_expect_success AGENT,PYTHON 'lines begin where the code of a method begins' '
	python3 - .debug/jit/java-jit-*/jit-*.dump <<-\EOF
	import struct, sys
	data = open(sys.argv[1], "rb").read()
	at, nr = struct.unpack_from("I", data, 8)[0], 0
	while at + 16 <= len(data):
	    kind, size = struct.unpack_from("II", data, at)
	    if kind == 2:
	        code, lines, first = struct.unpack_from("QQQ", data, at + 16)
	        assert lines and first == code, (hex(code), hex(first))
	        nr += 1
	    at += size
	assert nr > 1, nr
	EOF
'
test_expect_success AGENT 'what is wrong is told, and the program does not start' '
	test_must_fail java "-agentpath:$BUILD/libperf-jvmti.so=x" Hot 2>err && test_grep "is no option, dir=FOLDER is" err &&
	test_must_fail java "-agentpath:$BUILD/libperf-jvmti.so=dir=/proc/none/x" Hot 2>err &&
	test_grep "the folder /proc/none/x cannot be made" err
'

test_done
