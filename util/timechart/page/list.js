// SPDX-License-Identifier: GPL-2.0-or-later
//
// The list beside the lanes: what the chosen row did in the span that is seen, or else all marks in it; of
// these the ones that a search for events matches. A line and what it stands for in the lanes are chosen
// together.

const MOST_LINES = 2000;

class List {
	constructor(app) {
		this.app = app;
		this.table = new Table([
			{ title: "Time", key: "amount", number: true, first: true, value: r => r.time, text: r => duration(r.time),
				hint: r => app.model.clock(r.time) },
			{ title: "Length", key: "amount", number: true, value: r => r.length, text: r => r.length ? duration(r.length) : "" },
			{ title: "What", key: "object", value: r => r.what, text: r => r.what, hint: r => r.what + " (" + r.event + ")" },
		], { pick: row => app.pickLine(row), look: row => app.lookAtLine(row) });
		this.table.down = false;
		$("list").append(this.table.box);
	}

	// The list follows the view a little later, so that a movement does not wait for it.
	ask() {
		clearTimeout(this.asked);
		this.asked = setTimeout(() => this.fill(), 120);
	}

	fill() {
		const { app } = this, row = app.chosen;
		clearTimeout(this.asked);
		this.left = 0;
		this.table.empty = app.model.whole ? "nothing in this span" : "the page is still being read";
		const rows = !app.model.whole ? [] : row ? [...this.intervals(row), ...this.marks(app.model.marksOf(row)),
			...this.requests(row)] : this.marks(app.allMarks);
		$("list-title").textContent = row ? app.rowName(row) : app.model.others.length ? "Forks, exits, migrations and other events" : "Forks, exits and migrations";
		$("list-more").textContent = [app.like ? "those that match" : "",
			this.left ? "the first of them; zoom in to see the others" : ""].filter(Boolean).join("; ");
		this.table.show(rows);
	}

	intervals(row) {
		const { view, like } = this.app, { lane } = row, out = [];
		for (let i = Math.max(lane.find(view.from), 0); i < lane.nr && lane.starts[i] < view.to; i++) {
			if (lane.kinds[i] === NONE || like && !like.kinds[lane.kinds[i]])
				continue;
			if (out.length === MOST_LINES) {
				this.left = 1;
				break;
			}
			out.push({ id: row.key + "." + i, order: i, row, i, mark: -1, time: lane.starts[i], length: lane.length(i),
				what: this.app.intervalText(row, i), event: row.queue ? QUEUE_EVENTS[row.queue.kind] : KIND_EVENTS[lane.kinds[i]] });
		}
		return out;
	}

	// Returns lines on what a queue has done, or what was done for a task.
	requests(row) {
		const { view, model, like } = this.app, ends = model.arrowEnd, out = [];
		const numbers = row.queue || row.task ? model.arrowsOf(row) : [];
		for (let n = firstFrom(numbers, ends, view.from); n < numbers.length && !like; n++) {
			const i = numbers[n], time = ends[i] - model.arrowLength[i];
			if (out.length === MOST_LINES || time > view.to) {
				this.left |= out.length === MOST_LINES;
				break;
			}
			out.push({ id: "a" + i, order: i, row, i: -1, mark: -1, time, length: model.arrowLength[i],
				what: model.arrowText(i), event: QUEUE_EVENTS[model.queues[model.arrowQueue[i]].kind] });
		}
		return out;
	}

	marks(numbers) {
		const { view, model, like } = this.app, times = model.markTime, out = [];
		for (let n = firstFrom(numbers, times, view.from); n < numbers.length && times[numbers[n]] <= view.to; n++) {
			const mark = numbers[n], task = model.taskOf(mark), event = model.markEvent[mark];
			if (like && !like.marks[event])
				continue;
			if (out.length === MOST_LINES) {
				this.left = 1;
				break;
			}
			out.push({ id: "m" + mark, order: mark, row: this.app.rows.ofMark(mark), i: -1, mark, time: times[mark], length: 0,
				what: (task ? task.label + " " : "") + model.markText(mark), event: event < OTHER ? MARK_EVENTS[event] :
					"at 0x" + model.markValue[mark].toString(16) + " in the file" });
		}
		return out;
	}

	// Chooses the line of what was chosen in the lanes, and scrolls to it.
	select(id) {
		const { table } = this;
		table.selected = id;
		const at = table.rows.findIndex(r => r.id === id), { scroll } = table;
		if (at >= 0 && (at * LINE < scroll.scrollTop || (at + 1) * LINE > scroll.scrollTop + scroll.clientHeight))
			scroll.scrollTop = Math.max(at * LINE - scroll.clientHeight / 2, 0);
		table.fill();
	}
}
