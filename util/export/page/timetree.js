// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stacks in the order of time. Each thread, or whatever the graph is grouped by, has a lane; in it, what
// follows with the same function is one box, which ends where something else comes or nothing more.

const MOST_LEVELS = 40; // of a lane
const NEAR = 1e-6; // slices: these are one place

// A node of a lane has in data: node (number in the profile), level, and pieces: from, to (in slices), and
// the range of the entries that are there, for each stretch of time.
function taken(column, places) {
	const out = new column.constructor(places.length);
	for (let i = 0; i < places.length; i++)
		out[i] = column[places[i]];
	return out;
}

class TimeTree extends Tree {
	constructor(model) {
		super(model, false);
		this.blends = this.timed = true;
		this.p = model.ungrouped; // lanes are the groups
		this.kind = model.group === "none" ? "thread" : model.group;
		this.root = this.node(-1, model.to - model.from, 0, null);
		this.root.x = model.from;
		this.root.shown = model.sum;
		this.gather();
	}

	// Entries in the order of lane, slice and node; and the lanes.
	gather() {
		const m = this.model, p = this.p, values = m.values, { group, keys } = m.groupsBy(this.kind);
		let rows = m.shownRows();
		m.looked += rows.length;
		rows = sortedBy(p.rowNode, p.nrNodes, rows);
		rows = sortedBy(group, keys.length, sortedBy(p.rowSlice, m.slices, rows));
		this.slices = taken(p.rowSlice, rows);
		this.nodes = taken(p.rowNode, rows);
		this.weights = taken(values, rows);
		this.lanes = [];
		let row = 1;
		for (let from = 0, to; from < rows.length; from = to) {
			const at = group[rows[from]];
			for (to = from; to < rows.length && group[rows[to]] === at;)
				to++;
			const lane = this.lane(keys[at], from, to);
			lane.depth = row;
			row += lane.levels + 1;
			this.lanes.push(lane);
		}
		this.deepest = row - 1;
		this.root.kids = this.lanes;
	}

	lane(key, from, to) {
		const lane = this.node(-1, this.root.total, 0, { node: 0, level: 0, pieces: this.pieces(from, to) });
		Object.assign(lane, { x: this.root.x, up: this.root, key, label: this.model.groupLabel(this.kind, key),
			shown: 0, levels: this.levels(from, to), lane: null });
		for (let i = from; i < to; i++)
			lane.shown += this.weights[i];
		return lane;
	}

	// What follows soon goes on until then: samples are not taken all the time.
	pieces(from, to) {
		const starts = [], out = [];
		for (let i = from; i < to; i++)
			if (i === from || this.slices[i] !== this.slices[i - 1])
				starts.push(i);
		const steps = starts.slice(1).map((i, k) => this.slices[i] - this.slices[starts[k]]).sort((a, b) => a - b);
		const usual = Math.max(steps[steps.length >> 1] || 1, 1);
		starts.forEach((i, k) => {
			const slice = this.slices[i], next = k + 1 < starts.length ? this.slices[starts[k + 1]] : Infinity;
			const end = next - slice <= usual * 2 ? next : Math.min(slice + usual, this.model.to);
			out.push(slice, end, i, k + 1 < starts.length ? starts[k + 1] : to);
		});
		return out;
	}

	// As many as are used by more than a hundredth.
	levels(from, to) {
		const { depth } = this.p, sums = [0];
		let all = 0, above = 0;
		for (let i = from; i < to; i++) {
			const d = depth[this.nodes[i]];
			sums[d] = (sums[d] || 0) + this.weights[i];
			all += this.weights[i];
		}
		for (let d = sums.length - 1; d > 1; d--)
			if ((above += sums[d] || 0) > all / 100)
				return Math.min(d, MOST_LEVELS);
		return 1;
	}

	kids(v) {
		if (!v.kids) {
			const lane = v.lane || v;
			v.kids = v.data.level < lane.levels ? this.grow(v) : [];
			for (const kid of v.kids)
				Object.assign(kid, { depth: v.depth + 1, up: v, lane });
		}
		return v.kids;
	}

	// What is called in a piece: [{node, from, to, weight}], node -1: the function itself
	calls(data, at) {
		const { nodes, weights, p } = this, end = data.pieces[at + 3], out = [];
		for (let i = data.pieces[at + 2]; i < end;) {
			let n = nodes[i];
			while (p.depth[n] > data.level + 1)
				n = p.parent[n];
			const call = { node: n === data.node ? -1 : n, from: i, to: i, weight: 0 };
			const last = call.node < 0 ? n + 1 : p.end[n];
			for (; i < end && nodes[i] < last; i++)
				call.weight += weights[i];
			call.to = i;
			out.push(call);
		}
		return out;
	}

	// That which goes on comes first, that which will go on last.
	arrange(calls, before, after) {
		const rank = c => c.node === before ? 0 : after && after.some(a => a.node === c.node) ? 2 : 1;
		return calls.length < 2 ? calls : calls.sort((a, b) => rank(a) - rank(b) || a.from - b.from);
	}

	grow(v) {
		const { pieces } = v.data, out = [], touches = (at, x) => at < pieces.length && Math.abs(pieces[at] - x) < NEAR;
		let next = pieces.length ? this.calls(v.data, 0) : null, last = null, before = -2;
		for (let at = 0; at < pieces.length; at += 4) {
			const goesOn = touches(at + 4, pieces[at + 1]), calls = next;
			next = at + 4 < pieces.length ? this.calls(v.data, at + 4) : null;
			const scale = (pieces[at + 1] - pieces[at]) / calls.reduce((sum, c) => sum + c.weight, 0);
			let x = pieces[at];
			for (const call of this.arrange(calls, before, goesOn ? next : null)) {
				const to = x + call.weight * scale;
				if (call.node >= 0) {
					if (!last || call.node !== before)
						out.push(last = this.begin(call, x, v.data.level + 1));
					this.extend(last, call, x, to);
				}
				before = call.node;
				x = to;
			}
			if (!goesOn)
				before = -2;
		}
		return out;
	}

	// The stack with most in a box that is too narrow for more: nodes that are not part of the tree.
	chain(v) {
		const { pieces } = v.data, lane = v.lane, path = [];
		let most = pieces[2];
		for (let at = 0; at < pieces.length; at += 4)
			for (let i = pieces[at + 2]; i < pieces[at + 3]; i++)
				if (this.weights[i] > this.weights[most])
					most = i;
		for (let n = this.nodes[most]; n !== v.data.node; n = this.p.parent[n])
			path.push(n);
		const nodes = path.reverse().slice(0, lane.levels - v.data.level).map((n, i) => Object.assign(
			this.node(this.p.frame[n], v.total, 0, null),
			{ x: v.x, shown: this.weights[most], depth: v.depth + 1 + i, lane, kids: [] }));
		nodes.forEach((node, i) => { node.up = i ? nodes[i - 1] : v; });
		return [v, ...nodes];
	}

	begin(call, x, level) {
		const v = this.node(this.p.frame[call.node], 0, 0, { node: call.node, level, pieces: [] });
		v.x = x;
		v.shown = 0;
		return v;
	}

	extend(v, call, x, to) {
		v.data.pieces.push(x, to, call.from, call.to);
		v.total = to - v.x;
		v.shown += call.weight;
		for (let i = call.from; i < call.to && this.nodes[i] === call.node; i++)
			v.self += this.weights[i];
	}
}
