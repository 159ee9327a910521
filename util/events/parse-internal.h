/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts of the event parser. */
#ifndef PERF_EVENTS_PARSE_INTERNAL_H
#define PERF_EVENTS_PARSE_INTERNAL_H

#include "events/parse.h"

struct evparse {
	const char *text; /* all of it */
	const char *p;    /* next byte */
	struct evlist *l;
	const struct sysroot *sr;
	struct parse_error *pe;
};

/* Fills the error at @at; returns @code. */
int parse_fail(struct evparse *ep, const char *at, int code, const char *fmt, ...) __printf(4, 5);

/* Tracepoints matching sys:name (@at: where it starts); adds one event each, in the order of names.
 */
int parse_tracepoint(struct evparse *ep, const char *at, const char *sys, const char *name);

/* An event of a sysfs PMU, or terms on a generic one. @terms: between the slashes. */
int parse_terms(struct evparse *ep, struct evsel *e, const char *pmu, const char *terms,
		size_t len);
/* Is there such a PMU, and its type. */
int pmu_type(const struct sysroot *sr, const char *pmu, u32 *type);

#endif
