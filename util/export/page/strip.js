// SPDX-License-Identifier: GPL-2.0-or-later
//
// The strip shows samples over time, a row for each lane. A brush chooses the slices that everything else
// is made of.

const LANE = 15;
const AXIS = 16;
const LABEL = 132;
const MOST_LANES = 64;

class Strip {
	// The function changed(from, to) is called when slices were chosen, and picked(lane) when a lane was
	// clicked; chosen(lane) tells whether it is the one that is looked at.
	constructor(box, canvas, axis, model, paint, changed, picked, chosen) {
		Object.assign(this, { box, canvas, axis, model, paint, changed, picked, chosen, kind: "all", lanes: [] });
		this.ctx = canvas.getContext("2d");
		new ResizeObserver(() => this.draw()).observe(box);
		this.listen();
	}

	update() {
		const lanes = this.model.lanes(this.kind);
		this.hidden = Math.max(lanes.length - MOST_LANES, 0);
		this.lanes = lanes.slice(0, MOST_LANES);
		this.draw();
	}

	x(slice) {
		return LABEL + slice / this.model.slices * (this.width - LABEL);
	}

	draw() {
		const all = this.kind === "all", m = this.model;
		const height = all ? 32 : this.lanes.length * LANE + 2;
		const width = this.width = this.box.clientWidth;
		if (width < LABEL + 20)
			return;
		const ctx = this.ctx;
		this.size(this.canvas, ctx, width, height);
		this.canvas.setAttribute("aria-label", "Samples over time: " + this.lanes.map(l => l.label).join(", "));
		if (all && this.lanes.length)
			this.drawCurve(this.lanes[0], height);
		else
			this.lanes.forEach((lane, i) => this.drawLane(lane, i * LANE));
		this.drawAxis();
		if (!m.allTime) {
			const a = this.x(m.from), b = this.x(m.to);
			ctx.fillStyle = this.paint.shade;
			ctx.fillRect(LABEL, 0, a - LABEL, height);
			ctx.fillRect(b, 0, width - b, height);
			ctx.fillStyle = this.paint.accent;
			ctx.fillRect(a - 1, 0, 2, height);
			ctx.fillRect(b - 1, 0, 2, height);
		}
	}

	size(canvas, ctx, width, height) {
		const ratio = window.devicePixelRatio || 1;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.width = width + "px";
		canvas.style.height = height + "px";
		ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
		ctx.clearRect(0, 0, width, height);
		ctx.font = "11px system-ui, sans-serif";
		ctx.textBaseline = "middle";
	}

	label(text, y, ctx = this.ctx, strong = false) {
		const room = 21;
		ctx.fillStyle = strong ? this.paint.accent : this.paint.soft;
		ctx.fillText(text.length > room ? text.slice(0, room - 1) + "\u2026" : text, 8, y, LABEL - 14);
	}

	drawCurve(lane, height) {
		const { ctx } = this, n = this.model.slices, most = lane.values.reduce((a, b) => Math.max(a, b), 0);
		this.peak(most).forEach((text, i) => this.label(text, height / 2 - 5 + 13 * i));
		ctx.fillStyle = this.paint.accent;
		ctx.globalAlpha = 0.75;
		for (let i = 0; i < n; i++) {
			const v = most ? lane.values[i] / most * (height - 4) : 0;
			if (v)
				ctx.fillRect(this.x(i), height - v, Math.max(this.x(i + 1) - this.x(i) - 0.3, 0.6), v);
		}
		ctx.globalAlpha = 1;
	}

	// Returns the peak as text. A peak of time is that of so many CPUs.
	peak(most) {
		const m = this.model, ns = m.p.head.sliceNs;
		if (ns && m.countsTime)
			return ["peak " + (most / ns).toFixed(1) + " CPUs", "in " + duration(ns)];
		return ["peak " + amount(m, most), "in " + duration(ns || 0)];
	}

	drawLane(lane, y) {
		const { ctx } = this, n = this.model.slices, most = lane.values.reduce((a, b) => Math.max(a, b), 0);
		this.label(lane.label, y + LANE / 2, ctx, this.chosen(lane));
		ctx.fillStyle = this.paint.track;
		ctx.fillRect(LABEL, y + 1, this.width - LABEL, LANE - 2);
		ctx.fillStyle = this.paint.accent;
		for (let i = 0; i < n; i++) {
			if (!lane.values[i])
				continue;
			ctx.globalAlpha = 0.2 + 0.8 * Math.sqrt(lane.values[i] / most);
			ctx.fillRect(this.x(i), y + 1, Math.max(this.x(i + 1) - this.x(i), 0.8), LANE - 2);
		}
		ctx.globalAlpha = 1;
	}

	// Draws the axis below the lanes, which may be scrolled.
	drawAxis() {
		const y = 0, ctx = this.axis.getContext("2d"), h = this.model.p.head, span = h.sliceNs * h.slices;
		this.size(this.axis, ctx, this.width, AXIS);
		ctx.fillStyle = this.paint.soft;
		ctx.fillRect(LABEL, y, this.width - LABEL, 1);
		if (this.hidden)
			this.label("and " + this.hidden + " more", y + AXIS / 2 + 1, ctx);
		if (!span)
			return;
		for (const [time, text] of ticks(0, span, this.width - LABEL)) {
			const x = LABEL + time / span * (this.width - LABEL);
			ctx.fillRect(x, y, 1, 4);
			if (x < this.width - 48)
				ctx.fillText(text, x + 3, y + AXIS / 2 + 1);
		}
	}

	slice(event) {
		const rect = this.canvas.getBoundingClientRect();
		const at = (event.clientX - rect.left - LABEL) / (this.width - LABEL) * this.model.slices;
		return Math.min(Math.max(at, 0), this.model.slices);
	}

	pickAt(e) {
		if (this.kind === "all" || !this.model.allTime)
			this.changed(0, this.model.slices);
		const lane = this.kind !== "all" && this.lanes[Math.floor((e.clientY - this.canvas.getBoundingClientRect().top) / LANE)];
		if (lane)
			this.picked(lane);
	}

	listen() {
		const c = this.canvas;
		let start = null;
		c.addEventListener("pointerdown", e => {
			if (e.button !== 0)
				return;
			start = this.slice(e);
			c.setPointerCapture(e.pointerId);
		});
		c.addEventListener("pointermove", e => {
			if (start === null)
				return;
			const at = this.slice(e);
			if (Math.abs(at - start) * (this.width - LABEL) / this.model.slices > 3)
				this.changed(Math.floor(Math.min(at, start)), Math.ceil(Math.max(at, start)));
		});
		c.addEventListener("pointerup", e => {
			const at = this.slice(e);
			if (start !== null && Math.abs(at - start) * (this.width - LABEL) / this.model.slices <= 3)
				this.pickAt(e);
			start = null;
		});
		c.addEventListener("keydown", e => this.key(e));
	}

	// Arrows move what is chosen, with Shift its end.
	key(e) {
		const m = this.model, by = e.key === "ArrowLeft" ? -1 : e.key === "ArrowRight" ? 1 : 0;
		const step = by * Math.max(Math.round(m.slices / 64), 1);
		if (!by || e.ctrlKey || e.altKey || e.metaKey)
			return;
		e.preventDefault();
		e.stopPropagation();
		const width = m.to - m.from;
		if (e.shiftKey)
			this.changed(m.from, Math.min(Math.max(m.to + step, m.from + 1), m.slices));
		else if (!m.allTime)
			this.changed(Math.min(Math.max(m.from + step, 0), m.slices - width),
				Math.min(Math.max(m.to + step, width), m.slices));
	}
}
