// SPDX-License-Identifier: GPL-2.0-or-later
//
// Trees to be drawn grow only where somebody looks. A node is {frame, total, self, x, depth, up, kids, data};
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

	// Returns the node that a list of frames from the root leads to, as far as there is one.
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

// This tree has groups at its root, and what they count below them, callers first. Its nodes have in data a
// node of the profile, and the range of the group's entries that are in it.
class GroupedTree extends Tree {
	constructor(model, heavy) {
		super(model, heavy);
		this.sums = model.groupSums(model);
		this.root = this.node(-1, model.sum, 0, null);
	}

	// Makes a node of a group; null where that counts nothing.
	grown(frame, group, node, from, to) {
		const { sums } = this, total = sums.sum(from, to), own = sums.find(node + 1, from, to);
		return total ? this.node(frame, total, sums.sum(from, own), { group, node, from, to }) : null;
	}

	groups() {
		const { start } = this.sums, { nrFrames } = this.model.p, out = [];
		for (let g = 0; g + 1 < start.length; g++)
			out.push(this.grown(nrFrames + g, g, 0, start[g], start[g + 1]));
		return out;
	}

	grow(v) {
		const kids = !v.data ? this.groups() : this.sums.calls(v.data.node, v.data.from, v.data.to).map(call =>
			call.node < 0 ? null : this.grown(this.model.p.frame[call.node], v.data.group, call.node, call.from, call.to));
		return kids.filter(Boolean);
	}
}

// Returns the tree with callers first that belongs to what the model is grouped by.
function callTree(model, heavy) {
	return model.grouped ? new GroupedTree(model, heavy) : new ForwardTree(model, heavy);
}

// This tree has callers first. The data of a node is its number in the profile.
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

// This tree has what several nodes call together. The data of a node are their numbers.
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

// This tree has the innermost function first: of everything, or of the callers of a function. Its nodes have
// in data a range of lists, of nodes of the profile and of what these count; they are grouped by their
// frames when the tree grows. A group has what GroupedTree gives it.
class CallerTree extends Tree {
	constructor(model, heavy, frame = -1) {
		super(model, heavy);
		this.topDepth = 0;
		this.slot = new Int32Array(model.p.nrFrames); // It numbers the frames that grow, from 1 on.
		if (frame < 0 && model.grouped) {
			this.topDepth = 1;
			this.groups = new GroupedTree(model, heavy);
			this.root = this.groups.root;
		} else if (frame < 0) {
			this.root = this.node(-1, model.sum, model.self[0], this.innermost());
		} else {
			this.root = this.node(frame, model.frameTotal[frame], 0, this.callers(model.nodesOf(frame)));
		}
	}

	list(size) {
		return { nodes: new Int32Array(size), weights: new Float64Array(size), from: 0, to: 0 };
	}

	innermost() {
		const { self } = this.model, out = this.list(self.length);
		for (let i = 1; i < self.length; i++)
			if (self[i]) {
				out.nodes[out.to] = i;
				out.weights[out.to++] = self[i];
			}
		return out;
	}

	callers(nodes) {
		const { p, total } = this.model, out = this.list(nodes.length);
		for (const n of nodes) {
			out.nodes[out.to] = p.parent[n];
			out.weights[out.to++] = total[n];
		}
		return out;
	}

	ofGroup({ from, to }) {
		const { node, upTo } = this.groups.sums, weights = new Float64Array(to - from);
		for (let i = from; i < to; i++)
			weights[i - from] = upTo[i + 1] - upTo[i];
		return { nodes: node.subarray(from, to), weights, from: 0, to: to - from };
	}

	// Groups are at the root, whichever way stacks are read.
	grow(v) {
		if (!v.data)
			return this.groups.grow(v);
		const data = v.data.group === undefined ? v.data : this.ofGroup(v.data), kids = this.byFrame(data);
		this.share(data, kids);
		for (const kid of kids)
			this.slot[kid.frame] = 0;
		return kids;
	}

	byFrame({ nodes, weights, from, to }) {
		const { frame, parent } = this.model.p, { slot } = this, kids = [];
		for (let i = from; i < to; i++) {
			const n = nodes[i], f = frame[n];
			if (!n)
				continue;
			if (!slot[f])
				slot[f] = kids.push(this.node(f, 0, 0, { nodes: null, weights: null, from: 0, to: 0 }));
			const kid = kids[slot[f] - 1];
			kid.total += weights[i];
			if (parent[n])
				kid.data.to++;
			else
				kid.self += weights[i];
		}
		return kids;
	}

	// Gives kids their callers; each gets a range of one list.
	share({ nodes, weights, from, to }, kids) {
		const { frame, parent } = this.model.p, { slot } = this, all = this.list(to - from);
		let next = 0;
		for (const { data } of kids) {
			const begin = next;
			next += data.to;
			Object.assign(data, { nodes: all.nodes, weights: all.weights, from: begin, to: begin });
		}
		for (let i = from; i < to; i++) {
			const up = parent[nodes[i]];
			if (!up)
				continue;
			const { data } = kids[slot[frame[nodes[i]]] - 1];
			all.nodes[data.to] = up;
			all.weights[data.to++] = weights[i];
		}
	}
}
