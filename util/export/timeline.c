// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "export/timeline.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "stacktree/event-class.h"

/* Nobody asks for the idle thread of a CPU, or for one that the kernel has there. */
static bool of_a_cpu(const struct stacks *s, const struct stacks_thread *t)
{
	static const char *const names[] = { "ksoftirqd/", "migration/", "kworker/", "rcu_" };
	const char *comm = stacks_text(s, t->comm);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(comm, names[i], strlen(names[i])))
			return true;
	return !t->tid;
}

/* Return the event that tells of switches of all threads, a tracepoint rather than another;
 * UINT32_MAX: there is none, or it does not tell of all threads. */
static u32 switches_of_all(const struct stacks *s)
{
	u32 event = UINT32_MAX;

	for (u32 i = 0; i < s->nr_events; i++) {
		const char *name = stacks_text(s, s->events[i].name);

		if (event_class(name) == EVENT_SWITCH &&
		    (event == UINT32_MAX || !strncmp(name, "sched:", 6)))
			event = i;
	}
	for (size_t i = 0; i < s->nr_samples; i++)
		if (s->samples[i].event == event && of_a_cpu(s, &s->threads[s->samples[i].thread]))
			return event;
	return UINT32_MAX;
}

void timeline_runs_release(struct timeline_runs *r)
{
	for (u32 i = 0; i < r->nr_tasks; i++)
		free(r->tasks[i].comm);
	free(r->tasks);
	free(r->v);
	*r = (struct timeline_runs){ 0 };
}

/* Return the thread that a task is; UINT32_MAX: it has no samples. Threads are in the order of
 * process and thread; those that have had several names stand one after the other. */
static u32 thread_of(const struct stacks *s, const struct timeline_runner *task)
{
	u32 low = 0, high = s->nr_threads, found = UINT32_MAX;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		const struct stacks_thread *t = &s->threads[middle];

		if (t->pid < task->pid || (t->pid == task->pid && t->tid < task->tid))
			low = middle + 1;
		else
			high = middle;
	}
	for (u32 i = low; i < s->nr_threads; i++) {
		const struct stacks_thread *t = &s->threads[i];

		if (t->pid != task->pid || t->tid != task->tid)
			break;
		found = found == UINT32_MAX ? i : found;
		if (!strcmp(stacks_text(s, t->comm), task->comm))
			found = i;
	}
	return found;
}

/* Take the runs within the time of the samples. */
static size_t slices_of_runs(const struct stacks *s, const struct timeline_runs *runs,
			     struct timeline_slice **slices)
{
	u32 *threads = xcalloc((size_t)runs->nr_tasks + 1, sizeof(*threads));
	size_t nr = 0;

	for (u32 i = 0; i < runs->nr_tasks; i++)
		threads[i] = thread_of(s, &runs->tasks[i]);
	*slices = xcalloc(runs->nr + 1, sizeof(**slices));
	for (size_t i = 0; i < runs->nr; i++) {
		struct timeline_slice slice = runs->v[i];

		slice.thread = threads[slice.thread];
		slice.start = MAX(slice.start, s->first_time);
		slice.end = MIN(slice.end, s->last_time);
		if (slice.thread != UINT32_MAX && slice.start < slice.end)
			(*slices)[nr++] = slice;
	}
	free(threads);
	return nr;
}

size_t timeline_slices(const struct stacks *s, bool narrowed, const struct timeline_runs *runs,
		       struct timeline_slice **slices)
{
	u32 event = narrowed ? UINT32_MAX : switches_of_all(s), nr_cpus = 0, *slot;
	struct map64 cpus = { 0 };
	u64 *since = NULL;
	size_t nr = 0, cap = 0, cap_cpus = 0;

	*slices = NULL;
	if (event != UINT32_MAX && runs && runs->nr)
		return slices_of_runs(s, runs, slices);
	for (size_t i = 0; i < s->nr_samples; i++) {
		const struct stacks_sample *at = &s->samples[i];

		if (at->event != event || at->cpu == UINT32_MAX)
			continue;
		slot = map64_slot(&cpus, at->cpu);
		if (*slot == MAP64_NONE) {
			*slot = nr_cpus++;
			VEC_GROW(since, nr_cpus, cap_cpus);
		} else if (s->threads[at->thread].tid) {
			VEC_GROW(*slices, nr + 1, cap);
			(*slices)[nr++] = (struct timeline_slice){ since[*slot], at->time, at->cpu,
								   at->thread };
		}
		since[*slot] = at->time;
	}
	map64_release(&cpus);
	free(since);
	return nr;
}

void timeline_rates(struct timeline_rates *r, const struct stacks *s, enum stacks_weight weight)
{
	u64 span = s->last_time - s->first_time;

	*r = (struct timeline_rates){ .start = s->first_time, .step = span / TIMELINE_STEPS + 1 };
	r->nr_steps = (u32)(span / r->step) + 1;
	r->sums = xcalloc((size_t)r->nr_steps * s->nr_events + 1, sizeof(u64));
	for (size_t i = 0; i < s->nr_samples; i++) {
		const struct stacks_sample *at = &s->samples[i];
		u64 step = MIN((at->time - r->start) / r->step, (u64)r->nr_steps - 1);

		r->sums[at->event * (size_t)r->nr_steps + step] +=
			weight == WEIGHT_SAMPLES ? 1 : at->period;
	}
}

void timeline_rates_release(struct timeline_rates *r)
{
	free(r->sums);
	r->sums = NULL;
}
