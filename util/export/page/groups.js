// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums by groups: processes, threads, names, CPUs, or these at one time. The tree of stacks stays as it
// is, whatever it is grouped by: a group has a list of its sums in the order of the nodes they are at, and
// because nodes are depth first, all that is below a node is one range of that list.

// Returns the places 0 .. keys.length - 1 in the order of their keys, which are less than nr. Places of
// the same key stay in their order. If places are given, only these are ordered.
function sortedBy(keys, nr, places) {
	const start = new Int32Array(nr + 1), n = places ? places.length : keys.length, out = new Int32Array(n);
	for (let i = 0; i < n; i++)
		start[keys[places ? places[i] : i] + 1]++;
	for (let k = 0; k < nr; k++)
		start[k + 1] += start[k];
	for (let i = 0; i < n; i++) {
		const place = places ? places[i] : i;
		out[start[keys[place]]++] = place;
	}
	return out;
}

// Returns the groups of a kind (all, process, thread, comm or cpu). Sum i is in group of[column[i] - first].
// The list of keys has the group with most samples first, but CPUs are ordered by number.
function groupsOf(profile, people, kind, cpus) {
	if (kind === "all")
		return { keys: [0], of: new Int32Array(people.threads.length), column: profile.rowThread, first: 0 };
	if (kind === "cpu") {
		const of = new Int32Array(cpus[cpus.length - 1] + 2);
		cpus.forEach((cpu, i) => { of[cpu + 1] = i; });
		return { keys: cpus, of, column: profile.rowCpu, first: -1 };
	}
	const byThread = people.keys(kind), sums = new Map();
	byThread.forEach((key, i) => sums.set(key, (sums.get(key) || 0) + people.samples[i]));
	const keys = [...sums.keys()].filter(key => sums.get(key)).sort((a, b) => sums.get(b) - sums.get(a));
	const number = new Map(keys.map((key, i) => [key, i]));
	return { keys, of: Int32Array.from(byThread, key => number.get(key) || 0), column: profile.rowThread, first: 0 };
}

// Sums up rows by node of the recording and by group, which does not depend on what transforms make of the
// tree. Node n has the sums start[n] up to start[n + 1]. The array groups has the group of each row.
function cellsOf(profile, rows, values, groups, nrGroups) {
	const { rowNode, nrRecorded } = profile, start = new Int32Array(nrRecorded + 1);
	const group = new Int32Array(rows.length), sum = new Float64Array(rows.length);
	const last = new Int32Array(nrGroups); // It has the number of the last cell of each group, plus 1.
	let nr = 0, node = 0;
	for (const i of sortedBy(rowNode, nrRecorded, rows)) {
		const g = groups[i];
		while (node < rowNode[i])
			start[++node] = nr;
		if (last[g] <= start[node]) {
			group[nr] = g;
			last[g] = ++nr;
		}
		sum[last[g] - 1] += values[i];
	}
	start.fill(nr, node + 1);
	return { start, group, sum, nrGroups };
}

// This orders cells by their groups and, within a group, by the nodes of a tree. Group g has the entries
// start[g] up to start[g + 1]; upTo[i] is the sum of all entries before i.
class GroupSums {
	constructor(p, cells) {
		const { nodeOf, nrNodes } = p, start = new Int32Array(cells.nrGroups + 1), used = [];
		for (let n = 0; n < nodeOf.length; n++) {
			if (nodeOf[n] < 0 || cells.start[n] === cells.start[n + 1])
				continue;
			used.push(n);
			for (let c = cells.start[n]; c < cells.start[n + 1]; c++)
				start[cells.group[c] + 1]++;
		}
		for (let g = 0; g < cells.nrGroups; g++)
			start[g + 1] += start[g];
		this.start = start;
		this.nr = start[cells.nrGroups];
		this.p = p;
		this.place(cells, sortedBy(nodeOf, nrNodes, used));
	}

	place({ start, group, sum }, nodes) {
		const next = this.start.slice(), { nodeOf } = this.p;
		this.node = new Int32Array(this.nr);
		this.upTo = new Float64Array(this.nr + 1);
		for (const n of nodes)
			for (let c = start[n]; c < start[n + 1]; c++) {
				const at = next[group[c]]++;
				this.node[at] = nodeOf[n];
				this.upTo[at + 1] = sum[c];
			}
		for (let i = 0; i < this.nr; i++)
			this.upTo[i + 1] += this.upTo[i];
	}

	// Returns the first of the entries from .. to whose node is not before the given one.
	find(node, from, to) {
		while (from < to) {
			const middle = from + to >>> 1;
			if (this.node[middle] < node)
				from = middle + 1;
			else
				to = middle;
		}
		return from;
	}

	sum(from, to) { return this.upTo[to] - this.upTo[from]; }

	// Returns what a group counts at a node and below it.
	total(group, node) {
		const end = this.start[group + 1], from = this.find(node, this.start[group], end);
		return this.sum(from, this.find(this.p.end[node], from, end));
	}

	// Returns what a node calls in some of its entries: [{node, from, to}..]. Node -1 stands for the node itself.
	calls(node, from, to) {
		const { p } = this, out = [];
		while (from < to) {
			let n = this.node[from];
			while (n !== node && p.parent[n] !== node)
				n = p.parent[n];
			const end = this.find(n === node ? n + 1 : p.end[n], from, to);
			out.push({ node: n === node ? -1 : n, from, to: end });
			from = end;
		}
		return out;
	}
}
