/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the parts of the event parser. */
#ifndef PERF_EVENTS_PARSE_INTERNAL_H
#define PERF_EVENTS_PARSE_INTERNAL_H

#include "base/int-list.h"
#include "events/parse.h"
#include "events/pmu.h"

enum parse_kinds { KINDS_UNKNOWN, KINDS_ONE, KINDS_SEVERAL };

struct evparse {
	const char *text; /* the whole event text */
	const char *p;    /* next byte */
	struct evlist *l;
	const struct parse_env *env;
	const struct sysroot *sr;
	struct parse_error *pe;
	struct pmus pmus;       /* those of sysfs, if needed and if @env has no place for them */
	enum parse_kinds kinds; /* whether there are several kinds of cores */
};

/* Records an error at @at; returns @code. */
int parse_fail(struct evparse *ep, const char *at, int code, const char *fmt, ...) __printf(4, 5);
/* Appends to the lines below the error. */
void parse_help(struct evparse *ep, const char *fmt, ...) __printf(2, 3);
/* Appends "Did you mean ...?" when @n has found a name, and releases @n. */
void parse_help_near(struct evparse *ep, struct near *n);

/* Parses a decimal number, or with 0x a hexadecimal one, of exactly @len bytes. */
bool parse_number(const char *p, size_t len, u64 *v);
/* Returns the PMUs of sysfs, which are read at the first call. */
struct pmus *parse_pmus(struct evparse *ep);
/* Makes @e count on those of @cpus only on which it counts anyway. Returns false, and changes
 * nothing, when there are none. */
bool parse_only_on(struct evsel *e, const struct int_list *cpus);
/* Appends an event of @type and @config whose name is the text from @at to @end. */
struct evsel *parse_add(struct evparse *ep, u32 type, u64 config, const char *at, const char *end);
struct event_symbol;
/* Tells whether @name is a raw event such as "r1a8". */
bool parse_raw(const char *name, u64 *config);

/* --- modifiers.c */
bool modifiers_known(const char *mods, size_t len);

/* --- tracepoint.c: appends the tracepoints that @sys:@name matches, sorted by name.
 * @at: start of the text; @object: the object whose marker is meant; NULL: any */
int parse_tracepoint(struct evparse *ep, const char *at, const char *sys, const char *name,
		     const char *object);

/* Adds a hint when @name is a tracepoint or a system of tracepoints. */
bool parse_help_tracepoint(struct evparse *ep, const char *name);

/* --- breakpoint.c: parses mem:..., with ep->p after "mem:" */
int parse_breakpoint(struct evparse *ep, const char *at);

/* --- terms.c: the terms that an event accepts */
enum term_kind { TERMS_GENERIC, TERMS_TRACEPOINT, TERMS_PMU };

/* Returns the end of the terms at @p: the slash, or the end of the text. */
const char *terms_end(const char *p);
/* Returns the comma after the term at @p, or @end. Commas within quotes are parts of a term. */
const char *term_stop(const char *p, const char *end);
/* Applies the terms between @p and @end to @e. @pmu: its PMU, with TERMS_PMU
 * @report_at: the place errors point to, for terms that are not in the text; else NULL
 * @inside: the terms come from a table, as the definition of a name */
int parse_terms(struct evparse *ep, struct evsel *e, enum term_kind kind, struct pmu *pmu,
		const char *p, const char *end, const char *report_at, bool inside);

/* --- cores.c */
/* Tells whether @pmu is one of several kinds of cores, such as "cpu_core". */
bool parse_is_kind(const struct pmu *pmu);
/* Replaces the last event, number @from, if it is generic, by one for each kind of cores that has
 * CPUs on which the event is to count. @at: where errors point to */
int parse_split_cores(struct evparse *ep, size_t from, const char *at);
/* Makes the events from @from on a group, or a group for each kind of cores. */
void parse_make_groups(struct evlist *l, size_t from, const char *name, size_t len);

/* --- pmu-event.c */
/* Appends an event on each PMU that @name matches, with the terms from @p to @end. The text of
 * the event is @at to @stop. */
int parse_pmu_event(struct evparse *ep, const char *at, const char *stop, const char *name,
		    const char *p, const char *end);
/* Appends the event that PMUs of sysfs or a vendor's table know as @name. Return: 1 when none
 * does. */
int parse_named(struct evparse *ep, const char *at, const char *stop, const char *name);
/* Appends the gauges (gauges/gauges.h) that are called @name or, in the text @p of terms until
 * @end, @pmu/NAME/; @p is NULL for names that stand alone. Return: 1 when there is none of that
 * name. */
int parse_gauge(struct evparse *ep, const char *at, const char *stop, const char *name,
		const char *p, const char *end);
/* Adds the terms that a vendor's table has for @name to @e. Return: 1 when no table has it. */
int parse_vendor_term(struct evparse *ep, struct evsel *e, struct pmu *pmu, const char *name,
		      const char *at);
/* Offers every name that the word may have been meant to be. */
void parse_near_names(struct evparse *ep, struct near *n);
/* Sets unit, scale and the like of a named event. */
void parse_alias_marks(struct evsel *e, const char *unit, double scale, bool per_pkg,
		       bool snapshot);

#endif
