// SPDX-License-Identifier: GPL-2.0-or-later
/* Tell what did not fit into the rings: of which event, on which CPU, and what would have
 * helped. */
#include "base/compat.h"
#include "recorder/statistics.h"

#include "base/alloc.h"
#include "kernel/count.h"
#include "kernel/rights.h"
#include "wire/encode.h"

#include <unistd.h>

#define SHOWN 4                    /* so many events, and CPUs, are named */
#define RING_LIMIT ((u64)64 << 20) /* larger ones are no good advice */

/* --- records ------------------------------------------------------------------ */

static void add_filtered(struct statistics *s, const struct opened *ev, struct strbuf *out)
{
	for (size_t i = 0; i < ev->filters.nr; i++) {
		const struct evsel *e = ev->list->evsels[ev->filters.v[i].evsel];
		struct rec_lost lost = { .lost = bpf_filters_dropped(&ev->filters, e->idx) };
		struct sample_id id = { .pid = (u32)-1,
					.tid = (u32)-1,
					.id = e->ids[0],
					.stream_id = e->ids[0],
					.cpu = (u32)-1 };

		s->filtered += lost.lost;
		if (lost.lost)
			enc_record(out, PERF_RECORD_LOST_SAMPLES, RECORD_MISC_LOST_BPF, &lost,
				   &e->layout, &id);
	}
}

void statistics_lost(struct statistics *s, const struct opened *ev, struct strbuf *out)
{
	/* what further output files have not been told yet */
	if (!s->lost_of)
		s->lost_of = xcalloc(ev->kevents.nr, sizeof(*s->lost_of));
	for (size_t i = 0; i < ev->kevents.nr; i++) {
		const struct kfd *k = &ev->kevents.fds[i];
		const struct evsel *e = ev->list->evsels[k->evsel];
		u64 lost = kevents_lost(k, &e->attr) - s->lost_of[i];
		struct sample_id id = { .pid = (u32)-1,
					.tid = (u32)-1,
					.id = k->id,
					.stream_id = k->id,
					.cpu = (u32)k->cpu };

		if (!lost)
			continue;
		s->lost += lost;
		s->lost_of[i] += lost;
		enc_lost_samples(out, lost, &e->layout, &id);
	}
	add_filtered(s, ev, out);
}

void statistics_release(struct statistics *s)
{
	free(s->lost_of);
	s->lost_of = NULL;
}

/* --- sentences ---------------------------------------------------------------- */

/* Take losses from LOST records, which name the event that came next. Kernels before 6.0 tell them
 * in no other way. */
static void from_records(struct statistics *s, const struct opened *ev,
			 const struct record_scan *seen)
{
	for (size_t i = 0; i < seen->nr_lost; i++)
		for (size_t j = 0; j < ev->kevents.nr; j++)
			if (ev->kevents.fds[j].id == seen->lost[i].id)
				s->lost_of[j] += seen->lost[i].lost;
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

/* Append "raw_syscalls:sys_enter 951234, raw_syscalls:sys_exit 953177 and 2 others 12". */
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

static void add_places(const struct statistics *s, const struct opened *ev, struct strbuf *out)
{
	const struct evlist *l = ev->list;
	const struct kevents *kevents = &ev->kevents;
	struct share *events = xcalloc(l->nr, sizeof(*events));
	struct share *cpus = xcalloc(kevents->nr + 1, sizeof(*cpus));
	size_t nr_cpus = 0;

	for (size_t i = 0; i < l->nr; i++)
		events[i].name = l->evsels[i]->name;
	for (size_t i = 0; i < kevents->nr; i++) {
		const struct kfd *k = &kevents->fds[i];
		size_t c = 0;

		events[k->evsel].lost += s->lost_of[i];
		while (c < nr_cpus && cpus[c].cpu != k->cpu)
			c++;
		if (c == nr_cpus)
			cpus[nr_cpus++].cpu = k->cpu;
		cpus[c].lost += s->lost_of[i];
	}
	add_shares(out, events, l->nr);
	/* threads followed without a CPU have no place to name */
	if (nr_cpus && cpus[0].cpu >= 0) {
		strbuf_addstr(out, "; ");
		add_shares(out, cpus, nr_cpus);
	}
	free(events);
	free(cpus);
}

/* The one option that would have avoided most of it. */
static void add_advice(const struct opened *ev, const struct record_scan *scan, u64 written,
		       u64 lost, struct strbuf *out)
{
	const struct evlist *l = ev->list;
	u64 page = (u64)sysconf(_SC_PAGESIZE), ring = ev->rings.v[0].size, want = ring * 2;
	u64 size = scan->events ? written / scan->events : 0;
	const struct perf_event_attr *a = NULL;

	/* The gaps would have had to fit, and with room to spare. */
	if (scan->lost_chunks)
		want = MAX(want, ring + 4 * size * (lost / scan->lost_chunks));
	while (ring < want)
		ring *= 2;
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.freq && !l->evsels[i]->terms.tracking)
			a = &l->evsels[i]->attr;
	if (ring <= RING_LIMIT)
		strbuf_addf(out, "'-m %" PRIu64 "' would have held it (the rings had %zu pages).",
			    ring / page, ev->rings.pages);
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

static void tell_pinned(const struct opened *ev, const struct notices *notes)
{
	const struct evlist *l = ev->list;

	for (size_t i = 0; i < l->nr && notes; i++) {
		const struct evsel *e = l->evsels[i];

		/* the kernel drops those that cannot always count, and tells nobody */
		if (e->attr.pinned && e->leader == e->idx && takes_counter(e) &&
		    !kevents_count(&ev->kevents, l, e))
			notice(notes,
			       "Warning:\n%s%s is pinned and did not count: its counters were "
			       "taken. Pin fewer events, or leave 'D' out so that they take "
			       "turns.\n",
			       e->name, e->nr_members > 1 ? " with its group" : "");
	}
}

static void tell_lost(struct statistics *s, const struct opened *ev, const struct record_scan *seen,
		      u64 written, const struct notices *notes)
{
	u64 lost = MAX(seen->lost_events, s->lost);
	struct strbuf sb = STRBUF_INIT;

	if (!lost || !s->lost_of)
		return;
	if (!s->lost)
		from_records(s, ev, seen);
	add_places(s, ev, &sb);
	notice(notes,
	       "Warning:\nProcessed %" PRIu64 " events and lost %" PRIu64 " chunks (%" PRIu64
	       " events)!\n\nCheck IO/CPU overload! Lost: %s.\n",
	       seen->events, seen->lost_chunks, lost, strbuf_str(&sb));
	strbuf_reset(&sb);
	add_advice(ev, seen, written, lost, &sb);
	notice(notes, "%s\n\n", strbuf_str(&sb));
	strbuf_release(&sb);
}

/* Samples of the kernel will have no names, if there are any. */
static void tell_hidden(const struct sysroot *sr, const struct notices *notes)
{
	struct strbuf sb = STRBUF_INIT;

	if (rights_addresses(sr, &sb))
		notice(notes,
		       "Warning:\nSamples in the kernel will have no names where no vmlinux is "
		       "found: %s",
		       strbuf_str(&sb));
	strbuf_release(&sb);
}

void statistics_tell(struct statistics *s, const struct opened *ev, const struct record_scan *seen,
		     u64 written, const struct notices *notes)
{
	tell_pinned(ev, notes);
	tell_lost(s, ev, seen, written, notes);
	if (seen->kernel_hit)
		tell_hidden(ev->sysroot, notes);
	if (ev->filters.nr)
		notice(notes, "[ perf record: The filter dropped %" PRIu64 " samples ]\n",
		       s->filtered);
}
