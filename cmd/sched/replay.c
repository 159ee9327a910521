// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched replay: give the scheduler the load of a recording again. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "schedtext/replay.h"

#include <sys/resource.h>

#define FOR_EVER (-1)

static const char *const usage[] = { "perf sched replay [<options>]", NULL };

/* Lines are read while the replay goes on. Return: false: nobody can read them. */
static bool print(struct strbuf *text)
{
	print_text(text);
	return !fflush(stdout);
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	return replay_recording(ctx, a, err);
}

int sched_replay(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct replay_show show = { .repeat = 10, .print = print };
	struct rlimit most = { .rlim_cur = RLIM_INFINITY };
	const struct option options[] = {
		OPT_INTEGER('r', "repeat", &show.repeat,
			    "repeat the workload replay N times (0, -1: infinite)"),
		TIME_FILTER_OPTIONS(&c->source),
		OPT_PARENT(parent),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	if (show.repeat < FOR_EVER)
		usage_with_options_msg(usage, options, "-r: %d is no number of replays",
				       show.repeat);
	getrlimit(RLIMIT_NPROC, &most);
	show.most_tasks = most.rlim_cur;
	show.force = c->source.force;
	return sched_read(c, work, &show);
}
