// SPDX-License-Identifier: GPL-2.0-or-later
//
// This lists processes and their threads. The profile has one thread for each name that a thread had: here
// it is one, under its last name, and a process is one, too.

class People {
	constructor(profile) {
		const threads = profile.head.threads, n = threads.length;
		this.threads = threads;
		this.last = new Int32Array(n).fill(-1); // the last slice with samples under that name
		this.samples = new Float64Array(n);
		for (let i = 0; i < profile.nrRows; i++) {
			const t = profile.rowThread[i];
			this.samples[t] += profile.rowSamples[i];
			this.last[t] = Math.max(this.last[t], profile.rowSlice[i]);
		}
		// Threads that were joined have only a name.
		this.process = threads.map(t => t[0] === -1 ? "-1:" + t[2] : String(t[0]));
		this.thread = threads.map((t, i) => t[0] === -1 || !t[1] ? this.process[i] : t[0] + "/" + t[1]);
		this.byThread = this.gather(this.thread);
		this.byProcess = this.gather(this.process);
		for (const [key, process] of this.byProcess)
			process.name = (this.byThread.get(key + "/" + key) || process).name;
	}

	// Returns a map of keys, one for each thread of the profile, to {name, samples, members}.
	gather(keys) {
		const out = new Map();
		keys.forEach((key, i) => {
			let who = out.get(key);
			if (!who)
				out.set(key, who = { name: "", samples: 0, members: [] });
			if (!who.members.length || this.last[i] >= this.last[who.named]) {
				who.named = i;
				who.name = this.threads[i][2];
			}
			who.samples += this.samples[i];
			who.members.push(i);
		});
		return out;
	}

	// Returns for each thread of the profile the process, thread or comm that it belongs to.
	keys(kind) {
		return kind === "process" ? this.process : kind === "thread" ? this.thread : this.threads.map(t => t[2]);
	}

	has(key) {
		return this.byProcess.has(key) || this.byThread.has(key);
	}

	label(kind, key) {
		if (kind === "comm")
			return key;
		const who = (kind === "process" ? this.byProcess : this.byThread).get(key) || this.byProcess.get(key);
		if (key.startsWith("-1:"))
			return who.name + " (several)";
		const [pid, tid] = key.split("/");
		return who.name + " " + (tid && tid !== pid ? pid + "/" + tid : pid);
	}

	// Returns [[key, text]..] for a list: each process with its threads under it, those with most samples first.
	list() {
		const down = map => [...map].sort((a, b) => b[1].samples - a[1].samples || (a[0] < b[0] ? -1 : 1));
		const threads = down(this.byThread), under = new Map();
		for (const [key, who] of threads) {
			const process = this.process[who.members[0]];
			under.set(process, [...under.get(process) || [], key]);
		}
		return down(this.byProcess).flatMap(([key]) => {
			const own = under.get(key);
			return [[key, this.label("process", key)], ...(own.length < 2 ? [] : own.map(thread =>
				[thread, "\u2003" + this.byThread.get(thread).name + " " + thread.split("/")[1]]))];
		});
	}
}
