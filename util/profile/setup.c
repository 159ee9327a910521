// SPDX-License-Identifier: GPL-2.0-or-later
/* Set up a profile once the events of the recording are known: groups, columns, the hist. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include "arch/arch.h"
#include "base/alloc.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define TRACED 1024 /* addresses of tracepoints: about as many as there are of those */

/* ---- groups and references ---- */

/* A pipe has all its events when its features end. */
bool profile_groups(const struct profile *p)
{
	const struct perf_file *f = p->r->session.file;

	return p->o.group && ((p->o.group_set && (!f->pipe || f->features_end)) ||
			      evlist_has_groups(events_of(p)));
}

static void find_leaders(struct profile *p)
{
	const struct evlist *l = events_of(p);

	p->leader = xcalloc(l->nr + 1, sizeof(*p->leader));
	if (profile_groups(p) && !evlist_has_groups(l))
		return; /* asked for: all are one */
	for (u32 i = 0; i < l->nr; i++) {
		u32 leader = p->o.group ? l->evsels[i]->leader : i;

		/* Members follow their leader without a gap, whatever a damaged file says. */
		p->leader[i] = leader < i && p->leader[i - 1] == leader ? leader : i;
	}
}

/* Events that were recorded without call chains show those of the leader of their group, or of the
 * first event that has some. */
static void find_references(struct profile *p)
{
	const struct evlist *l = events_of(p);
	u32 first = UINT32_MAX;

	p->chains_of = xcalloc(l->nr + 1, sizeof(*p->chains_of));
	for (u32 i = l->nr; i-- > 0;)
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			first = i;
	for (u32 i = 0; i < l->nr; i++) {
		const struct evsel *leader = l->evsels[l->evsels[i]->leader];

		p->chains_of[i] = i;
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN || first == UINT32_MAX)
			continue;
		p->chains_of[i] = leader->attr.sample_type & PERF_SAMPLE_CALLCHAIN ? leader->idx
										   : first;
	}
}

/* ---- settings of the hist ---- */

/*
 * Tables of megabytes come and go while a report is made. By default the C library takes the first
 * one that goes for the size of those to come, and from then on keeps what is freed.
 */
static void return_freed_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

/* Note whether samples are left out, and whether anything needs what put_more() adds beside
 * stacks. */
static void note_wants(struct profile *p)
{
	p->chooses = !p->handed && (event_switch_any(&p->r->on_off) || p->r->filter.any);
	p->leaves_out = p->threads.any || p->o.socket >= 0;
	p->wants_more = evlist_copies_stacks(&p->r->session.evlist) || p->note_parallelism ||
			p->cols.key_at[KEY_TRACE] || p->cols.key_at[KEY_CGROUP_ID] ||
			p->fields_of_events.nr || p->o.mem || p->blocks;
}

u64 profile_end(const struct profile *p)
{
	return MAX(p->r->session.last_time, p->wall.end);
}

/* The times that samples will have, as far as they are known. */
static void set_span(const struct profile *p, struct hist_conf *conf)
{
	u64 first = UINT64_MAX, last = 0;

	if (recording_is_stream(p->r))
		return;
	conf->first_time = p->r->session.first_time;
	conf->last_time = profile_end(p);
	for (size_t i = 0; i < p->r->filter.nr_spans; i++) {
		first = MIN(first, p->r->filter.spans[i].first);
		last = MAX(last, p->r->filter.spans[i].last);
	}
	if (first > last)
		return;
	conf->first_time = MAX(conf->first_time, first);
	conf->last_time = MAX(MIN(conf->last_time, last), conf->first_time);
}

/* Return how many different addresses samples may have at most; 0: not known. */
static u64 nr_addresses(const struct session *s)
{
	for (u32 i = 0; i < s->evlist.nr; i++)
		if (!evsel_is_tracepoint(s->evlist.evsels[i]) &&
		    !evsel_is_dummy(s->evlist.evsels[i]))
			return s->nr_samples;
	return MIN(s->nr_samples, (u64)TRACED);
}

/* Tell whether chains are shown, and settle how. @calls: samples have call chains. */
static bool settle_chains(struct profile *p, bool calls)
{
	bool chains = calls && !p->o.branches && !p->o.mem;

	if (!p->o.order_set)
		p->o.chain.caller = p->o.children && (chains || p->o.glue_branches);
	p->o.chain.marks &= profile_has_branches(p);
	p->no_callers = p->o.children && !chains && !p->o.hierarchy && !p->o.branches && !p->o.mem;
	p->o.children &= chains && !p->o.hierarchy;
	return chains || (p->o.glue_branches && !p->o.branches);
}

/* Choose the columns, and check that the recording has what they show. */
static int settle_columns(struct profile *p, struct err *err)
{
	const struct evlist *l = events_of(p);
	int ret = profile_columns(p, err);

	note_wants(p);
	if (!ret)
		ret = profile_check_rows(p, err);
	if (!ret && (p->cols.key_at[KEY_TRACE] || formats_name_events(l)))
		formats_take(&p->r->formats, events_of(p), env_of(p), false, p->r->notices);
	return ret;
}

/* Check what can be asked of a stream now that its events have come. */
static int check_stream(struct profile *p, struct err *err)
{
	if (!p->handed && recording_bind_switch(p->r, err)) {
		p->fault = PROFILE_FAULT_SWITCH;
		return -ENOENT;
	}
	if (profile_check_keys(p, true, err)) {
		p->fault = PROFILE_FAULT_KEYS;
		return -EINVAL;
	}
	return 0;
}

/* Write what a column of types says of a location. */
static void type_column(const struct hist_conf *conf, enum hist_key what, const struct location *l,
			struct strbuf *out)
{
	struct profile *p = conf->place_text_ctx;
	struct datatype found;

	if (!p->types)
		p->types = datatypes_new(arch_of(env_of(p)->arch));
	datatype_at(p->types, l, &found);
	if (what == KEY_TYPE)
		datatype_text(&found, out);
	else if (what == KEY_TYPE_OFF)
		datatype_offset_text(&found, out);
	else
		datatype_line_text(&found, conf->line_size, out);
}

static struct hist_conf hist_settings(struct profile *p, bool chains)
{
	const struct env *env = env_of(p);
	struct hist_conf conf = {
		.max_stack = p->o.max_stack,
		.group_sort = p->o.group_sort,
		.whole_paths = p->o.whole_paths,
		.inlines = p->o.inlines,
		.nr_events = events_of(p)->nr,
		.nr_addresses = nr_addresses(&p->r->session),
		.workers = p->o.workers,
		.comms = p->comm_list.set ? &p->comm_list : NULL,
		.dsos = p->dso_list.set ? &p->dso_list : NULL,
		.symbols = p->symbol_list.set ? &p->symbol_list : NULL,
		.symbol_filter = p->o.symbol_filter,
		.hide_unresolved = p->o.hide_unresolved,
		.socket_of = env->socket_of,
		.nr_sockets_of = env->nr_socket_of,
		.time_quantum = p->o.time_quantum,
		.nanosecs = p->o.nanosecs,
		.fixed_widths = p->o.fixed_widths,
		.leader = p->leader,
		.chains_of = p->chains_of,
		.branches = p->o.branches,
		.mem = p->o.mem,
		.parent = p->o.parent,
		.exclude_other = p->o.exclude_other,
		.order = p->order,
		.cols = p->cols,
		.origins = p->o.origins && !p->o.stacks,
		.chain = p->o.chain,
		.chains = chains && p->o.chain.mode != CHAIN_NONE,
		.children = p->o.children,
		.stacks = p->o.stacks,
		.place_text = type_column,
		.place_text_ctx = p,
	};

	conf.by_callchain = conf.chains && conf.children && p->cols.children;
	set_span(p, &conf);
	profile_measure_chains(p, &conf);
	return conf;
}

int profile_make_hist(struct profile *p, struct err *err)
{
	bool stream = recording_is_stream(p->r), chains, calls = profile_has_chains(p);
	struct hist_conf conf;
	int ret = stream ? check_stream(p, err) : 0;

	if (!ret)
		ret = profile_check_samples(p, err);
	if (ret)
		return ret;
	find_leaders(p);
	p->o.branches &= !p->o.stacks;
	if (p->o.reference_graphs)
		find_references(p);
	chains = settle_chains(p, calls);
	ret = settle_columns(p, err);
	if (ret)
		return ret;
	/* The texts of tracepoints in a stream name functions while samples come. */
	if (stream && (p->cols.key_at[KEY_TRACE] || p->fields_of_events.nr))
		p->symbols = recording_symbols(p->r);
	conf = hist_settings(p, chains);
	p->hist = hist_new(&conf);
	p->chain_sources = (struct callchain_conf){
		.call_stacks = true,
		.branches = p->o.glue_branches,
		.in_front = { p->o.chain.caller, p->o.chain.marks, p->o.max_stack },
	};
	if (conf.stacks || (!conf.chains && !conf.children)) /* those keep all until the end */
		return_freed_memory();
	return 0;
}
