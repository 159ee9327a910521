/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This shows what could be probed in an object, as text or (@json) as a document. No running kernel
 * is asked about the file of one that the options name. */
#ifndef PERF_PROBERUN_SHOW_H
#define PERF_PROBERUN_SHOW_H

#include "probe/lines-text.h"
#include "proberun/proberun.h"

/**
 * probe_show_functions - append the names of functions.
 * @filter: selects them (probe/filter.h); NULL: those that a user may mean
 * Return: 0, or a negative errno and a sentence.
 */
int probe_show_functions(const struct probe_run *r, const char *filter, bool json,
			 struct strbuf *out, struct err *err);
/** probe_show_lines - append the source lines of @range (probe/lines-text.h). Return: as above. */
int probe_show_lines(const struct probe_run *r, const char *range, enum lines_form form,
		     struct strbuf *out, struct err *err);

/* The variables that are asked for. */
struct probe_show_vars {
	const char *place;    /* borrowed: a definition without a name and arguments */
	const char *filter;   /* borrowed: selects names; NULL: those that a user may mean */
	bool externs, ranges; /* as of struct vars_shown */
};

/** probe_show_vars - append the variables that can be arguments at a place. Return: as above. */
int probe_show_vars(const struct probe_run *r, const struct probe_show_vars *v, bool json,
		    struct strbuf *out, struct err *err);

#endif
