// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "statserve/prometheus-page.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "export/export.h"
#include "http/http.h"
#include "statrun/monitor.h"
#include "stattext/prometheus.h"

#include <errno.h>

/* Clients do not make perf read the counts more often than this, in ns, nor for more than this part
 * of the time. */
#define AT_MOST_EVERY 50000000
#define AT_MOST_PART 10

struct prometheus_page {
	const char *where; /* borrowed */
	const struct stat_view *view;
	struct stat_run *run;
	const struct notices *notices;
	struct http *http; /* owned; NULL: it is a file */
	struct http_page served;
	struct stat_monitor monitor;
	struct strbuf text;     /* owned; what http shows */
	u64 made_at, made_cost; /* when it was made, CLOCK_MONOTONIC, and how long that took; ns */
	int failed;             /* the first failure to write the file, negative errno */
};

/* ---- over HTTP ---- */

static void put_page(void *ctx, struct strbuf *out)
{
	struct prometheus_page *p = ctx;
	u64 now = clock_ns(CLOCK_MONOTONIC);

	if (now - p->made_at >= MAX(AT_MOST_EVERY, AT_MOST_PART * p->made_cost)) {
		stat_monitor_read(&p->monitor);
		strbuf_reset(&p->text);
		prometheus_text(p->view, &p->monitor.result, &p->text);
		p->made_at = clock_ns(CLOCK_MONOTONIC);
		p->made_cost = p->made_at - now;
	}
	strbuf_add(out, strbuf_str(&p->text), p->text.len);
}

static int on_http(void *ctx, int fd, u32 events, struct err *err)
{
	http_serve(ctx);
	return STAT_GO_ON;
}

static int parse_port(const char *where, u16 *port, struct err *err)
{
	const char *digits = where + 1;
	unsigned long n = strtoul(digits, NULL, 10);

	if (!*digits || digits[strspn(digits, "0123456789")] || n > UINT16_MAX)
		return err_set(err, -EINVAL, "--prometheus '%s': say :PORT, 0 to 65535, or a file",
			       where);
	*port = (u16)n;
	return 0;
}

static int open_port(struct prometheus_page *p, struct err *err)
{
	u16 port = 0;
	int rc = parse_port(p->where, &port, err);

	if (rc)
		return rc;
	p->served = (struct http_page){
		.path = "/metrics", .type = PROMETHEUS_TYPE, .put = put_page, .ctx = p
	};
	rc = http_open(&p->http, port, &p->served, err);
	if (rc)
		return rc;
	return event_loop_watch(stat_run_loop(p->run), http_fd(p->http), EPOLLIN, on_http, p->http,
				err);
}

/* ---- in a file ---- */

/* Replace the file as a whole, so that a reader finds this interval or the one before, never a
 * part. */
static int replace_file(const struct prometheus_page *p)
{
	struct err err = { 0 };
	struct export_out *out = export_open(p->where, &err);

	if (!out)
		return err.code;
	prometheus_text(p->view, &p->monitor.result, export_buf(out));
	return export_close(out, &err);
}

/* ---- both ---- */

int prometheus_page_open(struct prometheus_page **out, const char *where,
			 const struct stat_view *view, struct stat_run *run,
			 const struct notices *notices, struct err *err)
{
	struct prometheus_page *p = xzalloc(sizeof(*p));
	int rc;

	*p = (struct prometheus_page){
		.where = where, .view = view, .run = run, .notices = notices
	};
	stat_monitor_init(&p->monitor, run);
	rc = *where == ':' ? open_port(p, err) : 0;
	if (rc) {
		prometheus_page_close(p);
		return rc;
	}
	*out = p;
	return 0;
}

u16 prometheus_page_port(const struct prometheus_page *p)
{
	return p && p->http ? http_port(p->http) : 0;
}

void prometheus_page_interval(struct prometheus_page *p)
{
	int rc;

	if (!p)
		return;
	stat_monitor_take(&p->monitor);
	if (p->http)
		return;
	rc = replace_file(p);
	if (rc && !p->failed) {
		notice(p->notices, "failed to write %s: %s\n", p->where, err_str(rc));
		p->failed = rc;
	}
}

void prometheus_page_run_end(struct prometheus_page *p)
{
	if (!p)
		return;
	prometheus_page_interval(p);
	stat_monitor_next_run(&p->monitor);
}

int prometheus_page_close(struct prometheus_page *p)
{
	int failed;

	if (!p)
		return 0;
	failed = p->failed;
	http_close(p->http);
	stat_monitor_release(&p->monitor);
	strbuf_release(&p->text);
	free(p);
	return failed;
}
