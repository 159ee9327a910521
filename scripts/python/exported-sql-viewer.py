#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports from a database that export-to-sqlite or export-to-postgresql wrote, as text or as a page for a browser.

Usage: python3 exported-sql-viewer.py DATABASE [REPORT] [--find TEXT] [--limit N] [--html FILE]

DATABASE is the file of SQLite, or the name of the database of PostgreSQL (read by means of psql). The reports:

call-graph  who called whom, by thread: calls with the same path are together. Times and branches need the table calls; a
            database with call chains alone has numbers of samples instead.
call-tree   each call on its own, in the order of time (needs the table calls).
branches    each branch of the trace.
top-calls   the calls that took the longest.
samples     each sample; also the name of any other table or view.

Without a report, the tables are listed with their sizes. With --html, all reports are in the page.
"""
import argparse
import collections
import csv
import html
import io
import os
import sqlite3
import subprocess
import sys

REPORTS = ("call-graph", "call-tree", "branches", "top-calls")


def fail(message):
    """End with a message."""
    sys.exit("exported-sql-viewer: " + message)


class Sqlite:
    """A database in a file."""

    def __init__(self, path):
        try:
            self.connection = sqlite3.connect("file:%s?mode=ro" % path.replace("?", "%3f").replace("#", "%23"), uri=True)
            self.names = [row[0] for row in self.connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")]
        except sqlite3.Error as e:
            fail("cannot read %s: %s" % (path, e))

    def rows(self, select):
        """Return (names of columns, rows)."""
        cursor = self.connection.execute(select)
        return [column[0] for column in cursor.description], cursor.fetchall()


class Postgresql:
    """A database of a server."""

    def __init__(self, name):
        self.name = name
        self.names = [row[0] for row in self.rows(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name")[1]]

    def rows(self, select):
        """Return (names of columns, rows)."""
        try:
            done = subprocess.run(["psql", "-X", "--csv", "-d", self.name, "-c", select], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, universal_newlines=True, check=False)
        except OSError as e:
            fail("there is no file %s, and for a database of that name psql cannot be run: %s" % (self.name, e.strerror))
        if done.returncode:
            fail("cannot read %s: %s" % (self.name, done.stderr.strip()))
        head, *rows = csv.reader(io.StringIO(done.stdout))
        return head, [[int(v) if v.lstrip("-").isdecimal() else v for v in row] for row in rows]


class Table:
    """A report with rows."""

    def __init__(self, title, columns, rows):
        self.title, self.columns, self.rows = title, columns, [["" if v is None else v for v in row] for row in rows]

    def text(self):
        """Return the report as lines."""
        shown = [[str(v) for v in row] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.columns, *shown)]
        number = [all(isinstance(row[at], (int, float)) for row in self.rows) for at in range(len(widths))]
        for row in [self.columns, *shown]:
            yield "  ".join(v.rjust(w) if n else v.ljust(w) for v, w, n in zip(row, widths, number)).rstrip()

    def page(self):
        """Return the report as HTML."""
        yield "<table><tr>%s</tr>" % "".join("<th>%s</th>" % html.escape(c) for c in self.columns)
        for row in self.rows:
            yield "<tr>%s</tr>" % "".join("<td>%s</td>" % html.escape(str(v)) for v in row)
        yield "</table>"

    def keep(self, find, limit):
        """Leave only rows with a text in them, and only the first of them."""
        self.rows = [row for row in self.rows if not find or any(find in str(v) for v in row)][:limit]


class Node:
    """A place in a tree, with the numbers of its columns."""

    def __init__(self, name, values):
        self.name, self.values = name, list(values)
        self.children = []

    def add(self, values):
        """Add numbers to those of its columns."""
        self.values = [a + b for a, b in zip(self.values, values)]


class Tree:
    """A report that is a tree."""

    def __init__(self, title, columns, roots):
        self.title, self.columns, self.roots = title, columns, roots

    def walk(self):
        """Return (depth, node) of all nodes, each in front of its children."""
        work = [(0, root) for root in reversed(self.roots)]
        while work:
            depth, node = work.pop()
            yield depth, node
            work += [(depth + 1, child) for child in reversed(node.children)]

    def text(self):
        """Return the report as lines."""
        form = "%14s" * (len(self.columns) - 1) + "  %s"
        yield form % (*self.columns[1:], self.columns[0])
        for depth, node in self.walk():
            yield form % (*node.values, "  " * depth + node.name)

    def page(self):
        """Return the report as HTML, where what is inside a node can be folded."""
        yield "<p>%s</p>" % html.escape(" | ".join(self.columns))
        open_depth = 0
        for depth, node in self.walk():
            yield "</details>" * (open_depth - depth)
            yield "<details%s><summary>%s <b>%s</b></summary>" % (
                " open" if depth < 2 else "", html.escape(" | ".join(map(str, node.values))), html.escape(node.name))
            open_depth = depth + 1
        yield "</details>" * open_depth

    def keep(self, find, limit):
        """Leave only the paths to nodes with a text in their names, and only the first nodes."""
        if find:
            self.roots = [root for root in self.roots if self.has(root, find)]
        for number, (_, node) in enumerate(self.walk()):
            if number >= limit:
                node.children = []

    def has(self, top, find):
        """Tell whether a node or one below it has a text; branches of the tree without it are cut off."""
        order = [node for _, node in Tree("", (), [top]).walk()]
        kept = set()
        for node in reversed(order):
            node.children = [child for child in node.children if id(child) in kept]
            if node.children or find in node.name:
                kept.add(id(node))
        return id(top) in kept


def thread_name(row):
    """Return what a thread is called in trees; the row ends in its comm, pid and tid."""
    comm, pid, tid = row[-3:]
    return "%s (%s:%s)" % (comm, pid, tid)


def paths(db):
    """Return id -> (id of the caller's path, name) of all call paths; the caller of the outermost ones is 0.

    The path whose parent is 0 is no function, but stands above all others; it is left out.
    """
    _, rows = db.rows("SELECT p.id, parent_id, name FROM call_paths p JOIN symbols s ON s.id = symbol_id")
    tops = {id for id, parent, _ in rows if not parent}
    return {id: (0 if parent in tops else parent, name) for id, parent, name in rows if id not in tops}


class PathTree:
    """Nodes of call paths, below a root for each thread."""

    def __init__(self, known, width):
        """Begin without nodes. known: as paths() returns it; width: how many values a node has"""
        self.known, self.width = known, width
        self.roots = {}  # thread -> node
        self.nodes = {}  # (thread, path) -> node

    def ancestors(self, path):
        """Return a path and those of its callers."""
        while path in self.known:
            yield path
            path = self.known[path][0]

    def node(self, thread, path):
        """Return the node of a path, which is made with those above it when it is new; the root for one that is not known."""
        chain = []
        while path in self.known and (thread, path) not in self.nodes:
            chain.append(path)
            path = self.known[path][0]
        found = self.nodes.get((thread, path), self.roots[thread])
        for path in reversed(chain):
            child = self.nodes[thread, path] = Node(self.known[path][1], [0] * self.width)
            found.children.append(child)
            found = child
        return found

    def add(self, thread, path, values, below):
        """Add values to a path. below: the numbers of a node include those of what it called"""
        root = self.roots.setdefault(thread, Node(thread, [0] * self.width))
        for place in list(self.ancestors(path)) if below else [path]:
            self.node(thread, place).add(values)
        if below or path in self.known and not self.known[path][0]:
            root.add(values)


def graph_of(db, rows, width, below):
    """Return the trees of rows (path, values..., comm, pid, tid), one for each thread; see PathTree."""
    tree = PathTree(paths(db), width)
    for row in rows:
        tree.add(thread_name(row), row[0], row[1:-3], below)
    return list(tree.roots.values())


def call_graph(db):
    """Return the report of who called whom."""
    if "calls" in db.names:
        _, rows = db.rows("SELECT call_path_id, count(*), sum(return_time - call_time), sum(branch_count), comm, pid, tid "
                          "FROM calls k JOIN threads t ON t.id = thread_id JOIN comms c ON c.id = comm_id WHERE k.id > 0 "
                          "GROUP BY call_path_id, comm, pid, tid ORDER BY min(k.id)")
        if rows:
            return Tree("call-graph", ("call path", "calls", "time (ns)", "branches"), graph_of(db, rows, 3, False))
    if "call_paths" not in db.names:
        fail("there are no call paths: export with `callchains` or `calls`")
    _, rows = db.rows("SELECT call_path_id, count(*), comm, pid, tid FROM samples s JOIN threads t ON t.id = thread_id "
                      "JOIN comms c ON c.id = comm_id WHERE s.id > 0 AND call_path_id > 0 "
                      "GROUP BY call_path_id, comm, pid, tid ORDER BY min(s.id)")
    return Tree("call-graph", ("call path", "samples"), graph_of(db, rows, 1, True))


def call_tree(db):
    """Return the report of each call."""
    if "calls" not in db.names:
        fail("there are no calls: export with `calls`")
    _, rows = db.rows("SELECT k.id, k.parent_id, name, call_time, return_time - call_time, branch_count, comm, pid, tid "
                      "FROM calls k JOIN call_paths p ON p.id = call_path_id JOIN symbols s ON s.id = symbol_id "
                      "JOIN threads t ON t.id = thread_id JOIN comms c ON c.id = comm_id WHERE k.id > 0 "
                      "ORDER BY call_time, k.id")
    nodes = {row[0]: Node(row[2], row[3:6]) for row in rows}
    roots = collections.OrderedDict()
    for row in rows:
        above = nodes.get(row[1])
        if not above:
            above = roots.setdefault(thread_name(row), Node(thread_name(row), ("", "", "")))
        above.children.append(nodes[row[0]])
    return Tree("call-tree", ("call", "at (ns)", "time (ns)", "branches"), list(roots.values()))


def branches(db):
    """Return the report of branches."""
    return Table("branches", *db.rows(
        "SELECT time, cpu, command, pid, tid, branch_type_name, in_tx, ip_hex, symbol, sym_offset, dso_short_name, to_ip_hex, "
        "to_symbol, to_sym_offset, to_dso_short_name FROM samples_view WHERE branch_type_name <> 'no branch' ORDER BY id"))


def top_calls(db):
    """Return the report of the longest calls."""
    if "calls_view" not in db.names:
        fail("there are no calls: export with `calls`")
    return Table("top-calls", *db.rows(
        "SELECT command, pid, tid, symbol, call_time, elapsed_time, branch_count, flags FROM calls_view WHERE id > 0 "
        "ORDER BY elapsed_time DESC, id"))


def report(db, name):
    """Return the report of a name."""
    made = {"call-graph": call_graph, "call-tree": call_tree, "branches": branches, "top-calls": top_calls}.get(name)
    if made:
        return made(db)
    wanted = "samples_view" if name == "samples" else name
    if wanted not in db.names:
        fail("there is no report, table or view %s; those of the database are %s" % (name, " ".join(db.names)))
    return Table(name, *db.rows("SELECT * FROM %s ORDER BY 1" % wanted))


def overview(db):
    """Return the report of tables."""
    return Table("tables", ["name", "rows"], [(name, db.rows("SELECT count(*) FROM " + name)[1][0][0]) for name in db.names])


def possible(db):
    """Return the names of reports that the database has something for."""
    has = db.names
    return [name for name, table in zip(REPORTS, ("call_paths", "calls", "samples_view", "calls_view")) if table in has] + \
        ["samples"] * ("samples_view" in has)


def write_page(path, reports):
    """Write a page with reports."""
    lines = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8"><title>perf</title><style>',
             "body { font: 13px sans-serif; } details { margin-left: 1.5em; } table { border-collapse: collapse; }",
             "td, th { padding: 1px 8px; text-align: left; } tr:nth-child(even) { background: #f3f3f3; }",
             "</style></head><body>"]
    for r in reports:
        lines += ["<h2>%s</h2>" % html.escape(r.title), *r.page()]
    try:
        with open(path, "w", encoding="utf-8", errors="replace") as f:
            f.write("\n".join(lines + ["</body></html>", ""]))
    except OSError as e:
        fail("cannot write %s: %s" % (path, e.strerror))


def arguments():
    """Return the arguments; ends with a message when they are wrong."""
    parser = argparse.ArgumentParser(prog="exported-sql-viewer.py", description="Show reports from an exported database.")
    parser.add_argument("database", help="file of SQLite, or name of a database of PostgreSQL")
    parser.add_argument("report", nargs="?", help="%s, samples, or a table" % ", ".join(REPORTS))
    parser.add_argument("--find", metavar="TEXT", help="show only rows with this text, and what called them")
    parser.add_argument("--limit", type=int, default=100000, metavar="N", help="show at most this many rows")
    parser.add_argument("--html", metavar="FILE", help="write a page for a browser")
    return parser.parse_args()


def main():
    """Show what was asked for."""
    args = arguments()
    db = Sqlite(args.database) if os.path.exists(args.database) else Postgresql(args.database)
    if args.report:
        reports = [report(db, args.report)]
    else:
        reports = [overview(db)] + ([report(db, name) for name in possible(db)] if args.html else [])
    for r in reports:
        r.keep(args.find, args.limit)
    if args.html:
        write_page(args.html, reports)
        return
    try:
        for r in reports:
            for line in r.text():
                print(line)
    except BrokenPipeError:
        # Whoever read has enough; nothing is left to be written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
