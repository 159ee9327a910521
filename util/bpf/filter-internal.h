/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations of sample filters are shared in the room, by the programs (filter-prog.c) and
 * their users. */
#ifndef PERF_BPF_FILTER_INTERNAL_H
#define PERF_BPF_FILTER_INTERNAL_H

#include "bpf/asm.h"
#include "bpf/filter.h"

/* A comparison in the form that programs use: the field is shifted and masked. It is part of the
 * interface of pinned programs. */
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

/* Offsets in the structures of the running kernel. */
struct bpf_filter_where {
	bool filled;     /* the kernel fills in the sample before it runs the program */
	int data, event; /* in the context: pointers to the sample and to the event */
	int flags; /* in the sample: bits of the fields that are filled in; negative: all are */
	int parent, id;   /* in the event: its parent and its id */
	int field[FT_NR]; /* in the sample; negative: this kernel does not have the field */
};

/** bpf_filter_find - look the offsets up. Return: 0, or a negative errno and a sentence. */
int bpf_filter_find(struct bpf_filter_where *w, const struct sysroot *sr, struct err *err);
/**
 * bpf_filter_lower - make the comparisons of a filter for an event of @sample_type.
 * @nodes: room for FILTER_NODES_MAX
 * Return: 0, or a negative errno and a sentence when a cgroup does not exist or the kernel does not
 * provide a field.
 */
int bpf_filter_lower(struct bpf_filter_node *nodes, const struct compiled_filter *f,
		     const struct bpf_filter_where *w, u64 sample_type, const struct sysroot *sr,
		     struct err *err);
/** bpf_filter_compile - assemble the program of one filter. @dropped: an array with one counter */
void bpf_filter_compile(struct bpf_code *c, const struct bpf_filter_where *w,
			const struct bpf_filter_node *nodes, size_t nr, int dropped);
/**
 * bpf_filter_interpreter - assemble the program that finds the filter of its event in a map.
 * @ids: a hash from the id of an event to a key of @filters
 * @filters: a hash from that key to a struct bpf_filter_value
 */
void bpf_filter_interpreter(struct bpf_code *c, const struct bpf_filter_where *w, int ids,
			    int filters);

#endif
