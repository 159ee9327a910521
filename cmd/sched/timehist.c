// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched timehist: what each CPU did, one row for each time that a task left it. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "schedtext/timehist.h"

static const char *const usage[] = { "perf sched timehist [<options>]", NULL };

struct timehist {
	struct sched_common *c;
	struct timehist_show show;
	bool summary, with_summary;
};

/* The rows come through here, because the engine has one context for all it asks. */
struct rows {
	struct analysis *a;
	struct timehist_text *text;
};

static bool rows_want(void *ctx, const struct task_at *task)
{
	return analysis_wants_task(((const struct rows *)ctx)->a, task);
}

static void rows_window(void *ctx, u64 *start, u64 *end)
{
	analysis_window(((const struct rows *)ctx)->a, start, end);
}

static void rows_take(void *ctx, const struct sched_row *row)
{
	timehist_row(((struct rows *)ctx)->text, row);
}

static bool has_chains(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct timehist *h = ctx;
	struct recording *r = analysis_recording(a);
	struct rows rows = { .a = a };
	struct sched_timehist_conf conf = {
		.tasks = analysis_tasks(a),
		.row = h->summary ? NULL : rows_take,
		.wants = rows_want,
		.window = rows_window,
		.ctx = &rows,
		.idle_only = h->show.idle,
	};
	struct sched_timehist *state = sched_timehist_new(&conf);
	int ret;

	h->show.write = write_stdout;
	h->show.cpus = sched_cpus(r->session.file->env.nr_cpus_online);
	if (h->show.chains && !has_chains(&r->session.evlist)) {
		h->show.chains = false;
		if (!h->summary)
			fprintf(stderr, "Samples do not have callchains.\n");
	}
	setup_pager();
	rows.text = timehist_text_new(&h->show, r);
	if (!h->summary)
		timehist_head(rows.text);
	ret = analysis_run(a, sched_timehist_engine(), state, err);
	if (!ret && (h->summary || h->with_summary))
		timehist_sums(rows.text, a, state);
	if (!ret)
		timehist_end(rows.text);
	timehist_text_free(rows.text);
	sched_timehist_free(state);
	return ret;
}

int sched_timehist(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct timehist h = { .c = c, .show = { .chains = true, .max_stack = 5 } };
	struct timehist_show *show = &h.show;
	const struct option options[] = {
		OPT_STRING('k', "vmlinux", &c->source.vmlinux, "file", "vmlinux pathname"),
		OPT_STRING(0, "kallsyms", &c->source.kallsyms, "file", "kallsyms pathname"),
		OPT_BOOLEAN('g', "call-graph", &show->chains,
			    "Display call chains if present (default on)"),
		OPT_UINTEGER(0, "max-stack", &show->max_stack,
			     "Maximum number of functions to display backtrace."),
		SYMFS_OPTION(&c->source),
		OPT_BOOLEAN('s', "summary", &h.summary, "Show only sums of tasks and CPUs"),
		OPT_BOOLEAN('S', "with-summary", &h.with_summary, "Show all rows and the sums"),
		OPT_BOOLEAN('w', "wakeups", &show->wakeups, "Show wakeup events"),
		OPT_BOOLEAN('n', "next", &show->next, "Show next task"),
		OPT_BOOLEAN('M', "migrations", &show->migrations, "Show migration events"),
		OPT_BOOLEAN('V', "cpu-visual", &show->visual, "Add CPU visual"),
		OPT_BOOLEAN('I', "idle-hist", &show->idle, "Show idle events only"),
		OPT_BOOLEAN(0, "state", &show->state, "Show task state when sched-out"),
		TIME_FILTER_OPTIONS(&c->source),
		OPT_STRING('p', "pid", &c->source.pids, "pid[,pid...]",
			   "analyze events only for given process id(s)"),
		OPT_STRING('t', "tid", &c->source.tids, "tid[,tid...]",
			   "analyze events only for given thread id(s)"),
		OPT_STRING('C', "cpu", &c->source.cpus, "cpu", "list of cpus to profile"),
		OPT_PARENT(parent),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	if (h.summary && h.with_summary)
		h.summary = false;
	if (h.summary && (show->wakeups || show->next)) {
		fprintf(stderr, " Error: -s and -[n|w] are mutually exclusive.\n");
		usage_one_option(usage, options, "s", true);
		if (show->wakeups)
			usage_one_option(NULL, options, "w", true);
		if (show->next)
			usage_one_option(NULL, options, "n", true);
		return EXIT_REFUSED;
	}
	return sched_read(c, work, &h);
}
