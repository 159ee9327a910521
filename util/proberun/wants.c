// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "proberun/wants.h"

#include "base/alloc.h"
#include "base/lines.h"

#include <ctype.h>
#include <errno.h>

#define INPUT "-" /* the definition that stands for standard input */

void probe_wants_add(struct probe_wants *w, struct probe_want want)
{
	VEC_GROW(w->v, w->nr + 1, w->cap);
	w->v[w->nr++] = want;
}

void probe_wants_release(struct probe_wants *w)
{
	for (size_t i = 0; i < w->nr; i++) {
		free(w->v[i].text);
		free(w->v[i].path);
	}
	free(w->v);
	*w = (struct probe_wants){ 0 };
}

void probe_want_failed(const struct probe_want *w, struct err *err)
{
	if (w->line)
		err_prefix(err, "Line %u of standard input", w->line);
}

/* ---- definitions that are lines of a text ---- */

static bool is_input(const struct probe_want *w)
{
	return !strcmp(w->text, INPUT);
}

bool probe_wants_input(const struct probe_wants *w)
{
	for (size_t i = 0; i < w->nr; i++)
		if (is_input(&w->v[i]))
			return true;
	return false;
}

/* Cut off blanks at both ends. */
static void trim(struct line *l)
{
	while (l->p < l->end && isspace((unsigned char)*l->p))
		l->p++;
	while (l->p < l->end && isspace((unsigned char)l->end[-1]))
		l->end--;
}

/* Append a definition for each line, about the objects that @from is about. */
static int add_lines(struct probe_wants *out, const struct probe_want *from, const char *text,
		     size_t len, struct err *err)
{
	const char *p = text, *end = text + len;
	size_t before = out->nr;
	struct line l;

	for (u32 nr = 1; next_line(&p, end, &l); nr++) {
		trim(&l);
		if (l.p < l.end && *l.p != '#')
			probe_wants_add(out, (struct probe_want){
						     .text = xstrndup(l.p, (size_t)(l.end - l.p)),
						     .line = nr,
						     .exec = from->exec,
						     .module = from->module });
	}
	if (out->nr > before)
		return 0;
	return err_set(err, -EINVAL, "Standard input has no definition: write one into each line.");
}

int probe_wants_lines(struct probe_wants *w, const char *text, size_t len, struct err *err)
{
	struct probe_wants out = { 0 };
	int rc = 0;

	for (size_t i = 0; i < w->nr; i++) {
		struct probe_want *from = &w->v[i];

		if (!is_input(from)) {
			probe_wants_add(&out, *from);
			continue;
		}
		if (!rc)
			rc = add_lines(&out, from, text, len, err);
		free(from->text);
	}
	free(w->v);
	*w = out;
	return rc;
}
