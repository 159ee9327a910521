// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: open, then show one refresh after the other until the user, a signal, or whoever reads
 * the output ends it. */
#include "base/compat.h"
#include "cmd/top/top.h"

#include "browse/files.h"
#include "browse/top.h"
#include "cmd/common/browser.h"
#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "toptext/run.h"

#include <unistd.h>

/* ---- the run ---- */

static int run_text(struct top *top, struct err *err)
{
	struct console console;
	const struct toptext_output to = { &console, output_fit, &top->palette };
	int rc = console_open(&console, STDOUT_FILENO, err);

	rc = rc ?: toprun_start(top->text.run, err);
	if (!rc)
		warn_stitching(&toprun_recording(top->text.run)->session, top->stitch);
	rc = rc ?: toptext_run(&top->text, &to, err);
	console_close(&console);
	if (!rc && top->text.view.ended)
		fprintf(stderr, "All threads that were measured have ended.\n");
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
