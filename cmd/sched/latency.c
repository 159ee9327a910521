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
	struct delay_show show;
	bool by_pid, by_cgroup, json, csv;
	const char *sort, *scale;
};

static int work(void *ctx, struct analysis *a, struct err *err)
{
	const struct delay_show *show = &((const struct latency *)ctx)->show;
	struct sched_latency *state = delay_state_new(show, a);
	struct strbuf text = STRBUF_INIT;
	int ret = delay_check(show, analysis_recording(a), err)
			  ?: analysis_run(a, sched_latency_engine(), state, err);

	if (!ret) {
		setup_pager();
		delay_put(show, a, state, &text);
		print_text(&text);
		if (show->form != SCHED_TEXT)
			sched_tell_losses(a, sched_latency_counts(state));
	}
	sched_latency_free(state);
	return ret;
}

/* Read the values of the options. Return: 0, or -EINVAL and a sentence. */
static int settle(struct latency *l, struct err *err)
{
	struct delay_show *show = &l->show;

	if (l->by_pid && l->by_cgroup)
		return err_set(err, -EINVAL, "-p and --cgroup are two kinds of rows: choose one");
	if (l->by_pid || l->by_cgroup)
		show->merge = l->by_pid ? SCHED_BY_TASK : SCHED_BY_CGROUP;
	return delay_order_parse(&show->order, l->sort, err) ?:
	       delay_scale_parse(&show->scale, l->scale, err) ?:
	       sched_form_choose(&show->form, l->json, l->csv, err);
}

int sched_latency(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct latency l = { .sort = "avg, max, switch, runtime", .scale = "log" };
	struct err err = { 0 };
	const struct option options[] = {
		OPT_STRING('s', "sort", &l.sort, "key[,key2...]",
			   "sort by key(s): runtime, switch, avg, max, pid, p50, p90, p99"),
		OPT_STRING('C', "CPU", &c->source.cpus, "cpu", "CPU to profile on"),
		OPT_BOOLEAN('p', "pids", &l.by_pid, "latency stats per pid instead of per comm"),
		OPT_BOOLEAN(0, "cgroup", &l.by_cgroup, "latency stats per cgroup"),
		OPT_BOOLEAN(0, "percentiles", &l.show.percentiles,
			    "columns for the median and the delays of 90 and 99 percent"),
		OPT_BOOLEAN('H', "histogram", &l.show.histogram,
			    "Show the distribution of the delays of all tasks below the table"),
		OPT_STRING(0, "hist-mode", &l.scale, "mode",
			   "spans of the distribution: log (each twice the one before) or linear"),
		SCHED_FORM_OPTIONS(&l.json, &l.csv),
		THREAD_FILTER_OPTIONS(&c->source),
		SCHED_FILTER_OPTIONS(&c->source),
		OPT_PARENT(parent),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	l.show.some_cpus = c->source.cpus;
	if (settle(&l, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	return sched_read(c, work, &l);
}
