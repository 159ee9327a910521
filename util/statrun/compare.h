/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat --compare: commands run in turns, and which of them does what more often. */
#ifndef PERF_STATRUN_COMPARE_H
#define PERF_STATRUN_COMPARE_H

#include "cmd/common/limit.h"
#include "cli/options.h"
#include "stattext/compare.h"

#include <signal.h>

struct stat_cmd;

/* --fail-if [EVENT:]LIMIT */
struct compare_limit {
	char *event; /* owned; NULL: any */
	struct limit limit;
};

struct stat_compare {
	/* asked for */
	char *commands[COMPARE_MOST]; /* borrowed from argv */
	size_t nr;
	unsigned int warmup;
	struct compare_limit *limits; /* owned */
	size_t nr_limits, cap_limits;

	/* state */
	struct compare_table table;
	struct multiplexing *counted; /* owned; of each event: by each command */
	int status;                   /* of the command that failed, 0 */
};

/** opt_compare, opt_compare_fail_if - option callbacks, opt->value: struct stat_compare. */
int opt_compare(const struct option *opt, const char *arg, int unset);
int opt_compare_fail_if(const struct option *opt, const char *arg, int unset);
/** compare_add - one more command. Return: 0, or -1 with a message on stderr. */
int compare_add(struct stat_compare *c, const char *command);
/** compare_runs - run them all. Return: 0, or negative errno and a sentence. */
int compare_runs(struct stat_cmd *s, const sigset_t *mask, struct err *err);
/** compare_end - print what there is. Return: exit status. */
int compare_end(struct stat_cmd *s);

#endif
