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

size_t timeline_slices(const struct stacks *s, bool narrowed, struct timeline_slice **slices)
{
	u32 event = narrowed ? UINT32_MAX : switches_of_all(s), nr_cpus = 0, *slot;
	struct map64 cpus = { 0 };
	u64 *since = NULL;
	size_t nr = 0, cap = 0, cap_cpus = 0;

	*slices = NULL;
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
