// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep the event list: a growing array of owned evsels and the id index. It is plain data, without
 * file descriptors. */
#include "base/compat.h"
#include "events/evlist.h"

#include "base/alloc.h"
#include "events/names.h"
#include "tracefmt/tracefmt.h"
#include "wire/attr-text.h"

struct evsel *evlist_add(struct evlist *l, const struct perf_event_attr *attr, const char *name)
{
	struct evsel *e = xzalloc(sizeof(*e));

	e->idx = e->leader = (u32)l->nr;
	e->nr_members = 1;
	e->name = xstrdup(name ? name : "");
	e->attr = *attr;
	e->terms.callgraph = e->terms.inherit = e->terms.time = e->terms.overwrite = -1;
	layout_init(&e->layout, attr);
	VEC_GROW(l->evsels, l->nr + 1, l->cap);
	l->evsels[l->nr++] = e;
	return e;
}

static char *dup_or_null(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

struct evsel *evlist_add_copy(struct evlist *l, const struct evsel *from)
{
	struct evsel *e = xzalloc(sizeof(*e));

	*e = *from;
	e->leader = (u32)l->nr - from->idx + from->leader;
	e->idx = (u32)l->nr;
	e->name = xstrdup(from->name);
	e->ids = NULL;
	e->nr_ids = e->ids_cap = 0;
	e->group_name = dup_or_null(from->group_name);
	e->filter = dup_or_null(from->filter);
	e->sample_filter = dup_or_null(from->sample_filter);
	e->unit = dup_or_null(from->unit);
	e->cpumask = dup_or_null(from->cpumask);
	e->tp_name = dup_or_null(from->tp_name);
	e->pmu = dup_or_null(from->pmu);
	e->gauge = dup_or_null(from->gauge);
	e->metric_id = dup_or_null(from->metric_id);
	e->cgroup = dup_or_null(from->cgroup);
	if (from->late) {
		e->late = xmalloc(sizeof(*e->late));
		*e->late = *from->late;
		e->late->symbol = xstrdup(from->late->symbol);
		e->late->object = dup_or_null(from->late->object);
	}
	VEC_GROW(l->evsels, l->nr + 1, l->cap);
	l->evsels[l->nr++] = e;
	return e;
}

void evlist_group(struct evlist *l, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		l->evsels[i]->leader = (u32)from;
		l->evsels[i]->nr_members = i == from ? (u32)(to - from) : 1;
	}
}

bool evlist_has_cpumask(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->cpumask)
			return true;
	return false;
}

void evlist_index(struct evlist *l)
{
	map64_release(&l->by_id);
	for (size_t i = 0; i < l->nr; i++)
		for (size_t j = 0; j < l->evsels[i]->nr_ids; j++)
			map64_set(&l->by_id, l->evsels[i]->ids[j], (u32)i);
}

struct evsel *evlist_find_id(const struct evlist *l, u64 id)
{
	u32 idx;

	if (l->nr == 1)
		return l->evsels[0];
	idx = map64_get(&l->by_id, id);
	return idx == MAP64_NONE ? NULL : l->evsels[idx];
}

struct evsel *evlist_of_sample(const struct evlist *l, const void *rec, size_t size)
{
	s16 at = l->evsels[0]->layout.off_id;

	if (l->nr == 1)
		return l->evsels[0];
	if (at < 0 || (size_t)at + 8 > size)
		return NULL;
	return evlist_find_id(l, *(const u64_una *)((const u8 *)rec + at));
}

const struct evsel *evlist_side_band(const struct evlist *l)
{
	size_t i = 0;

	while (i < l->nr && !l->evsels[i]->terms.tracking)
		i++;
	return l->evsels[i < l->nr ? i : 0];
}

const struct evsel *evlist_of_trailer(const struct evlist *l, const void *rec, size_t size)
{
	const struct wire_layout *layout = &l->evsels[0]->layout;
	const struct evsel *e = NULL;
	size_t end;

	if (layout->rev_id && size >= sizeof(wire_header) + layout->id_size) {
		end = record_end(layout, ((const wire_header *)rec)->type, rec, size);
		e = evlist_find_id(l, *(const u64_una *)((const u8 *)rec + end - layout->rev_id));
	}
	return e ? e : evlist_side_band(l);
}

bool evlist_trailer(const struct evlist *l, const void *rec, size_t size, struct sample_id *id)
{
	return !sample_id_decode(&evlist_of_trailer(l, rec, size)->layout, rec, size, id);
}

void evsel_add_id(struct evsel *e, u64 id)
{
	VEC_GROW(e->ids, e->nr_ids + 1, e->ids_cap);
	e->ids[e->nr_ids++] = id;
}

void evsel_rename(struct evsel *e)
{
	struct strbuf sb = STRBUF_INIT;

	evsel_default_name(&e->attr, &sb);
	free(e->name);
	e->name = strbuf_detach(&sb);
}

void evsel_late_done(struct evsel *e)
{
	if (e->late) {
		free(e->late->symbol);
		free(e->late->object);
	}
	free(e->late);
	e->late = NULL;
}

static void evsel_free(struct evsel *e)
{
	evsel_late_done(e);
	free(e->name);
	free(e->ids);
	free(e->group_name);
	free(e->filter);
	free(e->sample_filter);
	free(e->unit);
	free(e->cpumask);
	free(e->gauge);
	free(e->tp_name);
	free(e->pmu);
	free(e->metric_id);
	free(e->cgroup);
	free(e);
}

static void move_tracking(struct perf_event_attr *to, const struct perf_event_attr *from)
{
	to->mmap |= from->mmap;
	to->mmap2 |= from->mmap2;
	to->mmap_data |= from->mmap_data;
	to->comm |= from->comm;
	to->comm_exec |= from->comm_exec;
	to->task |= from->task;
	to->ksymbol |= from->ksymbol;
	to->bpf_event |= from->bpf_event;
	to->text_poke |= from->text_poke;
	to->build_id |= from->build_id;
	to->context_switch |= from->context_switch;
	to->namespaces |= from->namespaces;
	to->cgroup |= from->cgroup;
}

void evlist_remove(struct evlist *l, size_t idx)
{
	struct evsel *e = l->evsels[idx];

	if (idx + 1 < l->nr)
		move_tracking(&l->evsels[idx + 1]->attr, &e->attr);
	l->nr--;
	for (size_t i = idx; i < l->nr; i++) {
		struct evsel *next = l->evsels[i + 1];

		/* groups after it are complete, so their leaders are in the list */
		next->leader--;
		next->idx--;
		l->evsels[i] = next;
	}
	if (l->last_item > idx)
		l->last_item--;
	evsel_free(e);
}

void evlist_truncate(struct evlist *l, size_t nr)
{
	while (l->nr > nr)
		evsel_free(l->evsels[--l->nr]);
}

void evlist_release(struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		evsel_free(l->evsels[i]);
	free(l->evsels);
	map64_release(&l->by_id);
	memset(l, 0, sizeof(*l));
}

/* Append ":ukhpppGH": what is counted, where it differs from the default. */
static void add_modifiers(const struct perf_event_attr *attr, struct strbuf *out)
{
	bool spaces = attr->exclude_kernel || attr->exclude_user || attr->exclude_hv;
	/* Plain events have exclude_guest set; precise and restricted events have it clear. */
	bool guests = attr->exclude_host || attr->exclude_guest == (spaces || attr->precise_ip);
	const struct {
		bool on;
		char c;
	} mods[] = {
		{ spaces && !attr->exclude_kernel, 'k' },
		{ spaces && !attr->exclude_user, 'u' },
		{ spaces && !attr->exclude_hv, 'h' },
		{ attr->precise_ip > 0, 'p' },
		{ attr->precise_ip > 1, 'p' },
		{ attr->precise_ip > 2, 'p' },
		{ guests && !attr->exclude_host, 'H' },
		{ guests && !attr->exclude_guest, 'G' },
	};
	bool colon = false;

	for (size_t i = 0; i < ARRAY_SIZE(mods); i++) {
		if (!mods[i].on)
			continue;
		if (!colon)
			strbuf_addch(out, ':');
		colon = true;
		strbuf_addch(out, mods[i].c);
	}
}

static void add_breakpoint_name(const struct perf_event_attr *attr, struct strbuf *out)
{
	strbuf_addf(out, "mem:0x%" PRIx64 ":", (u64)attr->bp_addr);
	if (attr->bp_type & 1)
		strbuf_addch(out, 'r');
	if (attr->bp_type & 2)
		strbuf_addch(out, 'w');
	if (attr->bp_type & 4)
		strbuf_addch(out, 'x');
}

void evsel_default_name(const struct perf_event_attr *attr, struct strbuf *out)
{
	const char *name = NULL;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		/* The upper half selects the kind of core. */
		name = event_hw_name((u32)attr->config);
		strbuf_addf(out, attr->config >> 32 ? "cpu/%s/" : "%s",
			    name ? name : "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		name = event_sw_name(attr->config);
		strbuf_addstr(out, name ? name : "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		event_cache_name(attr->config, out);
		break;
	case PERF_TYPE_TRACEPOINT:
		strbuf_addstr(out, "unknown tracepoint");
		return;
	case PERF_TYPE_BREAKPOINT:
		add_breakpoint_name(attr, out);
		break;
	case PERF_TYPE_RAW:
		strbuf_addf(out, "raw 0x%" PRIx64, (u64)attr->config);
		break;
	default:
		strbuf_addf(out, "unknown attr type: %u", attr->type);
		return;
	}
	add_modifiers(attr, out);
}

bool evlist_tells_cpus(const struct evlist *l, bool stream)
{
	u64 any = 0, firsts = PERF_SAMPLE_CPU;
	u32 seen = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct perf_event_attr *attr = &l->evsels[i]->attr;
		u32 kind = 1u << MIN(attr->type, 31u);

		any |= attr->sample_type;
		if (!(seen & kind))
			firsts &= attr->sample_type;
		seen |= kind;
	}
	return stream ? any & PERF_SAMPLE_CPU : firsts;
}

const struct tf_event *evsel_format(const struct evsel *e, const struct tracefmt *tf)
{
	return tf && evsel_is_tracepoint(e) ? tracefmt_event(tf, (u32)e->attr.config) : NULL;
}

bool evlist_has_groups(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->leader != i)
			return true;
	return false;
}

bool evlist_copies_stacks(const struct evlist *l)
{
	const u64 both = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	for (size_t i = 0; i < l->nr; i++)
		if ((l->evsels[i]->attr.sample_type & both) == both)
			return true;
	return false;
}

void evlist_name_by_attr(struct evlist *l)
{
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < l->nr; i++) {
		strbuf_reset(&name);
		evsel_default_name(&l->evsels[i]->attr, &name);
		if (strncmp(strbuf_str(&name), "unknown", 7))
			evsel_rename(l->evsels[i]);
	}
	strbuf_release(&name);
}

void evsel_line(const struct evsel *e, bool verbose, bool freq, struct strbuf *out)
{
	strbuf_addname(out, e->name);
	if (verbose) {
		strbuf_addstr(out, ": ");
		attr_text(&e->attr, e->config3, ": ", out);
	} else if (freq) {
		strbuf_addf(out, ": sample_%s=%" PRIu64, e->attr.freq ? "freq" : "period",
			    (u64)e->attr.sample_period);
	}
}

void evlist_group_line(const struct evlist *l, const struct evsel *leader, struct strbuf *out)
{
	u32 i, end = leader->idx + leader->nr_members;

	if (leader->group_name)
		strbuf_addname(out, leader->group_name);
	strbuf_addch(out, '{');
	for (i = leader->idx; i < end && i < l->nr; i++) {
		strbuf_addstr(out, i > leader->idx ? "," : "");
		strbuf_addname(out, l->evsels[i]->name);
	}
	strbuf_addch(out, '}');
}
