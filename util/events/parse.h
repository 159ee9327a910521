/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event text to events:
 *
 *	list  := item { ',' item }
 *	item  := [ name [':'] ] '{' event { ',' event } '}' [ ':' modifiers ]  |  event
 *	event := thing [ ':' modifiers ]  |  thing '/' terms '/' [ [':'] modifiers ]
 *	thing := name | rHEX | TYPE ':' CONFIG | system ':' name | pmu
 *		 | mem:WHERE[@OBJECT][/LEN][:rwx]
 *		 | sdt_provider ':' name [ '@' path [ '(' build-id ')' ] ]
 *
 * Names: generic hardware, software, cache and tool events; those that PMUs of sysfs have in their
 * events/ folder and those of event sources; tracepoints with globs on both sides. A tracepoint may
 * have terms, a breakpoint may not; a PMU must. What terms say of sampling is kept in struct
 * evsel_terms until evlist_configure(). One text can become several events: a glob of tracepoints,
 * or PMUs whose names differ in a number (terms.merge).
 */
#ifndef PERF_EVENTS_PARSE_H
#define PERF_EVENTS_PARSE_H

#include "base/err.h"
#include "base/suggest.h"
#include "base/sysroot.h"
#include "events/evlist.h"

/* An event that a table of a vendor describes. Strings are owned by whoever has the struct. */
struct source_event {
	char *pmu;   /* what it counts on, as pmu_matches() has it ("cpu", "uncore_imc"); NULL: attr
			is   the event */
	char *terms; /* of @pmu: "event=0xc0,umask=0x1,period=2000003" */
	struct perf_event_attr attr;
	char *unit;   /* of its counts; NULL without */
	double scale; /* 0 without */
	bool per_pkg, snapshot;
	char *why; /* with errors other than -ENOENT: what is wrong; NULL: as the error says */
};

/*
 * Where names come from that neither the kernel nor sysfs has: asked when a name, alone or between
 * the slashes of a PMU, is not known otherwise; in the order of the list, the first that knows it.
 */
struct event_source {
	const char *name; /* for messages */
	void *ctx;        /* borrowed */
	/* @pmu: the word before the slash; NULL when the name stands alone.
	 * @nth: of several PMUs that have it, from 0.
	 * Return: 0 with @out filled in, -ENOENT: not mine, other errors: told at the name. */
	int (*find)(void *ctx, const char *pmu, const char *name, u32 nth,
		    struct source_event *out);
	/* near_add() each name it has (@pmu as above); NULL: suggests nothing */
	void (*suggest)(void *ctx, const char *pmu, struct near *near);
};

struct pmus;

/* What event texts are read against. All borrowed. */
struct parse_env {
	const struct sysroot *sr; /* NULL: the real machine */
	const struct event_source *const *sources;
	size_t nr_sources;
	bool programs;     /* breakpoints may be at symbols of programs: evsel.late is looked at */
	struct pmus *pmus; /* where those of sysfs stay from one text to the next; NULL: nowhere */
	/* Makes tracepoints of the markers @sys:@name, either a glob, that tracefs does not have;
	 * NULL: not offered. @object: "PATH", "PATH(BUILD-ID" or NULL for any. Return: 0 when there
	 * are some now, -ENOENT: nobody has such a marker, other errors with a sentence. */
	int (*probe)(void *ctx, const char *sys, const char *name, const char *object,
		     struct err *err);
	void *probe_ctx;
};

struct parse_error {
	size_t at;       /* byte in the event text */
	char text[512];  /* what is wrong there */
	char help[2048]; /* more lines below; "" when there are none */
};

/**
 * parse_events - append the events of @text to @l.
 * Events get type, config, modifiers and terms; sampling is configured later (events/config.h).
 * Return: 0; or -EINVAL, -ENOENT, -EACCES with @pe filled and @l as it was.
 */
int parse_events(struct evlist *l, const char *text, const struct parse_env *env,
		 struct parse_error *pe);

/** parse_default - cycles at the highest precision, as record does without -e; of each kind of
 * cores that the processor has. */
void parse_default(struct evlist *l, const struct parse_env *env);

/**
 * parse_error_format - the message as a user sees it: the text, a caret below the wrong place, the
 * reason. Long texts are cut so that the place fits a line of @width columns.
 */
void parse_error_format(const struct parse_error *pe, const char *text, size_t width,
			struct strbuf *out);

/** event_modifiers - apply some of "ukhGHpPSDIebW" to an event, beside those it has. Return: 0,
 * -EINVAL: unknown letter, one too many, or more than three p. */
int event_modifiers(struct evsel *e, const char *mods, size_t len);

/** breakpoint_kind - attr.bp_type and .bp_len of a breakpoint. 0: as it suits code, or data. */
void breakpoint_kind(struct evsel *e, u32 type, u32 len, bool code);

/** tracefs_path - where tracefs is mounted ("/sys/kernel/tracing"), without the sysroot prefix; a
 * constant. */
const char *tracefs_path(const struct sysroot *sr);

#endif
