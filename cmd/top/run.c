// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: open, then show one refresh after the other until the user, a signal, or whoever reads
 * the output ends it. */
#include "base/compat.h"
#include "cmd/top/top.h"

#include "browse/files.h"
#include "browse/top.h"
#include "cli/console.h"
#include "cli/terminal.h"
#include "cmd/common/browser.h"
#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "toptext/keys.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* ---- text ---- */

static void put_screen(struct top *top, const struct console *console, struct strbuf *out)
{
	const struct toptext_terminal term = {
		.columns = console->columns,
		.lines = console->lines,
		.fit = output_fit(),
		.palette = console->columns ? &top->palette : NULL,
	};

	toptext_screen(&top->text, &term, out);
}

/* Make the text of a refresh while no samples are counted, and print it when they are again. */
static int show(struct top *top, struct console *console, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc;

	toprun_lock(top->text.run);
	rc = toptext_refresh(&top->text, false, err);
	if (!rc) {
		console_begin(console, &text);
		put_screen(top, console, &text);
	}
	toprun_unlock(top->text.run);
	if (!rc && console_write(console, &text))
		rc = -EPIPE;
	strbuf_release(&text);
	return rc;
}

/* Keys change these members. */
struct key_press {
	struct top *top;
	struct console *console;
};

static char *ask(void *ctx, const char *question)
{
	return console_ask(((struct key_press *)ctx)->console, question);
}

/* Show all keys, and take one of them. Return: as console_key_fn */
static bool help(struct key_press *p)
{
	struct strbuf text = STRBUF_INIT;
	char key;

	strbuf_addstr(&text, "\nMapped keys:\n");
	toptext_keys(&p->top->text, &text);
	strbuf_addstr(&text, "\nEnter selection, or unmapped key to continue: ");
	console_write(p->console, &text);
	strbuf_release(&text);
	key = console_next_key(p->console);
	return !key || toptext_key(&p->top->text, key, ask, p) == TOPTEXT_QUIT;
}

/* Without a terminal, what stands for nothing is the rest of a line that somebody has written. */
static bool on_key(void *ctx, char key)
{
	struct key_press *p = ctx;
	enum toptext_did did = toptext_key(&p->top->text, key, ask, p);

	if (did == TOPTEXT_UNKNOWN && p->console->raw)
		return help(p);
	return did == TOPTEXT_QUIT;
}

/* Show refreshes until something ends it. Return: 0, or negative errno. */
static int show_all(struct top *top, struct console *console, struct err *err)
{
	struct key_press press = { top, console };
	int rc = 0;

	while (!rc && !console_wait(console, &top->text.set.delay, on_key, &press)) {
		rc = show(top, console, err);
		if (top->text.view.ended)
			break;
	}
	if (rc == -EPIPE)
		return 0; /* whoever reads has seen enough */
	if (!rc && top->text.view.ended)
		fprintf(stderr, "All threads that were measured have ended.\n");
	return rc;
}

/* ---- the run ---- */

static int run_text(struct top *top, struct err *err)
{
	struct console console;
	int rc = console_open(&console, STDOUT_FILENO, err);

	rc = rc ?: toprun_start(top->text.run, err);
	if (!rc)
		warn_stitching(&toprun_recording(top->text.run)->session, top->stitch);
	rc = rc ?: show_all(top, &console, err);
	console_close(&console);
	return rc;
}

/* Show screens, or text where there is no terminal for them. */
static int show_any(struct top *top, struct err *err)
{
	struct ui ui;
	char *command;
	int rc;

	if (top->text.symbol || !browser_wanted("top", top->stdio, top->tui) ||
	    !browser_open(&ui, top->tui))
		return run_text(top, err);
	ui_busy(&ui, "Reading what runs...");
	command = browse_command(top->rec.o.argc, top->rec.o.argv);
	rc = toprun_start(top->text.run, err);
	rc = rc ?: browse_top(&ui, &top->text, &top->asked, command, err);
	free(command);
	browser_close(&ui);
	return rc;
}

/* The symbols go to standard error, as in perf 6.1. */
static void dump_symtabs(const struct top *top)
{
	struct strbuf text = STRBUF_INIT;

	toptext_symtabs(&top->text, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

static int measure(struct top *top)
{
	struct err err = { 0 };
	int rc = toprun_open(top->text.run, &err);

	if (rc) {
		fprintf(stderr, "Error:\n");
		error_err(&err);
		return EXIT_FAILED;
	}
	rc = show_any(top, &err);
	if (!rc && top->dump_symtab && top->text.view.profile)
		dump_symtabs(top);
	rc = rc ?: toprun_finish(top->text.run, &err);
	if (!rc)
		return EXIT_OK;
	error_err(&err);
	return EXIT_FAILED;
}

int top_run(struct top *top)
{
	const struct record_notes notes = record_front_notes(&top->rec);
	const struct toprun_conf conf = { .sysroot = &top->rec.sysroot,
					  .opts = &top->rec.o,
					  .events = &top->rec.evlist,
					  .notes = &notes,
					  .source = &top->source,
					  .asked = &top->asked,
					  .record = top->record,
					  .refresh_ms =
						  (unsigned int)(top->text.set.delay * 1000) };
	int status;

	top->text.run = toprun_new(&conf);
	status = measure(top);
	toprun_free(top->text.run);
	return status;
}
