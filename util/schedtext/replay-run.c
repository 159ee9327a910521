// SPDX-License-Identifier: GPL-2.0-or-later
/* Give the scheduler the load of a recording again, and tell how it goes. */
#include "base/compat.h"

#include "schedtext/replay.h"

#include "base/clock.h"

#define TEST_NS 1000000

static u64 time_of(void (*work)(const struct replay_costs *c, u64 ns), const struct replay_costs *c)
{
	u64 start = clock_ns(CLOCK_MONOTONIC);

	work(c, TEST_NS);
	return clock_ns(CLOCK_MONOTONIC) - start;
}

static void measure(const struct replay_show *show, struct replay_costs *costs, struct strbuf *text)
{
	struct replay_tests tests;

	replay_measure(costs);
	tests.run = time_of(replay_run, costs);
	tests.sleep = time_of(replay_pause, costs);
	replay_costs_text(costs, &tests, text);
	show->print(text);
}

/* An interrupt ends the process with all its threads, also within a round. */
static void play(const struct replay_show *show, struct replayer *r, struct strbuf *text)
{
	struct replay_mean mean = { 0 };
	struct replay_round round;

	do {
		replayer_round(r, &round);
		replay_round_text(&mean, &round, text);
	} while (show->print(text) && (show->repeat <= 0 || mean.rounds < (u64)show->repeat));
}

static int replay(const struct replay_show *show, const struct replay_programs *p,
		  struct task_table *tasks, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct replay_costs costs;
	struct replayer *r;
	int ret = show->force ? 0 : replay_is_small(p, show->most_tasks, err);

	if (ret)
		return ret;
	measure(show, &costs, &text);
	replay_programs_text(p, tasks, &text);
	show->print(&text);
	ret = replayer_new(&r, p, &costs, err);
	if (!ret)
		play(show, r, &text);
	replayer_free(r);
	strbuf_release(&text);
	return ret;
}

int replay_recording(const struct replay_show *show, struct analysis *a, struct err *err)
{
	struct task_table *tasks = analysis_tasks(a);
	struct sched_replay *state = sched_replay_new(tasks);
	int ret = analysis_run(a, sched_replay_engine(), state, err);

	if (!ret)
		ret = replay(show, sched_replay_programs(state), tasks, err);
	sched_replay_free(state);
	return ret;
}
