// SPDX-License-Identifier: GPL-2.0-or-later
//
// Functions can be transformed by the menu at the right button and by keys; crumbs show what was done. The
// letters of transforms are those of STEPS.

const TRANSFORMS = [
	{ code: "f", key: "f", text: "Focus on function", crumb: "only" },
	{ code: "s", key: "S", text: "Focus on subtree", crumb: "subtree of", path: true },
	{ code: "m", key: "m", text: "Merge function into its callers", crumb: "merged" },
	{ code: "c", key: "c", text: "Collapse function", crumb: "collapsed" },
	{ code: "l", key: "C", text: "Collapse library", crumb: "collapsed", object: true },
	{ code: "r", key: "r", text: "Collapse recursion", crumb: "recursion collapsed" },
	{ code: "R", key: "R", text: "Collapse direct recursion", crumb: "direct recursion collapsed" },
	{ code: "d", key: "d", text: "Drop samples with function", crumb: "without" },
];

// This one focuses on a subtree of a tree that begins with the innermost function.
const INVERTED = { code: "i", crumb: "stacks that end in" };

function crumbOf(step) {
	const how = [...TRANSFORMS, INVERTED].find(t => t.code === step.text[0]), path = step.text.slice(1).split(".");
	const frame = Number(path[path.length - 1]), p = step.before;
	return how.crumb + " " + (how.object ? p.texts[p.frameDso[frame]] || "no object" : p.texts[p.frameName[frame]]);
}

async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch { // not allowed here: as a selection
		const area = element("textarea", { value: text, className: "unseen" });
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
}

class Menu {
	constructor(box) {
		this.box = box;
		box.addEventListener("keydown", e => this.key(e));
		box.addEventListener("click", () => this.close());
		document.addEventListener("pointerdown", e => box.contains(e.target) || this.close());
		addEventListener("blur", () => this.close());
	}

	// Opens the menu with items [text, key, function]; null is a line between them.
	open(x, y, title, items) {
		this.back = document.activeElement;
		this.box.replaceChildren(element("div", { className: "menu-title", textContent: title.slice(0, 200) }),
			...items.map(item => item ? this.item(...item) : element("hr")));
		this.box.hidden = false;
		const size = this.box.getBoundingClientRect();
		this.box.style.left = Math.max(Math.min(x, innerWidth - size.width - 4), 4) + "px";
		this.box.style.top = Math.max(Math.min(y, innerHeight - size.height - 4), 4) + "px";
		this.box.querySelector("button").focus();
	}

	item(text, key, act) {
		const b = element("button", { type: "button" }, element("span", { textContent: text.slice(0, 120) }),
			element("kbd", { textContent: key }));
		b.setAttribute("role", "menuitem");
		b.addEventListener("click", act);
		return b;
	}

	close() {
		if (this.box.hidden)
			return;
		this.box.hidden = true;
		if (this.back)
			this.back.focus({ preventScroll: true });
	}

	key(e) {
		const list = [...this.box.querySelectorAll("button")], at = list.indexOf(document.activeElement);
		const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
		if (by)
			list[(at + by + list.length) % list.length].focus();
		else if (e.key === "Escape")
			this.close();
		else if (e.key === "Enter" || e.key === " ")
			return; // the button's own
		else if (e.key.length === 1 && !e.ctrlKey && !e.altKey && !e.metaKey)
			list.filter(b => b.querySelector("kbd").textContent === e.key).forEach(b => b.click());
		else
			return;
		e.preventDefault();
		e.stopPropagation();
	}
}

// These are the actions on functions. A target is {frame, path, inverted}; its path has the frames from the
// root of the tree.
class Actions {
	constructor(app) {
		this.app = app;
		this.done = []; // the transforms before each change
		this.menu = new Menu($("menu"));
	}

	// Returns the target that a node of a tree is, or null.
	target(v, tree) {
		const m = this.app.model, all = framesOf(v).filter(f => f >= 0 && !m.isGroup(f));
		return v.frame < 0 ? null : { frame: v.frame, path: tree.root.frame < 0 ? all : null,
			inverted: tree instanceof CallerTree };
	}

	// Returns what can be done with a target, as items of the menu.
	items(target) {
		const { app } = this, m = app.model, { frame } = target;
		if (m.isGroup(frame))
			return [["Look at it alone", "f", () => app.chooseGroup(frame)]];
		const possible = TRANSFORMS.filter(t => !t.path || target.path);
		return [...possible.map(t => [t.object ? t.text + " " + (m.object(frame) || "(none)") : t.text, t.key,
			() => this.apply(t, target)]), null,
		["Callers and callees", "b", () => app.lookAt(frame)],
		["Find everywhere", "e", () => app.findFrame(frame)], null,
		["Copy name", "y", () => copyText(m.name(frame))],
		...target.path ? [["Copy stack", "Y", () => copyText(this.stack(target))]] : []];
	}

	// Returns the stack of a target as text, the outermost function first.
	stack(target) {
		const names = target.path.map(f => this.app.model.name(f));
		return (target.inverted ? names.reverse() : names).join("\n") + "\n";
	}

	open(event, target) {
		event.preventDefault();
		this.app.tell(null, event);
		if (target)
			this.menu.open(event.clientX, event.clientY, this.app.model.name(target.frame), this.items(target));
	}

	// Does what a key means; returns false when it means nothing here.
	key(key, target) {
		const item = target && this.items(target).find(i => i && i[1] === key);
		if (!item)
			return false;
		item[2]();
		return true;
	}

	apply(how, target) {
		const code = how.path && target.inverted ? INVERTED.code : how.code;
		const text = code + (how.path ? target.path.join(".") : target.frame), s = this.app.state;
		const zoom = how.code === "m" ? s.zoom.filter(f => f !== target.frame) : how.code === "s" || how.code === "f" ? [] : s.zoom;
		this.set([...s.transforms ? s.transforms.split("~") : [], text], { zoom });
	}

	set(steps, changes = {}) {
		this.done.push(this.app.state.transforms);
		this.app.change({ ...changes, transforms: steps.join("~") });
		this.app.pushState();
	}

	undo() {
		if (this.done.length) {
			this.app.change({ transforms: this.done.pop() });
			this.app.pushState();
		}
	}

	// Shows a crumb for each transform; a click on it takes the transform back.
	showCrumbs() {
		const { steps } = this.app.model;
		$("crumbs").hidden = !steps.length;
		$("crumbs").replaceChildren(...steps.map((step, i) => {
			const text = crumbOf(step), b = element("button", { type: "button", className: "crumb",
				textContent: text.slice(0, 80) + " \u2715", title: "Take back: " + text.slice(0, 1000) });
			b.addEventListener("click", () => this.set(this.without(steps, i)));
			return b;
		}), element("button", { type: "button", textContent: "All samples", title: "Take back all of it",
			onclick: () => this.set([]) }),
		element("button", { type: "button", textContent: "Undo", title: "Take back the last change (z)",
			disabled: !this.done.length, onclick: () => this.undo() }));
	}

	// Returns the steps without one of them. A step on a frame that it made, that of a library, goes with it.
	without(steps, at) {
		const own = steps[at].text[0] === "l" ? steps[at].before.nrFrames : -1;
		const number = f => own < 0 || f < own ? f : f - 1;
		return steps.filter((step, i) => i !== at).map((step, i) => [step.text, i >= at]).filter(([text, later]) =>
			!later || !text.slice(1).split(".").map(Number).includes(own)).map(([text, later]) => !later ? text :
			text[0] + text.slice(1).split(".").map(Number).map(number).join("."));
	}
}
