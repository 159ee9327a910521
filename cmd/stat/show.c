// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: what is printed around the rows, and where to. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

static FILE *open_output(const struct stat_cmd *s)
{
	if (s->output)
		return fopen(s->output, s->append ? "ae" : "we");
	return s->log_fd ? fdopen(s->log_fd, s->append ? "a" : "w") : stderr;
}

int stat_show_start(struct stat_cmd *s)
{
	time_t now = time(NULL);
	char text[32];

	if (s->quiet)
		s->output = "/dev/null";
	s->out = open_output(s);
	if (!s->out) {
		if (s->output)
			fprintf(stderr, "failed to create output file: %s: %s\n", s->output,
				err_str(-errno));
		else
			fprintf(stderr, "Failed opening logfd: %s\n", err_str(-errno));
		return -1;
	}
	s->view.color = color_wanted(s->color, fileno(s->out));
	if (s->output && !s->quiet && !s->json)
		fprintf(s->out, "# started on %s\n", ctime_r(&now, text));
	return 0;
}

/* A stream forgets why it could not be written. */
static void flush(struct stat_cmd *s)
{
	if (fflush(s->out) && !s->write_error)
		s->write_error = -errno;
}

static void put_rows(struct stat_cmd *s, u64 time)
{
	struct strbuf sb = STRBUF_INIT;

	if (!s->view.interval && s->view.metric_only && s->view.ops->only_heading)
		s->view.ops->only_heading(&s->view, &s->result, &sb);
	stat_rows(&s->view, &s->result, time, &sb);
	fputs(strbuf_str(&sb), s->out);
	strbuf_release(&sb);
}

#define HEADING_EVERY 25 /* intervals */

void stat_show_interval(struct stat_cmd *s, u64 time)
{
	void (*heading)(const struct stat_view *v, const struct stat_result *r, struct strbuf *out);
	struct strbuf sb = STRBUF_INIT;

	if (s->interval_clear) {
		fputs("\033[H\033[2J", s->out);
		s->nr_shown = 0;
	}
	heading = s->view.metric_only ? s->view.ops->only_heading : s->view.ops->heading;
	if (heading && s->nr_shown++ % HEADING_EVERY == 0)
		heading(&s->view, &s->result, &sb);
	fputs(strbuf_str(&sb), s->out);
	strbuf_release(&sb);
	put_rows(s, time);
	flush(s);
}

/* Words of a file may have anything in them. */
static void put_words(const struct stat_cmd *s)
{
	struct strbuf sb = STRBUF_INIT;

	for (char **arg = s->command; *arg; arg++) {
		strbuf_addch(&sb, arg == s->command ? '\'' : ' ');
		if (s->reported)
			strbuf_addname(&sb, *arg);
		else
			strbuf_addstr(&sb, *arg);
	}
	fputs(strbuf_str(&sb), s->out);
	strbuf_release(&sb);
}

static void put_target(const struct stat_cmd *s)
{
	if (s->bpf.progs)
		fprintf(s->out, "'BPF program(s) %s", s->bpf.progs);
	else if (s->target.pids)
		fprintf(s->out, "process id '%s", s->target.pids);
	else if (s->target.tids)
		fprintf(s->out, "thread id '%s", s->target.tids);
	else if (s->target.all_cpus)
		fputs("'system wide", s->out);
	else if (s->target.cpus)
		fprintf(s->out, "'CPU(s) %s", s->target.cpus);
	else
		put_words(s);
}

static void put_head(const struct stat_cmd *s)
{
	fputs("\n Performance counter stats for ", s->out);
	put_target(s);
	fputs("'", s->out);
	if (s->repeat > 1)
		fprintf(s->out, " (%" PRIu64 " runs)", s->runs.duration.nr);
	fputs(":\n\n", s->out);
}

/* Digits behind the point, so that three of the error's say something. */
static int precision_of(double error)
{
	return error > 0 ? MIN(MAX(2 - (int)floor(log10(error)), 0), 9) : 9;
}

#define MOST_BARS 100

/* Each run, and how far it is from the mean: a bar for every 5%. */
static void put_table(const struct stat_cmd *s, int digits)
{
	double mean = s->runs.duration.mean / 1e9;
	int indent = 16 - digits > 0 ? 16 - digits : 0;

	fprintf(s->out, "%*s# Table of individual measurements:\n", indent, "");
	for (size_t i = 0; i < s->nr_walls; i++) {
		double run = (double)s->walls[i] / 1e9, away = run - mean;
		double bars = run > 0 ? fabs(away) / run * 20 : 0;

		fprintf(s->out, " %17.*f (%+.*f) ", digits, run, digits, away);
		for (int k = 0; k <= MIN((int)fmin(bars, MOST_BARS), MOST_BARS - 1); k++)
			fputc('#', s->out);
		fputc('\n', s->out);
	}
	fprintf(s->out, "\n%*s# Final result:\n", indent, "");
}

/* Then its time on CPUs is of interest, too. */
static bool command_alone(const struct stat_cmd *s)
{
	return s->command && !s->reported && s->repeat && !s->target.all_cpus && !s->target.cpus &&
	       !s->target.pids && !s->target.tids;
}

/* Needs a counter of its own, as software does not. */
static bool needs_counter(const struct evsel *e)
{
	return !e->tool && e->attr.type != PERF_TYPE_SOFTWARE &&
	       e->attr.type != PERF_TYPE_TRACEPOINT;
}

/* Is one of the events that need counters on another PMU than others of its group? */
static bool mixed_group(const struct evlist *l, const struct evsel *e)
{
	const struct evsel *first = NULL;

	for (u32 i = e->leader; i < e->leader + l->evsels[e->leader]->nr_members; i++) {
		const struct evsel *m = l->evsels[i];

		if (!needs_counter(m))
			continue;
		if (first && first->attr.type != m->attr.type)
			return true;
		first = m;
	}
	return false;
}

/* What to try when an event never got its counter. */
static void put_advice(const struct stat_cmd *s)
{
	bool short_of = false, mixed = false;
	u64 on = 0;

	for (size_t i = 0; i < s->evlist.nr; i++) {
		const struct evsel *e = s->evlist.evsels[i];

		for (size_t id = 0; needs_counter(e) && id < s->ids.nr; id++) {
			if (s->unsupported[i] || stat_counted(&s->result, i, id))
				continue;
			short_of = true;
			mixed |= mixed_group(&s->evlist, e);
		}
	}
	if (s->reported || s->view.metric_only)
		return;
	if (short_of && !sysroot_read_u64(&s->sysroot, &on, "/proc/sys/kernel/nmi_watchdog") && on)
		fputs("Some events weren't counted. Try disabling the NMI watchdog:\n"
		      "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
		      "\tperf stat ...\n"
		      "\techo 1 > /proc/sys/kernel/nmi_watchdog\n",
		      s->out);
	if (mixed)
		fputs("The events in group usually have to be from the same PMU. Try reorganizing the group.\n",
		      s->out);
}

static void put_foot(const struct stat_cmd *s)
{
	const struct spread *d = &s->runs.duration;

	if (!s->null)
		fputs("\n", s->out);
	if (d->nr > 1) {
		double error = spread_error(d) / 1e9;
		int digits = precision_of(error);

		if (s->table)
			put_table(s, digits);
		fprintf(s->out, " %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n", digits,
			d->mean / 1e9, digits, error, spread_percent(d));
	} else {
		fprintf(s->out, " %17.9f seconds time elapsed\n", (double)s->times.wall / 1e9);
		if (command_alone(s))
			fprintf(s->out, "\n %17.9f seconds user\n %17.9f seconds sys\n",
				(double)s->times.user / 1e9, (double)s->times.system / 1e9);
	}
	fputs(d->nr <= 1 && command_alone(s) ? "\n\n" : "\n", s->out);
	put_advice(s);
}

void stat_show_end(struct stat_cmd *s)
{
	bool text = s->view.ops == &stat_text_ops;

	s->view.interval = false;
	s->view.summary = (s->interval || s->summary) && !s->no_csv_summary;
	if (text)
		put_head(s);
	if (!s->null)
		put_rows(s, 0);
	if (text)
		put_foot(s);
	flush(s);
}

int stat_show_close(struct stat_cmd *s)
{
	int rc;

	flush(s);
	rc = s->write_error ? s->write_error : ferror(s->out) ? -EIO : 0;
	if (s->out != stderr && fclose(s->out) && !rc)
		rc = -errno;
	if (rc)
		fprintf(stderr, "failed to write the counts: %s\n", err_str(rc));
	return rc;
}
