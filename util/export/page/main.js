// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page itself: its state, which is in its address too, and what the controls do to it.

const KEYS = [
	["/", "search functions: in any case when all of it is small; /text/ is an expression"],
	["Enter, n, N", "next match, previous match"], ["Esc", "end the search, then the zoom, then the choice of times"],
	["1 .. 6", "tabs"], ["i", "flame graph or icicle"], ["o", "order: names, most first, time"],
	["v", "merge stacks from the innermost function"], ["k", "next way of colouring"],
	["p", "palette for the colour-blind"], ["t", "light or dark"],
	...TRANSFORMS.map(t => [t.key, t.text.toLowerCase() + ": the one pointed at, or selected"]),
	["z", "take back the last of these"], ["y, Y", "copy the name, the stack"],
	["b", "callers and callees of the function"], ["e", "find the function everywhere"],
	["arrows", "in a flame graph: callee, caller, neighbours; in a table: rows; in the time strip: move the choice"],
	["Enter", "zoom to the selected function; in a table: its callers and callees"],
	["Ctrl + wheel", "zoom at the pointer"],
	["drag", "move the flame graph; in the time strip: choose times"], ["?", "this list"],
];

const DEFAULTS = {
	view: "flame", shape: "flame", order: "name", reverse: false, colour: "kind", blind: false, theme: "",
	q: "", filter: "", zoom: [], func: -1, lanes: "all", group: "none", transforms: "",
	event: 0, weight: "", who: "", cpu: -1, from: 0, to: 0,
};

// These parts of the state decide on the lanes of the time strip.
const LANES_OF = ["event", "weight", "who", "cpu", "lanes"];

const GROUPS = { none: "nothing", process: "process", thread: "thread", comm: "name", cpu: "CPU" };

class App {
	constructor(profile) {
		this.model = new Model(profile);
		this.paint = new Paint(this.model);
		this.state = { ...DEFAULTS, weight: profile.head.weight, to: profile.head.slices,
			shape: profile.head.icicle ? "icicle" : "flame", group: profile.head.group };
		if (this.model.compare)
			Object.assign(this.state, { event: this.model.event, colour: "change" });
		if (!this.model.chains)
			this.state.view = "functions";
		this.usual = { ...this.state };
		this.actions = new Actions(this);
		this.panels = {
			flame: ["Flame graph", new FlamePanel(this)],
			tree: ["Call tree", new CallTreePanel(this)],
			functions: ["Functions", new FunctionsPanel(this)],
			calls: ["Callers and callees", new CallsPanel(this)],
			source: ["Source", new SourcePanel(this)],
			recording: ["Recording", new RecordingPanel(this)],
		};
		this.strip = new Strip($("stripbox"), $("strip"), $("axis"), this.model, this.paint,
			(from, to) => this.chooseTimes(from, to), lane => this.chooseKey(this.strip.kind, lane.key),
			lane => (this.strip.kind === "cpu" ? this.state.cpu : this.state.who) === lane.key);
		this.loadState();
		this.build();
		this.applyTheme();
		this.change({ view: this.state.view });
	}

	diffColumns() {
		return this.model.compare ? [
			{ title: "Change", key: "share change", number: true, value: r => r.change, text: r => points(r.change),
				soft: r => Math.abs(r.change) <= r.noise },
			{ title: "Noise", key: "share noise", number: true, value: r => r.noise, soft: () => true,
				text: r => "\u00b1" + (r.noise * 100).toFixed(2) }] : [];
	}

	// ---- state and address ----

	saveState() {
		const parts = [];
		for (const key in this.usual) {
			const v = this.state[key], text = Array.isArray(v) ? v.join(".") : String(v);
			if (text !== String(Array.isArray(this.usual[key]) ? this.usual[key].join(".") : this.usual[key]))
				parts.push(key + "=" + encodeURIComponent(text));
		}
		this.address = parts.length ? "#" + parts.join("&") : "#";
		clearTimeout(this.saving);
		// Browsers limit how often the address may change.
		this.saving = setTimeout(() => {
			if (location.hash !== this.address && (location.hash || this.address !== "#"))
				history.replaceState(null, "", this.address);
		}, 120);
	}

	// Makes a step that the Back button of the browser takes back.
	pushState() {
		clearTimeout(this.saving);
		history.pushState(null, "", this.address);
	}

	loadState() {
		const s = { ...this.usual }, h = this.model.p.head;
		for (const part of location.hash.slice(1).split("&")) {
			const at = part.indexOf("="), key = part.slice(0, at);
			let text = "";
			if (at < 0 || !(key in s))
				continue;
			try {
				text = decodeURIComponent(part.slice(at + 1));
			} catch {
				continue;
			}
			if (Array.isArray(s[key]))
				s[key] = text ? text.split(".").map(Number).filter(Number.isInteger) : [];
			else if (typeof s[key] === "number")
				s[key] = Number.isInteger(Number(text)) ? Number(text) : s[key];
			else
				s[key] = typeof s[key] === "boolean" ? text === "true" : text;
		}
		const one = (key, values) => { if (!values.includes(s[key])) s[key] = this.usual[key]; };
		one("view", Object.keys(this.panels));
		one("shape", ["flame", "icicle"]);
		one("order", ["name", "heavy", "time"]);
		one("colour", this.colours().map(c => c[0]));
		one("weight", ["samples", "period"]);
		one("theme", ["", "light", "dark"]);
		one("group", Object.keys(GROUPS));
		one("lanes", ["all", "cpu", "thread", "process", "comm"]);
		s.event = h.events[s.event] ? s.event : 0;
		s.who = this.model.people.has(s.who) ? s.who : "";
		s.func = s.func < this.model.base.nrFrames ? s.func : -1;
		s.from = Math.min(Math.max(s.from, 0), h.slices - 1);
		s.to = Math.min(Math.max(s.to, s.from + 1), h.slices);
		this.state = s;
	}

	// Changes the state, and all that follows from it.
	change(changes) {
		const s = Object.assign(this.state, changes), m = this.model;
		const chosen = { event: s.event, weight: s.weight, who: s.who, cpu: s.cpu, transforms: s.transforms,
			group: s.group, from: s.from, to: s.to };
		if (Object.keys(chosen).some(key => m[key] !== chosen[key])) {
			const derived = s.transforms !== m.transforms;
			Object.assign(m, chosen);
			if (derived)
				this.derive();
			m.compute();
		}
		this.paint.set({ by: s.colour, blind: s.blind });
		this.strip.kind = s.lanes;
		// The strip stays as it is when other times are chosen.
		const lanesOf = LANES_OF.map(key => s[key]).join() + m.leavingOut;
		if (lanesOf !== this.lanesOf)
			this.strip.update();
		else
			this.strip.draw();
		this.lanesOf = lanesOf;
		if (Object.keys(changes).some(key => key !== "from" && key !== "to"))
			this.showLegend();
		$("alltime").hidden = m.allTime;
		for (const id of ["event", "weight", "who", "cpu", "lanes", "colour", "group"])
			$(id).value = String(s[id]);
		if (!$("who").value) // the only thread of a process
			$("who").value = s.who.split("/")[0];
		this.search();
		this.showView();
		this.showStatus();
		this.saveState();
	}

	derive() {
		const s = this.state, m = this.model;
		m.derive();
		s.transforms = m.transforms = m.steps.map(step => step.text).join("~");
		if (m.isGroup(s.func))
			s.func = -1;
		this.actions.showCrumbs();
	}

	// Chooses times while the pointer moves, not more often than can be seen.
	chooseTimes(from, to) {
		if (!this.times)
			requestAnimationFrame(() => {
				this.change(this.times);
				this.times = null;
			});
		this.times = { from, to };
	}

	// Looks at the group of a frame alone.
	chooseGroup(frame) {
		this.chooseKey(this.state.group, this.model.groupKey(frame));
	}

	// Looks at the group with this key alone, or at all when it was looked at alone before.
	chooseKey(kind, key) {
		const s = this.state;
		if (kind === "cpu")
			this.change({ cpu: s.cpu === key ? -1 : key, zoom: [] });
		else if (kind === "process" || kind === "thread")
			this.change({ who: s.who === key ? "" : key, zoom: [] });
	}

	// ---- controls ----

	options(id, list, label) {
		$(id).replaceChildren(...list.map(([value, text]) =>
			element("option", { value: String(value), textContent: text.slice(0, 80) })));
		$(id).addEventListener("change", () => label($(id).value));
		// A list is hidden when there is nothing to choose from.
		if (list.length < 2)
			$(id).hidden = true;
	}

	build() {
		const m = this.model, h = m.p.head;
		this.buildHead();
		this.options("event", h.events.map((e, i) => [i, e.name]), v => this.change({ event: Number(v), zoom: [] }));
		this.options("weight", [["period", h.durations ? "duration" : "period"], ["samples", "samples"]], v => this.change({ weight: v }));
		// The list may be long: it has only the first, which have most samples.
		this.options("who", [["", "all processes"], ...m.people.list()].slice(0, 2000), v => this.change({ who: v }));
		this.options("cpu", [[-1, "all CPUs"], ...m.cpus.map(c => [c, "CPU " + c])], v => this.change({ cpu: Number(v) }));
		this.options("lanes", [["all", "all samples"], ["cpu", "by CPU"], ["thread", "by thread"],
			["process", "by process"], ["comm", "by name"]], v => this.change({ lanes: v }));
		this.options("colour", this.colours(), v => this.change({ colour: v }));
		this.options("group", Object.entries(GROUPS), v => this.change({ group: v, zoom: [] }));
		$("times").hidden = h.slices < 2;
		if (m.compare)
			$("who").hidden = true; // those of two recordings are not the same
		this.buildTabs();
		this.pair("shape", [["flame", "Flame"], ["icicle", "Icicle"]]);
		this.pair("order", [["name", "Names"], ["heavy", "Left heavy"], ["time", "Time"]]);
		$("reverse").addEventListener("click", () => this.change({ reverse: !this.state.reverse, zoom: [] }));
		$("reset").addEventListener("click", () => this.change({ zoom: [] }));
		$("alltime").addEventListener("click", () => this.change({ from: 0, to: m.slices }));
		$("theme").addEventListener("click", () => this.toggleTheme());
		$("help").addEventListener("click", () => showKeys(KEYS));
		$("search").addEventListener("input", () => {
			$("tip").hidden = true;
			this.state.q = $("search").value;
			this.search();
			this.redraw();
			this.saveState();
		});
		$("search").addEventListener("keydown", e => {
			if (e.key === "Enter")
				this.nextMatch(e.shiftKey ? -1 : 1);
		});
		$("previous").addEventListener("click", () => this.nextMatch(-1));
		$("next").addEventListener("click", () => this.nextMatch(1));
		document.addEventListener("keydown", e => this.key(e));
		addEventListener("hashchange", () => {
			if (location.hash === this.address)
				return;
			this.loadState();
			this.applyTheme();
			this.change({ view: this.state.view });
		});
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme());
		addEventListener("beforeprint", () => this.printing(true));
		addEventListener("afterprint", () => this.printing(false));
	}

	buildHead() {
		const m = this.model, h = m.p.head, fact = key => (h.facts.find(f => f[0] === key) || [])[1] || "";
		const title = h.title || fact("command") || fact("command line") || "perf", line = fact("command line");
		const samples = h.events.reduce((sum, e) => sum + e.samples, 0);
		$("title").textContent = title.slice(0, 300);
		$("title").title = (line ? title + "\n" + line : title).slice(0, 2000);
		document.title = title.slice(0, 100) + " - perf";
		$("facts").textContent = [grouped.format(samples) + " samples", h.last > h.first ? duration(h.last - h.first) : "",
			h.events.length === 1 ? h.events[0].name : "", fact("hostname")].filter(Boolean).join(" \u00b7 ").slice(0, 300);
		$("facts").title = $("facts").textContent;
		this.buildBadge(m.chains ? h.notes : ["without call chains: record with -g for a graph", ...h.notes]);
	}

	// Builds the badge beside the graph, which has what one must know of the recording. The tab of the
	// recording has all of it.
	buildBadge(notes) {
		$("badge").hidden = !notes.length;
		if (!notes.length)
			return;
		$("badge").textContent = "\u26a0 " + notes[0] + (notes.length > 1 ? " (+" + (notes.length - 1) + ")" : "");
		$("badge").title = notes.join("\n");
		$("badge").addEventListener("click", () => this.change({ view: "recording" }));
	}

	colours() {
		const out = [["kind", "kind"], ["object", "object"], ["function", "function"]];
		return this.model.compare ? [["change", "change"], ...out] : out;
	}

	buildTabs() {
		Object.entries(this.panels).forEach(([key, [text, panel]], i) => {
			const b = element("button", { type: "button", textContent: text, id: "tab-" + key,
				title: text + " (" + (i + 1) + ")" });
			b.setAttribute("role", "tab");
			b.addEventListener("click", () => this.change({ view: key }));
			$("tabs").append(b);
			panel.box.setAttribute("role", "tabpanel");
			panel.box.setAttribute("aria-labelledby", b.id);
			$("main").append(panel.box);
		});
	}

	pair(key, list) {
		for (const [value, text] of list) {
			const b = element("button", { type: "button", textContent: text });
			b.dataset.value = value;
			b.addEventListener("click", () => this.change({ [key]: value, zoom: key === "order" ? [] : this.state.zoom }));
			$(key).append(b);
		}
	}

	showView() {
		const s = this.state;
		for (const [key, [, panel]] of Object.entries(this.panels)) {
			panel.box.hidden = key !== s.view;
			$("tab-" + key).setAttribute("aria-selected", key === s.view);
		}
		$("flametools").classList.toggle("off", s.view !== "flame" && s.view !== "tree");
		$("flametools").classList.toggle("tree", s.view === "tree");
		for (const key of ["shape", "order"])
			for (const b of $(key).children) {
				b.setAttribute("aria-pressed", b.dataset.value === s[key]);
				if (b.dataset.value === "time")
					b.disabled = s.reverse || this.model.slices < 2;
			}
		if ((s.reverse || this.model.slices < 2) && s.order === "time") {
			s.order = "name";
			$("order").children[0].setAttribute("aria-pressed", true);
			$("order").children[2].setAttribute("aria-pressed", false);
		}
		$("reverse").setAttribute("aria-pressed", s.reverse);
		$("reset").hidden = !s.zoom.length;
		this.panels[s.view][1].show();
	}

	redraw() {
		for (const view of this.flameViews()) {
			view.hit = this.found ? this.found.hit : null;
			view.ask();
		}
	}

	flameViews() {
		const calls = this.panels.calls[1].views;
		return [this.panels.flame[1].view, calls.callers, calls.callees];
	}

	search() {
		const q = this.state.q;
		if ($("search").value !== q)
			$("search").value = q;
		const { matches, rule, wrong } = searchOf(q);
		this.found = q && !wrong ? this.model.search(matches) : null;
		$("matched").textContent = wrong ? "not a valid expression" : q ? percent(this.found.share, this.model.sum) + " in " +
			grouped.format(this.found.nr) + (this.found.nr === 1 ? " function" : " functions") + ", " + rule : "";
		$("matched").title = wrong || $("matched").textContent;
		$("matched").classList.toggle("wrong", Boolean(wrong));
		for (const id of ["previous", "next"])
			$(id).hidden = !q || Boolean(wrong);
		for (const view of this.flameViews())
			view.hit = this.found ? this.found.hit : null;
	}

	// Goes to the next (1) or previous (-1) box that matches, of those that are drawn: outermost first, from
	// left to right.
	nextMatch(by) {
		const view = this.panels.flame[1].view;
		if (!this.found)
			return;
		if (this.state.view !== "flame")
			this.change({ view: "flame" });
		const list = view.matches(), at = list.indexOf(view.selected);
		if (list.length)
			view.select(list[(at + by + (at < 0 && by < 0 ? 1 : 0) + list.length) % list.length]);
		else
			$("status").textContent = "No match is wide enough to be drawn: zoom in.";
	}

	// ---- functions and zoom ----

	zoomTo(v) {
		const view = this.panels.flame[1].view;
		if (v.key !== undefined)
			return this.chooseKey(view.tree.kind, v.key);
		if (v === view.focus && v.up)
			v = v.up;
		if (view.tree.timed) { // a place in time has no address
			view.zoom(v.lane || v.up ? v : view.tree.root);
			$("reset").hidden = !v.up;
			return;
		}
		this.state.zoom = framesOf(v);
		if (this.model.isFunction(v.frame))
			this.state.func = v.frame;
		view.zoom(v);
		$("reset").hidden = !v.up;
		this.saveState();
	}

	setFunction(frame) {
		if (this.model.isFunction(frame))
			this.state.func = frame;
		this.saveState();
	}

	lookAt(frame) {
		if (this.model.isFunction(frame))
			this.change({ func: frame, view: "calls" });
	}

	lookAtSource(at) {
		const m = this.model, source = this.panels.source[1].list[at];
		for (let f = 0; f < m.p.nrFrames; f++)
			if (m.name(f) === source.name && m.object(f) === source.object)
				return this.change({ func: f });
	}

	findFrame(frame) {
		this.change({ q: this.model.name(frame), view: "flame", zoom: [] });
	}

	// Tells about v in the tooltip, because the pointer or the selection is on it.
	tell(v, event, view) {
		const tip = $("tip"), m = this.model;
		if (!v) {
			tip.hidden = true;
			return this.showStatus();
		}
		const lines = this.lines(v, view);
		$("status").textContent = lines.join("   ").slice(0, 1000);
		tip.hidden = !event;
		if (event)
			fillTip(tip, event, lines);
	}

	lines(v, view) {
		const m = this.model, out = [nameOf(v, view)];
		const total = v.shown === undefined ? v.total : v.shown;
		if (m.runOf(v) > 1)
			out.push("up to " + m.runOf(v) + " frames without symbols, one after the other");
		if (m.isFunction(v.frame))
			out.push((m.path(v.frame) || m.object(v.frame) || "no object") + ", " + KINDS[m.kind(v.frame)]);
		out.push(percent(total, m.sum) + " of all, " + amount(m, total) +
			(v.self && v.self !== total ? ", itself " + percent(v.self, m.sum) : ""));
		if (v.lane)
			out.push("from " + duration(m.time(v.x)) + " to " + duration(m.time(v.x + v.total)) + ", for " +
				duration(v.total * m.p.head.sliceNs));
		else if (view.focus && view.focus.up && v.depth > view.focus.depth)
			out.push(percent(total, view.focus.total) + " of " + m.name(view.focus.frame).slice(0, 80));
		if (m.compare && v.frame >= 0)
			out.push(points(m.changeOf(v)) + " points since before, " + (Math.abs(m.changeOf(v)) <= m.noiseOf(v) ?
				"within the noise" : "outside the noise") + " (\u00b1" + (m.noiseOf(v) * 100).toFixed(2) + ")");
		if (m.isFunction(v.frame))
			out.push("everywhere: total " + percent(m.frameTotal[v.frame], m.sum) + ", self " +
				percent(m.frameSelf[v.frame], m.sum));
		return out;
	}

	showStatus() {
		const m = this.model;
		$("status").textContent = grouped.format(m.samples) + (m.samples === 1 ? " sample" : " samples") +
			(m.weight === "period" ? ", " + amount(m, m.sum) : "") +
			(m.allTime ? "" : ", from " + duration(m.time(m.from)) + " to " + duration(m.time(m.to)));
	}

	// ---- looks ----

	applyTheme() {
		const s = this.state, dark = s.theme ? s.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
		document.documentElement.dataset.theme = dark && !this.onPaper ? "dark" : "light";
		const p = this.paint;
		p.set({ dark: dark && !this.onPaper });
		Object.assign(p, { ink: p.css("--ink"), soft: p.css("--soft"), accent: p.css("--accent"), shade: p.css("--shade"),
			track: p.css("--track"), hitColour: p.css("--hit") });
		this.showLegend();
		this.strip.draw();
		this.redraw();
	}

	showLegend() {
		$("legend").replaceChildren(...this.paint.legend().map(([colour, text]) => {
			const spot = element("i");
			spot.style.background = colour;
			return element("span", {}, spot, text.slice(0, 40));
		}));
	}

	toggleTheme() {
		this.state.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
		this.applyTheme();
		this.saveState();
	}

	printing(on) {
		this.onPaper = on;
		this.applyTheme();
		for (const panel of [this.panels.functions[1].table])
			panel.fill(on);
		for (const view of this.flameViews())
			view.print(on);
	}

	key(e) {
		const s = this.state, turn = (list, v) => list[(list.indexOf(v) + 1) % list.length];
		if (e.key === "Escape")
			return this.escape(e);
		if (e.key === "z" && (e.ctrlKey || e.metaKey) && e.target.tagName !== "INPUT")
			return this.actions.undo();
		if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName))
			return;
		const views = Object.keys(this.panels);
		const actions = {
			"/": () => $("search").focus(),
			"?": () => showKeys(KEYS),
			n: () => this.nextMatch(1),
			N: () => this.nextMatch(-1),
			i: () => this.change({ shape: turn(["flame", "icicle"], s.shape) }),
			o: () => this.change({ order: turn(["name", "heavy", "time"], s.order), zoom: [] }),
			v: () => this.change({ reverse: !s.reverse, zoom: [] }),
			z: () => this.actions.undo(),
			k: () => this.change({ colour: turn(this.colours().map(c => c[0]), s.colour) }),
			p: () => this.change({ blind: !s.blind }),
			t: () => this.toggleTheme(),
		};
		const view = views[Number(e.key) - 1];
		if (view)
			this.change({ view });
		else if (actions[e.key])
			actions[e.key]();
		else if (!this.actions.key(e.key, this.panels[s.view][1].current && this.panels[s.view][1].current()))
			return;
		e.preventDefault();
	}

	escape(e) {
		const s = this.state;
		if ($("keys").open)
			return;
		if (e.target.tagName === "INPUT")
			e.target.blur();
		if (s.q) {
			this.change({ q: "" });
		} else if (s.zoom.length || !$("reset").hidden) {
			this.change({ zoom: [] });
		} else if (!this.model.allTime) {
			this.change({ from: 0, to: this.model.slices });
		}
	}
}

let app = null;
openProfile().then(profile => {
	app = new App(profile);
	document.documentElement.dataset.ready = "1";
}).catch(error => {
	document.body.prepend(element("p", { className: "failure", textContent: "This page cannot be shown: " + error.message }));
	document.documentElement.dataset.ready = "failed";
});
