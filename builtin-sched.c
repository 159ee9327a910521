// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched: who ran, who waited, and how long. Its verbs are in cmd/sched. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

static const char *const sched_subcommands[] = { "record",   "latency", "map",   "replay", "script",
						 "timehist", "why",     "stats", NULL };
static const char *const sched_usage[] = {
	"perf sched [<options>] {record|latency|map|replay|script|timehist|why|stats}",
	NULL,
};

static int run_record(int argc, const char **argv, struct sched_common *c,
		      const struct option *parent)
{
	struct verb_args a;

	sched_record_arguments(&a, argc, argv);
	return record_verb(&a, NULL, NULL);
}

static int run_script(int argc, const char **argv, struct sched_common *c,
		      const struct option *parent)
{
	return script_verb(&c->source, c->dump, argc, argv);
}

static const struct {
	const char *name;
	int (*run)(int argc, const char **argv, struct sched_common *c,
		   const struct option *parent);
} verbs[] = {
	{ "record", run_record },   { "latency", sched_latency }, { "map", sched_map },
	{ "replay", sched_replay }, { "script", run_script },     { "timehist", sched_timehist },
	{ "why", sched_why },       { "stats", sched_stats },
};

int cmd_sched(int argc, const char **argv)
{
	struct sched_common c = { .verbose = debug_level("verbose") };
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		OPT_INCR('v', "verbose", &c.verbose, "be more verbose (show symbol address, etc)"),
		OPT_BOOLEAN('D', "dump-raw-trace", &c.dump, "dump raw trace in ASCII"),
		OPT_END(),
	};

	argc = parse_options_subcommand(argc, argv, options, sched_subcommands, sched_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(sched_usage, options);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		int status;

		if (strncmp(verbs[i].name, argv[0], MAX(strlen(argv[0]), (size_t)3)))
			continue;
		status = verbs[i].run(argc, argv, &c, options);
		symfs_release(&c.source.symfs);
		return status;
	}
	usage_with_options_msg(sched_usage, options, "Unknown command: %s", argv[0]);
}
