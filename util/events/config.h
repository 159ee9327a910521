/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was asked on the command line to the attrs that record opens. Pure: no system calls. */
#ifndef PERF_EVENTS_CONFIG_H
#define PERF_EVENTS_CONFIG_H

#include "events/evlist.h"

enum callgraph_mode { CALLGRAPH_NONE, CALLGRAPH_FP, CALLGRAPH_DWARF, CALLGRAPH_LBR };

struct sample_opts {
	u64 freq, count; /* -F, -c */
	bool freq_set, count_set;
	bool system_wide;    /* -a, -C: side-band rides on its own event */
	bool per_thread;     /* no CPU dimension */
	bool enable_on_exec; /* a workload alone: starts counting at its exec */
	bool delayed;        /* -D: side-band from the start, samples later */
	bool own_side_band;  /* on an event of its own, that is never disabled */
	bool overwrite;      /* --overwrite: rings keep the newest */
	bool no_inherit;
	bool no_samples;        /* -n */
	bool period, no_period; /* -P, --no-period */
	bool no_time;           /* --no-timestamp */
	bool raw, time, addr, stat, weight, cpu, phys, data_page_size, code_page_size, identifier;
	bool switches, namespaces, cgroups, no_bpf;
	bool all_user, all_kernel, user_chains, kernel_chains;
	bool transaction, build_ids, running_time;
	bool no_buffering; /* wake up for each record */
	bool group;        /* --group: all events are one */
	bool latency;      /* context switches tell what ran side by side */
	bool stream;       /* written to a pipe: a lone event's samples say whose they are, too */
	enum callgraph_mode callgraph;
	u32 stack_size;           /* of CALLGRAPH_DWARF */
	u16 max_stack;            /* addresses in a chain; 0: as many as the kernel keeps */
	u64 dwarf_regs;           /* what CALLGRAPH_DWARF adds to user_regs */
	u64 user_regs, intr_regs; /* bits of asm/perf_regs.h; 0: none */
	u64 branches;             /* PERF_SAMPLE_BRANCH_*; 0: none */
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

/* What counting without samples asks of the events. */
struct count_opts {
	bool no_inherit, all_user, all_kernel;
	bool group;          /* --group: all events are one */
	bool enable_on_exec; /* a workload alone: starts counting at its exec */
};

/** evlist_configure_counting - fill in every attr for counting (perf stat). */
void evlist_configure_counting(struct evlist *l, const struct count_opts *o);

#endif
