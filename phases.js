"use strict";
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The data of a page: base64 of a deflate stream of columns of numbers, 7 bits to the byte, the lowest
// first. All pages read theirs with this.

class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	number() {
		const bytes = this.bytes;
		let c = bytes[this.at++];
		if (c < 128)
			return c;
		let v = c & 127, scale = 128;
		do {
			c = bytes[this.at++];
			v += (c & 127) * scale;
			scale *= 128;
		} while (c >= 128);
		return v;
	}

	signed() {
		const v = this.number();
		return v % 2 ? -(v + 1) / 2 : v / 2;
	}

	// Reads numbers as number() does. Pages have millions of them, which is why it has no calls inside.
	column(n, type) {
		const out = new type(n), bytes = this.bytes;
		let at = this.at;
		for (let i = 0; i < n; i++) {
			let c = bytes[at++], v = c & 127;
			for (let scale = 128; c >= 128; scale *= 128) {
				c = bytes[at++];
				v += (c & 127) * scale;
			}
			out[i] = v;
		}
		this.at = at;
		return out;
	}

	// Reads numbers, each of which is written as what it is more than the one before.
	differences(n, type) {
		const out = new type(n);
		for (let i = 0, v = 0; i < n; i++)
			out[i] = v += this.signed();
		return out;
	}

	text(n) {
		this.at += n;
		return new TextDecoder().decode(this.bytes.subarray(this.at - n, this.at));
	}
}

async function inflate(base64) {
	if (typeof DecompressionStream === "undefined")
		throw new Error("this browser is too old: it has no DecompressionStream");
	let bytes;
	if (Uint8Array.fromBase64) {
		bytes = Uint8Array.fromBase64(base64);
	} else {
		const binary = atob(base64);
		bytes = new Uint8Array(binary.length);
		for (let i = 0; i < binary.length; i++)
			bytes[i] = binary.charCodeAt(i);
	}
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Characters that would not be seen, or would change the direction of writing, are shown by their number.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const UNSEEN_ALL = new RegExp(UNSEEN, "g");

function visible(text) {
	if (!UNSEEN.test(text))
		return text;
	return text.replace(UNSEEN_ALL, c => {
		const hex = c.charCodeAt(0).toString(16);
		return hex.length > 2 ? "\\u" + hex.padStart(4, "0") : "\\x" + hex.padStart(2, "0");
	});
}

// Returns the head with its texts as names are shown.
function seenAll(v) {
	if (typeof v === "string")
		return visible(v);
	if (Array.isArray(v))
		return v.map(seenAll);
	if (v && typeof v === "object")
		return Object.fromEntries(Object.entries(v).map(([key, value]) => [key, seenAll(value)]));
	return v;
}
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The data of the page become lanes, tasks and marks. Documentation/format/timeline-page.md describes how
// they are stored. All times are in ns from the beginning of the page.

// The kinds are those of enum lane_kind in util/analyze/lane.h, in its order.
const KINDS = ["nothing known", "running", "runnable", "sleeping", "blocked", "idle", "interrupt", "softirq",
	"frequency"];
const [NONE, RUNNING, RUNNABLE, SLEEPING, BLOCKED, IDLE, INTERRUPT, SOFTIRQ, FREQUENCY] = KINDS.keys();

// These are the rows of a CPU, in the order of enum timeline_row.
const CPU_ROWS = ["", "idle states", "frequency", "interrupts", "softirqs"];

const MARKS = ["forked", "exits", "migrates"];
const FORK = 0, MIGRATE = 2;

class Model {
	constructor(head, reader) {
		this.head = head;
		this.span = Math.max(head.span, 1);
		this.tasks = head.tasks.map(([pid, tid, name, parent, shown, bright], number) =>
			({ number, pid, tid, name, parent, shown, bright, label: (name || "?") + ":" + tid }));
		this.readLanes(reader);
		this.readMarks(reader);
	}

	// Reads the lanes. Their intervals stand one behind the other in arrays that all lanes have in common.
	readLanes(r) {
		const nr = this.head.cpus.length * CPU_ROWS.length + this.tasks.length;
		const counts = r.column(nr, Uint32Array), all = counts.reduce((a, b) => a + b, 0);
		const firsts = r.column(counts.reduce((a, n) => a + (n ? 1 : 0), 0), Float64Array);
		const lengths = r.column(all, Float64Array), store = this.readStates(r.column(all, Float64Array));
		const lanes = [];
		store.starts = lengths; // the lengths become times in their place
		for (let i = 0, at = 0, f = 0; i < nr; i++) {
			let time = counts[i] ? firsts[f++] : 0, ran = 0;
			for (let end = at + counts[i]; at < end; at++) {
				const length = lengths[at];
				lengths[at] = time;
				time += length;
				ran += store.kinds[at] === RUNNING ? length : 0;
			}
			lanes.push(new Lane(store, at - counts[i], counts[i], time, ran));
		}
		this.nrIntervals = all;
		this.cpus = this.head.cpus.map((number, i) => ({ number, label: "CPU " + number,
			lanes: lanes.slice(i * CPU_ROWS.length, (i + 1) * CPU_ROWS.length) }));
		lanes.slice(this.head.cpus.length * CPU_ROWS.length).forEach((lane, i) => { this.tasks[i].lane = lane; });
	}

	// Takes states apart, which may have more than 32 bits: the kind is in the lowest four.
	readStates(states) {
		const kinds = new Uint8Array(states.length), values = new Uint32Array(states.length);
		for (let i = 0; i < states.length; i++) {
			const state = states[i];
			kinds[i] = state & 15;
			values[i] = state < 0x80000000 ? state >> 4 : state / 16;
		}
		return { kinds, values };
	}

	readMarks(r) {
		const n = this.nrMarks = r.number(), times = new Float64Array(n);
		for (let i = 0, time = 0; i < n; i++)
			times[i] = time += r.number();
		this.markTime = times;
		this.markEvent = r.column(n, Uint8Array);
		this.markCpu = r.column(n, Uint32Array);
		this.markTask = r.column(n, Uint32Array);
		this.markValue = r.column(n, Uint32Array);
	}

	// Returns the numbers of the marks of a task, in the order of time.
	marksOf(task) {
		if (!this.byTask) {
			this.byTask = this.tasks.map(() => []);
			for (let i = 0; i < this.nrMarks; i++)
				this.byTask[this.markTask[i]].push(i);
		}
		return this.byTask[task];
	}

	// Returns the numbers of the marks of all tasks that have a row.
	shownMarks() {
		const out = [];
		for (let i = 0; i < this.nrMarks; i++)
			if (this.tasks[this.markTask[i]].shown)
				out.push(i);
		return out;
	}

	markText(i) {
		const value = this.markValue[i] - 1, event = this.markEvent[i];
		if (event === FORK && this.tasks[value])
			return MARKS[event] + " by " + this.tasks[value].label;
		return MARKS[event] + (event === MIGRATE ? " to CPU " + value : "");
	}

	// Returns the task that has woken a runnable one, or null; value is that of the interval.
	waker(value) {
		return value > 1 ? this.tasks[value - 2] || null : null;
	}

	// Returns how a time is written that is exact: in seconds since the machine's clock began.
	clock(time) {
		const digits = (BigInt(this.head.start) + BigInt(Math.round(time))).toString().padStart(10, "0");
		return digits.slice(0, -9) + "." + digits.slice(-9) + " s";
	}

	// Returns sentences about what is missing from the recording.
	notes() {
		const h = this.head, out = [];
		if (h.lost)
			out.push(percent(h.lost, h.lost + h.events) + " of the events were lost: record with a larger -m");
		if (h.bugs)
			out.push(grouped.format(h.bugs) + " of " + grouped.format(h.switches) + " switches do not fit those before");
		if (h.gaps)
			out.push("nothing is known of " + grouped.format(h.gaps) + " times in which events were lost");
		return out;
	}
}

async function openTimeline() {
	const r = new Reader(await inflate($("data").textContent)), head = seenAll(JSON.parse(r.text(r.number())));
	const model = new Model(head, r);
	$("data").remove();
	return model;
}
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A lane is what one thing did over time: intervals without gaps, each of one kind and value. Every STRIDE
// intervals there is a stop with the time spent in each kind so far. The sums of any span are the difference
// of two sums, so they cost the same however many intervals the span has.

const STRIDE = 32;

class Lane {
	// The store has the intervals of all lanes. Those of this one begin at the index at; it ran for so many ns.
	constructor(store, at, nr, end, ran) {
		this.starts = store.starts.subarray(at, at + nr);
		this.kinds = store.kinds.subarray(at, at + nr);
		this.values = store.values.subarray(at, at + nr);
		Object.assign(this, { nr, end, ran, stops: null });
	}

	endOf(i) {
		return i + 1 < this.nr ? this.starts[i + 1] : this.end;
	}

	length(i) {
		return this.endOf(i) - this.starts[i];
	}

	// Returns the number of the interval that contains a time, the last one if the time is behind it, or -1 if
	// it is before the first. The search begins at the interval from, which must not be behind the time.
	find(time, from = 0) {
		const starts = this.starts;
		let low = from, step = 1;
		if (!this.nr || starts[from] > time)
			return -1;
		while (low + step < this.nr && starts[low + step] <= time) {
			low += step;
			step *= 2;
		}
		for (let high = Math.min(low + step, this.nr); high - low > 1;) {
			const middle = low + high >> 1;
			if (starts[middle] <= time)
				low = middle;
			else
				high = middle;
		}
		return low;
	}

	makeStops() {
		const stops = new Float64Array((Math.floor(this.nr / STRIDE) + 1) * KINDS.length);
		const sums = new Float64Array(KINDS.length);
		for (let i = 0; i < this.nr; i++) {
			if (i % STRIDE === 0)
				stops.set(sums, i / STRIDE * KINDS.length);
			sums[this.kinds[i]] += this.length(i);
		}
		this.stops = stops;
	}

	// Adds the sums of the intervals before the one with the number i, times sign.
	addBefore(i, sums, sign) {
		if (!this.stops)
			this.makeStops();
		const stop = Math.floor(i / STRIDE);
		for (let k = 0; k < KINDS.length; k++)
			sums[k] += sign * this.stops[stop * KINDS.length + k];
		for (let j = stop * STRIDE; j < i; j++)
			sums[this.kinds[j]] += sign * this.length(j);
	}

	// Fills sums with the ns of each kind in the span from a to b. The intervals i and j are those that
	// find() returns for a and b.
	sumsBetween(a, i, b, j, sums) {
		sums.fill(0);
		if (j < 0)
			return sums;
		if (j - i > 2 * STRIDE) {
			this.addBefore(j, sums, 1);
			if (i >= 0)
				this.addBefore(i, sums, -1);
		} else {
			for (let k = Math.max(i, 0); k < j; k++)
				sums[this.kinds[k]] += this.length(k);
		}
		if (i >= 0)
			sums[this.kinds[i]] -= Math.min(a, this.end) - this.starts[i];
		sums[this.kinds[j]] += Math.min(b, this.end) - this.starts[j];
		return sums;
	}

	// Returns the ns of each kind in the span from a to b.
	sums(a, b) {
		return this.sumsBetween(a, this.find(a), b, this.find(b), new Float64Array(KINDS.length));
	}

	// Returns how long a task waited on a run queue before it ran in the interval i, or -1 if that is not known.
	waitBefore(i) {
		return i > 0 && this.kinds[i] === RUNNING && this.kinds[i - 1] === RUNNABLE ? this.length(i - 1) : -1;
	}

	get largest() {
		if (this.most === undefined)
			this.most = this.values.reduce((a, b) => Math.max(a, b), 0);
		return this.most;
	}
}
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lanes are drawn pixel by pixel into memory and put onto the canvas at once, because a page of lanes has
// some 100000 columns, which would take too long as rectangles.

// The colours of the kinds go with both themes.
const COLOURS = { [RUNNING]: "#2f6fde", [RUNNABLE]: "#e0b000", [SLEEPING]: "#b9bec7", [BLOCKED]: "#d64545",
	[IDLE]: "#f2c9c9", [INTERRUPT]: "#8a3fc0", [SOFTIRQ]: "#20a0a0", [FREQUENCY]: "#3d9a4a" };
const DEPTHS = ["#f9dede", "#f2b8b8", "#ea9090", "#df6b6b", "#cf4747", "#b52525"];
const HIGHLIGHT = "#f08000", CHOSEN = "#12b886";

// Runs of different tasks that follow each other on a CPU have different shades.
const RUNS = [COLOURS[RUNNING], "#5a90ec", "#2456b4", "#7fabf3", "#3a66b8"];

// In a column that several kinds share they are stacked in this order, from the bottom. Each has at least a
// pixel, so that short runs and waits do not vanish. What is left is the rest's: sleeping or idle.
const STACKED = [RUNNING, BLOCKED, RUNNABLE, INTERRUPT, SOFTIRQ, FREQUENCY];

// Returns the colour "#rrggbb" as one pixel.
function pixelOf(colour) {
	const v = parseInt(colour.slice(1), 16);
	return (0xff000000 | (v & 255) << 16 | v & 0xff00 | v >> 16) >>> 0;
}

class Raster {
	constructor() {
		this.sums = new Float64Array(KINDS.length);
		this.depths = DEPTHS.map(pixelOf);
		this.highlight = pixelOf(HIGHLIGHT);
		this.chosen = pixelOf(CHOSEN);
		this.runs = RUNS.map(pixelOf);
		this.colours = KINDS.map((_, kind) => COLOURS[kind] ? pixelOf(COLOURS[kind]) : 0);
	}

	// Begins a picture: all is transparent.
	begin(ctx, width, height) {
		if (!this.image || this.image.width !== width || this.image.height !== height) {
			this.image = ctx.createImageData(width, height);
			this.pixels = new Uint32Array(this.image.data.buffer);
		} else {
			this.pixels.fill(0);
		}
		this.width = width;
		this.height = height;
	}

	// Fills the columns from x to end in the rows from top to bottom, as far as they are in the picture.
	fill(x, end, top, bottom, pixel) {
		for (let y = Math.max(top, 0); y < Math.min(bottom, this.height); y++)
			this.pixels.fill(pixel, y * this.width + x, y * this.width + end);
	}

	// Draws the lane from the time t0 at the column left to the end of the picture. One column is scale ns;
	// look.running(i) tells the colour of a run, look.mixed that of runs in shared columns, look.named(i, x, end)
	// is called for those that may have room for a name, and look.depths shows idle states.
	lane(lane, left, top, bottom, t0, scale, look) {
		let i = lane.find(t0);
		for (let x = left; lane.nr && x < this.width;) {
			const a = t0 + (x - left) * scale, b = a + scale, last = i >= 0 ? lane.endOf(i) : lane.starts[0];
			if (a >= lane.end)
				return;
			if (last >= b) { // one interval has the whole column, and maybe more
				const end = Math.min(this.width, left + Math.floor((last - t0) / scale));
				if (i >= 0)
					this.whole(lane, i, x, Math.max(end, x + 1), top, bottom, look);
				x = Math.max(end, x + 1);
			} else {
				const j = lane.find(b, Math.max(i, 0));
				lane.sumsBetween(a, i, b, j, this.sums);
				this.shares(x, top, bottom, scale, look);
				x++;
			}
			i = lane.find(t0 + (x - left) * scale, Math.max(i, 0));
		}
	}

	// Draws an interval that is at least a column wide.
	whole(lane, i, x, end, top, bottom, look) {
		const kind = lane.kinds[i], value = lane.values[i];
		if (kind === FREQUENCY)
			top = bottom - Math.max(Math.round((bottom - top) * value / (lane.largest || 1)), 1);
		if (kind === SLEEPING)
			top = bottom - Math.max(Math.floor((bottom - top) / 4), 1);
		if (kind === NONE || kind === IDLE && !look.depths)
			return;
		if (kind === RUNNING && look.named)
			look.named(i, x, end);
		this.fill(x, end, top, bottom, kind === IDLE ? this.depths[Math.min(value, this.depths.length - 1)] :
			kind === RUNNING ? look.running(i) : this.colours[kind]);
	}

	// Draws a column in which each kind has its share of the height.
	shares(x, top, bottom, scale, look) {
		let y = bottom;
		for (const kind of STACKED) {
			const share = this.sums[kind] / scale;
			if (share <= 0)
				continue;
			const next = Math.max(y - Math.max(Math.round(share * (bottom - top)), 1), top);
			this.fill(x, x + 1, next, y, kind === RUNNING ? look.mixed : this.colours[kind]);
			y = next;
		}
		if (look.depths && this.sums[IDLE] > 0)
			this.fill(x, x + 1, y - Math.max(Math.round(this.sums[IDLE] / scale * (y - top)), 1), y, this.depths[1]);
		else if (this.sums[SLEEPING] > 0 && y === bottom)
			this.fill(x, x + 1, bottom - Math.max(Math.floor((bottom - top) / 4), 1), bottom, this.colours[SLEEPING]);
	}

	end(ctx) {
		ctx.putImageData(this.image, 0, 0);
	}
}
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rows of the page: CPUs first, then processes, the busiest first. Processes with several threads, and
// the CPUs together, have a title that folds and unfolds them.

const TITLE_HEIGHT = 20, CPU_HEIGHT = 24, DETAIL_HEIGHT = 9, TASK_HEIGHT = 18;

class Rows {
	constructor(model) {
		this.model = model;
		this.groups = [this.cpus(), ...this.processes()].filter(g => g.rows.length);
		this.details = true;
		this.layOut();
	}

	// A CPU has a row for what runs, and lower ones for what else was recorded of it.
	cpus() {
		const rows = this.model.cpus.flatMap(cpu => cpu.lanes.map((lane, i) => ({ lane, cpu, detail: i,
			key: "c" + cpu.number + (i ? "." + i : ""), label: i ? CPU_ROWS[i] : cpu.label,
			height: i ? DETAIL_HEIGHT : CPU_HEIGHT })).filter(row => row.lane.nr || !row.detail));
		return { label: "CPUs", key: "cpus", rows, titled: true };
	}

	processes() {
		const byPid = new Map();
		for (const task of this.model.tasks) {
			if (!task.shown)
				continue;
			const group = byPid.get(task.pid) || { key: "p" + task.pid, rows: [], ran: 0 };
			byPid.set(task.pid, group);
			group.ran += task.lane.ran;
			group.rows.push({ lane: task.lane, task, key: "t" + task.number, label: task.label, height: TASK_HEIGHT });
		}
		const down = (a, b) => b.ran - a.ran || (a.key < b.key ? -1 : 1);
		for (const group of byPid.values()) {
			group.rows.sort((a, b) => b.lane.ran - a.lane.ran || a.task.number - b.task.number);
			const main = group.rows.find(r => r.task.tid === r.task.pid) || group.rows[0];
			group.label = (main.task.name || "?") + " " + main.task.pid + ", " + group.rows.length + " threads";
			group.titled = group.rows.length > 1;
		}
		return [...byPid.values()].sort(down);
	}

	// Places the rows one below the other; those of folded groups have no place.
	layOut() {
		let y = 0;
		this.shown = [];
		this.byKey = new Map();
		for (const group of this.groups) {
			if (group.titled)
				y = this.place({ group, title: true, key: group.key, label: group.label, height: TITLE_HEIGHT }, y);
			for (const row of group.rows) {
				row.group = group;
				row.y = undefined;
				this.byKey.set(row.key, row);
				if (!group.folded && (this.details || !row.detail))
					y = this.place(row, y);
			}
		}
		this.height = y;
	}

	place(row, y) {
		row.y = y;
		this.shown.push(row);
		if (row.title)
			row.group.title = row;
		return y + row.height;
	}

	// Returns the index of the first row that ends below y.
	indexAt(y) {
		let low = 0, high = this.shown.length;
		while (low < high) {
			const middle = low + high >> 1;
			if (this.shown[middle].y + this.shown[middle].height <= y)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	at(y) {
		const row = this.shown[this.indexAt(y)];
		return row && row.y <= y ? row : null;
	}

	ofTask(number) {
		return this.byKey.get("t" + number);
	}

	// Returns where a row stands; that of a folded one is its title's.
	placeOf(row) {
		const there = row.y === undefined ? row.group.title : row;
		return there ? there.y + there.height / 2 : 0;
	}

	fold(group, folded) {
		if (group.titled)
			group.folded = folded;
		this.layOut();
	}

	foldAll() {
		const titled = this.groups.filter(g => g.titled && g.key !== "cpus"), folded = titled.some(g => !g.folded);
		for (const group of titled)
			group.folded = folded;
		this.layOut();
	}

	// Marks the rows of tasks that match. Returns them in their order.
	search(matches) {
		const found = [];
		for (const group of this.groups)
			for (const row of group.rows) {
				row.hit = Boolean(matches && row.task && matches(row.label + " " + row.task.pid));
				if (row.hit)
					found.push(row);
			}
		return found;
	}
}
const fs=require("fs");
const html=fs.readFileSync("/tmp/tlp/big.html","latin1"); const m=html.indexOf('id="data">')+10; const b64=html.slice(m, html.indexOf("</script>",m));
const T=(n,f)=>{const t=process.cpuUsage(); const r=f(); const e=process.cpuUsage(t); console.log(n,((e.user+e.system)/1000).toFixed(0)); return r;};
const grouped=new Intl.NumberFormat("en-US");
const bin=T("atob",()=>atob(b64));
const bytes=T("charCodeAt",()=>{const o=new Uint8Array(bin.length); for(let i=0;i<bin.length;i++)o[i]=bin.charCodeAt(i); return o;});
const raw=T("inflate",()=>new Uint8Array(require("zlib").inflateRawSync(bytes)));
console.log(raw.length);
const r=new Reader(raw); const head=T("head",()=>seenAll(JSON.parse(r.text(r.number()))));
const model=T("model",()=>new Model(head,r));
const rows=T("rows",()=>new Rows(model));
T("stops",()=>{for(const c of model.cpus)for(const l of c.lanes)l.sums(0,model.span)});
