// SPDX-License-Identifier: GPL-2.0-or-later
/* Sample the events whose value is a retire latency, beside those that are counted. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/alloc.h"
#include "base/name-list.h"

#include <unistd.h>

#define RING_BYTES (64 << 10) /* of each CPU */

static void take_samples(struct stat_sampler *s)
{
	struct strbuf sb = STRBUF_INIT;
	struct iovec iov[2];
	u64 head;

	for (size_t i = 0; i < s->rings.nr; i++) {
		int spans = ring_spans(&s->rings.v[i], iov, &head);

		/* a record can begin in one span and end in the other */
		strbuf_reset(&sb);
		for (int j = 0; j < spans; j++)
			strbuf_add(&sb, iov[j].iov_base, iov[j].iov_len);
		ring_consume(&s->rings.v[i], head);
		retire_take(s->latencies, &s->list, sb.buf, sb.len);
	}
	strbuf_release(&sb);
}

/* A descriptor hangs up when its thread has ended. */
static int on_samples(void *ctx, int fd, u32 events, struct err *err)
{
	struct stat_run *r = ctx;

	(void)err;
	if (events & (EPOLLHUP | EPOLLERR))
		event_loop_forget(r->loop, fd);
	take_samples(&r->sampler);
	return STAT_GO_ON;
}

/* --- opening ------------------------------------------------------------------------ */

void stat_sampler_init(struct stat_run *r)
{
	struct stat_sampler *s = &r->sampler;

	for (size_t i = 0; i < r->evlist->nr; i++) {
		const struct evsel *e = r->evlist->evsels[i];

		if (e->tool != TOOL_RETIRE_LATENCY)
			continue;
		evlist_add_copy(&s->list, e);
		s->of = xrealloc(s->of, s->list.nr, sizeof(*s->of));
		s->of[s->list.nr - 1] = (u32)i;
	}
	for (size_t i = 0; i < s->list.nr; i++)
		retire_configure(s->list.evsels[i], !r->o->count.no_inherit, r->enable_on_exec);
	s->latencies = xcalloc(s->list.nr + 1, sizeof(*s->latencies));
}

/* Tell once why events have no value that was measured. @missing: those that no PMU samples; the
 * others are not recorded. */
static void tell(struct stat_run *r, bool missing)
{
	struct stat_sampler *s = &r->sampler;
	struct few_names names = { 0 };

	for (size_t i = 0; i < s->list.nr; i++)
		if (r->table.unsupported[s->of[i]] == missing)
			few_names_add(&names, r->evlist->evsels[s->of[i]]->name);
	if (names.nr && !s->told)
		notice(&r->to.notes,
		       missing ? "No PMU of this machine tells the retire latency of %s: it "
				 "takes Intel's TPEBS, which begins with Granite Rapids.\n"
			       : "The retire latency of %s is shown as 0: --record-tpebs "
				 "measures it.\n",
		       strbuf_str(&names.text));
	s->told = true;
	few_names_release(&names);
}

/* Take note of events that can be sampled, but without what has the latency. */
static void find_missing(struct stat_run *r)
{
	struct stat_sampler *s = &r->sampler;

	for (size_t i = 0; i < s->list.nr; i++) {
		const struct perf_event_attr *a = &s->list.evsels[i]->attr;

		r->table.unsupported[s->of[i]] = s->opened.unsupported[i] || !a->precise_ip ||
						 !(a->sample_type & PERF_SAMPLE_WEIGHT_STRUCT);
	}
}

static int open_on(struct stat_run *r, const struct int_list *cpus, struct err *err)
{
	struct stat_sampler *s = &r->sampler;
	struct int_list child = { 0 };
	struct open_opts o = { .sysroot = r->o->sysroot,
			       .cpus = cpus,
			       .tids = &r->table.tids,
			       .ignore_gone_threads = true,
			       .counting = true };
	size_t pages = RING_BYTES / (size_t)sysconf(_SC_PAGESIZE);
	int rc;

	if (r->workload.pid && !r->table.cpus.nr && !r->table.tids.nr) {
		int_list_add(&child, r->workload.pid);
		o.tids = &child;
	}
	for (size_t i = 0; i < s->list.nr; i++) {
		struct perf_event_attr *a = &s->list.evsels[i]->attr;

		a->watermark = 1;
		a->wakeup_watermark = RING_BYTES / 4;
	}
	rc = kevents_open(&s->opened, &s->list, &o, err);
	int_list_release(&child);
	if (rc)
		return rc;
	evlist_index(&s->list);
	find_missing(r);
	rc = s->opened.nr
		     ? rings_map(&s->rings, o.sysroot, &s->opened, MAX(pages, (size_t)1), true, err)
		     : 0;
	for (size_t i = 0; !rc && i < s->rings.nr; i++)
		rc = event_loop_watch(r->loop, s->rings.v[i].fd, EPOLLIN, on_samples, r, err);
	return rc;
}

int stat_sampler_open(struct stat_run *r, struct err *err)
{
	struct int_list online = { 0 };
	bool record = r->o->record_latency;
	int rc = 0;

	if (!r->sampler.list.nr)
		return 0;
	/* the kernel has no ring for a task with its children on all CPUs at once */
	if (record && !r->table.cpus.nr)
		rc = cpu_list_online(r->o->sysroot, &online, err);
	if (record && !rc)
		rc = open_on(r, r->table.cpus.nr ? &r->table.cpus : &online, err);
	int_list_release(&online);
	if (!rc)
		tell(r, record);
	return rc;
}

/* --- what comes of it ----------------------------------------------------------------- */

void stat_sampler_read(struct stat_run *r)
{
	struct stat_sampler *s = &r->sampler;
	struct counts *c = &r->table.counts;

	take_samples(s);
	for (size_t i = 0; i < s->list.nr; i++) {
		const struct retire_latency *v = &s->latencies[i];
		bool there = v->nr || !r->o->record_latency;
		size_t at = counts_index(c, s->of[i], 0, 0);

		c->there[at] = !r->table.unsupported[s->of[i]];
		c->now[at] = (struct count){ retire_value(v, r->o->latency_mode), there, there };
	}
}

/* Tell once that the PMU samples, but does not measure. */
static void tell_zeroes(struct stat_run *r)
{
	struct stat_sampler *s = &r->sampler;
	struct strbuf remark = STRBUF_INIT;

	if (!s->told_zeroes && retire_remark(&remark, s->latencies, &s->list)) {
		notice(&r->to.notes, "%s", strbuf_str(&remark));
		s->told_zeroes = true;
	}
	strbuf_release(&remark);
}

void stat_sampler_close(struct stat_run *r)
{
	struct stat_sampler *s = &r->sampler;

	tell_zeroes(r);
	for (size_t i = 0; i < s->rings.nr; i++)
		event_loop_forget(r->loop, s->rings.v[i].fd);
	rings_release(&s->rings);
	kevents_release(&s->opened);
	for (size_t i = 0; i < s->list.nr; i++)
		s->latencies[i] = (struct retire_latency){ 0 };
}

void stat_sampler_release(struct stat_run *r)
{
	stat_sampler_close(r);
	evlist_release(&r->sampler.list);
	free(r->sampler.of);
	free(r->sampler.latencies);
}
