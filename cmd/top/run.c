// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: open, then show one refresh after the other until the user, a signal, or whoever reads
 * the output ends it. */
#include "base/compat.h"
#include "cmd/top/top.h"

#include "cli/terminal.h"
#include "cmd/common/browser.h"
#include "cmd/common/message.h"
#include "cmd/top/console.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* ---- events ---- */

bool top_has_rows(const struct top *top, u32 evsel)
{
	const struct evsel *e = top->rec.evlist.evsels[evsel];

	return !evsel_is_dummy(e) && (!top->asked.group || e->leader == evsel);
}

size_t top_nr_events(const struct top *top)
{
	size_t nr = 0;

	for (u32 i = 0; i < top->rec.evlist.nr; i++)
		nr += top_has_rows(top, i);
	return nr;
}

bool top_next_event(struct top *top)
{
	u32 nr = (u32)top->rec.evlist.nr, was = top->shown;

	do
		top->shown = (top->shown + 1) % nr;
	while (!top_has_rows(top, top->shown));
	return top->shown != was;
}

int top_refresh(struct top *top, bool again, struct err *err)
{
	const struct toprun_look look = { .hide_kernel = top->set.hide_kernel,
					  .hide_user = top->set.hide_user,
					  .zero = top->set.zero,
					  .again = again };

	return toprun_refresh(top->run, &look, &top->view, err);
}

/* ---- text ---- */

static int write_all(const struct strbuf *text)
{
	for (size_t at = 0; at < text->len;) {
		ssize_t n = write(STDOUT_FILENO, text->buf + at, text->len - at);

		if (n < 0 && errno != EINTR)
			return -errno;
		at += n < 0 ? 0 : (size_t)n;
	}
	return 0;
}

/* Make the text of a refresh while no samples are counted, and print it when they are again. */
static int show(struct top *top, struct console *console, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc;

	toprun_lock(top->run);
	rc = top_refresh(top, false, err);
	if (!rc) {
		console_begin(console, &text);
		top_print(top, console->columns, console->lines, &text);
	}
	toprun_unlock(top->run);
	if (!rc && write_all(&text))
		rc = -EPIPE;
	strbuf_release(&text);
	return rc;
}

/* Show refreshes until something ends it. Return: 0, or negative errno. */
static int show_all(struct top *top, struct console *console, struct err *err)
{
	int rc = 0;

	while (!rc && !console_wait(console, top)) {
		rc = show(top, console, err);
		if (top->view.ended)
			break;
	}
	if (rc == -EPIPE)
		return 0; /* whoever reads has seen enough */
	if (!rc && top->view.ended)
		fprintf(stderr, "All threads that were measured have ended.\n");
	return rc;
}

/* ---- the run ---- */

static int run_text(struct top *top, struct err *err)
{
	struct console console;
	int rc = console_open(&console, err);

	rc = rc ?: toprun_start(top->run, err);
	if (!rc)
		warn_stitching(&toprun_recording(top->run)->session, top->stitch);
	rc = rc ?: show_all(top, &console, err);
	console_close(&console);
	return rc;
}

/* Show screens, or text where there is no terminal for them. */
static int show_any(struct top *top, struct err *err)
{
	struct ui ui;
	int rc;

	if (top->symbol || !browser_wanted("top", top->stdio, top->tui) ||
	    !browser_open(&ui, top->tui))
		return run_text(top, err);
	ui_busy(&ui, "Reading what runs...");
	rc = toprun_start(top->run, err) ?: top_browse(top, &ui, err);
	browser_close(&ui);
	return rc;
}

static int measure(struct top *top)
{
	struct err err = { 0 };
	int rc = toprun_open(top->run, &err);

	if (rc) {
		fprintf(stderr, "Error:\n");
		error_err(&err);
		return EXIT_FAILED;
	}
	rc = show_any(top, &err);
	if (!rc && top->dump_symtab && top->view.profile)
		top_dump_symtabs(top);
	rc = rc ?: toprun_finish(top->run, &err);
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
					  .refresh_ms = (unsigned int)(top->set.delay * 1000) };
	int status;

	top->run = toprun_new(&conf);
	status = measure(top);
	toprun_free(top->run);
	return status;
}
