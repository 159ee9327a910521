# SPDX-License-Identifier: GPL-2.0-or-later
"""Write a recording as a database of PostgreSQL: tables of samples, threads, symbols and so on, with views that join them.

Wants: samples of any event but tracepoints; call chains for the table call_paths.
Usage: perf script export-to-postgresql DATABASE [all|branches] [calls] [callchains]

The database is created, by the programs createdb and psql of PostgreSQL; PGHOST, PGUSER and the like say where and as whom.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from SqlTables import Choice, Export, signed, views

# The last word of a column's name -> the table that it has ids of.
OTHERS = (("call_path_id", "call_paths"), ("evsel_id", "selected_events"), ("machine_id", "machines"), ("process_id", "threads"),
          ("thread_id", "threads"), ("thread_out_id", "threads"), ("thread_in_id", "threads"), ("comm_id", "comms"),
          ("comm_out_id", "comms"), ("comm_in_id", "comms"), ("dso_id", "dsos"), ("symbol_id", "symbols"))
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": ""})


def dialect(select):
    """Return a SELECT as PostgreSQL has it."""
    select = re.sub(r"{hex\((.*?)\)}", r"to_hex(\1)", select)
    return re.sub(r"{text}\((.*?)\)", r"CAST(\1 AS varchar)", select).replace("{number}", "NUMERIC").replace("{ipc}", "ipc")


def column_name(name):
    """Return how a column is called: the word that SQLite reserves is none here."""
    return "transaction" if name == "transaction_" else name


def other_table(column):
    """Return the table that a column has ids of, or None."""
    return next((table for end, table in OTHERS if column == end or column.endswith("_" + end)), None)


def longest(kind):
    """Return how many characters a column takes; None for other columns than texts."""
    match = re.fullmatch(r"varchar\((\d+)\)", kind)
    return int(match[1]) if match else None


def copied(value, length):
    """Return a value as COPY reads it. A name that is too long for its column must not stop all others."""
    return value[:length].translate(ESCAPES) if isinstance(value, str) else str(int(signed(value)))


def run(program, *arguments, text=None):
    """Run a program of PostgreSQL; the script ends with its message when it fails."""
    try:
        done = subprocess.run([program, *arguments], input=text, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              universal_newlines=True, check=False)
    except OSError as e:
        sys.exit("export-to-postgresql: cannot run %s: %s; it is part of the package postgresql-client" % (program, e.strerror))
    if done.returncode:
        sys.exit("export-to-postgresql: %s failed: %s" % (program, done.stderr.strip()))


class Database:
    """The database, and a file for each table, which is copied when all rows are there."""

    def __init__(self, name):
        run("createdb", "--", name)
        self.name = name
        self.folder = tempfile.TemporaryDirectory(prefix="perf-export-")
        self.columns = {}
        self.lengths = {}
        self.files = {}

    def create(self, table, columns):
        """Begin a table."""
        self.columns[table] = columns
        self.lengths[table] = [None] + [longest(kind) for _, kind in columns]
        self.files[table] = open(os.path.join(self.folder.name, table), "w", encoding="utf-8", errors="replace")

    def add(self, table, row):
        """Add a row; columns that it does not have are empty."""
        lengths = self.lengths[table]
        missing = ["\\N"] * (len(lengths) - len(row))
        self.files[table].write("\t".join([copied(*pair) for pair in zip(row, lengths)] + missing) + "\n")

    def statements(self, used, choice):
        """Return the statements that fill the database."""
        for table in used:
            columns = [("id", "bigint NOT NULL")] + [(column_name(name), kind) for name, kind in self.columns[table]]
            yield "CREATE TABLE %s (%s);" % (table, ", ".join("%s %s" % c for c in columns))
            yield "\\copy %s FROM '%s'" % (table, self.files[table].name)
        for table in used:
            yield "ALTER TABLE %s ADD PRIMARY KEY (id);" % table
        for table in used:
            for name, _ in self.columns[table]:
                if other_table(name) in used:
                    yield "ALTER TABLE %s ADD FOREIGN KEY (%s) REFERENCES %s (id);" % (table, name, other_table(name))
        if choice.calls:
            yield "CREATE INDEX pcpid_idx ON calls (parent_call_path_id);"
            yield "CREATE INDEX pid_idx ON calls (parent_id);"
            yield "UPDATE comms SET has_calls = TRUE WHERE id IN (SELECT DISTINCT comm_id FROM calls);"
        for name, select in views(used, dialect):
            yield "CREATE VIEW %s AS %s;" % (name, select)

    def finish(self, used, _unused, choice):
        """Write everything, or nothing."""
        for file in self.files.values():
            file.close()
        statements = "\n".join(self.statements(used, choice))
        run("psql", "-qX", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-d", self.name, "-f", "-", text=statements)
        self.folder.cleanup()


choice = Choice("export-to-postgresql")
Export(choice, Database(choice.database)).install(globals())
