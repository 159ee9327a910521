// SPDX-License-Identifier: GPL-2.0-or-later
//
// A lane is what one thing did over time: intervals without gaps, each of one kind and value. Every STRIDE
// intervals there is a stop with the time spent in each kind so far. The sums of any span are the difference
// of two sums, so they cost the same however many intervals the span has.

const STRIDE = 32;

class Lane {
	// The lane has nr intervals at a place in the data, the last of which ends at end; it ran for so many ns. A lane
	// that was read from the data of the first view is set once more.
	set(place, nr, end, ran) {
		Object.assign(this, { place, nr, end, ran, stops: null, store: place ? null :
			{ starts: new Float64Array(0), kinds: new Uint8Array(0), values: new Uint32Array(0) }, most: undefined });
	}

	get starts() { return (this.store || this.read()).starts; }
	get kinds() { return (this.store || this.read()).kinds; }
	get values() { return (this.store || this.read()).values; }

	// Reads the intervals. States may have more than 32 bits; the kind is in the lowest four.
	read() {
		const { place, nr } = this, r = new Reader(place.bytes);
		r.at = place.lengths;
		const starts = r.column(nr, Float64Array), kinds = new Uint8Array(nr), values = new Uint32Array(nr);
		for (let i = 0, time = place.first; i < nr; i++) {
			const length = starts[i];
			starts[i] = time;
			time += length;
		}
		r.at = place.states;
		const states = r.column(nr, Float64Array);
		for (let i = 0; i < nr; i++) {
			const state = states[i];
			kinds[i] = state & 15;
			values[i] = state < 0x80000000 ? state >> 4 : state / 16;
		}
		return this.store = { starts, kinds, values };
	}

	endOf(i) {
		return i + 1 < this.nr ? this.starts[i + 1] : this.end;
	}

	length(i) {
		return this.endOf(i) - this.starts[i];
	}

	// Returns the number of the interval that contains a time, the last one if the time is behind it, or -1 if
	// it is before the first. The search begins at the interval from, which must not be behind the time.
	find(time, from = 0) {
		const starts = this.starts;
		let low = from, step = 1;
		if (!this.nr || starts[from] > time)
			return -1;
		while (low + step < this.nr && starts[low + step] <= time) {
			low += step;
			step *= 2;
		}
		for (let high = Math.min(low + step, this.nr); high - low > 1;) {
			const middle = low + high >> 1;
			if (starts[middle] <= time)
				low = middle;
			else
				high = middle;
		}
		return low;
	}

	makeStops() {
		const stops = new Float64Array((Math.floor(this.nr / STRIDE) + 1) * KINDS.length);
		const sums = new Float64Array(KINDS.length);
		for (let i = 0; i < this.nr; i++) {
			if (i % STRIDE === 0)
				stops.set(sums, i / STRIDE * KINDS.length);
			sums[this.kinds[i]] += this.length(i);
		}
		this.stops = stops;
	}

	// Adds the sums of the intervals before the one with the number i, times sign.
	addBefore(i, sums, sign) {
		if (!this.stops)
			this.makeStops();
		const stop = Math.floor(i / STRIDE);
		for (let k = 0; k < KINDS.length; k++)
			sums[k] += sign * this.stops[stop * KINDS.length + k];
		for (let j = stop * STRIDE; j < i; j++)
			sums[this.kinds[j]] += sign * this.length(j);
	}

	// Fills sums with the ns of each kind in the span from a to b. The intervals i and j are those that
	// find() returns for a and b.
	sumsBetween(a, i, b, j, sums) {
		sums.fill(0);
		if (j < 0)
			return sums;
		if (j - i > 2 * STRIDE) {
			this.addBefore(j, sums, 1);
			if (i >= 0)
				this.addBefore(i, sums, -1);
		} else {
			for (let k = Math.max(i, 0); k < j; k++)
				sums[this.kinds[k]] += this.length(k);
		}
		if (i >= 0)
			sums[this.kinds[i]] -= Math.min(a, this.end) - this.starts[i];
		sums[this.kinds[j]] += Math.min(b, this.end) - this.starts[j];
		return sums;
	}

	// Returns the ns of each kind in the span from a to b.
	sums(a, b) {
		return this.sumsBetween(a, this.find(a), b, this.find(b), new Float64Array(KINDS.length));
	}

	// Returns how long a task waited on a run queue before it ran in the interval i, or -1 if that is not known.
	waitBefore(i) {
		return i > 0 && this.kinds[i] === RUNNING && this.kinds[i - 1] === RUNNABLE ? this.length(i - 1) : -1;
	}

	get largest() {
		if (this.most === undefined)
			this.most = this.values.reduce((a, b) => Math.max(a, b), 0);
		return this.most;
	}
}
