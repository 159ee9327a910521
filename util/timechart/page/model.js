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

// The page tells of each lane with intervals when the first one begins, for how long it ran, and
// how many bytes its lengths and its states take.
const LANE_FACTS = 4;

const MARKS = ["forked", "exits", "migrates"];
const MARK_EVENTS = ["sched_process_fork", "sched_process_exit", "sched_migrate_task"];

// The events with which intervals of each kind begin; a runnable task was woken up, or preempted by a switch.
const KIND_EVENTS = ["", "sched_switch", "sched_waking", "sched_switch", "sched_switch", "cpu_idle",
	"irq_handler_entry", "softirq_entry", "cpu_frequency"];

const FORK = 0, MIGRATE = 2;

// Other events are marks, too: their numbers follow those of these marks.
const OTHER = MARKS.length;

// What works for tasks, by the numbers of enum queue_kind in util/queues/queues.h: titles of their rows, and the
// events with which they begin to work.
const QUEUES = ["Workqueues", "Block devices", "Virtual CPUs"];
const QUEUE_EVENTS = ["workqueue_execute_start", "block_rq_issue", "kvm_entry"];
const [WORKQUEUE, DEVICE, VCPU] = QUEUES.keys();

class Model {
	// A model that is not whole has lanes that are good for a picture of all times, and nothing else.
	constructor(head, reader, whole) {
		this.head = head;
		this.lanes = [];
		this.span = Math.max(head.span, 1);
		this.tasks = head.tasks.map(([pid, tid, name, parent, shown, bright], number) =>
			({ number, pid, tid, name, parent, shown, bright, label: (name || "?") + ":" + tid }));
		this.queues = (head.queues || []).map(([kind, name], number) => ({ number, kind, name }));
		this.read(head, reader, whole);
	}

	// Reads the lanes and what is in them. The head is the one that stands before them in the data.
	read(head, reader, whole) {
		this.whole = whole;
		this.head.chains = head.chains;
		this.others = head.others || [];
		this.readLanes(reader);
		this.readMarks(reader);
		this.readArrows(reader);
	}

	// Notes where the intervals of each lane stand, which are read when the lane is first looked at: most pages
	// have more lanes than a window shows.
	readLanes(r) {
		const nrRows = this.head.cpus.length * CPU_ROWS.length, nrTasks = this.tasks.length;
		const nr = nrRows + nrTasks + this.queues.length;
		const counts = r.column(nr, Uint32Array), full = counts.reduce((a, n) => a + (n ? 1 : 0), 0);
		const facts = r.column(full * LANE_FACTS, Float64Array), total = k => {
			let sum = 0;
			for (let i = k; i < facts.length; i += LANE_FACTS)
				sum += facts[i];
			return sum;
		};
		const place = { bytes: r.bytes, lengths: r.at, states: r.at + total(2) }, { lanes } = this;
		r.at = place.states + total(3);
		for (let i = 0, f = 0; i < nr; i++) {
			const lane = lanes[i] = lanes[i] || new Lane();
			if (!counts[i]) {
				lane.set(null, 0, 0, 0);
				continue;
			}
			const [first, ran, lengths, states] = facts.subarray(f, f += LANE_FACTS);
			lane.set({ ...place, first }, counts[i], this.head.span, ran);
			place.lengths += lengths;
			place.states += states;
		}
		this.nrIntervals = counts.reduce((a, b) => a + b, 0);
		this.cpus = this.head.cpus.map((number, i) => ({ number, label: "CPU " + number,
			lanes: lanes.slice(i * CPU_ROWS.length, (i + 1) * CPU_ROWS.length) }));
		this.tasks.forEach((task, i) => { task.lane = lanes[nrRows + i]; });
		this.queues.forEach((queue, i) => { queue.lane = lanes[nrRows + nrTasks + i]; });
	}

	readMarks(r) {
		const n = this.nrMarks = r.number(), times = new Float64Array(n);
		for (let i = 0, time = 0; i < n; i++)
			times[i] = time += r.number();
		this.markTime = times;
		this.markEvent = r.column(n, Uint32Array);
		this.markCpu = r.column(n, Uint32Array);
		this.markTask = r.column(n, Uint32Array);
		this.markValue = new Float64Array(n);
		for (let i = 0, place = 0; i < n; i++)
			this.markValue[i] = this.markEvent[i] < OTHER ? r.number() : place += r.signed();
	}

	// Reads what queues were asked for and have done, in the order of the ends. The numbers of tasks begin with 1.
	readArrows(r) {
		const n = this.nrArrows = r.number(), ends = new Float64Array(n);
		for (let i = 0, time = 0; i < n; i++)
			ends[i] = time += r.number();
		this.arrowEnd = ends;
		this.arrowLength = r.column(n, Float64Array);
		this.arrowQueue = r.column(n, Uint32Array);
		this.arrowTask = r.column(n, Uint32Array);
	}

	// Returns the numbers of the arrows to a queue, or of those from a task.
	arrowsOf(row) {
		if (!this.whole)
			return [];
		if (!row.arrows) {
			row.arrows = [];
			for (let i = 0; i < this.nrArrows; i++)
				if (row.queue ? this.arrowQueue[i] === row.queue.number : this.arrowTask[i] === row.task.number + 1)
					row.arrows.push(i);
		}
		return row.arrows;
	}

	arrowText(i) {
		const task = this.tasks[this.arrowTask[i] - 1], { name, kind } = this.queues[this.arrowQueue[i]];
		return (kind === WORKQUEUE ? "work" : "request") + (task ? " of " + task.label : "") + " for " + name;
	}

	// Tells what a queue does in an interval, as queue_interval_text() in util/queues/queues.c does.
	queueText({ kind: queue }, kind, value) {
		const thing = (queue === DEVICE ? " request" : " work") + (value === 1 ? "" : "s");
		if (queue === VCPU && kind === RUNNING)
			return "guest runs on CPU " + value;
		if (kind === INTERRUPT)
			return "host handles exit " + value;
		if (kind === RUNNING)
			return value + thing + (queue === DEVICE ? " in flight" : " executed");
		return kind === RUNNABLE ? value + thing + " waiting" : KINDS[kind];
	}

	// Returns the numbers of the marks in a row, in the order of time: those of a task, or those of a CPU that have no task.
	marksOf(row) {
		if (!this.whole)
			return [];
		if (!this.bySlot) {
			this.bySlot = new Map();
			for (let i = 0; i < this.nrMarks; i++) {
				const slot = this.markTask[i] || -1 - this.markCpu[i], list = this.bySlot.get(slot);
				if (list)
					list.push(i);
				else
					this.bySlot.set(slot, [i]);
			}
		}
		return this.bySlot.get(row.task ? row.task.number + 1 : row.cpu && !row.detail ? -1 - row.cpu.number : 0) || [];
	}

	// Returns the task of a mark, or undefined.
	taskOf(i) {
		return this.tasks[this.markTask[i] - 1];
	}

	// Returns the numbers of all marks that have a row.
	shownMarks() {
		const out = [];
		for (let i = 0; i < this.nrMarks; i++)
			if (!this.markTask[i] || this.taskOf(i).shown)
				out.push(i);
		return out;
	}

	// Returns the name of a mark's event.
	markName(event) {
		return event < OTHER ? MARK_EVENTS[event] : this.others[event - OTHER];
	}

	markText(i) {
		const value = this.markValue[i] - 1, event = this.markEvent[i];
		if (event >= OTHER)
			return this.markName(event) + " on CPU " + this.markCpu[i];
		if (event === FORK && this.tasks[value])
			return MARKS[event] + " by " + this.tasks[value].label;
		return MARKS[event] + (event === MIGRATE ? " to CPU " + value : "");
	}

	// Tells which kinds of marks and of intervals match by their words or by the names of their events; null: none.
	eventsLike(matches) {
		const marks = [...MARKS.map((word, i) => matches(word + " " + MARK_EVENTS[i])), ...this.others.map(name => matches(name))];
		const kinds = KINDS.map((word, i) => i !== NONE && matches(word + " " + KIND_EVENTS[i]));
		return marks.includes(true) || kinds.includes(true) ? { marks, kinds } : null;
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
		if (h.leftOut)
			out.push("a long recording: " + grouped.format(h.leftOut) + " changes were left out that others followed within " +
				duration(h.grain) + "; --time shows a part with all of them");
		if (h.othersSeen)
			out.push(grouped.format(h.othersShown) + " of the " + grouped.format(h.othersSeen) +
				" times of other events are shown; --time shows a part with more of them");
		return out;
	}
}

// Returns the head and a reader that stands behind it, of one of the elements with data.
async function openData(id) {
	const r = new Reader(await inflate($(id).textContent)), head = seenAll(JSON.parse(r.text(r.number())));
	$(id).remove();
	return [head, r];
}
