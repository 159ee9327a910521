// SPDX-License-Identifier: GPL-2.0-or-later
//
// The profile that the page shows. Documentation/format/page.md describes how it is stored.

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
