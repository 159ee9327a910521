// SPDX-License-Identifier: GPL-2.0-or-later
/* Tell how much a profile can be trusted, with a notice for each thing that matters. Small shares
 * are not worth one. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include "base/alloc.h"
#include "base/escape.h"

#include <unistd.h>

/* Percent from which on something matters. */
#define LOST_MATTERS 1
#define CUT_MATTERS 1
#define OBJECT_MATTERS 5
#define BROKEN_MATTERS 10
#define BROKEN_OBJECT 25 /* of the chains that begin in an object */

#define FEW_CHAINS 10 /* fewer say nothing */
#define RUNTIME_MATTERS 10

#define MAX_BROKEN 3 /* objects that are told of an event */

#define MAX_OBJECTS 5
#define KERNEL_MAX_STACK 127 /* kernel.perf_event_max_stack, unless somebody changed it */

/* Samples without symbol in objects of a name. */
struct missing {
	u32 name; /* hist_dso_name() */
	u64 nr;
};

void quality_note(struct quality *q, const struct sample *s, u16 max_stack)
{
	u32 limit = max_stack ? max_stack : KERNEL_MAX_STACK, frames = 0;

	q->stacks += s->nr_callchain > 0;
	if (unlikely(s->nr_callchain >= limit)) {
		for (u64 i = 0; i < s->nr_callchain; i++)
			frames += s->callchain[i] < (u64)PERF_CONTEXT_MAX;
		q->cut += frames >= limit;
		q->deepest_cut = MAX(q->deepest_cut, frames);
	}
	if (s->user_stack_size) {
		q->dumps++;
		q->full += s->user_stack_dyn >= s->user_stack_size;
		q->dump_size = MAX(q->dump_size, (u32)s->user_stack_size);
	}
}

static double percent(u64 part, u64 all)
{
	return all ? part * 100.0 / all : 0;
}

void quality_merge(struct quality *to, const struct quality *from)
{
	to->stacks += from->stacks;
	to->cut += from->cut;
	to->dumps += from->dumps;
	to->full += from->full;
	to->deepest_cut = MAX(to->deepest_cut, from->deepest_cut);
	to->dump_size = MAX(to->dump_size, from->dump_size);
}

/* ---- how chains end ---- */

void profile_measure_chains(struct profile *p, struct hist_conf *conf)
{
	const struct evlist *l = events_of(p);

	if (!p->o.quality || p->o.glue_branches || p->o.hide_unresolved || p->o.no_stacks)
		return;
	p->ends.limit = conf->max_stack;
	for (size_t i = 0; i < l->nr; i++) {
		u32 max = l->evsels[i]->attr.sample_max_stack;

		p->ends.limit = MIN(p->ends.limit, max ? max : KERNEL_MAX_STACK);
	}
	p->visitor = (struct hist_stack_visitor){ &p->ends, chain_ends_classify, chain_ends_count };
	conf->visitor = &p->visitor;
}

static int broken_cmp(const void *pa, const void *pb)
{
	const struct chain_ends_count *a = pa, *b = pb;
	u64 all, nr_a = chain_ends_broken(a, &all), nr_b = chain_ends_broken(b, &all);

	if (nr_a != nr_b)
		return nr_a > nr_b ? -1 : 1;
	return a->object < b->object ? -1 : a->object > b->object;
}

/* The last branches reach as far as the processor keeps them; copied stacks have a notice of their
 * own. */
static bool follows_frames(const struct evsel *e)
{
	return !layout_lbr_chain(&e->layout) && !(e->layout.sample_type & PERF_SAMPLE_STACK_USER);
}

/* Why the chains that begin in an object are broken, and what mends them. */
static const char *why_broken(const struct dso *dso)
{
	switch ((enum dso_kind)dso->kind) {
	case DSO_ANON:
	case DSO_PERF_MAP:
	case DSO_JIT:
		return "code made at run time keeps no frame pointers there (for Java: "
		       "-XX:+PreserveFramePointer)";
	default:
		return "it has no frame pointers; record with --call-graph dwarf,unwind";
	}
}

static void tell_broken_object(const struct profile *p, const struct chain_ends_count *c,
			       const char *event, const struct notices *sentences)
{
	char name[256];
	size_t nr;
	const struct dso *dso = machine_dsos(p->r->machine, &nr)[c->object - 1];
	u64 all, broken = chain_ends_broken(c, &all);

	escape_name(name, sizeof(name), dso->short_name);
	notice(sentences, "%.0f%% of the %sstacks of %s are broken: %s", percent(broken, all),
	       event, name, why_broken(dso));
}

/* Tell of broken chains. @of: the counts of one event, those with most broken chains first */
static void tell_broken_event(const struct profile *p, const struct chain_ends_count *of, size_t nr,
			      const char *event, const struct notices *sentences)
{
	u64 broken = 0, all = 0, some;
	u32 told = 0;

	for (size_t i = 0; i < nr; i++) {
		broken += chain_ends_broken(&of[i], &some);
		all += some;
	}
	if (all < FEW_CHAINS || percent(broken, all) < BROKEN_MATTERS)
		return;
	for (size_t i = 0; i < nr && told < MAX_BROKEN; i++) {
		u64 mine = chain_ends_broken(&of[i], &some);

		if (percent(mine, all) < OBJECT_MATTERS || percent(mine, some) < BROKEN_OBJECT)
			continue;
		tell_broken_object(p, &of[i], event, sentences);
		told++;
	}
	if (!told)
		notice(sentences,
		       "%.0f%% of the %sstacks are broken, in many objects: they have no frame "
		       "pointers; record with --call-graph dwarf,unwind",
		       percent(broken, all), event);
}

static void tell_broken(const struct profile *p, const struct notices *sentences)
{
	const struct evlist *l = events_of(p);
	struct chain_ends_count *of = xcalloc(p->ends.nr + 1, sizeof(*of));
	bool several = false;

	for (size_t i = 1; i < p->ends.nr; i++)
		several |= p->ends.counts[i].evsel != p->ends.counts[0].evsel;
	for (size_t e = 0; e < l->nr; e++) {
		char event[280] = "", name[256];
		size_t nr = 0;

		for (size_t i = 0; i < p->ends.nr && follows_frames(l->evsels[e]); i++)
			if (p->ends.counts[i].evsel == e)
				of[nr++] = p->ends.counts[i];
		qsort(of, nr, sizeof(*of), broken_cmp);
		escape_name(name, sizeof(name), l->evsels[e]->name);
		if (several)
			snprintf(event, sizeof(event), "'%s' ", name);
		tell_broken_event(p, of, nr, event, sentences);
	}
	free(of);
}

void profile_tell_stacks(const struct profile *p, const struct notices *sentences)
{
	struct quality all;

	tell_broken(p, sentences);
	profile_quality(p, &all);
	if (percent(all.cut, all.stacks) >= CUT_MATTERS)
		notice(sentences,
		       "%.1f%% of the call chains are cut off at %u frames: raise "
		       "kernel.perf_event_max_stack before recording",
		       percent(all.cut, all.stacks), all.deepest_cut);
	if (p->chain_sources.unwinder)
		profile_tell_unwound(p, sentences);
	else if (percent(all.full, all.dumps) >= CUT_MATTERS)
		notice(sentences,
		       "%.1f%% of the stack dumps are full, callers beyond them are "
		       "missing: record with --call-graph dwarf,SIZE and more than %u bytes",
		       percent(all.full, all.dumps), all.dump_size);
}

void profile_tell_runtimes(const struct profile *p, const struct notices *sentences)
{
	struct busy_processes all = { 0 };

	if (!p->symbols)
		return;
	for (int i = 0; i < p->nr_workers; i++)
		busy_merge(&all, profile_worker_busy(p->of_worker[i]));
	runtimes_tell(&all, RUNTIME_MATTERS, p->r->machine, p->symbols, sentences);
	busy_release(&all);
}

/* Print a sentence as a line of a report. */
static void put_note(void *ctx, const char *sentence)
{
	notice(ctx, "Note: %s\n", sentence);
}

/* Tell of lost samples. LOST records and counters may tell the same losses, so the larger one
 * counts. */
static void tell_lost(const struct profile *p, u64 samples, const struct notices *notices)
{
	const struct diag *d = &p->r->session.diag;
	u64 lost = MAX(d->count[DIAG_LOST], d->count[DIAG_LOST_SAMPLES]);
	double share = percent(lost, samples + lost);

	if (share >= LOST_MATTERS)
		notice(notices,
		       "Note: %.1f%% of the samples were lost (%" PRIu64 "): record with larger "
		       "buffers (-m), a lower frequency (-F) or fewer events\n",
		       share, lost);
}

/* ---- symbols ---- */

static int missing_cmp(const void *pa, const void *pb)
{
	const struct missing *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* Return: *@nr objects, that with most samples without symbol first; the caller frees. */
static struct missing *find_missing(const struct profile *p, size_t *nr)
{
	u64 *samples = hist_missing(p->hist, nr);
	struct missing *v = xcalloc(*nr + 1, sizeof(*v));

	for (size_t i = 0; i < *nr; i++)
		v[i] = (struct missing){ .name = (u32)i, .nr = samples[i] };
	free(samples);
	qsort(v, *nr, sizeof(*v), missing_cmp);
	return v;
}

static const struct dso *dso_of(const struct profile *p, const char *name)
{
	size_t nr;
	struct dso *const *dsos = machine_dsos(p->r->machine, &nr);

	for (size_t i = 0; i < nr; i++)
		if (hist_dso_hit(p->hist, dsos[i]->id) &&
		    !strcmp(hist_dso_shown(p->hist, dsos[i]), name))
			return dsos[i];
	return NULL;
}

/* Say what brings the symbols of an object. @told: why they are missing was said. */
static void put_remedy(const struct profile *p, const struct dso *dso, bool told,
		       struct strbuf *out)
{
	const char *why;
	char id[41];

	switch (dso ? (enum dso_kind)dso->kind : DSO_ANON) {
	case DSO_KERNEL:
	case DSO_MODULE:
		strbuf_addstr(out, dso->cpumode == PERF_RECORD_MISC_KERNEL
					   ? "report as root, set kernel.kptr_restrict=0, or give "
					     "--vmlinux or --kallsyms of the recorded kernel\n"
					   : "give --guestkallsyms or --guestvmlinux of the "
					     "virtual machine\n");
		break;
	case DSO_ANON:
	case DSO_PERF_MAP:
	case DSO_JIT:
		strbuf_addstr(out,
			      dso ? "code made at run time: have its runtime write "
				    "/tmp/perf-PID.map (node --perf-basic-prof, python -X perf) "
				    "or a jitdump\n"
				  : "there is no mapping at their addresses\n");
		break;
	case DSO_BPF:
	case DSO_VDSO:
		strbuf_addstr(out, "report on the machine that recorded\n");
		break;
	case DSO_USER:
	default:
		build_id_hex(dso->build_id, dso->build_id_size, id);
		why = symtab_why(symbols_load(p->symbols, dso));
		if (why && !told)
			strbuf_addf(out, "%s; ", why);
		strbuf_addstr(out, access(dso->path, R_OK)
					   ? "give a copy of the recorded system with --symfs"
					   : "install its debug package");
		if (*id)
			strbuf_addf(out, ", or debuginfod-find debuginfo %s", id);
		strbuf_addstr(out, "\n");
	}
}

static void tell_missing(const struct profile *p, u64 samples, bool told,
			 const struct notices *notices)
{
	struct strbuf text = STRBUF_INIT;
	size_t nr = 0, i;
	u64 rest = 0;
	struct missing *v;

	if (!(p->cols.need & NEED_SYM) || p->o.branches || !p->symbols)
		return;
	v = find_missing(p, &nr);
	for (i = 0; i < nr && i < MAX_OBJECTS; i++) {
		const char *name = hist_dso_name(p->hist, v[i].name);
		char escaped[256];

		if (percent(v[i].nr, samples) < OBJECT_MATTERS)
			break;
		escape_name(escaped, sizeof(escaped), name);
		strbuf_reset(&text);
		strbuf_addf(&text, "Note: %.1f%% of the samples are in %s and without symbol: ",
			    percent(v[i].nr, samples), escaped);
		put_remedy(p, dso_of(p, name), told, &text);
		notice(notices, "%s", strbuf_str(&text));
	}
	for (; i < nr; i++)
		rest += v[i].nr;
	if (percent(rest, samples) >= OBJECT_MATTERS)
		notice(notices,
		       "Note: %.1f%% of the samples are without symbol in %s objects: "
		       "-v tells which and why\n",
		       percent(rest, samples), nr > MAX_OBJECTS ? "further" : "small");
	strbuf_release(&text);
	free(v);
}

void profile_tell_quality(const struct profile *p, bool told, const struct notices *notices)
{
	u64 samples = 0;

	for (u32 i = 0; i < events_of(p)->nr; i++)
		samples += hist_event(p->hist, i)->nr;
	profile_tell_stacks(p, &(struct notices){ put_note, (void *)notices });
	tell_lost(p, samples, notices);
	profile_tell_runtimes(p, &(struct notices){ put_note, (void *)notices });
	tell_missing(p, samples, told, notices);
}

void profile_tell_symbols(const struct profile *p, const struct notices *notices)
{
	struct dso *const *dsos;
	size_t nr, i;

	if (!p->symbols)
		return;
	dsos = machine_dsos(p->r->machine, &nr);
	for (i = 0; i < nr; i++) {
		const char *why = NULL;
		char name[512];

		if (hist_dso_hit(p->hist, dsos[i]->id))
			why = symtab_why(symbols_load(p->symbols, dsos[i]));
		if (!why)
			continue;
		escape_name(name, sizeof(name), dsos[i]->path);
		notice(notices, "%s: %s\n", name, why);
	}
}
