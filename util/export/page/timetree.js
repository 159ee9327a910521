// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tree has stacks in the order of time. Each thread, or whatever the graph is grouped by, has a lane; in it, what
// follows with the same function is one box, which ends where something else comes or nothing more.

const MOST_LEVELS = 40; // of a lane
const NEAR = 1e-6; // slices: these are one place

// A node of a lane has in data: node (number in the profile), level, and pieces: from, to (in slices), and
// the range of the entries of sums that are there, for each stretch of time.
class TimeTree extends Tree {
	constructor(model) {
		super(model, false);
		this.blends = this.timed = true;
		this.p = model.p;
		this.kind = model.group === "none" ? "thread" : model.group; // Each of these groups has a lane.
		this.sums = new GroupSums(this.p, model.cells(model, this.kind, true));
		this.root = this.node(-1, model.to - model.from, 0, null);
		this.root.x = model.from;
		this.root.shown = model.sum;
		this.gather();
	}

	gather() {
		const { slices } = this.model, { keys } = this.model.groupsBy(this.kind), { start } = this.sums;
		this.lanes = [];
		let row = 1;
		keys.forEach((key, i) => {
			if (start[i * slices] === start[(i + 1) * slices])
				return;
			const lane = this.lane(key, i * slices);
			lane.depth = row;
			row += lane.levels + 1;
			this.lanes.push(lane);
		});
		this.deepest = row - 1;
		this.root.kids = this.lanes;
	}

	// Makes a lane. Its first slice has the number first among groups by time.
	lane(key, first) {
		const { slices } = this.model, from = this.sums.start[first], to = this.sums.start[first + slices];
		const lane = this.node(-1, this.root.total, 0, { node: 0, level: 0, pieces: this.pieces(first) });
		return Object.assign(lane, { x: this.root.x, up: this.root, key, label: this.model.groupLabel(this.kind, key),
			shown: this.sums.sum(from, to), levels: this.levels(from, to), lane: null });
	}

	// Returns the stretches of time of a group. One goes on until the next if that follows soon, because samples
	// are not taken all the time.
	pieces(first) {
		const { start } = this.sums, used = [], out = [];
		for (let s = 0; s < this.model.slices; s++)
			if (start[first + s] < start[first + s + 1])
				used.push(s);
		const steps = used.slice(1).map((slice, k) => slice - used[k]).sort((a, b) => a - b);
		const usual = Math.max(steps[steps.length >> 1] || 1, 1);
		used.forEach((slice, k) => {
			const next = k + 1 < used.length ? used[k + 1] : Infinity;
			const end = next - slice <= usual * 2 ? next : Math.min(slice + usual, this.model.to);
			out.push(slice, end, start[first + slice], start[first + slice + 1]);
		});
		return out;
	}

	// Returns how many levels a lane has: as many as more than a hundredth of it uses.
	levels(from, to) {
		const { depth } = this.p, { node, upTo } = this.sums, sums = new Float64Array(this.p.deepest + 1);
		let above = 0;
		for (let i = from; i < to; i++)
			sums[depth[node[i]]] += upTo[i + 1] - upTo[i];
		for (let d = sums.length - 1; d > 1; d--)
			if ((above += sums[d]) > this.sums.sum(from, to) / 100)
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

	// Returns what is called in a piece.
	calls(data, at) {
		return this.sums.calls(data.node, data.pieces[at + 2], data.pieces[at + 3]);
	}

	// Orders calls: the one that goes on from before comes first, those that go on afterwards come last.
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
			const scale = (pieces[at + 1] - pieces[at]) / this.sums.sum(pieces[at + 2], pieces[at + 3]);
			let x = pieces[at];
			for (const call of this.arrange(calls, before, goesOn ? next : null)) {
				const to = x + this.sums.sum(call.from, call.to) * scale;
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

	// Returns the stack with most in a box that is too narrow for more, as nodes that are not part of the tree.
	chain(v) {
		const { pieces } = v.data, lane = v.lane, path = [], weight = i => this.sums.sum(i, i + 1);
		let most = pieces[2];
		for (let at = 0; at < pieces.length; at += 4)
			for (let i = pieces[at + 2]; i < pieces[at + 3]; i++)
				if (weight(i) > weight(most))
					most = i;
		for (let n = this.sums.node[most]; n !== v.data.node; n = this.p.parent[n])
			path.push(n);
		const nodes = path.reverse().slice(0, lane.levels - v.data.level).map((n, i) => Object.assign(
			this.node(this.p.frame[n], v.total, 0, null),
			{ x: v.x, shown: weight(most), depth: v.depth + 1 + i, lane, kids: [] }));
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
		v.shown += this.sums.sum(call.from, call.to);
		v.self += this.sums.sum(call.from, this.sums.find(call.node + 1, call.from, call.to));
	}
}
