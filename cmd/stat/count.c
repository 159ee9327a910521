// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: from the options to the end: the events, the runs, and who is told of them. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/stat/stat.h"

#include "arch/cpuid.h"

#include <errno.h>

/* --- what a run tells ---------------------------------------------------------------- */

static void on_interval(void *ctx, u64 time)
{
	struct stat_cmd *s = ctx;

	prometheus_page_interval(s->counted);
	live_interval(s, time);
	if (!s->live.terminal.on)
		stat_show_interval(s, time);
}

static void on_run_end(void *ctx)
{
	struct stat_cmd *s = ctx;

	prometheus_page_run_end(s->counted);
	/* for ever: each by itself; one that was broken off is none */
	if (!s->o.repeat && !s->o.compare.nr && !s->results->signal && !s->o.interval)
		stat_show_end(s);
}

static void on_try(void *ctx, const struct open_try *t)
{
	struct stat_cmd *s = ctx;

	open_show_try(&s->tried, t);
}

static void put_among_counts(void *ctx, const char *text)
{
	const struct stat_cmd *s = ctx;

	fputs(text, s->out.file);
}

/* --- the runs ------------------------------------------------------------------------ */

static void show_machine(const struct stat_cmd *s)
{
	char *text = cpuid_text(&s->sysroot), *name = text ? cpuid_table_text(text) : NULL;

	if (name)
		fprintf(stderr, "Using CPUID %s\n", name);
	if (!s->control.given)
		fputs("Control descriptor is not initialized\n", stderr);
	free(name);
	free(text);
}

static int start_all(struct stat_cmd *s, struct err *err)
{
	int rc = compare_limits_check(&s->limits, &s->results->compared, err);

	if (!rc && s->prometheus)
		rc = prometheus_page_open(&s->counted, s->prometheus, &s->view, s->run,
					  &stderr_notices, err);
	if (!rc && prometheus_page_port(s->counted) && !s->out.quiet)
		fprintf(stderr, "Counts are at http://127.0.0.1:%u/metrics\n",
			(unsigned int)prometheus_page_port(s->counted));
	return rc ? rc : live_start(s, err);
}

static int run(struct stat_cmd *s)
{
	struct err err = { 0 };
	int rc;

	s->results = stat_run_results(s->run);
	stat_show_settle(s);
	rc = start_all(s, &err);
	if (!rc)
		rc = stat_run_all(s->run, &err);
	live_leave(s);
	if (rc) {
		if (!stat_run_opened(s->run))
			fputs("Error:\n", stderr);
		error_err(&err);
		return EXIT_FAILED;
	}
	if (s->o.compare.nr)
		return s->results->status && !s->results->signal ? s->results->status
								 : stat_show_compared(s);
	if (s->o.repeat && (!s->o.interval || s->out.summary))
		stat_show_end(s);
	return s->results->status;
}

/* The exit status when there is no such target: that of the reference. */
static int target_status(const struct stat_cmd *s, int code)
{
	return code == -EINVAL || (code == -ESRCH && s->o.target.pids) ? EXIT_REFUSED : EXIT_FAILED;
}

/* Return: 0, or -1 after a message. */
static int end_all(struct stat_cmd *s)
{
	struct err err = { 0 };
	int rc = stat_show_close(s);

	live_end(s);
	rc |= prometheus_page_close(s->counted);
	if (s->run && stat_run_finish(s->run, &err)) {
		error_err(&err);
		rc = -1;
	}
	return rc ? -1 : 0;
}

static void restore(struct stat_cmd *s)
{
	struct err err = { 0 };

	if (stat_events_restore(&s->chosen, &s->sysroot, &err))
		error_err(&err);
}

int stat_count(struct stat_cmd *s, int *signal)
{
	const struct stat_listener to = { .ctx = s,
					  .interval = on_interval,
					  .run_end = on_run_end,
					  .tried = s->o.verbose > 1 ? on_try : NULL,
					  .notes = stderr_notices,
					  .counts = { put_among_counts, s } };
	struct err err = { 0 };
	int status;

	if (s->o.verbose)
		show_machine(s);
	s->words = (const char *const *)s->o.command;
	s->run = stat_run_new(&s->o, &s->evlist, &to, &err);
	if (!s->run)
		error_err(&err);
	status = s->run ? run(s) : target_status(s, err.code);
	*signal = s->run ? s->results->signal : 0;
	restore(s);
	if (end_all(s))
		status = EXIT_FAILED;
	stat_run_free(s->run);
	return status;
}

int stat_choose_events(struct stat_cmd *s, struct event_sources *sources)
{
	struct err err = { 0 };
	int rc;

	s->ev.system = target_system(&s->o.target);
	s->ev.all_cpus = s->o.target.all_cpus;
	s->ev.metrics = s->metric_names;
	s->ev.core = s->core;
	s->ev.each_cgroup = s->cgroups.each;
	s->o.apart = s->ev.apart;
	s->o.merge_all = s->ev.merge_all;
	s->o.metrics = &s->chosen.shown;
	rc = s->null ? 0 : stat_events_choose(&s->evlist, &s->ev, sources, &s->chosen, &err);
	s->view.metric_only |= s->chosen.metric_only;
	if (!rc)
		return 0;
	restore(s);
	error_err(&err);
	return rc == -EOPNOTSUPP ? EXIT_REFUSED : EXIT_USAGE;
}
