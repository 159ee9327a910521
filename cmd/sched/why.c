// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched why: what the longest delays of tasks came from. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "schedtext/why.h"

#include <errno.h>

#define MOST_DELAYS 1000

static const char *const usage[] = { "perf sched why [<options>] <task>...",
				     "perf sched why [<options>] --max", NULL };

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = why_run(ctx, a, &text, err);

	if (!ret) {
		setup_pager();
		print_text(&text);
	}
	strbuf_release(&text);
	return ret;
}

/* Read the values of the options. Return: 0, or -EINVAL and a sentence. */
static int settle(struct why_show *show, bool all, const char **tasks, struct err *err)
{
	int ret = 0;

	if (!all == !*tasks)
		return err_set(err, -EINVAL, "why needs either names or tids of tasks, or --max");
	if (!show->most || show->most > MOST_DELAYS)
		return err_set(err, -EINVAL, "--number: %u is not within 1 to %d", show->most,
			       MOST_DELAYS);
	if (!show->depth || show->depth > WHY_DEPTH)
		return err_set(err, -EINVAL, "--depth: %u is not within 1 to %d", show->depth,
			       WHY_DEPTH);
	for (; *tasks && !ret; tasks++)
		ret = name_list_parse(&show->names, *tasks, "task", err);
	return ret;
}

int sched_why(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct why_show show = { .most = 5, .depth = 5, .max_stack = 5 };
	bool all = false, json = false;
	struct err err = { 0 };
	int status;
	const struct option options[] = {
		OPT_BOOLEAN(0, "max", &all, "the longest delays of all tasks"),
		OPT_UINTEGER('n', "number", &show.most, "show so many delays (default 5)"),
		OPT_UINTEGER(0, "depth", &show.depth,
			     "follow so many tasks that woke up one another (default 5)"),
		OPT_UINTEGER(0, "max-stack", &show.max_stack,
			     "Maximum number of functions to display backtrace."),
		OPT_BOOLEAN(0, "json", &json, "write a JSON object for each delay, a line each"),
		HEATMAP_OPTION(&show.heatmap, "delays"),
		SYMFS_OPTION(&c->source),
		THREAD_FILTER_OPTIONS(&c->source),
		SCHED_FILTER_OPTIONS(&c->source),
		OPT_STRING('C', "cpu", &c->source.cpus, "cpu", "list of cpus to profile"),
		OPT_PARENT(parent),
	};

	parse_options(argc, argv, options, usage, 0);
	if (settle(&show, all, argv, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	show.form = json ? TABLE_JSON : TABLE_TEXT;
	status = sched_read(c, work, &show);
	name_list_release(&show.names);
	return status;
}
