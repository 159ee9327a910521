#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 4
test_description='script: tracepoints that plugins of libtraceevent print, and functions that they know'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq TRACEEVENT 'built without libtraceevent, or it is not installed' '
	perf version --build-options | grep -q "libtraceevent: .*on" &&
	echo "#include <traceevent/event-parse.h>" | "${CC:-cc}" -E - >/dev/null'
# Those that came with the reference.
REF_PLUGINS=/usr/lib/traceevent/plugins
test_lazy_prereq REF_PLUGINS 'the reference has no plugins' 'test -e $REF_PLUGINS/plugin_kvm.so'

# Samples of five events whose formats are made up: made.data.
make_file() {
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$@" <<-\EOF
		import struct, sys
		import pdata as p
		common = ("\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		          "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n")
		body = ("\tfield:u32 num;\toffset:8;\tsize:4;\tsigned:0;\n"
		        "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\n")
		names = ["plain", "replaced", "prefixed", "calls", "unknown"]
		prints = ['"num=%u", REC->num', '"num=%u", REC->num', '"num=%u", REC->num',
		          '"ms=%u", jiffies_to_msecs(REC->num)', '"x=%s", nobody_knows(REC->num)']
		fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "RAW"]
		formats, attrs, records, desc = [], [], [p.comm(100, 100, "prog")], struct.pack("<II", 5, 128)
		for i, name in enumerate(names):
		    formats.append(("name: %s\nID: %d\nformat:\n" % (name, 50 + i) + common + body + "print fmt: " + prints[i] +
		                    "\n").encode())
		    attrs.append((p.attr(2, 50 + i, fields, 1), [i + 1]))
		    text = p.text("made:" + name)
		    desc += attrs[-1][0] + struct.pack("<II", 1, len(text)) + text + struct.pack("<Q", i + 1)
		    for raw in [struct.pack("<HHiII", 50 + i, 0, 100, 7, 16 | 6 << 16) + b"hello\0\0\0",
		                struct.pack("<HHiII", 50 + i, 0, 100, 7, 16 | 600 << 16) + b"hello\0\0\0"]:
		        records.append(p.sample(fields, misc=p.KERNEL, IDENTIFIER=i + 1, IP=1, TID=(100, 100),
		                                TIME=10**9 + len(records), PERIOD=1, CPU=0, RAW=raw))
		out = bytes([23, 8, 68]) + b"tracing" + b"0.6\0" + bytes([0, 8]) + struct.pack("<I", 4096)
		for name in (b"header_page", b"header_event"):
		    out += name + b"\0" + struct.pack("<Q", 0)
		out += struct.pack("<II", 0, 1) + b"made\0" + struct.pack("<I", len(formats))
		for f in formats:
		    out += struct.pack("<Q", len(f)) + f
		out += struct.pack("<IIQ", 0, 0, 0)
		p.write("made.data", attrs, records)
		p.add_features("made.data", [(1, out), (12, desc)])
	EOF
}

# plugin NAME: a plugin that replaces one event, adds to another and knows a function.
plugin() {
	mkdir -p "$(dirname "$1")" &&
	cat >plugin.c <<-\EOF &&
		#include <traceevent/event-parse.h>
		#include <traceevent/trace-seq.h>
		int tep_plugin_loader(struct tep_handle *tep);
		void tep_plugin_unloader(struct tep_handle *tep);
		static int replaced(struct trace_seq *s, struct tep_record *r, struct tep_event *e, void *ctx)
		{
			unsigned long long num = 0;
			int len;
			const char *name = tep_get_field_raw(s, e, "name", r, &len, 1);

			tep_get_field_val(s, e, "num", r, &num, 1);
			trace_seq_printf(s, "plugin %llu %s/%d cpu %d\033", num, name, len, r->cpu);
			return 0;
		}
		static int prefixed(struct trace_seq *s, struct tep_record *r, struct tep_event *e, void *ctx)
		{
			trace_seq_puts(s, "(first) ");
			return 1;
		}
		static unsigned long long msecs(struct trace_seq *s, unsigned long long *args)
		{
			return args[0] * 4;
		}
		int tep_plugin_loader(struct tep_handle *tep)
		{
			tep_register_event_handler(tep, -1, "made", "replaced", replaced, NULL);
			tep_register_event_handler(tep, -1, "made", "prefixed", prefixed, NULL);
			tep_register_print_function(tep, msecs, TEP_FUNC_ARG_LONG, "jiffies_to_msecs",
						    TEP_FUNC_ARG_LONG, TEP_FUNC_ARG_VOID);
			return 0;
		}
		void tep_plugin_unloader(struct tep_handle *tep)
		{
			tep_unregister_event_handler(tep, -1, "made", "replaced", replaced, NULL);
			tep_unregister_event_handler(tep, -1, "made", "prefixed", prefixed, NULL);
			tep_unregister_print_function(tep, msecs, "jiffies_to_msecs");
		}
	EOF
	"${CC:-cc}" -shared -fPIC -o "$1" plugin.c
}

test_expect_success GCC,TRACEEVENT 'a plugin replaces texts, adds to them and knows functions' '
	make_file && plugin "$PWD/plugins/plugin_made.so" &&
	TRACEEVENT_PLUGIN_DIR=$PWD/plugins perf script -F event,trace -i made.data >out &&
	cat >want <<-\EOF &&
	made:plain: num=7
	made:plain: num=7
	made:replaced: plugin 7 hello/6 cpu 0\x1b
	made:replaced: num=7
	made:prefixed: (first) num=7
	made:prefixed: num=7
	made:calls: ms=28
	made:calls: ms=28
	made:unknown: [FAILED TO PARSE] num=7 name=hello
	made:unknown: [FAILED TO PARSE] num=7 name=hello
	EOF
	sed "s/^ *//" out >got && diff want got'

test_expect_success GCC,TRACEEVENT 'plugins of the user are found' '
	make_file && plugin "$PWD/home/.local/lib/traceevent/plugins/plugin_made.so" &&
	HOME=$PWD/home perf script -F event,trace -i made.data >out &&
	grep -q "made:replaced: plugin 7" out && grep -q "ms=28" out'

test_expect_success 'without plugins the text is ours' '
	make_file && HOME=$PWD/nowhere perf script -F event,trace -i made.data >out &&
	test "$(grep -c "made:replaced: num=7" out)" = 2 && grep -q "made:prefixed: num=7" out'

# Systems whose events plugins print, or call functions of plugins. The plugins of the system come first, and the
# reference does not look for these.
systems="sched kmem timer kvm kvmmmu jbd2 tlb xen scsi"
present=$(for s in $systems; do test -d /sys/kernel/tracing/events/$s && echo $s; done)
test_lazy_prereq NO_OTHER_PLUGINS 'other plugins are installed' '! ls /usr/lib*/*/traceevent/plugins/*.so /usr/lib64/traceevent/plugins/*.so 2>/dev/null'
# shellcheck disable=SC2086 # words on purpose
test_expect_success REFERENCE,TRACEFS,ROOT,TRACEEVENT,REF_PLUGINS,NO_OTHER_PLUGINS 'the texts of plugins are those of the reference' '
	TRACEEVENT_PLUGIN_DIR=$REF_PLUGINS PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 \
		python3 "$SRC/tests/lib/python/tracepoints.py" "$PERF" "$REF" $present'

# The library itself, with the formats of this kernel, which it may trust.
test_lazy_prereq LIBRARY 'no libtraceevent.so.1' 'python3 -c "import ctypes; ctypes.CDLL(\"libtraceevent.so.1\")"'
test_expect_success TRACEFS,ROOT,LIBRARY,NO_OTHER_PLUGINS 'all tracepoints have the texts of the library' '
	HOME=$PWD/nowhere PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 \
		python3 "$SRC/tests/lib/python/tracepoints.py" "$PERF" libtraceevent.so.1'
test_done
