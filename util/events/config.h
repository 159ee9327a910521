/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configuration of events: it turns options of the command line into the attrs that are opened. The
 * functions make no system calls.
 */
#ifndef PERF_EVENTS_CONFIG_H
#define PERF_EVENTS_CONFIG_H

#include "events/evlist.h"

/* CALLGRAPH_AUTO becomes another one before events are configured. */
enum callgraph_mode {
	CALLGRAPH_NONE,
	CALLGRAPH_FP,
	CALLGRAPH_DWARF,
	CALLGRAPH_LBR,
	CALLGRAPH_AUTO
};

struct sample_opts {
	u64 freq, count; /* -F, -c */
	bool freq_set, count_set;
	bool system_wide;    /* -a, -C: an event of its own carries the side-band */
	bool per_thread;     /* events are opened for threads, not for CPUs */
	bool enable_on_exec; /* only a workload is recorded; counting starts at its exec */
	bool delayed;        /* -D: side-band is recorded from the start, samples later */
	bool own_side_band;  /* an event of its own, never disabled, carries the side-band */
	bool overwrite;      /* --overwrite: rings keep the newest data */
	bool no_inherit;
	bool no_samples;        /* -n */
	bool period, no_period; /* -P, --no-period */
	bool no_time;           /* --no-timestamp */
	bool data_maps;         /* maps of data are recorded, with or without @addr */
	bool data_src;          /* what served an access is recorded, with or without @addr */
	bool raw, time, addr, stat, weight, cpu, phys, data_page_size, code_page_size, identifier;
	bool switches, namespaces, cgroups, no_bpf;
	bool all_user, all_kernel, user_chains, kernel_chains;
	bool transaction, build_ids, running_time;
	bool no_buffering; /* each record wakes the recorder */
	bool group;        /* --group: all events are one */
	bool text_pokes;   /* what the kernel changes of its code is recorded */
	bool latency;      /* context switches are recorded to compute parallelism */
	bool stream;       /* output goes to a pipe: even a lone event's samples carry an id */
	enum callgraph_mode callgraph;
	u32 stack_size; /* bytes of stack for CALLGRAPH_DWARF and _AUTO */
	bool defer;     /* user parts of CALLGRAPH_FP are recorded later */
	bool unwind;    /* stacks of CALLGRAPH_DWARF are unwound while they are recorded */
	u16 max_stack;  /* addresses in a chain; 0: the kernel's maximum */
	u64 dwarf_regs; /* the registers that CALLGRAPH_DWARF adds to user_regs */
	u64 user_regs, intr_regs; /* bits of asm/perf_regs.h; 0: none */
	u64 branches;             /* PERF_SAMPLE_BRANCH_*; 0: none */
	bool clockid_set;
	s32 clockid;
};

/**
 * evlist_add_default - append the event that record uses without -e: cycles at the highest
 * precision.
 */
void evlist_add_default(struct evlist *l);
/**
 * evlist_configure - fill in every attr for sampling, and add the side-band event "dummy:HG" where
 * one is needed. Events that parse_events() made keep the settings of their terms and modifiers.
 */
void evlist_configure(struct evlist *l, const struct sample_opts *o);

/* Settings for counting without samples. */
struct count_opts {
	bool no_inherit, all_user, all_kernel;
	bool group;          /* --group: all events form one group */
	bool enable_on_exec; /* only a workload is counted; counting starts at its exec */
};

/** evlist_configure_counting - fill in every attr for counting, as perf stat does. */
void evlist_configure_counting(struct evlist *l, const struct count_opts *o);

#endif
