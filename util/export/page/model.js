// SPDX-License-Identifier: GPL-2.0-or-later
//
// This is the part of the profile that is looked at, with its sums by node of the tree of stacks, by
// function and by slice of time.

const KINDS = ["unknown", "user", "kernel", "module", "JIT", "inlined", "guest kernel", "guest user",
	"hypervisor", "thread", "wait"];

// These are the quantiles of Student's t for 95 %, by degrees of freedom; beyond them it is about 2.
const STUDENT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2];

// This keeps what was made of the rows that pass a filter, until there is another filter.
class Kept {
	of(filter, key, make) {
		const filterText = Object.values(filter).join(), text = key.join();
		if (this.filter !== filterText)
			this.made = new Map();
		this.filter = filterText;
		if (!this.made.has(text))
			this.made.set(text, make());
		return this.made.get(text);
	}
}

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
		// With two recordings, this has the weights of the other one beside those that are shown.
		this.compare = p.head.compare || null;
		if (this.compare)
			this.event = 1; // now
		this.looked = 0; // rows so far: what a change costs
		this.allCpus = [...new Set(p.rowCpu)].sort((a, b) => a - b); // -1: not known
		this.cpus = this.allCpus.filter(c => c >= 0);
		this.ofGroups = new Map(); // by kind
		this.kept = new Kept();
		this.keptOfLanes = new Kept();
		this.compute();
	}

	// Applies the transforms to the recording; what they make of it is drawn.
	derive() {
		const texts = this.transforms ? this.transforms.split("~") : [];
		let same = 0;
		while (same < texts.length && this.steps[same] && this.steps[same].text === texts[same])
			same++;
		this.steps.length = same;
		for (const text of texts.slice(same)) {
			const before = this.derived, p = transformed(before, text);
			if (p)
				this.steps.push({ text, before, p });
		}
		this.p = this.derived;
	}

	get derived() { return this.steps.length ? this.steps[this.steps.length - 1].p : this.base; }

	groupsBy(kind) {
		if (!this.ofGroups.has(kind))
			this.ofGroups.set(kind, groupsOf(this.base, this.people, kind, this.allCpus));
		return this.ofGroups.get(kind);
	}

	get grouped() { return this.group !== "none"; }
	// Returns the transforms up to the last that leaves out samples. Times do not depend on those behind it.
	get leavingOut() {
		const texts = this.steps.map(step => step.text);
		return texts.slice(0, texts.findLastIndex(text => "fsid".includes(text[0])) + 1).join("~");
	}
	// Groups are frames, too: their numbers come after those of functions.
	isGroup(frame) { return frame >= this.p.nrFrames; }
	groupKey(frame) { return this.groupsBy(this.group).keys[frame - this.p.nrFrames]; }

	eventName(event) { return this.compare ? this.compare.event : this.p.head.events[event].name; }
	// The weight is time.
	get countsTime() { return this.weight !== "samples" && this.p.head.events[this.event].time; }
	get slices() { return this.p.head.slices; }
	get allTime() { return this.from === 0 && this.to === this.slices; }
	name(frame) {
		return frame < 0 ? "all" : this.isGroup(frame) ? this.groupLabel(this.group, this.groupKey(frame)) :
			this.p.texts[this.p.frameName[frame]];
	}
	isFunction(frame) { return frame >= 0 && !this.isGroup(frame); }
	object(frame) { return this.isFunction(frame) ? this.p.texts[this.p.frameDso[frame]] : ""; }
	path(frame) { return this.isFunction(frame) ? this.p.texts[this.p.framePath[frame]] : ""; }
	kind(frame) { return frame < 0 ? 0 : this.isGroup(frame) ? KINDS.indexOf("thread") : this.p.frameKind[frame]; }

	// Returns how many frames without symbols are one in a node of a tree.
	runOf(v) {
		const node = typeof v.data === "number" ? v.data : v.data && v.data.node;
		return this.p.run && node ? this.p.run[node] : 0;
	}

	// Returns a byte for each thread, which tells whether it passes.
	threadMask(who) {
		const { process, thread } = this.people;
		return Uint8Array.from(process, (key, i) => !who || key === who || thread[i] === who ? 1 : 0);
	}

	valuesOf(weight) {
		return weight === "samples" ? this.base.rowSamples : this.base.rowPeriod;
	}

	compute() {
		Object.assign(this, this.count(this.event), { byGroup: null });
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

	// Returns by how much a share has grown.
	change(mine, theirs) {
		return this.sign * ((this.sum ? mine / this.sum : 0) - (this.other.sum ? theirs / this.other.sum : 0));
	}

	// Counts samples, whatever the weight is, because chance depends on them.
	counted(event) {
		const sums = this.count(event, "samples");
		return { ...sums, frameTotal: this.countFrames(sums)[1] };
	}

	// Counts the shares of each run, by side.
	countRuns() {
		return this.base.runs.map((runs, side) => runs.map(run => {
			const sums = this.count(side, this.weight, run);
			return { ...sums, frameTotal: this.countFrames(sums)[1] };
		}));
	}

	// Returns how far the means of both sides may differ by chance, judged by the spread of their runs: half
	// of an interval of 95 %.
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

	// Returns how far a change of shares may be from the true one by chance, as diff --noise has it: half of
	// the interval that contains it in 95 of 100 cases. The spread of runs counts where it is larger.
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
		return this.hasTotals(v) ? this.noise(side => this.totalAt(side, v)) : this.noiseOfFrame(v.frame);
	}

	// Tells whether it is a node of the tree of stacks, or of a group's.
	hasTotals(v) {
		return typeof v.data === "number" || Boolean(v.data && v.data.group !== undefined);
	}

	totalAt(side, v) {
		return typeof v.data === "number" ? side.total[v.data] : this.groupSums(side).total(v.data.group, v.data.node);
	}

	noiseOfFrame(frame) {
		return frame < 0 ? 0 : this.noise(side => side.frameTotal[frame]);
	}

	// Returns the change of what is drawn: a node of the tree of stacks, or all of a function.
	changeOf(v) {
		return this.hasTotals(v) ? this.change(v.total, this.totalAt(this.other, v)) : this.changeOfFrame(v.frame);
	}

	changeOfFrame(frame) {
		return frame < 0 ? 0 : this.change(this.frameTotal[frame], this.other.frameTotal[frame]);
	}

	// Returns rows by their slice: those of slice s are order[start[s]] up to order[start[s + 1]], exclusive.
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

	// This chooses the rows that are looked at. Transforms may leave out some of them.
	get filter() { return { who: this.who, cpu: this.cpu, from: this.from, to: this.to }; }

	// Returns the rows of an event that pass. They are in the order of slices where not all times are looked
	// at. Of several runs, only one may be asked for.
	rowsOf(event, run = -1) {
		return this.kept.of(this.filter, ["rows", event, run], () => this.passing(this.filter, event, run));
	}

	passing({ who, cpu, from, to }, event, run) {
		const mask = this.threadMask(who), { nrRows, rowEvent, rowThread, rowCpu, rowRun } = this.base;
		const { start, order } = from === 0 && to === this.slices ? {} : this.bySlice;
		const first = order ? start[from] : 0, end = order ? start[to] : nrRows, rows = new Int32Array(end - first);
		let nr = 0;
		for (let k = first; k < end; k++) {
			const i = order ? order[k] : k;
			if (rowEvent[i] === event && mask[rowThread[i]] && (cpu < 0 || rowCpu[i] === cpu) && (run < 0 || rowRun[i] === run))
				rows[nr++] = i;
		}
		return rows.subarray(0, nr);
	}

	// Counts the rows that pass at each node of the recording.
	recorded(event, values, run) {
		const { rowNode, nrRecorded } = this.base, rows = this.rowsOf(event, run), out = new Float64Array(nrRecorded);
		for (let k = 0; k < rows.length; k++)
			out[rowNode[rows[k]]] += values[rows[k]];
		this.looked += rows.length;
		return out;
	}

	// Returns that, and counts only once.
	sums(event, weight, run) {
		return this.kept.of(this.filter, ["sums", event, weight, run], () => this.recorded(event, this.valuesOf(weight), run));
	}

	// Returns the sums of the nodes for an event, of the rows that pass.
	count(event, weight = this.weight, run = -1) {
		const { nodeOf, parent, nrNodes, nrRecorded } = this.p, self = new Float64Array(nrNodes);
		const of = this.sums(event, weight, run), counted = this.sums(event, "samples", run);
		let samples = 0;
		for (let n = 0; n < nrRecorded; n++) {
			if (!counted[n] || nodeOf[n] < 0)
				continue;
			self[nodeOf[n]] += of[n];
			samples += counted[n];
		}
		const total = self.slice();
		for (let i = nrNodes - 1; i > 0; i--)
			total[parent[i]] += total[i];
		return { event, weight, run, self, total, sum: total[0], samples };
	}

	// Divides what count() counted among groups.
	groupSums(side) {
		if (!side.byGroup)
			side.byGroup = new GroupSums(this.p, this.cells(side, this.group));
		return side.byGroup;
	}

	// Returns the number of each row's group. With byTime, each group has one number for each slice of time.
	rowGroups(kind, byTime) {
		const { of, column, first } = this.groupsBy(kind), { nrRows, rowSlice } = this.base, out = new Int32Array(nrRows);
		for (let i = 0; i < nrRows; i++)
			out[i] = byTime ? of[column[i] - first] * this.slices + rowSlice[i] : of[column[i] - first];
		return out;
	}

	// Returns the sums by node of the recording and by the groups of a kind.
	cells({ event, weight, run }, kind, byTime = false) {
		return this.kept.of(this.filter, ["cells", event, weight, run, kind, byTime], () => cellsOf(this.base,
			this.rowsOf(event, run), this.valuesOf(weight), this.rowGroups(kind, byTime),
			this.groupsBy(kind).keys.length * (byTime ? this.slices : 1)));
	}

	// These are the sums of the functions, by frame.
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

	// Returns the outermost nodes of a function.
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

	// Returns the sums of lanes (all, cpu, thread, process or comm) over time, whatever times are chosen, as
	// [{key, label, values}], those with most first but for CPUs.
	lanes(kind) {
		const { event, slices } = this, { nodeOf } = this.p, { rowNode } = this.base, values = this.valuesOf(this.weight);
		// Lanes stay beside the one that is chosen among them.
		const filter = { who: kind === "all" || kind === "cpu" ? this.who : "", cpu: kind === "cpu" ? -1 : this.cpu, from: 0, to: slices };
		const kept = (key, make) => this.keptOfLanes.of(filter, [key, event, kind], make);
		const rows = kept("rows", () => this.passing(filter, event, -1)), groups = kept("groups", () => this.rowGroups(kind, true));
		const { keys } = this.groupsBy(kind), sums = new Float64Array(keys.length * slices);
		for (let k = 0; k < rows.length; k++)
			if (nodeOf[rowNode[rows[k]]] >= 0)
				sums[groups[rows[k]]] += values[rows[k]];
		const out = keys.map((key, g) => ({ key, values: sums.subarray(g * slices, (g + 1) * slices), label: this.groupLabel(kind, key) }));
		for (const lane of out)
			lane.sum = lane.values.reduce((a, b) => a + b, 0);
		return (kind === "cpu" ? out : out.sort((a, b) => b.sum - a.sum || (a.key < b.key ? -1 : 1))).filter(lane => lane.sum);
	}

	groupLabel(kind, key) {
		return kind === "all" ? "all" : kind === "cpu" ? (key < 0 ? "no CPU" : "CPU " + key) :
			this.people.label(kind, key);
	}

	// Finds the functions and groups that match, and how much is in stacks that have one of them.
	search(matches) {
		const { nrFrames, frame, parent, nrNodes } = this.p, start = this.grouped ? this.groupSums(this).start : [0];
		const hit = new Uint8Array(nrFrames + start.length - 1), totals = this.frameTotal, inside = new Uint8Array(nrNodes);
		const counts = f => f < nrFrames ? totals[f] : start[f - nrFrames + 1] - start[f - nrFrames];
		let share = 0, nr = 0;
		for (let f = 0; f < hit.length; f++)
			if (counts(f) && matches(this.name(f))) {
				hit[f] = 1;
				nr++;
			}
		for (let i = 1; i < nrNodes; i++) {
			inside[i] = inside[parent[i]] || hit[frame[i]];
			share += inside[i] ? this.self[i] : 0;
		}
		return { hit, share: hit.indexOf(1, nrFrames) < 0 ? share : this.shareOf(hit.subarray(nrFrames), inside), nr };
	}

	// Adds up all of the groups that match, and of others the nodes that are in a stack that matches.
	shareOf(groups, inside) {
		const { start, node, upTo } = this.groupSums(this);
		let share = 0;
		for (let g = 0; g < groups.length; g++)
			for (let i = start[g]; i < start[g + 1]; i++)
				share += groups[g] || inside[node[i]] ? upTo[i + 1] - upTo[i] : 0;
		return share;
	}

	time(slice) {
		return this.p.head.sliceStart + slice * this.p.head.sliceNs - this.p.head.first;
	}
}

// ---- numbers as text ----

function amount(model, v) {
	if (model.weight === "samples")
		return grouped.format(v) + (v === 1 ? " sample" : " samples");
	if (model.countsTime)
		return duration(v);
	return grouped.format(v);
}
