# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks at the page of perf timechart --html as somebody with a browser does.

	timelinepage.py make [TURNS]		writes tl.data: two tasks on one CPU wake each other, a third one is blocked
	timelinepage.py look PAGE LARGE [PICTURES]	one line for each check: "ok NAME" or "not ok NAME: WHY"

The recording begins at 1000 s. Task 101 runs for 1 ms, then task 102 for 2 ms after it has waited for 0.5 ms, and so on.
"""
import os
import sys

from browser import Browser, Checks
from tracefile import TraceFile

START, TURN = 10**12, 3 * 10**6
EVIL = "</script><b>&\"\x01"
SWITCH = "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; char next_comm[16]; pid_t next_pid; int next_prio"


def make(path, turns):
    t = TraceFile()
    t.event("sched:sched_switch", SWITCH)
    t.event("sched:sched_wakeup", "char comm[16]; pid_t pid; int prio; int target_cpu")
    t.event("sched:sched_process_fork", "char parent_comm[16]; pid_t parent_pid; char child_comm[16]; pid_t child_pid")
    t.event("irq:irq_handler_entry", "int irq")
    t.event("irq:irq_handler_exit", "int irq")
    for end in "issue", "complete":
        t.event("block:block_rq_" + end, "u32 dev; u64 sector; u32 nr_sector")
    t.event("workqueue:workqueue_queue_work", "void *work; __data_loc char[] workqueue")
    for end in "start", "end":
        t.event("workqueue:workqueue_execute_" + end, "void *work")
    t.event("signal:signal_generate", "int sig")
    t.event("timer:timer_start", "void *timer")
    names = {0: "swapper", 101: "ping", 102: "pong", 200: EVIL}
    for pid, tid in ((101, 101), (101, 102), (200, 200)):
        t.comm(pid, names[tid][:15], tid=tid)

    def switch(time, cpu, leaves, state, comes):
        t.add("sched:sched_switch", time, cpu=cpu, pid=101 if leaves in (101, 102) else leaves, tid=leaves,
              prev_comm=names[leaves][:15], prev_pid=leaves, prev_state=state, next_comm=names[comes][:15], next_pid=comes)

    def wakeup(time, by, woken):
        t.add("sched:sched_wakeup", time, pid=101, tid=by, comm=names[woken], pid_=woken, target_cpu=0)

    switch(START, 0, 0, 0, 101)
    t.add("sched:sched_process_fork", START + 100, pid=101, tid=101, parent_comm="ping", parent_pid=101, child_comm="pong",
          child_pid=102)
    switch(START + 200, 1, 0, 0, 200)
    t.add("signal:signal_generate", START + 150000, pid=101, tid=101, sig=10)
    t.add("timer:timer_start", START + 250000, cpu=1)
    t.add("block:block_rq_issue", START + 300000, pid=101, tid=101, dev=8 << 20 | 1, sector=64, nr_sector=8)
    t.add("workqueue:workqueue_queue_work", START + 400000, pid=101, tid=101, work=4096, workqueue="events")
    t.add("workqueue:workqueue_execute_start", START + 600000, cpu=1, pid=200, tid=200, work=4096)
    t.add("workqueue:workqueue_execute_end", START + 700000, cpu=1, pid=200, tid=200, work=4096)
    t.add("block:block_rq_complete", START + 900000, cpu=1, dev=8 << 20 | 1, sector=64, nr_sector=8)
    for i in range(turns):
        at = START + i * TURN
        wakeup(at + 500000, 101, 102)
        switch(at + 1000000, 0, 101, 1, 102)
        if i == 0:
            switch(at + 1100000, 1, 200, 2, 0)
            t.add("irq:irq_handler_entry", at + 1200000, irq=9)
            t.add("irq:irq_handler_exit", at + 1300000, irq=9)
        wakeup(at + 2000000, 102, 101)
        switch(at + TURN, 0, 102, 1, 101)
    t.write(path)


class Look(Checks):
    def settle(self):
        self.b.run("return new Promise(done => setTimeout(() => requestAnimationFrame(() => done(true)), 200))")

    def place(self, key, ns):
        """Where a row shows a time, as the window counts."""
        return self.b.run("""const row = app.rows.byKey.get(arguments[0]), box = app.view.canvas.getBoundingClientRect();
            return [box.left + app.view.x(arguments[1]), box.top + row.y + row.height - 5 - app.view.box.scrollTop];""", key, ns)

    def text(self, css):
        return self.b.run("return document.querySelector(arguments[0]).innerText", css)

    def t01_opens(self):
        self.opens_alone("img, iframe, object, link, b")

    def t02_rows_and_names(self):
        self.equal("app.rows.shown.map(r => r.label)", ["CPUs", "CPU 0", "interrupts", "CPU 1", "Workqueues", "workqueue events",
                   "Block devices", "8,1", "ping 101, 2 threads", "pong:102",
                   "ping:101", "</script><b>&\"\\x01:200"])
        assert "2 CPUs" in self.text("#facts") and "3 tasks" in self.text("#facts"), self.text("#facts")

    def t03_sums(self):
        span = self.b.run("return app.model.span")
        assert span % TURN == 0, span
        for key, kinds in (("t1", {"running": 2 / 3, "runnable": 1 / 6}), ("c0", {"running": 1})):
            sums = self.b.run("return Array.from(app.rows.byKey.get(arguments[0]).lane.sums(0, app.model.span))", key)
            for kind, share in kinds.items():
                got = sums[["", "running", "runnable"].index(kind)]
                assert abs(got / span - share) < 0.01 if key == "t1" else got == span, (key, kind, got, span)
        # The sums that stops give are those that are counted interval by interval.
        self.equal("""app.rows.shown.filter(r => r.lane).every(({lane}) => [[0, 1], [0.1, 0.7], [0.35, 0.36]].every(([a, b]) => {
            const from = a * app.model.span, to = b * app.model.span, sums = KINDS.map(() => 0), got = lane.sums(from, to);
            for (let i = 0; i < lane.nr; i++)
                sums[lane.kinds[i]] += Math.max(Math.min(lane.endOf(i), to) - Math.max(lane.starts[i], from), 0);
            return sums.every((ns, k) => Math.abs(ns - got[k]) < 1e-3);
        }))""", True)

    def t04_something_is_drawn(self):
        colours = """(() => { app.view.draw(); const c = app.view.canvas, v = new Uint32Array(c.getContext('2d').getImageData(0, 0,
            c.width, c.height).data.buffer), kinds = {}; for (const p of v) kinds[p] = (kinds[p] || 0) + 1;
            return [RUNNING, RUNNABLE, SLEEPING, BLOCKED, INTERRUPT].map(k => (kinds[pixelOf(COLOURS[k])] || 0) > 0); })()"""
        self.equal(colours, [True] * 5)

    def t05_wheel_and_drag(self):
        x, y = self.place("t1", 0)
        middle = self.place("t1", TURN * 4)[0]
        self.b.pointer(("move", x, y), ("down",), ("move", (x + middle) / 2, y), ("move", middle, y), ("up",))
        self.settle()
        to = self.b.run("return app.view.to")
        assert abs(to - TURN * 4) < TURN / 2, to
        self.b.run("""const box = app.view.canvas.getBoundingClientRect(); app.view.canvas.dispatchEvent(new WheelEvent("wheel",
            { deltaY: -200, clientX: box.left + app.view.x(1e6), clientY: box.top + 30, bubbles: true, cancelable: true }))""")
        assert self.b.run("return app.view.to - app.view.from") < to * 0.7
        self.b.keys("0")
        self.equal("[app.view.from, app.view.to === app.model.span]", [0, True])

    def t06_pointer_tells_latency(self):
        self.b.run("app.view.show(0, arguments[0])", TURN)
        self.settle()
        self.b.pointer(("move", *self.place("t1", 1500000)))
        tip = self.text("#tip")
        assert "pong:102, process 101" in tip and "running on CPU 0" in tip, tip
        assert "on the run queue for 500.0 \u00b5s before" in tip, tip
        self.b.pointer(("move", *self.place("t1", 700000)))
        assert "woken by ping:101" in self.text("#tip"), self.text("#tip")
        self.settle()
        self.equal("app.view.arrows", 1)
        self.b.pointer(("move", *self.place("c0", 1500000)))
        assert "on the run queue for 500.0 \u00b5s before" in self.text("#tip"), self.text("#tip")
        self.b.pointer(("move", *self.place("c0.3", 1250000)))
        assert "interrupt 9 for 100.0 \u00b5s" in self.text("#tip"), self.text("#tip")

    def t07_list_and_lanes(self):
        x, y = self.place("t1", 1500000)
        self.b.pointer(("move", x, y), ("down",), ("up",))
        self.settle()
        self.equal("[app.chosen.key, app.list.table.selected === app.place.id]", ["t1", True])
        assert "running on CPU 0" in self.text("#list .line.selected"), self.text("#list .line.selected")
        self.b.run("[...document.querySelectorAll('#list .lines .line')].find(e => e.innerText.includes('woken by ping')).click()")
        self.equal("[app.place.from, app.place.to]", [500000, 1000000])
        self.b.keys("]")
        self.equal("[app.place.from, app.place.to]", [1000000, 3000000])
        self.b.keys("[[")
        self.equal("[app.place.from, app.place.to]", [500000, 1000000])

    def t08_marks(self):
        self.b.run("app.choose(null)")
        self.equal("app.list.table.rows.map(r => r.what)", ["pong:102 forked by ping:101",
                   "ping:101 signal:signal_generate on CPU 0", "timer:timer_start on CPU 1"])
        self.b.run("app.view.show(2e6, 3e6)")
        self.settle()
        self.equal("app.list.table.rows.length", 0)
        self.b.run("app.view.show(0, 3e6)")
        self.settle()
        self.b.run("document.querySelector('#list .lines .line').click()")
        self.equal("app.cursors", [100, None])

    def t09_measure(self):
        self.b.run("app.measure(1e6, 3e6)")
        assert self.text("#status").startswith("A to B: 2.000 ms"), self.text("#status")
        self.b.run("app.choose(app.rows.byKey.get('t1'))")
        assert "running 100.00%" in self.text("#status"), self.text("#status")
        self.b.keys("\ue00c")
        self.equal("app.cursors", [None, None])

    def t10_wakers(self):
        self.b.keys("w")
        self.settle()
        assert self.b.run("app.view.draw(); return app.view.arrows") >= 1
        self.b.keys("w")

    def t11_search_and_folding(self):
        self.b.run("app.choose(null)")
        self.b.keys("F")
        self.equal("app.rows.shown.map(r => r.label).includes('pong:102')", False)
        self.b.keys("/")
        self.b.keys("pong")
        assert self.text("#matched").startswith("1 task"), self.text("#matched")
        self.b.keys("\ue007")
        self.equal("[app.chosen.key, app.rows.shown.map(r => r.label).includes('pong:102')]", ["t1", True])
        self.b.keys("\ue00c")
        self.equal("[app.state.q, document.activeElement.tagName]", ["", "BODY"])
        self.b.keys("d")
        self.equal("app.rows.shown.map(r => r.label).includes('interrupts')", False)
        self.b.keys("d")

    def t12_folded_sums(self):
        self.b.run("app.rows.foldAll(); app.view.show(0, 40 * arguments[0])", TURN)
        self.settle()
        # Two threads take turns: at each time one runs, and the other one waits for a third of the time that it does not run.
        x, y = self.b.run("""const row = app.rows.groups.find(g => g.key === 'p101').title;
            const box = app.view.canvas.getBoundingClientRect();
            return [box.left + app.view.x(3e6), box.top + row.y + row.height / 2 - app.view.box.scrollTop];""")
        self.b.pointer(("move", x, y))
        tip = self.text("#tip")
        assert tip.startswith("ping 101, 2 threads") and "running 50.00%" in tip and "runnable 25.00%" in tip, tip
        colours = """(() => { app.view.draw(); const { pixels, width } = app.view.raster;
            const row = app.rows.groups.find(g => g.key === 'p101').title, y = Math.round(row.y - app.view.top);
            const drawn = pixels.subarray((y + 2) * width, (y + row.height - 2) * width);
            return [RUNNING, RUNNABLE].map(k => drawn.includes(pixelOf(COLOURS[k]))); })()"""
        self.equal(colours, [True, True])
        self.b.run("app.rows.foldAll(); app.view.show(0, app.model.span)")

    def t13_search_events(self):
        self.b.run("app.choose(null)")
        self.b.keys("/")
        self.b.keys("process_fork")
        assert self.text("#matched").startswith("0 tasks, 1 mark"), self.text("#matched")
        self.b.keys("\ue007")
        self.equal("app.cursors", [100, None])
        self.b.run("app.search('migrate')")
        self.settle()
        assert self.text("#matched").startswith("0 tasks, 0 marks"), self.text("#matched")
        self.equal("app.list.table.rows.length", 0)
        self.b.run("app.choose(app.rows.byKey.get('t1')); app.search('waking')")
        self.settle()
        self.equal("new Set(app.list.table.rows.map(r => r.what.split(',')[0])).size === 1 && app.list.table.rows[0].event",
                   "sched_waking")
        self.b.run("app.search(''); app.measure(null, null); app.choose(null)")

    def t14_queues(self):
        self.b.run("document.activeElement.blur(); app.view.show(0, 1e6); app.choose(app.rows.byKey.get('q0'))")
        self.settle()
        self.equal("app.list.table.rows.map(r => r.what)",
                   ["1 request in flight", "request of ping:101 for 8,1", "idle"])
        self.b.pointer(("move", *self.place("q0", 500000)))
        tip = self.text("#tip")
        assert tip.startswith("8,1") and "1 request in flight for 600.0" in tip, tip
        self.b.pointer(("move", *self.place("q1", 500000)))
        assert "1 work waiting for 200.0" in self.text("#tip"), self.text("#tip")
        self.equal("app.view.arrows", 0)
        self.b.keys("w")
        self.equal("(app.view.draw(), app.view.arrows)", 1)
        self.b.run("app.choose(app.rows.byKey.get('t0'))") # which has asked both queues
        self.equal("(app.view.draw(), app.view.arrows) >= 2", True)
        self.b.run("$('search').value = ''")
        self.b.keys("w/")
        self.b.keys("events")
        assert self.text("#matched").startswith("1 row"), self.text("#matched")
        self.b.run("app.search(''); app.choose(null); app.view.show(0, app.model.span)")

    def mark_at(self, key, ns):
        """Whether the mark of an event that no lane shows is drawn in a row."""
        return self.b.run("""app.view.draw(); const { pixels, width } = app.view.raster, row = app.rows.byKey.get(arguments[0]);
            const x = Math.round(app.view.x(arguments[1])), y = Math.round(row.y - app.view.top + 3);
            return pixels[y * width + x] === MARK_COLOURS[OTHER];""", key, ns)

    def t15_other_events(self):
        self.b.run("app.view.show(0, 1e6)")
        self.settle()
        for key, ns, name in (("t0", 150000, "signal:signal_generate on CPU 0"), ("c1", 250000, "timer:timer_start on CPU 1")):
            assert self.mark_at(key, ns) and not self.mark_at(key, ns + 100000), (key, ns)
            # From the mark to the line: a click at the upper edge of the row.
            x, y = self.b.run("""const box = app.view.canvas.getBoundingClientRect(), row = app.rows.byKey.get(arguments[0]);
                return [box.left + app.view.x(arguments[1]), box.top + row.y + 3 - app.view.box.scrollTop];""", key, ns)
            self.b.pointer(("move", x, y))
            assert name in self.text("#tip"), self.text("#tip")
            self.b.pointer(("move", x, y), ("down",), ("up",))
            self.settle()
            assert name in self.text("#list .line.selected"), self.text("#list .line.selected")
            self.equal("[app.chosen.key, app.place.from]", [key, ns])
            # From the line to the mark, in the list of all.
            self.b.run("app.choose(null)")
            self.settle()
            self.b.run("[...document.querySelectorAll('#list .lines .line')].find(e => e.innerText.includes(arguments[0])).click()", name)
            self.equal("app.cursors", [ns, None])
        title = self.text("#list-title")
        assert title == "Forks, exits, migrations and other events", title
        places = self.b.run("return app.list.table.rows.slice(1).map(r => parseInt(/^at 0x([0-9a-f]+) in the file$/.exec(r.event)[1], 16))")
        with open("tl.data", "rb") as f:
            data = f.read()
        assert [data[p] for p in places] == [9, 9] and places[1] == places[0] + data[places[0] + 6], places # samples that follow each other
        self.b.run("app.measure(null, null); $('search').value = ''; document.activeElement.blur()")
        self.b.keys("/")
        self.b.keys("signal_gen")
        assert self.text("#matched").startswith("0 tasks, 1 mark"), self.text("#matched")
        self.b.keys("\ue007")
        self.equal("app.cursors", [150000, None])
        self.settle()
        self.equal("app.list.table.rows.map(r => r.what)", ["ping:101 signal:signal_generate on CPU 0"])
        self.b.run("app.search(''); app.measure(null, null); app.view.show(0, app.model.span)")

    def t16_address_and_theme(self):
        self.open("#from=1000000&to=2000000&row=t1")
        self.equal("[app.view.from, app.view.to, app.chosen.key]", [1000000, 2000000, "t1"])
        before = self.b.run("return document.documentElement.dataset.theme")
        self.b.keys("t")
        self.equal("document.documentElement.dataset.theme", "dark" if before == "light" else "light")
        self.b.keys("?")
        self.equal("$('keys').open && $('keys').innerText.includes('arrows from the tasks')", True)
        complaints = self.b.console()
        assert not complaints, complaints

    def t17_first_view_of_a_large_page(self):
        self.open(page=self.large)
        sums = "return Array.from(app.rows.byKey.get('t1').lane.sums(app.model.span * 0.25, app.model.span * 0.5))"
        self.equal("[app.model.whole, app.list.table.rows.length]", [True, 3])
        nr, whole = self.b.run("return app.rows.byKey.get('t1').lane.nr"), self.b.run(sums)
        # The same page while the browser still waits for its last element.
        with open(self.large) as f:
            text = f.read()
        with open("cut.html", "w") as f:
            f.write(text[:text.index('id="data">') + 10] + "</script>")
        self.b.open("about:blank")
        self.b.open("file://" + os.path.abspath("cut.html"))
        self.equal("document.documentElement.dataset.ready", "failed")
        self.equal("[app.model.whole, app.list.table.rows.length]", [False, 0])
        early = self.b.run(sums)
        assert self.b.run("return app.rows.byKey.get('t1').lane.nr") < nr / 4, nr
        assert all(abs(a - b) < sum(whole) / 200 for a, b in zip(early, whole)), (early, whole)
        self.b.keys("[]w") # which nothing is known for


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make("tl.data", int(sys.argv[2]) if len(sys.argv) > 2 else 40)
    else:
        with Browser() as browser:
            look = Look(sys.argv[2], *sys.argv[4:5])
            look.large = sys.argv[3]
            look.checks(browser)
