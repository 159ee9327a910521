/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a replay, in the form of perf 6.1. */
#ifndef PERF_SCHEDTEXT_REPLAY_H
#define PERF_SCHEDTEXT_REPLAY_H

#include "analysis/analysis.h"
#include "schedrun/schedrun.h"

/* A run and a pause of a millisecond took this long, in ns. */
struct replay_tests {
	u64 run, sleep;
};

/** replay_costs_text - append the costs of measuring, and what they make of a run and a pause. */
void replay_costs_text(const struct replay_costs *c, const struct replay_tests *t,
		       struct strbuf *out);
/** replay_programs_text - append how many steps there are of each kind, and the tasks. */
void replay_programs_text(const struct replay_programs *p, struct task_table *tasks,
			  struct strbuf *out);

/* This is known of the rounds so far. Times are in ms. */
struct replay_mean {
	u64 rounds;
	double elapsed, cpu;
};

/** replay_round_text - add a round to the means, where it weighs a tenth, and append its line. */
void replay_round_text(struct replay_mean *m, const struct replay_round *round, struct strbuf *out);

#endif
