#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long the page of perf report --html takes for what is done with functions, grouped by each kind of
group: CPU time in ms of the browser's main thread, the shortest of some runs. Nothing fails.

usage: transforms.py PAGE [RUNS]     PAGE: of a recording of million.py, for example"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "python"))
from browser import Browser

# Transforms of a function with much, of one with little, and of the path with most.
STEPS = """
    const m = app.model, totals = m.frameTotal, path = [];
    const order = [...Array(m.p.nrFrames).keys()].sort((a, b) => totals[b] - totals[a]);
    const much = order[Math.min(3, order.length - 1)], little = order[order.length >> 4];
    for (let v = new ForwardTree(m, true).root; path.length < 3; path.push(v.frame)) {
        const tree = new ForwardTree(m, true);
        v = tree.kids(v)[0];
    }
    return {focus: "f" + much, subtree: "s" + path.join("."), merge: "m" + much, collapse: "c" + little, library: "l" + much,
            recursion: "r" + much, direct: "R" + much, drop: "d" + little, innermost: "i" + much + "." + path[0]}"""
LOOKS = {"time order": {"order": "time"}, "reversed": {"reverse": True}, "call tree": {"view": "tree"},
         "functions": {"view": "functions"}}
USUAL = {"transforms": "", "order": "name", "reverse": False, "view": "flame"}


class Page:
    def __init__(self, browser, page, runs):
        self.browser, self.runs = browser, runs
        browser.open(page)
        assert browser.wait("return document.documentElement.dataset.ready") == "1"
        self.steps = browser.run(STEPS)

    def change(self, changes):
        self.browser.run("app.change(arguments[0])", changes)

    def cost(self, changes):
        before = self.browser.cpu()
        self.change(changes)
        return self.browser.cpu() - before

    def cost_of_step(self, step):
        times = []
        for _ in range(self.runs):
            self.change({"transforms": ""})
            times.append(self.cost({"transforms": step}))
        return min(times)

    def row(self, group):
        self.change({**USUAL, "group": "none"})
        out = {"grouping": self.cost({"group": group})}
        for name, step in self.steps.items():
            out[name] = self.cost_of_step(step)
        for name, look in LOOKS.items():
            self.change({**USUAL, **look})
            out[name] = self.cost_of_step(self.steps["merge"])
        return out


def main():
    with Browser() as browser:
        page = Page(browser, sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5)
        rows = {group: page.row(group) for group in ("none", "process", "thread", "comm", "cpu")}
    print(" " * 12 + "".join(f"{group:>9}" for group in rows))
    for name in rows["none"]:
        print(f"{name:12}" + "".join(f"{row[name]:9.0f}" for row in rows.values()))


main()
