// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched latency: how long tasks waited for a CPU. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "schedtext/schedtext.h"

#include <errno.h>

static const char *const usage[] = { "perf sched latency [<options>]", NULL };

struct latency {
	struct sched_common *c;
	bool by_pid, percentiles, histogram;
	const char *sort, *scale_name;
	enum delay_scale scale;
	struct delay_order order;
};

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct latency *l = ctx;
	struct task_table *tasks = analysis_tasks(a);
	bool steps = l->percentiles || l->histogram || delay_order_steps(&l->order);
	struct sched_latency *state = sched_latency_new(tasks, l->c->source.cpus, steps);
	struct strbuf text = STRBUF_INIT;
	int ret = analysis_run(a, sched_latency_engine(), state, err);

	if (!ret) {
		struct delay_text t = { tasks, l->percentiles, *sched_latency_counts(state),
					analysis_losses(a) };
		size_t nr;
		struct sched_delays *rows = sched_latency_rows(state, l->by_pid, &nr);

		setup_pager();
		delay_text(&t, &l->order, rows, nr, &text);
		if (l->histogram)
			delay_histogram(l->scale, rows, nr, &text);
		print_text(&text);
		free(rows);
	}
	sched_latency_free(state);
	return ret;
}

int sched_latency(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct latency l = { .c = c, .sort = "avg, max, switch, runtime", .scale_name = "log" };
	struct err err = { 0 };
	const struct option options[] = {
		OPT_STRING('s', "sort", &l.sort, "key[,key2...]",
			   "sort by key(s): runtime, switch, avg, max, pid, p50, p90, p99"),
		OPT_STRING('C', "CPU", &c->source.cpus, "cpu", "CPU to profile on"),
		OPT_BOOLEAN('p', "pids", &l.by_pid, "latency stats per pid instead of per comm"),
		OPT_BOOLEAN(0, "percentiles", &l.percentiles,
			    "columns for the median and the delays of 90 and 99 percent"),
		OPT_BOOLEAN('H', "histogram", &l.histogram,
			    "Show the distribution of the delays of all tasks below the table"),
		OPT_STRING(0, "hist-mode", &l.scale_name, "mode",
			   "spans of the distribution: log (each twice the one before) or linear"),
		TIME_FILTER_OPTIONS(&c->source),
		OPT_PARENT(parent),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	if (delay_order_parse(&l.order, l.sort, &err) ||
	    delay_scale_parse(&l.scale, l.scale_name, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	return sched_read(c, work, &l);
}
