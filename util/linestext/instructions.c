// SPDX-License-Identifier: GPL-2.0-or-later
/* The instructions around the code that made an access, and the calls that were inlined there. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "annotate/annotate.h"
#include "arch/arch.h"

#define AROUND 4 /* instructions on either side */

/* Append the functions that the compiler has put into each other, the innermost first. */
static void put_inlined(const struct annotation *a, const struct annotate_line *l,
			struct strbuf *out)
{
	for (u32 i = l->inlined; i; i = a->inlines[i].outer) {
		const struct annotate_inline *in = &a->inlines[i];

		strbuf_addstr(out, "Inlined  ");
		strbuf_addname(out, annotation_text(a, in->function));
		if (in->file) {
			strbuf_addstr(out, ", called at ");
			strbuf_addname(out, annotation_text(a, in->file));
			strbuf_addf(out, ":%u", in->line);
		}
		strbuf_addch(out, '\n');
	}
}

/* Return the number of the instruction that @addr is in; a->nr: there is none. */
static size_t find_line(const struct annotation *a, u64 addr)
{
	size_t found = a->nr;

	for (size_t i = 0; i < a->nr && a->lines[i].addr <= addr; i++)
		if (a->lines[i].kind == ANNOTATE_INSN)
			found = i;
	return found;
}

static void put_lines(const struct annotation *a, u64 addr, struct strbuf *out)
{
	size_t at = find_line(a, addr), from = at, to = at;

	if (a->why || at == a->nr || a->sites_only) {
		strbuf_addf(out, "Instructions are not known%s%s\n", a->why ? ": " : "",
			    a->why ? a->why : "");
		return;
	}
	put_inlined(a, &a->lines[at], out);
	for (u32 nr = 0; from && nr < AROUND; nr += a->lines[from].kind == ANNOTATE_INSN)
		from--;
	for (u32 nr = 0; to + 1 < a->nr && nr < AROUND; nr += a->lines[to].kind == ANNOTATE_INSN)
		to++;
	strbuf_addstr(out, "Instructions\n");
	for (size_t i = from; i <= to; i++) {
		const struct annotate_line *l = &a->lines[i];

		if (l->kind != ANNOTATE_INSN)
			continue;
		strbuf_addf(out, "%c %16" PRIx64 "  ", i == at ? '>' : ' ', l->addr);
		strbuf_addname(out, annotation_text(a, l->text));
		strbuf_addch(out, '\n');
	}
}

void clines_put_instructions(const struct clines_table *t, const struct line_row *r,
			     struct strbuf *out)
{
	const struct annotate_conf conf = { .arch = arch_of(t->r->session.file->env.arch),
					    .objdump = t->show->objdump != NULL,
					    .objdump_path = t->show->objdump,
					    .syntax = t->show->syntax,
					    .no_source = true,
					    .positions = !t->show->no_source,
					    .machine = t->r->machine,
					    .symbols = t->r->symbols,
					    .nr_events = 1,
					    .workers = 1 };
	struct annotate_counts *c = annotate_counts_new();
	struct resolver *resolver = resolver_new(t->r->machine, t->r->symbols);
	const struct annotate_function *f;
	size_t nr;

	annotate_counts_add(annotate_counts_worker(c), 0, r->epoch, r->cpumode, r->ip, r->nr);
	annotate_counts_finish(c, resolver, 1, 1);
	f = annotate_functions(c, &nr);
	if (nr) {
		struct annotator *an = annotator_new(&conf);
		struct annotation *a = annotate_many(an, &f, 1);

		/* the symbols of an object may number addresses in another way than its code */
		put_lines(a, a->start + (f->at.addr - f->start), out);
		annotations_free(a, 1);
		annotator_free(an);
	}
	annotate_counts_free(c);
	resolver_free(resolver);
}
