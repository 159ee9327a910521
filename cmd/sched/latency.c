// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched latency: how long tasks waited for a CPU. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "schedtext/delay-map.h"
#include "schedtext/schedtext.h"

#include <errno.h>
#include <unistd.h>

static const char *const usage[] = { "perf sched latency [<options>]", NULL };

struct latency {
	struct delay_show show;
	struct sched_latency *state;
	bool live;
	unsigned int refresh_ms;
	bool by_pid, by_cgroup, json, csv;
	const char *sort, *scale, *heatmap;
};

/* Print what was found. Return: false: nobody can read it. */
static bool print_delays(struct latency *l, struct analysis *a)
{
	struct strbuf text = STRBUF_INIT;

	delay_put(&l->show, a, l->state, &text);
	print_text(&text);
	strbuf_release(&text);
	return !fflush(stdout);
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct latency *l = ctx;
	struct delay_map *map = l->heatmap ? delay_map_new(a) : NULL;
	int ret;

	l->state = delay_state_new(&l->show, a);
	if (map)
		delay_map_watch(map, l->state);
	ret = delay_run(&l->show, a, &l->state, map, err);
	if (!ret) {
		if (!l->live)
			setup_pager();
		print_delays(l, a);
		if (l->show.form != TABLE_TEXT)
			sched_tell_losses(a, sched_latency_counts(l->state));
		if (map)
			ret = delay_map_write(map, l->heatmap, err);
	}
	delay_map_free(map);
	sched_latency_free(l->state);
	return ret;
}

/* A terminal shows one table at a time. */
static bool show(void *ctx, struct analysis *a)
{
	if (isatty(STDOUT_FILENO))
		fputs(CLEAR_SCREEN, stdout);
	return print_delays(ctx, a);
}

/* Read the values of the options. Return: 0, or -EINVAL and a sentence. */
static int settle(struct latency *l, const char *input, struct err *err)
{
	struct delay_show *show = &l->show;

	if (l->by_pid && l->by_cgroup)
		return err_set(err, -EINVAL, "-p and --cgroup are two kinds of rows: choose one");
	if (l->by_pid || l->by_cgroup)
		show->merge = l->by_pid ? SCHED_BY_TASK : SCHED_BY_CGROUP;
	if (l->live && input)
		return err_set(err, -EINVAL, "--live reads no recording: leave out -i");
	if (!l->refresh_ms)
		return err_set(err, -EINVAL, "--refresh: 0 ms are too few");
	return delay_order_parse(&show->order, l->sort, err) ?:
	       delay_scale_parse(&show->scale, l->scale, err) ?:
	       table_form_choose(&show->form, l->json, l->csv, err);
}

int sched_latency(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct latency l = { .sort = "avg, max, switch, runtime",
			     .scale = "log",
			     .refresh_ms = 2000 };
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
		HEATMAP_OPTION(&l.heatmap, "delays"),
		OPT_BOOLEAN(0, "live", &l.live,
			    "follow the scheduler until Ctrl-C, without a file"),
		OPT_UINTEGER(0, "refresh", &l.refresh_ms, "ms between two tables (default 2000)"),
		SCHED_FORM_OPTIONS(&l.json, &l.csv),
		THREAD_FILTER_OPTIONS(&c->source),
		SCHED_FILTER_OPTIONS(&c->source),
		OPT_PARENT(parent),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	l.show.some_cpus = c->source.cpus;
	if (settle(&l, c->source.input, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	if (l.live)
		return sched_live(c, &(struct sched_live){ work, show, &l, l.by_cgroup,
							   l.refresh_ms });
	return sched_read(c, work, &l);
}
