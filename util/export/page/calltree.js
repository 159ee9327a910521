// SPDX-License-Identifier: GPL-2.0-or-later
//
// The call tree as a table: every line can be opened to show what it calls or, reversed, what calls it.

class TreeTable extends Table {
	// The rows come in their order.
	show(rows) {
		this.rows = rows;
		this.fill();
	}

	key(e) {
		const row = this.rows.find(r => r.id === this.selected);
		const act = { ArrowRight: "open", ArrowLeft: "close", "*": "openAll" }[e.key];
		if (!row || !act || e.ctrlKey || e.altKey || e.metaKey)
			return super.key(e);
		this.on[act](row);
		e.preventDefault();
		e.stopPropagation();
	}

	reveal(row) {
		const top = this.rows.indexOf(row) * LINE;
		if (top < this.scroll.scrollTop || top > this.scroll.scrollTop + this.scroll.clientHeight - LINE)
			this.scroll.scrollTop = top - this.scroll.clientHeight / 2;
	}
}

const MOST_OPENED = 2000; // lines that are opened at once

class CallTreePanel {
	constructor(app) {
		const { model } = app, share = (title, value) => [
			{ title, key: "share", value, text: r => percent(value(r), model.sum), share: r => value(r) / model.sum },
			{ title: "", key: "amount", value, text: r => shortAmount(model, value(r)) }];
		this.app = app;
		this.table = new TreeTable([...share("Total", r => r.v.total), ...share("Self", r => this.selfOf(r.v)),
			{ title: "Function", key: "name", value: r => r.v.frame, text: () => "", make: r => this.name(r),
				hint: r => model.name(r.v.frame) },
			{ title: "Object", key: "object", value: r => r.v.frame, text: r => model.object(r.v.frame).slice(0, 200) },
		], {
			pick: row => app.setFunction(row.v.frame),
			look: row => this.toggle(row),
			open: row => this.step(row, row.v.open ? 1 : 0) || this.open(row),
			close: row => row.v.open ? this.toggle(row) : this.select(this.rowOf(row.v.up)),
			openAll: row => this.openBelow(row.v),
			menu: (e, row) => app.actions.open(e, app.actions.target(row.v, this.tree)),
		});
		this.table.empty = "There are no samples.";
		this.box = element("div", { className: "panel calltree" },
			element("div", { className: "bar-line soft" }, element("span", { textContent:
				"Arrows open and close, * opens all below, right click: what can be done" }),
				element("span", { className: "soft right", textContent: model.chains ? SUMS : "" })), this.table.box);
	}

	// Returns what a row counts itself: where stacks are reversed, the innermost functions have it all.
	selfOf(v) {
		return !this.app.state.reverse ? v.self : v.depth === this.tree.topDepth + 1 ? v.total : 0;
	}

	name(row) {
		const { v } = row, { model } = this.app, more = this.hasKids(v);
		const twist = element("span", { className: "twist", textContent: more ? v.open ? "\u25be" : "\u25b8" : "" });
		twist.addEventListener("click", e => {
			e.stopPropagation();
			this.toggle(row);
		});
		// Rows that are deep are not moved out of sight.
		twist.style.marginLeft = Math.min(v.depth - 1, 40) * 12 + "px";
		return [twist, nameWithRun(model, v).slice(0, 500)];
	}

	hasKids(v) {
		return v.kids ? v.kids.length > 0 : this.tree.kids(v).length > 0;
	}

	makeTree() {
		const { state, model } = this.app;
		return state.reverse ? new CallerTree(model, true) : callTree(model, true);
	}

	// Shows the tree anew. Rows that were open stay open, as far as they are there.
	update() {
		const before = this.tree, selected = before && this.table.selected ? framesOf(this.table.selected) : this.app.state.zoom;
		const kind = before && before.constructor, tree = this.tree = this.makeTree();
		if (before && kind === tree.constructor)
			this.reopen(before.root, tree.root);
		else
			this.openHeavy(tree.root);
		this.fill();
		const v = tree.find(selected);
		this.table.selected = v.up ? v : null;
		this.fill();
	}

	reopen(old, now) {
		now.open = true;
		for (const kid of old.kids || []) {
			const same = kid.open && this.tree.kids(now).find(k => k.frame === kid.frame);
			if (same)
				this.reopen(kid, same);
		}
	}

	// Opens the path with most, down to where it divides.
	openHeavy(root) {
		for (let v = root; v; v = heaviest(this.tree.kids(v))) {
			v.open = true;
			if (v.up && v.total < root.total / 2)
				break;
		}
	}

	fill() {
		const rows = [], add = v => {
			for (const kid of this.tree.kids(v)) {
				rows.push({ id: kid, v: kid, order: rows.length });
				if (kid.open)
					add(kid);
			}
		};
		add(this.tree.root);
		this.table.show(rows);
	}

	rowOf(v) {
		return this.table.rows.find(r => r.v === v);
	}

	select(row) {
		if (!row)
			return;
		this.table.reveal(row);
		this.table.pick(row);
	}

	// Selects the row that is some lines further down, or returns false where there is none.
	step(row, by) {
		const next = by && this.table.rows[this.table.rows.indexOf(row) + by];
		if (next)
			this.select(next);
		return Boolean(next);
	}

	open(row) {
		if (!row.v.open && this.hasKids(row.v))
			this.toggle(row);
	}

	toggle(row) {
		row.v.open = !row.v.open && this.hasKids(row.v);
		this.fill();
	}

	openBelow(v) {
		const todo = [v];
		for (let n = 0; n < MOST_OPENED && todo.length; n++) {
			const next = todo.shift();
			next.open = this.hasKids(next);
			todo.push(...this.tree.kids(next));
		}
		this.fill();
	}

	current() {
		const v = this.table.selected;
		return v ? this.app.actions.target(v, this.tree) : null;
	}

	show() {
		this.update();
	}
}
