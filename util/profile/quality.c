// SPDX-License-Identifier: GPL-2.0-or-later
/* How much a profile can be trusted: a notice for each thing that matters. Small shares are not
 * worth one. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include "base/alloc.h"
#include "base/escape.h"

#include <unistd.h>

/* Percent from which on something matters. */
#define LOST_MATTERS 1
#define CUT_MATTERS 1
#define OBJECT_MATTERS 5

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

static void tell_stacks(const struct profile *p, const struct notices *notices)
{
	struct quality all;

	profile_quality(p, &all);
	if (percent(all.cut, all.stacks) >= CUT_MATTERS)
		notice(notices,
		       "Note: %.1f%% of the call chains are cut off at %u frames: raise "
		       "kernel.perf_event_max_stack before recording\n",
		       percent(all.cut, all.stacks), all.deepest_cut);
	if (percent(all.full, all.dumps) >= CUT_MATTERS)
		notice(notices,
		       "Note: %.1f%% of the stack dumps are full, callers beyond them are "
		       "missing: record with --call-graph dwarf,SIZE and more than %u bytes\n",
		       percent(all.full, all.dumps), all.dump_size);
}

/* Of LOST records and of what counters say: the same losses, told twice or once. */
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

/* What brings the symbols of an object. @told: why they are missing was said. */
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
	tell_lost(p, samples, notices);
	tell_stacks(p, notices);
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
