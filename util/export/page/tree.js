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
		if (frame < 0) {
			for (let i = 1; i < p.nrNodes; i++)
				if (self[i])
					data.push(i, self[i]);
			this.root = this.node(-1, model.sum, self[0], data);
		} else {
			for (const i of model.nodesOf(frame))
				data.push(p.parent[i], total[i]);
			this.root = this.node(frame, model.frameTotal[frame], 0, data);
		}
	}

	grow(v) {
		const p = this.model.p, groups = new Map(), data = v.data;
		for (let i = 0; i < data.length; i += 2) {
			const n = data[i], weight = data[i + 1];
			if (!n)
				continue;
			let group = groups.get(p.frame[n]);
			if (!group)
				groups.set(p.frame[n], group = this.node(p.frame[n], 0, 0, []));
			group.total += weight;
			if (p.parent[n])
				group.data.push(p.parent[n], weight);
			else
				group.self += weight;
		}
		return [...groups.values()];
	}
}

// Stacks in the order of time: each slice is as wide as that with most in it. data: the entries, sorted
// by time and node, that a node stands for, from .. to; and its number in the profile
class TimeTree extends Tree {
	constructor(model) {
		super(model, false);
		this.blends = true;
		this.gather();
		this.root = this.node(-1, this.width * (model.to - model.from), 0,
			{ from: 0, to: this.nodes.length, node: 0 });
		this.root.shown = model.sum;
	}

	gather() {
		const m = this.model, p = m.p, values = m.values;
		const nr = m.to - m.from, start = new Int32Array(nr + 1), full = new Float64Array(nr), rows = [];
		m.eachRow(m.event, i => {
			const s = p.rowSlice[i] - m.from;
			rows.push(i);
			start[s + 1]++;
			full[s] += values[i];
		});
		for (let s = 0; s < nr; s++)
			start[s + 1] += start[s];
		this.width = full.reduce((a, b) => Math.max(a, b), 0);
		const next = start.slice(), filled = new Float64Array(nr);
		this.nodes = new Int32Array(rows.length);
		this.weights = new Float64Array(rows.length);
		this.xs = new Float64Array(rows.length);
		for (const i of rows) {
			const s = p.rowSlice[i] - m.from, at = next[s]++;
			this.nodes[at] = p.rowNode[i];
			this.weights[at] = values[i];
			this.xs[at] = s * this.width + filled[s];
			filled[s] += values[i];
		}
	}

	kids(v) {
		if (!v.kids) {
			v.kids = this.grow(v);
			for (const kid of v.kids) {
				kid.depth = v.depth + 1;
				kid.up = v;
			}
		}
		return v.kids;
	}

	grow(v) {
		const p = this.model.p, out = [], end = v.data.to;
		let last = null;
		for (let i = v.data.from; i < end; i++) {
			let n = this.nodes[i];
			if (n === v.data.node) {
				last = null;
				continue;
			}
			while (p.depth[n] > v.depth + 1)
				n = p.parent[n];
			if (!last || last.data.node !== n || last.x + last.total < this.xs[i] - this.width * 1e-6) {
				last = this.node(p.frame[n], 0, 0, { from: i, to: i, node: n });
				last.x = this.xs[i];
				out.push(last);
			}
			for (; i < end && this.nodes[i] >= n && this.nodes[i] < p.end[n] &&
			       this.xs[i] <= last.x + last.total + this.width * 1e-6; i++) {
				last.total += this.weights[i];
				if (this.nodes[i] === n)
					last.self += this.weights[i];
			}
			last.data.to = i;
			i--;
		}
		return out;
	}
}
