/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to the room: programs of sample filters (-prog.c), and what uses them. */
#ifndef PERF_BPF_FILTER_INTERNAL_H
#define PERF_BPF_FILTER_INTERNAL_H

#include "bpf/asm.h"
#include "bpf/filter.h"

/* A comparison as programs see it: the field, shifted and masked. Part of the pinned interface. */
struct bpf_filter_node {
	u8 term, op, shift, shift2; /* as in struct filter_node */
	u16 yes, no;
	u64 mask, value;
};

/* A filter in the map of the pinned program. */
struct bpf_filter_value {
	u64 dropped;
	struct bpf_filter_node nodes[FILTER_NODES_MAX];
};

/* Where things are in the structures of the running kernel. */
struct bpf_filter_where {
	bool filled;      /* the kernel fills in the sample before it asks us */
	int data, event;  /* in the context: pointers to the sample, the event */
	int flags;        /* in the sample: which fields are filled in; negative: all are */
	int parent, id;   /* in the event */
	int field[FT_NR]; /* in the sample; negative: this kernel has no such field */
};

/** bpf_filter_find - look them up. Return: 0, or negative errno and a sentence. */
int bpf_filter_find(struct bpf_filter_where *w, const struct sysroot *sr, struct err *err);
/**
 * bpf_filter_lower - the comparisons of a filter for an event of @sample_type.
 * @nodes: room for FILTER_NODES_MAX
 * Return: 0, or negative errno and a sentence: a cgroup is not there, the kernel does not show a
 * field.
 */
int bpf_filter_lower(struct bpf_filter_node *nodes, const struct sieve *f,
		     const struct bpf_filter_where *w, u64 sample_type, const struct sysroot *sr,
		     struct err *err);
/** bpf_filter_compile - the program of one filter. @dropped: an array with one counter */
void bpf_filter_compile(struct bpf_code *c, const struct bpf_filter_where *w,
			const struct bpf_filter_node *nodes, size_t nr, int dropped);
/**
 * bpf_filter_interpreter - the program that finds the filter of its event in a map.
 * @ids: hash, id of an event -> key in @filters; @filters: hash, key -> struct bpf_filter_value
 */
void bpf_filter_interpreter(struct bpf_code *c, const struct bpf_filter_where *w, int ids,
			    int filters);

#endif
