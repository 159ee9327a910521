// SPDX-License-Identifier: GPL-2.0-or-later
//
// Trees to be drawn, grown only where somebody looks. A node: {frame, total, self, x, depth, up, kids, data};
// x is where it begins on a line as long as what the root counts.

function byWeight(a, b) {
	return b.total - a.total || a.frame - b.frame;
}

function byName(a, b) {
	return a.frame - b.frame;
}

class Tree {
	constructor(model, heavy) {
		this.model = model;
		this.heavy = heavy;
	}

	node(frame, total, self, data) {
		return { frame, total, self, x: 0, depth: 0, up: null, kids: null, data };
	}

	kids(v) {
		if (!v.kids) {
			v.kids = this.grow(v).sort(this.heavy ? byWeight : byName);
			let x = v.x;
			for (const kid of v.kids) {
				kid.x = x;
				x += kid.total;
				kid.depth = v.depth + 1;
				kid.up = v;
			}
		}
		return v.kids;
	}

	// The node that a list of frames from the root leads to, as far as there is one.
	find(frames) {
		let v = this.root;
		for (const frame of frames) {
			const next = this.kids(v).find(kid => kid.frame === frame);
			if (!next)
				break;
			v = next;
		}
		return v;
	}
}

function framesOf(v) {
	const out = [];
	for (; v.up; v = v.up)
		out.push(v.frame);
	return out.reverse();
}

// Callers first. data: the number of the node in the profile
class ForwardTree extends Tree {
	constructor(model, heavy) {
		super(model, heavy);
		this.root = this.node(-1, model.sum, model.self[0], 0);
	}

	grow(v) {
		const { p, total, self } = this.model, out = [];
		for (let c = v.data + 1; c < p.end[v.data]; c = p.end[c])
			if (total[c])
				out.push(this.node(p.frame[c], total[c], self[c], c));
		return out;
	}
}

// The same below several nodes at once. data: their numbers
class CalleeTree extends Tree {
	constructor(model, heavy, frame) {
		super(model, heavy);
		const nodes = model.nodesOf(frame);
		this.root = this.node(frame, model.frameTotal[frame], this.selfOf(nodes), nodes);
	}

	selfOf(nodes) {
		return nodes.reduce((sum, n) => sum + this.model.self[n], 0);
	}

	grow(v) {
		const { p, total } = this.model, groups = new Map();
		for (const n of v.data)
			for (let c = n + 1; c < p.end[n]; c = p.end[c]) {
				if (!total[c])
					continue;
				const group = groups.get(p.frame[c]);
				if (group) {
					group.total += total[c];
					group.data.push(c);
				} else {
					groups.set(p.frame[c], this.node(p.frame[c], total[c], 0, [c]));
				}
			}
		for (const group of groups.values())
			group.self = this.selfOf(group.data);
		return [...groups.values()];
	}
}

// Innermost function first: of everything, or of the callers of a function. data: [node, weight]..
// to be grouped by the frame of the node
class CallerTree extends Tree {
	constructor(model, heavy, frame = -1) {
		super(model, heavy);
		const { p, self, total } = model, data = [];
		this.topDepth = 0;
		if (frame < 0 && p.groups) {
			this.topDepth = 1;
			this.root = this.node(-1, model.sum, self[0], null);
		} else if (frame < 0) {
			this.root = this.node(-1, model.sum, self[0], this.innermost(1, p.nrNodes));
		} else {
			for (const i of model.nodesOf(frame))
				data.push(p.parent[i], total[i]);
			this.root = this.node(frame, model.frameTotal[frame], 0, data);
		}
	}

	innermost(from, to) {
		const { self } = this.model, data = [];
		for (let i = from; i < to; i++)
			if (self[i])
				data.push(i, self[i]);
		return data;
	}

	// Groups are at the root, whichever way stacks are read.
	growGroups() {
		const { p, total, self } = this.model, out = [];
		for (let g = 1; g < p.nrNodes; g = p.end[g])
			if (total[g])
				out.push(this.node(p.frame[g], total[g], self[g], this.innermost(g + 1, p.end[g])));
		return out;
	}

	grow(v) {
		if (!v.data)
			return this.growGroups();
		const p = this.model.p, groups = new Map(), data = v.data;
		for (let i = 0; i < data.length; i += 2) {
			const n = data[i], weight = data[i + 1];
			if (p.depth[n] <= this.topDepth)
				continue;
			let group = groups.get(p.frame[n]);
			if (!group)
				groups.set(p.frame[n], group = this.node(p.frame[n], 0, 0, []));
			group.total += weight;
			if (p.depth[n] > this.topDepth + 1)
				group.data.push(p.parent[n], weight);
			else
				group.self += weight;
		}
		return [...groups.values()];
	}
}
