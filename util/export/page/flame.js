// SPDX-License-Identifier: GPL-2.0-or-later
//
// A flame graph on a canvas. Only what is wide enough to be seen is grown, laid out and drawn, at each
// frame anew: no element of the page stands for a function.

const ROW = 19;
const FONT = "12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const MIN_TEXT = 22;
const NARROW = 2; // In the order of time, no box of fewer pixels is drawn by itself.
const PAPER = [1000, 560]; // what there is room for on a page of paper, in its pixels

class FlameView {
	// The functions of on = {pick(v), tell(v, event), look(v), menu(event, v)} are called at a click, when the
	// pointer is over something, at a double click and at the right button.
	constructor(box, paint, on) {
		this.box = box;
		this.paint = paint;
		this.on = on;
		this.canvas = element("canvas", { tabIndex: 0 });
		this.canvas.setAttribute("role", "img");
		this.canvas.setAttribute("aria-label", "Flame graph");
		this.space = element("div", { className: "space" });
		box.append(this.canvas, this.space);
		this.ctx = this.canvas.getContext("2d");
		this.hanging = false; // the root is on top
		this.hit = null;
		this.rows = [];
		this.deepest = 0;
		this.moving = 0;
		this.pending = false;
		new ResizeObserver(() => this.resize()).observe(box);
		box.addEventListener("scroll", () => {
			if (this.tree && this.tree.timed)
				this.layout();
			this.ask();
		});
		this.listen();
	}

	show(tree, focus) {
		this.tree = tree;
		this.foot = tree.timed ? ROW : 0; // for an axis
		this.focus = focus || tree.root;
		this.selected = null;
		this.hover = null;
		[this.x0, this.x1] = this.span(this.focus);
		this.moving = 0;
		this.resize();
	}

	span(v) {
		return [v.x, v.x + Math.max(v.total, 1e-9)];
	}

	// ---- layout ----

	resize() {
		const width = this.box.clientWidth, height = this.box.clientHeight;
		if (!this.tree || !width || !height || this.onPaper)
			return;
		this.setSize(width, height, window.devicePixelRatio || 1);
		this.canvas.style.width = width + "px";
		this.canvas.style.height = height + "px";
		if (this.tree.timed) { // only lanes that are seen are laid out
			this.deepest = this.tree.deepest;
			this.fit(true);
			this.layout();
		} else {
			this.layout();
			this.fit(true);
		}
		this.draw();
	}

	setSize(width, height, ratio) {
		this.width = width;
		this.height = height;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.charWidth = 0;
	}

	// Draws for one page of paper, on which deep stacks are drawn smaller.
	print(on) {
		this.onPaper = on && this.tree && this.width > 0;
		if (!this.onPaper) {
			this.resize();
			return;
		}
		let scale = 1, height = 0;
		for (let i = 0; i < 4; i++) { // wider, more of it is seen
			this.width = PAPER[0] * scale;
			this.layout();
			height = (this.deepest + 1) * ROW + 4;
			scale = Math.min(Math.max(scale, height / PAPER[1]), 2.5);
		}
		height = Math.min(height, PAPER[1] * scale); // the rest of a tower is left out
		this.setSize(PAPER[0] * scale, height, Math.max(3 / scale, 1));
		this.layout();
		this.full = height;
		this.canvas.style.width = PAPER[0] + "px";
		this.canvas.style.height = "auto";
		this.draw();
	}

	// Makes the canvas as high as its rows are; a flame graph begins at the bottom.
	fit(begin) {
		const need = (this.deepest + 1) * ROW + 4 + this.foot;
		const gap = this.box.scrollHeight - this.box.scrollTop;
		this.full = Math.max(need, this.height);
		this.space.style.height = this.full - this.height + "px";
		if (begin)
			this.box.scrollTop = this.hanging ? 0 : this.full;
		else if (!this.hanging)
			this.box.scrollTop = this.box.scrollHeight - gap;
	}

	// Lists for each depth what is seen from left to right: [{v, x, w}].
	layout() {
		const scale = this.width / (this.x1 - this.x0), stack = [this.tree.root], rows = [];
		while (stack.length) {
			const v = stack.pop();
			if (v.levels && !this.isSeen(v))
				continue;
			if (v.chain) {
				this.layoutChain(rows, v);
				continue;
			}
			const left = Math.max((v.x - this.x0) * scale, 0);
			const right = Math.min((v.x + v.total - this.x0) * scale, this.width);
			if (right - left < 0.35)
				continue;
			const row = rows[v.depth] || (rows[v.depth] = []);
			const last = row[row.length - 1];
			// one is enough of those that share a pixel
			if (right - left < 1 && last && Math.floor(left) < last.x + last.w)
				continue;
			row.push({ v, x: left, w: right - left });
			if (v.total * scale < 1)
				continue;
			let kids = this.tree.kids(v);
			if (this.tree.blends)
				kids = this.blend(kids, scale);
			for (let i = kids.length - 1; i >= 0; i--)
				if (kids[i].x < this.x1 && kids[i].x + kids[i].total > this.x0)
					stack.push(kids[i]);
		}
		this.rows = rows;
		this.deepest = Math.max(rows.length - 1, this.tree.deepest || 0);
	}

	isSeen(lane) {
		const a = this.top(lane.depth), b = this.top(lane.depth + lane.levels);
		return this.onPaper || (Math.max(a, b) > -ROW && Math.min(a, b) < this.height);
	}

	// Joins narrow neighbours where the order is that of time; the one with most stands for them.
	blend(kids, scale) {
		const out = [];
		let group = null;
		for (const kid of kids) {
			if (kid.total * scale >= NARROW || kid.x > this.x1 || kid.x + kid.total < this.x0) {
				group = null;
				out.push(kid);
				continue;
			}
			if (!group || (kid.x + kid.total - group.x) * scale > NARROW * 1.5)
				out.push(group = { chain: kid, x: kid.x, total: 0 });
			group.total = kid.x + kid.total - group.x;
			if (kid.total > group.chain.total)
				group.chain = kid;
		}
		return out;
	}

	layoutChain(rows, group) {
		const scale = this.width / (this.x1 - this.x0);
		const x = Math.max((group.x - this.x0) * scale, 0), w = Math.max(group.total * scale, 0.8);
		for (const v of this.tree.chain(group.chain))
			(rows[v.depth] || (rows[v.depth] = [])).push({ v, x, w });
	}

	top(depth) {
		return (this.hanging ? depth * ROW + 2 : this.full - this.foot - (depth + 1) * ROW - 2) -
			(this.onPaper ? 0 : this.box.scrollTop);
	}

	// ---- drawing ----

	ask() {
		if (this.pending)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			this.pending = false;
			if (this.tree && this.width)
				this.draw();
		});
	}

	draw() {
		const { ctx, rows } = this;
		ctx.clearRect(0, 0, this.width, this.height);
		ctx.font = FONT;
		ctx.textBaseline = "middle";
		if (!this.charWidth)
			this.charWidth = ctx.measureText("mmmmmmmmmm").width / 10;
		const faded = new Set();
		for (let v = this.focus.up; v; v = v.up)
			faded.add(v);
		for (const lane of this.tree.lanes || [])
			this.drawLane(lane);
		for (let depth = 0; depth < rows.length; depth++) {
			const y = this.top(depth);
			if (!rows[depth] || y > this.height || y < -ROW)
				continue;
			for (const box of rows[depth])
				this.drawBox(box, y, faded.has(box.v));
		}
		ctx.globalAlpha = 1;
		if (this.tree.timed)
			this.drawTimes();
		this.outline(this.hover, false);
		this.outline(this.selected, true);
	}

	// Draws the background of a lane, which is seen where nothing ran.
	drawLane(lane) {
		const a = this.top(lane.depth), b = this.top(lane.depth + lane.levels);
		this.ctx.fillStyle = this.paint.track;
		this.ctx.fillRect(0, Math.min(a, b), this.width, Math.abs(b - a) + ROW - 1);
	}

	// Draws the axis, which stays where it is.
	drawTimes() {
		const { ctx, paint } = this, m = paint.model, ns = m.p.head.sliceNs, y = (this.onPaper ? this.full : this.height) - this.foot;
		const scale = this.width / (this.x1 - this.x0) / (ns || 1), from = m.time(this.x0);
		ctx.clearRect(0, y, this.width, this.foot);
		ctx.fillStyle = paint.soft;
		ctx.fillRect(0, y, this.width, 1);
		for (const [t, text] of ticks(from, m.time(this.x1), this.width)) {
			ctx.fillRect((t - from) * scale, y, 1, 5);
			ctx.fillText(text, (t - from) * scale + 4, y + this.foot / 2 + 1);
		}
	}

	drawBox(box, y, faded) {
		const { ctx } = this, { v, x, w } = box, f = v.frame;
		const found = this.hit && f >= 0 && this.hit[f];
		ctx.globalAlpha = faded ? 0.45 : this.hit && !found && f >= 0 ? 0.32 : 1;
		ctx.fillStyle = found ? this.paint.hitColour : this.paint.ofNode(v);
		ctx.fillRect(x, y, w > 3 ? w - 1 : w, ROW - 1);
		if (w < MIN_TEXT)
			return;
		ctx.globalAlpha = faded ? 0.7 : this.hit && !found && f >= 0 ? 0.75 : 1;
		ctx.fillStyle = ctx.globalAlpha < 1 ? this.paint.ink : "#1a1a1a";
		const room = Math.floor((w - 7) / this.charWidth);
		const name = nameOf(v, this);
		ctx.fillText(name.length <= room ? name : room > 2 ? name.slice(0, room - 1) + "\u2026" : "", x + 4,
			y + ROW / 2);
	}

	rootName() {
		return "all: " + amount(this.paint.model, this.paint.model.sum);
	}

	outline(v, strong) {
		if (!v)
			return;
		const box = (this.rows[v.depth] || []).find(b => b.v === v);
		if (!box)
			return;
		this.ctx.strokeStyle = this.paint.ink;
		this.ctx.lineWidth = strong ? 2 : 1;
		this.ctx.strokeRect(box.x + 0.5, this.top(v.depth) + 0.5, Math.max(box.w - 2, 1), ROW - 2);
	}

	// Returns the nodes that are drawn and match.
	matches() {
		return this.rows.flatMap(row => row || []).map(box => box.v).filter(v => v.frame >= 0 && this.hit && this.hit[v.frame]);
	}

	// ---- moving ----

	zoom(v, quick) {
		this.focus = v;
		this.move(...this.span(v), quick);
	}

	move(x0, x1, quick) {
		const a = [this.x0, this.x1], b = [x0, x1], start = performance.now();
		const still = quick || matchMedia("(prefers-reduced-motion: reduce)").matches;
		const id = ++this.moving;
		const step = now => {
			if (id !== this.moving)
				return;
			const t = still ? 1 : Math.min((now - start) / 160, 1), e = 1 - (1 - t) ** 3;
			this.x0 = a[0] + (b[0] - a[0]) * e;
			this.x1 = a[1] + (b[1] - a[1]) * e;
			this.layout();
			if (t === 1)
				this.fit(false);
			this.draw();
			if (t < 1)
				requestAnimationFrame(step);
		};
		if (still)
			step(start);
		else
			requestAnimationFrame(step);
	}

	// Keeps the line within what there is.
	pan(x0, x1) {
		const [low, high] = this.span(this.tree.root), width = Math.min(x1 - x0, high - low);
		x0 = Math.min(Math.max(x0, low), high - width);
		this.move(x0, x0 + width, true);
	}

	at(event) {
		const rect = this.canvas.getBoundingClientRect(), x = event.clientX - rect.left;
		const y = event.clientY - rect.top + this.box.scrollTop;
		const depth = Math.floor((this.hanging ? y - 2 : this.full - this.foot - 2 - y) / ROW);
		const row = this.rows[depth] || [];
		let low = 0, high = row.length;
		while (low < high) {
			const mid = low + high >> 1;
			if (row[mid].x + Math.max(row[mid].w, 1) > x)
				high = mid;
			else
				low = mid + 1;
		}
		return low < row.length && row[low].x <= x ? row[low].v : null;
	}

	select(v) {
		this.selected = v;
		this.reveal(v);
		this.ask();
		this.on.tell(v, null);
	}

	reveal(v) {
		const y = this.top(v.depth);
		if (y < 0)
			this.box.scrollTop += y - 4;
		else if (y > this.height - ROW)
			this.box.scrollTop += y - this.height + ROW + 4;
	}

	// ---- pointer and keys ----

	listen() {
		const c = this.canvas;
		let drag = null, dragged = false;
		c.addEventListener("pointerdown", e => {
			dragged = false;
			if (e.button === 0)
				drag = { x: e.clientX, y: e.clientY, x0: this.x0, x1: this.x1, scroll: this.box.scrollTop };
		});
		c.addEventListener("pointermove", e => {
			if (drag && e.buttons && (dragged || Math.abs(e.clientX - drag.x) + Math.abs(e.clientY - drag.y) > 5)) {
				if (!dragged)
					c.setPointerCapture(e.pointerId);
				dragged = true;
				const by = (drag.x - e.clientX) / this.width * (drag.x1 - drag.x0);
				this.box.scrollTop = drag.scroll + drag.y - e.clientY;
				this.pan(drag.x0 + by, drag.x1 + by);
				this.on.tell(null, e);
				return;
			}
			const v = this.at(e);
			if (v !== this.hover) {
				this.hover = v;
				this.ask();
			}
			this.on.tell(v, e);
		});
		c.addEventListener("pointerleave", e => {
			this.hover = null;
			this.ask();
			this.on.tell(null, e);
		});
		c.addEventListener("pointerup", e => {
			const v = !dragged && drag && e.button === 0 ? this.at(e) : null;
			drag = null;
			if (v)
				this.on.pick(v);
		});
		c.addEventListener("dblclick", e => {
			const v = this.at(e);
			if (v && v.frame >= 0)
				this.on.look(v);
		});
		c.addEventListener("wheel", e => {
			if (!e.ctrlKey && !e.metaKey && !e.deltaX)
				return;
			e.preventDefault();
			const width = this.x1 - this.x0;
			if (!e.ctrlKey && !e.metaKey) {
				this.pan(this.x0 + e.deltaX / this.width * width, this.x1 + e.deltaX / this.width * width);
				return;
			}
			const at = (e.clientX - c.getBoundingClientRect().left) / this.width;
			const whole = this.span(this.tree.root);
			const next = Math.min(width * Math.exp(e.deltaY * 0.004), whole[1] - whole[0]);
			if (next > (whole[1] - whole[0]) * 1e-7)
				this.pan(this.x0 + (width - next) * at, this.x0 + (width - next) * at + next);
		}, { passive: false });
		c.addEventListener("contextmenu", e => this.on.menu(e, this.at(e)));
		c.addEventListener("keydown", e => this.key(e));
	}

	key(e) {
		const v = this.selected || this.focus, siblings = v.up ? this.tree.kids(v.up) : [v];
		const away = this.hanging ? "ArrowDown" : "ArrowUp", back = this.hanging ? "ArrowUp" : "ArrowDown";
		let next = null;
		if (e.ctrlKey || e.altKey || e.metaKey)
			return;
		if (e.key === away)
			next = heaviest(this.tree.kids(v));
		else if (e.key === back)
			next = v.up;
		else if (e.key === "ArrowLeft")
			next = siblings[siblings.indexOf(v) - 1];
		else if (e.key === "ArrowRight")
			next = siblings[siblings.indexOf(v) + 1];
		else if (e.key === "Enter")
			this.on.pick(v);
		else
			return;
		e.preventDefault();
		e.stopPropagation();
		if (next)
			this.select(next);
	}
}

function nameOf(v, view) {
	if (v.label !== undefined || v.frame < 0)
		return v.label !== undefined ? v.label : view.rootName();
	return nameWithRun(view.paint.model, v);
}

// Returns the name of a node. That of a run of frames without symbols has their number.
function nameWithRun(model, v) {
	const run = model.runOf(v);
	return model.name(v.frame) + (run > 1 ? " \u00d7" + run : "");
}

function heaviest(kids) {
	return kids.reduce((a, b) => !a || b.total > a.total ? b : a, null);
}
