// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse the texts of options, and derive what follows from them. */
#include "base/compat.h"
#include "recordopts/options.h"

#include "base/alloc.h"
#include "base/units.h"
#include "kernel/synth.h"

#include <ctype.h>
#include <errno.h>

int switch_parse(struct switch_opts *s, const char *text)
{
	s->size = s->ms = 0;
	return !strcmp(text, "signal") || size_parse(text, &s->size) || span_parse(text, &s->ms)
		       ? 0
		       : -EINVAL;
}

int delay_spans_parse(struct delay_spans *spans, const char *text)
{
	u64 last = 0;

	spans->nr = 0;
	for (const char *p = text;; p++) {
		struct delay_span s;
		char *end;

		if (!isdigit((unsigned char)*p))
			return -EINVAL;
		s.from = strtoul(p, &end, 10);
		if (*end != '-' || !isdigit((unsigned char)end[1]))
			return -EINVAL;
		s.to = strtoul(end + 1, &end, 10);
		if (s.to <= s.from || s.to > INT32_MAX || (p > text && s.from <= last))
			return -EINVAL;
		VEC_GROW(spans->v, spans->nr + 1, spans->cap);
		spans->v[spans->nr++] = s;
		last = s.to;
		p = end;
		if (!*p)
			return 0;
		if (*p != ',')
			return -EINVAL;
	}
}

void delay_spans_release(struct delay_spans *s)
{
	free(s->v);
	*s = (struct delay_spans){ 0 };
}

int synth_parse(const char *text, unsigned int *out)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} kinds[] = {
		{ "no", 0 },
		{ "all", SYNTH_ALL },
		{ "task", SYNTH_TASKS },
		/* a map without its process says nothing */
		{ "mmap", SYNTH_TASKS | SYNTH_MAPS },
		{ "cgroup", SYNTH_CGROUPS },
	};
	bool none = false;

	*out = 0;
	for (const char *p = text;; p++) {
		size_t len = strcspn(p, ","), i;

		for (i = 0; i < ARRAY_SIZE(kinds); i++)
			if (strlen(kinds[i].name) == len && !strncasecmp(kinds[i].name, p, len))
				break;
		if (i == ARRAY_SIZE(kinds))
			return -EINVAL;
		*out |= kinds[i].bits;
		none |= !i;
		p += len;
		if (!*p)
			break;
	}
	if (none)
		*out = 0;
	return 0;
}

int affinity_parse(const char *text, enum ring_affinity *out)
{
	static const char *const names[] = { "sys", "node", "cpu" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(text, names[i]))
			continue;
		*out = (enum ring_affinity)i;
		return 0;
	}
	return -EINVAL;
}

void record_opts_target(struct record_opts *o, const struct notices *notes)
{
	struct sample_opts *s = &o->sample;

	target_choose(&o->target, o->command, notes);
	s->system_wide = target_system(&o->target);
	if (s->system_wide && s->per_thread) {
		notice(notes, "Warning:\nSYSTEM/CPU switch overriding PER-THREAD\n");
		s->per_thread = false;
	}
	s->enable_on_exec = o->command && !s->system_wide && !target_tasks(&o->target);
	if (o->target.tids || s->per_thread)
		s->no_inherit = true;
}

/* --- the event of --off-cpu --------------------------------------------------------- */

/* The fields that samples of sleeps may have. */
#define OFFCPU_TYPES                                                                               \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CGROUP)

struct evsel *offcpu_event(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->terms.offcpu)
			return l->evsels[i];
	return NULL;
}

void offcpu_event_add(struct evlist *l)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_BPF_OUTPUT,
				     .size = sizeof(a),
				     .sample_period = 1,
				     .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
						    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU };
	struct evsel *e = evlist_add(l, &a, "offcpu-time");

	e->terms.offcpu = e->terms.period_set = e->terms.named = true;
}

static void configure_offcpu(struct evlist *l)
{
	struct evsel *e = offcpu_event(l);

	if (!e)
		return;
	e->attr.sample_type &= OFFCPU_TYPES;
	e->attr.sample_type |= PERF_SAMPLE_PERIOD;
	e->attr.sample_regs_user = e->attr.sample_regs_intr = 0;
	e->attr.sample_stack_user = 0;
	e->attr.branch_sample_type = 0;
	e->attr.sample_period = 1;
	layout_init(&e->layout, &e->attr);
}

/* --- the events of --wall ----------------------------------------------------------- */

void wall_events_add(struct evlist *l, u64 min_block)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_TASK_CLOCK,
				     .size = sizeof(a) };
	struct evsel *e = evlist_add(l, &a, EVENT_WALL_CLOCK);

	e->terms.named = true;
	a.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	a.config2 = min_block; /* the kernel does not look at it; readers do */
	a.sample_period = 1;
	e = evlist_add(l, &a, EVENT_WALL_BLOCKED);
	e->terms.period_set = e->terms.named = true;
}

void record_opts_events(const struct record_opts *o, struct evlist *l)
{
	evlist_configure(l, &o->sample);
	if (o->off_cpu)
		configure_offcpu(l);
}
