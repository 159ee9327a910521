// SPDX-License-Identifier: GPL-2.0-or-later
/* The instructions and source lines of one function, with what is counted at each now. */
#include "base/compat.h"
#include "toptext/toptext.h"

#include "annotatetext/annotate-text.h"
#include "arch/arch.h"
#include "base/alloc.h"

#include <errno.h>

#define CONTEXT 4 /* lines around those that have their share */

/* ---- counting ---- */

static void count(void *ctx, const struct session_event *ev, u32 nr, const struct thread_at *at)
{
	const struct sample *s = ev->sample;
	u32 epoch = s->cpumode == PERF_RECORD_MISC_KERNEL ? at->kernel_epoch : at->epoch;

	/* the sum of periods is that of the first one */
	annotate_counts_add(ctx, ev->evsel->idx, epoch, s->cpumode, s->ip, s->period);
	while (--nr)
		annotate_counts_add(ctx, ev->evsel->idx, epoch, s->cpumode, s->ip, 0);
}

/* Return the function of that name with most samples of the event that is shown; NULL: none. */
static const struct annotate_function *find(const struct annotate_counts *c,
					    const struct toptext *t, const char *name)
{
	const struct annotate_function *best = NULL;
	size_t nr;
	struct annotate_function *f = annotate_functions(c, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct location *l = &f[i].at;

		if (strcmp(location_symbol(l), name) != 0 &&
		    strcmp(symtab_raw_name(l->symtab, l->sym), name) != 0)
			continue;
		if (!best || f[i].totals[t->shown].samples > best->totals[t->shown].samples)
			best = &f[i];
	}
	return best;
}

/* ---- text ---- */

/* Append the lines whose first number is at least @least, with some around them. */
static void put_lines(const struct strbuf *text, double least, struct strbuf *out)
{
	size_t nr = 0, shown_until = 0, line = 0;
	const char *p = strbuf_str(text), **lines;

	for (const char *c = p; *c; c++)
		nr += *c == '\n';
	lines = xcalloc(nr + 1, sizeof(*lines));
	for (; line < nr; line++, p = strchr(p, '\n') + 1)
		lines[line] = p;
	lines[nr] = p;
	for (size_t i = 0; i < nr; i++) {
		size_t first = MAX(i > CONTEXT ? i - CONTEXT : 0, shown_until);
		char *end;
		double share = strtod(lines[i], &end);

		if (end == lines[i] || share < least)
			continue;
		shown_until = MIN(i + CONTEXT + 1, nr);
		strbuf_add(out, lines[first], (size_t)(lines[shown_until] - lines[first]));
	}
	free(lines);
}

static int put_function(struct toptext *t, const struct annotate_function *f, struct strbuf *out,
			struct err *err)
{
	const struct recording *r = toprun_recording(t->run);
	struct annotate_text text = { .events = &t->shown,
				      .nr_events = 1,
				      .event_names = r->session.evlist.evsels[t->shown]->name,
				      .totals = f->totals,
				      .nr_samples = t->nr_samples,
				      .total_period = t->total_period,
				      .raw = t->code.raw };
	struct annotator *an;
	struct annotation *a;
	struct strbuf all = STRBUF_INIT;
	int rc = 0;

	t->code.arch = arch_of(r->session.file->env.arch);
	t->code.machine = r->machine;
	t->code.symbols = r->symbols;
	t->code.nr_events = (u32)r->session.evlist.nr;
	t->code.workers = 1;
	an = annotator_new(&t->code);
	a = annotate_many(an, &f, 1);
	if (a->why)
		rc = err_set(err, -ENOENT, "%s", a->why);
	else
		annotate_stdio(&text, a, &all);
	put_lines(&all, text.nr_samples || text.total_period ? 1 : t->set.least_percent, out);
	annotations_free(a, 1);
	annotator_free(an);
	strbuf_release(&all);
	return rc;
}

struct annotate_counts *toptext_counts(struct toptext *t)
{
	struct annotate_counts *c = annotate_counts_new();
	struct recording *r = toprun_recording(t->run);
	struct resolver *resolver = resolver_new(r->machine, recording_symbols(r));

	toprun_each(t->run, count, annotate_counts_worker(c));
	annotate_counts_finish(c, resolver, (u32)r->session.evlist.nr, 1);
	resolver_free(resolver);
	return c;
}

int toptext_annotate(struct toptext *t, const char *name, struct strbuf *out, struct err *err)
{
	struct annotate_counts *c = toptext_counts(t);
	const struct annotate_function *f = find(c, t, name);
	int rc;

	rc = f ? put_function(t, f, out, err)
	       : err_set(err, -ENOENT, "no samples in a function named '%s' yet", name);
	annotate_counts_free(c);
	return rc;
}
