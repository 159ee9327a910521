# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording as tables of a database, for export-to-sqlite and export-to-postgresql.

perf calls the functions of a script that are named after its tables (evsel_table, sample_table, ...) when
perf_db_export_mode is true in the script; each call has the columns of one row, in which other rows are known by their
ids. Row 0 of a table stands for what is not known.
"""
import sys
from datetime import datetime

from IntelPt import decode

BIG, INT, BOOL = "bigint", "integer", "boolean"
# Tables with their columns behind the id, which all have.
TABLES = {
    "selected_events": (("name", "varchar(80)"),),
    "machines": (("pid", INT), ("root_dir", "varchar(4096)")),
    "threads": (("machine_id", BIG), ("process_id", BIG), ("pid", INT), ("tid", INT)),
    "comms": (("comm", "varchar(16)"), ("c_thread_id", BIG), ("c_time", BIG), ("exec_flag", BOOL)),
    "comm_threads": (("comm_id", BIG), ("thread_id", BIG)),
    "dsos": (("machine_id", BIG), ("short_name", "varchar(256)"), ("long_name", "varchar(4096)"),
             ("build_id", "varchar(64)")),
    "symbols": (("dso_id", BIG), ("sym_start", BIG), ("sym_end", BIG), ("binding", INT), ("name", "varchar(2048)")),
    "branch_types": (("name", "varchar(80)"),),
    "samples": (("evsel_id", BIG), ("machine_id", BIG), ("thread_id", BIG), ("comm_id", BIG), ("dso_id", BIG),
                ("symbol_id", BIG), ("sym_offset", BIG), ("ip", BIG), ("time", BIG), ("cpu", INT), ("to_dso_id", BIG),
                ("to_symbol_id", BIG), ("to_sym_offset", BIG), ("to_ip", BIG), ("period", BIG), ("weight", BIG),
                ("transaction_", BIG), ("data_src", BIG), ("branch_type", INT), ("in_tx", BOOL), ("call_path_id", BIG),
                ("insn_count", BIG), ("cyc_count", BIG), ("flags", INT)),
    "call_paths": (("parent_id", BIG), ("symbol_id", BIG), ("ip", BIG)),
    "calls": (("thread_id", BIG), ("comm_id", BIG), ("call_path_id", BIG), ("call_time", BIG), ("return_time", BIG),
              ("branch_count", BIG), ("call_id", BIG), ("return_id", BIG), ("parent_call_path_id", BIG), ("flags", INT),
              ("parent_id", BIG), ("insn_count", BIG), ("cyc_count", BIG)),
    "ptwrite": (("payload", BIG), ("exact_ip", INT)),
    "cbr": (("cbr", INT), ("mhz", INT), ("percent", INT)),
    "mwait": (("hints", INT), ("extensions", INT)),
    "pwre": (("cstate", INT), ("subcstate", INT), ("hw", INT)),
    "exstop": (("exact_ip", INT),),
    "pwrx": (("deepest_cstate", INT), ("last_cstate", INT), ("wake_reason", INT)),
    "context_switches": (("machine_id", BIG), ("time", BIG), ("cpu", INT), ("thread_out_id", BIG), ("comm_out_id", BIG),
                         ("thread_in_id", BIG), ("comm_in_id", BIG), ("flags", INT)),
}
# Columns of samples that are left out when only branches are wanted.
NOT_OF_BRANCHES = ("period", "weight", "transaction_", "data_src")
# Tables that are dropped when nothing is in them.
POWER = ("cbr", "mwait", "pwre", "exstop", "pwrx")
MAY_BE_UNUSED = ("ptwrite", *POWER, "context_switches")
UNKNOWN_ROWS = {
    "selected_events": ("unknown",), "machines": (0, "unknown"), "threads": (0, 0, -1, -1), "comms": ("unknown", 0, 0, 0),
    "dsos": (0, "unknown", "unknown", ""), "symbols": (0, 0, 0, 0, "unknown"), "samples": (0,) * 24, "call_paths": (0,) * 3,
    "calls": (0,) * 13,
}
# Functions that perf calls -> their tables. synth_data() is apart.
HOOKS = {
    "evsel_table": "selected_events", "machine_table": "machines", "thread_table": "threads", "comm_table": "comms",
    "comm_thread_table": "comm_threads", "dso_table": "dsos", "symbol_table": "symbols", "branch_type_table": "branch_types",
    "sample_table": "samples", "call_path_table": "call_paths", "call_return_table": "calls",
    "context_switch_table": "context_switches",
}
YES = "CASE WHEN %s = 0 THEN 'False' ELSE 'True' END AS %s"
WAKE = ("CASE WHEN wake_reason = 1 THEN 'Interrupt' WHEN wake_reason = 2 THEN 'Timer Deadline' "
        "WHEN wake_reason = 4 THEN 'Monitored Address' WHEN wake_reason = 8 THEN 'HW' ELSE {text}(wake_reason) END "
        "AS wake_reason")
OF_SAMPLE = "SELECT t.id, time, cpu, %s FROM %s t JOIN samples s ON s.id = t.id"
IPC = ("CASE WHEN cyc_count = 0 THEN CAST(0 AS FLOAT) "
       "ELSE ROUND(CAST(insn_count AS {number}) / cyc_count, 2) END AS {ipc}")
# Views, where {hex}, {text}, {number} and {ipc} are as the database spells them. A view is made when its tables are there.
VIEWS = {
    "machines_view": ("SELECT id, pid, root_dir, CASE WHEN id = 0 THEN 'unknown' WHEN pid = -1 THEN 'host' "
                      "ELSE 'guest' END AS host_or_guest FROM machines"),
    "dsos_view": ("SELECT d.id, machine_id, host_or_guest, short_name, long_name, build_id "
                  "FROM dsos d LEFT JOIN machines_view m ON m.id = machine_id"),
    "symbols_view": ("SELECT s.id, name, short_name AS dso, dso_id, sym_start, sym_end, CASE WHEN binding = 0 THEN 'local' "
                     "WHEN binding = 1 THEN 'global' ELSE 'weak' END AS binding "
                     "FROM symbols s LEFT JOIN dsos d ON d.id = dso_id"),
    "threads_view": ("SELECT t.id, machine_id, host_or_guest, process_id, t.pid, tid "
                     "FROM threads t LEFT JOIN machines_view m ON m.id = machine_id"),
    "comm_threads_view": ("SELECT comm_id, comm AS command, thread_id, pid, tid FROM comm_threads ct "
                          "LEFT JOIN comms c ON c.id = comm_id LEFT JOIN threads t ON t.id = thread_id"),
    "call_paths_view": (
        "SELECT c.id, {hex(c.ip)} AS ip, c.symbol_id, s.name AS symbol, s.dso_id, s.dso AS dso_short_name, c.parent_id, "
        "{hex(p.ip)} AS parent_ip, p.symbol_id AS parent_symbol_id, ps.name AS parent_symbol, ps.dso_id AS parent_dso_id, "
        "ps.dso AS parent_dso_short_name FROM call_paths c JOIN call_paths p ON p.id = c.parent_id "
        "LEFT JOIN symbols_view s ON s.id = c.symbol_id LEFT JOIN symbols_view ps ON ps.id = p.symbol_id"),
    "calls_view": (
        "SELECT c.id, thread_id, pid, tid, comm AS command, call_path_id, {hex(cp.ip)} AS ip, symbol_id, name AS symbol, "
        "call_time, return_time, return_time - call_time AS elapsed_time, branch_count, insn_count, cyc_count, " + IPC +
        ", call_id, return_id, CASE WHEN flags = 0 THEN '' WHEN flags = 1 THEN 'no call' WHEN flags = 2 THEN 'no return' "
        "WHEN flags = 3 THEN 'no call/return' WHEN flags = 6 THEN 'jump' ELSE {text}(flags) END AS flags, "
        "parent_call_path_id, c.parent_id FROM calls c JOIN call_paths cp ON cp.id = call_path_id "
        "LEFT JOIN threads t ON t.id = thread_id LEFT JOIN comms m ON m.id = comm_id LEFT JOIN symbols s ON s.id = symbol_id"),
    "samples_view": (
        "SELECT s.id, time, cpu, pid, tid, comm AS command, e.name AS event, {hex(ip)} AS ip_hex, y.name AS symbol, "
        "sym_offset, d.short_name AS dso_short_name, {hex(to_ip)} AS to_ip_hex, ty.name AS to_symbol, to_sym_offset, "
        "td.short_name AS to_dso_short_name, b.name AS branch_type_name, in_tx, insn_count, cyc_count, " + IPC + ", flags "
        "FROM samples s LEFT JOIN threads t ON t.id = thread_id LEFT JOIN comms c ON c.id = comm_id "
        "LEFT JOIN selected_events e ON e.id = evsel_id LEFT JOIN symbols y ON y.id = symbol_id "
        "LEFT JOIN dsos d ON d.id = s.dso_id LEFT JOIN symbols ty ON ty.id = to_symbol_id "
        "LEFT JOIN dsos td ON td.id = to_dso_id LEFT JOIN branch_types b ON b.id = branch_type"),
    "ptwrite_view": OF_SAMPLE % ("{hex(payload)} AS payload_hex, " + YES % ("exact_ip", "exact_ip"), "ptwrite"),
    "cbr_view": OF_SAMPLE % ("cbr, mhz, percent", "cbr"),
    "mwait_view": OF_SAMPLE % ("{hex(hints)} AS hints_hex, {hex(extensions)} AS extensions_hex", "mwait"),
    "pwre_view": OF_SAMPLE % ("cstate, subcstate, " + YES % ("hw", "hw"), "pwre"),
    "exstop_view": OF_SAMPLE % (YES % ("exact_ip", "exact_ip"), "exstop"),
    "pwrx_view": OF_SAMPLE % ("deepest_cstate, last_cstate, " + WAKE, "pwrx"),
    "power_events_view": (
        "SELECT s.id, time, cpu, e.name AS event, cbr.cbr, mhz, percent, "
        "CASE WHEN mwait.id IS NOT NULL THEN {hex(hints)} END AS hints_hex, "
        "CASE WHEN mwait.id IS NOT NULL THEN {hex(extensions)} END AS extensions_hex, cstate, subcstate, hw, "
        "exstop.exact_ip, deepest_cstate, last_cstate, " + WAKE + " FROM samples s "
        "JOIN selected_events e ON e.id = evsel_id LEFT JOIN cbr ON cbr.id = s.id LEFT JOIN mwait ON mwait.id = s.id "
        "LEFT JOIN pwre ON pwre.id = s.id LEFT JOIN exstop ON exstop.id = s.id LEFT JOIN pwrx ON pwrx.id = s.id "
        "WHERE e.name IN ('cbr', 'mwait', 'exstop', 'pwre', 'pwrx')"),
    "context_switches_view": (
        "SELECT x.id, x.machine_id, x.time, x.cpu, t_out.pid AS pid_out, t_out.tid AS tid_out, c_out.comm AS comm_out, "
        "t_in.pid AS pid_in, t_in.tid AS tid_in, c_in.comm AS comm_in, CASE WHEN x.flags = 0 THEN 'in' WHEN x.flags = 1 "
        "THEN 'out' WHEN x.flags = 3 THEN 'out preempt' ELSE {text}(x.flags) END AS flags FROM context_switches x "
        "JOIN threads t_out ON t_out.id = x.thread_out_id JOIN threads t_in ON t_in.id = x.thread_in_id "
        "JOIN comms c_out ON c_out.id = x.comm_out_id JOIN comms c_in ON c_in.id = x.comm_in_id"),
}


def signed(value):
    """Return a value as databases can hold it: integers have 64 bits and a sign."""
    return value - (1 << 64) if isinstance(value, int) and value >> 63 > 0 else value


def say(what):
    """Print a step with its time."""
    print(datetime.now(), what, flush=True)


class Choice:
    """What is exported, as the arguments ask for it."""

    def __init__(self, name):
        self.name = name
        given = sys.argv[1:]
        self.database = given[0] if given else self.usage()
        self.columns = given[1] if len(given) > 1 else "all"
        self.calls = "calls" in given[2:]
        self.chains = "callchains" in given[2:]
        # pyside-version-1 chose between the libraries that once wrote the database.
        if self.columns not in ("all", "branches") or set(given[2:]) - {"calls", "callchains", "pyside-version-1"}:
            self.usage()

    def usage(self):
        """End with a message."""
        sys.exit("Usage is: %s.py <database name> [<columns>] [<calls>] [<callchains>]\n"
                 "where:  columns            'all' or 'branches'\n"
                 "        calls              'calls' => create calls and call_paths table\n"
                 "        callchains         'callchains' => create call_paths table" % self.name)

    def tables(self):
        """Return the tables with the columns that are wanted."""
        found = {}
        for table, columns in TABLES.items():
            if table == "calls" and not self.calls or table == "call_paths" and not (self.calls or self.chains):
                continue
            if table == "samples" and self.columns == "branches":
                columns = tuple(c for c in columns if c[0] not in NOT_OF_BRANCHES)
            if table == "comms" and self.calls:
                columns += (("has_calls", BOOL),)
            found[table] = columns
        return found


class Export:
    """Passes the rows that perf has on to a database.

    The database is an object with create(table, columns), add(table, row), and finish(used tables, dropped tables); its
    views come from views().
    """

    def __init__(self, choice, database):
        self.choice, self.database = choice, database
        self.tables = choice.tables()
        self.used = set()
        self.places = {table: [at for at, c in enumerate((("id",), *TABLES[table])) if c in [("id",), *columns]]
                       for table, columns in self.tables.items()}

    def install(self, namespace):
        """Put the functions that perf calls into a script's names."""
        namespace["perf_db_export_mode"] = True
        namespace["perf_db_export_calls"] = self.choice.calls
        namespace["perf_db_export_callchains"] = self.choice.chains
        namespace.update(trace_begin=self.begin, trace_end=self.end, synth_data=self.synthesized)
        for hook, table in HOOKS.items():
            if table in self.tables:
                namespace[hook] = self.adder(table)

    def adder(self, table):
        """Return the function that adds a row of a table."""
        places, add, used = self.places[table], self.database.add, self.used
        if len(places) == 1 + len(TABLES[table]):
            size = len(places)
            return lambda *row: used.add(table) or add(table, row[:size])
        return lambda *row: used.add(table) or add(table, [row[at] for at in places])

    def synthesized(self, sample_id, kind, raw, *_):
        """Add the row of an event that was made from a trace."""
        name, fields = decode(kind, raw)
        if name in self.tables:
            self.used.add(name)
            self.database.add(name, (sample_id, *(fields[column] for column, _ in self.tables[name])))

    def begin(self):
        """Create the tables, with what stands for things that are not known."""
        say("Creating database ...")
        for table, columns in self.tables.items():
            self.database.create(table, columns)
        say("Writing records...")
        for table, row in UNKNOWN_ROWS.items():
            if table in self.tables:
                self.adder(table)(0, *row)
        self.used.clear()

    def end(self):
        """Write what is left."""
        if "samples" not in self.used:
            print("%s: there are no rows: either no sample was chosen, or this perf does not hand tables to scripts" %
                  self.choice.name, file=sys.stderr)
        say("Adding indexes")
        unused = [t for t in MAY_BE_UNUSED if t not in self.used]
        # The view of all power events needs all of its tables.
        if any(t in self.used for t in POWER):
            unused = [t for t in unused if t not in POWER]
        say("Dropping unused tables")
        self.database.finish([t for t in self.tables if t not in unused], unused, self.choice)
        say("Done")


def views(tables, dialect):
    """Return (name, SELECT) of the views whose tables are there. dialect: what {hex(x)} and others are written as"""
    for name, select in VIEWS.items():
        base = name[:-len("_view")]
        if base in tables or base == "power_events" and POWER[0] in tables:
            yield name, dialect(select)
