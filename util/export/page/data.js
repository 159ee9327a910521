"use strict";
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The data of the page: base64 of a deflate stream of columns of numbers, 7 bits to the byte, the lowest
// first. Documentation/format/page.md describes it.

class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	number() {
		const bytes = this.bytes;
		let c = bytes[this.at++];
		if (c < 128)
			return c;
		let v = c & 127, scale = 128;
		do {
			c = bytes[this.at++];
			v += (c & 127) * scale;
			scale *= 128;
		} while (c >= 128);
		return v;
	}

	signed() {
		const v = this.number();
		return v % 2 ? -(v + 1) / 2 : v / 2;
	}

	column(n, type) {
		const out = new type(n);
		for (let i = 0; i < n; i++)
			out[i] = this.number();
		return out;
	}

	// Reads numbers, each of which is written as what it is more than the one before.
	differences(n, type) {
		const out = new type(n);
		for (let i = 0, v = 0; i < n; i++)
			out[i] = v += this.signed();
		return out;
	}

	text(n) {
		this.at += n;
		return new TextDecoder().decode(this.bytes.subarray(this.at - n, this.at));
	}
}

async function inflate(base64) {
	if (typeof DecompressionStream === "undefined")
		throw new Error("this browser is too old: it has no DecompressionStream");
	let bytes;
	if (Uint8Array.fromBase64) {
		bytes = Uint8Array.fromBase64(base64);
	} else {
		const binary = atob(base64);
		bytes = new Uint8Array(binary.length);
		for (let i = 0; i < binary.length; i++)
			bytes[i] = binary.charCodeAt(i);
	}
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Characters that would not be seen, or would change the direction of writing, are shown by their number.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const UNSEEN_ALL = new RegExp(UNSEEN, "g");

function visible(text) {
	if (!UNSEEN.test(text))
		return text;
	return text.replace(UNSEEN_ALL, c => {
		const hex = c.charCodeAt(0).toString(16);
		return hex.length > 2 ? "\\u" + hex.padStart(4, "0") : "\\x" + hex.padStart(2, "0");
	});
}

function readFrames(r, p) {
	const nrTexts = r.number();
	p.texts = r.text(r.number()).split("\0", nrTexts).map(visible);
	const n = r.number();
	p.nrFrames = n;
	p.frameName = r.differences(n, Int32Array);
	p.frameDso = r.column(n, Int32Array);
	p.framePath = r.column(n, Int32Array);
	p.frameKind = r.column(n, Uint8Array);
}

// Nodes come depth first: each says how many levels it goes up from the one before.
function readNodes(r, p) {
	const n = p.nrRecorded = r.number(), parent = new Int32Array(n), frame = new Int32Array(n), path = [0];
	for (let i = 1, depth = 0; i < n; i++) {
		depth += 1 - r.number();
		parent[i] = path[depth - 1];
		path[depth] = i;
	}
	frame[0] = -1;
	for (let i = 1; i < n; i++)
		frame[i] = r.number();
	Object.assign(p, treeOf(parent, frame));
	p.nodeOf = new Int32Array(n).map((_, i) => i); // transforms make others of it
}

function readRows(r, p) {
	const n = p.nrRows = r.number();
	p.rowEvent = new Uint16Array(n);
	for (let i = 0, v = 0; i < n; i++)
		p.rowEvent[i] = v += r.number();
	p.rowNode = r.differences(n, Int32Array);
	p.rowThread = new Int32Array(n);
	for (let i = 0; i < n; i++) {
		const on = i && p.rowNode[i] === p.rowNode[i - 1] && p.rowEvent[i] === p.rowEvent[i - 1];
		p.rowThread[i] = (on ? p.rowThread[i - 1] : 0) + r.number();
	}
	p.rowCpu = r.column(n, Int32Array);
	p.rowSlice = new Int32Array(n);
	for (let i = 0; i < n; i++) {
		const on = i && p.rowNode[i] === p.rowNode[i - 1] && p.rowThread[i] === p.rowThread[i - 1];
		p.rowSlice[i] = (on ? p.rowSlice[i - 1] : 0) + r.signed();
	}
	p.rowSamples = r.column(n, Float64Array);
	p.rowPeriod = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		const unit = p.head.events[p.rowEvent[i]].unit;
		p.rowPeriod[i] = unit ? unit * p.rowSamples[i] : r.number();
	}
}

// Returns the head with its texts as names are shown.
function seenAll(v) {
	if (typeof v === "string")
		return visible(v);
	if (Array.isArray(v))
		return v.map(seenAll);
	if (v && typeof v === "object")
		return Object.fromEntries(Object.entries(v).map(([key, value]) => [key, seenAll(value)]));
	return v;
}

// Joins several runs to two sides: the events are those of both, p.rowRun tells for each sum which run it
// is of, and p.runs tells for each side which runs it has.
function joinRuns(p) {
	const { before, now } = p.head.compare, sideOf = new Map([...before.map(e => [e, 0]), ...now.map(e => [e, 1])]);
	const side = (name, runs) => ({ name, samples: 0, period: 0, unit: 0, time: p.head.events.some(e => e.time), runs });
	const sides = [side("before", before), side("now", now)];
	p.head.events.forEach((e, i) => {
		sides[sideOf.get(i)].samples += e.samples;
		sides[sideOf.get(i)].period += e.period;
	});
	p.rowRun = p.rowEvent;
	p.rowEvent = p.rowEvent.map(e => sideOf.get(e));
	p.runs = [before, now];
	p.head.events = sides;
}

async function openProfile() {
	const r = new Reader(await inflate(document.getElementById("data").textContent));
	const p = { head: seenAll(JSON.parse(r.text(r.number()))) };
	readFrames(r, p);
	readNodes(r, p);
	readRows(r, p);
	if (p.head.compare)
		joinRuns(p);
	document.getElementById("data").remove();
	return p;
}
