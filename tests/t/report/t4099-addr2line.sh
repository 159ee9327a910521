#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 2
test_description='who reads source lines: this perf, libdw, or a program, which say the same'
. "$(dirname "$0")/../../lib/tap.sh"
"$PERF" version --build-options | grep -q "libelf: \[ on" || test_skip_all 'built without libelf'
test_require PERF_EVENTS,GCC
test_lazy_prereq LIBDW 'perf was built without libdw, or it is not installed' '"$PERF" report --addr2line-style=libdw --header-only -i "$TRASH/cwd/prog.data"'
test_lazy_prereq ADDR2LINE 'no addr2line' 'command -v addr2line'

# said [OPTION...]: what script says of the program, without its libraries: addr2line takes some lines of their included files
# for those of the unit
said() { perf script -i prog.data "$@" -F ip,sym,srcline 2>err | grep -E " (leaf|middle|outer|main)$|prog[.]c"; }
told() { said --addr2line-style="$1"; }

test_expect_success 'a program with functions that are inlined into each other' '
	cat >prog.c <<-\EOF && gcc -O2 -g -fno-omit-frame-pointer -o prog prog.c && perf record -q -g -e cpu-clock:u -F 2000 -o prog.data ./prog &&
	static inline __attribute__((always_inline)) void leaf(volatile long *n)
	{
		for (int i = 0; i < 100000; i++)
			*n += i;
	}
	static inline __attribute__((always_inline)) void middle(volatile long *n)
	{
		leaf(n);
	}
	__attribute__((noinline)) void outer(volatile long *n)
	{
		middle(n);
	}
	int main(void)
	{
		volatile long n = 0;
		for (int i = 0; i < 1500; i++)
			outer(&n);
		return n & 1;
	}
	EOF
	told builtin >builtin && grep -A 5 " leaf$" builtin >frames && test_grep "  prog.c:4 (inlined)" frames && test_grep "  prog.c:8 (inlined)" frames &&
	test_grep "  prog.c:12$" frames'

test_expect_success LIBDW 'libdw' 'told libdw >libdw && test_cmp builtin libdw'
test_expect_success ADDR2LINE 'addr2line, by either name' '
	told cmd:addr2line >program && test_cmp builtin program && told addr2line >program && test_cmp builtin program'

test_expect_success ADDR2LINE '--addr2line runs that program, once for each object' '
	printf "#!/bin/sh\necho \"\$*\" >>ran\nexec addr2line \"\$@\"\n" >own && chmod +x own && rm -f ran &&
	said --addr2line=./own >out && test_cmp builtin out && test "$(grep -c "/prog$" ran)" -eq 1 &&
	for c in "report --stdio -s sym,srcline" "report --folded folded" "annotate --stdio -l outer"; do
		rm -f ran && perf $c -i prog.data --addr2line ./own >out 2>err && test_grep "/prog$" ran || return
	done && test_grep "outer;middle;leaf [0-9]" folded && test_grep "prog.c:4" out &&
	rm ran && said --addr2line=./own --addr2line-style=builtin >out && test_cmp builtin out && test ! -e ran'

test_expect_success 'programs that end, say nothing to the point, or too little: no lines, and no harm' '
	printf "#!/bin/sh\nread a; echo 0x1; echo f; exit\n" >ends &&
	printf "#!/bin/sh\nread a; yes\n" >talks && printf "#!/bin/sh\nexit 3\n" >fails &&
	chmod +x ends talks fails &&
	for p in ./ends ./talks ./fails cat; do
		timeout 60 "$PERF" script -i prog.data --addr2line=$p -F ip,sym,srcline >out 2>err && test_grep " outer" out && test_grep ! "prog.c:" out || return
	done'

test_expect_success 'what is not there or not known is told; the configuration chooses' '
	test_expect_code 129 perf report -i prog.data --addr2line=./none 2>err && test_grep "no program ../none" err &&
	test_expect_code 129 perf report -i prog.data --addr2line-style=gdb 2>err && test_grep "gdb. is unknown" err &&
	test_expect_code 129 perf annotate -i prog.data --addr2line-style=llvm,libbfd 2>err && test_grep "none of them" err &&
	told llvm,builtin >out && test_cmp builtin out &&
	perf config addr2line.style=what && said >out && test_cmp builtin out && test_grep "what. is unknown.*ignoring" err &&
	perf config addr2line.style=cmd:addr2line && mkdir -p bin && { test ! -x own || cp own bin/addr2line; } &&
	sed -i "s|exec addr2line|PATH=$PATH exec addr2line|" bin/addr2line && rm -f ran && PATH=$PWD/bin:$PATH said >out && test_cmp builtin out &&
	test -s ran && rm "$HOME/.perfconfig"'

test_done
