// SPDX-License-Identifier: GPL-2.0-or-later
/* The samples of a recording, counted: session -> machine -> hist. What report and diff show. */
#include "base/compat.h"
#include "cmd/common/message.h"

#include "resolve/callchain.h"
#include "profile/profile.h"
#include "recording/recording.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"
#include "recording/jit.h"

#include "base/alloc.h"
#include "base/pool.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define AHEAD_FROM 20000 /* MMAP2 records */
#define THREAD_CACHE 512 /* of a worker; a power of two */

struct profile_worker {
	struct profile *p;
	struct hist_worker *hist;
	struct blocks_worker *blocks;
	struct quality quality;
	struct callchain_maker chains;
	struct branch_kinds kinds;
	struct tf_printer printer;
	struct strbuf trace; /* what the event of the sample at hand says */
	struct strbuf fields;
	struct strbuf cgroup;
	struct hist_text texts[HIST_NR_TEXTS];
	struct thread_at cache[THREAD_CACHE];
	size_t parallel_hint;
};

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

bool evlist_has_groups(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->leader != i)
			return true;
	return false;
}

/* A pipe has all its events when its features end. */
bool profile_groups(const struct profile *p)
{
	const struct perf_file *f = p->session.file;

	return p->group && ((p->group_set && (!f->pipe || f->features_end)) ||
			    evlist_has_groups(&p->session.evlist));
}

static void find_leaders(struct profile *p)
{
	const struct evlist *l = &p->session.evlist;

	p->leader = xcalloc(l->nr + 1, sizeof(*p->leader));
	if (profile_groups(p) && !evlist_has_groups(l))
		return; /* asked for: all are one */
	for (u32 i = 0; i < l->nr; i++) {
		u32 leader = p->group ? l->evsels[i]->leader : i;

		/* Members follow their leader without a gap, whatever a damaged file says. */
		p->leader[i] = leader < i && p->leader[i - 1] == leader ? leader : i;
	}
}

/* Events that were recorded without call chains show those of the leader of their group, or of the
 * first event that has some. */
static void find_references(struct profile *p)
{
	const struct evlist *l = &p->session.evlist;
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

/* Are there samples that are not chosen, and does anything ask for what put_more() looks at, beside
 * stacks? */
static void note_wants(struct profile *p)
{
	p->chooses = event_switch_any(&p->on_off) || p->only.any;
	p->wants_more = p->note_parallelism || p->cols.key_at[KEY_TRACE] ||
			p->cols.key_at[KEY_CGROUP_ID] || p->fields_of_events.nr || p->mem ||
			p->blocks;
}

void profile_symbols(struct profile *p)
{
	struct symconf conf = {
		.os_release = p->session.file->env.os_release,
		.force = p->force,
		.symfs = p->symfs,
		.vmlinux = p->vmlinux,
		.kallsyms = p->kallsyms,
		.buildid_dir = buildid_dir(),
		.no_demangle = p->no_demangle,
		.parameters = p->origins && !p->stacks,
		.demangle_kernel = p->demangle_kernel,
		.ignore_vmlinux = p->ignore_vmlinux,
	};

	guest_symbols(&p->guest, &conf);
	if (!p->symbolics)
		p->symbolics = symbols_new(&conf);
}

/* The times that samples will have, as far as they are known. */
static void set_span(const struct profile *p, struct hist_conf *conf)
{
	u64 first = UINT64_MAX, last = 0;

	if (p->session.file->pipe)
		return;
	conf->first_time = p->session.first_time;
	conf->last_time = p->session.last_time;
	for (size_t i = 0; i < p->only.nr_spans; i++) {
		first = MIN(first, p->only.spans[i].first);
		last = MAX(last, p->only.spans[i].last);
	}
	if (first > last)
		return;
	conf->first_time = MAX(conf->first_time, first);
	conf->last_time = MAX(MIN(conf->last_time, last), conf->first_time);
}

#define TRACED 1024 /* of tracepoints: about as many as there are of those */

/* How many different addresses samples may have, 0: not known. */
static u64 nr_addresses(const struct session *s)
{
	for (u32 i = 0; i < s->evlist.nr; i++)
		if (!evsel_is_tracepoint(s->evlist.evsels[i]) &&
		    !evsel_is_dummy(s->evlist.evsels[i]))
			return s->nr_samples;
	return MIN(s->nr_samples, (u64)TRACED);
}

/* Which chains are shown, if any, and how. @calls: samples have call chains. */
static bool settle_chains(struct profile *p, bool calls)
{
	bool chains = calls && !p->branches && !p->mem;

	if (!p->order_set)
		p->chain.caller = p->children && (chains || p->glue_branches);
	p->chain.marks &= profile_has_branches(p);
	p->no_callers = p->children && !chains && !p->hierarchy && !p->branches && !p->mem;
	p->children &= chains && !p->hierarchy;
	return chains || (p->glue_branches && !p->branches);
}

/* What the columns are depends on what the events have, so the hist is made when they are known. */
static int make_hist(struct profile *p, struct err *err)
{
	const struct evlist *l = &p->session.evlist;
	const struct env *env = &p->session.file->env;
	struct hist_conf conf = {
		.max_stack = p->max_stack,
		.group_sort = p->group_sort,
		.whole_paths = p->whole_paths,
		.inlines = p->inlines,
		.nr_events = l->nr,
		.nr_addresses = nr_addresses(&p->session),
		.workers = p->workers,
		.comms = p->comm_list.set ? &p->comm_list : NULL,
		.dsos = p->dso_list.set ? &p->dso_list : NULL,
		.symbols = p->symbol_list.set ? &p->symbol_list : NULL,
		.symbol_filter = p->symbol_filter,
		.hide_unresolved = p->hide_unresolved,
		.socket_of = env->socket_of,
		.nr_sockets_of = env->nr_socket_of,
		.time_quantum = p->time_quantum,
		.nanosecs = p->nanosecs,
		.fixed_widths = p->fixed_widths,
	};
	bool chains, calls = profile_has_chains(p);
	int ret;

	ret = p->session.file->pipe ? event_switch_start(&p->on_off, l, err) : 0;
	if (ret)
		return ret;
	p->bad_keys = p->session.file->pipe && profile_check_keys(p, true, err);
	ret = p->bad_keys ? -EINVAL : profile_check_samples(p, err);
	if (ret)
		return ret;
	find_leaders(p);
	p->branches &= !p->stacks;
	if (p->reference_graphs)
		find_references(p);
	chains = settle_chains(p, calls);
	ret = profile_columns(p, err);
	note_wants(p);
	if (!ret)
		ret = profile_check_rows(p, err);
	if (ret)
		return ret;
	if (p->cols.key_at[KEY_TRACE] || formats_name_events(l))
		formats_take(&p->formats, &p->session.evlist, env, false, &stderr_notices);
	conf.leader = p->leader;
	conf.chains_of = p->chains_of;
	conf.branches = p->branches;
	conf.mem = p->mem;
	conf.parent = p->parent;
	conf.exclude_other = p->exclude_other;
	conf.order = p->order;
	conf.cols = p->cols;
	conf.origins = p->origins && !p->stacks;
	conf.chain = p->chain;
	conf.chains = chains && p->chain.mode != CHAIN_NONE;
	conf.children = p->children;
	conf.stacks = p->stacks;
	set_span(p, &conf);
	conf.by_callchain = conf.chains && p->children && p->cols.children;
	if (p->session.file->pipe && (p->cols.key_at[KEY_TRACE] || p->fields_of_events.nr)) {
		apply_build_ids(p->machine, env);
		profile_symbols(p); /* what tracepoints say names functions as samples come */
	}
	p->hist = hist_new(&conf);
	p->chain_sources = (struct callchain_conf){
		.call_stacks = true,
		.branches = p->glue_branches,
		.in_front = { p->chain.caller, p->chain.marks, p->max_stack },
		.leaves = p->leaves,
	};
	if (conf.stacks || (!conf.chains && !conf.children)) /* those keep all until the end */
		return_freed_memory();
	return 0;
}

/*
 * With many state records, which are applied on one thread, another one reads the kernel's symbols
 * meanwhile: a tenth of the time of a report of many short-lived processes.
 */
static void load_kernel_ahead(struct profile *p)
{
	const struct map *map = machine_kernel_map(p->machine);
	const struct env *env = &p->session.file->env;
	const struct evlist *l = &p->session.evlist;
	bool kernel = false;
	struct dso dso;

	if (!map)
		return;
	p->ahead = true;
	for (size_t i = 0; i < l->nr; i++)
		kernel |= !l->evsels[i]->attr.exclude_kernel;
	if (!kernel || p->workers < 2 || (p->sort && !strstr(p->sort, "sym")) ||
	    p->session.counts[PERF_RECORD_MMAP2] < AHEAD_FROM)
		return;
	dso = *map->dso;
	for (size_t i = 0; i < env->nr_build_ids && !dso.build_id_size; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		if ((b->misc & PERF_RECORD_MISC_CPUMODE_MASK) != dso.cpumode ||
		    strcmp(b->filename, dso.path))
			continue;
		dso.build_id_size = (u8)MIN(b->size, 20);
		memcpy(dso.build_id, b->id, dso.build_id_size);
	}
	profile_symbols(p);
	symbols_load_ahead(p->symbolics, &dso);
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct profile *p = ctx;

	if (p->note_parallelism)
		parallelism_note(&p->parallelism, ev);
	if (ev->hdr->type == PERF_RECORD_NAMESPACES)
		namespaces_note(&p->namespaces, ev->hdr, ev->time);
	/* A malformed record changes nothing; what is wrong with the file is told at the end. */
	if (machine_apply(p->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&p->session.diag, DIAG_BAD_RECORD, 1, ev->offset);
	if (!p->ahead)
		load_kernel_ahead(p);
	return 0;
}

/* With -T, and for columns of latency. */
static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct profile *p = ctx;

	if (p->note_parallelism)
		parallelism_note(&p->parallelism, ev);
	return p->threads_read ? thread_counts_add(p->threads_read, ev) : 0;
}

static void make_leaves(struct profile *p)
{
	if (!hist_needs_symbol(p->hist))
		return;
	profile_symbols(p);
	p->leaves = leaf_callers_new(p->machine, p->symbolics, p->session.file->env.arch);
	p->chain_sources.leaves = p->leaves;
}

static void make_resolver(struct profile *p)
{
	apply_build_ids(p->machine, &p->session.file->env);
	machine_seal(p->machine);
	if (!p->hist)
		return;
	if (hist_needs_symbol(p->hist) || p->cols.key_at[KEY_TRACE] || p->fields_of_events.nr) {
		profile_symbols(p);
	} else {
		symbols_free(p->symbolics);
		p->symbolics = NULL;
	}
	if (hist_needs_dso(p->hist))
		p->resolver = resolver_new(p->machine, p->symbolics);
	if (!p->leaves)
		make_leaves(p);
}

/* A stream's samples have no known beginning and end: 0. */
static int settle_time(struct profile *p, struct err *err)
{
	if (p->time)
		p->bad_time = sample_filter_time(&p->only, p->time, p->session.first_time,
						 p->session.last_time, err);
	return p->bad_time ? -EINVAL : 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct profile *p = ctx;
	int ret = settle_time(p, err);

	if (!ret)
		ret = make_hist(p, err);
	namespaces_sort(&p->namespaces);
	make_resolver(p);
	if (!ret)
		hist_resolve_early(p->hist, p->machine, p->resolver);
	return ret;
}

/* Name of a kernel address in what a tracepoint says. */
static const char *kernel_name(void *ctx, u64 addr, u64 *start)
{
	const struct profile *p = ctx;

	return p->symbolics ? resolve_kernel_name(p->machine, p->symbolics, addr, start) : NULL;
}

static void *on_worker(void *ctx, int worker)
{
	struct profile *p = ctx;
	struct profile_worker *w = xzalloc(sizeof(*w));

	w->p = p;
	w->chains.conf = &p->chain_sources;
	w->printer.ksym = kernel_name;
	w->printer.ksym_ctx = p;
	if (p->blocks)
		w->blocks = blocks_worker_new(p->blocks);
	p->of_worker = xrealloc(p->of_worker, p->nr_workers + 1, sizeof(*p->of_worker));
	p->of_worker[p->nr_workers++] = w;
	if (p->hist)
		w->hist = hist_worker_new(p->hist);
	return w;
}

bool profile_left_out(const struct profile *p, const struct sample *s)
{
	const struct env *env = &p->session.file->env;

	if (p->threads.any &&
	    !sample_filter_match(&p->threads, s->pid, s->tid, s->cpu, s->time, ""))
		return true;
	return p->socket >= 0 && env_socket(env, s->cpu) != p->socket;
}

static const struct thread_at *thread_of(struct profile_worker *w, u32 pid, u32 tid, u64 time)
{
	struct thread_at *at = &w->cache[(tid ^ tid >> 9) % THREAD_CACHE];

	if (at->tid != tid || at->pid != pid || time < at->from || time >= at->until || !at->until)
		machine_thread_at(w->p->machine, pid, tid, time, at);
	return at;
}

static void put_trace(struct profile_worker *w, const struct session_event *ev)
{
	const struct sample *s = ev->sample;
	const struct tf_event *tf = evsel_format(ev->evsel, w->p->formats.tracefmt);

	strbuf_reset(&w->trace);
	if (tf && w->p->raw_trace)
		tf_print_fields(tf, s->raw, s->raw_size, &w->trace);
	else if (tf)
		tf_print(tf, &w->printer, s->raw, s->raw_size, &w->trace);
	else
		strbuf_addstr(&w->trace, "N/A");
}

/* What columns of texts have of a sample. */
static void put_texts(struct profile_worker *w, const struct session_event *ev)
{
	const struct sample *s = ev->sample;

	if (w->p->cols.key_at[KEY_TRACE]) {
		put_trace(w, ev);
		w->texts[HIST_TEXT(KEY_TRACE)] = (struct hist_text){ w->trace.buf, w->trace.len };
	}
	if (w->p->cols.key_at[KEY_CGROUP_ID]) {
		namespaces_cgroup_text(&w->p->namespaces, s->tid, ev->time, &w->cgroup);
		w->texts[HIST_TEXT(KEY_CGROUP_ID)] =
			(struct hist_text){ w->cgroup.buf, w->cgroup.len };
	}
	if (w->p->fields_of_events.nr)
		profile_fields_texts(&w->p->fields_of_events, ev->evsel->idx, s, &w->printer,
				     &w->fields, w->texts + HIST_TEXT(KEY_FIELD));
}

static void put_parallelism(struct profile_worker *w, u64 time, struct hist_sample *hs)
{
	const struct profile *p = w->p;

	if (!p->cols.key_at[KEY_PARALLELISM] && !p->levels.nr)
		return;
	hs->parallelism = parallelism_at(&p->parallelism, time, p->session.file->env.nr_cpus_avail,
					 &w->parallel_hint);
	hs->filtered |= p->levels.nr && !int_list_has(&p->levels, (int)hs->parallelism);
}

/* Each branch of the stack counts as one. */
static void add_branches(struct profile_worker *w, const struct sample *s, struct hist_sample *hs)
{
	struct sample copy;
	u64 i;

	hs->period = 1;
	if (w->p->cols.nr_keys && s->nr_branches) { /* their weight is the cycles of the last */
		copy = *s;
		copy.weight = MAX(HIST_CYCLES(s->branches[2]), (u64)1);
		hs->sample = &copy;
	}
	for (i = 0; i < s->nr_branches; i++) {
		hs->from = s->branches[i * 3];
		hs->ip = s->branches[i * 3 + 1];
		hs->flags = s->branches[i * 3 + 2];
		hs->nth = i;
		hist_add(w->hist, hs);
		branch_kinds_add(&w->kinds, hs->from, hs->ip, hs->flags);
	}
}

/* What is asked for by options that choose samples. */
static bool is_chosen(struct profile *p, const struct session_event *ev)
{
	const struct sample *s = ev->sample;

	if (event_switch_any(&p->on_off) && sample_filter_time_takes(&p->only, s->time) &&
	    !event_switch_takes(&p->on_off, ev->evsel))
		return false;
	return sample_filter_match(&p->only, s->pid, s->tid, s->cpu, s->time, "");
}

static void put_chain(struct profile_worker *w, const struct session_event *ev,
		      struct hist_sample *hs)
{
	struct callchain c = { 0 };

	if (!w->p->no_stacks)
		callchain_make(&w->chains, layout_lbr_chain(&ev->evsel->layout), hs->epoch,
			       ev->sample, &c);
	hs->chain = c.ips;
	hs->nr_chain = c.nr;
	hs->nr_glued = c.nr_branch_ends;
	hs->lbr = c.calls;
}

/* What only some reports ask of a sample. */
static void put_more(struct profile_worker *w, const struct session_event *ev,
		     struct hist_sample *hs)
{
	const struct sample *s = ev->sample;

	put_chain(w, ev, hs);
	if (w->p->note_parallelism)
		put_parallelism(w, ev->time, hs);
	put_texts(w, ev);
	if (w->p->mem)
		hs->period = s->weight ? s->weight : 1;
	if (w->blocks && !hs->filtered)
		blocks_add(w->blocks, s, hs->epoch, hs->kernel_epoch, hs->order);
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	struct profile_worker *w = ctx;
	struct profile *p = w->p;
	const struct sample *s = ev->sample;
	const struct thread_at *at;
	struct hist_sample hs;
	int ret;

	if (unlikely(!w->hist)) { /* a pipe: events came just before */
		ret = make_hist(w->p, err);
		if (ret)
			return ret;
		w->hist = hist_worker_new(w->p->hist);
		make_leaves(w->p);
	}
	if (unlikely(p->chooses) && !is_chosen(p, ev))
		return 0;
	at = thread_of(w, s->pid, s->tid, ev->time);
	hs = (struct hist_sample){
		.evsel = ev->evsel->idx,
		.thread = at->thread,
		.comm = at->comm,
		.epoch = at->epoch,
		.kernel_epoch = at->kernel_epoch,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.cpumode = s->cpumode,
		.ip = s->ip,
		/* of an event of a group, by the step of its count */
		.period = ev->part == PART_VALUE ||
					  ev->evsel->layout.sample_type & PERF_SAMPLE_PERIOD
				  ? s->period
				  : ev->evsel->attr.sample_period,
		.time = ev->time,
		.order = ev->offset,
		.chain = s->callchain,
		.nr_chain = s->nr_callchain,
		.sample = s,
		.filtered = profile_left_out(p, s),
		.texts = w->texts,
	};
	if (unlikely(p->wants_more) || s->nr_callchain || s->nr_branches)
		put_more(w, ev, &hs);
	if (p->quality && (s->nr_callchain || s->user_stack_size))
		quality_note(&w->quality, s, ev->evsel->attr.sample_max_stack);
	if (unlikely(p->branches))
		add_branches(w, s, &hs);
	else
		hist_add(w->hist, &hs);
	return 0;
}

/* What switches on and off is in the order of time. */
static int on_ordered(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err)
{
	struct profile *p = ctx;

	if (!ev->sample)
		return 0;
	return on_sample(p->nr_workers ? p->of_worker[0] : on_worker(p, 0), ev, err);
}

static int run_ordered(struct profile *p, struct err *err)
{
	const struct session_ordered_ops ops = {
		.state = { .state = on_state,
			   .plain = true,
			   .other = p->note_parallelism ? on_other : NULL,
			   .ready = on_ready },
		.format = on_ordered,
	};

	return session_ordered(&p->session, &ops, p, 1, err);
}

/* Before the columns are known: may one of them be of that? */
static bool may_need_parallelism(const struct profile *p)
{
	const char *lists[] = { p->sort, p->fields };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (lists[i] && (strcasestr(lists[i], "lat") || strcasestr(lists[i], "par")))
			return true;
	return p->latency || p->levels.nr;
}

int profile_run(struct profile *p, struct err *err)
{
	p->note_parallelism = may_need_parallelism(p);
	const struct session_sample_ops ops = {
		.state = { .state = on_state,
			   .plain = true,
			   .other = p->read_threads || p->note_parallelism ? on_other : NULL,
			   .ready = on_ready },
		.worker_new = on_worker,
		.sample = on_sample,
	};
	int ret;

	p->machine = machine_new();
	ret = profile_lists(p, err) ?: guest_start(&p->guest, p->machine, err);
	if (!ret && p->session.file->pipe)
		ret = settle_time(p, err);
	if (ret)
		return ret;
	if (p->read_threads)
		p->threads_read = thread_counts_new(&p->session.evlist);
	if (p->cycles)
		p->blocks = blocks_new();
	p->jit = follow_jitdumps(p->machine, &p->session, p->symfs, p->force);
	p->session.progress = progress_open();
	ret = event_switch_any(&p->on_off) ? run_ordered(p, err)
					   : session_samples(&p->session, &ops, p, p->workers, err);
	if (!ret && p->hist && p->nr_workers) {
		if (p->session.file->pipe)
			make_resolver(p);
		hist_finish(p->hist, p->machine, p->resolver);
		for (int i = 0; i < p->nr_workers; i++)
			branch_kinds_merge(&p->kinds, &p->of_worker[i]->kinds);
		if (p->blocks)
			blocks_finish(p->blocks, p->resolver);
	}
	progress_close(p->session.progress);
	return ret;
}

bool profile_has_samples(const struct profile *p)
{
	const struct hist_columns *cols = &p->cols;

	if (!p->hist || !p->nr_workers || (cols->hierarchy && !cols->nr_levels))
		return false;
	for (u32 i = 0; i < p->session.evlist.nr; i++)
		if (hist_event(p->hist, i)->nr)
			return true;
	return false;
}

void profile_release(struct profile *p)
{
	int i;

	end_jitdumps(p->jit, &stderr_notices);
	if (!heap_is_checked())
		return;
	thread_counts_free(p->threads_read);
	hist_free(p->hist);
	blocks_free(p->blocks);
	for (i = 0; i < p->nr_workers; i++) {
		callchain_maker_release(&p->of_worker[i]->chains);
		strbuf_release(&p->of_worker[i]->trace);
		strbuf_release(&p->of_worker[i]->fields);
		strbuf_release(&p->of_worker[i]->cgroup);
		strbuf_release(&p->of_worker[i]->printer.tmp);
		free(p->of_worker[i]);
	}
	free(p->of_worker);
	leaf_callers_free(p->leaves);
	resolver_free(p->resolver);
	symbols_free(p->symbolics);
	free(p->leader);
	free(p->chains_of);
	int_list_release(&p->levels);
	machine_free(p->machine);
	profile_fields_release(&p->fields_of_events);
	formats_release(&p->formats);
	free(p->order);
	free(p->keys);
	namespaces_release(&p->namespaces);
	parallelism_release(&p->parallelism);
	name_list_release(&p->comm_list);
	name_list_release(&p->dso_list);
	name_list_release(&p->symbol_list);
	sample_filter_release(&p->threads);
	sample_filter_release(&p->only);
}

const struct quality *profile_quality(const struct profile *p, int worker)
{
	return &p->of_worker[worker]->quality;
}

int workers_wanted(void)
{
	const char *env = getenv("PERF_WORKERS");
	long n = env ? strtol(env, NULL, 10) : 0;

	return n > 0 && n <= 1024 ? (int)n : pool_cpus();
}
