// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page itself: what is chosen and pointed at, which is partly in the address, and what keys do.

const KEYS_OF_PAGE = [
	["/", "search tasks, and events such as sched_migrate_task or blocked: in any case when all of it is small; /text/ is an expression"],
	["Enter, n, N", "next task that matches, previous one; or mark, when only events match"],
	["Esc", "end the search, then the cursors, the choice, the zoom"],
	["wheel, + and -", "zoom at the pointer"], ["drag", "zoom to what it covers"],
	["Shift + drag, left, right", "move in time"], ["Shift + wheel", "scroll the rows, as the wheel does above their names"],
	["up, down", "choose the row above or below"], ["[ and ]", "the interval before or behind the chosen one"],
	["Enter", "zoom to what is chosen; a double click does so, too"],
	["a, b", "put the cursor A or B where the pointer is; a drag along the axis puts both"],
	["w", "arrows from the tasks that have woken the chosen one, and between tasks and queues that they have asked"], ["f", "fold or unfold the process of the chosen row"],
	["F", "fold or unfold all processes"], ["d", "show or hide idle states, frequency and interrupts"],
	["0", "all times"], ["t", "light or dark"], ["?", "this list"],
];

class App {
	constructor(model) {
		this.model = model;
		this.rows = new Rows(model);
		this.state = { theme: "", q: "", wakers: false };
		this.chosen = null; // the row
		this.place = null; // {from, to, id} of what is chosen in it
		this.pointed = null;
		this.pointer = null; // the time at which it is
		this.cursors = [null, null];
		this.found = null;
		this.like = null; // the kinds of marks and intervals that the search matches
		this.allMarks = model.shownMarks();
		this.colours = {};
		this.view = new View(this);
		this.list = new List(this);
		this.build();
		this.applyTheme();
		this.loadState();
		this.view.draw();
		this.list.fill();
		this.showStatus();
	}

	build() {
		const { head } = this.model, title = head.title || "timeline", notes = this.model.notes();
		$("title").textContent = title.slice(0, 300);
		$("title").title = title.slice(0, 2000);
		document.title = title.slice(0, 100) + " - perf timechart";
		$("facts").textContent = [duration(head.span), head.cpus.length ? head.cpus.length + " CPUs" : "",
			grouped.format(this.model.tasks.length) + " tasks", grouped.format(head.switches) + " switches",
			head.hostname || "", head.cpuModel || ""].filter(Boolean).join(" \u00b7 ");
		$("badge").hidden = !notes.length;
		$("badge").textContent = "\u26a0 " + notes.join("; ");
		$("legend").replaceChildren(...Object.keys(COLOURS).map(kind => {
			const spot = element("i");
			spot.style.background = COLOURS[kind];
			return element("span", {}, spot, KINDS[kind]);
		}));
		$("search").addEventListener("input", () => this.search($("search").value));
		$("search").addEventListener("keydown", e => {
			if (e.key === "Enter")
				this.nextMatch(e.shiftKey ? -1 : 1);
		});
		$("whole").addEventListener("click", () => this.view.show(0, this.model.span));
		$("wakers").addEventListener("click", () => this.toggleWakers());
		$("theme").addEventListener("click", () => this.toggleTheme());
		$("help").addEventListener("click", () => showKeys(KEYS_OF_PAGE));
		document.addEventListener("keydown", e => this.key(e));
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme());
	}

	// Takes the data of all intervals in the place of those of the first view.
	complete(head, reader) {
		this.model.read(head, reader, true);
		this.allMarks = this.model.shownMarks();
		this.view.draw();
		this.search(this.state.q);
		this.list.fill();
		this.showStatus();
	}

	// ---- the address ----

	loadState() {
		const parts = new URLSearchParams(location.hash.slice(1));
		const from = Number(parts.get("from")), to = Number(parts.get("to"));
		if (to > from && from >= 0)
			this.view.show(from, to);
		const row = this.rows.byKey.get(parts.get("row"));
		if (row)
			this.choose(row);
	}

	saveState() {
		clearTimeout(this.saving);
		// Browsers limit how often the address may change.
		this.saving = setTimeout(() => {
			const { view } = this, parts = [];
			if (view.to - view.from < this.model.span)
				parts.push("from=" + Math.floor(view.from), "to=" + Math.ceil(view.to));
			if (this.chosen)
				parts.push("row=" + this.chosen.key);
			history.replaceState(null, "", "#" + parts.join("&"));
		}, 200);
	}

	// ---- what is chosen ----

	// Follows the view, which shows another span.
	moved() {
		if (!this.list)
			return;
		this.list.ask();
		this.showStatus();
		this.saveState();
	}

	// Chooses a row, and a place in it: an interval or a mark.
	choose(row, place = null) {
		const other = row !== this.chosen;
		this.chosen = row;
		this.place = place;
		this.view.ask();
		if (other)
			this.list.fill();
		this.list.select(place && place.id);
		this.showStatus();
		this.saveState();
	}

	placeOf(row, i) {
		return { from: row.lane.starts[i], to: row.lane.endOf(i), i, id: row.key + "." + i };
	}

	// Chooses what was clicked.
	pick(at) {
		if (at.row && at.row.title)
			this.fold(at.row.group, !at.row.group.folded);
		else if (!at.row)
			this.choose(null);
		else if (at.mark >= 0)
			this.choose(at.row, { from: this.model.markTime[at.mark], to: this.model.markTime[at.mark], id: "m" + at.mark });
		else
			this.choose(at.row, at.i >= 0 ? this.placeOf(at.row, at.i) : null);
	}

	// Shows in the lanes what a line stands for.
	pickLine(line) {
		if (!line.row)
			return;
		this.unfold(line.row);
		const span = this.view.to - this.view.from, row = line.row;
		const place = line.i >= 0 ? this.placeOf(row, line.i) : { from: line.time, to: line.time, id: line.id };
		// A line of the list of all marks chooses no row, because the list would then be another one.
		if (this.chosen)
			this.choose(row, place);
		if (place.to < this.view.from || place.from > this.view.to)
			this.view.show(place.from - span / 2, place.from + span / 2);
		this.view.reveal(row);
		this.cursors = this.chosen ? this.cursors : [line.time, null];
		this.view.ask();
	}

	lookAtLine(line) {
		if (line.row)
			this.zoomTo({ from: line.time, to: line.time + line.length });
	}

	look(at) {
		if (at.i >= 0)
			this.zoomTo(this.placeOf(at.row, at.i));
	}

	zoomTo(place) {
		const edge = Math.max((place.to - place.from) / 4, LEAST_SPAN);
		this.view.show(place.from - edge, place.to + edge);
	}

	// Chooses the next row (1) or the one before (-1).
	step(by) {
		const list = this.rows.shown.filter(r => !r.title), at = list.indexOf(this.chosen);
		const row = list[Math.min(Math.max(at < 0 ? 0 : at + by, 0), list.length - 1)];
		if (row) {
			this.choose(row);
			this.view.reveal(row);
		}
	}

	// Chooses the next interval (1) of the chosen row or the one before (-1), and moves the view to it.
	stepInterval(by) {
		const row = this.chosen;
		if (!row || !row.lane.nr || !this.model.whole)
			return;
		const now = this.place && this.place.i !== undefined ? this.place.i + by : Math.max(row.lane.find(this.view.from), 0);
		const place = this.placeOf(row, Math.min(Math.max(now, 0), row.lane.nr - 1)), span = this.view.to - this.view.from;
		if (place.from < this.view.from || place.to > this.view.to)
			this.view.show((place.from + place.to - span) / 2, (place.from + place.to + span) / 2);
		this.choose(row, place);
	}

	unfold(row) {
		if (row.y === undefined && !row.detail)
			this.fold(row.group, false);
	}

	fold(group, folded) {
		this.rows.fold(group, folded);
		this.view.ask();
	}

	toggleWakers() {
		this.state.wakers = !this.state.wakers;
		$("wakers").setAttribute("aria-pressed", this.state.wakers);
		this.view.ask();
	}

	// ---- search ----

	search(text) {
		const { matches, rule, wrong } = searchOf(text), searching = text && !wrong;
		this.state.q = text;
		this.found = searching ? this.rows.search(matches) : null;
		if (!this.found)
			this.rows.search(null);
		this.like = searching ? this.model.eventsLike(matches) : null;
		$("matched").textContent = wrong ? "not a valid expression" : text ? this.matchedText() + ", " + rule : "";
		$("matched").classList.toggle("wrong", Boolean(wrong));
		this.list.ask();
		this.view.ask();
	}

	matchedText() {
		const nr = this.found.length, marks = this.like ? this.matchedMarks().length : 0;
		const what = this.found.some(row => row.queue) ? " row" : " task";
		return grouped.format(nr) + what + (nr === 1 ? "" : "s") +
			(this.like ? ", " + grouped.format(marks) + (marks === 1 ? " mark" : " marks") : "");
	}

	matchedMarks() {
		const { marks } = this.like, { markEvent } = this.model;
		return this.allMarks.filter(i => marks[markEvent[i]]);
	}

	nextMatch(by) {
		const list = this.found || [], at = list.indexOf(this.chosen);
		if (!list.length)
			return this.like && this.nextMark(by);
		const row = list[(at + by + (at < 0 && by < 0 ? 1 : 0) + list.length) % list.length];
		this.unfold(row);
		this.choose(row);
		this.view.reveal(row);
	}

	// Puts the cursor A at the next mark (1) that matches, or at the one before (-1), and moves the view to it.
	nextMark(by) {
		const list = this.matchedMarks(), times = this.model.markTime, [a] = this.cursors;
		const now = a === null ? this.view.from : a;
		if (!list.length)
			return;
		const at = by > 0 ? firstFrom(list, times, now + (a === null ? 0 : 1)) : firstFrom(list, times, now) - 1;
		const mark = list[(at + list.length) % list.length];
		this.pickLine({ row: this.rows.ofMark(mark), i: -1, time: times[mark], id: "m" + mark });
		this.measure(times[mark], null);
	}

	// ---- what is told ----

	rowName(row) {
		if (row.queue)
			return row.label;
		return row.task ? row.task.label + ", process " + row.task.pid : row.cpu.label + (row.detail ? ", " + row.label : "");
	}

	// Tells what a lane did in an interval.
	intervalText(row, i) {
		const { lane } = row, kind = lane.kinds[i], value = lane.values[i], { tasks } = this.model;
		if (row.queue)
			return this.model.queueText(row.queue, kind, value);
		if (kind === RUNNING)
			return row.cpu ? (tasks[value] || { label: "a task" }).label + " running" : "running on CPU " + value;
		if (kind === RUNNABLE) {
			const waker = this.model.waker(value);
			return "runnable, " + (waker ? "woken by " + waker.label : value ? "woken by no known task" : "preempted");
		}
		if (kind === NONE && row.detail)
			return "none";
		if (kind === FREQUENCY)
			return (value / 1e6).toFixed(3) + " GHz";
		if (kind === SLEEPING || kind === BLOCKED)
			return KINDS[kind] + (value ? " in " + this.model.head.chains[value - 1] : "");
		return KINDS[kind] + (kind === INTERRUPT || kind === SOFTIRQ || row.detail === 1 ? " " + value : "");
	}

	// Tells how long the task that runs in an interval waited on the run queue before; "" if that is not known.
	latencyText(row, i) {
		const { lane } = row, start = lane.starts[i];
		if (lane.kinds[i] === RUNNABLE && row.task)
			return "on the run queue for " + duration(lane.length(i));
		const task = row.task || row.cpu && lane.kinds[i] === RUNNING && this.model.tasks[lane.values[i]];
		const wait = task && task.lane.nr ? task.lane.waitBefore(task.lane.find(start)) : -1;
		return wait >= 0 ? "on the run queue for " + duration(wait) + " before" : "";
	}

	// Tells the shares of the kinds in a span; of a folded group those of all its lanes together.
	sharesText(row, from, to) {
		const lanes = row.title ? this.rows.lanesOf(row.group) : [row.lane], sums = new Float64Array(KINDS.length);
		for (const lane of lanes)
			lane.sums(from, to).forEach((ns, k) => { sums[k] += ns; });
		return KINDS.map((name, k) => [sums[k], name + " " + percent(sums[k], (to - from) * lanes.length)])
			.filter(([ns], k) => ns > 0 && k !== NONE).sort((a, b) => b[0] - a[0]).map(v => v[1]).join(", ");
	}

	// Follows the pointer, which is at a place or, with null, nowhere.
	point(at, event) {
		const { view } = this, inside = at && at.row && (!at.row.title || at.row.group.folded);
		this.pointer = at ? at.time : null;
		const key = inside ? at.row.key + "." + at.i : "";
		if (key !== this.pointedKey) {
			this.pointedKey = key;
			this.pointed = inside ? at : null;
			view.ask();
		}
		$("tip").hidden = !inside;
		if (!inside)
			return;
		const lines = [at.row.title ? at.row.label : this.rowName(at.row)];
		if (at.mark >= 0)
			lines.push(this.model.markText(at.mark) + " at " + this.model.clock(this.model.markTime[at.mark]));
		if (at.i >= 0) {
			const start = at.row.lane.starts[at.i];
			lines.push(this.intervalText(at.row, at.i) + " for " + duration(at.row.lane.length(at.i)),
				this.latencyText(at.row, at.i), "from " + duration(start) + " on (" + this.model.clock(start) + ")");
		}
		lines.push("in view: " + (this.sharesText(at.row, view.from, view.to) || "nothing known"));
		fillTip($("tip"), event, lines.filter(Boolean));
	}

	measure(a, b) {
		this.cursors = [a, b];
		this.view.ask();
		this.showStatus();
	}

	showStatus() {
		const { view, chosen } = this, [a, b] = this.cursors, both = a !== null && b !== null;
		const from = both ? Math.min(a, b) : view.from, to = both ? Math.max(a, b) : view.to;
		$("status").textContent = (both ? "A to B: " : "in view, from " + duration(from) + " on: ") + duration(to - from) +
			(chosen ? "   " + this.rowName(chosen) + ": " + this.sharesText(chosen, from, to) : "");
		$("whole").hidden = view.to - view.from >= this.model.span;
	}

	// ---- looks and keys ----

	css(name) {
		if (!this.colours[name])
			this.colours[name] = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
		return this.colours[name];
	}

	applyTheme() {
		const dark = this.state.theme ? this.state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
		document.documentElement.dataset.theme = dark ? "dark" : "light";
		this.colours = {};
		this.view.ask();
	}

	toggleTheme() {
		this.state.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
		this.applyTheme();
	}

	key(e) {
		if (e.key === "Escape")
			return this.escape(e);
		if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName))
			return;
		const { view } = this, at = this.pointer === null ? (view.from + view.to) / 2 : this.pointer;
		const actions = {
			"/": () => $("search").focus(),
			"?": () => showKeys(KEYS_OF_PAGE),
			n: () => this.nextMatch(1),
			N: () => this.nextMatch(-1),
			"+": () => view.zoom(1 / 1.5, at),
			"=": () => view.zoom(1 / 1.5, at),
			"-": () => view.zoom(1.5, at),
			ArrowLeft: () => view.pan(-0.2),
			ArrowRight: () => view.pan(0.2),
			ArrowUp: () => this.step(-1),
			ArrowDown: () => this.step(1),
			"[": () => this.stepInterval(-1),
			"]": () => this.stepInterval(1),
			Enter: () => this.place && this.zoomTo(this.place),
			a: () => this.measure(at, this.cursors[1]),
			b: () => this.measure(this.cursors[0], at),
			w: () => this.toggleWakers(),
			f: () => this.chosen && this.fold(this.chosen.group, !this.chosen.group.folded),
			F: () => { this.rows.foldAll(); view.ask(); },
			d: () => { this.rows.details = !this.rows.details; this.rows.layOut(); view.ask(); },
			0: () => view.show(0, this.model.span),
			t: () => this.toggleTheme(),
		};
		if (!actions[e.key])
			return;
		actions[e.key]();
		e.preventDefault();
	}

	escape(e) {
		const { view } = this;
		if ($("keys").open)
			return;
		if (e.target.tagName === "INPUT")
			e.target.blur();
		if (this.state.q) {
			$("search").value = "";
			this.search("");
		} else if (this.cursors.some(c => c !== null)) {
			this.measure(null, null);
		} else if (this.chosen) {
			this.choose(null);
		} else {
			view.show(0, this.model.span);
		}
	}
}

let app = null;

// A large page has the lanes of its first view in front of this script. They are shown while the browser still
// reads the rest of the page.
async function open() {
	const parsed = new Promise(done => document.addEventListener("DOMContentLoaded", done));
	if ($("early").textContent) {
		app = new App(new Model(...await openData("early"), false));
		requestAnimationFrame(() => performance.mark("first view"));
	}
	await parsed;
	const data = await openData("data");
	if (app)
		return app.complete(...data);
	app = new App(new Model(...data, true));
	requestAnimationFrame(() => performance.mark("first view"));
}

open().then(() => {
	document.documentElement.dataset.ready = "1";
}).catch(error => {
	document.body.prepend(element("p", { className: "failure", textContent: "This page cannot be shown: " + error.message }));
	document.documentElement.dataset.ready = "failed";
});
