// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/probe/probe.h"

#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "cmd/common/settings.h"
#include "proberun/batch.h"
#include "proberun/cache.h"
#include "proberun/live.h"
#include "proberun/show.h"

#include <errno.h>
#include <unistd.h>

#define INPUT_MAX (4U << 20) /* bytes; it ends the reading of input that never ends */

/* Print the sentence of @err and that @what failed. Return: the exit status. */
static int fail(const struct err *err, const char *what)
{
	error_err(err);
	error("Failed to %s.", what);
	return err->code;
}

/* Print a text that was made, or say what failed. */
static int finish(int rc, struct strbuf *text, const struct err *err, const char *what)
{
	if (rc) {
		strbuf_release(text);
		return fail(err, what);
	}
	setup_pager();
	print_text(text);
	return 0;
}

/* ---- adding ---- */

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

/* Replace what stands for standard input, and for objects of the build-id cache. */
static int complete_wants(struct probe_cmd *c, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = 0;

	if (probe_wants_input(&c->wants)) {
		rc = read_input(&text, err);
		if (!rc)
			rc = probe_wants_lines(&c->wants, strbuf_str(&text), text.len, err);
	}
	if (!rc)
		rc = probe_wants_markers(&c->wants, &c->run, err);
	strbuf_release(&text);
	return rc;
}

/* Print @text where the other messages go. */
static void tell(const struct notices *n, struct strbuf *text)
{
	notice(n, "%s", strbuf_str(text));
	strbuf_release(text);
}

int probe_verb_add(struct probe_cmd *c)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc = complete_wants(c, &err);
	struct probe_batch *b = rc ? NULL : probe_batch_new(&c->run, &c->wants, &err);

	if (!b) {
		rc = err.code;
	} else if (c->run.definitions) {
		rc = probe_batch_lines(b, c->bootconfig, &text, &err);
		print_text(&text);
	} else {
		rc = probe_batch_add(b, &err);
		if (!rc)
			probe_batch_text(b, &text);
		tell(c->run.notices, &text);
	}
	probe_batch_free(b);
	return rc ? fail(&err, "add events") : 0;
}

/* ---- events that there are ---- */

int probe_verb_remove(const struct probe_cmd *c)
{
	struct err err = { 0 };
	int rc = c->run.cache ? probe_cache_remove(&c->run, c->deletions, c->nr_deletions, &err)
			      : probe_live_remove(&c->run, c->deletions, c->nr_deletions, &err);

	return rc ? fail(&err, "delete events") : 0;
}

int probe_verb_list(const struct probe_cmd *c)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc = c->run.cache ? probe_cache_list(&c->run, c->list, &text, &err)
			      : probe_live_list(&c->run, c->list, c->json, &text, &err);

	return finish(rc, &text, &err, "show event list");
}

/* ---- what could be probed ---- */

int probe_verb_functions(const struct probe_cmd *c)
{
	const char *filter = *c->funcs ? c->funcs : c->filter;
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc = probe_show_functions(&c->run, filter, c->json, &text, &err);

	return finish(rc, &text, &err, "show functions");
}

int probe_verb_lines(const struct probe_cmd *c)
{
	bool color = color_wanted(config_color(), STDOUT_FILENO);
	enum lines_form form = c->json ? LINES_JSON : color ? LINES_COLORED : LINES_PLAIN;
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc = probe_show_lines(&c->run, c->lines, form, &text, &err);

	return finish(rc, &text, &err, "show lines");
}

int probe_verb_vars(const struct probe_cmd *c)
{
	const struct probe_show_vars v = { c->vars, c->filter, c->externs, c->range };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc = probe_show_vars(&c->run, &v, c->json, &text, &err);

	return finish(rc, &text, &err, "show vars");
}
