#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='script: tables of calls and power events, and the reports of exported-sql-viewer'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
export PYTHONDONTWRITEBYTECODE=1 PERF_EXEC_PATH=$SRC

# What perf hands to the script for a trace: main calls work twice, which calls leaf once in all; power events.
test_expect_success 'a database with calls' '
	python3 - "$SRC/scripts/python/export-to-sqlite.py" >out <<-\END && grep -q "Done$" out
		import runpy
		import struct
		import sys

		script = sys.argv[1]
		sys.argv = [script, "calls.db", "all", "calls"]
		perf = runpy.run_path(script)
		assert perf["perf_db_export_mode"] and perf["perf_db_export_calls"] and not perf["perf_db_export_callchains"]
		perf["trace_begin"]()
		for id, name in ((1, "branches"), (2, "cbr"), (3, "pwrx"), (4, "ptwrite")):
		    perf["evsel_table"](id, name)
		perf["machine_table"](1, -1, "")
		perf["thread_table"](1, 1, 1, 70, 71)
		perf["comm_table"](1, "prog", 1, 5, 1)
		perf["comm_thread_table"](1, 1, 1)
		perf["dso_table"](1, 1, "prog", "/bin/prog", "abcd")
		perf["branch_type_table"](3, "call")
		for id, name in enumerate(("main", "work", "leaf"), 1):
		    perf["symbol_table"](id, 1, id * 256, id * 256 + 255, id % 2, name)
		for id, parent, symbol in ((1, 0, 0), (2, 1, 1), (3, 2, 2), (4, 3, 3)):
		    perf["call_path_table"](id, parent, symbol, 0x1000 * id)
		for id, event in ((1, 1), (2, 2), (3, 3), (4, 4)):
		    perf["sample_table"](id, event, 1, 1, 1, 1, 1, 4, (1 << 64) - 16, 100 * id, 0, 1, 2, 0, 512, 1, 0, 0, 0, 3, 0, 0, 7, 2, 0)
		for row in ((1, 2, 1000, 1900, 0, 0), (2, 3, 1100, 1300, 1, 2), (3, 3, 1400, 1800, 1, 2), (4, 4, 1500, 1600, 3, 3)):
		    id, path, start, end, parent, above = row
		    perf["call_return_table"](id, 1, 1, path, start, end, 10 * id, 1, 1, above, 0, parent, 8, 3)
		perf["synth_data"](2, 5, struct.pack("<III", 12 | 24 << 16, 1199600, 0))
		perf["synth_data"](3, 4, struct.pack("<IQ", 0, 3 | 2 << 4 | 4 << 8))
		perf["synth_data"](4, 0, struct.pack("<IQ", 1, 0xbeef))
		perf["trace_end"]()
	END
'
viewer() { python3 "$SRC/scripts/python/exported-sql-viewer.py" "$@"; }

test_expect_success 'tables, and those that nothing is in' '
	viewer calls.db >out && grep -qx "calls  *5" out && grep -qx "calls_view  *5" out && ! grep -q context_switches out &&
	viewer calls.db comms | tail -1 >out && grep -qx " 1  prog  *1  *5  *1  *1" out &&
	viewer calls.db samples --find ffffffff --limit 1 >out && test_line_count -eq 2 out &&
	grep -q "prog  *branches  *fffffffffffffff0  *main .* 7  *2  *3.5 " out
'
test_expect_success 'power events' '
	viewer calls.db power_events_view | sed "1d; s/  */ /g" >out &&
	printf "%s\n" " 2 200 0 cbr 12 1200 50" " 3 300 0 pwrx 3 2 Monitored Address" | test_cmp - out &&
	viewer calls.db ptwrite_view | grep -qx " 4  *400  *0  *beef  *True"
'
test_expect_success 'calls' '
	viewer calls.db call-graph | sed "s/^ *//; s/  */ /g" >out && test_cmp - out <<-\END &&
		calls time (ns) branches call path
		1 900 10 prog (70:71)
		1 900 10 main
		2 600 50 work
		1 100 40 leaf
	END
	viewer calls.db call-tree | sed "s/^ *//; s/  */ /g" >out && test_cmp - out <<-\END &&
		at (ns) time (ns) branches call
		prog (70:71)
		1000 900 10 main
		1100 200 20 work
		1400 400 30 work
		1500 100 40 leaf
	END
	viewer calls.db top-calls | sed "1d; s/  */ /g" | cut -d" " -f1-6 >out &&
	printf "%s\n" "prog 70 71 main 1000 900" "prog 70 71 work 1400 400" "prog 70 71 work 1100 200" "prog 70 71 leaf 1500 100" |
		test_cmp - out &&
	viewer calls.db call-tree --find leaf >out && test_line_count -eq 5 out && viewer calls.db branches >out && test_line_count -eq 5 out
'
test_expect_success 'a page' '
	viewer calls.db --html page.html && python3 - page.html <<-\END
		import html.parser
		import sys

		class Check(html.parser.HTMLParser):
		    stack, titles = [], []

		    def handle_starttag(self, tag, attrs):
		        if tag != "meta":
		            self.stack.append(tag)

		    def handle_endtag(self, tag):
		        assert self.stack.pop() == tag, tag

		    def handle_data(self, data):
		        if self.stack and self.stack[-1] == "h2":
		            self.titles.append(data)

		check = Check()
		with open(sys.argv[1]) as f:
		    check.feed(f.read().split("\n", 1)[1])
		assert not check.stack and check.titles == ["tables", "call-graph", "call-tree", "branches", "top-calls", "samples"]
	END
'
test_expect_success 'what it cannot show is said' '
	! viewer calls.db nosuch 2>err && grep -q "no report, table or view nosuch" err && ! viewer page.html 2>err &&
	grep -q "cannot read page.html: file is not a database" err && ! viewer 2>err && grep -q "^usage" err
'
test_done
