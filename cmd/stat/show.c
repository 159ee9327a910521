// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: what is printed around the rows, and where to. */
#include "base/compat.h"
#include "cmd/stat/stat.h"

#include "stattext/compare.h"
#include "stattext/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static FILE *open_output(const struct stat_output *o)
{
	if (o->path)
		return fopen(o->path, o->append ? "ae" : "we");
	return o->log_fd ? fdopen(o->log_fd, o->append ? "a" : "w") : stderr;
}

int stat_show_start(struct stat_cmd *s)
{
	struct stat_output *o = &s->out;
	time_t now = time(NULL);
	char text[32];

	if (o->quiet)
		o->path = "/dev/null";
	o->file = open_output(o);
	if (!o->file) {
		if (o->path)
			fprintf(stderr, "failed to create output file: %s: %s\n", o->path,
				err_str(-errno));
		else
			fprintf(stderr, "Failed opening logfd: %s\n", err_str(-errno));
		return -1;
	}
	s->view.color = color_wanted(o->color, fileno(o->file));
	if (o->path && !o->quiet && !o->json)
		fprintf(o->file, "# started on %s\n", ctime_r(&now, text));
	return 0;
}

void stat_show_settle(struct stat_cmd *s)
{
	s->view.threads = s->results->threads;
	s->view.nr_cpus = s->results->nr_cpus;
	stat_view_settle(&s->view, s->results->last.evlist, &s->chosen.shown);
}

/* Flush the output and keep the reason of a failure, which streams forget. */
static void flush(struct stat_output *o)
{
	if (fflush(o->file) && !o->write_error)
		o->write_error = -errno;
}

static struct iostat_style iostat_style(const struct stat_cmd *s)
{
	return (struct iostat_style){ .sep = s->view.sep, .times = s->view.interval };
}

static void add_rows(const struct stat_cmd *s, u64 time, struct strbuf *out)
{
	const struct iostat_style st = iostat_style(s);

	if (s->ev.ports) {
		if (!st.times)
			iostat_heading(&st, out);
		iostat_rows(&st, &s->ports, &s->results->last, time, out);
		return;
	}
	if (!s->view.interval && s->view.metric_only && s->view.ops->only_heading)
		s->view.ops->only_heading(&s->view, &s->results->last, out);
	stat_rows(&s->view, &s->results->last, time, out);
}

static void put_rows(const struct stat_cmd *s, u64 time)
{
	struct strbuf sb = STRBUF_INIT;

	add_rows(s, time, &sb);
	fputs(strbuf_str(&sb), s->out.file);
	strbuf_release(&sb);
}

#define HEADING_EVERY 25 /* intervals */

void stat_show_interval(struct stat_cmd *s, u64 time)
{
	void (*heading)(const struct stat_view *v, const struct stat_result *r, struct strbuf *out);
	struct strbuf sb = STRBUF_INIT;

	if (s->out.clear) {
		fputs("\033[H\033[2J", s->out.file);
		s->out.nr_shown = 0;
	}
	heading = s->view.metric_only ? s->view.ops->only_heading : s->view.ops->heading;
	if (s->ev.ports) {
		const struct iostat_style st = iostat_style(s);

		if (s->out.nr_shown++ % HEADING_EVERY == 0)
			iostat_heading(&st, &sb);
	} else if (heading && s->out.nr_shown++ % HEADING_EVERY == 0) {
		heading(&s->view, &s->results->last, &sb);
	}
	fputs(strbuf_str(&sb), s->out.file);
	strbuf_release(&sb);
	put_rows(s, time);
	flush(&s->out);
}

/* The rows with all that stands around them for people. */
static void put_summary(const struct stat_cmd *s)
{
	struct strbuf target = STRBUF_INIT, out = STRBUF_INIT;
	struct stat_summary sum = { .several = s->o.repeat > 1,
				    .command_alone = s->run && s->o.repeat &&
						     stat_command_alone(&s->o),
				    .no_rows = s->null,
				    .durations = &s->results->runs.duration,
				    .times = s->results->times,
				    .walls = s->out.table ? s->results->walls : NULL,
				    .nr_walls = s->results->nr_walls };
	u64 watchdog = 0;

	stat_target_text(&s->o, s->words, !s->run, &target);
	sum.target = strbuf_str(&target);
	stat_head_text(&sum, &out);
	if (!s->null)
		add_rows(s, 0, &out);
	stat_foot_text(&sum, &out);
	sysroot_read_u64(&s->sysroot, &watchdog, "/proc/sys/kernel/nmi_watchdog");
	if (s->run && !s->view.metric_only)
		stat_advice_text(&s->results->last, watchdog, &out);
	fputs(strbuf_str(&out), s->out.file);
	strbuf_release(&target);
	strbuf_release(&out);
}

void stat_show_end(struct stat_cmd *s)
{
	bool text = s->view.ops == &stat_text_ops;

	s->view.interval = false;
	s->view.summary = (s->o.interval || s->out.summary) && !s->out.no_csv_summary;
	if (text)
		put_summary(s);
	else if (!s->null)
		put_rows(s, 0);
	flush(&s->out);
}

int stat_show_compared(struct stat_cmd *s)
{
	const struct compare_table *t = &s->results->compared;
	struct strbuf out = STRBUF_INIT;
	bool over;

	if (s->out.json)
		compare_json(t, &out);
	else if (s->out.sep)
		compare_csv(t, s->out.sep, &out);
	else
		compare_text(t, s->view.thousands, &out);
	fputs(strbuf_str(&out), s->out.file);
	fflush(s->out.file);
	strbuf_reset(&out);
	over = compare_limits_passed(&s->limits, t, &out);
	fputs(strbuf_str(&out), stderr);
	strbuf_release(&out);
	return over;
}

int stat_show_close(struct stat_cmd *s)
{
	struct stat_output *o = &s->out;
	int rc;

	flush(o);
	rc = o->write_error ? o->write_error : ferror(o->file) ? -EIO : 0;
	if (o->file != stderr && fclose(o->file) && !rc)
		rc = -errno;
	if (rc)
		fprintf(stderr, "failed to write the counts: %s\n", err_str(rc));
	return rc;
}
