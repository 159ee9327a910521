// SPDX-License-Identifier: GPL-2.0-or-later
/* Sampling configuration. The combinations of bits are those perf 6.1 writes for the same command
 * line. */
#include "base/compat.h"
#include "events/config.h"

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

void evlist_add_default(struct evlist *l)
{
	struct perf_event_attr a = { .type = PERF_TYPE_HARDWARE,
				     .config = PERF_COUNT_HW_CPU_CYCLES,
				     .size = sizeof(a),
				     .precise_ip = 3 };
	struct evsel *e = evlist_add(l, &a, "cycles:ppp");

	e->terms.precise_max = e->terms.unnamed = true;
}

static void set_period(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	/* Tracepoints and breakpoints bring a period of 1 that only -c and -F change. */
	bool own = a->sample_period != 0;

	if (e->terms.freq_set || e->terms.period_set) {
		if (e->terms.freq_set)
			a->sample_type |= PERF_SAMPLE_PERIOD;
		return;
	}
	if (own && !o->freq_set && !o->count_set)
		return;
	if (o->count_set) {
		a->freq = 0;
		a->sample_period = o->count;
		return;
	}
	a->freq = 1;
	a->sample_freq = o->freq;
	a->sample_type |= PERF_SAMPLE_PERIOD;
}

static void set_callgraph(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	enum callgraph_mode mode = o->callgraph;

	if (e->terms.callgraph >= 0)
		mode = e->terms.callgraph ? CALLGRAPH_FP : CALLGRAPH_NONE;
	if (mode == CALLGRAPH_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	a->exclude_callchain_user = o->kernel_chains;
	a->exclude_callchain_kernel = o->user_chains;
	if (mode == CALLGRAPH_DWARF) {
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
				  PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
		a->sample_regs_user = o->user_regs;
		a->sample_stack_user = o->stack_size;
		a->exclude_callchain_user = 1;
	}
}

static void set_fields(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	u64 st = PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	if (e->terms.time >= 0 ? e->terms.time : !o->per_thread || o->time)
		st |= PERF_SAMPLE_TIME;
	if (o->system_wide || o->cpu)
		st |= PERF_SAMPLE_CPU;
	if (o->raw)
		st |= PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (o->addr)
		st |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	if (o->weight)
		st |= PERF_SAMPLE_WEIGHT_STRUCT;
	if (o->phys)
		st |= PERF_SAMPLE_PHYS_ADDR;
	if (o->data_page_size)
		st |= PERF_SAMPLE_DATA_PAGE_SIZE;
	if (o->code_page_size)
		st |= PERF_SAMPLE_CODE_PAGE_SIZE;
	if (o->cgroups)
		st |= PERF_SAMPLE_CGROUP;
	if (o->period)
		st |= PERF_SAMPLE_PERIOD;
	a->sample_type |= st;
	if (o->no_period)
		a->sample_type &= ~(u64)PERF_SAMPLE_PERIOD;
}

/* The one event that carries comm, mmap, fork and exit records. */
static void set_tracking(struct perf_event_attr *a, const struct sample_opts *o)
{
	a->mmap = a->comm = a->task = 1;
	a->mmap2 = a->comm_exec = a->ksymbol = 1;
	a->bpf_event = !o->no_bpf;
	a->mmap_data = o->addr || o->callgraph == CALLGRAPH_DWARF;
	a->context_switch = o->switches;
	a->namespaces = o->namespaces;
	a->cgroup = o->cgroups;
}

static void set_space(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;

	if (o->all_kernel) {
		a->exclude_user = 1;
		a->exclude_kernel = 0;
	}
	if (o->all_user) {
		a->exclude_kernel = 1;
		a->exclude_user = 0;
	}
}

/* {a,b}:S: only the leader samples, and each sample reads the whole group. */
static void set_group_read(struct evlist *l, struct evsel *e)
{
	struct perf_event_attr *a = &e->attr;
	const struct evsel *leader = l->evsels[e->leader];

	if (!leader->terms.sample_read)
		return;
	a->sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_ID;
	if (leader->nr_members < 2)
		return;
	a->read_format |= PERF_FORMAT_GROUP;
	a->inherit = 0;
	if (leader != e) {
		a->freq = 0;
		a->sample_period = 0;
	}
}

static void configure(struct evlist *l, struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	bool leader = e->leader == e->idx;

	a->size = sizeof(*a);
	a->sample_id_all = 1;
	a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	a->inherit = e->terms.inherit >= 0 ? e->terms.inherit : !o->no_inherit;
	if (o->stat) {
		a->inherit_stat = 1;
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	}
	if (e->terms.tracking) {
		a->sample_period = o->count_set ? o->count : 1;
	} else {
		set_period(e, o);
		set_space(e, o);
	}
	set_callgraph(e, o);
	set_fields(e, o);
	set_group_read(l, e);
	if (e->terms.precise_max)
		a->precise_ip = 3;
	/* The side-band event counts from the start, all others when they are told to. */
	if (leader && (!e->terms.tracking || (o->delayed && o->enable_on_exec)))
		a->disabled = 1;
	if (leader && o->enable_on_exec && (!o->delayed || e->terms.tracking))
		a->enable_on_exec = 1;
	if (o->no_samples)
		a->sample_period = 0;
	if (o->clockid_set) {
		a->use_clockid = 1;
		a->clockid = o->clockid;
	}
}

/* Several events in one file: each sample must say whose it is. */
static void set_ids(struct evlist *l, bool identifier)
{
	bool same = true;

	for (size_t i = 1; i < l->nr; i++)
		same &= l->evsels[i]->attr.sample_type == l->evsels[0]->attr.sample_type;
	for (size_t i = 0; i < l->nr; i++) {
		u64 *st = (u64 *)&l->evsels[i]->attr.sample_type;

		if (identifier || (l->nr > 1 && !same)) {
			*st &= ~(u64)PERF_SAMPLE_ID;
			*st |= PERF_SAMPLE_IDENTIFIER;
		} else if (l->nr > 1) {
			*st |= PERF_SAMPLE_ID;
		}
	}
}

void evlist_configure(struct evlist *l, const struct sample_opts *o)
{
	struct evsel *tracking = l->nr ? l->evsels[0] : NULL;

	if (o->system_wide || o->delayed) {
		struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
					     .config = PERF_COUNT_SW_DUMMY,
					     .size = sizeof(a) };

		tracking = evlist_add(l, &a, "dummy:HG");
		tracking->terms.tracking = true;
	}
	for (size_t i = 0; i < l->nr; i++)
		configure(l, l->evsels[i], o);
	if (tracking)
		set_tracking(&tracking->attr, o);
	set_ids(l, o->identifier);
	for (size_t i = 0; i < l->nr; i++)
		layout_init(&l->evsels[i]->layout, &l->evsels[i]->attr);
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->terms.unnamed)
			evsel_rename(l->evsels[i]);
}
