/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files of the auxsamples room. */
#ifndef PERF_AUXSAMPLES_INTERNAL_H
#define PERF_AUXSAMPLES_INTERNAL_H

#include "aux/spe-record.h"
#include "auxsamples/auxsamples.h"

/* The data behind one AUXTRACE record. */
struct aux_trace {
	const u8 *bytes; /* in the mapping */
	size_t size;
	u32 cpu, tid; /* -1: none */
};

/* A task that a CPU began to run. */
struct aux_task {
	u64 time;
	u32 cpu, pid, tid;
};

/* A survey holds what a file says of its traces. */
struct aux_survey {
	u32 pmu;                   /* type of the event that recorded them */
	struct rec_time_conv conv; /* mult 0: times cannot be converted */
	struct aux_trace *traces;  /* owned */
	size_t nr_traces, cap_traces;
	struct aux_task *tasks; /* owned; in the order of time */
	size_t nr_tasks, cap_tasks;
	struct map64 pids; /* by tid */
	u8 *map;           /* of a stream in a file, @map_size bytes; NULL: none */
	size_t map_size;
};

/**
 * aux_survey - collect the traces of Arm SPE that a file has.
 * @s: has the events
 * @f: is the file, or a stream in a file
 * Return: false: it has none, and there is nothing to be released.
 */
bool aux_survey(struct aux_survey *sv, const struct session *s, const struct perf_file *f);
/** aux_survey_ahead - tell whether a stream that is not read yet begins with the description of
 * traces of Arm SPE. */
bool aux_survey_ahead(const struct session *s);
void aux_survey_release(struct aux_survey *sv);
/** aux_survey_task - find the task that ran on a CPU; -1: unknown. */
void aux_survey_task(const struct aux_survey *sv, u32 cpu, u64 time, u32 *pid, u32 *tid);

#endif
