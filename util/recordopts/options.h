/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of a recording, as plain values, and the texts that some of these values have on
 * the command line. Nothing here is changed while recording.
 */
#ifndef PERF_RECORDER_OPTIONS_H
#define PERF_RECORDER_OPTIONS_H

#include "base/err.h"
#include "base/notice.h"
#include "events/config.h"
#include "kernel/target.h"

struct call_copies;

/* Milliseconds from the start during which events count. */
struct delay_span {
	u64 from, to;
};
struct delay_spans {
	struct delay_span *v; /* owned */
	size_t nr, cap;
};

/* The CPUs on which the recorder runs while it empties a ring. */
enum ring_affinity { AFFINITY_SYS, AFFINITY_NODE, AFFINITY_CPU };

/* The options on how the rings are made and emptied. */
struct ring_opts {
	const char *threads;         /* sets of CPUs (thread-sets.h); borrowed, NULL: one thread */
	size_t pages;                /* data pages of each ring; 0: not asked for */
	u64 flush;                   /* a ring with fewer bytes is left for later */
	unsigned int aio;            /* a thread writes, and so many buffers may wait; 0: none */
	size_t unwind_queue;         /* bytes that may wait before stacks are not unwound */
	enum ring_affinity affinity; /* where to run while a ring is emptied */
	int realtime;                /* priority of SCHED_FIFO; 0: none */
	unsigned int budget;         /* per cent of each CPU that sampling may take; 0: any */
	unsigned int synth_threads;  /* that describe what is there; 0: as many as CPUs */
};

/* When the output file is completed and another one is begun. */
struct switch_opts {
	bool enabled;
	u64 size, ms;           /* after so many bytes, or each so often; 0: not */
	unsigned int max_files; /* older ones are removed; 0: all are kept */
};

struct record_opts {
	struct sample_opts sample;
	struct target target;
	char *const *command; /* borrowed; NULL: none is run */
	int argc;             /* of the whole command line, which the header repeats */
	const char *const *argv;

	const char *output; /* borrowed; "-": standard output */
	struct switch_opts switching;
	bool timestamp_filename; /* the file gets the time as its suffix */
	bool tail_synthesize;    /* what is there is described at the end */
	bool overwrite;          /* rings are read only when a snapshot is asked for */
	bool kcore;              /* the kernel's code is copied beside the data */
	int comp_level;          /* 1 to 22; 0: data is not compressed */
	u64 max_size;            /* bytes of the output at which recording ends; 0: no limit */

	int delay_ms;             /* until events count; -1: never by itself, or by spans */
	struct delay_spans spans; /* owned */
	u64 duration_ms;          /* when that has passed recording ends; 0: it does not */

	unsigned int synth;       /* what to describe that was there before: SYNTH_* */
	unsigned int map_timeout; /* ms that reading the maps of a process may take */
	bool no_bpf;              /* BPF programs are not described */
	bool no_buildid, no_buildid_cache, buildid_all, buildid_mmap;
	bool release_late;     /* the kernel has let go of all events before the end is told */
	bool fetch;            /* what the build-id cache lacks is asked of debuginfod */
	const char *vmlinux;   /* borrowed; of the running kernel, for the cache; NULL: none */
	const char *cache_dir; /* borrowed; of the build-id cache; NULL: there is none */

	/* What BPF programs copy of the memory of system calls, which raw_syscalls events are
	 * of (bpf/call-memory.h). */
	const struct call_copies *copies; /* borrowed; by number of the call; NULL: nothing */
	u32 nr_copies;
	const struct int_list *copies_not; /* borrowed; not of these processes; or NULL */

	bool off_cpu;
	u64 off_cpu_thresh; /* ms; sleeps that long are samples of their own */
	bool wall;          /* the events of wall-clock time are recorded, and no others */
	u64 min_block;      /* ns; shorter times away from a CPU do not count as wall-clock time */

	struct ring_opts ring;
};

/*
 * What options say that is not a value of the recording yet: record_settle() (recordopts/settle.h)
 * makes one of it. All text is borrowed.
 */
struct record_given {
	bool strict_freq;                  /* a frequency above what the kernel allows is refused */
	bool pages_rounded;                /* -m: they are more than what was asked for */
	bool aux_pages;                    /* -m has a size for AUX areas, too */
	const char *switch_arg;            /* --switch-output; NULL: not given */
	const char *debuginfod;            /* --debuginfod: "system" or URLs; NULL: not given */
	bool time_set, period_set;         /* -T, -P or their negation was given */
	bool no_buildid_set, no_cache_set; /* the same of -B, -N */
	bool snapshot_set, aux_sample_set; /* --snapshot, --aux-sample were given */
};

/** switch_parse - parse "signal", a size, or a number and s, m, h or d. Return: 0, or -EINVAL when
 * @text is none of these. */
int switch_parse(struct switch_opts *s, const char *text);
/** delay_spans_parse - parse "FROM-TO,FROM-TO,...", in ms, each behind the one before. Return: 0,
 * or -EINVAL when @text is no such list. delay_spans_release() frees what was read either way. */
int delay_spans_parse(struct delay_spans *s, const char *text);
/** delay_spans_release - free. */
void delay_spans_release(struct delay_spans *s);
/** synth_parse - parse a list of "no", "all", "task", "mmap" and "cgroup". Return: 0 and SYNTH_*
 * bits in
 * @out, or -EINVAL. */
int synth_parse(const char *text, unsigned int *out);
/** affinity_parse - parse "sys", "node" or "cpu". Return: 0 or -EINVAL. */
int affinity_parse(const char *text, enum ring_affinity *out);

/** record_opts_target - keep one of several kinds of target, the one that counts, and derive from
 * it how events sample. @notes is told of what was left out. */
void record_opts_target(struct record_opts *o, const struct notices *notes);
/** offcpu_event_add - add the event of --off-cpu, "offcpu-time", behind those that were named. */
void offcpu_event_add(struct evlist *l);
/** offcpu_event - return that event of @l; NULL when there is none. */
struct evsel *offcpu_event(const struct evlist *l);
/** wall_events_add - add the events of --wall: what threads do on CPUs, and when they leave. */
void wall_events_add(struct evlist *l, u64 min_block);
/** record_opts_events - complete the attrs of @l for sampling as asked for. */
void record_opts_events(const struct record_opts *o, struct evlist *l);

#endif
