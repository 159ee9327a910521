#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 4
test_description='programs in mount and PID namespaces of their own have names, while they live and later'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS
test_require GCC
test_require ROOT
CC=${CC:-cc}
test_lazy_prereq NAMESPACES 'no mount or PID namespaces can be made here' 'unshare -m -p -f --mount-proc true'
test_lazy_prereq BINUTILS 'needs objcopy and strip' 'command -v objcopy && command -v strip'
test_require NAMESPACES

share() { # share FILE NAME: percent of its samples
	perf report -i "$1" --stdio --no-children -g none -F overhead,sym 2>/dev/null |
		awk -v n="$2" '$NF == n { sub("%", "", $1); s += $1 } END { print int(s) }'
}
at_least() { # at_least PERCENT FILE NAME
	local got
	got=$(share "$2" "$3") && test_say "$3: $got %" && test "$got" -ge "$1"
}
contain() { # contain SCRIPT ARG: runs it in namespaces of its own; $pid is the program in there
	unshare -m -p -f --mount-proc bash -c "$1" sh "$2" &
	outer=$!
	wait_for eval 'pid=$(pgrep -P $outer -x contained)' && sleep 0.1
}
end() { # its processes end
	kill -KILL "$pid" 2>/dev/null
	wait "$outer" 2>/dev/null
	true
}
cat >prog.c <<'END'
__attribute__((noinline)) void contained_hot(void) { for (volatile long i = 0; i < 100000; i++) ; }
int main(void) { for (;;) contained_hot(); }
END

test_expect_success 'a program that only its namespace has' '
	$CC -O1 -g -o prog prog.c &&
	contain "mount -t tmpfs none /mnt && cp \"\$1\" /mnt/contained && exec /mnt/contained" "$PWD/prog" &&
	perf record -q -N -F 499 -o p.data -p "$pid" -- sleep 0.4 && at_least 50 p.data contained_hot &&
	perf record -q -B -N -F 499 -o noid.data -p "$pid" -- sleep 0.4 && at_least 50 noid.data contained_hot
'
test_expect_success 'another program of that name outside is not taken for it' '
	sed s/contained_hot/other_hot/ prog.c >other.c && $CC -O1 -o other other.c && cp other /mnt/contained &&
	at_least 50 p.data contained_hot && at_least 50 noid.data contained_hot; rc=$?
	rm -f /mnt/contained && test $rc -eq 0
'
end
test_expect_success BINUTILS 'its debug file, which .gnu_debuglink names beside it' '
	contain "mount -t tmpfs none /mnt && mkdir /mnt/.debug && cp \"\$1\" /mnt/contained && cd /mnt &&
		objcopy --only-keep-debug contained .debug/contained.debug && strip --strip-all contained &&
		objcopy --add-gnu-debuglink=.debug/contained.debug contained && exec /mnt/contained" "$PWD/prog" &&
	perf record -q -N -F 499 -o link.data -p "$pid" -- sleep 0.4 && at_least 50 link.data contained_hot
'
end
test_expect_success 'a link in there that leads out does not' '
	mkdir -p out && cp prog out/contained &&
	contain "mount -t tmpfs none /mnt && cp \"\$1\" /mnt/contained && exec /mnt/contained" "$PWD/prog" &&
	perf record -q -N -F 499 -o esc.data -p "$pid" -- sleep 0.4 && at_least 50 esc.data contained_hot &&
	nsenter -t "$pid" -m ln -sf /proc/1/root/../..$PWD/out/contained /mnt/contained &&
	test "$(share esc.data contained_hot)" -eq 0
'
end
test_expect_success BINUTILS 'one that has ended, with its file system: the recorder kept the program and its debug file' '
	sed "s/for (;;)/for (int i = 0; i < 20000; i++)/" prog.c >ends.c && $CC -O1 -g -o ends ends.c &&
	perf record -q -F 499 -o ended.data -- unshare -m sh -c "mount -t tmpfs none /mnt && mkdir /mnt/.debug &&
		cp $PWD/ends /mnt/contained && cd /mnt && objcopy --only-keep-debug contained .debug/contained.debug &&
		strip --strip-all contained && objcopy --add-gnu-debuglink=.debug/contained.debug contained && exec /mnt/contained" &&
	wait_for eval "ls $HOME/.debug/mnt/contained/*/debug" &&
	test ! -e /mnt/contained && at_least 50 ended.data contained_hot
'
test_expect_success '/tmp/perf-PID.map under the number it has in there' '
	contain "exec 3<\"\$1\" && mount -t tmpfs none /tmp && cat <&3 >/tmp/contained && chmod 755 /tmp/contained && exec 3<&- &&
		exec /tmp/contained anon 60 >/tmp/out" "$(program madecode)" &&
	perf record -q -F 499 -o jit.data -p "$pid" -- sleep 0.4 && at_least 50 jit.data made_by_parent
'
end
test_done
