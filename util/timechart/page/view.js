// SPDX-License-Identifier: GPL-2.0-or-later
//
// The view shows the rows in a span of time. The wheel zooms at the pointer, a drag zooms to what it covers,
// and the axis above measures between two cursors.

const LEFT = 190, LABEL_ROOM = 30, DRAG = 4, LEAST_SPAN = 100, NAME_WIDTH = 42, MOST_ARROWS = 500;
const MARK_COLOURS = ["#2e9e44", "#8b1a1a", "#a040c0", "#e0559c"].map(pixelOf); // the last one is that of other events

class View {
	constructor(app) {
		this.app = app;
		this.model = app.model;
		this.rows = app.rows;
		this.box = $("lanes");
		this.canvas = $("canvas");
		this.axis = $("axis");
		this.ctx = this.canvas.getContext("2d");
		this.raster = new Raster();
		this.from = 0;
		this.to = this.model.span;
		this.drag = null;
		this.box.addEventListener("scroll", () => this.ask());
		new ResizeObserver(() => this.ask()).observe(this.box);
		this.listen();
	}

	// ---- places ----

	get room() { return Math.max(this.width - LEFT, 1); }
	get scale() { return (this.to - this.from) / this.room; }
	x(time) { return LEFT + (time - this.from) / this.scale; }
	time(x) { return Math.min(Math.max(this.from + (x - LEFT) * this.scale, 0), this.model.span); }

	// Shows a span, which is kept within the recording and above the shortest one.
	show(from, to) {
		const span = Math.min(Math.max(to - from, LEAST_SPAN), this.model.span);
		this.from = Math.min(Math.max(from + (to - from - span) / 2, 0), this.model.span - span);
		this.to = this.from + span;
		this.ask();
		this.app.moved();
	}

	zoom(factor, time = (this.from + this.to) / 2) {
		const from = time - (time - this.from) * factor;
		this.show(from, from + (this.to - this.from) * factor);
	}

	pan(share) {
		const by = (this.to - this.from) * share, to = Math.min(Math.max(this.to + by, this.to - this.from), this.model.span);
		this.show(to - (this.to - this.from), to);
	}

	// Scrolls until a row is seen.
	reveal(row) {
		if (row.y === undefined)
			return;
		const height = this.box.clientHeight;
		if (row.y < this.box.scrollTop || row.y + row.height > this.box.scrollTop + height)
			this.box.scrollTop = row.y - height / 2;
	}

	// ---- drawing ----

	ask() {
		if (!this.asked)
			this.asked = requestAnimationFrame(() => this.draw());
	}

	// Gives a canvas the size of its place, in pixels of the screen, and returns how many these are to one.
	size(canvas, ctx, width, height) {
		const ratio = window.devicePixelRatio || 1, w = Math.round(width * ratio), h = Math.round(height * ratio);
		if (canvas.width !== w || canvas.height !== h) {
			canvas.width = w;
			canvas.height = h;
			canvas.style.width = width + "px";
			canvas.style.height = height + "px";
		}
		ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
		ctx.clearRect(0, 0, width, height);
		ctx.font = "11px system-ui, sans-serif";
		ctx.textBaseline = "middle";
		return ratio;
	}

	draw() {
		cancelAnimationFrame(this.asked);
		this.asked = 0;
		this.width = this.box.clientWidth;
		this.height = this.box.clientHeight;
		$("space").style.height = Math.max(this.rows.height - this.height, 0) + "px";
		if (this.width < LEFT + 20 || this.height < 1)
			return;
		const ratio = this.size(this.canvas, this.ctx, this.width, this.height);
		this.top = this.box.scrollTop;
		this.names = [];
		this.raster.begin(this.ctx, this.canvas.width, this.canvas.height);
		const first = this.rows.indexAt(this.top);
		this.seen = [];
		for (let i = first; i < this.rows.shown.length && this.rows.shown[i].y < this.top + this.height; i++)
			this.seen.push(this.rows.shown[i]);
		for (const row of this.seen)
			if (!row.title)
				this.drawLane(row, ratio);
			else if (row.group.folded)
				this.drawSums(row, ratio);
		this.raster.end(this.ctx);
		this.drawTexts();
		this.drawSelected();
		this.drawArrows();
		this.drawSpan();
		this.drawAxis();
	}

	drawLane(row, ratio) {
		const y = row.y - this.top, left = Math.round(LEFT * ratio);
		const top = Math.round((y + 2) * ratio), bottom = Math.round((y + row.height - 1) * ratio);
		const scale = (this.to - this.from) / (this.raster.width - left);
		this.raster.lane(row.lane, left, top, bottom, this.from, scale, this.look(row, ratio));
		if (row.task || row.cpu && !row.detail)
			this.drawMarks(row, left, top, bottom, ratio);
	}

	drawSums(row, ratio) {
		const y = row.y - this.top, left = Math.round(LEFT * ratio);
		this.raster.sums(this.rows.lanesOf(row.group), left, Math.round((y + 2) * ratio),
			Math.round((y + row.height - 2) * ratio), this.from, (this.to - this.from) / (this.raster.width - left));
	}

	// Tells how the runs of a row look: those of the chosen task and those that are highlighted stand out.
	look(row, ratio) {
		const { head, tasks } = this.model, { raster } = this, chosen = this.app.chosen && this.app.chosen.task;
		const usual = raster.colours[RUNNING], { runs } = raster;
		const bright = i => !row.queue && (head.longRun && row.lane.length(i) >= head.longRun ||
			(row.task || tasks[row.lane.values[i]] || {}).bright);
		const running = i => bright(i) ? raster.highlight : row.task ? usual :
			row.queue ? usual : chosen && row.lane.values[i] === chosen.number ? raster.chosen : runs[row.lane.values[i] % runs.length];
		return { running, mixed: row.task && row.task.bright ? raster.highlight : usual, depths: row.detail === 1,
			levels: row.queue && row.queue.kind !== VCPU, named: row.cpu && !row.detail ? (i, x, end) => {
				if ((end - x) / ratio >= NAME_WIDTH)
					this.names.push([row, i, x / ratio, end / ratio]);
			} : null };
	}

	// Draws at most one mark for each pixel. Those that the search matches are as high as the row.
	drawMarks(row, left, top, bottom, ratio) {
		const marks = this.model.marksOf(row), times = this.model.markTime, { like } = this.app;
		for (let i = firstFrom(marks, times, this.from); i < marks.length && times[marks[i]] <= this.to;) {
			const hit = like && like.marks[this.model.markEvent[marks[i]]];
			const x = Math.round(this.x(times[marks[i]]) * ratio);
			this.raster.fill(Math.max(x - 1, left), Math.min(x + 2, this.raster.width), top - 1,
				hit ? bottom : top + Math.round(4 * ratio), MARK_COLOURS[Math.min(this.model.markEvent[marks[i]], OTHER)]);
			i = firstFrom(marks, times, Math.max(this.time((x + 1) / ratio), times[marks[i]] + 1));
		}
	}

	drawTexts() {
		const { ctx, app } = this, searching = Boolean(app.found);
		for (const [row, i, x, end] of this.names) {
			const task = this.model.tasks[row.lane.values[i]], n = Math.floor((end - x - 6) / 6.2);
			ctx.fillStyle = "#fff";
			if (task)
				ctx.fillText(task.label.slice(0, n), x + 3, row.y - this.top + row.height / 2 + 1);
		}
		for (const row of this.seen) {
			const y = row.y - this.top, indent = row.title || !row.group.titled ? 8 : row.detail ? 30 : 22;
			ctx.font = row.title || row === app.chosen ? "bold 11px system-ui, sans-serif" :
				row.detail ? "9px system-ui, sans-serif" : "11px system-ui, sans-serif";
			ctx.fillStyle = row.hit ? app.css("--hit") : row === app.chosen ? app.css("--accent") :
				row.title || !searching && !row.detail ? app.css("--ink") : app.css("--soft");
			const text = (row.title ? (row.group.folded ? "\u25b8 " : "\u25be ") : "") + row.label;
			ctx.fillText(text.length > LABEL_ROOM ? text.slice(0, LABEL_ROOM - 1) + "\u2026" : text,
				indent, y + row.height / 2 + 0.5, LEFT - indent - 6);
			ctx.globalCompositeOperation = "destination-over";
			ctx.fillStyle = app.css(row.title ? "--press" : "--track");
			ctx.fillRect(row.title ? 0 : LEFT, y + (row.title ? 1 : 2), this.width, row.height - (row.title ? 2 : 3));
			ctx.globalCompositeOperation = "source-over";
		}
	}

	// Frames what is chosen in its row.
	drawSelected() {
		const { ctx, app } = this, row = app.chosen, place = app.place;
		if (!row || !place || row.y === undefined)
			return;
		const x = Math.max(this.x(place.from), LEFT), end = Math.min(this.x(place.to), this.width);
		if (end < LEFT || x > this.width)
			return;
		ctx.strokeStyle = app.css("--ink");
		ctx.lineWidth = 2;
		ctx.strokeRect(x - 1, row.y - this.top + 1, Math.max(end - x, 1) + 2, row.height - 1);
		ctx.lineWidth = 1;
	}

	// Draws who has woken the chosen task, if that was asked for, and who has woken the one under the pointer.
	drawArrows() {
		const { app } = this, row = app.chosen, list = [];
		if (app.state.wakers && row && row.task && this.model.whole)
			this.collectArrows(row, list);
		if (app.pointed && app.pointed.row.task && app.pointed.i >= 0)
			list.push([app.pointed.row, app.pointed.i]);
		this.arrows = 0;
		for (const [to, i] of list)
			this.drawArrow(to, i);
		if (app.state.wakers && row && (row.task || row.queue))
			this.drawRequests(row);
	}

	// Draws what a task has asked queues for, or what a queue was asked for, at most one for each pixel: from the
	// task, when it asked, to the queue, when that was complete.
	drawRequests(row) {
		const { model } = this, list = model.arrowsOf(row), ends = model.arrowEnd;
		for (let n = firstFrom(list, ends, this.from), nr = 0; n < list.length && ends[list[n]] <= this.to && nr < MOST_ARROWS; nr++) {
			const i = list[n], from = this.rows.ofTask(model.arrowTask[i] - 1), to = this.rows.ofQueue(model.arrowQueue[i]);
			if (from && to && ends[i] - model.arrowLength[i] >= this.from)
				this.drawLine(this.x(ends[i] - model.arrowLength[i]), from, this.x(ends[i]), to);
			n = firstFrom(list, ends, ends[i] + this.scale);
		}
	}

	// Collects the intervals that begin with a wakeup, at most one for each pixel.
	collectArrows(row, list) {
		const { lane } = row;
		for (let x = LEFT, i = 0; x < this.width && list.length < MOST_ARROWS; x++) {
			const a = this.time(x), b = a + this.scale;
			i = Math.max(lane.find(a, i), 0);
			for (let j = i; j < Math.min(lane.nr, i + 8) && lane.starts[j] < b; j++)
				if (lane.starts[j] >= a && lane.kinds[j] === RUNNABLE) {
					list.push([row, j]);
					break;
				}
		}
	}

	drawArrow(row, i) {
		const waker = row.lane.kinds[i] === RUNNABLE ? this.model.waker(row.lane.values[i]) : null;
		const from = waker && this.rows.ofTask(waker.number), x = this.x(row.lane.starts[i]);
		if (!from || x < LEFT || x > this.width)
			return;
		this.drawLine(x, from, x, row);
	}

	// Draws an arrow from one row to another.
	drawLine(x0, from, x, to) {
		const { ctx } = this;
		const y0 = this.rows.placeOf(from) - this.top, y1 = this.rows.placeOf(to) - this.top, up = y0 > y1 ? 5 : -5;
		ctx.strokeStyle = ctx.fillStyle = this.app.css("--ink");
		ctx.beginPath();
		ctx.moveTo(x0, y0);
		ctx.lineTo(x, y1);
		ctx.stroke();
		ctx.beginPath();
		ctx.moveTo(x, y1);
		ctx.lineTo(x - 3, y1 + up);
		ctx.lineTo(x + 3, y1 + up);
		ctx.fill();
		this.arrows++;
	}

	// Draws the cursors, and what a drag covers.
	drawSpan() {
		const { ctx, app } = this;
		ctx.fillStyle = app.css("--accent");
		for (const time of app.cursors)
			if (time !== null && this.x(time) >= LEFT)
				ctx.fillRect(this.x(time), 0, 1, this.height);
		if (this.drag && this.drag.zooms) {
			ctx.globalAlpha = 0.2;
			ctx.fillRect(this.drag.x, 0, this.drag.now - this.drag.x, this.height);
			ctx.globalAlpha = 1;
		}
	}

	// Draws round times, the cursors' names, and above them which part of all is seen.
	drawAxis() {
		const ctx = this.axis.getContext("2d"), { app } = this, height = 34;
		this.size(this.axis, ctx, this.width, height);
		ctx.fillStyle = app.css("--track");
		ctx.fillRect(LEFT, 2, this.room, 6);
		ctx.fillStyle = app.css("--accent");
		ctx.fillRect(LEFT + this.from / this.model.span * this.room, 2,
			Math.max((this.to - this.from) / this.model.span * this.room, 2), 6);
		const list = ticks(this.from, this.to, this.room), step = list.length > 1 ? list[1][0] - list[0][0] : this.to - this.from;
		const digits = Math.min(Math.max(Math.ceil(9 - Math.log10(step || 1)), 0), 9);
		for (const [t] of list) {
			ctx.fillStyle = app.css("--line");
			ctx.fillRect(this.x(t), 12, 1, height - 12);
			ctx.fillStyle = app.css("--soft");
			ctx.fillText((t / 1e9).toFixed(digits) + " s", this.x(t) + 4, 19);
		}
		app.cursors.forEach((time, i) => {
			ctx.fillStyle = app.css("--accent");
			if (time !== null && this.x(time) >= LEFT && this.x(time) <= this.width)
				ctx.fillText("AB"[i], this.x(time) - 3, 29);
		});
	}

	// ---- the pointer ----

	// Tells what is at an event: {row, time, i: the interval of the row's lane, or -1, mark or -1}.
	at(e) {
		const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top + this.box.scrollTop;
		const row = this.rows.at(y), time = this.time(x), inside = row && !row.title && x >= LEFT;
		return { row, time, x, i: inside && this.model.whole && time < row.lane.end ? row.lane.find(time) : -1,
			mark: inside && !row.queue && y - row.y < 7 ? this.markAt(row, time) : -1 };
	}

	// Returns the mark of a row that is drawn within a few pixels of a time.
	markAt(row, time) {
		const marks = this.model.marksOf(row), times = this.model.markTime, reach = 3 * this.scale;
		const mark = marks[firstFrom(marks, times, time - reach)];
		return mark !== undefined && times[mark] <= time + reach ? mark : -1;
	}

	listen() {
		const c = this.canvas;
		c.addEventListener("wheel", e => {
			const at = this.at(e);
			if (e.shiftKey || at.x < LEFT && !e.ctrlKey)
				return; // the rows scroll
			e.preventDefault();
			if (Math.abs(e.deltaX) > Math.abs(e.deltaY))
				this.pan(e.deltaX / this.room);
			else
				this.zoom(Math.exp(e.deltaY * (e.ctrlKey ? 0.01 : 0.003)), at.time);
		}, { passive: false });
		c.addEventListener("pointerdown", e => this.press(e));
		c.addEventListener("pointermove", e => this.move(e));
		c.addEventListener("pointerup", e => this.release(e));
		c.addEventListener("pointercancel", () => { this.drag = null; });
		c.addEventListener("pointerleave", () => this.app.point(null));
		c.addEventListener("dblclick", e => this.app.look(this.at(e)));
		const cursor = e => this.time(e.clientX - this.axis.getBoundingClientRect().left);
		this.axis.addEventListener("pointerdown", e => {
			this.axis.setPointerCapture(e.pointerId);
			this.app.measure(cursor(e), null);
		});
		this.axis.addEventListener("pointermove", e => {
			if (e.buttons)
				this.app.measure(this.app.cursors[0], cursor(e));
		});
	}

	press(e) {
		const at = this.at(e);
		if (at.x < LEFT)
			return this.app.pick(at);
		this.canvas.setPointerCapture(e.pointerId);
		this.drag = { x: at.x, now: at.x, from: this.from, to: this.to, zooms: false,
			pans: e.shiftKey || e.button === 1 };
	}

	move(e) {
		const at = this.at(e), { drag } = this;
		if (!drag)
			return this.app.point(at, e);
		drag.now = Math.max(at.x, LEFT);
		if (drag.pans) {
			const by = (drag.x - at.x) * this.scale;
			if (drag.from + by >= 0 && drag.to + by <= this.model.span)
				this.show(drag.from + by, drag.to + by);
		} else if (drag.zooms || Math.abs(drag.now - drag.x) > DRAG) {
			drag.zooms = true;
			this.ask();
		}
	}

	release(e) {
		const { drag } = this;
		this.drag = null;
		if (drag && drag.zooms)
			this.show(this.time(Math.min(drag.x, drag.now)), this.time(Math.max(drag.x, drag.now)));
		else if (drag && !drag.pans)
			this.app.pick(this.at(e));
		this.ask();
	}
}

// Returns the index of the first of the marks, which are in the order of time, that is not before a time.
function firstFrom(marks, times, time) {
	let low = 0, high = marks.length;
	while (low < high) {
		const middle = low + high >> 1;
		if (times[marks[middle]] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
