// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --prometheus: counts in a file that is always whole, or over HTTP. */
#include "base/compat.h"
#include "cmd/common/http.h"
#include "cmd/stat/stat.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "stattext/prometheus.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* For those who ask counts are not read more often than that, in ns, nor for more than a tenth of
 * the time. */
#define AT_MOST_EVERY 50000000
#define AT_MOST_PART 10

static void page(void *ctx, struct strbuf *out)
{
	struct stat_cmd *s = ctx;
	struct stat_prometheus *p = &s->prometheus;
	u64 now = clock_ns(CLOCK_MONOTONIC);

	if (now - p->page_at >= MAX(AT_MOST_EVERY, AT_MOST_PART * p->page_cost)) {
		stat_monitor_read(&p->monitor);
		strbuf_reset(&p->page);
		prometheus_text(&s->view, &p->monitor.result, &p->page);
		p->page_at = clock_ns(CLOCK_MONOTONIC);
		p->page_cost = p->page_at - now;
	}
	strbuf_add(out, strbuf_str(&p->page), p->page.len);
}

static int on_http(void *ctx, int fd, u32 events, struct err *err)
{
	http_serve(ctx);
	return STAT_GO_ON;
}

static int open_port(struct stat_cmd *s, struct err *err)
{
	struct stat_prometheus *p = &s->prometheus;
	const char *digits = p->where + 1;
	unsigned long port;
	char *end;
	int rc;

	port = strtoul(digits, &end, 10);
	if (!*digits || digits[strspn(digits, "0123456789")] || port > UINT16_MAX)
		return err_set(err, -EINVAL, "--prometheus '%s': say :PORT, 0 to 65535, or a file",
			       p->where);
	rc = http_open(&p->http, (u16)port, "/metrics", PROMETHEUS_TYPE, page, s, err);
	if (!rc && !s->out.quiet)
		fprintf(stderr, "Counts are at http://127.0.0.1:%u/metrics\n",
			(unsigned int)http_port(p->http));
	return rc;
}

int prometheus_start(struct stat_cmd *s, struct err *err)
{
	struct stat_prometheus *p = &s->prometheus;
	int rc;

	if (!p->where)
		return 0;
	stat_monitor_init(&p->monitor, s->run);
	rc = *p->where == ':' ? open_port(s, err) : 0;
	if (!rc && p->http)
		rc = event_loop_watch(stat_run_loop(s->run), http_fd(p->http), EPOLLIN, on_http,
				      p->http, err);
	return rc;
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

void prometheus_interval(struct stat_cmd *s)
{
	struct stat_prometheus *p = &s->prometheus;
	struct strbuf text = STRBUF_INIT;
	int rc;

	if (!p->where)
		return;
	stat_monitor_take(&p->monitor);
	if (p->http)
		return;
	prometheus_text(&s->view, &p->monitor.result, &text);
	rc = replace_file(p->where, &text);
	strbuf_release(&text);
	if (rc && !p->failed)
		fprintf(stderr, "failed to write %s: %s\n", p->where, err_str(rc));
	p->failed |= rc;
}

void prometheus_run_end(struct stat_cmd *s)
{
	prometheus_interval(s);
	if (s->prometheus.where)
		stat_monitor_next_run(&s->prometheus.monitor);
}

int prometheus_end(struct stat_cmd *s)
{
	struct stat_prometheus *p = &s->prometheus;

	http_close(p->http);
	stat_monitor_release(&p->monitor);
	strbuf_release(&p->page);
	return p->failed ? -1 : 0;
}
