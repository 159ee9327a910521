// SPDX-License-Identifier: GPL-2.0-or-later
// This makes the picture of `perf report --flamegraph` answer: it reads the frames that are drawn and
// changes where they are. Texts are only ever set as text.
"use strict";
(function () {
	const svg = document.documentElement;
	const pad = 10, row = 16, letter = 7;
	// Places and widths are drawn to a hundredth: two ends that are one may lie two of these apart.
	const slack = 0.021;
	const wide = svg.viewBox.baseVal.width - 2 * pad;
	const part = (id) => document.getElementById(id);
	// Each event that can be chosen has a set of frames.
	const sets = Array.from(document.querySelectorAll(".frames"), (set) => Array.from(set.children).map((g, i) => {
		const rect = g.querySelector("rect");
		const title = g.querySelector("title").textContent;
		return {
			g, i, rect, title, text: g.querySelector("text"),
			name: title.slice(0, title.lastIndexOf(" (")),
			about: title.slice(title.lastIndexOf(" (") + 2, -1),
			x: +rect.getAttribute("x") - pad, w: +rect.getAttribute("width"),
			y: +rect.getAttribute("y"), depth: +g.getAttribute("data-d"),
			shown: true, hit: false,
		};
	}));
	let frames = sets[0], zoomed = frames[0], chosen = null, sought = "", anyCase = false;

	function label(f, w) {
		const room = Math.floor((w - 4) / letter);
		const letters = Array.from(f.name);
		if (room < 3)
			return "";
		return letters.length <= room ? f.name : letters.slice(0, room - 2).join("") + "..";
	}

	function place(f, x, w, above) {
		f.shown = true;
		f.g.style.display = "";
		f.g.classList.toggle("above", above);
		f.rect.setAttribute("x", x + pad);
		f.rect.setAttribute("width", Math.max(w, 0.1));
		const text = label(f, w);
		if (!f.text && text) {
			f.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
			f.text.setAttribute("y", f.y + row - 4);
			f.g.appendChild(f.text);
		}
		if (f.text) {
			f.text.setAttribute("x", Math.max(x, 0) + pad + 3);
			f.text.textContent = text;
		}
	}

	// Zooms to a frame. Those above it stay, as wide as all; those beside it go.
	function zoom(to) {
		const end = to.x + to.w;
		zoomed = to;
		for (const f of frames) {
			const inside = f.x >= to.x - slack && f.x + f.w <= end + slack;
			const around = f.depth < to.depth && f.x <= to.x + slack && f.x + f.w >= end - slack;
			if (around)
				place(f, 0, wide, true);
			else if (inside && f.depth >= to.depth)
				place(f, (f.x - to.x) / to.w * wide, f.w / to.w * wide, false);
			else {
				f.shown = false;
				f.g.style.display = "none";
			}
		}
		part("reset").style.display = to === frames[0] ? "none" : "";
		tellMatched();
	}

	// Tells the share that matches of what is shown: it adds up the widest frames that match, without those
	// within them.
	function tellMatched() {
		let sum = 0, end = 0;
		const from = zoomed.x, to = zoomed.x + zoomed.w;
		const hits = frames.filter((f) => f.hit && f.shown && f.depth >= zoomed.depth)
			.sort((a, b) => a.x - b.x || b.w - a.w);
		for (const f of hits) {
			if (f.x + f.w <= end + slack)
				continue;
			sum += Math.min(f.x + f.w, to) - Math.max(f.x, end, from);
			end = f.x + f.w;
		}
		part("matched").textContent = sought === "" ? ""
			: "Matched: " + (100 * sum / zoomed.w).toFixed(2) + "%";
		part("search").textContent = sought === "" ? "Search" : "Reset search";
	}

	function search(what) {
		let matches;
		sought = what || "";
		try {
			const re = new RegExp(sought, anyCase ? "i" : "");
			matches = (s) => re.test(s);
		} catch (e) { // no expression: the text itself
			matches = (s) => s.includes(sought);
		}
		for (const f of frames) {
			f.hit = sought !== "" && matches(f.name);
			f.g.classList.toggle("hit", f.hit);
		}
		tellMatched();
	}

	function ask() {
		const what = window.prompt("Search for (a regular expression):", sought);
		if (what !== null)
			search(what);
	}

	function tell(f) {
		part("details").textContent = f ? f.title : "";
	}

	function choose(f) {
		if (chosen)
			chosen.g.classList.remove("chosen");
		chosen = f;
		f.g.classList.add("chosen");
		f.g.scrollIntoView({ block: "nearest" });
		tell(f);
	}

	// Draws the frames of another event, beginning with all of them, and searches them.
	function chooseEvent(n) {
		const names = Array.from(part("events").children);
		names.forEach((name, i) => name.classList.toggle("on", i === n));
		part("event").textContent = names[n].textContent;
		document.querySelectorAll(".frames").forEach((set, i) => { set.style.display = i === n ? "" : "none"; });
		frames = sets[n];
		chosen = null;
		zoom(frames[0]);
		search(sought);
	}

	// Goes to the next frame in a direction: deeper, back, or beside it on the same level.
	function step(key) {
		const at = chosen && chosen.shown ? chosen : zoomed;
		const deeper = frames.filter((f) => f.shown && f.depth === at.depth + 1 &&
			f.x >= at.x - slack && f.x < at.x + at.w - slack);
		const level = frames.filter((f) => f.shown && f.depth === at.depth).sort((a, b) => a.x - b.x);
		const down = svg.getAttribute("data-icicle") === "1" ? "ArrowDown" : "ArrowUp";
		let to = null;
		if (key === "ArrowLeft" || key === "ArrowRight")
			to = level[level.indexOf(at) + (key === "ArrowLeft" ? -1 : 1)];
		else if (key === down)
			to = deeper.sort((a, b) => b.w - a.w)[0];
		else
			to = frames.find((f) => f.shown && f.depth === at.depth - 1 &&
				f.x <= at.x + slack && f.x + f.w >= at.x + at.w - slack);
		if (to)
			choose(to);
	}

	svg.addEventListener("click", (e) => {
		const g = e.target.closest(".frames > g");
		if (g)
			zoom(frames.find((f) => f.g === g));
		else if (e.target.id === "reset")
			zoom(frames[0]);
		else if (e.target.parentNode.id === "events")
			chooseEvent(Array.from(e.target.parentNode.children).indexOf(e.target));
		else if (e.target.id === "search")
			sought === "" ? ask() : search("");
		else if (e.target.id === "case") {
			anyCase = !anyCase;
			e.target.classList.toggle("on", anyCase);
			search(sought);
		}
	});
	svg.addEventListener("mouseover", (e) => {
		const g = e.target.closest(".frames > g");
		tell(g ? frames.find((f) => f.g === g) : chosen);
	});
	window.addEventListener("keydown", (e) => {
		if (((e.ctrlKey || e.metaKey) && e.key === "f") || e.key === "F3" || e.key === "/")
			ask();
		else if (e.key === "Escape" || e.key === "r")
			sought !== "" && e.key === "Escape" ? search("") : zoom(frames[0]);
		else if (e.key === "Enter" && chosen)
			zoom(chosen);
		else if (e.key.startsWith("Arrow"))
			step(e.key);
		else
			return;
		e.preventDefault();
	});
	// A picture that is higher than the window opens where the stacks begin.
	window.addEventListener("load", () => {
		if (document.documentElement === svg && svg.getAttribute("data-icicle") !== "1")
			window.scrollTo(0, svg.getBoundingClientRect().height);
	});
	for (const id of ["search", "case", "events"])
		if (part(id))
			part(id).style.display = "";
	svg.perfFlame = { get frames() { return frames; }, chooseEvent, zoom, search, get matched() { return part("matched").textContent; } };
})();
