#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='script: disassembly by libxed where it is installed, and without it'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
. "$SRC/tests/lib/python/scripts.sh"
export PYTHONPATH=$SRC/scripts/python/Perf-Trace-Util/lib/Perf/Trace

cat >show.py <<\END
from libxed import Disassembler, Missing

try:
    d = Disassembler()
    print(d.text(b"\x90" * 20, 0x401000))
    print(d.text(memoryview(b"\x48\x89\xd8"), (1 << 64) - 16, 32))
    print(d.text(b"\x06", 0), d.text(b"", 0))
except Missing as e:
    print("Missing:", e)
END

test_expect_success 'without the library' '
	PERF_LIBXED=$PWD/nosuch.so python3 show.py >out && grep -q "^Missing: cannot use libxed.*nosuch.so: cannot open.*PERF_LIBXED$" out &&
	PERF_LIBXED=$PWD/show.py python3 show.py >out && grep -q "^Missing: cannot use libxed" out
'

# A library with these functions that tells what it was asked for; 06 is no instruction of 64 bits.
cat >xed.c <<\END
#include <stdint.h>
#include <stdio.h>
#include <string.h>
struct state { int mode, width; };
struct decoded { struct state state; unsigned int bytes; unsigned char first; };
static int ready;
void xed_tables_init(void) { ready = 1; }
void xed_decoded_inst_zero_set_mode(struct decoded *d, const struct state *s) { memset(d, 0, 200); d->state = *s; }
int xed_decode(struct decoded *d, const uint8_t *code, unsigned int bytes)
{
	if (!ready || !bytes || *code == 6)
		return 2;
	d->bytes = bytes;
	d->first = *code;
	return 0;
}
int xed_format_context(int syntax, const struct decoded *d, char *out, int size, uint64_t at, void *context, void *name)
{
	return snprintf(out, size, "syntax %d mode %d/%d: %u bytes, %02x at %llx%s", syntax, d->state.mode, d->state.width,
			d->bytes, d->first, (unsigned long long)at, context || name ? " bad" : "") > 0;
}
END
test_lazy_prereq FAKE 'no C compiler' '"${CC:-gcc}" -shared -fPIC -o "$TRASH/cwd/fake.so" "$TRASH/cwd/xed.c"'
test_expect_success FAKE 'with a library' '
	PERF_LIBXED=$PWD/fake.so python3 show.py >out && test_cmp - out <<-\END
		syntax 3 mode 1/8: 15 bytes, 90 at 401000
		syntax 3 mode 2/4: 3 bytes, 48 at fffffffffffffff0
		None None
	END
'
test_expect_success FAKE 'a library that lacks a function' '
	echo "void xed_tables_init(void) { }" >half.c && "${CC:-gcc}" -shared -fPIC -o half.so half.c &&
	PERF_LIBXED=$PWD/half.so python3 show.py >out && grep -q "^Missing: .*undefined symbol" out
'

# Two instructions of a program.
test_lazy_prereq PROG 'no C compiler' 'test "$(uname -m)" = x86_64 && cd "$TRASH/cwd" &&
	echo "int main(void) { return 0; }" >prog.c && "${CC:-gcc}" -o prog prog.c && nm prog | grep -q " T main$" &&
	PYTHONPATH=$SRC/tests/lib/python python3 - "$PWD/prog" "$(nm prog | sed -n "s/ T main$//p")" <<\END
import struct
import sys

import pdata as p

fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD"]
main = int(sys.argv[2], 16)
start, base = main & ~0xfff, 0x555555554000
if start >= 0x400000:
    base, offset = 0, start & 0x3fffff
else:
    offset = start
attr = p.attr(4, 0, fields, 1)
records = [p.comm(100, 100, "prog"), p.mmap2(100, base + start, 0x1000, offset, sys.argv[1])]
records.append(p.sample(fields, IDENTIFIER=1, IP=base + main, TID=(100, 100), TIME=10**9, PERIOD=1))
p.write("insn.data", [(attr, [1])], records)
name = struct.pack("<II", 1, len(attr)) + attr + struct.pack("<II", 1, 64) + b"instructions".ljust(64, b"\0") + struct.pack("<Q", 1)
p.add_features("insn.data", [(12, name)])
END
'
test_expect_success RUNNER,PROG 'the instructions of a trace: bytes, and text where it is known' '
	PERF_LIBXED=$PWD/nosuch.so ours insn intel-pt-events --insn-trace >bytes 2>err &&
	grep -q "intel-pt-events: instructions are shown as bytes only: cannot use libxed" err &&
	grep -q "^ *prog *100/100 .*main.*/prog) .*\(f3 0f 1e fa\|55\)$" bytes
'
test_expect_success RUNNER,PROG,FAKE 'disassembled' '
	PERF_LIBXED=$PWD/fake.so ours insn intel-pt-events --insn-trace >out 2>err && ! grep -q libxed err &&
	grep -q "^ *prog *100/100 .*main.*  syntax 3 mode 1/8: [0-9]* bytes, [0-9a-f]* at [0-9a-f]*$" out
'
test_done
