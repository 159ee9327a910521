// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/code.h"

#include "base/alloc.h"
#include "browse/files.h"
#include "browse/scripts.h"
#include "codec/quote.h"
#include "symbol/symbol.h"
#include "ui/views/annotate.h"
#include "ui/widgets/popup.h"

/* A view can return these values beside enum annotate_result. */
enum { CANNOT_SHOW = ANNOTATE_PREVIOUS + 1 };

struct visit {
	struct browsed_code *code;
	const struct annotate_function *of;
	struct annotate_text *text;
	struct annotation *a;
	struct annotate_function now;    /* of counts that change: @of with what they are by now */
	struct annotate_hits *no_totals; /* owned; of a function without samples */
};

static void put_command(void *ctx, struct strbuf *out)
{
	const struct visit *v = ctx;

	strbuf_addstr(out, v->code->command);
	if (v->text->global) /* of the counts of all functions that are asked for */
		return;
	strbuf_addstr(out, " -s ");
	quote_shell(out, location_symbol(&v->of->at));
}

static void save(void *ctx, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.annotation", text, said);
}

static void scripts(void *ctx, struct ui *ui)
{
	const struct visit *v = ctx;

	browse_scripts(ui, v->code->input, location_symbol(&v->of->at));
}

/* ---- functions that are called ---- */

/* Find a function with samples by its name, which an entry of the PLT may have, too. */
static const struct annotate_function *counted_name(const struct browsed_code *c, const char *name)
{
	size_t nr, len = strcspn(name, "@");
	const struct annotate_function *f = annotate_functions(c->counts, &nr);

	for (size_t i = 0; i < nr; i++) {
		const char *other = location_symbol(&f[i].at);

		if (other && strlen(other) == len && !memcmp(other, name, len))
			return &f[i];
	}
	return NULL;
}

/* Describe a function of the same object that has no samples. Return: false: there is none. */
static bool uncounted(const struct browsed_code *c, const struct location *near, u32 sym,
		      struct annotate_function *f)
{
	struct sym_range range;

	if (sym == UINT32_MAX)
		return false;
	range = symtab_range(near->symtab, sym);
	*f = (struct annotate_function){ .at = *near, .start = range.start, .end = range.end };
	f->at.sym = sym;
	f->at.addr = range.start;
	f->totals = xcalloc(c->nr_events + (size_t)1, sizeof(*f->totals));
	return true;
}

static int visit(struct ui *ui, struct browsed_code *c, const struct annotate_function *of,
		 struct annotate_text *text);

/* Show the function that a line calls. Return: VIEW_BACK: it was left, or there is none */
static int enter(struct ui *ui, struct browsed_code *c, const struct annotation *a, size_t line,
		 struct annotate_text *text)
{
	const struct annotate_line *l = &a->lines[line];
	const struct location *at = &a->of->at;
	const char *name = annotation_text(a, l->target_name);
	const struct annotate_function *to = NULL;
	struct annotate_function made = { 0 };
	u32 sym = UINT32_MAX;
	int ret = VIEW_BACK;

	/* Both addresses are in one section, so that the distance is the same in all countings. */
	if (l->has_target)
		sym = symtab_find(at->symtab, a->of->start + (l->target - a->start));
	if (sym != UINT32_MAX && !strchr(name, '@'))
		to = annotate_find(c->counts, at->symtab, sym);
	if (!to && *name)
		to = counted_name(c, name);
	if (!to && uncounted(c, at, sym, &made))
		to = &made;
	if (to)
		ret = visit(ui, c, to, text);
	else
		ui_say(ui, "It is not known where this leads to");
	if (ret == CANNOT_SHOW) {
		ui_say(ui, "%s", c->why);
		ret = VIEW_BACK;
	}
	free(made.totals);
	return ret;
}

/* ---- one function ---- */

/* Take what the function has in counts that change; a copy of it stays when they are gone. */
static void take_counts(struct visit *v)
{
	const struct location *at = &v->now.at;
	const struct annotate_function *f = annotate_find(v->code->counts, at->symtab, at->sym);

	v->now.sites = f ? f->sites : NULL;
	v->now.nr_sites = f ? f->nr_sites : 0;
	v->now.totals = f ? f->totals : v->no_totals;
}

static void find_types(void *ctx)
{
	struct visit *v = ctx;

	if (!v->a->has_types)
		annotate_find_types(v->code->annotator, v->a);
}

static void recount(void *ctx)
{
	struct visit *v = ctx;

	v->code->recount(v->code, v->code->ctx);
	take_counts(v);
	annotation_recount(v->a, v->of);
}

/* Show functions until they are left. Return: as annotate_view() */
static int visit_shown(struct ui *ui, struct visit *v, struct annotate_shown *shown)
{
	bool back;
	int ret;

	do {
		ret = annotate_view(ui, shown);
		back = ret == ANNOTATE_ENTERS;
		if (back)
			ret = enter(ui, v->code, v->a, shown->line, v->text);
		back &= ret == VIEW_BACK;
		if (back && v->code->recount)
			recount(v);
	} while (back);
	return ret;
}

/* Return the line that is selected first, which was asked for once; SIZE_MAX: the hottest. */
static size_t first_line(struct browsed_code *c, const struct annotation *a)
{
	u64 addr = a->start + c->offset;
	size_t i = 0;

	if (!c->offset)
		return SIZE_MAX;
	c->offset = 0;
	while (i < a->nr && (a->lines[i].kind != ANNOTATE_INSN || a->lines[i].addr < addr))
		i++;
	return i < a->nr ? i : SIZE_MAX;
}

static int visit(struct ui *ui, struct browsed_code *c, const struct annotate_function *of,
		 struct annotate_text *text)
{
	struct visit v = { .code = c, .of = of, .text = text };
	struct annotate_shown shown = {
		.text = text,
		.no_source = &c->no_source,
		.no_arrows = &c->no_arrows,
		.recount = c->recount ? recount : NULL,
		.interval = c->interval,
		.find_types = find_types,
		.scripts = c->input ? scripts : NULL,
		.command = put_command,
		.save = save,
		.ctx = &v,
	};
	int ret = CANNOT_SHOW;

	if (c->recount) {
		v.no_totals = xcalloc(c->nr_events + (size_t)1, sizeof(*v.no_totals));
		v.now = *of;
		v.of = &v.now;
		take_counts(&v);
	}
	shown.a = v.a = annotate_many(c->annotator, &v.of, 1);
	if (v.a->why) {
		free(c->why);
		c->why = xstrdup(v.a->why);
	} else {
		if (text->types)
			find_types(&v);
		shown.line = first_line(c, v.a);
		ret = visit_shown(ui, &v, &shown);
	}
	annotations_free(v.a, 1);
	free(v.no_totals);
	return ret;
}

/* ---- all ---- */

/* Show a page, or the first one in a direction that can be shown. *@at: its number */
static int visit_from(struct ui *ui, struct browsed_code *c, size_t *at, bool down)
{
	for (size_t i = *at; i < c->nr_pages; i = down ? i + 1 : i - 1) {
		int ret = visit(ui, c, c->pages[i].of, c->pages[i].text);

		if (ret == CANNOT_SHOW)
			continue;
		*at = i;
		return ret;
	}
	return CANNOT_SHOW;
}

int browse_code(struct ui *ui, struct browsed_code *c, size_t at)
{
	int ret = visit_from(ui, c, &at, true);

	if (ret == CANNOT_SHOW && c->why)
		popup_text(ui, "This cannot be annotated", c->why);
	while (ret == ANNOTATE_NEXT || ret == ANNOTATE_PREVIOUS) {
		bool down = ret == ANNOTATE_NEXT;
		size_t next = down ? at + 1 : at - 1; /* behind all when there is none */

		ret = visit_from(ui, c, &next, down);
		if (ret != CANNOT_SHOW) {
			at = next;
			continue;
		}
		ui_say(ui, "There is no further function");
		ret = visit_from(ui, c, &at, true);
	}
	free(c->why);
	c->why = NULL;
	return ret == CANNOT_SHOW ? VIEW_BACK : ret;
}
