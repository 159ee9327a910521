/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf record: options (builtin-record.c), the run (-run), the header (-header), the look back
 * (-scan). */
#ifndef PERF_BUILTIN_RECORD_H
#define PERF_BUILTIN_RECORD_H

#include "base/sysroot.h"
#include "events/config.h"
#include "file/writer.h"
#include "kernel/open.h"
#include "kernel/ring.h"
#include "kernel/workload.h"

/* An object that no hard link can put into the build-id cache. */
struct record_copy {
	char *name; /* owned */
	u8 id[20], id_size;
};

struct record {
	/* asked for */
	struct sample_opts sample;
	bool all_cpus, no_buildid, no_buildid_cache, buildid_all, quiet, strict_freq, no_bpf;
	const char *cpu_list, *pids, *tids_arg, *output, *pages_arg, *freq_arg;
	int verbose;
	int delay_ms; /* -D; -1: never enabled */
	int argc;     /* of the whole command line, for CMDLINE */
	const char *const *argv;
	char **command; /* borrowed from argv, NULL without one */

	/* state */
	struct sysroot sysroot;
	struct evlist evlist;
	struct int_list cpus, tids;
	struct kevents kevents;
	struct rings rings;
	struct workload workload;
	struct file_writer writer;
	char *cache_dir;            /* owned; NULL: no object is put into the build-id cache */
	struct record_copy *copies; /* owned; what has to be copied there, when all is written */
	size_t nr_copies, cap_copies;
	int sigfd;
	int signal; /* that ended us, 0 */
	unsigned long waking;
	u64 lost; /* samples the kernel dropped, by read_format LOST */
};

/** record_run - record as asked. Return: exit status; r->signal is the signal to die of, 0 none. */
int record_run(struct record *r);

/* What the written data holds. */
struct record_scan {
	u64 samples, first_time, last_time;
	u64 lost_chunks, lost_events, lost_samples, events;
	u64 whole;               /* bytes of whole records from the start of the data */
	struct strbuf build_ids; /* owned: body of the BUILD_ID feature */
};

/**
 * record_scan - walk over the records just written: count, time span, and the build-ids of what
 * samples hit.
 * @all: build-ids of everything that was mapped
 * Return: 0, negative errno when the file cannot be mapped (a device, say): then nothing is known.
 */
int record_scan(struct record *r, bool build_ids, bool all, struct record_scan *out);

/**
 * record_cut - where to end the data so that it has only whole records and at most @limit bytes.
 * Return: bytes; @dropped_samples: samples beyond that.
 */
u64 record_cut(struct record *r, u64 limit, u64 *dropped_samples);

/** record_cache - put an object into the build-id cache if that costs next to nothing, else note it
 * for record_cache_copy(). @name: as recorded. */
void record_cache(struct record *r, const char *name, const u8 *id, u8 id_size);
/** record_cache_copy - have what was noted copied by a process in the background. */
void record_cache_copy(struct record *r);

struct features {
	struct writer_feature v[40];
	size_t nr;
};

/** writer_attrs - the events as the writer takes them; the caller frees the array, the rest is
 * borrowed. */
struct writer_attr *writer_attrs(const struct evlist *l);
/**
 * collect_features - all features, in bit order.
 * @scan: NULL for a stream: what can only be said at the end is left out there
 * @tracing: the TRACING_DATA section, may be empty
 */
void collect_features(const struct record *r, const struct record_scan *scan,
		      const struct strbuf *tracing, struct features *f);
/** features_release - free the bodies. */
void features_release(struct features *f);

#endif
