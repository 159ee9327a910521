#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 4
test_description='script: more of the scripts that come with perf, and databases'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
. "$SRC/tests/lib/python/scripts.sh"
test_require RUNNER
# A start of memory, where only root sees it.
MEMORY_AT=$(awk '/^[0-9a-f].*: System RAM$/ { split($1, ends, "-"); at = ends[1] } END { print at + 0 == 0 ? 0 : at }' /proc/iomem)
export MEMORY_AT
made kmalloc kmalloc-old hcalls sched samples memory trace stacks || exit 1

test_expect_success 'words of fields, on kernels of then and now' '
	ours kmalloc check-perf-trace >new && sed -n "s/^call_site.*gfp_flags=//p" new >out &&
	printf "%s\n" none A "A | B" "A | B | C" | test_cmp - out && grep -q "^kmem__kfree  *4$" new &&
	ours kmalloc-old check-perf-trace | test_cmp new -
'
test_expect_success 'calls of a hypervisor' '
	ours hcalls powerpc-hcalls | sed "1,2d; s/  */ /g" >out &&
	printf "%s\n" "H_ENTER 4 10 300 165" "H_CEDE 2 30 5000 2515" "39321 1 70 70 70" "H_REMOVE 1 3 3 3" | test_cmp - out
'
test_expect_success 'samples by their parts' '
	ours samples event_analyzing_sample >out && grep -qx "There is 4 records in gen_events table" out &&
	grep -qx "There is 32 records in pebs_ll table" out && grep -qx " *1000  *4     ###" out
'
test_expect_success ROOT 'kinds of memory' '
	test "$MEMORY_AT" != 0 && ours memory mem-phys-addr >out && grep -qx "System RAM  *10  *25.0%" out &&
	grep -qx "N/A  *30  *75.0%" out
'
test_expect_success 'load and moves' '
	ours sched sched-migration chart.svg | sed "s/  */ /g; s/^ //" >out && test_cmp - out <<-\END &&
		CPU switches busy mean most came left
		0 3 62.5% 0.75 2 0 1
		1 2 25.0% 0.25 1 1 0

		from to moves
		0 1 1

		task tid moves
		b 2 1
	END
	python3 - chart.svg <<-\END
		import sys
		import xml.etree.ElementTree as tree

		root = tree.parse(sys.argv[1]).getroot()
		tag = "{http://www.w3.org/2000/svg}"
		lane = [(int(r.get("x")), r[0].text) for r in root.iter(tag + "rect") if r.get("y") == "6"]
		assert [text.split()[0] for _, text in lane] == ["1", "2", "1", "0"], lane
		assert len(list(root.iter(tag + "line"))) == 1
	END
'
test_expect_success 'events of a trace' '
	ours trace intel-pt-events >out && grep -c "^ *prog *100/100 " out >n && echo 13 | test_cmp - n &&
	grep -q " ptwrite  *IP: 0 payload: 0x6f6c6c6548 Hello  *401001 " out && grep -q " cbr  *12  freq: 1200 MHz  ( 50%) " out &&
	grep -q " pwrx  *deepest cstate: 3 last cstate: 2 wake reason: 0x4 " out && grep -q " iflag  *IFLAG: 1->0 via branch " out &&
	! ours trace intel-pt-events --no-such >out 2>err && grep -q "unrecognized arguments" err
'
test_expect_success REF_SCRIPTS 'the reference prints the same' '
	while read -r line; do
		same $line || return 1
	done <<-\END
		kmalloc-old check-perf-trace
		hcalls powerpc-hcalls
		trace intel-pt-events
		trace intel-pt-events --src-trace
	END
'

# The perf that hands tables to scripts.
echo "perf_db_export_mode = True" >tables.py
echo "def sample_table(*row): print(\"row\")" >>tables.py
for TABLES in "$PERF" "$REF" ""; do
	test -n "$TABLES" && "$TABLES" script -i stacks.data -s tables.py 2>/dev/null | grep -q row && break
done
test_lazy_prereq TABLES 'no perf that hands tables to scripts' 'test -n "$TABLES"'
RUNNER=$TABLES
trap 'rm -f "/tmp/perf-$STACKS_PID.map"; test_at_exit' EXIT
cp map.txt "/tmp/perf-$STACKS_PID.map"

# sql DATABASE STATEMENT
sql() { python3 -c 'import sqlite3, sys; print(*("|".join(map(str, row)) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])), sep="\n")' "$@"; }

test_expect_success TABLES 'a database of SQLite' '
	ours stacks export-to-sqlite a.db all callchains >out && grep -q "Done$" out &&
	sql a.db "SELECT tid - pid, count(*) FROM samples_view WHERE id > 0 GROUP BY tid" >out &&
	printf "%s\n" "0|4" "1|8" | test_cmp - out &&
	sql a.db "SELECT event, symbol, sym_offset, count(*) FROM samples_view WHERE symbol LIKE \"%call(%\" GROUP BY symbol" >out &&
	sed "s/^cpu-clock[^|]*/cpu-clock/" out >event && echo "cpu-clock|Lorg/foo/Bar;.call(Ljava/lang/String;I)V|4|2" | test_cmp - event &&
	sql a.db "SELECT parent_symbol FROM call_paths_view WHERE symbol = \"</script>\"" >out &&
	echo "Lorg/foo/Bar;::method" | test_cmp - out &&
	! ours stacks export-to-sqlite a.db >out 2>err && grep -q "a.db already exists" err &&
	! ours stacks export-to-sqlite b.db some >out 2>err && grep -q "^Usage" err && ! test -e b.db
'
test_expect_success TABLES,REF_SCRIPTS 'it has what the tables of the reference have' '
	for c in all branches "all calls" "all calls callchains"; do
		rm -f theirs.db ours.db && ours stacks export-to-sqlite ours.db $c >out &&
		PYTHONPATH=$SRC/tests/lib/python/qt "$REF" script -i stacks.data -s "$REF_SCRIPTS/export-to-sqlite.py" theirs.db $c >out 2>&1 &&
		python3 - theirs.db ours.db <<-\END || return 1
			import sqlite3
			import sys

			def content(path):
			    run = sqlite3.connect(path).execute
			    names = run("SELECT name, type FROM sqlite_master WHERE type IN (\"table\", \"view\")").fetchall()
			    return {n: (kind, [c[1:3] for c in run("PRAGMA table_info(%s)" % n)] if kind == "table" else None,
			                run("SELECT * FROM " + n).fetchall()) for n, kind in names}

			theirs, ours = map(content, sys.argv[1:])
			assert theirs.keys() == ours.keys(), theirs.keys() ^ ours.keys()
			for name in theirs:
			    # A process whose name nothing tells of has it since -1 there, and its threads have names of their own.
			    if name == "comms":
			        theirs[name], ours[name] = [(t[0], t[1], [r[1:3] for r in t[2]][:2]) for t in (theirs[name], ours[name])]
			    assert theirs[name] == ours[name], (name, theirs[name], ours[name])
		END
	done
'

PG=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
test_lazy_prereq POSTGRES 'no server of PostgreSQL, or nobody to run it as' '
	test -x "$PG/initdb" && command -v psql createdb && test "$(id -u)" = 0 && id postgres && command -v setpriv'
# as_postgres COMMAND...: the server does not run as root
as_postgres() { (cd / && setpriv --reuid=postgres --regid="$(id -g postgres)" --clear-groups "$@"); }
test_expect_success TABLES,POSTGRES 'a database of PostgreSQL' '
	server=$(mktemp -d) && chown postgres "$server" && as_postgres "$PG/initdb" -N -D "$server/data" -U perf -A trust >log &&
	as_postgres "$PG/pg_ctl" -D "$server/data" -w -l "$server/log" -o "-F -k $server -c listen_addresses=" start >log &&
	{
		export PGHOST=$server PGUSER=perf
		ours stacks export-to-postgresql profile all calls callchains >out &&
		psql -XAtq profile -c "SELECT tid - pid, count(*) FROM samples_view WHERE id > 0 GROUP BY 1 ORDER BY 1" >rows &&
		! ours stacks export-to-postgresql profile >out 2>err
		rc=$?
		as_postgres "$PG/pg_ctl" -D "$server/data" -m immediate stop >log
		rm -rf "$server"
		unset PGHOST PGUSER
	} && test $rc = 0 && printf "%s\n" "0|4" "1|8" | test_cmp - rows && grep -q "createdb failed.*already exists" err
'
test_done
