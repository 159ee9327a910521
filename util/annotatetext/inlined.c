// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes the inlined functions of annotations: what was counted in each, and from where
 * it is called. */
#include "base/compat.h"

#include "annotatetext/annotate-text.h"

void annotate_place_text(const struct annotate_text *t, const struct annotation *a, u32 file,
			 u32 line, struct strbuf *out)
{
	const char *path = annotation_text(a, file);
	const char *slash = t->full_paths ? NULL : strrchr(path, '/');

	strbuf_addname(out, slash ? slash + 1 : path);
	strbuf_addf(out, ":%u", line);
}

/* Append what each column's event counted. @hits: by event */
static void put_values(const struct annotate_text *t, const struct annotation *a,
		       const struct annotate_hits *hits, struct strbuf *out)
{
	for (size_t c = 0; c < t->nr_events; c++) {
		const struct annotate_hits *h = &hits[t->events[c]];

		if (t->total_period)
			strbuf_dec(out, h->period, 12);
		else if (t->nr_samples)
			strbuf_dec(out, h->samples, 8);
		else
			strbuf_addf(out, "%7.2f%%", annotate_share(t, a, c, h));
	}
}

static void put_callee(const struct annotate_text *t, const struct annotation *a,
		       const struct annotate_callee *c, struct strbuf *out)
{
	strbuf_addstr(out, "inlined:");
	put_values(t, a, c->total, out);
	strbuf_addstr(out, ", itself");
	put_values(t, a, c->self, out);
	strbuf_addstr(out, "  ");
	strbuf_addname(out, annotation_text(a, c->function));
	if (c->file) {
		strbuf_addstr(out, ", called at ");
		annotate_place_text(t, a, c->file, c->line, out);
	}
	if (c->nr_calls > 1)
		strbuf_addf(out, " and %u other place%s", c->nr_calls - 1,
			    c->nr_calls > 2 ? "s" : "");
	strbuf_addch(out, '\n');
}

void annotate_callees_text(const struct annotate_text *t, const struct annotation *a,
			   struct strbuf *out)
{
	struct annotate_callee *callees;
	size_t nr;

	if (!t->inlined)
		return;
	callees = annotation_callees(a, t->events, t->nr_events, &nr);
	for (size_t i = 0; i < nr; i++)
		put_callee(t, a, &callees[i], out);
	annotate_callees_free(callees, nr);
}

void annotate_calls_text(const struct annotate_text *t, const struct annotation *a,
			 const struct annotate_line *line, struct strbuf *out)
{
	if (!t->inlined || line->kind != ANNOTATE_TEXT)
		return;
	for (u32 i = line->inlined; i; i = a->inlines[i].outer) {
		const struct annotate_inline *call = &a->inlines[i];
		u32 outer = call->outer;

		strbuf_addstr(out, i == line->inlined ? " inlined" : ",");
		if (call->file) {
			strbuf_addstr(out, " at ");
			annotate_place_text(t, a, call->file, call->line, out);
		}
		strbuf_addstr(out, " into ");
		strbuf_addname(out, outer ? annotation_text(a, a->inlines[outer].function)
					  : location_symbol(&a->of->at));
	}
}
