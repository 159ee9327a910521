/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A live profile as text: the line above it, its rows, functions that are looked into. */
#ifndef PERF_TOPTEXT_TOPTEXT_H
#define PERF_TOPTEXT_TOPTEXT_H

#include "annotate/annotate.h"
#include "kernel/target.h"
#include "report/report.h"
#include "toprun/toprun.h"
#include "ui/views/report-live.h"

/* It tells what is shown, and how. Pointers are borrowed unless they are said to be owned. */
struct toptext {
	struct toprun *run;
	struct toprun_view view;             /* the last refresh */
	struct live_settings set;            /* what keys change */
	const struct profile_options *asked; /* NULL: what the run was asked for */
	const struct evlist *events;         /* those that are measured */
	const struct target *target;
	u32 shown;            /* index of the event whose rows are shown */
	unsigned int entries; /* rows; 0: as many as fit the terminal */
	double percent_limit;
	bool relative;                 /* shares are of what passes filters */
	bool groups;                   /* members of groups share rows */
	const u16 *widths;             /* of columns; NULL: as needed */
	struct annotate_conf code;     /* how functions are looked into */
	bool nr_samples, total_period; /* of them, numbers instead of shares */
	char *symbol; /* owned; the function that is shown instead of rows; NULL: none */
};

/* The terminal that text is for. All 0: it is for something else. */
struct toptext_terminal {
	u32 columns, lines;
	struct fit fit;
	const struct palette *palette;
};

/** toptext_has_rows - tell whether an event has rows of its own: members of groups have theirs in
 * those of their leaders. */
bool toptext_has_rows(const struct toptext *t, u32 evsel);
/** toptext_nr_events - return how many events have rows of their own. */
size_t toptext_nr_events(const struct toptext *t);
/** toptext_next_event - go to the next one. Return: false: there is no other. */
bool toptext_next_event(struct toptext *t);

/*
 * The rest needs the lock of t->run.
 */

/** toptext_refresh - count anew, or with @again show the last refresh as the settings are now.
 * Return: 0, or negative errno and a sentence. */
int toptext_refresh(struct toptext *t, bool again, struct err *err);
/** toptext_title - append the line that says what was measured. */
void toptext_title(const struct toptext *t, struct strbuf *out);
/** toptext_losses - append how many records and samples were lost: " lost: 0/0 drop: 0/0". */
void toptext_losses(const struct toptext *t, struct strbuf *out);
/** toptext_warnings - append a line for each thing that makes numbers doubtful. */
void toptext_warnings(const struct toptext *t, struct strbuf *out);
/** toptext_conf - return how rows are printed. */
struct report_conf toptext_conf(const struct toptext *t);
/** toptext_rows - append at most @nr rows of an event, with their call graphs. */
void toptext_rows(const struct toptext *t, const struct report_conf *conf, u32 evsel, size_t nr,
		  struct strbuf *out);
/** toptext_screen - append all of the last refresh, as it fits the terminal. */
void toptext_screen(struct toptext *t, const struct toptext_terminal *term, struct strbuf *out);
/**
 * toptext_annotate - append the lines of a function with what was counted at each, and some around
 * them. Return: 0, or negative errno and a sentence.
 */
int toptext_annotate(struct toptext *t, const char *name, struct strbuf *out, struct err *err);
/** toptext_counts - count the samples that are kept by function and instruction. Return: the caller
 * frees it with annotate_counts_free(). */
struct annotate_counts *toptext_counts(struct toptext *t);
/** toptext_stacks - make the tree of the stacks of the samples that are shown. Return: the caller
 * frees it with stacks_free(); NULL and a sentence. */
struct stacks *toptext_stacks(const struct toptext *t, struct err *err);
/** toptext_symtabs - append the symbols of the objects that samples of the last refresh were in. */
void toptext_symtabs(const struct toptext *t, struct strbuf *out);

#endif
