// SPDX-License-Identifier: GPL-2.0-or-later
//
// A table may have any length: only the rows that are seen are elements of the page.

const LINE = 24;

function element(name, properties = {}, ...children) {
	const e = Object.assign(document.createElement(name), properties);
	e.append(...children);
	return e;
}

class Table {
	// The columns are [{title, key, number, text(row), value(row), share(row), soft(row), make(row): elements}].
	// The functions pick(row), look(row) and menu(event, row) of on are called for what the user does.
	constructor(columns, on) {
		this.columns = columns;
		this.on = on;
		this.rows = [];
		this.sortBy = columns.find(c => c.first) || columns[0];
		this.down = true;
		this.selected = null;
		this.head = element("div", { className: "line head" });
		this.head.setAttribute("role", "row");
		this.body = element("div", { className: "lines" });
		this.scroll = element("div", { className: "scroll", tabIndex: 0 }, this.body);
		this.box = element("div", { className: "table" }, this.head, this.scroll);
		this.box.setAttribute("role", "table");
		this.empty = "";
		for (const c of columns)
			this.head.append(this.title(c));
		this.scroll.addEventListener("scroll", () => this.fill());
		this.scroll.addEventListener("keydown", e => this.key(e));
		new ResizeObserver(() => this.fill()).observe(this.scroll);
	}

	title(c) {
		const b = element("button", { type: "button", textContent: c.title, className: "cell " + c.key });
		b.setAttribute("role", "columnheader");
		b.addEventListener("click", () => {
			this.down = this.sortBy === c ? !this.down : c.number;
			this.sortBy = c;
			this.show(this.rows);
			if (this.on.sorted)
				this.on.sorted();
		});
		c.button = b;
		return b;
	}

	show(rows) {
		const c = this.sortBy, sign = this.down ? -1 : 1;
		this.rows = rows.slice().sort((a, b) => {
			const x = c.value(a), y = c.value(b);
			return (x < y ? -sign : x > y ? sign : 0) || a.order - b.order;
		});
		for (const column of this.columns)
			column.button.setAttribute("aria-sort", column !== c ? "none" : this.down ? "descending" : "ascending");
		this.fill();
	}

	cell(c, row) {
		const e = element("span", { className: "cell " + c.key + (c.soft && c.soft(row) ? " soft" : ""),
			textContent: c.text(row) });
		if (c.make)
			e.append(...c.make(row));
		if (c.hint)
			e.title = c.hint(row).slice(0, 2000);
		if (c.share) {
			const bar = element("span", { className: "bar" });
			bar.style.width = Math.min(c.share(row) * 100, 100) + "%";
			e.append(bar);
		}
		return e;
	}

	line(row, i) {
		const e = element("div", { className: "line" + (row.id === this.selected ? " selected" : "") });
		e.setAttribute("role", "row");
		e.style.top = i * LINE + "px";
		e.append(...this.columns.map(c => this.cell(c, row)));
		e.addEventListener("click", () => this.pick(row));
		e.addEventListener("dblclick", () => this.on.look && this.on.look(row));
		if (this.on.menu)
			e.addEventListener("contextmenu", event => {
				this.pick(row);
				this.on.menu(event, row);
			});
		return e;
	}

	pick(row) {
		this.selected = row.id;
		this.fill();
		if (this.on.pick)
			this.on.pick(row);
	}

	// Makes the rows that are seen, or all of them for paper.
	fill(all) {
		const height = this.scroll.clientHeight, first = all ? 0 : Math.max(Math.floor(this.scroll.scrollTop / LINE) - 4, 0);
		const last = Math.min(all ? 100 : Math.ceil((this.scroll.scrollTop + height) / LINE) + 4, this.rows.length);
		const lines = [];
		for (let i = first; i < last; i++)
			lines.push(this.line(this.rows[i], i));
		this.body.style.height = (all ? last : this.rows.length) * LINE + "px";
		if (!this.rows.length && this.empty)
			lines.push(element("p", { className: "empty", textContent: this.empty }));
		this.body.replaceChildren(...lines);
	}

	key(e) {
		const at = this.rows.findIndex(r => r.id === this.selected);
		const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[e.key];
		if (e.ctrlKey || e.altKey || e.metaKey || !this.rows.length)
			return;
		if (by) {
			const next = Math.min(Math.max(at + by, 0), this.rows.length - 1);
			const top = next * LINE;
			if (top < this.scroll.scrollTop)
				this.scroll.scrollTop = top;
			else if (top > this.scroll.scrollTop + this.scroll.clientHeight - LINE)
				this.scroll.scrollTop = top - this.scroll.clientHeight + LINE;
			this.pick(this.rows[next]);
		} else if (e.key === "Enter" && at >= 0 && this.on.look) {
			this.on.look(this.rows[at]);
		} else {
			return;
		}
		e.preventDefault();
		e.stopPropagation();
	}
}
