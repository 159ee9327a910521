# SPDX-License-Identifier: GPL-2.0-or-later
"""Write a recording as a database of SQLite: tables of samples, threads, symbols and so on, with views that join them.

Wants: samples of any event but tracepoints; call chains for the table call_paths.
Usage: perf script export-to-sqlite DATABASE [all|branches] [calls] [callchains]

The database is a file that must not exist. `sqlite3 DATABASE` and the script exported-sql-viewer read it.
"""
import os
import re
import sqlite3
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from SqlTables import Choice, Export, signed, views

ROWS_AT_ONCE = 10000


def dialect(select):
    """Return a SELECT as SQLite has it."""
    select = re.sub(r"{hex\((.*?)\)}", r'printf("%x", \1)', select)
    return re.sub(r"{text}\((.*?)\)", r"\1", select).replace("{number}", "FLOAT").replace("{ipc}", "IPC")


class Database:
    """The file."""

    def __init__(self, path):
        if os.path.exists(path):
            sys.exit("export-to-sqlite: %s already exists" % path)
        try:
            self.connection = sqlite3.connect(path, isolation_level=None)
            # A file that is not whole is of no use, so nothing waits for the disk.
            self.connection.execute("PRAGMA journal_mode = OFF")
        except sqlite3.Error as e:
            sys.exit("export-to-sqlite: cannot create %s: %s" % (path, e))
        self.connection.execute("PRAGMA synchronous = OFF")
        self.connection.execute("BEGIN")
        self.waiting = {}
        self.inserts = {}

    def create(self, table, columns):
        """Create a table."""
        self.connection.execute("CREATE TABLE %s (id integer NOT NULL PRIMARY KEY, %s)" %
                                (table, ", ".join("%s %s" % c for c in columns)))
        self.waiting[table] = []

    def add(self, table, row):
        """Add a row; columns that it does not have are empty."""
        rows = self.waiting[table]
        rows.append([signed(value) for value in row])
        if len(rows) >= ROWS_AT_ONCE:
            self.write(table)

    def write(self, table):
        """Write the rows of a table that wait."""
        rows = self.waiting[table]
        if rows:
            width = len(rows[0])
            names = [c[1] for c in self.connection.execute("PRAGMA table_info(%s)" % table)][:width]
            self.connection.executemany("INSERT INTO %s (%s) VALUES (%s)" %
                                        (table, ", ".join(names), ", ".join("?" * width)), rows)
            self.waiting[table] = []

    def finish(self, used, unused, choice):
        """Write all that waits; make indexes and views."""
        run = self.connection.execute
        for table in self.waiting:
            self.write(table)
        for table in unused:
            run("DROP TABLE %s" % table)
        if choice.calls:
            run("CREATE INDEX pcpid_idx ON calls (parent_call_path_id)")
            run("CREATE INDEX pid_idx ON calls (parent_id)")
            run("UPDATE comms SET has_calls = 1 WHERE id IN (SELECT DISTINCT comm_id FROM calls)")
        for name, select in views(used, dialect):
            run("CREATE VIEW %s AS %s" % (name, select))
        run("COMMIT")
        self.connection.close()


choice = Choice("export-to-sqlite")
Export(choice, Database(choice.database)).install(globals())
