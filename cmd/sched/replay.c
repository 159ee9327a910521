// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched replay: give the scheduler the load of a recording again. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "base/clock.h"
#include "schedtext/replay.h"

#include <sys/resource.h>

#define TEST_NS 1000000
#define FOR_EVER (-1)

static const char *const usage[] = { "perf sched replay [<options>]", NULL };

struct replay_command {
	struct sched_common *c;
	int repeat; /* how many rounds; 0 and FOR_EVER: until the user ends them */
};

static u64 time_of(void (*work)(const struct replay_costs *c, u64 ns), const struct replay_costs *c)
{
	u64 start = clock_ns(CLOCK_MONOTONIC);

	work(c, TEST_NS);
	return clock_ns(CLOCK_MONOTONIC) - start;
}

/* Lines are read while the replay goes on. Return: false: nobody can read them. */
static bool show(struct strbuf *text)
{
	print_text(text);
	return !fflush(stdout);
}

static void measure(struct replay_costs *costs)
{
	struct strbuf text = STRBUF_INIT;
	struct replay_tests tests;

	replay_measure(costs);
	tests.run = time_of(replay_run, costs);
	tests.sleep = time_of(replay_pause, costs);
	replay_costs_text(costs, &tests, &text);
	show(&text);
}

/* An interrupt ends the process with all its threads, also within a round. */
static void play(const struct replay_command *m, struct replayer *r)
{
	struct strbuf text = STRBUF_INIT;
	struct replay_mean mean = { 0 };
	struct replay_round round;

	do {
		replayer_round(r, &round);
		replay_round_text(&mean, &round, &text);
	} while (show(&text) && (m->repeat <= 0 || mean.rounds < (u64)m->repeat));
}

static int replay(const struct replay_command *m, const struct replay_programs *p,
		  struct task_table *tasks, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct replay_costs costs;
	struct rlimit most = { .rlim_cur = RLIM_INFINITY };
	struct replayer *r;
	int ret = 0;

	getrlimit(RLIMIT_NPROC, &most);
	if (!m->c->source.force)
		ret = replay_is_small(p, most.rlim_cur, err);
	if (ret)
		return ret;
	measure(&costs);
	replay_programs_text(p, tasks, &text);
	show(&text);
	ret = replayer_new(&r, p, &costs, err);
	if (!ret)
		play(m, r);
	replayer_free(r);
	return ret;
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct task_table *tasks = analysis_tasks(a);
	struct sched_replay *state = sched_replay_new(tasks);
	int ret = analysis_run(a, sched_replay_engine(), state, err);

	if (!ret)
		ret = replay(ctx, sched_replay_programs(state), tasks, err);
	sched_replay_free(state);
	return ret;
}

int sched_replay(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct replay_command m = { .c = c, .repeat = 10 };
	const struct option options[] = {
		OPT_INTEGER('r', "repeat", &m.repeat,
			    "repeat the workload replay N times (0, -1: infinite)"),
		TIME_FILTER_OPTIONS(&c->source),
		OPT_PARENT(parent),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	if (m.repeat < FOR_EVER)
		usage_with_options_msg(usage, options, "-r: %d is no number of replays", m.repeat);
	return sched_read(c, work, &m);
}
