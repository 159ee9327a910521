/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Separate rings that report at once when a BPF program is loaded, so that it can be queried while
 * it exists.
 */
#ifndef PERF_BPF_WATCH_H
#define PERF_BPF_WATCH_H

#include "bpf/prog.h"
#include "kernel/ring.h"

struct bpf_watch {
	struct evlist evlist;
	struct kevents kevents; /* one descriptor for each CPU; poll them for input */
	struct rings rings;
};

/**
 * bpf_watch_open - watch on all of @cpus. Return: 0, or a negative errno when the kernel or our
 * rights do not allow it, and then there is nothing to release.
 */
int bpf_watch_open(struct bpf_watch *w, const struct sysroot *sr, const struct int_list *cpus);
/** bpf_watch_read - add the programs that were loaded since the last call. */
void bpf_watch_read(struct bpf_watch *w, struct bpf_progs *l);
/** bpf_watch_close - close and free everything. */
void bpf_watch_close(struct bpf_watch *w);

#endif
