/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as plain data: no file descriptors, no counts. Made by the parser (events/parse.h) or from
 * a file. */
#ifndef PERF_EVENTS_EVLIST_H
#define PERF_EVENTS_EVLIST_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "wire/event.h"

struct tf_event;
struct tracefmt;

/* What the event text itself asked for, on top of the command line:
 * "cycles/period=1000,call-graph=fp/pS". */
struct evsel_terms {
	bool freq_set, period_set; /* attr.sample_period/_freq came from a term */
	bool sample_read;          /* S: read the group with each sample */
	bool precise_max;          /* P: the highest precise_ip the PMU takes */
	bool weak;                 /* W: break the group up when it cannot be scheduled */
	bool bpf_counter;          /* b: counted by a BPF program (stat) */
	bool guests;               /* G, H: which of the two was said */
	bool percore;              /* counts of the threads of a core are added up (stat) */
	bool may_fail;             /* came from a glob: left out when the kernel does not open it */
	bool merge;                /* one text, several PMUs: the counts may be added up (stat) */
	bool branches_set;         /* attr.branch_sample_type came from a term */
	bool named;    /* the name came from a name= term: modifiers are not added to it */
	bool unnamed;  /* nobody typed its name: it follows the attr */
	bool offcpu;   /* its samples are made by the recorder: takes no -c, -F */
	bool tracking; /* side-band carrier of our own: takes no -c, -F, modifiers */
	bool carries;  /* side-band comes by it from the start, also while others are disabled */
	s8 callgraph;  /* -1 as the command line says, else enum callgraph_mode (events/config.h) */
	s8 inherit;    /* -1 as the command line says */
	s8 time;       /* -1 as the command line says */
	s8 overwrite;  /* -1 as the command line says */
	u16 max_stack; /* 0 as the command line says */
	u16 stack_size;      /* of CALLGRAPH_DWARF; 0 as the command line says */
	u32 aux_sample_size; /* 0: no AUX data in samples */
	u64 max_events;      /* nr=: no more than that many; 0: all */
};

/* What perf measures itself: an attr that counts nothing, and a value that the command puts in. */
enum tool_event { TOOL_NONE, TOOL_DURATION_TIME, TOOL_USER_TIME, TOOL_SYSTEM_TIME, TOOL_NR };

/* A breakpoint at a symbol of a program: where that lies is known when the program runs. */
struct late_breakpoint {
	char *symbol; /* owned */
	char *object; /* owned: path or name of a file that the program has mapped; NULL: its own */
	u64 offset;   /* from there */
	u32 type;     /* HW_BREAKPOINT_*; 0: as it suits what the symbol is */
	u32 len;      /* 0: the same */
};

struct evsel {
	u32 idx;    /* position in the evlist */
	char *name; /* owned: "cpu-clock", "sched:sched_switch", "cycles:u" */
	struct perf_event_attr attr;
	struct wire_layout layout; /* of attr; refresh with layout_init() after changing attr */
	u64 *ids;                  /* owned; kernel ids of the opened instances, from the file */
	size_t nr_ids, ids_cap;
	struct evsel_terms terms;
	u32 leader;          /* idx of the group leader; own idx when alone */
	u32 nr_members;      /* of the group, on its leader; 1 when alone */
	char *group_name;    /* owned, on a leader; NULL when the group has no name */
	char *filter;        /* owned; tracepoint filter or NULL */
	char *sample_filter; /* owned; what of its samples is kept (events/filter.h), or NULL */
	char *unit;          /* owned; of its counts ("msec", "Joules"), NULL without */
	double scale;        /* of its counts in that unit; 0: they are as they are */
	char *cpumask; /* owned; the CPUs its PMU counts on, as sysfs has it: "0,16"; NULL: all */
	char *tp_name; /* owned; "sched:sched_switch" from the parser, whatever name says; else NULL
			*/
	enum tool_event tool;
	char *pmu;       /* owned; the PMU of sysfs it was found on; NULL: a generic event */
	char *metric_id; /* owned; what a metric calls it; NULL without */
	bool per_pkg;    /* its count is of a whole socket: read on one CPU of each */
	bool snapshot;   /* its value is that of a moment, not a sum: not divided by time */
	u64 config3;     /* behind the attr as this perf knows it; 0 without */
	struct late_breakpoint *late; /* owned; what to put into attr.bp_*; NULL: they are right */
	char *cgroup; /* owned; the control group it is restricted to, below the mount; NULL: all */
};

struct evlist {
	struct evsel **evsels; /* owned */
	size_t nr, cap;
	size_t last_item;   /* first event of the text parsed last: --filter is for those */
	struct map64 by_id; /* kernel id -> idx, from evlist_index() */
};

/** evlist_add - append an event; @name is copied. Return: the new evsel, owned by the list. */
struct evsel *evlist_add(struct evlist *l, const struct perf_event_attr *attr, const char *name);
/** evlist_add_copy - append a copy of @from, an event of any list, without its ids. Its leader is
 * as far away as that of @from. What a struct evsel owns has to be copied there. Return: the new
 * evsel, owned by the list. */
struct evsel *evlist_add_copy(struct evlist *l, const struct evsel *from);
/** evsel_add_id - append one kernel id; run evlist_index() when all are there. */
void evsel_add_id(struct evsel *e, u64 id);
/** evlist_index - (re)build by_id from all ids. */
void evlist_index(struct evlist *l);
/** evlist_find_id - the event of a kernel id; the lone event when there is just one; NULL when
 * unknown. */
struct evsel *evlist_find_id(const struct evlist *l, u64 id);
/** evsel_is_kind - does it count on one of several kinds of cores only (cpu_core, cpu_atom)? */
static inline bool evsel_is_kind(const struct evsel *e)
{
	return e->pmu && !strncmp(e->pmu, "cpu_", 4);
}
/** evlist_remove - drop one event that is in no group. What it had to track is the next one's to
 * do. */
void evlist_remove(struct evlist *l, size_t idx);
/** evlist_truncate - drop the events from number @nr on; they must not lead or belong to others. */
void evlist_truncate(struct evlist *l, size_t nr);
/** evlist_release - free the contents. */
void evlist_release(struct evlist *l);
/** evlist_group - make the events from @from to @to - 1 a group that the first one leads. */
void evlist_group(struct evlist *l, size_t from, size_t to);
/** evlist_has_cpumask - is there an event that does not count on all CPUs? */
bool evlist_has_cpumask(const struct evlist *l);
/** evsel_is_tracepoint - attr.type is PERF_TYPE_TRACEPOINT. */
static inline bool evsel_is_tracepoint(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT;
}
/** evsel_is_dummy - an event that counts nothing: it is there for records other than samples. */
static inline bool evsel_is_dummy(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}
/** evsel_format - what @tf, which may be NULL, knows of the tracepoint @e; NULL: nothing, or @e is
 * none. */
const struct tf_event *evsel_format(const struct evsel *e, const struct tracefmt *tf);
/** evsel_is_bpf_output - its samples are what BPF programs wrote. */
static inline bool evsel_is_bpf_output(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}
/**
 * evlist_tells_cpus - samples may be chosen by their CPU.
 * The first event of a kind (attr.type) stands for the others, those that only track tasks among
 * them; of a @stream one event that tells its CPU is enough.
 */
bool evlist_tells_cpus(const struct evlist *l, bool stream);
/** evsel_late_done - attr.bp_* are right now. */
void evsel_late_done(struct evsel *e);
/** evsel_rename - give it the name of its attr. */
void evsel_rename(struct evsel *e);
/** evsel_default_name - the name perf gives an unnamed attr ("cycles:u", "raw 0x1a8", ...) appended
 * to @out. */
void evsel_default_name(const struct perf_event_attr *attr, struct strbuf *out);

#endif
