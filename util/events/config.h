/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was asked on the command line to the attrs that record opens. Pure: no system calls. */
#ifndef PERF_EVENTS_CONFIG_H
#define PERF_EVENTS_CONFIG_H

#include "events/evlist.h"

enum callgraph_mode { CALLGRAPH_NONE, CALLGRAPH_FP, CALLGRAPH_DWARF };

struct sample_opts {
	u64 freq, count; /* -F, -c */
	bool freq_set, count_set;
	bool system_wide;    /* -a, -C: side-band rides on its own event */
	bool per_thread;     /* no CPU dimension */
	bool enable_on_exec; /* a workload alone: starts counting at its exec */
	bool delayed;        /* -D: side-band from the start, samples later */
	bool no_inherit;
	bool no_samples;        /* -n */
	bool period, no_period; /* -P, --no-period */
	bool raw, time, addr, stat, weight, cpu, phys, data_page_size, code_page_size, identifier;
	bool switches, namespaces, cgroups, no_bpf;
	bool all_user, all_kernel, user_chains, kernel_chains;
	enum callgraph_mode callgraph;
	u32 stack_size; /* of CALLGRAPH_DWARF */
	u64 user_regs;  /* mask for CALLGRAPH_DWARF */
	bool clockid_set;
	s32 clockid;
};

/** evlist_add_default - cycles at the highest precision, as record does without -e. */
void evlist_add_default(struct evlist *l);
/**
 * evlist_configure - fill in every attr for sampling; adds the "dummy:HG" side-band event where one
 * is needed. Events parsed by parse_events() keep what their terms and modifiers say.
 */
void evlist_configure(struct evlist *l, const struct sample_opts *o);

#endif
