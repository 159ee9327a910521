// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "sampletext/sample-text.h"

#include "base/alloc.h"
#include "base/units.h"
#include "wire/field-text.h"
#include "sampletext/sample-internal.h"
#include "resolve/callchain.h"

#define COMM_WIDTH 16
#define NAME_MAX_LEN 256

/* Columns that follow the address. */
#define SF_REST                                                                                    \
	(SF_IREGS | SF_UREGS | SF_BRSTACK | SF_BRSTACKSYM | SF_BRSTACKOFF | SF_BPF_OUTPUT |        \
	 SF_PHYS_ADDR | SF_DATA_PAGE_SIZE | SF_CODE_PAGE_SIZE | SF_CGROUP | SF_CODE)
#define SF_CODE (SF_INSN | SF_INSNLEN | SF_DISASM | SF_BRANCHCODE)
#define SF_BRANCHCODE (SF_BRSTACKINSN | SF_BRSTACKINSNLEN | SF_BRSTACKDISASM)

/* ------------------------------------------------------------------ set up */

static size_t longest_name(const struct evlist *l)
{
	size_t i, n = 0;

	for (i = 0; i < l->nr; i++)
		n = MAX(n, strlen(l->evsels[i]->name));
	return n;
}

/*
 * Tell whether each sample is a branch, from the branch trace store, with addr as its target. Users
 * of the format recognise such an event by the bit of a hardware event and a period of 1.
 */
static bool is_branch_trace(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_HARDWARE &&
	       (e->attr.config & PERF_COUNT_HW_BRANCH_INSTRUCTIONS) && e->attr.sample_period == 1;
}

static void init_event(struct text_event *te, const struct sample_text_conf *c,
		       const struct evsel *e, size_t width)
{
	struct strbuf sb = STRBUF_INIT, name = STRBUF_INIT;

	strbuf_addname(&name, e->name);
	if (width > name.len)
		strbuf_pad(&sb, width - name.len);
	strbuf_add(&sb, strbuf_str(&name), name.len);
	strbuf_add(&sb, ": ", 2);
	te->name_len = (u32)sb.len;
	te->name = strbuf_detach(&sb);
	te->fields = sample_fields_of(c->fields, e);
	te->branch = is_branch_trace(e);
	te->lbr = layout_lbr_chain(&e->layout);
	if (te->branch && !c->fields->kind[sample_kind_of(e)].user_set)
		te->fields |= SF_ADDR;
	te->chain = !c->hide_callchain && (te->fields & SF_IP) &&
		    (e->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	te->tf = evsel_format(e, c->tracefmt);
	strbuf_release(&name);
}

struct callchain_source sample_chain_source(const struct sample_text_conf *conf)
{
	return (struct callchain_source){ .machine = conf->machine,
					  .symbols = conf->symbols,
					  .arch = conf->arch,
					  .copies = evlist_copies_stacks(conf->evlist),
					  .swap = conf->swap,
					  .unwind_style = conf->unwind_style };
}

struct sample_text *sample_text_new(const struct sample_text_conf *conf)
{
	struct sample_text *st = xzalloc(sizeof(*st));
	size_t i, width = longest_name(conf->evlist);
	struct callchain_source source;

	st->conf = *conf;
	st->nr = conf->evlist->nr;
	st->events = xcalloc(st->nr + 1, sizeof(*st->events));
	st->chains = (struct callchain_conf){ .call_stacks = true };
	source = sample_chain_source(conf);
	callchain_conf_open(&st->chains, &source);
	st->lines = srclines_new(conf->symbols);
	srclines_whole_paths(st->lines, conf->full_source_path);
	for (i = 0; i < st->nr; i++)
		init_event(&st->events[i], conf, conf->evlist->evsels[i], width);
	return st;
}

void sample_text_free(struct sample_text *st)
{
	size_t i;

	if (!st)
		return;
	for (i = 0; i < st->nr; i++)
		free(st->events[i].name);
	free(st->events);
	callchain_conf_close(&st->chains);
	srclines_free(st->lines);
	free(st);
}

/* Return the name of a kernel address, for %pS in print formats. */
static const char *kernel_name(void *ctx, u64 addr, u64 *start)
{
	const struct sample_writer *w = ctx;
	const struct sample_text_conf *c = &w->st->conf;

	return resolve_kernel_name(c->machine, c->symbols, addr, start);
}

/* ------------------------------------------------------------------ threads */

static void put_signed(struct strbuf *out, u32 v, unsigned int width, bool left)
{
	size_t start = out->len;

	if ((s32)v < 0)
		strbuf_addf(out, left ? "%-*d" : "%*d", (int)width, (s32)v);
	else
		strbuf_dec(out, v, left ? 0 : width);
	strbuf_pad(out, start + width);
}

/* Render "            comm   tid ": comm in 16 columns, tid in 5. The mark is the comm. */
static void render_thread(const struct machine *m, struct cached_thread *t)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addname(&name, machine_comm(m, t->at.comm));
	t->mark_len = (u32)MIN(name.len, (size_t)NAME_MAX_LEN);
	t->mark = t->mark_len < 16 ? 16 - t->mark_len : 0;
	strbuf_pad(&t->text, t->mark);
	strbuf_add(&t->text, strbuf_str(&name), t->mark_len);
	strbuf_addch(&t->text, ' ');
	put_signed(&t->text, t->at.tid, 5, false);
	strbuf_addch(&t->text, ' ');
	strbuf_release(&name);
}

const struct thread_at *sample_writer_thread(struct sample_writer *w, u32 pid, u32 tid, u64 time)
{
	return &cached_thread(&w->cache, pid, tid, time)->at;
}

/* ------------------------------------------------------------------ call chains */

static void put_chain(struct sample_writer *w, const struct text_event *te,
		      const struct thread_at *at, const struct sample *s, struct strbuf *out)
{
	bool stops = w->st->conf.places && w->st->conf.places->stops.nr;
	struct callchain_walk walk = { .left = w->st->conf.max_stack, .mode = s->cpumode };
	struct callchain chain;
	bool deferred;
	size_t start;
	u64 ip;

	callchain_make(&w->chains, te->lbr, at->epoch, s, &chain);
	deferred = chain.ips == s->callchain && chain_is_deferred(s);
	walk.ips = chain.ips;
	walk.nr = chain.nr - (deferred ? 2 : 0);
	walk.lbr = chain.calls;
	strbuf_addch(out, '\n');
	start = out->len;
	while (callchain_next(&walk, &ip)) {
		bool call = callchain_call(&walk);

		sample_put_frame(w, at, walk.mode, te->fields, call ? PLACE_CALL : PLACE_FRAME, ip,
				 out);
		walk.stopped = stops && sample_place_verdict(w, at, walk.mode, ip) & PLACE_STOP;
	}
	if (walk.wrong)
		out->len = start;
	if (unlikely(deferred))
		strbuf_addf(out, "\t%16" PRIx64 " (cookie)\n",
			    (u64)s->callchain[s->nr_callchain - 1]);
}

/* ------------------------------------------------------------------ writers */

struct sample_writer *sample_writer_new(const struct sample_text *st)
{
	struct sample_writer *w = xzalloc(sizeof(*w));

	w->st = st;
	w->chains.conf = &st->chains;
	w->cache = (struct sample_cache){
		.machine = st->conf.machine,
		.symbols = st->conf.symbols,
		.put_thread = render_thread,
		.put_name = sample_render_name,
		.ctx = st,
	};
	sample_cache_init(&w->cache);
	w->code = sample_code_new(&(struct sample_code_conf){
		.machine = st->conf.machine,
		.symbols = st->conf.symbols,
		.lines = st->lines,
		.arch = st->conf.arch,
		.max_blocks = st->conf.max_blocks,
		.counters = st->conf.counters,
		.full_source_path = st->conf.full_source_path,
	});
	if (st->conf.inlines)
		w->inlines = sample_inlines_new(st->conf.machine, st->conf.symbols, st->lines);
	w->times.conf = st->conf.times;
	w->arch = arch_of(st->conf.arch);
	w->pr.ksym = kernel_name;
	w->pr.ksym_ctx = w;
	return w;
}

void sample_writer_free(struct sample_writer *w)
{
	if (!w)
		return;
	sample_cache_release(&w->cache);
	strbuf_release(&w->pr.tmp);
	sample_code_free(w->code);
	sample_inlines_free(w->inlines);
	callchain_maker_release(&w->chains);
	free(w);
}

/* ------------------------------------------------------------------ columns */

static void put_cpu(u32 cpu, struct strbuf *out)
{
	char text[] = "[000] ";

	if (likely(cpu < 1000)) {
		text[1] = (char)('0' + cpu / 100);
		text[2] = (char)('0' + cpu / 10 % 10);
		text[3] = (char)('0' + cpu % 10);
		strbuf_add(out, text, 6);
		return;
	}
	strbuf_addf(out, "[%03d] ", (s32)cpu);
}

static void put_ids(u64 fields, u32 pid, u32 tid, struct strbuf *out)
{
	if (fields & SF_PID)
		put_signed(out, pid, 5, false);
	if ((fields & SF_PID) && (fields & SF_TID))
		strbuf_addch(out, '/');
	if (fields & SF_TID)
		put_signed(out, tid, 5, fields & SF_PID);
	if (fields & (SF_PID | SF_TID))
		strbuf_addch(out, ' ');
}

/* -L: show eight columns of the name, and the CPU without brackets. */
static void put_narrow(u64 fields, const char *name, size_t len, const struct sample_id *id,
		       struct strbuf *out)
{
	if (fields & SF_COMM)
		strbuf_addf(out, "%8.*s ", (int)MIN(len, (size_t)8), name);
	put_ids(fields, id->pid, id->tid, out);
	if (fields & SF_CPU)
		strbuf_addf(out, "%3d ", (s32)id->cpu);
}

static void put_who(u64 fields, bool chain, const struct cached_thread *t, struct strbuf *out)
{
	if (likely((fields & (SF_COMM | SF_TID | SF_PID)) == (SF_COMM | SF_TID))) {
		u32 skip = chain ? t->mark : 0;

		strbuf_add(out, t->text.buf + skip, t->text.len - skip);
		return;
	}
	if (fields & SF_COMM) {
		if (!chain)
			strbuf_pad(out, out->len + t->mark);
		strbuf_add(out, t->text.buf + t->mark, t->mark_len);
		strbuf_addch(out, ' ');
	}
	put_ids(fields, t->pid, t->tid, out);
}

/* Append the virtual machine in which the event counted. */
static void put_guest(const struct guest_ids *guests, u64 fields, u64 id, struct strbuf *out)
{
	const struct guest_id *g = fields & (SF_MACHINE_PID | SF_VCPU) ? guest_ids_find(guests, id)
								       : NULL;

	if (g && fields & SF_MACHINE_PID)
		strbuf_addf(out, "VM:%5d ", (s32)g->pid);
	if (g && fields & SF_VCPU)
		strbuf_addf(out, "VCPU:%03d ", g->vcpu);
}

static void put_start(struct sample_writer *w, u64 fields, bool chain,
		      const struct cached_thread *t, const struct sample *s, struct strbuf *out)
{
	if (unlikely(fields & (SF_MACHINE_PID | SF_VCPU)))
		put_guest(w->st->conf.guests, fields, s->id, out);
	if (unlikely(w->st->conf.narrow)) {
		const struct sample_id id = { .pid = t->pid, .tid = t->tid, .cpu = s->cpu };

		put_narrow(fields, t->text.buf + t->mark, t->mark_len, &id, out);
	} else {
		put_who(fields, chain, t, out);
		if (fields & SF_CPU)
			put_cpu(s->cpu, out);
	}
	if (fields & SF_MISC)
		misc_text(PERF_RECORD_SAMPLE, s->misc, out);
	if (fields & SF_TOD)
		sample_times_wall(&w->times, s->time, out);
	if (fields & SF_TIME)
		sample_times_put(&w->times, s->time, out);
}

/* Tell whether addr of such events is shown as an address with symbol. */
static bool addr_is_place(const struct evsel *e)
{
	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return e->attr.config == PERF_COUNT_SW_PAGE_FAULTS ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return is_branch_trace(e);
}

static void put_addr(struct sample_writer *w, const struct text_event *te, const struct evsel *e,
		     const struct thread_at *at, const struct sample *s, struct strbuf *out)
{
	if (addr_is_place(e))
		sample_put_place(w, at,
				 s->cpumode == PERF_RECORD_MISC_KERNEL && (s64)s->addr >= 0
					 ? PERF_RECORD_MISC_USER
					 : s->cpumode,
				 (te->fields & ~(SF_SRCLINE | SF_DSOFF)) | SF_IP, PLACE_NONE,
				 s->addr, out);
	else
		strbuf_hex(out, s->addr, 1, 16);
}

/*
 * Descriptions of data sources are padded to the widest one so far, so the output depends on what
 * was printed before and requires a single writer.
 */
static void put_data_src(struct sample_writer *w, u64 src, struct strbuf *out)
{
	size_t at;

	strbuf_hex(out, src, 1, 16);
	strbuf_addch(out, ' ');
	at = out->len;
	data_src_text(src, out);
	w->data_src_width = MAX(w->data_src_width, (u32)(out->len - at));
	strbuf_pad(out, at + w->data_src_width);
}

static void put_payload(struct sample_writer *w, const struct text_event *te, const struct evsel *e,
			const struct thread_at *at, const struct sample *s, struct strbuf *out)
{
	if ((te->fields & SF_TRACE) && te->tf && s->raw) {
		w->pr.cpu = s->cpu;
		tf_print(te->tf, &w->pr, s->raw, s->raw_size, out);
	}
	if (te->fields & SF_ADDR)
		put_addr(w, te, e, at, s, out);
	if (te->fields & SF_DATA_SRC)
		put_data_src(w, s->data_src, out);
	if (te->fields & SF_WEIGHT)
		strbuf_dec(out, s->weight, 16);
	if (te->fields & SF_INS_LAT)
		strbuf_dec(out, s->ins_lat, 16);
	if (te->fields & SF_RETIRE_LAT)
		strbuf_dec(out, s->p_stage_cyc, 16);
}

/* Append the columns that follow the address. */
static void put_rest(struct sample_writer *w, const struct text_event *te, const struct evsel *e,
		     const struct thread_at *at, const struct sample *s, struct strbuf *out)
{
	if (te->fields & SF_IREGS)
		regs_text(&s->intr_regs, w->arch, out);
	if (te->fields & SF_UREGS)
		regs_text(&s->user_regs, w->arch, out);
	if (te->fields & (SF_BRSTACK | SF_BRSTACKSYM | SF_BRSTACKOFF))
		sample_put_branches(w, te->fields, at, s, out);
	if ((te->fields & SF_BPF_OUTPUT) && evsel_is_bpf_output(e))
		bpf_output_text(s->raw, s->raw_size, out);
	if (te->fields & (SF_INSN | SF_INSNLEN | SF_DISASM))
		sample_code_insn(w->code, at, s, te->fields, out);
	if (te->fields & SF_BRANCHCODE)
		sample_code_branches(w->code, at, e, s, te->fields, out);
	if (te->fields & SF_PHYS_ADDR)
		strbuf_hex(out, s->phys_addr, 1, 16);
	if (te->fields & SF_DATA_PAGE_SIZE) {
		strbuf_addch(out, ' ');
		page_size_text(s->data_page_size, out);
	}
	if (te->fields & SF_CODE_PAGE_SIZE) {
		strbuf_addch(out, ' ');
		page_size_text(s->code_page_size, out);
	}
	if (te->fields & SF_CGROUP) {
		const char *name = machine_cgroup(w->st->conf.machine, s->cgroup);

		strbuf_addch(out, ' ');
		strbuf_addname(out, name ? name : "unknown");
	}
}

/* Append source and target of a branch. */
static void put_branch_sample(struct sample_writer *w, const struct text_event *te,
			      const struct evsel *e, const struct thread_at *at,
			      const struct sample *s, struct strbuf *out)
{
	if (te->chain) {
		put_chain(w, te, at, s, out);
	} else if (te->fields & SF_IP) {
		strbuf_addch(out, ' ');
		sample_put_place(w, at, s->cpumode, te->fields, PLACE_NONE, s->ip, out);
	}
	if (te->fields & SF_ADDR) {
		strbuf_addstr(out, " => ");
		put_addr(w, te, e, at, s, out);
	}
	strbuf_addch(out, '\n');
}

void sample_writer_put(struct sample_writer *w, const struct evsel *e, const struct sample *s,
		       u64 time, struct strbuf *out)
{
	const struct text_event *te = &w->st->events[MIN((size_t)e->idx, w->st->nr)];
	const struct cached_thread *t = cached_thread(&w->cache, s->pid, s->tid, time);

	if (!te->fields)
		return;
	/* prefetching memory that was never written costs a walk of the page tables each time */
	if (!te->chain && sample_wants_place(te->fields))
		cached_place_prefetch(&w->cache, &t->at, s->cpumode, s->ip);
	strbuf_grow(out, 512);
	put_start(w, te->fields, te->chain, t, s, out);
	if (te->fields & SF_PERIOD) {
		/* with a fixed period, samples need not contain it */
		strbuf_dec(out, s->period, 10);
		strbuf_addch(out, ' ');
	}
	if (te->fields & SF_EVENT)
		strbuf_add(out, te->name, te->name_len);
	if (te->fields & SF_FLAGS) /* known only for branches of AUX traces */
		strbuf_pad(out, out->len + 24);
	if (te->branch) {
		put_branch_sample(w, te, e, &t->at, s, out);
		return;
	}
	put_payload(w, te, e, &t->at, s, out);
	if (te->chain) {
		put_chain(w, te, &t->at, s, out);
	} else if (te->fields & SF_IP) {
		strbuf_addch(out, ' ');
		sample_put_place(w, &t->at, s->cpumode, te->fields, PLACE_NONE, s->ip, out);
	}
	if (te->fields & SF_REST)
		put_rest(w, te, e, &t->at, s, out);
	strbuf_addch(out, '\n');
	if (unlikely(te->fields & SF_SRCCODE))
		sample_code_source(w->code, &t->at, s, out);
}

void sample_writer_chain(struct sample_writer *w, const struct evsel *e, const struct sample *s,
			 u64 time, struct strbuf *out)
{
	const struct text_event *te = &w->st->events[e->idx];

	if (te->chain)
		put_chain(w, te, sample_writer_thread(w, s->pid, s->tid, time), s, out);
}

void sample_writer_start(struct sample_writer *w, const struct evsel *e, const wire_header *hdr,
			 const struct sample_id *id, const char *comm, struct strbuf *out)
{
	const struct text_event *te = &w->st->events[e->idx];
	struct strbuf name = STRBUF_INIT;

	strbuf_addname(&name, comm);
	put_guest(w->st->conf.guests, te->fields, id->id, out);
	if (w->st->conf.narrow) {
		put_narrow(te->fields, strbuf_str(&name), name.len, id, out);
	} else {
		if (te->fields & SF_COMM) {
			if (!te->chain && name.len < COMM_WIDTH)
				strbuf_pad(out, out->len + COMM_WIDTH - name.len);
			strbuf_add(out, strbuf_str(&name), name.len);
			strbuf_addch(out, ' ');
		}
		put_ids(te->fields, id->pid, id->tid, out);
		if (te->fields & SF_CPU)
			strbuf_addf(out, "[%03d] ", (s32)id->cpu);
	}
	strbuf_release(&name);
	if (te->fields & SF_MISC)
		misc_text(hdr->type, hdr->misc, out);
	if (te->fields & SF_TOD)
		sample_times_wall(&w->times, id->time, out);
	if (te->fields & SF_TIME)
		sample_times_put(&w->times, id->time, out);
}
