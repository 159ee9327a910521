// SPDX-License-Identifier: GPL-2.0-or-later
/* Configure how events sample. The combinations of bits are those perf 6.1 writes for the same
 * command line. */
#include "base/compat.h"
#include "events/config.h"

#include "arch/arch.h"

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

void evlist_add_default(struct evlist *l)
{
	struct perf_event_attr a = { .type = PERF_TYPE_HARDWARE,
				     .config = PERF_COUNT_HW_CPU_CYCLES,
				     .size = sizeof(a),
				     .precise_ip = 3 };
	struct evsel *e;

	a.exclude_guest = !arch_host_counts_guests();
	e = evlist_add(l, &a, "cycles");
	e->terms.precise_max = e->terms.unnamed = true;
}

static void set_period(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	/* Tracepoints and breakpoints have a period of 1, which only -c and -F change. */
	bool own = a->sample_period != 0;

	if (e->terms.freq_set || e->terms.period_set) {
		if (e->terms.freq_set)
			a->sample_type |= PERF_SAMPLE_PERIOD;
		else
			a->sample_type &= ~(u64)PERF_SAMPLE_PERIOD;
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

#define STACK_SIZE_DEFAULT 8192 /* bytes of user stack in a sample, for DWARF unwinding */

/* The stack of calls that the processor keeps. Its flags and cycles are not used. */
#define LBR_CALLGRAPH                                                                              \
	(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_FLAGS |   \
	 PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_HW_INDEX)

/* There is one branch stack: it can only hold user calls unless -b has determined its contents. */
static bool lbr_callgraph(const struct perf_event_attr *a)
{
	return !a->branch_sample_type && !a->exclude_user;
}

static void set_callgraph(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	enum callgraph_mode mode = o->callgraph;

	if (e->terms.callgraph >= 0)
		mode = (enum callgraph_mode)e->terms.callgraph;
	else if (e->terms.max_stack && mode == CALLGRAPH_NONE)
		mode = CALLGRAPH_FP;
	if (mode == CALLGRAPH_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (e->terms.max_stack || o->max_stack)
		a->sample_max_stack = e->terms.max_stack ? e->terms.max_stack : o->max_stack;
	a->exclude_callchain_user = o->kernel_chains;
	a->exclude_callchain_kernel = o->user_chains;
	if (mode == CALLGRAPH_FP && o->defer)
		attr_set(a, ATTR_DEFER_CALLCHAIN);
	if (mode == CALLGRAPH_DWARF) {
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a->sample_regs_user |= o->dwarf_regs;
		a->sample_stack_user = e->terms.stack_size ? e->terms.stack_size
				       : o->stack_size     ? o->stack_size
							   : STACK_SIZE_DEFAULT;
		a->exclude_callchain_user = 1;
		/* the unwinder needs data maps as well */
		if (e->terms.callgraph >= 0)
			a->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	} else if (mode == CALLGRAPH_LBR && lbr_callgraph(a)) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = LBR_CALLGRAPH;
	}
}

/*
 * The kernel samples its functions only without what it would have to read of programs. One that a
 * pattern found stays refused: every function of the kernel is more than somebody meant by "*:*".
 */
static void set_functions(struct evsel *e)
{
	struct perf_event_attr *a = &e->attr;

	if (!e->tp_name || e->terms.may_fail || strcmp(e->tp_name, "ftrace:function"))
		return;
	a->exclude_callchain_user = 1;
	a->sample_type &= ~(u64)PERF_SAMPLE_STACK_USER;
	a->sample_stack_user = 0;
}

/* Set the fields that samples need, but not the side-band event. */
static void set_extras(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;

	if (o->user_regs) {
		a->sample_type |= PERF_SAMPLE_REGS_USER;
		a->sample_regs_user |= o->user_regs;
	}
	if (o->intr_regs) {
		a->sample_type |= PERF_SAMPLE_REGS_INTR;
		a->sample_regs_intr = o->intr_regs;
	}
	/* an event that counts nothing has no branches */
	if (!e->terms.branches_set && !evsel_is_dummy(e))
		a->branch_sample_type = o->branches;
	if (a->branch_sample_type)
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	if (e->terms.aux_sample_size) {
		a->sample_type |= PERF_SAMPLE_AUX;
		a->aux_sample_size = e->terms.aux_sample_size;
	}
	if (e->terms.overwrite >= 0)
		a->write_backward = e->terms.overwrite;
}

static void set_fields(struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	u64 st = PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	if (e->terms.time >= 0 ? e->terms.time : !o->no_time && (!o->per_thread || o->time))
		st |= PERF_SAMPLE_TIME;
	if (o->system_wide || o->cpu)
		st |= PERF_SAMPLE_CPU;
	if (o->raw)
		st |= PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (o->addr)
		st |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	if (o->data_src)
		st |= PERF_SAMPLE_DATA_SRC;
	if (o->weight)
		st |= PERF_SAMPLE_WEIGHT_STRUCT;
	if (o->transaction)
		st |= PERF_SAMPLE_TRANSACTION;
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

/* Prepare the one event that carries comm, mmap, fork and exit records. */
static void set_tracking(struct perf_event_attr *a, const struct sample_opts *o, bool dwarf_terms)
{
	a->mmap = a->comm = a->task = 1;
	a->mmap2 = a->comm_exec = a->ksymbol = 1;
	a->bpf_event = !o->no_bpf;
	a->mmap_data = o->addr || o->data_maps || dwarf_terms;
	a->context_switch = o->switches || o->latency;
	a->build_id = o->build_ids;
	a->text_poke = o->text_pokes;
	a->namespaces = o->namespaces;
	a->cgroup = o->cgroups;
	if (o->defer)
		attr_set(a, ATTR_DEFER_OUTPUT);
}

static void set_space(struct evsel *e, bool all_user, bool all_kernel)
{
	struct perf_event_attr *a = &e->attr;

	if (all_kernel) {
		a->exclude_user = 1;
		a->exclude_kernel = 0;
	}
	if (all_user) {
		a->exclude_kernel = 1;
		a->exclude_user = 0;
	}
}

/*
 * {a,b}:S: only the leader samples, and each sample reads the whole group. A member with a period
 * of its own samples as well, with the same fields as the leader.
 */
static void set_group_read(struct evlist *l, struct evsel *e)
{
	struct perf_event_attr *a = &e->attr;
	const struct evsel *leader = l->evsels[e->leader];

	if (e->terms.sample_read) {
		a->sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_ID;
		if (leader->nr_members > 1 && leader->terms.sample_read) {
			a->read_format |= PERF_FORMAT_GROUP;
			a->inherit = 0;
		}
	}
	if (!leader->terms.sample_read || leader == e)
		return;
	if (!e->terms.freq_set && !e->terms.period_set) {
		a->freq = 0;
		a->sample_period = 0;
	}
	a->sample_type = leader->attr.sample_type;
}

/* The fields of events that are of all threads: what others may have besides is of a thread. */
#define EVERYWHERE_FIELDS                                                                          \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID | PERF_SAMPLE_IP | PERF_SAMPLE_TID |              \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

/* No exec enables an event that is of no thread, so it counts from the start. */
static void set_everywhere(struct perf_event_attr *a)
{
	a->sample_type &= EVERYWHERE_FIELDS;
	a->sample_regs_user = a->sample_regs_intr = 0;
	a->sample_stack_user = 0;
	a->branch_sample_type = 0;
	a->disabled = a->enable_on_exec = a->inherit = 0;
}

static void configure(struct evlist *l, struct evsel *e, const struct sample_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	bool leader = e->leader == e->idx;

	a->size = e->config3 ? PERF_ATTR_SIZE_VER8 : ATTR_SIZE;
	a->sample_id_all = 1;
	a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	a->inherit = e->terms.inherit >= 0 ? e->terms.inherit : !o->no_inherit;
	if (o->stat)
		a->inherit_stat = 1;
	if (o->stat || o->running_time)
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (e->terms.tracking)
		a->sample_period = 1;
	set_period(e, o);
	if (!e->terms.tracking)
		set_extras(e, o);
	set_space(e, o->all_user, o->all_kernel);
	if (e->terms.tracking && (o->all_kernel || o->all_user))
		evsel_rename(e);
	set_callgraph(e, o);
	set_functions(e);
	set_fields(e, o);
	set_group_read(l, e);
	if (e->tool == TOOL_RETIRE_LATENCY) {
		a->sample_type |= PERF_SAMPLE_WEIGHT_STRUCT;
		e->terms.precise_max |= !a->precise_ip;
	}
	if (e->terms.precise_max)
		a->precise_ip = 3;
	/* The side-band event counts from the start; all others wait until they are enabled. */
	if (leader &&
	    (!e->terms.carries || ((o->delayed || o->own_side_band) && o->enable_on_exec)))
		a->disabled = 1;
	if (leader && o->enable_on_exec && (!o->delayed || e->terms.carries))
		a->enable_on_exec = 1;
	if (e->terms.later) {
		a->disabled = 1;
		a->enable_on_exec = 0;
	}
	if (e->terms.everywhere)
		set_everywhere(a);
	if (o->no_samples && !e->terms.period_set && !e->terms.freq_set)
		a->sample_period = 0;
	if (o->overwrite && e->terms.overwrite < 0)
		a->write_backward = 1;
	if (o->no_buffering) {
		a->watermark = 0;
		a->wakeup_events = 1;
	}
	if (o->clockid_set) {
		a->use_clockid = 1;
		a->clockid = o->clockid;
	}
}

/*
 * With several events in a file, or any in a stream, each sample has to carry the id of its event.
 */
static void set_ids(struct evlist *l, const struct sample_opts *o)
{
	bool same = true;

	for (size_t i = 1; i < l->nr; i++)
		same &= l->evsels[i]->attr.sample_type == l->evsels[0]->attr.sample_type;
	for (size_t i = 0; i < l->nr; i++) {
		u64 *st = (u64 *)&l->evsels[i]->attr.sample_type;

		if (o->identifier || (l->nr > 1 && !same)) {
			*st &= ~(u64)PERF_SAMPLE_ID;
			*st |= PERF_SAMPLE_IDENTIFIER;
		} else if (l->nr > 1 || o->stream) {
			*st |= PERF_SAMPLE_ID;
		}
	}
}

void evlist_configure(struct evlist *l, const struct sample_opts *o)
{
	struct evsel *tracking = l->nr ? l->evsels[0] : NULL;
	bool dwarf_terms = false;

	/*
	 * The side-band event stays outside the group: a group that waits for counters would lose
	 * records.
	 */
	if (o->group)
		evlist_group(l, 0, l->nr);
	/* records of all CPUs are needed */
	if (o->system_wide || o->delayed || o->own_side_band || evlist_has_cpumask(l)) {
		struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
					     .config = PERF_COUNT_SW_DUMMY,
					     .size = sizeof(a) };

		/* a dummy of the user serves as well, if it is first */
		if (!tracking || tracking->attr.type != a.type ||
		    tracking->attr.config != a.config) {
			tracking = evlist_add(l, &a, "dummy:HG");
			tracking->terms.tracking = true;
		}
		tracking->terms.carries = true;
	}
	for (size_t i = 0; i < l->nr; i++)
		configure(l, l->evsels[i], o);
	for (size_t i = 0; i < l->nr; i++)
		dwarf_terms |= l->evsels[i]->terms.callgraph == CALLGRAPH_DWARF;
	if (tracking)
		set_tracking(&tracking->attr, o, dwarf_terms);
	set_ids(l, o);
	for (size_t i = 0; i < l->nr; i++)
		layout_init(&l->evsels[i]->layout, &l->evsels[i]->attr);
}

static void configure_counting(struct evlist *l, struct evsel *e, const struct count_opts *o)
{
	struct perf_event_attr *a = &e->attr;
	bool leader = e->leader == e->idx;

	a->size = sizeof(*a);
	a->sample_type = PERF_SAMPLE_IDENTIFIER;
	/* it is not opened with this attr, by which a file tells that it is a latency */
	if (e->tool == TOOL_RETIRE_LATENCY)
		a->sample_type |= PERF_SAMPLE_WEIGHT_STRUCT;
	a->sample_period = 0;
	a->freq = 0;
	a->precise_ip = 0;
	a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (l->evsels[e->leader]->nr_members > 1)
		a->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	a->inherit = e->terms.inherit >= 0 ? e->terms.inherit : !o->no_inherit;
	set_space(e, o->all_user, o->all_kernel);
	a->disabled = leader;
	a->enable_on_exec = leader && o->enable_on_exec;
}

void evlist_configure_counting(struct evlist *l, const struct count_opts *o)
{
	if (o->group)
		evlist_group(l, 0, l->nr);
	for (size_t i = 0; i < l->nr; i++)
		configure_counting(l, l->evsels[i], o);
	for (size_t i = 0; i < l->nr; i++)
		layout_init(&l->evsels[i]->layout, &l->evsels[i]->attr);
}
