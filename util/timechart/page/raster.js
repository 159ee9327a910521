// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lanes are drawn pixel by pixel into memory and put onto the canvas at once, because a page of lanes has
// some 100000 columns, which would take too long as rectangles.

// The colours of the kinds go with both themes.
const COLOURS = { [RUNNING]: "#2f6fde", [RUNNABLE]: "#e0b000", [SLEEPING]: "#b9bec7", [BLOCKED]: "#d64545",
	[IDLE]: "#f2c9c9", [INTERRUPT]: "#8a3fc0", [SOFTIRQ]: "#20a0a0", [FREQUENCY]: "#3d9a4a" };
const DEPTHS = ["#f9dede", "#f2b8b8", "#ea9090", "#df6b6b", "#cf4747", "#b52525"];
const HIGHLIGHT = "#f08000", CHOSEN = "#12b886";

// Runs of different tasks that follow each other on a CPU have different shades.
const RUNS = [COLOURS[RUNNING], "#5a90ec", "#2456b4", "#7fabf3", "#3a66b8"];

// In a column that several kinds share they are stacked in this order, from the bottom. Each has at least a
// pixel, so that short runs and waits do not vanish. What is left is the rest's: sleeping or idle.
const STACKED = [RUNNING, BLOCKED, RUNNABLE, INTERRUPT, SOFTIRQ, FREQUENCY];

// Returns the colour "#rrggbb" as one pixel.
function pixelOf(colour) {
	const v = parseInt(colour.slice(1), 16);
	return (0xff000000 | (v & 255) << 16 | v & 0xff00 | v >> 16) >>> 0;
}

class Raster {
	constructor() {
		this.column = new Float64Array(KINDS.length); // the sums of the one that is drawn
		this.depths = DEPTHS.map(pixelOf);
		this.highlight = pixelOf(HIGHLIGHT);
		this.chosen = pixelOf(CHOSEN);
		this.runs = RUNS.map(pixelOf);
		this.colours = KINDS.map((_, kind) => COLOURS[kind] ? pixelOf(COLOURS[kind]) : 0);
	}

	// Begins a picture: all is transparent.
	begin(ctx, width, height) {
		if (!this.image || this.image.width !== width || this.image.height !== height) {
			this.image = ctx.createImageData(width, height);
			this.pixels = new Uint32Array(this.image.data.buffer);
		} else {
			this.pixels.fill(0);
		}
		this.width = width;
		this.height = height;
	}

	// Fills the columns from x to end in the rows from top to bottom, as far as they are in the picture.
	fill(x, end, top, bottom, pixel) {
		for (let y = Math.max(top, 0); y < Math.min(bottom, this.height); y++)
			this.pixels.fill(pixel, y * this.width + x, y * this.width + end);
	}

	// Draws the lane from the time t0 at the column left to the end of the picture. One column is scale ns;
	// look.running(i) tells the colour of a run, look.mixed that of runs in shared columns, look.named(i, x, end)
	// is called for those that may have room for a name, look.depths shows idle states, and look.levels the values of
	// runs as heights.
	lane(lane, left, top, bottom, t0, scale, look) {
		let i = lane.find(t0);
		for (let x = left; lane.nr && x < this.width;) {
			const a = t0 + (x - left) * scale, b = a + scale, last = i >= 0 ? lane.endOf(i) : lane.starts[0];
			if (a >= lane.end)
				return;
			if (last >= b) { // one interval has the whole column, and maybe more
				const end = Math.min(this.width, left + Math.floor((last - t0) / scale));
				if (i >= 0)
					this.whole(lane, i, x, Math.max(end, x + 1), top, bottom, look);
				x = Math.max(end, x + 1);
			} else {
				const j = lane.find(b, Math.max(i, 0));
				lane.sumsBetween(a, i, b, j, this.column);
				this.shares(x, top, bottom, scale, look);
				x++;
			}
			i = lane.find(t0 + (x - left) * scale, Math.max(i, 0));
		}
	}

	// Draws the sums of several lanes: in each column every kind has its share of the time of all of them.
	sums(lanes, left, top, bottom, t0, scale) {
		const width = Math.max(this.width - left, 0), nr = KINDS.length, sums = new Float64Array(width * nr);
		for (const lane of lanes)
			this.addLane(lane, sums, width, t0, scale);
		for (let x = 0; x < width; x++) {
			this.column.set(sums.subarray(x * nr, (x + 1) * nr));
			this.shares(left + x, top, bottom, scale * lanes.length, { mixed: this.colours[RUNNING] });
		}
	}

	// Adds how long a lane was of each kind in each column.
	addLane(lane, sums, width, t0, scale) {
		const nr = KINDS.length;
		let i = lane.find(t0);
		for (let x = 0; lane.nr && x < width; x++) {
			const a = t0 + x * scale, b = a + scale;
			if (a >= lane.end)
				return;
			if (i >= 0 && lane.endOf(i) >= b) {
				sums[x * nr + lane.kinds[i]] += scale;
				continue;
			}
			const j = lane.find(b, Math.max(i, 0));
			lane.sumsBetween(a, i, b, j, this.column);
			for (let k = 0; k < nr; k++)
				sums[x * nr + k] += this.column[k];
			i = j;
		}
	}

	// Draws an interval that is at least a column wide.
	whole(lane, i, x, end, top, bottom, look) {
		const kind = lane.kinds[i], value = lane.values[i];
		if (kind === FREQUENCY || kind === RUNNING && look.levels)
			top = bottom - Math.max(Math.round((bottom - top) * value / (lane.largest || 1)), 1);
		if (kind === SLEEPING)
			top = bottom - Math.max(Math.floor((bottom - top) / 4), 1);
		if (kind === NONE || kind === IDLE && !look.depths)
			return;
		if (kind === RUNNING && look.named)
			look.named(i, x, end);
		this.fill(x, end, top, bottom, kind === IDLE ? this.depths[Math.min(value, this.depths.length - 1)] :
			kind === RUNNING ? look.running(i) : this.colours[kind]);
	}

	// Draws a column in which each kind has its share of the height.
	shares(x, top, bottom, scale, look) {
		let y = bottom;
		for (const kind of STACKED) {
			const share = this.column[kind] / scale;
			if (share <= 0)
				continue;
			const next = Math.max(y - Math.max(Math.round(share * (bottom - top)), 1), top);
			this.fill(x, x + 1, next, y, kind === RUNNING ? look.mixed : this.colours[kind]);
			y = next;
		}
		if (look.depths && this.column[IDLE] > 0)
			this.fill(x, x + 1, y - Math.max(Math.round(this.column[IDLE] / scale * (y - top)), 1), y, this.depths[1]);
		else if (this.column[SLEEPING] > 0 && y === bottom)
			this.fill(x, x + 1, bottom - Math.max(Math.floor((bottom - top) / 4), 1), bottom, this.colours[SLEEPING]);
	}

	end(ctx) {
		ctx.putImageData(this.image, 0, 0);
	}
}
