// SPDX-License-Identifier: GPL-2.0-or-later
//
// These are the panels below the tabs: the flame graph, functions, callers and callees, source, the
// recording. Each has a box, and show() is called when it is seen or what is looked at has changed.

const SUMS = "Total is a function with all that it calls: totals add up to more than 100 %.";

class FlamePanel {
	constructor(app) {
		this.app = app;
		this.box = element("div", { className: "panel flame", id: "flame" });
		this.view = new FlameView(this.box, app.paint, {
			pick: v => app.zoomTo(v),
			tell: (v, event) => app.tell(v, event, this.view),
			look: v => app.lookAt(v.frame),
			menu: (event, v) => app.actions.open(event, v && app.actions.target(v, this.view.tree)),
		});
	}

	// Returns the node that is pointed at, or selected by keys.
	current() {
		const v = this.view.hover || this.view.selected || this.view.focus;
		return v ? this.app.actions.target(v, this.view.tree) : null;
	}

	makeTree() {
		const { state, model } = this.app;
		if (state.reverse)
			return new CallerTree(model, state.order !== "name");
		if (state.order === "time")
			return new TimeTree(model);
		return callTree(model, state.order === "heavy");
	}

	update() {
		const view = this.view, tree = this.makeTree();
		view.hanging = this.app.state.shape === "icicle";
		view.show(tree, tree.find(this.app.state.zoom));
	}

	show() {
		this.update();
	}
}

class FunctionsPanel {
	constructor(app) {
		const model = app.model;
		this.app = app;
		this.table = new Table([
			{ title: "Self", key: "share", number: true, first: true, value: r => r.self,
				text: r => percent(r.self, model.sum), share: r => r.self / model.sum },
			{ title: "", key: "amount", number: true, value: r => r.self, text: r => shortAmount(model, r.self) },
			{ title: "Total", key: "share", number: true, value: r => r.total,
				text: r => percent(r.total, model.sum), share: r => r.total / model.sum },
			{ title: "", key: "amount", number: true, value: r => r.total, text: r => shortAmount(model, r.total) },
			...app.diffColumns(),
			{ title: "Function", key: "name", value: r => r.name, text: r => r.name.slice(0, 500), hint: r => r.name },
			{ title: "Object", key: "object", value: r => r.object, text: r => r.object.slice(0, 200),
				hint: r => model.path(r.id) },
			// The kind is not known when there are two recordings.
			...model.compare ? [] : [{ title: "Kind", key: "kind", value: r => r.kind, text: r => r.kind }],
		], {
			pick: row => app.setFunction(row.id),
			look: row => app.lookAt(row.id),
			menu: (event, row) => app.actions.open(event, { frame: row.id, path: null }),
			sorted: () => app.saveState(),
		});
		this.table.empty = "No function matches.";
		this.filter = element("input", { type: "search", placeholder: "Filter functions and objects",
			id: "filter", spellcheck: false });
		this.filter.setAttribute("aria-label", "Filter functions and objects");
		this.filter.addEventListener("input", () => {
			app.state.filter = this.filter.value;
			this.update();
			app.saveState();
		});
		this.count = element("span", { className: "soft" });
		this.box = element("div", { className: "panel functions" },
			element("div", { className: "bar-line" }, this.filter, this.count,
				element("span", { className: "soft right", textContent: (model.chains ? SUMS + " " : "") + "Double click: callers and callees" })), this.table.box);
	}

	update() {
		const { app } = this, m = app.model, { matches, wrong, rule } = searchOf(app.state.filter), rows = [];
		const [selves, totals] = m.frames();
		for (let f = 0; f < m.p.nrFrames; f++)
			if (totals[f] && (matches(m.name(f)) || matches(m.object(f))))
				rows.push({ id: f, order: f, self: selves[f], total: totals[f], name: m.name(f),
					object: m.object(f), kind: KINDS[m.kind(f)],
					change: m.compare ? m.changeOfFrame(f) : 0, noise: m.compare ? m.noiseOfFrame(f) : 0 });
		this.filter.value = app.state.filter;
		this.count.textContent = grouped.format(rows.length) + (rows.length === 1 ? " function" : " functions") +
			(wrong ? ": " + wrong : app.state.filter ? " (" + rule + ")" : "");
		this.table.selected = app.state.func;
		this.table.show(rows);
	}

	current() {
		return this.app.state.func < 0 ? null : { frame: this.app.state.func, path: null };
	}

	show() {
		this.update();
	}
}

// This panel has the callers of one function above and its callees below.
class CallsPanel {
	constructor(app) {
		this.app = app;
		this.title = element("div", { className: "bar-line calls-title" });
		this.lists = {};
		for (const side of ["callers", "callees"]) {
			this.lists[side] = new Table([
				{ title: "Share", key: "share", number: true, first: true, value: r => r.total,
					text: r => percent(r.total, this.whole), share: r => r.total / this.whole },
				{ title: "", key: "amount", number: true, value: r => r.total,
					text: r => shortAmount(app.model, r.total) },
				{ title: side === "callers" ? "Called by" : "Calls", key: "name", value: r => r.name,
					text: r => r.name.slice(0, 500), hint: r => r.name },
				{ title: "Object", key: "object", value: r => r.object, text: r => r.object.slice(0, 200) },
			], { pick: row => row.id >= 0 && app.lookAt(row.id) });
			this.lists[side].empty = side === "callers" ? "Nothing calls it." : "It calls nothing.";
		}
		this.views = {};
		const graphs = element("div", { className: "graphs" });
		for (const side of ["callers", "callees"]) {
			const box = element("div", { className: "flame " + side });
			const view = this.views[side] = new FlameView(box, app.paint, {
				pick: v => v === view.focus && v.up === null ? null : view.zoom(v),
				tell: (v, event) => app.tell(v, event, view),
				look: v => app.lookAt(v.frame),
				menu: (event, v) => app.actions.open(event, v && { frame: v.frame, path: null }),
			});
			view.rootName = () => app.model.name(app.state.func);
			view.hanging = side === "callees";
			graphs.append(box);
		}
		this.box = element("div", { className: "panel calls" }, this.title,
			element("div", { className: "columns" },
				element("div", { className: "lists" }, this.lists.callers.box, this.lists.callees.box), graphs));
	}

	current() {
		return this.app.state.func < 0 ? null : { frame: this.app.state.func, path: null };
	}

	rows(tree) {
		const m = this.app.model;
		return tree.kids(tree.root).map((v, i) => ({ id: v.frame, order: i, total: v.total, name: m.name(v.frame),
			object: m.object(v.frame) }));
	}

	update() {
		const { app } = this, m = app.model;
		if (app.state.func < 0 || !m.frameTotal[app.state.func])
			app.state.func = app.state.func < 0 ? hottest(m) : app.state.func;
		const f = app.state.func;
		if (f < 0) {
			this.title.replaceChildren("There are no samples.");
			return;
		}
		this.whole = m.frameTotal[f];
		this.title.replaceChildren(
			element("strong", { textContent: m.name(f).slice(0, 400), title: m.name(f).slice(0, 2000) }),
			element("span", { className: "soft", textContent: m.object(f).slice(0, 200) }),
			element("span", { textContent: "self " + percent(m.frameSelf[f], m.sum) }),
			element("span", { textContent: "total " + percent(m.frameTotal[f], m.sum) + " (" +
				amount(m, m.frameTotal[f]) + ")" }),
			element("button", { type: "button", textContent: "Find in flame graph", onclick: () => app.findFrame(f) }));
		const callers = new CallerTree(m, true, f), callees = new CalleeTree(m, true, f);
		const own = { id: -1, order: -1, total: m.frameSelf[f], name: "(itself)", object: "" };
		const lists = { callers: this.rows(callers), callees: this.rows(callees).concat(own.total ? [own] : []) };
		for (const side in lists)
			this.lists[side].show(lists[side]);
		if (Object.values(lists).some(rows => rows.reduce((sum, r) => sum + r.total, 0) > this.whole * 1.0001))
			this.title.append(element("span", { className: "soft sums", textContent:
				"It is recursive: a sample counts once for each call, and shares add up to more than 100 %." }));
		this.views.callers.show(callers);
		this.views.callees.show(callees);
	}

	show() {
		this.update();
	}
}

// This panel has the source of functions with many samples, their instructions, and what each of both
// counts at all times, in all threads.
class SourcePanel {
	constructor(app) {
		this.app = app;
		this.list = app.model.p.head.sources || [];
		this.choice = element("select", {}, ...this.list.map((s, i) =>
			element("option", { value: String(i), textContent: s.name.slice(0, 100) })));
		this.choice.setAttribute("aria-label", "Function");
		this.choice.addEventListener("change", () => app.lookAtSource(Number(this.choice.value)));
		this.where = element("span", { className: "soft" });
		this.lines = element("div", { className: "source-lines" });
		this.code = element("div", { className: "source-lines insns" });
		this.box = element("div", { className: "panel source" }, element("div", { className: "bar-line" }, this.choice,
			this.where, element("span", { className: "soft right", textContent: "All times and threads" })),
			element("div", { className: "columns" }, this.lines, this.code));
		if (!this.list.length) {
			this.choice.hidden = this.code.hidden = true;
			this.lines.append(element("p", { className: "empty", textContent: "There is no source: none of the functions " +
				"with samples has line numbers (gcc -g) and a file, or an object, that is still where it was." }));
		}
		for (const side of [this.lines, this.code])
			side.addEventListener("click", e => this.mark(e.target.closest(".code"), side));
	}

	// Returns the number of the selected function, if it is in the list.
	current() {
		const { model, state } = this.app, at = state.func < 0 ? -1 : this.list.findIndex(s =>
			s.name === model.name(state.func) && s.object === model.object(state.func));
		return at < 0 ? 0 : at;
	}

	// Returns what is looked at of [event, samples, period].
	shown([event, samples, period]) {
		const { model } = this.app;
		return event !== model.event ? 0 : model.weight === "samples" ? samples : period;
	}

	// Adds up lists that end in event, samples, period. The function key tells of a list what it is counted at.
	sums(counts, key) {
		const sums = new Map();
		for (const list of counts)
			sums.set(key(list), (sums.get(key(list)) || 0) + this.shown(list.slice(-3)));
		return sums;
	}

	// Shows rows: {key: what is counted, label, text, place} or {title}. The map below has what inlined functions
	// count by the place that calls them. It returns the row with most.
	fill(side, rows, sums, below = new Map()) {
		const all = [...sums.values()].reduce((a, b) => a + b, 0), most = Math.max(...sums.values(), 1e-9);
		let hottest = null;
		side.replaceChildren(...rows.map(({ key, label, text, place, title }) => {
			if (title !== undefined)
				return element("div", { className: "soft code-title", textContent: title });
			const v = sums.get(key) || 0, inside = below.get(key) || 0, bar = element("span", { className: "bar" });
			bar.style.width = v / most * 100 + "%";
			const e = element("div", { className: "code" + (v ? " counted" : "") },
				element("span", { className: "cell share", textContent: v ? percent(v, all) : "" }, bar),
				...below.size ? [element("span", { className: "cell share soft", title: "in inlined functions that are called here",
					textContent: inside ? "(" + percent(inside, all) + ")" : "" })] : [],
				element("span", { className: "number", textContent: label }), element("code", { textContent: text }));
			e.dataset.line = place;
			hottest = v === most ? e : hottest;
			return e;
		}));
		side.hidden = !rows.length;
		return hottest;
	}

	// Makes rows of source. Each of several files begins with its name, and a row marks lines that are left out.
	lineRows({ files, source = [] }) {
		const rows = [], several = source.some(line => line[0] !== source[0][0]);
		source.forEach(([file, line, text], i) => {
			const last = source[i - 1];
			if (several && (!last || last[0] !== file))
				rows.push({ title: files[file] });
			else if (last && last[1] + 1 !== line)
				rows.push({ title: "\u22ee" });
			const place = file + ":" + line;
			rows.push({ key: place, label: String(line), text, place });
		});
		return rows;
	}

	codeRows({ code = [] }) {
		return code.map(([address, text, file, line], i) =>
			({ key: i, label: address, text, place: file === undefined ? "" : file + ":" + line }));
	}

	// Tells where a function is, and how much of it inlined functions count.
	about(source) {
		const all = [...this.sums(source.counts, () => 0).values()].reduce((a, b) => a + b, 0);
		const inlined = source.inlined.map(([name, ...counts]) =>
			[name, counts.reduce((sum, list) => sum + this.shown(list), 0)]).filter(pair => pair[1]);
		return [(source.files[0] || source.object).slice(-300), ...inlined.slice(0, 5).map(([name, v]) =>
			"inlined: " + name.slice(0, 80) + " " + percent(v, all))].join(" \u00b7 ");
	}

	// Marks a line and its instructions.
	mark(row, side) {
		const line = row && !row.classList.contains("marked") ? row.dataset.line : "";
		for (const e of this.box.querySelectorAll(".code"))
			e.classList.toggle("marked", line !== "" && e.dataset.line === line);
		const other = line && (side === this.lines ? this.code : this.lines).querySelector(".marked");
		if (other)
			other.scrollIntoView({ block: "nearest" });
	}

	show() {
		if (!this.list.length)
			return;
		const at = this.current(), source = this.list[at];
		this.choice.value = String(at);
		this.where.textContent = this.where.title = this.about(source);
		const place = list => list[0] + ":" + list[1];
		const hot = [this.fill(this.lines, this.lineRows(source), this.sums(source.counts, place), this.sums(source.calls, place)),
			this.fill(this.code, this.codeRows(source), this.sums(source.hits || [], list => list[0]))];
		for (const e of hot)
			if (e)
				e.scrollIntoView({ block: "center" });
	}
}

// This panel tells what is known of the recording, how far it can be trusted, and what is in this page.
class RecordingPanel {
	constructor(app) {
		const { p } = app.model, head = p.head;
		this.box = element("div", { className: "panel recording" });
		const section = (title, ...children) =>
			this.box.append(element("section", {}, element("h2", { textContent: title }), ...children));
		section("Quality", head.notes.length ?
			element("ul", { className: "notes" }, ...head.notes.map(text => element("li", { textContent: text }))) :
			element("p", { textContent: "Nothing to complain about: few samples were lost, few stacks cut off, " +
				"few symbols are missing." }));
		section("Events", this.grid(["Event", "Samples", "Sum"], head.events.map(e =>
			[e.name, grouped.format(e.samples), e.time ? duration(e.period) : grouped.format(e.period)])));
		if (head.facts.length)
			section("Recording", this.grid(null, head.facts));
		section("This page", this.grid(null, [
			["functions", grouped.format(p.nrFrames)],
			["nodes of the tree of stacks", grouped.format(p.nrNodes)],
			["sums", grouped.format(p.nrRows)],
			["time", head.sliceNs ? grouped.format(head.slices) + " slices of " + duration(head.sliceNs) : "not known"],
			["threads", grouped.format(head.threads.length) + (head.together ? "; of them by their names alone, as they " +
				"have few samples: " + grouped.format(head.together) + " threads" : "")],
		]));
	}

	grid(titles, rows) {
		const table = element("table");
		if (titles)
			table.append(element("tr", {}, ...titles.map(t => element("th", { textContent: t }))));
		for (const row of rows)
			table.append(element("tr", {}, ...row.map((t, i) =>
				element(titles || i ? "td" : "th", { textContent: String(t).slice(0, 5000) }))));
		return table;
	}

	show() {}
}

function hottest(m) {
	let best = -1;
	const [selves, totals] = m.frames();
	for (let f = 0; f < m.p.nrFrames; f++)
		if (totals[f] && (best < 0 || selves[f] > selves[best]))
			best = f;
	return best;
}

function shortAmount(model, v) {
	return model.countsTime ? duration(v) : grouped.format(v);
}

// Returns a difference of shares as text, with its sign.
function points(change) {
	return (change >= 0 ? "+" : "-") + (Math.abs(change) * 100).toFixed(2);
}
