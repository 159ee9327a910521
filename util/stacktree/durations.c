// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The weight of a sample as the time that its state lasted, as far as samples tell:
 *
 *	- For events that count time it is the period.
 *	- For single occurrences (tracepoints, probes) it is the time until the next sample of the
 *	  same thread, of any event, for example from the beginning to the end of a system call.
 *	- For events that say where a resource was spent (cycles) it is the time until the next
 *	  sample of the same event on the same CPU, or of the same thread on another CPU.
 *
 * The last sample of each has no duration. Samples of the same time do not end each other.
 */
#include "base/compat.h"

#include "base/pool.h"
#include "hist/sort.h"
#include "stacktree/event-class.h"
#include "stacktree/stacks-internal.h"

struct turn {
	struct hist_log *log;
	u32 event, tid, cpu;
};

/* The events in time order; the index is the number of the sample. */
struct turns {
	struct turn *all;
	size_t nr;
	bool *timed, *point;     /* by event */
	struct map64 cpu;        /* event << 32 | CPU */
	struct map64 thread;     /* event << 32 | tid */
	struct map64 any_thread; /* tid; for idle threads: 1 << 32 | CPU */
};

static int turn_cmp(const void *a, const void *b, void *ctx)
{
	u64 x = ((const struct turn *)a)->log->time, y = ((const struct turn *)b)->log->time;

	(void)ctx;
	return x < y ? -1 : x > y;
}

static void gather(struct hist *h, struct turns *t)
{
	size_t nr = 0;

	for (int i = 0; i < hist_nr_workers(h); i++)
		nr += hist_counted_stacks(h, i).nr_log;
	t->all = xcalloc(nr + 1, sizeof(*t->all));
	for (int i = 0; i < hist_nr_workers(h); i++) {
		struct counted_stacks w = hist_counted_stacks(h, i);

		for (size_t k = 0; k < w.nr_log; k++) {
			struct hist_log *l = &w.log[k];
			const struct hist_base *b = &w.bases[w.counts[l->count].base];

			t->all[t->nr++] = (struct turn){ .log = l,
							 .event = b->evsel,
							 .tid = w.threads[l->thread].tid,
							 .cpu = b->cpu };
		}
	}
	parallel_sort(t->all, t->nr, sizeof(*t->all), turn_cmp, NULL, pool_cpus());
}

static u64 of_both(u32 high, u32 low)
{
	return (u64)high << 32 | low;
}

static u64 any_key(const struct turn *t)
{
	return t->tid ? t->tid : of_both(1, t->cpu);
}

static u64 time_at(const struct turns *t, const struct map64 *m, u64 key)
{
	u32 at = map64_get(m, key);

	return at == MAP64_NONE ? UINT64_MAX : t->all[at].log->time;
}

static u64 end_of(const struct turns *t, const struct turn *x)
{
	u64 end = UINT64_MAX;

	if (t->point[x->event])
		return time_at(t, &t->any_thread, any_key(x));
	if (x->cpu != UINT32_MAX)
		end = time_at(t, &t->cpu, of_both(x->event, x->cpu));
	if (x->tid) /* all idle threads have the same tid */
		end = MIN(end, time_at(t, &t->thread, of_both(x->event, x->tid)));
	return end;
}

static void remember(struct turns *t, u32 i)
{
	const struct turn *x = &t->all[i];

	map64_set(&t->any_thread, any_key(x), i);
	if (t->timed[x->event] || t->point[x->event])
		return;
	map64_set(&t->thread, of_both(x->event, x->tid), i);
	map64_set(&t->cpu, of_both(x->event, x->cpu), i);
}

/*
 * Process samples from the last to the first. All samples of one time are processed before any of
 * them is stored.
 */
static void set_periods(struct turns *t)
{
	for (size_t end = t->nr, from; end; end = from) {
		from = end - 1;
		while (from && t->all[from - 1].log->time == t->all[end - 1].log->time)
			from--;
		for (size_t i = from; i < end; i++) {
			struct turn *x = &t->all[i];
			u64 until;

			if (t->timed[x->event])
				continue;
			until = end_of(t, x);
			x->log->period = until == UINT64_MAX ? 0 : until - x->log->time;
		}
		for (size_t i = from; i < end; i++)
			remember(t, (u32)i);
	}
}

static void add_up(const struct counted_stacks *w)
{
	for (size_t i = 0; i < w->nr_counts; i++)
		w->counts[i].period = 0;
	for (size_t i = 0; i < w->nr_log; i++)
		w->counts[w->log[i].count].period += w->log[i].period;
	for (size_t i = 0; i < w->nr_sites; i++)
		w->sites[i].period = 0;
	for (size_t i = 0; w->nr_sites && i < w->nr_log; i++)
		w->sites[w->log[i].site].period += w->log[i].period;
}

void stacks_durations(struct hist *h, const char *const *names)
{
	size_t nr = hist_config(h)->nr_events;
	struct turns t = { .timed = xcalloc(nr + 1, sizeof(bool)),
			   .point = xcalloc(nr + 1, sizeof(bool)) };

	for (size_t i = 0; i < nr; i++) {
		t.timed[i] = event_counts_time(names[i]);
		t.point[i] = event_class(names[i]) != EVENT_SAMPLED;
	}
	gather(h, &t);
	set_periods(&t);
	for (int i = 0; i < hist_nr_workers(h); i++) {
		struct counted_stacks w = hist_counted_stacks(h, i);

		add_up(&w);
	}
	map64_release(&t.cpu);
	map64_release(&t.thread);
	map64_release(&t.any_thread);
	free(t.timed);
	free(t.point);
	free(t.all);
}
