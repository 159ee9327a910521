/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay, with its lines in the form of perf 6.1. */
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

struct replay_show {
	int repeat;     /* how many rounds; less than 1: until the program is ended */
	bool force;     /* also a long recording, or one of many tasks */
	u64 most_tasks; /* that a user may have */
	/* Prints and empties the text, at once, because lines are read while the replay goes on.
	 * Return: false: nobody can read them, so it ends. */
	bool (*print)(struct strbuf *text);
};

/** replay_recording - read the recording and replay it. Return: 0, or negative and a sentence. */
int replay_recording(const struct replay_show *show, struct analysis *a, struct err *err);

#endif
