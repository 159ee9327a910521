// SPDX-License-Identifier: GPL-2.0-or-later
//
// All pages have this in common: numbers and times as text, the search, the tooltip, the list of keys.

const $ = id => document.getElementById(id);

const grouped = new Intl.NumberFormat("en-US");

function duration(ns) {
	const abs = Math.abs(ns);
	if (abs >= 1e9)
		return (ns / 1e9).toFixed(abs >= 1e11 ? 1 : 3) + " s";
	if (abs >= 1e6)
		return (ns / 1e6).toFixed(3) + " ms";
	if (abs >= 1e3)
		return (ns / 1e3).toFixed(1) + " \u00b5s";
	return Math.round(ns) + " ns";
}

function percent(part, all) {
	const share = all ? part * 100 / all : 0;
	return share.toFixed(2) + "%";
}

// Returns round times in ns, and how they are written, for a width in pixels.
function ticks(from, to, width) {
	const room = Math.max(Math.floor(width / 90), 1), span = to - from, out = [];
	if (!(span > 0))
		return out;
	let step = 10 ** Math.floor(Math.log10(span / room));
	while (span / step > room)
		step *= span / step / 2 <= room ? 2 : span / step / 5 <= room ? 5 : 10;
	for (let t = Math.ceil(from / step) * step; t <= to; t += step)
		out.push([t, tick(t, step)]);
	return out;
}

function tick(t, step) {
	if (step >= 1e9)
		return t / 1e9 + " s";
	if (step >= 1e6)
		return t >= 1e9 ? (t / 1e9).toFixed(Math.ceil(9 - Math.log10(step))) + " s" : t / 1e6 + " ms";
	return t / 1e3 + " \u00b5s";
}

// Returns {matches(name), rule, wrong} for a text to search: rule tells how it is looked for, wrong what is
// wrong with the expression. "/text/" is an expression; other text is looked for as it is, and capitals do
// not matter when it has none.
function searchOf(text) {
	if (text.length > 2 && text.startsWith("/") && text.endsWith("/")) {
		try {
			const e = new RegExp(text.slice(1, -1));
			return { matches: name => e.test(name), rule: "expression, case counts" };
		} catch (error) {
			return { matches: () => false, wrong: error.message };
		}
	}
	if (text !== text.toLowerCase())
		return { matches: name => name.includes(text), rule: "case counts" };
	return { matches: name => name.toLowerCase().includes(text), rule: "any case" };
}

// Shows lines beside the pointer. The first one is the name of what it points at.
function fillTip(tip, event, lines) {
	tip.replaceChildren(element("strong", { textContent: lines[0].slice(0, 1000) }),
		...lines.slice(1).map(text => element("div", { textContent: text.slice(0, 400) })));
	const box = tip.getBoundingClientRect();
	tip.style.left = Math.max(Math.min(event.clientX + 14, innerWidth - box.width - 6), 4) + "px";
	tip.style.top = (event.clientY + 20 + box.height < innerHeight ? event.clientY + 18 :
		Math.max(event.clientY - box.height - 10, 4)) + "px";
}

// Shows what keys do: [[key, text]..].
function showKeys(keys) {
	const close = element("button", { type: "button", textContent: "Close", onclick: () => $("keys").close() });
	$("keys").replaceChildren(element("h2", { textContent: "Keys" }),
		element("dl", {}, ...keys.flatMap(([key, text]) =>
			[element("dt", { textContent: key }), element("dd", { textContent: text })])), close);
	$("keys").showModal();
}
