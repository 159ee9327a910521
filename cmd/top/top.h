/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf top: options (builtin-top.c, options.c), the run (run.c), what it shows (stdio.c, console.c,
 * keys.c, tui.c). */
#ifndef PERF_CMD_TOP_TOP_H
#define PERF_CMD_TOP_TOP_H

#include "annotate/annotate.h"
#include "base/color.h"
#include "report/report.h"
#include "cmd/common/record-front.h"
#include "toprun/toprun.h"
#include "ui/views/top.h"

struct top {
	const struct option *options;
	const char *const *usage;
	/* what is measured */
	struct record_front rec;
	/* what is shown of it */
	struct recording_options source;
	struct profile_options asked;
	struct top_settings set; /* what keys change, too */
	unsigned int entries;    /* rows; 0: as many as fit the terminal */
	u32 shown;               /* index of the event whose rows are shown */
	double percent_limit;
	bool relative, absolute_set;
	u16 widths[HIST_MAX_COLUMNS];
	bool widths_given;
	struct annotate_conf code; /* how functions are looked into */
	char *symbol;       /* owned; the function that is shown instead of rows; NULL: none */
	const char *record; /* a file for all records; NULL: none */
	bool stdio, tui, branch_history, source_lines, dump_symtab;
	bool stitch;
	regex_t callees;
	struct palette palette;
	/* the run */
	struct toprun *run;
	struct toprun_view view;
};

/** top_opt_delay, _graph, _g, _percentage, _limit, _widths, _symbol, _callees - callbacks of
 * options. opt->value: the struct top. */
int top_opt_delay(const struct option *opt, const char *arg, int unset);
int top_opt_graph(const struct option *opt, const char *arg, int unset);
int top_opt_g(const struct option *opt, const char *arg, int unset);
int top_opt_percentage(const struct option *opt, const char *arg, int unset);
int top_opt_limit(const struct option *opt, const char *arg, int unset);
int top_opt_widths(const struct option *opt, const char *arg, int unset);
int top_opt_symbol(const struct option *opt, const char *arg, int unset);
int top_opt_callees(const struct option *opt, const char *arg, int unset);

/** top_has_rows - tell whether an event has rows of its own: members of groups have theirs in those
 * of their leaders. */
bool top_has_rows(const struct top *top, u32 evsel);
/** top_nr_events - return how many events have rows of their own. */
size_t top_nr_events(const struct top *top);
/** top_refresh - count anew, or with @again show the last refresh as the settings are now; with the
 * lock of top->run. Return: 0, or negative errno and a sentence. */
int top_refresh(struct top *top, bool again, struct err *err);
/** top_put_title - append the line that says what was measured. */
void top_put_title(const struct top *top, struct strbuf *out);
/** top_put_warnings - append a line for each thing that makes numbers doubtful. */
void top_put_warnings(const struct top *top, struct strbuf *out);
/** top_conf - return how rows are printed. */
struct report_conf top_conf(const struct top *top);
/** top_put_rows - append at most @nr rows of an event, with their call graphs. */
void top_put_rows(const struct top *top, const struct report_conf *conf, u32 evsel, size_t nr,
		  struct strbuf *out);
/** top_next_event - go to the next event that has rows. Return: false: there is no other. */
bool top_next_event(struct top *top);
/**
 * top_annotate - append the lines of a function with what was counted at each, and some around
 * them; with the lock of top->run. Return: 0, or negative errno and a sentence.
 */
int top_annotate(struct top *top, const char *name, struct strbuf *out, struct err *err);
/** top_browse - show on a screen (tui.c). Return: 0, or negative errno and a sentence. */
int top_browse(struct top *top, struct ui *ui, struct err *err);
/** top_dump_symtabs - print the symbols of the objects that samples were in, on stderr. */
void top_dump_symtabs(const struct top *top);
/** top_run - measure and show until the user has seen enough. Return: exit status. */
int top_run(struct top *top);
/** top_print - append the screen of the last refresh. @columns, @lines: of the terminal; 0: it is
 * none */
void top_print(struct top *top, u32 columns, u32 lines, struct strbuf *out);

#endif
