/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of perf sched. */
#ifndef PERF_CMD_SCHED_SCHED_H
#define PERF_CMD_SCHED_SCHED_H

#include "analyze/sched-events.h"
#include "cli/options.h"
#include "cmd/common/source.h"
#include "recordopts/verb-args.h"

/* The options of all verbs that read a recording, which may stand before and behind the verb. */
struct sched_common {
	struct recording_options source;
	bool dump;
	int verbose;
};

/* The options that choose events by time and tasks by name. @o: a struct recording_options */
#define SCHED_FILTER_OPTIONS(o)                                                                    \
	TIME_FILTER_OPTIONS(o),                                                                    \
		OPT_STRING(0, "comm", &(o)->comms, "name[,name...]", "only tasks of these names")

/* The options that choose the form of results. @json, @csv: bool */
#define SCHED_FORM_OPTIONS(json, csv)                                                              \
	OPT_BOOLEAN(0, "json", json, "Print a JSON object for each row"),                          \
		OPT_BOOLEAN(0, "csv", csv, "Print rows as comma-separated values")

/* A verb gets the arguments from its name on. Return: the exit status, with a message printed. */
int sched_latency(int argc, const char **argv, struct sched_common *c, const struct option *parent);
int sched_map(int argc, const char **argv, struct sched_common *c, const struct option *parent);
int sched_replay(int argc, const char **argv, struct sched_common *c, const struct option *parent);
int sched_stats(int argc, const char **argv, struct sched_common *c, const struct option *parent);
int sched_timehist(int argc, const char **argv, struct sched_common *c,
		   const struct option *parent);
int sched_why(int argc, const char **argv, struct sched_common *c, const struct option *parent);

/** sched_record_arguments - make the arguments of record. @argc, @argv: of the verb.
 * verb_args_release() frees them. */
void sched_record_arguments(struct verb_args *a, int argc, const char **argv);

/** sched_cpus - return how many CPUs a recording tells of, as far as a kernel can have so many. */
u32 sched_cpus(u32 told);

/**
 * sched_read - open the recording, do the work, print what the recording lacks.
 * Return: the exit status, with a message printed.
 */
int sched_read(struct sched_common *c, analysis_work work, void *ctx);

/** sched_tell_losses - print on stderr what is missing from the recording or does not fit together.
 */
void sched_tell_losses(const struct analysis *a, const struct sched_counts *counts);

/* A verb that follows the scheduler while it runs. */
struct sched_live {
	analysis_work work;
	bool (*show)(void *ctx, struct analysis *a); /* shows what there is so far; false: end */
	void *ctx;
	bool cgroups;            /* samples tell those of tasks */
	unsigned int refresh_ms; /* between two calls of @show */
};

/** sched_live - do the work of a verb until a signal or show() ends it. Return: the exit status,
 * with a message printed. */
int sched_live(struct sched_common *c, const struct sched_live *l);

#endif
