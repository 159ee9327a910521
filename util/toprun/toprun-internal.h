/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a live profile, shared by the files of the room. */
#ifndef PERF_TOPRUN_INTERNAL_H
#define PERF_TOPRUN_INTERNAL_H

#include "live/behind.h"
#include "live/live.h"
#include "recorder/scheduling.h"
#include "recording/state-log.h"
#include "resolve/callchain.h"
#include "toprun/kept.h"
#include "toprun/raw-file.h"
#include "toprun/shared.h"
#include "toprun/toprun.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct pollfd;

struct toprun {
	struct toprun_conf conf;
	struct opened ev;
	struct strbuf before;       /* what there was when counting began */
	struct behind *behind;      /* the session owns it */
	struct raw_file raw;        /* of conf.record */
	struct strbuf tracing;      /* the formats of tracepoints, as a file has them */
	struct clock_pair no_clock; /* none was chosen */
	struct bpf_progs no_progs;  /* none are described in the file */
	struct priority priority;   /* of all threads of ours */

	/* the thread that reads the rings */
	struct pollfd *fds; /* owned; -1: the thread has ended */
	size_t nr_fds;
	bool prioritized;
	atomic_size_t live; /* descriptors whose threads have not ended */
	atomic_bool stop;

	/* the thread of the session, which holds the lock unless it waits for records */
	pthread_t thread;
	bool running, opened;
	pthread_mutex_t lock;
	atomic_int wanted; /* others that wait for the lock */
	int result;        /* of the session, with a sentence in @err */
	struct err err;

	/* what is known, under the lock */
	struct recording rec;
	struct callchain_conf chain_sources;
	struct callchain_maker chains;
	struct kept kept;
	struct state_log log;
	struct shared_space shared;
	bool shares;               /* nobody asks for the processes of samples */
	struct toprun_numbers now; /* since the last refresh */
	u64 lost_total, dropped_total;
	struct timespec since, cpu_since;
	struct profile *profile; /* owned; that of the last refresh */
	struct machine *past;    /* owned; what was known when it was made, as it may refer to that;
				    NULL: it still is */
};

/* ---- counting.c ---- */

/* These operations take the records; their context is the struct toprun. */
extern const struct recording_ops counting_ops;
/** counting_start - prepare to count what the columns of t->profile show. @limit: bytes of kept
 * samples */
void counting_start(struct toprun *t, size_t limit);
/** counting_show - hand the samples that are kept to a profile. */
void counting_show(struct toprun *t, struct profile *p, const struct toprun_look *look);
/** counting_renew - drop state of what has ended, of which no sample is kept, and objects that
 * nothing refers to. There is no profile meanwhile. */
void counting_renew(struct toprun *t);
/** counting_renew_tasks - drop the state alone: the profile can still be read. */
void counting_renew_tasks(struct toprun *t);
void counting_release(struct toprun *t);

#endif
