#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks of flame graphs and of what they are made of.

	flame-check.py collapse <SCRIPT-TEXT >FOLDED    the text of `perf script` as folded stacks
	flame-check.py total FOLDED                     the sum of a file of them
	flame-check.py svg FILE TOTAL                   a picture: whole, drawn right, of so much
	flame-check.py browser FILE WORD                the same in a browser: zoomed into, searched
	flame-check.py page FILE TOTAL WORD             the page of `perf script flamegraph`, in a browser
    flame-check.py events FILE EVENT...             in a browser, each event can be chosen"""
import collections
import os
import re
import sys
import xml.etree.ElementTree as ET

OWN = ("file:", "chrome:", "data:")  # the last two: of the empty page that a browser begins with
SVG = "{http://www.w3.org/2000/svg}"


def frame(text, where):
    """As collapse scripts name it: no offset; the object in place of a symbol."""
    name = re.sub(r"\+0x[0-9a-f]+$", "", text)
    if name == "[unknown]":
        name = "[" + ("unknown" if where == "[unknown]" else where.rsplit("/", 1)[-1]) + "]"
    return name.replace(";", ":")


def collapse(lines):
    """The first event's samples: comm, frames from the outermost, sums of periods."""
    sums, first, head, stack = collections.Counter(), None, None, []
    for line in lines:
        line = line.rstrip("\n")
        m = re.match(r"(\S.*?)\s+-?\d+\s+(?:\[\d+\]\s+)?\d+\.\d+:\s+(\d+)\s+(\S+):", line)
        if m:
            first = first or m[3]
            head, stack = (m[1].replace(" ", "_").replace(";", ":"), int(m[2]), m[3]), []
        elif not line and head:
            if head[2] == first:
                sums[";".join([head[0]] + stack[::-1])] += head[1]
            head = None
        elif head:
            # An object may have a blank and more in its name: "/memfd:it (deleted)".
            m = (re.match(r"\s*[0-9a-f]+ (\[unknown\]) \((.*)\)$", line) or
                 re.match(r"\s*[0-9a-f]+ (.+) \((.*)\)$", line))
            stack.append(frame(m[1], m[2]))
    return sums


def svg(path, total):
    tree = ET.parse(path).getroot()
    frames = tree.find(f"{SVG}g[@id='frames']")
    boxes = []
    for g in frames:
        title, rect = g.find(SVG + "title").text, g.find(SVG + "rect")
        x, w, depth = float(rect.get("x")), float(rect.get("width")), int(g.get("data-d"))
        assert w >= 0.1 and title.endswith("%)"), title
        boxes.append((depth, x, x + w, title))
    root = boxes[0]
    assert root[0] == 0 and root[3].startswith("all ("), root
    assert root[3].split("(")[1].split(" ")[0].replace(",", "") == total, root
    parents = {}
    for depth, x, end, title in boxes: # depth first: each lies on the last one of the level below
        if depth:
            px, pend = parents[depth - 1]
            assert px - 0.02 <= x and end <= pend + 0.02, title
        parents[depth] = (x, end)
    for g in tree.iter():
        assert not any(a.lower().startswith("on") for a in g.attrib), g.attrib
    assert len(list(tree.iter(SVG + "script"))) == 1
    assert not list(tree.iter("img"))


def covered(frames):
    """Of each name: how wide all of it is, with what lies in itself once."""
    widths = {}
    for name, start, end in sorted(frames, key=lambda f: f[1:]):
        width, reached = widths.get(name, (0, 0))
        widths[name] = width + max(end - max(start, reached), 0), max(end, reached)
    return {name: width for name, (width, _) in widths.items()}


def browser(path, word):
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from browser import Browser
    with Browser() as b:
        flame = "const f = document.documentElement.perfFlame;"
        # Where it is higher than the window, its beginning is seen: as an icicle it is on top.
        root = "f.frames[0].rect.getBoundingClientRect()"
        b.size(1400, 330)
        b.open(path)
        assert b.wait(f"{flame} return {root}.top >= 0 && {root}.bottom <= innerHeight"), b.run(
            f"{flame} return [{root}.top, {root}.bottom, innerHeight, scrollY]")
        assert b.run("return scrollY > 0"), "all of it fits"
        b.size(1400, 900)
        b.open(path)
        assert b.wait("return !!document.documentElement.perfFlame")
        shown = flame + "return f.frames.filter((x) => x.shown).length"
        all_of_them = b.run(shown)
        at = b.run(flame + """
            const of = f.frames.filter((x) => x.name === arguments[0]).sort((a, b) => b.w - a.w)[0];
            window.of = of; const r = of.rect.getBoundingClientRect();
            of.g.scrollIntoView({block: 'center'});
            const s = of.rect.getBoundingClientRect(); return [s.x + s.width / 2, s.y + s.height / 2, of.w]""", word)
        b.pointer(("move", at[0], at[1]))
        assert b.run("return document.getElementById('details').textContent").startswith(word + " (")
        b.pointer(("move", at[0], at[1]), ("down",), ("up",))
        assert b.run("return Math.abs(window.of.rect.width.baseVal.value - "
                     "(document.documentElement.viewBox.baseVal.width - 20)) < 0.1")
        assert 0 < b.run(shown) < all_of_them
        b.keys("r")
        assert b.run(shown) == all_of_them
        for name, ends in covered(b.run(flame + "return f.frames.map((x) => [x.name, x.x, x.x + x.w])")).items():
            b.run(flame + "f.search('^' + arguments[0] + '$')", re.escape(name))
            matched = float(re.match(r"Matched: ([\d.]+)%", b.run(flame + "return f.matched"))[1])
            assert abs(matched - 100 * ends / b.run(flame + "return f.frames[0].w")) < 0.05, (name, matched, ends)
        b.run(flame + "f.search('^' + arguments[0] + '$')", word)
        matched = float(re.match(r"Matched: ([\d.]+)%", b.run(flame + "return f.matched"))[1])
        assert 100 * at[2] / b.run(flame + "return f.frames[0].w") - 0.1 <= matched <= 100, matched
        b.keys("\ue00c") # Escape
        assert b.run(flame + "return f.matched") == ""
        assert b.run("return window.hit === undefined")
        assert not [r for r in b.requests() if not r.startswith(OWN)], "requests"
        assert not b.console(), "complaints"


def page(path, total, word):
    """The page of the script: what its frames say, searched, zoomed into and out again."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from browser import Browser
    with Browser() as b:
        b.open(path)
        titles = "return [...document.querySelectorAll('#graph div')].map((d) => d.title)"
        everything = b.run(titles)
        samples = {t.rsplit(": ", 1)[0]: int(re.match(r"(\d+) samples, [\d.]+%$", t.rsplit(": ", 1)[1])[1]) for t in everything}
        assert everything[0].endswith(f": {total} samples, 100.00%") and word in samples, everything
        outside = b.run("const g = document.getElementById('graph').getBoundingClientRect();"
                        "return [...document.querySelectorAll('#graph div')].filter((d) => {"
                        "const r = d.getBoundingClientRect(); return r.left < g.left - 1 || r.right > g.right + 1 || r.bottom > g.bottom + 1;"
                        "}).map((d) => d.title)")
        assert not outside, outside
        b.type("#search", word)
        found = b.run("return [...document.querySelectorAll('#graph div.found')].map((d) => d.title)")
        assert found and all(word in t for t in found) and len(found) < len(everything), found
        b.click("#graph div.found")
        narrow = b.run(titles)
        assert len(narrow) < len(everything) and any(t.startswith(word + ": ") for t in narrow), narrow
        b.click("#all")
        assert b.run(titles) == everything
        assert not [r for r in b.requests() if not r.startswith(OWN)], "requests"
        assert not b.console(), "complaints"


def events(path, *names):
    """Each event can be chosen: its frames are shown, and no others."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from browser import Browser
    with Browser() as b:
        b.open(path)
        assert b.wait("return !!document.documentElement.perfFlame")
        assert b.run("return [...document.querySelectorAll('#events text')].map((e) => e.textContent)") == list(names)
        for n in (1, 0):
            x, y = b.run("window.scrollTo(0, 0); const r = document.querySelectorAll('#events text')[arguments[0]]"
                         ".getBoundingClientRect(); return [r.x + 5, r.y + r.height / 2]", n)
            b.pointer(("move", x, y), ("down",), ("up",))
            assert b.run("return document.getElementById('event').textContent") == names[n]
            shown = b.run("return [...document.querySelectorAll('.frames')].map((e) => getComputedStyle(e).display)")
            assert [s != "none" for s in shown] == [i == n for i in range(len(names))], shown
            root = b.run("return document.documentElement.perfFlame.frames[0].title")
            assert names[n] in root, root
        assert not b.console(), "complaints"


def main():
    what = sys.argv[1]
    if what == "collapse":
        for stack, n in sorted(collapse(open(0, errors="replace")).items()):
            print(stack, n)
    elif what == "total":
        print(sum(int(line.rsplit(" ", 1)[1]) for line in open(sys.argv[2], errors="replace")))
    elif what == "svg":
        svg(sys.argv[2], sys.argv[3])
    elif what == "events":
        events(*sys.argv[2:])
    elif what == "page":
        page(*sys.argv[2:])
    else:
        browser(sys.argv[2], sys.argv[3])


main()
