// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toptext/run.h"

#include "toptext/keys.h"

#include <errno.h>

struct text_run {
	struct toptext *t;
	const struct toptext_output *to;
};

/* ---- refreshes ---- */

static void put_screen(const struct text_run *r, struct strbuf *out)
{
	const struct console *console = r->to->console;
	const struct toptext_terminal term = {
		.columns = console->columns,
		.lines = console->lines,
		.fit = r->to->fit(),
		.palette = console->columns ? r->to->palette : NULL,
	};

	toptext_screen(r->t, &term, out);
}

/* Make the text of a refresh while no samples are counted, and write it when they are again. */
static int show(const struct text_run *r, struct err *err)
{
	struct console *console = r->to->console;
	struct strbuf text = STRBUF_INIT;
	int rc;

	toprun_lock(r->t->run);
	rc = toptext_refresh(r->t, false, err);
	if (!rc) {
		console_begin(console, &text);
		put_screen(r, &text);
	}
	toprun_unlock(r->t->run);
	if (!rc && console_write(console, &text))
		rc = -EPIPE;
	strbuf_release(&text);
	return rc;
}

/* ---- keys ---- */

static char *ask(void *ctx, const char *question)
{
	return console_ask(((const struct text_run *)ctx)->to->console, question);
}

/* Show all keys, and take one of them. Return: as console_key_fn */
static bool help(struct text_run *r)
{
	struct strbuf text = STRBUF_INIT;
	char key;

	strbuf_addstr(&text, "\nMapped keys:\n");
	toptext_keys(r->t, &text);
	strbuf_addstr(&text, "\nEnter selection, or unmapped key to continue: ");
	console_write(r->to->console, &text);
	strbuf_release(&text);
	key = console_next_key(r->to->console);
	return !key || toptext_key(r->t, key, ask, r) == TOPTEXT_QUIT;
}

/* Without a terminal, what stands for nothing is the rest of a line that somebody has written. */
static bool on_key(void *ctx, char key)
{
	struct text_run *r = ctx;
	enum toptext_did did = toptext_key(r->t, key, ask, r);

	if (did == TOPTEXT_UNKNOWN && r->to->console->raw)
		return help(r);
	return did == TOPTEXT_QUIT;
}

int toptext_run(struct toptext *t, const struct toptext_output *to, struct err *err)
{
	struct text_run r = { t, to };
	int rc = 0;

	while (!rc && !t->view.ended && !console_wait(to->console, &t->set.delay, on_key, &r))
		rc = show(&r, err);
	return rc == -EPIPE ? 0 : rc; /* whoever reads has seen enough */
}
