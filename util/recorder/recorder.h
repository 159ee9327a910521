/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf record: options (builtin-record.c, -options), the run (-run) and its steps (-open, -start,
 * -loop, -end), the header (-header), the look at what is written (-scan). What the steps share is
 * in record-internal.h.
 */
#ifndef PERF_RECORDER_RECORDER_H
#define PERF_RECORDER_RECORDER_H

#include "base/sysroot.h"
#include "cli/options.h"
#include "events/config.h"
#include "file/feature.h"
#include "file/compress-thread.h"
#include "file/write-back.h"
#include "file/writer.h"
#include "bpf/filter.h"
#include "bpf/watch.h"
#include "kernel/open.h"
#include "kernel/ring.h"
#include "kernel/workload.h"
#include "session/features.h"
#include "cmd/common/filter.h"
#include "cmd/common/open-show.h"
#include "recorder/output.h"
#include "cmd/common/target.h"
#include "recorder/thread-sets.h"

/* An object that no hard link can put into the build-id cache. */
struct record_copy {
	char *name; /* owned */
	u32 pid;    /* that has it in a mount namespace of its own; 0: it is in ours */
	u8 id[20], id_size;
};

/* What the written data holds. */
struct record_scan {
	u64 samples, first_time, last_time;
	u64 own; /* samples of the recorder itself */
	u64 lost_chunks, lost_events, lost_samples, events;
	bool kernel_hit;         /* a sample was in the kernel */
	struct strbuf build_ids; /* owned: body of the BUILD_ID feature */
	struct seen_lost {
		u64 id, lost;
	} * lost; /* owned: by the event that came next */
	size_t nr_lost, cap_lost;
};

/* How many of the samples are of the recorder itself. */
struct own_share {
	u64 samples, own;
};

/* How the rings are emptied. */
enum pump_affinity { AFFINITY_SYS, AFFINITY_NODE, AFFINITY_CPU };
struct pump_opts {
	const char *threads;         /* --threads; borrowed, NULL: one thread */
	size_t pages;                /* -m; 0: not asked */
	bool pages_rounded;          /* they are more than what was asked for */
	bool aux_pages;              /* -m has a size for AUX areas too */
	u64 flush;                   /* --mmap-flush: a ring with fewer bytes is left for later */
	unsigned int aio;            /* --aio: a thread writes, so many buffers of it may wait */
	enum pump_affinity affinity; /* where to run while a ring is emptied */
	int realtime;                /* -r: priority of SCHED_FIFO; 0: none */
	unsigned int budget;         /* per cent of each CPU that sampling may take; 0: any */
	unsigned int synth_threads;  /* --num-thread-synthesize; 0: as many as there are CPUs */
};

struct record_loop;
struct record_threads;

struct record {
	/* asked for */
	struct sample_opts sample;
	struct target target;
	struct cgroup_arg cgroups;
	bool no_buildid, no_buildid_cache, buildid_all, quiet, strict_freq, no_bpf, dry_run,
		buildid_mmap;
	const char *debuginfod, *vmlinux, *output;
	unsigned int synth; /* what to make records of that was there before: SYNTH_* */
	int verbose;
	bool off_cpu;
	u64 off_cpu_thresh; /* ms; sleeps that long are samples of their own */
	int delay_ms;       /* -D; -1: never enabled, or by ro.spans */
	u64 duration_ms;    /* when that has passed recording ends by itself; 0: it does not */
	int comp_level;     /* -z; 0: data is not compressed */
	struct pump_opts pump;
	int argc; /* of the whole command line, for CMDLINE */
	const char *const *argv;
	char **command; /* borrowed from argv, NULL without one */

	struct record_output ro; /* when and where data is written: options and state */

	/* state */
	struct sysroot sysroot;
	struct evlist evlist;
	struct int_list cpus, tids;
	struct kevents kevents;
	struct rings rings;
	struct workload workload;
	struct file_writer writer;
	struct compress_thread *compress_thread; /* owned; with -z, while data is written */
	struct write_back *write_back;           /* owned; behind the current output file */
	struct scan *scan;                       /* owned; it sees what goes into a file */
	struct strbuf tracing;                   /* owned: the TRACING_DATA section, may be empty */
	struct record_scan seen;                 /* of the current output file */
	u64 comp_raw, comp_packed;  /* bytes that were compressed, and what they have become */
	char *cache_dir;            /* owned; NULL: no object is put into the build-id cache */
	struct record_copy *copies; /* owned; what has to be copied there, when all is written */
	size_t nr_copies, cap_copies;
	struct filter_arg filter;
	const char *setup_filter; /* pin, unpin, list: that instead of recording */
	struct bpf_filters filters;
	struct bpf_progs bpf;
	struct bpf_watch bpf_watch;
	bool bpf_watched;               /* bpf_watch is open */
	struct open_shown shown;        /* with -vv */
	struct clock_pair clock;        /* with -k: taken before the workload starts */
	struct record_threads *threads; /* owned; NULL without --threads */
	struct record_loop *loop;       /* owned; see record-internal.h */
	int nice;                       /* before it was raised */
	bool raised;
	struct thread_sets near;          /* owned; with --affinity: which CPUs are near which */
	const struct thread_set *nearest; /* of those, where we run; NULL: not moved yet */
	int sigfd;
	int cpu_watch; /* tells of CPUs that come back; 0: nothing does */
	bool new_ids;  /* events have ids that the head of the file does not know */
	int signal;    /* that ended us, 0 */
	bool stopped;  /* by a signal or because time was up: the command had not ended */
	unsigned long waking;
	struct record_offcpu *offcpu; /* owned; NULL without --off-cpu */
	u64 filtered;                 /* samples that filters dropped */
	u64 lost;                     /* samples the kernel dropped, by read_format LOST */
	struct own_share fed;         /* when that was last looked at */
	struct own_share handed;      /* to the compress thread */
	bool fed_watched;             /* is it looked at? */
	bool fed_back;                /* our own tracepoints are left out */
	u64 *lost_of;                 /* owned; the same for each descriptor; NULL before the end */
};

/* Callbacks of options. They change a struct sample_opts; regs and branches a mask of its own. */
int record_opt_callgraph(const struct option *opt, const char *arg, int unset);
int record_opt_g(const struct option *opt, const char *arg, int unset);
int record_opt_clockid(const struct option *opt, const char *arg, int unset);
int record_opt_regs(const struct option *opt, const char *arg, int unset);
int record_opt_branch_any(const struct option *opt, const char *arg, int unset);
int record_opt_setup_filter(const struct option *opt, const char *arg, int unset);
int record_opt_branches(const struct option *opt, const char *arg, int unset);
/* The same, of a struct record. */
int record_opt_synth(const struct option *opt, const char *arg, int unset);
/* The same, of a struct pump_opts. */
int record_opt_pages(const struct option *opt, const char *arg, int unset);
int record_opt_mmap_flush(const struct option *opt, const char *arg, int unset);
int record_opt_aio(const struct option *opt, const char *arg, int unset);
/** record_default_aio - the value of record.aio. */
void record_default_aio(struct pump_opts *p, const char *value);
int record_opt_affinity(const struct option *opt, const char *arg, int unset);
/** record_settle_pump - check what was asked of how rings are emptied, -m too. Return: 0, or -1
 * when told what is wrong. */
int record_settle_pump(struct record *r);
/** record_choose_target - of several kinds of target take one, and say so; what follows from it for
 * the events. Return: 0, or -1 when control groups are asked for and it is not the whole system. */
int record_choose_target(struct record *r);
/** record_settle_lbr - say where --call-graph=lbr cannot be had. */
void record_settle_lbr(const struct record *r);
/** record_settle_regs - the registers that unwinding needs, beside those asked for. */
void record_settle_regs(struct sample_opts *s);

/** record_filter_settle - check --filter, have recorded what filters look at. @named: there was an
 * -e. Return: 0, or an exit status. */
int record_filter_settle(struct record *r, bool named);

/** record_setup_filter - do what --setup-filter says. Return: exit status. */
int record_setup_filter(struct record *r);
/** record_offcpu_add - the event of --off-cpu, behind those that were named. */
void record_offcpu_add(struct record *r);

/** record_run - record as asked. Return: exit status; r->signal is the signal to die of, 0 none. */
int record_run(struct record *r);

/** record_show_try - tell of one perf_event_open on stderr, as -vv does. @ctx: struct record */
void record_show_try(void *ctx, const struct open_try *t);
/** record_dry_run - configure the events and tell of their attrs with -vv. Return: exit status. */
int record_dry_run(struct record *r);

struct scan;
/**
 * scan_new - look at records as they are written: how many, their time span, and the build-ids of
 * what samples hit. @r says whose build-ids; @out is filled by scan_end(), which frees the scan.
 * @tasks: where processes are noted if record_tasks_synthesize() will ask for them; no other thread
 * may use it meanwhile
 */
struct scan *scan_new(struct record *r, struct record_scan *out, struct map64 *tasks);
/** scan_walk - the next records. @ctx: the scan; what the kernel says wrongly of maps is put right.
 */
void scan_walk(void *ctx, void *data, size_t len);
/**
 * scan_spans - what came out of a ring: whole records, in one or two spans
 *
 * Return: how many spans are to be written. Where the kernel said something wrong of a map it is
 * one of the scan's own, valid until the next call.
 */
int scan_spans(struct scan *s, struct iovec *iov, int nr);
/**
 * scan_count_own - what is still to be shown to the scan, possibly on another thread meanwhile:
 * how many samples there are, and how many of them are of the recorder itself; both are added to.
 */
void scan_count_own(struct scan *s, const struct iovec *iov, int nr, u64 *samples, u64 *own);
/** scan_merge - add what @from has seen to @into; frees @from. */
void scan_merge(struct scan *into, struct scan *from);
/** scan_end - NULL is fine. */
void scan_end(struct scan *s);

/* Where data is to end so that it has only whole records. */
struct cut {
	u64 keep; /* bytes */
	u64 samples,
		dropped; /* samples in them, and behind them; compressed ones are not counted */
};
/** record_cut - look for that in the @size bytes at @offset of a file, at @limit at most. */
struct cut record_cut(int fd, u64 offset, u64 size, u64 limit);

/** record_cache - put an object into the build-id cache if that costs next to nothing, else note it
 * for record_cache_copy(). @name: as recorded; @pid: a process that has it. */
void record_cache(struct record *r, const char *name, u32 pid, const u8 *id, u8 id_size);
/** record_settle_debuginfod - --debuginfod: is there what it takes? */
void record_settle_debuginfod(struct record *r);
/** record_settle_vmlinux - is the file of --vmlinux that of the running kernel? One that is not is
 * told of and forgotten. Return: 0, or -1 when it cannot be read. */
int record_settle_vmlinux(struct record *r);
/** record_cache_copy - have what was noted copied by a process in the background. */
void record_cache_copy(struct record *r);

/** comp_ratio - how many times smaller -z has made the data; 0 before. */
double comp_ratio(const struct record *r);
/** record_clock - with -k: what the chosen clock and the time of day are now, for CLOCK_DATA. */
void record_clock(struct record *r);
/**
 * collect_features - all features, in bit order.
 * @scan: NULL for a stream: what can only be said at the end is left out there
 * @tracing: the TRACING_DATA section, may be empty
 */
void collect_features(const struct record *r, const struct record_scan *scan,
		      const struct strbuf *tracing, struct features *f);
/** collect_early - those that say what the data is about, for the case that nobody completes it. */
void collect_early(const struct record *r, struct features *f);
#endif
