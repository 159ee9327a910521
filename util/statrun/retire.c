// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "statrun/retire.h"

#include "base/name-list.h"

#include <errno.h>

#define RATE 1000 /* samples a second */
#define MOST_PRECISE 3

int retire_mode_parse(enum retire_mode *mode, const char *text, struct err *err)
{
	static const char *const names[] = {
		[RETIRE_MEAN] = "mean", [RETIRE_MIN] = "min", [RETIRE_MAX] = "max", [RETIRE_LAST] = "last"
	};

	for (size_t i = RETIRE_MEAN; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], text))
			continue;
		*mode = (enum retire_mode)i;
		return 0;
	}
	return err_set(err, -EINVAL, "--tpebs-mode: '%s' is none of mean, min, max and last", text);
}

static void add(struct retire_latency *v, u16 latency, u64 time)
{
	v->min = v->nr ? MIN(v->min, latency) : latency;
	v->max = MAX(v->max, latency);
	v->sum += latency;
	v->nr++;
	/* rings are read one after the other, so the newest sample need not come last */
	if (time < v->last_time)
		return;
	v->last_time = time;
	v->last = latency;
}

void retire_take(struct retire_latency *v, const struct evlist *l, const void *data, size_t len)
{
	const char *p = data;
	struct perf_event_header h;

	for (size_t at = 0; len - at >= sizeof(h); at += h.size) {
		const struct evsel *e;
		struct sample s;

		memcpy(&h, p + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len - at)
			break;
		if (h.type != PERF_RECORD_SAMPLE)
			continue;
		e = evlist_of_sample(l, p + at, h.size);
		if (e && !sample_decode(&e->layout, p + at, h.size, &s))
			add(&v[e->idx], s.p_stage_cyc, s.time);
	}
}

bool retire_remark(struct strbuf *out, const struct retire_latency *v, const struct evlist *l)
{
	struct few_names names = { 0 };
	bool any;

	for (size_t i = 0; i < l->nr; i++)
		if (v[i].nr && !v[i].max)
			few_names_add(&names, l->evsels[i]->name);
	if (names.nr)
		strbuf_addf(out,
			    "All samples of %s have a retire latency of 0: PMUs before Granite "
			    "Rapids do not measure it.\n",
			    strbuf_str(&names.text));
	any = names.nr;
	few_names_release(&names);
	return any;
}

u64 retire_value(const struct retire_latency *v, enum retire_mode mode)
{
	switch (mode) {
	case RETIRE_MIN:
		return v->min;
	case RETIRE_MAX:
		return v->max;
	case RETIRE_LAST:
		return v->last;
	default:
		return v->nr ? (v->sum + v->nr / 2) / v->nr : 0;
	}
}

void retire_configure(struct evsel *e, bool inherit, bool enable_on_exec)
{
	struct perf_event_attr *a = &e->attr;

	/* it is an event like others here, and the only one of its group */
	e->tool = TOOL_NONE;
	e->leader = e->idx;
	e->nr_members = 1;
	a->size = sizeof(*a);
	a->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_WEIGHT_STRUCT;
	if (!a->sample_period) {
		a->freq = 1;
		a->sample_freq = RATE;
	}
	e->terms.precise_max |= !a->precise_ip;
	if (e->terms.precise_max)
		a->precise_ip = MOST_PRECISE;
	a->read_format = 0;
	a->inherit = e->terms.inherit >= 0 ? e->terms.inherit : inherit;
	a->disabled = 1;
	a->enable_on_exec = enable_on_exec;
	layout_init(&e->layout, a);
}
