"use strict";
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The data of a page: base64 of a deflate stream of columns of numbers, 7 bits to the byte, the lowest
// first. All pages read theirs with this.

class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	number() {
		const bytes = this.bytes;
		let c = bytes[this.at++];
		if (c < 128)
			return c;
		let v = c & 127, scale = 128;
		do {
			c = bytes[this.at++];
			v += (c & 127) * scale;
			scale *= 128;
		} while (c >= 128);
		return v;
	}

	signed() {
		const v = this.number();
		return v % 2 ? -(v + 1) / 2 : v / 2;
	}

	// Reads numbers as number() does. Pages have millions of them, which is why it has no calls inside.
	column(n, type) {
		const out = new type(n), bytes = this.bytes;
		let at = this.at;
		for (let i = 0; i < n; i++) {
			let c = bytes[at++], v = c & 127;
			for (let scale = 128; c >= 128; scale *= 128) {
				c = bytes[at++];
				v += (c & 127) * scale;
			}
			out[i] = v;
		}
		this.at = at;
		return out;
	}

	// Reads numbers, each of which is written as what it is more than the one before.
	differences(n, type) {
		const out = new type(n);
		for (let i = 0, v = 0; i < n; i++)
			out[i] = v += this.signed();
		return out;
	}

	text(n) {
		this.at += n;
		return new TextDecoder().decode(this.bytes.subarray(this.at - n, this.at));
	}
}

async function inflate(base64) {
	if (typeof DecompressionStream === "undefined")
		throw new Error("this browser is too old: it has no DecompressionStream");
	let bytes;
	if (Uint8Array.fromBase64) {
		bytes = Uint8Array.fromBase64(base64);
	} else {
		const binary = atob(base64);
		bytes = new Uint8Array(binary.length);
		for (let i = 0; i < binary.length; i++)
			bytes[i] = binary.charCodeAt(i);
	}
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Characters that would not be seen, or would change the direction of writing, are shown by their number.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const UNSEEN_ALL = new RegExp(UNSEEN, "g");

function visible(text) {
	if (!UNSEEN.test(text))
		return text;
	return text.replace(UNSEEN_ALL, c => {
		const hex = c.charCodeAt(0).toString(16);
		return hex.length > 2 ? "\\u" + hex.padStart(4, "0") : "\\x" + hex.padStart(2, "0");
	});
}

// Returns the head with its texts as names are shown.
function seenAll(v) {
	if (typeof v === "string")
		return visible(v);
	if (Array.isArray(v))
		return v.map(seenAll);
	if (v && typeof v === "object")
		return Object.fromEntries(Object.entries(v).map(([key, value]) => [key, seenAll(value)]));
	return v;
}
