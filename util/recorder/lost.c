// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: what did not fit into the rings. Of which event, on which CPU, and what would have
 * helped. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "kernel/count.h"

#include <unistd.h>

#define SHOWN 4                    /* so many events, and CPUs, are named */
#define RING_LIMIT ((u64)64 << 20) /* larger ones are no good advice */

int record_write_lost(struct record *r, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	/* what further output files have not been told yet */
	if (!r->lost_of)
		r->lost_of = xcalloc(r->kevents.nr, sizeof(*r->lost_of));
	for (size_t i = 0; i < r->kevents.nr; i++) {
		const struct kfd *k = &r->kevents.fds[i];
		const struct evsel *e = r->evlist.evsels[k->evsel];
		u64 lost = kevents_lost(k, &e->attr) - r->lost_of[i];
		struct sample_id id = { .pid = (u32)-1,
					.tid = (u32)-1,
					.id = k->id,
					.stream_id = k->id,
					.cpu = (u32)k->cpu };

		if (!lost)
			continue;
		r->lost += lost;
		r->lost_of[i] += lost;
		enc_lost_samples(&sb, lost, &e->layout, &id);
	}
	record_filter_dropped(r, &sb);
	rc = file_writer_write(&r->writer, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return rc;
}

/* Kernels before 6.0 tell only by LOST records, which name the event that came next. */
static void from_records(struct record *r)
{
	for (size_t i = 0; i < r->seen.nr_lost; i++)
		for (size_t j = 0; j < r->kevents.nr; j++)
			if (r->kevents.fds[j].id == r->seen.lost[i].id)
				r->lost_of[j] += r->seen.lost[i].lost;
}

struct share {
	const char *name; /* of an event; NULL: a CPU */
	int cpu;
	u64 lost;
};

static int by_loss(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return x->lost < y->lost ? 1 : -(x->lost > y->lost);
}

/* "raw_syscalls:sys_enter 951234, raw_syscalls:sys_exit 953177 and 2 others 12" */
static void add_shares(struct strbuf *out, struct share *v, size_t nr)
{
	size_t shown = 0;
	u64 rest = 0;

	qsort(v, nr, sizeof(*v), by_loss);
	while (nr && !v[nr - 1].lost)
		nr--;
	for (; shown < MIN(nr, (size_t)SHOWN); shown++) {
		strbuf_addf(out, shown ? ", " : "");
		if (v[shown].name)
			strbuf_addf(out, "%s", v[shown].name);
		else
			strbuf_addf(out, "CPU %d", v[shown].cpu);
		strbuf_addf(out, " %" PRIu64, v[shown].lost);
	}
	for (size_t i = shown; i < nr; i++)
		rest += v[i].lost;
	if (rest)
		strbuf_addf(out, " and %zu others %" PRIu64, nr - shown, rest);
}

static void add_places(const struct record *r, struct strbuf *out)
{
	struct share *events = xcalloc(r->evlist.nr, sizeof(*events));
	struct share *cpus = xcalloc(r->kevents.nr + 1, sizeof(*cpus));
	size_t nr_cpus = 0;

	for (size_t i = 0; i < r->evlist.nr; i++)
		events[i].name = r->evlist.evsels[i]->name;
	for (size_t i = 0; i < r->kevents.nr; i++) {
		const struct kfd *k = &r->kevents.fds[i];
		size_t c = 0;

		events[k->evsel].lost += r->lost_of[i];
		while (c < nr_cpus && cpus[c].cpu != k->cpu)
			c++;
		if (c == nr_cpus)
			cpus[nr_cpus++].cpu = k->cpu;
		cpus[c].lost += r->lost_of[i];
	}
	add_shares(out, events, r->evlist.nr);
	/* threads followed without a CPU have no place to name */
	if (nr_cpus && cpus[0].cpu >= 0) {
		strbuf_addstr(out, "; ");
		add_shares(out, cpus, nr_cpus);
	}
	free(events);
	free(cpus);
}

/* The one option that would have avoided most of it. */
static void add_advice(const struct record *r, u64 lost, struct strbuf *out)
{
	const struct record_scan *scan = &r->seen;
	u64 page = (u64)sysconf(_SC_PAGESIZE), ring = r->rings.v[0].size, want = ring * 2;
	u64 size = scan->events ? record_written(r) / scan->events : 0;
	const struct perf_event_attr *a = NULL;

	/* The gaps would have had to fit, and with room to spare. */
	if (scan->lost_chunks)
		want = MAX(want, ring + 4 * size * (lost / scan->lost_chunks));
	while (ring < want)
		ring *= 2;
	for (size_t i = 0; i < r->evlist.nr; i++)
		if (r->evlist.evsels[i]->attr.freq && !r->evlist.evsels[i]->terms.tracking)
			a = &r->evlist.evsels[i]->attr;
	if (ring <= RING_LIMIT)
		strbuf_addf(out, "'-m %" PRIu64 "' would have held it (the rings had %zu pages).",
			    ring / page, r->rings.pages);
	else if (a)
		strbuf_addf(out,
			    "'-F %" PRIu64 "' instead of %" PRIu64 " would have been kept up with.",
			    MAX((u64)(a->sample_freq * (double)scan->samples /
				      (double)(scan->samples + lost) / 2),
				(u64)1),
			    (u64)a->sample_freq);
	else
		strbuf_addstr(
			out,
			"Record fewer events, fewer of them ('--filter'), or less of each ('-c').");
}

/* Others are never refused one. */
static bool takes_counter(const struct evsel *e)
{
	return e->attr.type != PERF_TYPE_SOFTWARE && e->attr.type != PERF_TYPE_TRACEPOINT &&
	       e->attr.type != PERF_TYPE_BREAKPOINT;
}

void record_tell_pinned(const struct record *r)
{
	for (size_t i = 0; i < r->evlist.nr && !r->quiet; i++) {
		const struct evsel *e = r->evlist.evsels[i];

		/* the kernel drops those that cannot always count, and tells nobody */
		if (e->attr.pinned && e->leader == e->idx && takes_counter(e) &&
		    !kevents_count(&r->kevents, &r->evlist, e))
			fprintf(stderr,
				"Warning:\n%s%s is pinned and did not count: its counters were taken. Pin "
				"fewer events, or leave 'D' out so that they take turns.\n",
				e->name, e->nr_members > 1 ? " with its group" : "");
	}
}

void record_tell_lost(struct record *r)
{
	const struct record_scan *scan = &r->seen;
	u64 lost = MAX(scan->lost_events, r->lost);
	struct strbuf sb = STRBUF_INIT;

	if (!lost || r->quiet || !r->lost_of)
		return;
	if (!r->lost)
		from_records(r);
	add_places(r, &sb);
	fprintf(stderr,
		"Warning:\nProcessed %" PRIu64 " events and lost %" PRIu64 " chunks (%" PRIu64
		" events)!\n\n",
		scan->events, scan->lost_chunks, lost);
	fprintf(stderr, "Check IO/CPU overload! Lost: %s.\n", strbuf_str(&sb));
	strbuf_reset(&sb);
	add_advice(r, lost, &sb);
	fprintf(stderr, "%s\n\n", strbuf_str(&sb));
	strbuf_release(&sb);
}
