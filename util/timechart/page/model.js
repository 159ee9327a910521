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
