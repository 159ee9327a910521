/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts of the event parser. */
#ifndef PERF_EVENTS_PARSE_INTERNAL_H
#define PERF_EVENTS_PARSE_INTERNAL_H

#include "events/parse.h"
#include "events/pmu.h"

enum parse_kinds { KINDS_UNKNOWN, KINDS_ONE, KINDS_SEVERAL };

struct evparse {
	const char *text; /* all of it */
	const char *p;    /* next byte */
	struct evlist *l;
	const struct parse_env *env;
	const struct sysroot *sr;
	struct parse_error *pe;
	struct pmus pmus; /* of sysfs, when one was asked for and @env has no place for them */
	enum parse_kinds kinds; /* of cores */
};

/* Fills the error at @at; returns @code. */
int parse_fail(struct evparse *ep, const char *at, int code, const char *fmt, ...) __printf(4, 5);
/* The lines below the error. */
void parse_help(struct evparse *ep, const char *fmt, ...) __printf(2, 3);
/* "Did you mean ...?" below the error, when there is something near. Releases @n. */
void parse_help_near(struct evparse *ep, struct near *n);

/* A decimal number or, with 0x, a hexadecimal one, of exactly @len bytes. */
bool parse_number(const char *p, size_t len, u64 *v);
/* The PMUs of sysfs, read when first asked for. */
struct pmus *parse_pmus(struct evparse *ep);
/* An event of type and config; @at to @end is its name. */
struct evsel *parse_add(struct evparse *ep, u32 type, u64 config, const char *at, const char *end);
struct event_symbol;
/* Is it "r1a8"? */
bool parse_raw(const char *name, u64 *config);

/* --- modifiers.c */
bool modifiers_known(const char *mods, size_t len);

/* --- tracepoint.c: events of sys:name, in the order of names; @at: where it starts
 * @object: the one whose marker is meant; NULL: any */
int parse_tracepoint(struct evparse *ep, const char *at, const char *sys, const char *name,
		     const char *object);

/* A word that is a system of tracepoints, or one of its events: says so. */
bool parse_help_tracepoint(struct evparse *ep, const char *name);

/* --- breakpoint.c: mem:... with ep->p behind "mem:" */
int parse_breakpoint(struct evparse *ep, const char *at);

/* --- terms.c: which terms an event takes */
enum term_kind { TERMS_GENERIC, TERMS_TRACEPOINT, TERMS_PMU };

/* Where the terms at @p end: at the slash, or at the end of the text. */
const char *terms_end(const char *p);
/* The terms between @p and @end to @e. @pmu: with TERMS_PMU.
 * @report_at: where errors point, for terms that are not in the text itself; else NULL
 * @inside: they are what a table says of a name */
int parse_terms(struct evparse *ep, struct evsel *e, enum term_kind kind, struct pmu *pmu,
		const char *p, const char *end, const char *report_at, bool inside);

/* --- cores.c */
/* Is it one of several kinds of cores, "cpu_core"? */
bool parse_is_kind(const struct pmu *pmu);
/* The event at @from, the last one, once for each kind of cores if it is a generic one. */
void parse_split_cores(struct evparse *ep, size_t from);
/* The events from @from on are a group, or one for each kind of cores. */
void parse_make_groups(struct evlist *l, size_t from, const char *name, size_t len);

/* --- pmu-event.c */
/* An event on each PMU that @name means, with terms from @p to @end; its text is @at to @stop. */
int parse_pmu_event(struct evparse *ep, const char *at, const char *stop, const char *name,
		    const char *p, const char *end);
/* A word that PMUs of sysfs or a vendor's table have as a name. Return: 1 when none does. */
int parse_named(struct evparse *ep, const char *at, const char *stop, const char *name);
/* What a vendor's table says of a name: its terms are added to @e. Return: 1 when none has it. */
int parse_vendor_term(struct evparse *ep, struct evsel *e, struct pmu *pmu, const char *name,
		      const char *at);
/* Everything that @word may have been meant to be. */
void parse_near_names(struct evparse *ep, struct near *n);
/* unit, scale and so on of a named event */
void parse_alias_marks(struct evsel *e, const char *unit, double scale, bool per_pkg,
		       bool snapshot);

#endif
