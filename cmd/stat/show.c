// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: what is printed around the rows, and where to. */
#include "base/compat.h"
#include "statrun/statrun.h"
#include "stattext/summary.h"

#include <errno.h>
#include <fcntl.h>
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

static void add_rows(const struct stat_cmd *s, u64 time, struct strbuf *out)
{
	if (!s->view.interval && s->view.metric_only && s->view.ops->only_heading)
		s->view.ops->only_heading(&s->view, &s->result, out);
	stat_rows(&s->view, &s->result, time, out);
}

static void put_rows(const struct stat_cmd *s, u64 time)
{
	struct strbuf sb = STRBUF_INIT;

	add_rows(s, time, &sb);
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

/* What was counted, but for the quote at the end. Words of a file may have anything in them. */
static void add_target(const struct stat_cmd *s, struct strbuf *out)
{
	if (s->bpf.progs)
		strbuf_addf(out, "'BPF program(s) %s", s->bpf.progs);
	else if (s->target.pids)
		strbuf_addf(out, "process id '%s", s->target.pids);
	else if (s->target.tids)
		strbuf_addf(out, "thread id '%s", s->target.tids);
	else if (s->target.all_cpus)
		strbuf_addstr(out, "'system wide");
	else if (s->target.cpus)
		strbuf_addf(out, "'CPU(s) %s", s->target.cpus);
	else
		for (char **arg = s->command; *arg; arg++) {
			strbuf_addch(out, arg == s->command ? '\'' : ' ');
			if (s->reported)
				strbuf_addname(out, *arg);
			else
				strbuf_addstr(out, *arg);
		}
}

static bool command_alone(const struct stat_cmd *s)
{
	return s->command && !s->reported && s->repeat && !s->target.all_cpus && !s->target.cpus &&
	       !s->target.pids && !s->target.tids;
}

/* The rows with all that stands around them for people. */
static void put_summary(const struct stat_cmd *s)
{
	struct strbuf target = STRBUF_INIT, out = STRBUF_INIT;
	struct stat_summary sum = { .several = s->repeat > 1,
				    .command_alone = command_alone(s),
				    .no_rows = s->null,
				    .durations = &s->runs.duration,
				    .times = s->times,
				    .walls = s->table ? s->walls : NULL,
				    .nr_walls = s->nr_walls };
	u64 watchdog = 0;

	add_target(s, &target);
	sum.target = strbuf_str(&target);
	stat_head_text(&sum, &out);
	if (!s->null)
		add_rows(s, 0, &out);
	stat_foot_text(&sum, &out);
	sysroot_read_u64(&s->sysroot, &watchdog, "/proc/sys/kernel/nmi_watchdog");
	if (!s->reported && !s->view.metric_only)
		stat_advice_text(&s->result, watchdog, &out);
	fputs(strbuf_str(&out), s->out);
	strbuf_release(&target);
	strbuf_release(&out);
}

void stat_show_end(struct stat_cmd *s)
{
	bool text = s->view.ops == &stat_text_ops;

	s->view.interval = false;
	s->view.summary = (s->interval || s->summary) && !s->no_csv_summary;
	if (text)
		put_summary(s);
	else if (!s->null)
		put_rows(s, 0);
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
