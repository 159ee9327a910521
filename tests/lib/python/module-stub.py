#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""module-stub.py STUB: the names and members that the stub of the module perf describes are those the module has."""
import ast
import sys

import perf

bad = []


def names(body):
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


def members(of):
    if isinstance(of, ast.ClassDef):
        return {n for n in names(of.body) if not n.startswith("__")} | {m for b in of.bases for m in members(classes[b.id])}
    return {n for n in set(dir(of)) - set(dir(object)) if not n.startswith("__")}


stub = ast.parse(open(sys.argv[1], encoding="utf-8").read()).body
classes = {n.name: n for n in stub if isinstance(n, ast.ClassDef)}
described = {n for n in names(stub) if n == "__version__" or not n.startswith("_")}
has = {n for n in dir(perf) if n == "__version__" or not n.startswith("_")}
bad += [f"{n}: only in one of module and stub" for n in sorted(described ^ has)]
for name, node in classes.items():
    if name in has:
        bad += [f"{name}.{m}: only in one of module and stub" for m in sorted(members(node) ^ members(getattr(perf, name)))]
print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
