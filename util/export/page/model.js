// SPDX-License-Identifier: GPL-2.0-or-later
//
// What of the profile is looked at, and the sums of it: of each node of the tree of stacks, of each
// function, of each slice of time.

const KINDS = ["unknown", "user", "kernel", "module", "JIT", "inlined", "guest kernel", "guest user",
	"hypervisor", "thread"];

// Quantiles of Student's t for 95 %, by degrees of freedom; beyond these it is about 2.
const STUDENT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2];

class Model {
	constructor(profile) {
		const p = this.p = this.base = withoutRuns(profile);
		this.chains = profile.depth.some(d => d > 1);
		this.transforms = ""; // texts as transformed() has them, with ~ between
		this.group = "none";
		this.steps = []; // each with the profile before it and after it
		this.event = 0;
		this.weight = p.head.weight;
		this.people = new People(profile);
		this.who = ""; // a process or a thread
		this.cpu = -1;
		this.from = 0;
		this.to = p.head.slices;
		// Of two recordings: what the other one counts beside that which is shown.
		this.compare = p.head.compare || null;
		if (this.compare)
			this.event = 1; // now
		this.looked = 0; // rows so far: what a change costs
		this.cpus = [...new Set(p.rowCpu)].filter(c => c >= 0).sort((a, b) => a - b);
		this.compute();
	}

	// What is drawn: the recording, as transforms and the group make it.
	derive() {
		const texts = this.transforms ? this.transforms.split("~") : [];
		let same = 0;
		while (same < texts.length && this.steps[same] && this.steps[same].text === texts[same])
			same++;
		this.steps.length = same;
		for (const text of texts.slice(same)) {
			const before = this.ungrouped, p = transformed(before, text);
			if (p)
				this.steps.push({ text, before, p });
		}
		this.p = this.group === "none" ? this.ungrouped :
			inGroups(this.ungrouped, this.groupsBy(this.group), key => this.groupLabel(this.group, key));
	}

	// Of each sum the group it is in, and the keys of the groups.
	groupsBy(kind) {
		if (!this.ofGroups || this.ofGroups.kind !== kind)
			this.ofGroups = { kind, ...groupsOf(this.base, this.people, kind) };
		return this.ofGroups;
	}

	get ungrouped() { return this.steps.length ? this.steps[this.steps.length - 1].p : this.base; }
	// The transforms up to the last that leaves out samples: on what is behind it times do not depend.
	get leavingOut() {
		const texts = this.steps.map(step => step.text);
		return texts.slice(0, texts.findLastIndex(text => "fsid".includes(text[0])) + 1).join("~");
	}
	// Frames of groups come after those of functions.
	get nrFunctions() { return this.p.groups ? this.p.firstGroup : this.p.nrFrames; }
	isGroup(frame) { return frame >= this.nrFunctions; }

	eventName(event) { return this.compare ? this.compare.event : this.p.head.events[event].name; }
	// The weight is time.
	get countsTime() { return this.weight !== "samples" && this.p.head.events[this.event].time; }
	get slices() { return this.p.head.slices; }
	get allTime() { return this.from === 0 && this.to === this.slices; }
	name(frame) { return frame < 0 ? "all" : this.p.texts[this.p.frameName[frame]]; }
	object(frame) { return frame < 0 ? "" : this.p.texts[this.p.frameDso[frame]]; }
	path(frame) { return frame < 0 ? "" : this.p.texts[this.p.framePath[frame]]; }
	kind(frame) { return frame < 0 ? 0 : this.p.frameKind[frame]; }

	// How many frames without symbols are one in a node of a tree.
	runOf(v) {
		const node = typeof v.data === "number" ? v.data : v.lane ? v.data && v.data.node : 0;
		const { run } = v.lane ? this.ungrouped : this.p;
		return run && node ? run[node] : 0;
	}

	// Which threads pass, as bytes.
	threadMask() {
		const { process, thread } = this.people;
		return Uint8Array.from(process, (key, i) => !this.who || key === this.who || thread[i] === this.who ? 1 : 0);
	}

	get values() {
		return this.weight === "samples" ? this.p.rowSamples : this.p.rowPeriod;
	}

	compute() {
		Object.assign(this, this.count(this.event));
		this.stale = true;
		this.other = null;
		if (!this.compare)
			return;
		const other = 1 - this.event;
		this.other = this.count(other);
		const [, mine] = this.frames(), [, theirs] = this.countFrames(this.other);
		this.other.frameTotal = theirs;
		this.chance = [this.counted(this.event), this.counted(other)];
		this.spread = this.base.runs.some(runs => runs.length > 1) ? this.countRuns() : null;
		this.sign = this.event ? 1 : -1;
		this.most = 1e-12;
		for (let f = 0; f < mine.length; f++)
			this.most = Math.max(this.most, Math.abs(this.change(mine[f], theirs[f])));
	}

	// How much more of a share it is now than before.
	change(mine, theirs) {
		return this.sign * ((this.sum ? mine / this.sum : 0) - (this.other.sum ? theirs / this.other.sum : 0));
	}

	// Samples, whatever the weight is: what chance depends on.
	counted(event) {
		const sums = this.count(event, this.p.rowSamples);
		return { ...sums, frameTotal: this.countFrames(sums)[1] };
	}

	// The shares of each run, by side.
	countRuns() {
		return this.base.runs.map((runs, side) => runs.map(run => {
			const sums = this.count(side, this.values, run);
			return { ...sums, frameTotal: this.countFrames(sums)[1] };
		}));
	}

	// How far the mean of a side is from the other's by chance, as runs differ: half of an interval of 95 %.
	spreadNoise(take) {
		const sides = this.spread.map(runs => runs.map(run => run.sum ? take(run) / run.sum : 0));
		let squares = 0;
		for (const shares of sides) {
			const mean = shares.reduce((a, b) => a + b, 0) / shares.length;
			squares += shares.reduce((sum, share) => sum + (share - mean) ** 2, 0);
		}
		const free = sides[0].length + sides[1].length - 2;
		return STUDENT[Math.min(free, STUDENT.length) - 1] *
			Math.sqrt(squares / free * (1 / sides[0].length + 1 / sides[1].length));
	}

	// How far a change of shares may be from the true one by chance, as diff --noise has it: half of the
	// interval that contains it in 95 of 100 cases. Where runs differ by more, that counts.
	noise(take) {
		return Math.max(this.sampleNoise(take), this.spread ? this.spreadNoise(take) : 0);
	}

	sampleNoise(take) {
		return 1.96 * Math.sqrt(this.chance.reduce((sum, side) => {
			const part = side.sum ? take(side) / side.sum : 0;
			return sum + (side.sum ? part * (1 - part) / side.sum : 0);
		}, 0));
	}

	noiseOf(v) {
		return typeof v.data === "number" ? this.noise(side => side.total[v.data]) : this.noiseOfFrame(v.frame);
	}

	noiseOfFrame(frame) {
		return frame < 0 ? 0 : this.noise(side => side.frameTotal[frame]);
	}

	// Of what is drawn: a node of the tree of stacks, or all of a function.
	changeOf(v) {
		return typeof v.data === "number" ? this.change(v.total, this.other.total[v.data]) : this.changeOfFrame(v.frame);
	}

	changeOfFrame(frame) {
		return frame < 0 ? 0 : this.change(this.frameTotal[frame], this.other.frameTotal[frame]);
	}

	// Rows by their slice: those of slice s are order[start[s]] up to order[start[s + 1]], exclusive.
	get bySlice() {
		if (this.slicesIndex)
			return this.slicesIndex;
		const { nrRows, rowSlice } = this.p, start = new Int32Array(this.slices + 1), order = new Int32Array(nrRows);
		for (let i = 0; i < nrRows; i++)
			start[rowSlice[i] + 1]++;
		for (let s = 0; s < this.slices; s++)
			start[s + 1] += start[s];
		const next = start.slice();
		for (let i = 0; i < nrRows; i++)
			order[next[rowSlice[i]]++] = i;
		return this.slicesIndex = { start, order };
	}

	// The rows of an event that pass, whatever transforms leave out of them: by slice where not all times
	// are looked at.
	rowsOf(event) {
		const { cpu, from, to, who } = this, key = [event, who, cpu, from, to].join();
		if (this.passed && this.passed.has(key))
			return this.passed.get(key);
		const mask = this.threadMask(), { nrRows, rowEvent, rowThread, rowCpu } = this.base;
		const { start, order } = this.allTime ? {} : this.bySlice;
		const first = order ? start[from] : 0, end = order ? start[to] : nrRows, rows = new Int32Array(end - first);
		let nr = 0;
		for (let k = first; k < end; k++) {
			const i = order ? order[k] : k;
			if (rowEvent[i] === event && mask[rowThread[i]] && (cpu < 0 || rowCpu[i] === cpu))
				rows[nr++] = i;
		}
		if (!this.passed || this.passed.size > 1)
			this.passed = new Map();
		this.passed.set(key, rows.subarray(0, nr));
		return this.passed.get(key);
	}

	// Those of the event that is looked at, without what transforms leave out.
	shownRows() {
		const rows = this.rowsOf(this.event), { rowNode } = this.ungrouped, out = new Int32Array(rows.length);
		let nr = 0;
		for (let k = 0; k < rows.length; k++)
			if (rowNode[rows[k]] >= 0)
				out[nr++] = rows[k];
		return out.subarray(0, nr);
	}

	// Sums of the nodes for an event, of the rows that pass.
	count(event, values = this.values, run = -1) {
		const { rowRun } = this.base;
		const { rowNode, rowSamples, parent, nrNodes } = this.p, rows = this.rowsOf(event);
		const self = new Float64Array(nrNodes);
		let sum = 0, samples = 0;
		for (let k = 0; k < rows.length; k++) {
			const i = rows[k], node = rowNode[i], v = values[i];
			if (node < 0 || (run >= 0 && rowRun[i] !== run))
				continue;
			self[node] += v;
			sum += v;
			samples += rowSamples[i];
		}
		this.looked += rows.length;
		const total = self.slice();
		for (let i = nrNodes - 1; i > 0; i--)
			total[parent[i]] += total[i];
		return { self, total, sum, samples };
	}

	// Sums of the functions, by frame.
	get frameSelf() { return this.frames()[0]; }
	get frameTotal() { return this.frames()[1]; }

	// A function counts once where it calls itself: inside of it there is no more of it.
	frames() {
		if (this.stale)
			this.ofFrames = this.countFrames(this);
		this.stale = false;
		return this.ofFrames;
	}

	countFrames({ self, total }) {
		const { frame, end, nrFrames, nrNodes } = this.p;
		const inside = new Int32Array(nrFrames), selves = new Float64Array(nrFrames), totals = new Float64Array(nrFrames);
		for (let i = 1; i < nrNodes; i++) {
			if (!total[i])
				continue;
			const f = frame[i];
			selves[f] += self[i];
			if (i < inside[f])
				continue;
			totals[f] += total[i];
			inside[f] = end[i];
		}
		return [selves, totals];
	}

	// The outermost nodes of a function.
	nodesOf(frame) {
		const p = this.p, out = [];
		for (let i = 1, end = 0; i < p.nrNodes; i++) {
			if (p.frame[i] !== frame || i < end || !this.total[i])
				continue;
			out.push(i);
			end = p.end[i];
		}
		return out;
	}

	// Sums of lanes over time, whatever times are chosen. kind: all, cpu, thread, process, comm
	// Return: [{key, label, values}], those with most first but for CPUs.
	lanes(kind) {
		const p = this.p, values = this.values, lanes = new Map();
		const { event, people } = this, byThread = kind !== "all" && kind !== "cpu";
		// Lanes stay beside the one that is chosen among them.
		const cpu = kind === "cpu" ? -1 : this.cpu, mask = byThread ? null : this.threadMask();
		const keys = byThread ? people.keys(kind) : null;
		for (let i = 0; i < p.nrRows; i++) {
			if (p.rowEvent[i] !== event || p.rowNode[i] < 0 || (mask && !mask[p.rowThread[i]]) || (cpu >= 0 && p.rowCpu[i] !== cpu))
				continue;
			const key = byThread ? keys[p.rowThread[i]] : kind === "cpu" ? p.rowCpu[i] : 0;
			let lane = lanes.get(key);
			if (!lane)
				lanes.set(key, lane = { key, sum: 0, values: new Float64Array(this.slices) });
			lane.values[p.rowSlice[i]] += values[i];
			lane.sum += values[i];
		}
		const out = [...lanes.values()];
		if (kind === "cpu")
			out.sort((a, b) => a.key - b.key);
		else
			out.sort((a, b) => b.sum - a.sum || (a.key < b.key ? -1 : 1));
		for (const lane of out)
			lane.label = this.groupLabel(kind, lane.key);
		return out;
	}

	groupLabel(kind, key) {
		return kind === "all" ? "all" : kind === "cpu" ? (key < 0 ? "no CPU" : "CPU " + key) :
			this.people.label(kind, key);
	}

	// Which functions match; how much is in stacks that have one of them.
	search(matches) {
		const p = this.p, hit = new Uint8Array(p.nrFrames), totals = this.frameTotal;
		let share = 0, nr = 0;
		for (let f = 0; f < p.nrFrames; f++)
			if (totals[f] && matches(this.name(f))) {
				hit[f] = 1;
				nr++;
			}
		for (let i = 1; i < p.nrNodes;) {
			if (!hit[p.frame[i]]) {
				i++;
				continue;
			}
			share += this.total[i];
			i = p.end[i];
		}
		return { hit, share, nr };
	}

	time(slice) {
		return this.p.head.sliceStart + slice * this.p.head.sliceNs - this.p.head.first;
	}
}

// ---- numbers as text ----

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

function amount(model, v) {
	if (model.weight === "samples")
		return grouped.format(v) + (v === 1 ? " sample" : " samples");
	if (model.countsTime)
		return duration(v);
	return grouped.format(v);
}

function percent(part, all) {
	const share = all ? part * 100 / all : 0;
	return share.toFixed(2) + "%";
}
