// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched timehist: what each CPU did, one row for each time that a task left it. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "schedtext/chains.h"
#include "schedtext/timehist.h"

#include <errno.h>

static const char *const usage[] = { "perf sched timehist [<options>]", NULL };

struct timehist {
	struct sched_common *c;
	struct timehist_show show;
	const char *prios;
	struct long_output out;
	bool summary, with_summary, json, csv;
};

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct timehist *h = ctx;
	struct timehist_show *show = &h->show;
	struct recording *r = analysis_recording(a);
	struct sched_counts counts;
	int ret;

	show->write = long_output_write;
	show->cpus = sched_cpus(r->session.file->env.nr_cpus_online);
	if (show->chains && !sched_has_chains(&r->session.evlist)) {
		show->chains = false;
		if (show->rows && show->form == TABLE_TEXT)
			fprintf(stderr, "Samples do not have callchains.\n");
	}
	setup_pager();
	show->take_back = long_output_begin(&h->out);
	show->ctx = &h->out;
	ret = timehist_run(show, a, &counts, err);
	long_output_end(&h->out);
	if (!ret)
		sched_tell_losses(a, &counts);
	return ret;
}

/* Read the values of the options. Return: 0, or -EINVAL and a sentence. */
static int settle(struct timehist *h, struct err *err)
{
	struct timehist_show *show = &h->show;

	show->rows = !h->summary || h->with_summary;
	show->sums = h->summary || h->with_summary;
	if (h->prios && cpu_list_parse(&show->prios, h->prios))
		return err_set(err, -EINVAL,
			       "--prio: '%s' is not a list of priorities such as 98,120-125",
			       h->prios);
	if ((h->json || h->csv) && show->rows && show->sums)
		return err_set(err, -EINVAL, "-S prints two tables: choose -s, or leave it out");
	return table_form_choose(&show->form, h->json, h->csv, err);
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
		OPT_BOOLEAN('P', "pre-migrations", &show->moving,
			    "Show how long tasks waited before they were moved to another CPU"),
		OPT_STRING(0, "prio", &h.prios, "prio[,prio...]",
			   "analyze events only for given task priorities"),
		OPT_BOOLEAN(0, "show-prio", &show->prio, "Show task priority"),
		SCHED_FORM_OPTIONS(&h.json, &h.csv),
		HEATMAP_OPTION(&show->heatmap, "delays"),
		OPT_BOOLEAN(0, "state", &show->state, "Show task state when sched-out"),
		SCHED_FILTER_OPTIONS(&c->source),
		OPT_STRING('p', "pid", &c->source.pids, "pid[,pid...]",
			   "analyze events only for given process id(s)"),
		OPT_STRING('t', "tid", &c->source.tids, "tid[,tid...]",
			   "analyze events only for given thread id(s)"),
		OPT_STRING('C', "cpu", &c->source.cpus, "cpu", "list of cpus to profile"),
		OPT_PARENT(parent),
	};
	struct err err = { 0 };
	int status;

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	if (settle(&h, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	if (!show->rows && (show->wakeups || show->next)) {
		fprintf(stderr, " Error: -s and -[n|w] are mutually exclusive.\n");
		usage_one_option(usage, options, "s", true);
		if (show->wakeups)
			usage_one_option(NULL, options, "w", true);
		if (show->next)
			usage_one_option(NULL, options, "n", true);
		return EXIT_REFUSED;
	}
	status = sched_read(c, work, &h);
	int_list_release(&show->prios);
	return status;
}
