// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --prometheus: counts in a file that is always whole, or over HTTP. */
#include "base/compat.h"
#include "cmd/stat/stat.h"

#include "base/clock.h"
#include "export/export.h"
#include "http/http.h"
#include "stattext/prometheus.h"

#include <errno.h>

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
	p->served = (struct http_page){
		.path = "/metrics", .type = PROMETHEUS_TYPE, .put = page, .ctx = s
	};
	rc = http_open(&p->http, (u16)port, &p->served, err);
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

/* Who reads it finds the file of this interval or of the one before, never a part. */
static int replace_file(const struct stat_cmd *s)
{
	struct err err = { 0 };
	struct export_out *out = export_open(s->prometheus.where, &err);

	if (!out)
		return err.code;
	prometheus_text(&s->view, &s->prometheus.monitor.result, export_buf(out));
	return export_close(out, &err);
}

void prometheus_interval(struct stat_cmd *s)
{
	struct stat_prometheus *p = &s->prometheus;
	int rc;

	if (!p->where)
		return;
	stat_monitor_take(&p->monitor);
	if (p->http)
		return;
	rc = replace_file(s);
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
