/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of events as plain data, without file descriptors and counts. They come from the parser
 * (events/parse.h) or from a file.
 */
#ifndef PERF_EVENTS_EVLIST_H
#define PERF_EVENTS_EVLIST_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "wire/event.h"

struct tf_event;
struct tracefmt;

/* Settings that the event text itself makes and that override the command line:
 * "cycles/period=1000,call-graph=fp/pS". */
struct evsel_terms {
	bool freq_set, period_set; /* attr.sample_period/_freq came from a term */
	bool sample_read;          /* S: read the group with each sample */
	bool precise_max;          /* P: the highest precise_ip that the PMU accepts */
	bool weak;                 /* W: break the group up when it cannot be scheduled */
	bool bpf_counter;          /* b: counted by a BPF program (stat) */
	bool guests;               /* G or H was given */
	bool percore;              /* the counts of the threads of a core are added up (stat) */
	bool may_fail; /* from a glob: it is left out when the kernel does not open it */
	bool merge;    /* one text stands for several PMUs, whose counts may be added up (stat) */
	bool branches_set; /* attr.branch_sample_type came from a term */
	bool named;        /* the name is from a name= term, to which no modifiers are added */
	bool unnamed;      /* the name was not given by the user but derived from the attr */
	bool offcpu;       /* the recorder makes its samples; -c and -F do not apply */
	bool tracking;     /* our own side-band event; -c, -F and modifiers do not apply */
	bool everywhere;   /* it is of all threads, also where the others are of some */
	bool carries;      /* carries side-band from the start, also while others are disabled */
	bool later;        /* it stays off until kevents_enable_later() */
	bool cpus_given; /* evsel.cpumask is from cpu= terms, and holds for single tasks as well */
	s8 callgraph;   /* -1: as on the command line; else enum callgraph_mode (events/config.h) */
	s8 inherit;     /* -1: as on the command line */
	s8 time;        /* -1: as on the command line */
	s8 overwrite;   /* -1: as on the command line */
	u16 max_stack;  /* 0: as on the command line */
	u16 stack_size; /* for CALLGRAPH_DWARF; 0: as on the command line */
	u32 aux_sample_size; /* 0: no AUX data in samples */
	u64 max_events;      /* nr=: the most samples to record; 0: no limit */
};

/* Values that perf measures by itself: times, and from TOOL_FACTS on facts about the machine. The
 * attr counts nothing, and the command fills in the value. */
enum tool_event {
	TOOL_NONE,
	TOOL_DURATION_TIME,
	TOOL_USER_TIME,
	TOOL_SYSTEM_TIME,
	TOOL_FACTS,
	TOOL_CORE_WIDE = TOOL_FACTS, /* this and TOOL_TARGET_CPU are facts about what is counted */
	TOOL_HAS_PMEM,
	TOOL_NUM_CORES,
	TOOL_NUM_CPUS,
	TOOL_NUM_CPUS_ONLINE,
	TOOL_NUM_DIES,
	TOOL_NUM_PACKAGES,
	TOOL_SLOTS, /* of this name there may be an event of a PMU, which goes first */
	TOOL_SMT_ON,
	TOOL_SYSTEM_TSC_FREQ,
	TOOL_TARGET_CPU,
	TOOL_NR,
	TOOL_GAUGE = TOOL_NR, /* a sensor or the use of graphics: evsel.gauge says which */
	TOOL_RETIRE_LATENCY   /* R: the attr is an event, whose samples tell the value */
};

/* The attr.config1 of gauges, for which the kernel has no use: what their values are. */
enum { GAUGE_STATE = 1, GAUGE_SUM };

/* A breakpoint at a symbol of a program, whose address is known only when the program runs. */
struct late_breakpoint {
	char *symbol; /* owned */
	char *object; /* owned: path or name of a file that the program has mapped; NULL: its
			 executable */
	u64 offset;   /* from the symbol */
	u32 type;     /* HW_BREAKPOINT_*; 0: chosen by the kind of symbol */
	u32 len;      /* bytes; 0: chosen likewise */
};

struct evsel {
	u32 idx;    /* position in the evlist */
	char *name; /* owned: "cpu-clock", "sched:sched_switch", "cycles:u" */
	struct perf_event_attr attr;
	struct wire_layout layout; /* the layout of attr; call layout_init() after changing attr */
	u64 *ids;                  /* owned; the kernel's ids of the opened instances */
	size_t nr_ids, ids_cap;
	struct evsel_terms terms;
	u32 leader;          /* idx of the group leader; its own idx when it is in no group */
	u32 nr_members;      /* on a leader, the number of events in the group; otherwise 1 */
	char *group_name;    /* owned; on a leader, the group's name or NULL */
	char *filter;        /* owned; the filter of a tracepoint, or NULL */
	char *sample_filter; /* owned; the filter of its samples (events/filter.h), or NULL */
	char *unit;          /* owned; unit of its counts ("msec", "Joules"), or NULL */
	double scale;        /* factor from counts to that unit; 0: none */
	char *cpumask; /* owned; the CPUs its PMU counts on, in the form of sysfs: "0,16"; NULL: all
			*/
	char *tp_name; /* owned; "sched:sched_switch" from the parser, even if name differs; else
			* NULL
			*/
	enum tool_event tool;
	char *gauge;     /* owned; the name of a gauge of @pmu (gauges/gauges.h), or NULL */
	char *pmu;       /* owned; its PMU in sysfs; NULL: a generic event */
	char *metric_id; /* owned; the name that a metric uses for it, or NULL */
	bool per_pkg;    /* it counts a whole socket and is read on one CPU of each */
	bool snapshot;   /* its value is a state, not a sum, and is not divided by time */
	u64 config3;     /* the word after the attr as this perf knows it, or 0 */
	struct late_breakpoint *late; /* owned; the source of attr.bp_*; NULL: these are set */
	char *cgroup; /* owned; path of the only control group it counts, below the mount; NULL: any
		       */
};

struct evlist {
	struct evsel **evsels; /* owned */
	size_t nr, cap;
	size_t last_item;   /* first event of the text parsed last, to which --filter applies */
	struct map64 by_id; /* maps kernel ids to idx; made by evlist_index() */
};

/** evlist_add - append an event. @name is copied. Return: the new evsel, which the list owns. */
struct evsel *evlist_add(struct evlist *l, const struct perf_event_attr *attr, const char *name);
/**
 * evlist_add_copy - append a copy of @from, an event of any list, without its ids. The distance to
 * its leader stays the same. Every member that a struct evsel owns has to be copied in this
 * function.
 * Return: the new evsel, which the list owns.
 */
struct evsel *evlist_add_copy(struct evlist *l, const struct evsel *from);
/** evsel_add_id - append one kernel id. Call evlist_index() when all ids have been added. */
void evsel_add_id(struct evsel *e, u64 id);
/** evlist_index - build by_id, again if need be, from the ids of all events. */
void evlist_index(struct evlist *l);
/**
 * evlist_find_id - return the event with a kernel id. When the list has just one event, return that
 * one. NULL when the id is unknown.
 */
struct evsel *evlist_find_id(const struct evlist *l, u64 id);
/**
 * evlist_of_sample - return the event of a SAMPLE record of a recording that is being made, in
 * which the ids of all samples are at the same place; NULL when the id is unknown.
 */
struct evsel *evlist_of_sample(const struct evlist *l, const void *rec, size_t size);
/** evlist_side_band - return the event whose layout the trailers of synthesized records have: the
 * one that carries the side-band, or the first. */
const struct evsel *evlist_side_band(const struct evlist *l);
/** evlist_of_trailer - return the event of a record of such a recording that is no sample; that of
 * the side-band when the record does not tell. */
const struct evsel *evlist_of_trailer(const struct evlist *l, const void *rec, size_t size);
/**
 * evlist_trailer - decode the trailer of a record of such a recording that is no sample. Its fields
 * are 0 when it was synthesized. Return: false when it is too short for one.
 */
bool evlist_trailer(const struct evlist *l, const void *rec, size_t size, struct sample_id *id);
/**
 * evsel_is_kind - tell whether the event counts only on one of several kinds of cores (cpu_core,
 * cpu_atom).
 */
static inline bool evsel_is_kind(const struct evsel *e)
{
	return e->pmu && !strncmp(e->pmu, "cpu_", 4);
}
/**
 * evlist_remove - remove one event that is in no group. If it carried the side-band, the next event
 * takes that over.
 */
void evlist_remove(struct evlist *l, size_t idx);
/**
 * evlist_truncate - remove the events from number @nr on. They must not be in a group with an event
 * that stays.
 */
void evlist_truncate(struct evlist *l, size_t nr);
/** evlist_release - free the events and the table. */
void evlist_release(struct evlist *l);
/** evlist_group - make the events from @from to @to - 1 a group, which the first one leads. */
void evlist_group(struct evlist *l, size_t from, size_t to);
/** evlist_has_cpumask - tell whether any event counts only on some CPUs. */
bool evlist_has_cpumask(const struct evlist *l);
/** evsel_is_tracepoint - tell whether the event is a tracepoint. */
static inline bool evsel_is_tracepoint(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT;
}
/** evsel_is_clock - tell whether the event counts CPU time in nanoseconds. */
static inline bool evsel_is_clock(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && !e->tool &&
	       (e->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		e->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}
/** evlist_has_groups - tell whether any event was recorded in a group with others. */
bool evlist_has_groups(const struct evlist *l);
/** evlist_copies_stacks - tell whether samples of any event hold registers and a copy of the user
 * stack. */
bool evlist_copies_stacks(const struct evlist *l);

/* The events of perf record --wall: a task-clock, and context-switches. */
#define EVENT_WALL_CLOCK "wall-clock"
#define EVENT_WALL_BLOCKED "wall-blocked"

/**
 * evsel_is_dummy - tell whether the event counts nothing and exists only for the sake of records
 * other than samples.
 */
static inline bool evsel_is_dummy(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}
/**
 * evsel_format - return the format that @tf, which may be NULL, has for the tracepoint @e; NULL
 * when there is none or @e is not a tracepoint.
 */
const struct tf_event *evsel_format(const struct evsel *e, const struct tracefmt *tf);
/** evsel_is_bpf_output - tell whether BPF programs write the samples of the event. */
static inline bool evsel_is_bpf_output(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}
/**
 * evlist_tells_cpus - tell whether samples can be selected by CPU. The first event of each type
 * (attr.type) decides for all of that type, even when it only tracks tasks. In a @stream a single
 * event whose samples carry the CPU is enough.
 */
bool evlist_tells_cpus(const struct evlist *l, bool stream);
/**
 * evsel_line - append the name of an event, without newline.
 * @verbose: and its attr
 * @freq: and its frequency or period
 */
void evsel_line(const struct evsel *e, bool verbose, bool freq, struct strbuf *out);
/** evlist_group_line - append the names of a group as "name{leader,member}", without newline. */
void evlist_group_line(const struct evlist *l, const struct evsel *leader, struct strbuf *out);
/** evsel_late_done - note that attr.bp_* are set now, and free the late breakpoint. */
void evsel_late_done(struct evsel *e);
/** evsel_rename - name the event after its attr. */
void evsel_rename(struct evsel *e);
/** evlist_name_by_attr - name the events after their attrs, except those of which an attr does not
 * say enough. */
void evlist_name_by_attr(struct evlist *l);
/**
 * evsel_default_name - append the name that an unnamed attr gets, such as "cycles:u" or "raw
 * 0x1a8", to @out.
 */
void evsel_default_name(const struct perf_event_attr *attr, struct strbuf *out);

#endif
