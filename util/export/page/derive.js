// SPDX-License-Identifier: GPL-2.0-or-later
//
// This makes trees of the tree of stacks: transforms leave out, merge or join nodes. Each takes a profile and
// returns another one, whose nodeOf has for each node of the recording the node that it became; the sums of
// a node with -1 are left out. The sums themselves stay at the nodes of the recording, so that a transform
// costs as much as there are nodes, however many sums there are.

// The nodes of a new tree are collected here. Most of them are made of one node each, so that what they
// call need not be looked for; that is done only below nodes that are mixed, because several became one.
class NodeTable {
	constructor(most) {
		this.most = most;
		this.parent = new Int32Array(most + 1);
		this.frame = new Int32Array(most + 1);
		this.first = new Int32Array(most + 1);
		this.next = new Int32Array(most + 1);
		this.mixed = new Uint8Array(most + 1);
		this.frame[0] = -1;
		this.nr = 1;
		this.slots = null; // It has numbers of nodes (0: free), once a node is mixed.
	}

	makeSlots() {
		let size = 16;
		while (size < this.most * 2)
			size *= 2;
		this.slots = new Int32Array(size);
		this.mask = size - 1;
	}

	// Returns the slot of a node, or the one that it is to have.
	slot(parent, frame) {
		let at = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame + 1, 0x85ebca6b);
		at = (at ^ at >>> 15) & this.mask;
		for (let n; (n = this.slots[at]); at = at + 1 & this.mask)
			if (this.parent[n] === parent && this.frame[n] === frame)
				break;
		return at;
	}

	node(parent, frame) {
		const at = this.mixed[parent] ? this.slot(parent, frame) : -1, found = at < 0 ? 0 : this.slots[at];
		if (found) {
			this.mix(found);
			return found;
		}
		const n = this.nr++;
		this.parent[n] = parent;
		this.frame[n] = frame;
		this.next[n] = this.first[parent];
		this.first[parent] = n;
		if (at >= 0)
			this.slots[at] = n;
		return n;
	}

	// Marks a node as mixed: what several nodes call comes below it. Returns n.
	mix(n) {
		if (!this.slots)
			this.makeSlots();
		if (!this.mixed[n])
			for (let kid = this.first[n]; kid; kid = this.next[kid])
				this.slots[this.slot(n, this.frame[kid])] = kid;
		this.mixed[n] = 1;
		return n;
	}

	// Returns for each node its number when all are depth first.
	order() {
		if (!this.slots) // Nothing is mixed, so that nodes were added depth first.
			return new Int32Array(this.nr).map((_, n) => n);
		const { nr, parent } = this, first = new Int32Array(nr), next = new Int32Array(nr);
		const number = new Int32Array(nr);
		for (let n = nr - 1; n > 0; n--) {
			next[n] = first[parent[n]];
			first[parent[n]] = n;
		}
		for (let n = 0, i = 0; ;) {
			number[n] = i++;
			if (first[n]) {
				n = first[n];
				continue;
			}
			while (n && !next[n])
				n = parent[n];
			if (!n)
				return number;
			n = next[n];
		}
	}
}

// Returns what follows from the caller and the function of each node, which are depth first.
function treeOf(parent, frame) {
	const nrNodes = parent.length, depth = new Int32Array(nrNodes), end = new Int32Array(nrNodes);
	let deepest = 0;
	for (let i = 1; i < nrNodes; i++) {
		depth[i] = depth[parent[i]] + 1;
		deepest = Math.max(deepest, depth[i]);
	}
	for (let i = nrNodes - 1; i >= 0; i--) {
		end[i] = Math.max(end[i], i + 1);
		end[parent[i]] = Math.max(end[parent[i]], end[i]);
	}
	return { nrNodes, parent, frame, depth, end, deepest };
}

function runsAt(p, map, number, nr) {
	const run = new Int32Array(nr);
	for (let i = 0; i < p.nrNodes; i++)
		if (map[i] >= 0)
			run[number[map[i]]] = Math.max(run[number[map[i]]], p.run[i]);
	return run;
}

function rebuilt(p, table, map, extra) {
	const number = table.order(), parent = new Int32Array(table.nr), frame = new Int32Array(table.nr);
	const nodeOf = new Int32Array(p.nrRecorded);
	for (let n = 0; n < table.nr; n++) {
		parent[number[n]] = number[table.parent[n]];
		frame[number[n]] = table.frame[n];
	}
	for (let n = 0; n < p.nrRecorded; n++) {
		const now = p.nodeOf[n] < 0 ? -1 : map[p.nodeOf[n]];
		nodeOf[n] = now < 0 ? -1 : number[now];
	}
	return { ...p, ...extra, ...treeOf(parent, frame), nodeOf, run: p.run ? runsAt(p, map, number, table.nr) : null };
}

// ---- frames that are no functions ----

function grown(column, values) {
	const out = new column.constructor(column.length + values.length);
	out.set(column);
	out.set(values, column.length);
	return out;
}

// Returns a profile with more frames: [name, object (number of its text), kind]. The first has the number
// p.nrFrames.
function withFrames(p, frames) {
	const texts = p.texts.concat(frames.map(f => f[0]));
	return {
		texts, nrFrames: p.nrFrames + frames.length,
		frameName: grown(p.frameName, frames.map((f, i) => p.texts.length + i)),
		frameDso: grown(p.frameDso, frames.map(f => f[1])),
		framePath: grown(p.framePath, frames.map(f => f[1])),
		frameKind: grown(p.frameKind, frames.map(f => f[2])),
	};
}

// ---- transforms ----

// Each of these fills map, which has for each node the one it becomes, or -1. Callers come before what they
// call.
const STEPS = {
	f(p, table, map, { frame }) { // only what the function does
		map[0] = -1;
		table.mix(0);
		for (let i = 1; i < p.nrNodes; i++) {
			const up = map[p.parent[i]];
			map[i] = up >= 0 ? table.node(up, p.frame[i]) : p.frame[i] === frame ? table.node(0, frame) : -1;
		}
	},
	s(p, table, map, { path }) { // only what is below one place
		let at = 0;
		for (const frame of path) {
			let c = at + 1;
			while (c < p.end[at] && p.frame[c] !== frame)
				c = p.end[c];
			if (c >= p.end[at])
				return map.fill(-1);
			at = c;
		}
		map.fill(-1);
		for (let i = at; i < p.end[at]; i++)
			map[i] = table.node(i === at ? 0 : map[p.parent[i]], p.frame[i]);
	},
	i(p, table, map, { path }) { // only stacks that end so; path: innermost first
		const same = new Int32Array(p.nrNodes);
		for (let i = 1; i < p.nrNodes; i++)
			same[i] = table.node(same[p.parent[i]], p.frame[i]);
		for (let i = 0; i < p.nrNodes; i++) {
			let n = i, k = 0;
			while (n && k < path.length && p.frame[n] === path[k] && ++k < path.length)
				n = p.parent[n];
			map[i] = k === path.length ? same[n] : -1;
		}
	},
	m(p, table, map, { frame }) { // the function is its caller's
		for (let i = 1; i < p.nrNodes; i++) {
			const up = map[p.parent[i]];
			map[i] = p.frame[i] === frame ? table.mix(up) : table.node(up, p.frame[i]);
		}
	},
	c(p, table, map, { frame }) { // what it calls is its own
		for (let i = 1, stop = 0; i < p.nrNodes; i++) {
			const up = map[p.parent[i]];
			map[i] = i < stop ? up : table.node(up, p.frame[i]);
			if (i >= stop && p.frame[i] === frame)
				stop = p.end[i];
		}
	},
	l(p, table, map, { object, frame }) { // calls within an object are one frame, of its own
		for (let i = 1; i < p.nrNodes; i++) {
			const up = map[p.parent[i]];
			map[i] = p.frameDso[p.frame[i]] !== object ? table.node(up, p.frame[i]) :
				table.frame[up] === frame ? table.mix(up) : table.node(table.mix(up), frame);
		}
	},
	r(p, table, map, { frame }) { // a function that is reached from itself is where it was first
		const outer = new Int32Array(p.nrNodes);
		for (let i = 1; i < p.nrNodes; i++) {
			const up = p.parent[i], here = p.frame[i] === frame;
			map[i] = here && outer[up] ? table.mix(outer[up]) : table.node(map[up], p.frame[i]);
			outer[i] = here ? map[i] : outer[up];
		}
	},
	R(p, table, map, { frame }) { // a function that calls itself is one
		for (let i = 1; i < p.nrNodes; i++) {
			const up = map[p.parent[i]];
			map[i] = p.frame[i] === frame && table.frame[up] === frame ? table.mix(up) : table.node(up, p.frame[i]);
		}
	},
	d(p, table, map, { frame }) { // no stack with the function
		for (let i = 1; i < p.nrNodes; i++) {
			const up = map[p.parent[i]];
			map[i] = up < 0 || p.frame[i] === frame ? -1 : table.node(up, p.frame[i]);
		}
	},
};

// Joins runs of frames without symbols, which nobody can tell apart. p.run has for each node how many follow
// each other at most.
function withoutRuns(p) {
	// Kinds are not known when there are two recordings.
	const unknown = f => f >= 0 && p.frameKind[f] === 0 && p.texts[p.frameName[f]][0] === "[", longest = new Int32Array(p.nrNodes);
	let any = false;
	for (let i = 1; i < p.nrNodes; i++) {
		longest[i] = unknown(p.frame[i]) ? longest[p.parent[i]] + 1 : 0;
		any = any || longest[i] > 1;
	}
	if (!any)
		return p;
	const table = new NodeTable(p.nrNodes), map = new Int32Array(p.nrNodes);
	for (let i = 1; i < p.nrNodes; i++) {
		const up = map[p.parent[i]];
		map[i] = longest[i] > 1 ? table.mix(up) : table.node(up, p.frame[i]);
	}
	return rebuilt({ ...p, run: longest }, table, map, {});
}

// Returns the profile after a step, or null when there is no such step. The text is a letter of STEPS and
// frames.
function transformed(p, text) {
	const step = Object.hasOwn(STEPS, text[0]) ? STEPS[text[0]] : null;
	const path = text.slice(1).split(".").map(Number), frame = path[0];
	if (!step || !path.every(f => Number.isInteger(f) && f >= 0 && f < p.nrFrames))
		return null;
	const table = new NodeTable(p.nrNodes), map = new Int32Array(p.nrNodes);
	if (text[0] !== "l") {
		step(p, table, map, { frame, path });
		return rebuilt(p, table, map, {});
	}
	const object = p.frameDso[frame], extra = withFrames(p, [[p.texts[object] || "no object", object, p.frameKind[frame]]]);
	step(p, table, map, { object, frame: p.nrFrames });
	return rebuilt(p, table, map, extra);
}
