// SPDX-License-Identifier: GPL-2.0-or-later
/* Definitions that are lines of standard input. */
#include "base/compat.h"
#include "cmd/probe/probe.h"

#include "base/alloc.h"
#include "base/lines.h"

#include <ctype.h>
#include <errno.h>

#define INPUT_MAX (4U << 20) /* bytes; it ends the reading of input that never ends */

static int read_input(struct strbuf *text, struct err *err)
{
	char piece[4096];
	size_t n;

	while (text->len <= INPUT_MAX && (n = fread(piece, 1, sizeof(piece), stdin)))
		strbuf_add(text, piece, n);
	if (ferror(stdin))
		return err_set(err, -EIO, "The definitions cannot be read from standard input.");
	if (text->len > INPUT_MAX)
		return err_set(err, -EFBIG,
			       "Standard input has more than %u MiB, which are no definitions.",
			       INPUT_MAX >> 20);
	if (memchr(strbuf_str(text), 0, text->len))
		return err_set(err, -EINVAL,
			       "Standard input has zero bytes: it is no text with definitions.");
	return 0;
}

/* Cut off blanks at both ends. */
static void trim(struct line *l)
{
	while (l->p < l->end && isspace((unsigned char)*l->p))
		l->p++;
	while (l->p < l->end && isspace((unsigned char)l->end[-1]))
		l->end--;
}

/* Add a definition for each line, about the objects that the options in front of "-" name. */
static int add_lines(struct probe_cmd *c, const struct probe_want *from, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = read_input(&text, err);
	const char *p = strbuf_str(&text), *end = p + text.len;
	size_t before = c->nr_wants;
	struct line l;

	for (u32 nr = 1; !rc && next_line(&p, end, &l); nr++) {
		trim(&l);
		if (l.p < l.end && *l.p != '#')
			probe_want_add(c, (struct probe_want){
						  .text = xstrndup(l.p, (size_t)(l.end - l.p)),
						  .line = nr,
						  .exec = from->exec,
						  .module = from->module });
	}
	strbuf_release(&text);
	if (!rc && c->nr_wants == before)
		rc = err_set(err, -EINVAL,
			     "Standard input has no definition: write one into each line.");
	return rc;
}

int probe_read_input(struct probe_cmd *c, struct err *err)
{
	struct probe_want *all = c->wants;
	size_t nr = c->nr_wants;
	int rc = 0;

	c->wants = NULL;
	c->nr_wants = c->cap_wants = 0;
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(all[i].text, "-") != 0) {
			probe_want_add(c, all[i]);
			continue;
		}
		if (!rc)
			rc = add_lines(c, &all[i], err);
		free(all[i].text);
	}
	free(all);
	return rc;
}
