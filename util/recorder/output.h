/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf record: when and where data is written. Options and state of output switching
 * (record-switch.c), limits and delays (record-when.c), the control channel (record-control.c),
 * overwritten rings (record-overwrite.c) and copies of kcore (record-kcore.c).
 */
#ifndef PERF_RECORDER_OUTPUT_H
#define PERF_RECORDER_OUTPUT_H

#include "cmd/common/control.h"
#include "base/hash.h"
#include "cli/options.h"
#include "kernel/ring.h"

struct record;

/* Milliseconds from the start during which events count. */
struct time_span {
	u64 from, to;
};

/* --switch-output and what goes with it. */
struct record_switch {
	const char *arg; /* borrowed; NULL: not given */
	bool enabled;
	u64 size, ms;           /* switch when so much was written, each so often; 0: not */
	unsigned int max_files; /* 0: keep all */
	bool wanted;            /* a trigger has fired since the last switch */
	char **files;           /* owned, each; with max_files: what was written, oldest first */
	size_t nr_files, cap_files;
	struct evlist event_list; /* --switch-output-event */
	bool of_target;           /* its events are of what is recorded, not of the whole system */
	struct kevents events;
	struct rings event_rings;
};

/* --control */
struct record_output {
	struct record_switch sw;
	struct control control;
	bool timestamp_filename, timestamp_boundary, tail_synthesize, overwrite;
	u64 max_size;            /* of the output, 0: no limit */
	struct time_span *spans; /* owned; -D with ranges */
	size_t nr_spans, cap_spans;
	size_t span; /* the one we are in or before */
	bool in_span;
	u64 start_ms; /* what spans are counted from */
	int delay_timer;
	unsigned int map_timeout; /* --proc-map-timeout, ms */
	bool kcore;
	int kcore_last;                    /* the folder of the last copy; -1: none */
	bool complete;                     /* the output file that ended last has its header */
	const char *snapshot, *aux_sample; /* borrowed */
	bool snapshot_set, aux_sample_set;
	bool no_buildid_set, no_cache_set; /* -B, -N or their negation was given */
	struct map64 tasks; /* of record-tasks.c: processes seen; 1: alive, 0: gone */
};

/**
 * record_output_settle - what these options imply for others, and what does not go together.
 * Return: 0, -ENODEV: what was asked for is not there, -EINVAL: --switch-output makes no sense; it
 * has been said.
 */
int record_output_settle(struct record *r);
/* Callbacks of options. They change a struct record. */
int record_opt_max_size(const struct option *opt, const char *arg, int unset);
int record_opt_delay(const struct option *opt, const char *arg, int unset);
int record_opt_control(const struct option *opt, const char *arg, int unset);

#endif
