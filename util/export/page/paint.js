// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames have colours by their kind of code, by object or by function, in two palettes and two themes.

// These are hue, saturation and lightness of the kinds, in the order of KINDS.
const KIND_COLOURS = {
	// these are the colours of the picture, too (util/export/svg.c)
	usual: [[0, 0, 76], [42, 88, 64], [212, 62, 70], [188, 50, 66], [105, 45, 64], [285, 45, 76],
		[240, 45, 76], [20, 70, 74], [330, 45, 74], [42, 20, 86], [10, 62, 76]],
	// people who cannot tell red from green can tell these apart
	blind: [[0, 0, 66], [41, 92, 58], [202, 78, 60], [327, 46, 70], [164, 72, 44], [55, 86, 64],
		[26, 90, 56], [202, 60, 80], [0, 0, 50], [210, 12, 76], [14, 55, 82]],
};

function hash(text) {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	return (h ^ h >>> 13) >>> 0;
}

class Paint {
	constructor(model) {
		this.model = model;
		this.by = "kind";
		this.blind = false;
		this.dark = false;
		this.set({});
		// Objects with most in them get hues that are far from each other, whatever is looked at later.
		const m = model, sums = new Map(), selves = m.frameSelf;
		for (let f = 0; f < m.p.nrFrames; f++)
			sums.set(m.p.frameDso[f], (sums.get(m.p.frameDso[f]) || 0) + selves[f]);
		this.objects = new Map([...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a) || a - b)
			.map((dso, i) => [dso, i]));
	}

	set(changes) {
		Object.assign(this, changes);
		this.cache = new Array(this.model.p.nrFrames).fill("");
	}

	css(name) {
		return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
	}

	// Returns the colour of a node. A function has one colour, unless colours tell how it changed.
	ofNode(v) {
		return this.by === "change" && v.frame >= 0 ? this.ofChange(this.model.changeOf(v), this.model.noiseOf(v)) :
			this.of(v.frame);
	}

	// Returns red for more than before and blue for less; what may be chance is grey.
	ofChange(change, noise) {
		const part = Math.sqrt(Math.min(Math.abs(change) / this.model.most, 1));
		if (Math.abs(change) <= noise)
			return this.hsl(220, 4, 80);
		return this.hsl(change < 0 ? 212 : this.blind ? 32 : 6, Math.round(40 + 45 * part), Math.round(88 - 26 * part));
	}

	hsl(h, s, l) {
		return `hsl(${h} ${s}% ${this.dark ? l - 6 : l}%)`;
	}

	objectHue(object) {
		return (this.objects.get(object) * 137.508 + 36) % 360;
	}

	// Returns the colour of a frame, or of the root (-1).
	of(frame) {
		if (frame < 0)
			return this.hsl(220, 8, 74);
		if (!this.cache[frame])
			this.cache[frame] = this.make(frame);
		return this.cache[frame];
	}

	make(frame) {
		const m = this.model, h = hash(m.name(frame));
		if (this.by === "change")
			return this.ofChange(m.changeOfFrame(frame), m.noiseOfFrame(frame));
		const shade = h % 9 - 4;
		if (this.by === "object" && m.isFunction(frame))
			return this.hsl(this.objectHue(m.p.frameDso[frame]).toFixed(0), this.blind ? 44 : 56, 68 + shade);
		if (this.by === "function")
			return this.blind ? this.hsl(202 + h % 2 * 200, 60, 56 + (h >> 3) % 24) :
				this.hsl((h >> 4) % 55 + 5, 82, 64 + shade);
		const [hue, saturation, light] = this.kindColour(m.kind(frame));
		return this.hsl(hue + (this.blind ? 0 : (h >> 5) % 9 - 4), saturation, light + shade);
	}

	kindColour(kind) {
		return KIND_COLOURS[this.blind ? "blind" : "usual"][kind];
	}

	// Returns what colours mean: [[colour, text]..].
	legend() {
		const m = this.model, seen = new Map(), selves = m.frameSelf, totals = m.frameTotal;
		if (this.by === "change")
			return [[this.ofChange(m.most, 0), "more than before"], [this.ofChange(-m.most, 0), "less"],
				[this.ofChange(0, 0), "within the noise"]];
		if (this.by === "function")
			return [];
		for (let f = 0; f < m.p.nrFrames; f++) {
			const key = this.by === "kind" ? m.kind(f) : m.p.frameDso[f];
			if (totals[f])
				seen.set(key, (seen.get(key) || 0) + selves[f]);
		}
		if (this.by === "kind" && m.grouped)
			seen.set(KINDS.indexOf("thread"), 0);
		return [...seen.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 8).map(([key]) =>
			this.by === "kind" ? [this.hsl(...this.kindColour(key)), KINDS[key]] :
				[this.hsl(this.objectHue(key).toFixed(0), this.blind ? 44 : 56, 68), m.p.texts[key] || "unknown"]);
	}
}
