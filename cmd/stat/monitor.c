// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --prometheus: counts in a file that is always whole, or over HTTP. */
#include "base/compat.h"
#include "cmd/common/http.h"
#include "statrun/statrun.h"

#include "base/alloc.h"
#include "stattext/prometheus.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* For those who ask counts are not read more often than that, in ns, nor for more than a tenth of
 * the time. */
#define AT_MOST_EVERY 50000000
#define AT_MOST_PART 10

/* Counts since the start, however often it is asked and whatever intervals there are. */
static void take_totals(struct stat_cmd *s)
{
	struct stat_monitor *m = &s->side.monitor;
	struct counts all = s->counts;

	all.before = m->none;
	stat_sum(&m->result, &all, s->places, s->scale);
	totals_take(&m->totals, &m->result);
	m->result.duration = m->earlier + (s->start ? stat_now() - s->start : 0);
}

static void page(void *ctx, struct strbuf *out)
{
	struct stat_cmd *s = ctx;
	struct stat_monitor *m = &s->side.monitor;
	u64 now = stat_now();

	if (now - m->page_at >= MAX(AT_MOST_EVERY, AT_MOST_PART * m->page_cost)) {
		stat_read_counts(s);
		take_totals(s);
		strbuf_reset(&m->page);
		prometheus_text(&s->view, &m->result, &m->page);
		m->page_at = stat_now();
		m->page_cost = m->page_at - now;
	}
	strbuf_add(out, strbuf_str(&m->page), m->page.len);
}

static int open_port(struct stat_cmd *s, struct err *err)
{
	struct stat_monitor *m = &s->side.monitor;
	const char *digits = m->where + 1;
	unsigned long port;
	char *end;
	int rc;

	port = strtoul(digits, &end, 10);
	if (!*digits || digits[strspn(digits, "0123456789")] || port > UINT16_MAX)
		return err_set(err, -EINVAL, "--prometheus '%s': say :PORT, 0 to 65535, or a file",
			       m->where);
	rc = http_open(&m->http, (u16)port, "/metrics", PROMETHEUS_TYPE, page, s, err);
	if (!rc && !s->quiet)
		fprintf(stderr, "Counts are at http://127.0.0.1:%u/metrics\n",
			(unsigned int)http_port(m->http));
	return rc;
}

int monitor_start(struct stat_cmd *s, struct err *err)
{
	struct stat_monitor *m = &s->side.monitor;
	size_t nr = s->counts.nr_evsels * s->counts.nr_cpus * s->counts.nr_threads;

	if (!m->where)
		return 0;
	m->none = xcalloc(MAX(nr, (size_t)1), sizeof(*m->none));
	stat_result_init(&m->result, &s->evlist, &s->ids, s->unsupported);
	m->result.metrics = s->result.metrics;
	return *m->where == ':' ? open_port(s, err) : 0;
}

static int write_all(int fd, const struct strbuf *sb)
{
	for (size_t at = 0; at < sb->len;) {
		ssize_t n = write(fd, sb->buf + at, sb->len - at);

		if (n < 0 && errno != EINTR)
			return -errno;
		at += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Who reads it finds the file of this interval or of the one before, never a part. */
static int replace_file(const char *name, const struct strbuf *text)
{
	char *temp = xasprintf("%s.%d.tmp", name, (int)getpid());
	int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	int rc = fd < 0 ? -errno : write_all(fd, text);

	if (fd >= 0 && close(fd) && !rc)
		rc = -errno;
	if (!rc && rename(temp, name))
		rc = -errno;
	if (rc && fd >= 0)
		unlink(temp);
	free(temp);
	return rc;
}

void monitor_interval(struct stat_cmd *s)
{
	struct stat_monitor *m = &s->side.monitor;
	struct strbuf text = STRBUF_INIT;
	int rc;

	if (!m->where)
		return;
	take_totals(s);
	if (m->http)
		return;
	prometheus_text(&s->view, &m->result, &text);
	rc = replace_file(m->where, &text);
	strbuf_release(&text);
	if (rc && !m->failed)
		fprintf(stderr, "failed to write %s: %s\n", m->where, err_str(rc));
	m->failed |= rc;
}

void monitor_run_over(struct stat_cmd *s)
{
	struct stat_monitor *m = &s->side.monitor;

	if (!m->where)
		return;
	totals_next_run(&m->totals, &m->result);
	m->earlier += s->times.wall;
}

int monitor_end(struct stat_cmd *s)
{
	struct stat_monitor *m = &s->side.monitor;

	http_close(m->http);
	totals_release(&m->totals);
	stat_result_release(&m->result);
	free(m->none);
	strbuf_release(&m->page);
	return m->failed ? -1 : 0;
}
