// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rows of the page: CPUs first, then what works for tasks, then processes, the busiest first. Processes with
// several threads, the CPUs together, and queues of a kind have a title that folds and unfolds them. A folded one shows the sums of its lanes.

const TITLE_HEIGHT = 20, CPU_HEIGHT = 24, DETAIL_HEIGHT = 9, TASK_HEIGHT = 18;

class Rows {
	constructor(model) {
		this.model = model;
		this.groups = [this.cpus(), ...this.queues(), ...this.processes()].filter(g => g.rows.length);
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

	queues() {
		return QUEUES.map((label, kind) => ({ label, key: "queues" + kind, titled: true,
			rows: this.model.queues.filter(q => q.kind === kind).map(queue =>
				({ lane: queue.lane, queue, key: "q" + queue.number, label: queue.name, height: TASK_HEIGHT })) }));
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

	ofMark(mark) {
		const task = this.model.taskOf(mark);
		return task ? this.ofTask(task.number) : this.byKey.get("c" + this.model.markCpu[mark]);
	}

	ofQueue(number) {
		return this.byKey.get("q" + number);
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

	// Returns the lanes whose sums a folded group shows: those of tasks, or what runs on each CPU.
	lanesOf(group) {
		return group.rows.filter(row => !row.detail).map(row => row.lane);
	}

	// Marks the rows of tasks and queues that match. Returns them in their order.
	search(matches) {
		const found = [];
		for (const group of this.groups)
			for (const row of group.rows) {
				row.hit = Boolean(matches && (row.task ? matches(row.label + " " + row.task.pid) :
					row.queue && matches(row.label)));
				if (row.hit)
					found.push(row);
			}
		return found;
	}
}
