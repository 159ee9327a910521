# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks at the page of perf report --html as somebody with a browser does.

	page.py make PROG			writes perf.data, whose samples are in PROG, before.data without some of
						the stacks, flat.data without call chains, nowhere.data with unknown frames
	page.py value PAGE JS			what an expression is on a page
	page.py look PAGE COMPARED [PICTURES]	one line for each check: "ok NAME" or "not ok NAME: WHY"
"""
import base64
import json
import os
import re
import struct
import subprocess
import sys

import pdata as p
from browser import Browser, Checks

EVIL = "</script><img src=x onerror=alert(1)>"
NAMES = [EVIL, "a\"b'c&lt;", "bad\udcff\udcfe", "long" + "x" * 100000]
# What each stack counts, outermost first; n is one of NAMES.
STACKS = [["main"], ["main", "f"], ["main", "f", "g"], ["main", "f", "g", "f"], ["main", 0], ["main", "f", 1], ["main", 2],
          ["main", 3]]
CLOCK = "cpu-clock"
LINE = ["/usr/bin/perf", "record", "-o", "other", "./other", "it"]


def make(prog, path="perf.data", stacks=STACKS, chains=True, command=LINE):
    at = {}
    for line in subprocess.run(["nm", prog], capture_output=True, check=True).stdout.decode(
            errors="surrogateescape").splitlines():
        found = re.match(r"(\w+) [tT] (.*)", line)
        if found:
            at[found[2]] = int(found[1], 16) + 1
    at["nowhere"] = 0x7000000
    fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD"] + ["CALLCHAIN"] * chains
    records = [p.comm(100, 100, "main <b>"), p.comm(100, 101, "new\nline\x1b[31m"), p.comm(200, 200, "other"),
               p.mmap2(100, 0x400000, 0x100000, 0, os.path.abspath(prog)),
               p.mmap2(200, 0x400000, 0x100000, 0, os.path.abspath(prog))]
    for i in range(800):
        names = [NAMES[n] if isinstance(n, int) else n for n in stacks[i % len(stacks)]]
        chain = [2**64 - 512] + [at[n] for n in reversed(names)]
        who = [(100, 100), (100, 101), (200, 200)][i // 8 % 3]
        values = {"TID": who, "TIME": 10**9 + i * 10**6, "CPU": i % 2, "IP": chain[1]}
        if chains:
            values["CALLCHAIN"] = chain
        records.append(p.sample(fields, IDENTIFIER=1, PERIOD=1000 + i % 5, **values))
        if i % 16 == 0:
            records.append(p.sample(fields, IDENTIFIER=2, PERIOD=1, **values))
    attrs = [p.attr(1, 0, fields, flags=p.FREQ), p.attr(1, 2, fields)]
    p.write(path, [(a, [i + 1]) for i, a in enumerate(attrs)], records)
    words = b"".join(struct.pack("<I64s", 64, w.encode()) for w in command)
    p.add_features(path, [(11, struct.pack("<I", len(command)) + words)])


def reported(event, column):
    """Of each symbol what report says of it, exactly."""
    out = {}
    text = subprocess.run(["perf", "report", "-f", "--stdio", "-i", "perf.data", "--no-children", "-g", "none", "-s", "sym",
                           "-F", column + ",sym", "-t", "\t", "--percent-limit=0"], capture_output=True, check=True,
                          stdin=subprocess.DEVNULL).stdout.decode(errors="replace")
    here = False
    for line in text.splitlines():
        if line.startswith("# Samples"):
            here = f"'{event}'" in line or f"'{event}:" in line
        found = re.match(r"\s*(\d+)\s*\t\[.\] (.*)", line)
        if here and found:
            out[found[2].strip()] = int(found[1])
    return out


class Look(Checks):
    def __init__(self, page, compared, pictures):
        super().__init__(page, pictures)
        self.compared = compared
        built = subprocess.run(["perf", "version", "--build-options"], capture_output=True, check=True).stdout.decode()
        self.disassembles = bool(re.search(r"libcapstone: .*\bon\b", built))

    def settle(self):
        """Movements end, the address is written: by the clock of the page, which may be late itself."""
        self.b.run("""return new Promise(done => setTimeout(() =>
            requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 400))""")

    def shown(self, css):
        return self.get(f"document.querySelector({json.dumps(css)}).innerText")

    def box(self, name):
        """Where a function is drawn first."""
        spot = self.b.run("""const v = app.panels.flame[1].view, r = v.canvas.getBoundingClientRect();
            for (const row of v.rows) for (const box of row || []) if (app.model.name(box.v.frame) === arguments[0])
                return [r.left + box.x + box.w / 2, r.top + v.top(box.v.depth) + 8, box.w];""", name)
        assert spot, name + " is not drawn"
        return spot

    def t01_opens(self):
        self.opens_alone("img, iframe, object, link")

    def t02_head_and_badge(self):
        self.equal("document.querySelector('h1').innerText", "./other it")
        self.equal("document.title", "./other it - perf")
        assert "850 samples" in self.shown("#facts"), self.shown("#facts")
        for width in (800, 1400):
            self.b.size(width, 900)
            assert self.get("document.querySelector('header').getBoundingClientRect().height") < 45, width
        # one process each, and the threads of the one that has several under it; the last name counts
        self.equal("[...document.getElementById('who').options].map(o => o.value)",
                   ["", "100", "100/100", "100/101", "200"])
        axis, box = self.get("['axis', 'stripbox'].map(id => document.getElementById(id).getBoundingClientRect().bottom)")
        assert axis >= box
        self.b.run("app.buildBadge(['62 % of the stacks are broken <b>', 'another']);")
        assert self.shown("#badge").endswith("62 % of the stacks are broken <b> (+1)"), self.shown("#badge")
        self.b.click("#badge")
        self.equal("app.state.view", "recording")
        self.b.run("app.buildBadge([]); app.change({view: 'flame'})")

    def t03_totals(self):
        for number, event in enumerate((CLOCK, "page-faults")):
            for column, weight in (("sample", "samples"), ("period", "period")):
                want = reported(event, column)
                self.b.run("app.change({event: arguments[0], weight: arguments[1]})", number, weight)
                got = self.get("""Object.fromEntries([...app.model.frameSelf].map((v, f) => [app.model.name(f), v])
                    .filter(pair => pair[1]))""")
                sums = sum(want.values()), sum(got.values()), self.get("app.model.sum")
                assert len(set(sums)) == 1 and sums[0], (event, weight, sums)
                for name in ("main", "f", "g", EVIL):
                    assert want.get(name) == got.get(name), (event, weight, name, want.get(name), got.get(name))
        self.b.run("app.change({event: 0, weight: 'period'})")

    def t04_content_security_policy(self):
        self.equal("""new Promise(done => { addEventListener("securitypolicyviolation", e => done(e.effectiveDirective));
            fetch("http://127.0.0.1:9/x").catch(() => {}); setTimeout(() => done("none"), 3000); })""", "connect-src")
        self.b.run("const s = document.createElement('script'); s.textContent = 'window.broken = 1'; document.body.append(s)")
        self.equal("window.broken", None)
        assert len(self.b.console()) >= 2

    def t05_search_and_matched_share(self):
        self.b.run("app.change({weight: 'samples'})")
        self.b.type("#search", "g")
        # of 8 stacks g is in 2, <img in one, long.. is not
        assert self.shown("#matched") == "50.00% in 3 functions, any case", self.shown("#matched")
        self.b.run("app.change({q: '/^g$/'})")
        assert self.shown("#matched") == "25.00% in 1 function, expression, case counts", self.shown("#matched")
        selected = "(v => v.selected && app.model.name(v.selected.frame) + v.selected.depth)(app.panels.flame[1].view)"
        self.b.run("app.change({q: '/^f$/'})")
        seen = []
        for _ in range(3):
            self.b.run("document.getElementById('next').click()")
            seen.append(self.get(selected))
        assert seen == ["f2", "f4", "f2"], seen
        self.b.run("document.getElementById('previous').click()")
        self.equal(selected, "f4")
        self.b.run("app.change({q: '/(/'})")
        assert "not a valid expression" in self.shown("#matched")
        self.equal("document.getElementById('next').hidden", True)
        self.b.run("app.change({q: 'Main'})")
        assert self.shown("#matched") == "0.00% in 0 functions, case counts", self.shown("#matched")
        x, y, _ = self.box("f")
        self.b.pointer(("move", x, y))
        self.equal("document.getElementById('tip').hidden", False)
        self.b.type("#search", "x")
        self.equal("document.getElementById('tip').hidden", True)
        self.b.run("app.change({q: 'onerror'})")
        assert self.shown("#matched").startswith("12.50%")
        self.b.run("app.change({q: ''})")

    def t06_zoom(self):
        whole = self.get("app.panels.flame[1].view.x1 - app.panels.flame[1].view.x0")
        assert whole == 800, whole
        x, y, wide = self.box("f")
        self.b.pointer(("move", x, y), ("down",), ("up",))
        self.settle()
        self.equal("app.panels.flame[1].view.x1 - app.panels.flame[1].view.x0", 400)
        assert self.box("f")[2] > wide * 1.9
        assert "zoom=" in self.get("location.hash")
        assert "50.00% of all, 400 samples" in self.shown("#tip"), self.shown("#tip")
        self.b.keys("\ue00c")
        self.settle()
        self.equal("app.panels.flame[1].view.x1 - app.panels.flame[1].view.x0", 800)

    def t07_something_is_drawn(self):
        colours = """const c = app.panels.flame[1].view.canvas, d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
            const s = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3]) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
            return s.size"""
        assert self.b.run(colours) > 20
        usual = self.get("app.paint.of(0)")
        self.b.keys("p")
        assert self.get("app.paint.of(0)") != usual
        self.b.keys("p")

    def t08_orders_and_shapes_keep_the_sum(self):
        for change in ({"order": "heavy"}, {"order": "name", "reverse": True}, {"reverse": False, "shape": "icicle"}):
            self.b.run("app.change(arguments[0])", change)
            self.equal("app.panels.flame[1].view.tree.kids(app.panels.flame[1].view.tree.root)"
                       ".reduce((s, v) => s + v.total, 0)", 800)
        self.b.run("app.change({order: 'time'})")
        # one after the other, in eight stacks
        assert self.get("app.panels.flame[1].view.tree.kids(app.panels.flame[1].view.tree.root).length") >= 1
        self.b.run("app.change({order: 'name', shape: 'flame'})")

    def t09_brush(self):
        left, right, y = self.get("""(() => { const r = document.getElementById("strip").getBoundingClientRect();
            return [r.left + app.strip.x(0), r.left + app.strip.x(app.model.slices), r.top + 15]; })()""")
        middle = (left + right) / 2
        self.b.pointer(("move", left + 2, y), ("down",), ("move", middle - 50, y), ("move", middle, y), ("up",))
        self.settle()
        half = self.get("app.model.sum")
        assert 390 <= half <= 410, half
        self.b.click("#tab-functions")
        assert int(self.get("app.model.frameTotal[app.panels.functions[1].table.rows.find(r => r.name === 'main').id]")) == half
        assert re.search(r"\bto=\d", self.get("location.hash"))
        self.b.click("#alltime")
        self.equal("app.model.sum", 800)

    def t10_filters(self):
        for change, want in (({"cpu": 1}, 400), ({"cpu": -1, "who": "100/101"}, 264), ({"who": "200"}, 264)):
            self.b.run("app.change(arguments[0])", change)
            self.equal("app.model.sum", want)
        self.b.run("app.change({who: ''})")
        self.b.run("app.change({lanes: 'cpu'})")
        self.equal("app.strip.lanes.map(l => l.label + '=' + l.sum)", ["CPU 0=400", "CPU 1=400"])
        x, y = self.get("""(() => { const r = document.getElementById("strip").getBoundingClientRect();
            return [r.left + 20, r.top + 22]; })()""")
        for want in (400, 800):  # a click on a lane looks at it alone, another one at all
            self.b.pointer(("move", x, y), ("down",), ("up",))
            self.equal("app.model.sum", want)
            self.equal("app.strip.lanes.length", 2)
        self.b.run("app.change({lanes: 'all'})")

    def t11_table(self):
        self.b.click("#tab-functions")
        first = "[...document.querySelectorAll('.functions .lines .line .name')].slice(0, 3).map(e => e.innerText)"
        self.b.run("document.querySelectorAll('.functions .head .cell.share')[1].click()")
        assert self.get(first)[:2] == ["main", "f"], self.get(first)
        self.b.run("document.querySelectorAll('.functions .head .cell.share')[1].click()")
        assert self.get(first)[0] != "main"
        self.b.type("#filter", "main")
        self.equal("document.querySelectorAll('.functions .lines .line').length", 1)
        assert "100.00%" in self.shown(".functions .lines .line")
        self.b.run("app.change({filter: ''})")

    def t12_callers_and_callees(self):
        self.b.run("app.lookAt(app.panels.functions[1].table.rows.find(r => r.name === 'g').id)")
        rows = "app.panels.calls[1].lists.%s.rows.map(r => r.name + '=' + r.total)"
        self.equal(rows % "callers", ["f=200"])
        assert sorted(self.get(rows % "callees")) == ["(itself)=100", "f=100"], self.get(rows % "callees")
        assert "recursive" not in self.shown(".calls-title"), self.shown(".calls-title")
        self.b.run("[...document.querySelectorAll('.lists .line .name')].find(e => e.innerText === 'f').click()")
        assert self.shown(".calls-title strong") == "f"
        assert "shares add up to more than 100 %" in self.shown(".calls-title"), self.shown(".calls-title")
        # f calls itself through g: it counts once
        assert "total 50.00%" in self.shown(".calls-title")

    def t13_address(self):
        self.open("#view=functions&filter=onerror&weight=samples&from=0&to=9&theme=dark&bad=%zz&event=77")
        self.equal("[app.state.view, app.state.filter, app.state.to, app.state.event, document.documentElement.dataset.theme]",
                   ["functions", "onerror", 9, 0, "dark"])
        self.equal("document.querySelectorAll('.functions .lines .line').length", 1)
        self.b.run("location.hash = '#view=recording'")
        assert self.b.wait("return !document.querySelector('.recording').hidden")

    def t14_hostile_names(self):
        self.b.console()
        self.open("#view=functions")
        names = self.get("app.panels.functions[1].table.rows.map(r => r.name)")
        assert EVIL in names and "a\"b'c&lt;" in names and "bad\\xff\\xfe" in names, [n[:50] for n in names]
        assert max(map(len, names)) == 100004, max(map(len, names))
        self.equal("document.querySelectorAll('script').length", 1)
        assert self.get("document.querySelector('.functions').innerText").count(EVIL) == 1
        assert max(self.get("[...document.querySelectorAll('.functions .name')].map(e => e.innerText.length)")) <= 500
        threads = self.get("[...document.getElementById('who').options].map(o => o.text)")
        assert any("new\\x0aline\\x1b[31m" in t for t in threads) and any("main <b>" in t for t in threads), threads
        said = self.b.console()
        assert not said, said

    def t15_light_and_dark(self):
        self.open()
        seen = set()
        for dark in (True, False):
            self.b.dark(dark)
            seen.add(self.b.wait(f"""return document.documentElement.dataset.theme === "{'dark' if dark else 'light'}" &&
                getComputedStyle(document.body).backgroundColor"""))
        assert len(seen) == 2 and False not in seen, seen

    def t16_two_recordings(self):
        self.open(page=self.compared)
        self.b.run("app.change({weight: 'samples', view: 'functions'})")
        changes = self.get("""Object.fromEntries(app.panels.functions[1].table.rows.map(r =>
            [r.name, points(r.change)]))""")
        assert changes["g"] == "+25.00" and changes["main"] == "+0.00" and changes["f"] == "+16.63", changes
        assert "+25.00" in self.get("document.querySelector('.functions').innerText")
        red, blue = self.get("[app.paint.ofChange(0.25), app.paint.ofChange(-0.25)]")
        self.b.click("#tab-flame")
        self.equal("app.paint.of(app.model.p.texts.indexOf('g') >= 0 ? [...Array(app.model.p.nrFrames).keys()]"
                   ".find(f => app.model.name(f) === 'g') : -1)", red)
        self.b.run("app.change({event: 0})")
        self.equal("app.model.sum", 800)
        # what may be chance is grey: the noise of diff --noise
        change, noise = self.get("((m, f) => [m.changeOfFrame(f), m.noiseOfFrame(f)])(app.model, %d)" % self.frame("f"))
        want = 1.96 * sum(p * (1 - p) / n for p, n in ((0.333, 800), (0.5, 800))) ** 0.5
        assert abs(change - 0.166) < 0.01 and abs(noise - want) < 0.001, (change, noise, want)
        grey = self.get("app.paint.ofChange(0.01, 0.02)")
        assert grey != self.get("app.paint.ofChange(0.03, 0.02)") and grey == self.get("app.paint.ofChange(-0.01, 0.02)")
        assert "\u00b1" in self.get("(app.change({view: 'functions'}), document.querySelector('.functions').innerText)")
        self.b.run("app.change({view: 'flame'})")
        assert red != blue and not self.get("app.panels.flame[1].view.rows.flat().some(b => app.model.name(b.v.frame) === 'g')")

    def t17_several_runs(self):
        self.open("#weight=samples", page="runs.html")
        self.equal("app.model.base.runs.map(r => r.length)", [2, 2])
        self.equal("app.model.sum", 1600)
        # of g 0 and 25 %, on both sides: what runs differ by counts, with t of 2 degrees of freedom
        change, noise, own = self.get("((m, f) => [m.changeOfFrame(f), m.noiseOfFrame(f), "
                                      "m.sampleNoise(s => s.frameTotal[f])])(app.model, %d)" % self.frame("g"))
        assert abs(change) < 1e-9 and own < 0.04 and abs(noise - 4.3 * 0.03125 ** 0.5) < 1e-6, (change, noise, own)

    def t18_source(self):
        self.open("#view=source&weight=samples")
        where = "[...document.querySelectorAll('.source-lines%s .code.counted')].map(e => e.innerText.split('\\n'))"
        main = self.get("app.panels.source[1].list.findIndex(s => s.name === 'main')")
        self.b.run(f"app.lookAtSource({main})")
        lines = self.get(where % ":not(.insns)")
        assert len(lines) == 1 and lines[0][0] == "100.00%" and "int main(void)" in lines[0][-1], lines
        # before it is nothing but the beginning of the file
        self.equal("document.querySelector('.code .number').innerText", "1")
        self.equal("app.panels.source[1].list.filter(s => s.name === 'g').length", 1 if self.disassembles else 0)
        if not self.disassembles:
            return
        insns = self.get(where % ".insns")
        assert len(insns) == 1 and insns[0][0] == "100.00%" and re.match("push|mov|endbr|sub", insns[0][-1]), insns
        self.b.run("document.querySelector('.source-lines:not(.insns) .code.counted').click()")
        marked = self.get("[...document.querySelectorAll('.insns .marked code')].map(e => e.innerText)")
        assert marked and marked[-1].startswith("ret"), marked
        self.b.run("document.querySelector('.insns .marked').click()")
        self.equal("document.querySelectorAll('.marked').length", 0)

    def t19_work_of_a_change(self):
        self.open()
        looked = "const n = app.model.looked; app.change(arguments[0]); return app.model.looked - n"
        rows = self.get("app.model.rowsOf(0).length")
        assert rows < self.get("app.model.p.nrRows")
        assert self.b.run(looked, {"order": "heavy"}) == 0
        assert self.b.run(looked, {"view": "functions"}) == 0
        assert self.b.run(looked, {"weight": "samples"}) == 0  # samples are counted beside what is shown
        assert self.b.run(looked, {"event": 1}) < rows
        self.b.run("app.change({event: 0})")
        slices = self.get("app.model.slices")
        some = self.get(f"[...app.model.p.rowSlice].filter((s, i) => app.model.p.rowEvent[i] === 0 && s >= 1 && s < {slices // 4}).length")
        assert self.b.run(looked, {"from": 1, "to": slices // 4}) == some and 0 < some < rows / 2, (some, rows)
        # grouped or not, transforms move what was counted by node: they count no sum again
        self.b.run("app.change({group: 'thread'})")
        f, g = self.frame("f"), self.frame("g")
        for step in (f"m{f}", f"d{g}", f"m{f}~c{g}", ""):
            assert self.b.run(looked, {"transforms": step}) == 0, step
        self.b.run("app.change({group: 'none'})")
        # what is drawn does not grow with the tree: no more boxes on a level than there are pixels
        assert self.get("app.panels.flame[1].view.rows.every(r => r.length <= app.panels.flame[1].view.width + 2)")

    def frame(self, name):
        return self.get("[...Array(app.model.p.nrFrames).keys()].find(f => app.model.name(f) === %s)" % json.dumps(name))

    def calls(self, *path):
        """What is called at the end of a path, outermost first, by name."""
        return self.b.run("""let tree = callTree(app.model, false), v = tree.root;
            for (const name of arguments[0]) v = tree.kids(v).find(k => app.model.name(k.frame) === name);
            return Object.fromEntries([["(self)", v.self], ...tree.kids(v).map(k => [app.model.name(k.frame), k.total])])""", path)

    def t20_transforms(self):
        self.open("#weight=samples")
        f, g, main = map(self.frame, ("f", "g", "main"))
        evil = self.calls("main")
        for steps, path, want in (
                (f"m{f}", ["main"], {"(self)": 200, "g": 200, NAMES[1]: 100}), (f"m{f}", ["main", "g"], {"(self)": 200}),
                (f"f{g}", [], {"(self)": 0, "g": 200}), (f"f{g}", ["g"], {"(self)": 100, "f": 100}),
                (f"s{main}.{f}", [], {"(self)": 0, "f": 400}), (f"c{f}", ["main", "f"], {"(self)": 400}),
                (f"l{f}", [], {"(self)": 0, "prog": 800}), (f"r{f}", ["main", "f"], {"(self)": 200, "g": 100, NAMES[1]: 100}),
                (f"m{g}~R{f}", ["main", "f"], {"(self)": 300, NAMES[1]: 100}), (f"i{f}.{g}", ["main", "f", "g"], {"(self)": 100}),
                (f"d{g}", ["main", "f"], {"(self)": 100, NAMES[1]: 100}), ("x1~m99999~~m", ["main"], evil)):
            self.b.run("app.change({transforms: arguments[0]})", steps)
            got = self.calls(*path)
            got = {k: v for k, v in got.items() if k in want or k in ("f", "g", "main", "(self)")}
            assert all(got.get(k) == v for k, v in want.items()) and ("g" in got) == ("g" in want) or steps[0] == "x", (steps, got)
        # sums stay, but for what is left out
        self.b.run(f"app.change({{transforms: 'd{g}'}})")
        self.equal("app.model.sum", 600)
        self.equal("app.strip.lanes[0].sum", 600)

    def t21_transforms_by_hand(self):
        self.open("#weight=samples")
        x, y, _ = self.box("g")
        self.b.pointer(("move", x, y))
        self.b.keys("d")
        self.equal("app.model.sum", 600)
        assert "transforms=d" in self.get("location.hash")
        x, y, _ = self.box("f")
        self.b.run("""app.panels.flame[1].view.canvas.dispatchEvent(new MouseEvent("contextmenu",
            {clientX: arguments[0], clientY: arguments[1], bubbles: true, cancelable: true}))""", x, y)
        assert "Merge function" in self.shown("#menu")
        self.b.keys("m")
        self.equal("document.getElementById('menu').hidden", True)
        self.equal("document.querySelectorAll('.crumb').length", 2)
        assert "f" not in self.calls("main") and "merged f" in self.shown("#crumbs"), self.shown("#crumbs")
        state = self.get("location.href")
        self.b.run("document.querySelector('.crumb').click()")
        self.equal("app.model.sum", 800)
        self.b.keys("z")
        self.equal("[app.model.sum, app.model.steps.length]", [600, 2])
        self.b.run("history.back()")
        assert self.b.wait("return app.model.steps.length === 1 && app.model.sum === 800")
        self.b.open("about:blank")
        self.b.open(state)
        self.b.wait("return document.documentElement.dataset.ready")
        self.equal("[app.model.sum, app.model.steps.length]", [600, 2])
        self.b.run("[...document.querySelectorAll('#crumbs button')].find(b => b.innerText === 'All samples').click()")
        self.equal("[app.model.sum, document.getElementById('crumbs').hidden]", [800, True])
        assert not self.b.console()

    def t22_groups(self):
        self.open("#weight=samples")
        for group, want in (("process", {"main <b> 100": 536, "other 200": 264}),
                            ("thread", {"main <b> 100": 272, "new\\x0aline\\x1b[31m 100/101": 264, "other 200": 264}),
                            ("comm", {"main <b>": 272, "new\\x0aline\\x1b[31m": 264, "other": 264}), ("cpu", {"CPU 0": 400, "CPU 1": 400})):
            self.b.run("app.change({group: arguments[0]})", group)
            self.equal("app.panels.flame[1].view.tree.root.kids.length", len(want))
            assert self.calls() == {"(self)": 0, **want}, self.calls()
            below = set(self.calls(next(iter(want)), "main", "f"))
            assert below == ({"(self)", "g"} if group == "cpu" else {"(self)", "g", NAMES[1]}), below
            self.b.run("app.change({reverse: true})")
            names = "app.panels.flame[1].view.tree.kids(app.panels.flame[1].view.tree.root).map(k => app.model.name(k.frame))"
            assert set(self.get(names)) == set(want), self.get(names)
            self.b.run("app.change({reverse: false})")
        self.b.run("app.change({group: 'thread', transforms: arguments[0]})", f"d{self.frame('g')}")
        assert self.calls() == {"(self)": 0, "main <b> 100": 204, "other 200": 198, "new\\x0aline\\x1b[31m 100/101": 198}, self.calls()
        assert self.calls("other 200", "main", "f") == {"(self)": 33, NAMES[1]: 33}, self.calls("other 200", "main", "f")
        # what matches a group is all of the group
        self.b.run("app.change({q: 'other 200'})")
        assert self.shown("#matched").startswith("33.00% in 1 function"), self.shown("#matched")
        self.b.run("app.change({q: '', transforms: ''})")
        # groups are no functions
        self.b.run("app.change({view: 'functions'})")
        assert not [n for n in self.get("app.panels.functions[1].table.rows.map(r => r.name)") if n.startswith("CPU")]
        self.b.run("app.change({view: 'flame', group: 'none'})")

    def t23_call_tree(self):
        self.open("#weight=samples&view=tree")
        names = "app.panels.tree[1].table.rows.map(r => r.v.depth + app.model.name(r.v.frame).slice(0, 9))"
        self.b.run("app.panels.tree[1].table.pick(app.panels.tree[1].table.rows[0])")
        self.b.run("document.querySelector('.calltree .scroll').focus()")
        self.b.keys("\ue012")
        self.equal(names, ["1main"])
        self.b.keys("*")
        assert "4f" in self.get(names) and "3g" in self.get(names), self.get(names)
        self.b.keys("\ue015\ue012")
        assert "3g" not in self.get(names) and "2f" in self.get(names), self.get(names)
        self.b.keys("\ue014")
        assert "3g" in self.get(names)
        assert self.shown(".calltree .lines .line").split()[:3] == ["100.00%", "800", "12.50%"], self.shown(".calltree .lines .line")
        assert "totals add up to more than 100 %" in self.shown(".calltree .bar-line"), self.shown(".calltree .bar-line")
        self.b.keys("v")
        assert "1g" in self.get(names) and "1main" in self.get(names), self.get(names)
        self.b.keys("v")

    def t24_lanes_in_time(self):
        self.open("#weight=samples&order=time")
        self.equal("app.panels.flame[1].view.tree.lanes.map(l => l.label + '=' + l.shown)",
                   ["main <b> 100=272", "other 200=264", "new\\x0aline\\x1b[31m 100/101=264"])
        # they run in turns of eight samples: one box of main for each turn, and gaps between
        main = self.get("""app.panels.flame[1].view.tree.kids(app.panels.flame[1].view.tree.lanes[0]).map(k =>
            [app.model.name(k.frame), k.shown, k.x, k.total])""")
        assert len(main) == 34 and all(m[:2] == ["main", 8] for m in main), main
        assert all(b[2] > a[2] + a[3] * 1.5 for a, b in zip(main, main[1:])), main
        x, y = self.get("""(() => { const v = app.panels.flame[1].view, r = v.canvas.getBoundingClientRect();
            return [r.left + 50, r.top + v.top(v.tree.lanes[2].depth) + 8]; })()""")
        self.b.pointer(("move", x, y), ("down",), ("up",))
        self.equal("[app.state.who, app.model.sum]", ["100/101", 264])
        self.b.run("app.change({who: ''})")

    def t25_unknown_frames_are_one(self):
        self.open(page="nowhere.html")
        assert self.calls("main") == {"(self)": 0, "[unknown]": 800000 + 1600}, self.calls("main")
        assert list(self.calls("main", "[unknown]")) == ["(self)", "f"], self.calls("main", "[unknown]")
        names = "app.panels.flame[1].view.rows.flat().map(b => nameOf(b.v, app.panels.flame[1].view))"
        assert "[unknown] \u00d717" in self.get(names), self.get(names)
        self.b.run("app.change({group: 'thread'})")
        assert "[unknown] \u00d717" in self.get(names), self.get(names)

    def t26_whole_system(self):
        self.open(page="wide.html")
        self.equal("[app.state.group, document.querySelector('h1').innerText]", ["process", "whole system: sleep 9"])
        assert len(self.calls()) == 3, self.calls()

    def t27_kernel_has_one_colour(self):
        with open("perf.svg") as f:
            style = f.read()
        for kind in ("kernel", "wait"):
            shades = re.findall(r"\.%s\.s\d rect\{fill:hsl\((\d+),(\d+)%%,(\d+)%%\)" % kind, style)
            mean = [sum(int(s[i]) for s in shades) / len(shades) for i in range(3)]
            page = self.get(f"app.paint.kindColour(KINDS.indexOf('{kind}'))")
            assert len(shades) == 6 and all(abs(a - b) <= 1 for a, b in zip(mean, page)), (kind, mean, page)

    def t28_without_chains(self):
        self.open(page="flat.html")
        self.equal("app.state.view", "functions")
        assert "without call chains" in self.shown("#badge")

    def t29_paper(self):
        self.open("#theme=dark")
        self.b.run("dispatchEvent(new Event('beforeprint'))")
        self.equal("[document.documentElement.dataset.theme, app.panels.flame[1].view.canvas.style.width]",
                   ["light", "1000px"])
        boxes = "app.panels.flame[1].view.rows.flat().length"
        assert self.get(boxes) > 5
        self.b.run("dispatchEvent(new Event('afterprint'))")
        self.equal("[document.documentElement.dataset.theme, app.panels.flame[1].view.onPaper]", ["dark", False])
        pdf = base64.b64decode(self.b.to("POST", "/print", {"orientation": "landscape", "background": True}))
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, len(pdf)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
        make(sys.argv[2], "before.data", [s for s in STACKS if "g" not in s])
        make(sys.argv[2], "flat.data", chains=False)
        make(sys.argv[2], "wide.data", command=["/usr/bin/perf", "record", "-ag", "-a", "-e", "cycles", "sleep", "9"])
        make(sys.argv[2], "nowhere.data", [["main"] + n * ["nowhere"] + ["f"] for n in (1, 2, 17)])
    elif sys.argv[1] == "value":
        with Browser() as browser:
            look = Look(sys.argv[2], None, None)
            look.b = browser
            look.open()
            print(json.dumps(look.get(sys.argv[3])))
    else:
        with Browser() as browser:
            Look(sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None).checks(browser)
