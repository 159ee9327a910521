#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 4
test_description='types of the data that instructions access: right in a program whose accesses are known, in all outputs'
. "$(dirname "$0")/../../lib/tap.sh"
test_require GCC,PYTHON
test_lazy_prereq BINUTILS 'no objdump or nm' 'command -v objdump && command -v nm'
test_lazy_prereq CAPSTONE 'built without capstone' 'grep -q libcapstone.so "$PERF"'
test_lazy_prereq LIBDW 'built without libdw' 'grep -q libdw.so "$PERF"'
test_lazy_prereq CLANG 'no clang' 'command -v clang'
test_lazy_prereq ARM64 'no compiler for arm64' 'command -v aarch64-linux-gnu-gcc && command -v aarch64-linux-gnu-objdump'
test_lazy_prereq CXX 'no C++ compiler' 'command -v g++'
test_lazy_prereq X86 'the program is checked on x86-64 alone' 'test "$(uname -m)" = x86_64'
test_require BINUTILS,CAPSTONE,LIBDW,X86

# right MOST-UNKNOWN CC OPTION...: the types of all instructions of the program are right
right()
{
	local most=$1 cc=$2
	shift 2
	"$cc" -w -g -fstack-protector-strong "$@" -o prog "$SRC/tests/programs/data-types.c" &&
		python3 "$SRC/tests/lib/python/each-insn.py" prog prog.data &&
		perf annotate -i prog.data --stdio --no-source --code-with-type >out 2>err &&
		python3 "$SRC/tests/lib/python/data-types.py" prog "$most" <out
}

test_expect_success 'types are right without optimisation' 'right 3 gcc -O0'
test_expect_success 'and with it, in a program at a fixed address, too' 'right 5 gcc -O2 && right 5 gcc -O2 -no-pie'
test_expect_success CLANG 'and from another compiler' 'right 10 clang -O2'

test_expect_success 'and in a shared library, and with debug information in another file' '
	right 8 gcc -O2 -shared -fPIC && right 5 gcc -O2 -gsplit-dwarf'
test_expect_success ARM64 'and in code of another processor' '
	OBJDUMP=aarch64-linux-gnu-objdump right 10 aarch64-linux-gnu-gcc -O2'

test_expect_success CXX 'and of a class that is defined elsewhere, and shares a byte with an empty one' '
	cat >class.h <<-\EOF &&
	namespace out { struct Empty {}; struct Thing : Empty { long x; int y; Thing *next; Thing(); virtual ~Thing(); }; }
	EOF
	printf "#include \"class.h\"\nout::Thing::Thing() {}\nout::Thing::~Thing() {}\n" >one.cc &&
	cat >two.cc <<-\EOF &&
	#include "class.h"
	__attribute__((noinline)) long walk(out::Thing *p) { long n = 0; for (; p; p = p->next) n += p->x + p->y; return n; }
	int main() { out::Thing t; return walk(&t); }
	EOF
	g++ -g -O2 -fdebug-types-section -o class one.cc two.cc &&
	python3 "$SRC/tests/lib/python/each-insn.py" class class.data _Z4walkPN3out5ThingE &&
	perf report -i class.data --stdio -F typeoff >out && test_grep "struct Thing +0x8 (x)" out &&
	test_grep "struct Thing +0x10 (y)" out && test_grep "struct Thing +0x18 (next)" out &&
	perf annotate -i class.data --stdio --objdump=objdump --no-source --code-with-type >out 2>err &&
	test_grep "# data-type: struct Thing +0x18 (next)$" out'

test_expect_success 'columns of report show the type, the member and the cache line' '
	gcc -w -g -O2 -o prog "$SRC/tests/programs/data-types.c" &&
	python3 "$SRC/tests/lib/python/each-insn.py" prog walk.data walk &&
	perf report --stdio -i walk.data -F sample,type >types &&
	test_grep "Samples  Data Type" types && test_grep "3  struct s1 *$" types && test_grep "(unknown)" types &&
	perf report --stdio -t , -i walk.data -F sample,typeoff,typecln >members &&
	test_grep "Samples,Data Type Offset *,Data Type Cacheline" members &&
	test_grep ",struct s1 +0x1008 (next) *,struct s1: cache-line 64$" members &&
	test_grep ",struct s1 +0x1010 (in.x) *,struct s1: cache-line 64$" members &&
	test_grep ",(stack operation) +0 (no field)" members &&
	perf report --stdio --hierarchy -i walk.data -s type,typeoff >tree && test_grep "^ .*%  *struct s1 +0x1000 (a)" tree'

test_expect_success 'annotate shows a type with its members, and how much of it is accessed' '
	gcc -w -g -O2 -o prog "$SRC/tests/programs/data-types.c" &&
	python3 "$SRC/tests/lib/python/each-insn.py" prog deep.data deep fill &&
	perf annotate -i deep.data --data-type=s3 -n >out && test_grep "^Annotate type: .struct s3. in .*/prog (" out &&
	test_grep "^ Samples     offset       size  field$" out && test_line_count = 1 <(grep Annotate out) &&
	awk "\$NF == \"pad;\" { pad = \$1 } \$2 == 12296 { numbers = \$1; size = \$3 } \$2 == 12344 { v = \$1; name = \$NF }
		/struct s3/ && /[{]/ { all = \$1 } /^ *};/ { ends++ }
		END { exit !(all >= 6 && !pad && numbers >= 2 && size == 32 && v >= 2 && name == \"v;\" && ends == 2) }" out &&
	perf annotate -i deep.data --data-type >all && test_grep "struct s1. in" all && test_grep "struct s2. in" all &&
	test_grep " 100.00          0      12424  struct s3" all && ! grep -q "\[\.\]\|mov" all &&
	perf annotate -i deep.data --data-type=nothing >out 2>err; test_line_count = 0 out &&
	test_grep "No sample accesses the type .nothing.: " err'

test_expect_success 'statistics tell for how many samples a type was found' '
	perf annotate -i deep.data --type-stat >out && test_grep "^Annotate data type stats:$" out &&
	perf report -i deep.data --stdio -F sample,type -t , >types &&
	known=$(awk -F, "!/^#/ && NF > 1 && !/unknown/ { n += \$1 } END { print n }" types) &&
	test_grep "^total [0-9]*, ok $known (" out && test_grep "^ *[0-9]* : no_mem_ops$" out &&
	perf annotate -i deep.data --insn-stat >out && test_grep "^Annotate Instruction stats$" out &&
	test_grep ", ok $known (" out && test_grep "Name/opcode  *:  Good   Bad" out &&
	awk "\$1 == \"retq\" { ret = \$3 == 2 && \$4 == 0 } \$1 == \"imulq\" { bad = \$3 == 0 && \$4 > 0 } END { exit !(ret && bad) }" out'

test_expect_success 'without debug information the type is unknown, and nothing else is said' '
	strip -g -o bare prog && python3 "$SRC/tests/lib/python/each-insn.py" bare bare.data &&
	perf report --stdio -i bare.data -F type 2>err >out && test_grep "(unknown)" out && ! grep -q struct out &&
	perf annotate -i bare.data --stdio --code-with-type >out 2>err && ! grep -q struct out'

test_done
