/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat: counting by BPF programs (-b, --bpf-counters). */
#ifndef PERF_STATRUN_BPF_H
#define PERF_STATRUN_BPF_H

#include "bpf/count.h"

struct stat_cmd;

struct stat_bpf {
	/* asked for */
	const char *progs;    /* of -b; borrowed; NULL: not given */
	const char *attr_map; /* borrowed; NULL: where it usually is, when there is a place */
	bool counters;

	struct int_list ids, cpus;
	struct bpf_counts counts;
	bool open;
};

/** stat_bpf_used - is it by BPF that we count? */
bool stat_bpf_used(const struct stat_cmd *s);
/** stat_bpf_open - open the events of s->evlist. Return: 0, or negative errno and a sentence. */
int stat_bpf_open(struct stat_cmd *s, struct err *err);
/** stat_bpf_close - ready for the next run; tells what could not be counted. */
void stat_bpf_close(struct stat_cmd *s);

#endif
