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
 * A name is that of a generic hardware, software, cache or tool event, of an event in the events/
 * folder of a PMU in sysfs, or of an event that an event source knows. Tracepoints may have globs
 * on both sides of the colon. A tracepoint may have terms, a breakpoint may not, and a PMU must.
 * Terms about sampling are kept in struct evsel_terms until evlist_configure(). One text can
 * become several events: those of a glob of tracepoints, or one for each PMU of several whose names
 * differ in a number (terms.merge).
 */
#ifndef PERF_EVENTS_PARSE_H
#define PERF_EVENTS_PARSE_H

#include "base/err.h"
#include "base/suggest.h"
#include "base/sysroot.h"
#include "events/evlist.h"

/* An event that a vendor's table describes. The holder of the struct owns the strings. */
struct source_event {
	char *pmu;   /* its PMU as pmu_matches() takes it ("cpu", "uncore_imc"); NULL: attr is the
			event */
	char *terms; /* terms for @pmu: "event=0xc0,umask=0x1,period=2000003" */
	struct perf_event_attr attr;
	char *unit;   /* unit of its counts, or NULL */
	double scale; /* or 0 */
	bool per_pkg, snapshot;
	char *why; /* for errors other than -ENOENT: the reason; NULL: the text of the error */
};

/*
 * A source of event names beyond those of the kernel and of sysfs. It is asked for names, alone or
 * between the slashes of a PMU, that are not known otherwise. Sources are asked in the order of the
 * list, and the first one that knows the name decides.
 */
struct event_source {
	const char *name; /* for messages */
	void *ctx;        /* borrowed */
	/*
	 * Looks a name up. @pmu: the word before the slash; NULL when the name stands alone.
	 * @nth: which one of several PMUs that have the name, from 0.
	 * Return: 0 with @out filled in; -ENOENT: unknown; other errors are reported at the name.
	 */
	int (*find)(void *ctx, const char *pmu, const char *name, u32 nth,
		    struct source_event *out);
	/* Calls near_add() for each of its names (@pmu as above). NULL: it suggests nothing. */
	void (*suggest)(void *ctx, const char *pmu, struct near *near);
};

struct pmus;

/* Events count on these machines. */
enum { PARSE_HOST = 1, PARSE_GUEST = 2 };

/* The environment in which event texts are parsed. Everything is borrowed. */
struct parse_env {
	const struct sysroot *sr; /* NULL: the real machine */
	const struct event_source *const *sources;
	size_t nr_sources;
	u8 machines; /* events that name none count on these, see event_machines(); 0: the usual */
	bool programs;     /* breakpoints at symbols of programs are allowed, see evsel.late */
	struct pmus *pmus; /* keeps those of sysfs from one text to the next; may be NULL */
	/* Makes tracepoints for the markers @sys:@name, either of which may be a glob, that tracefs
	 * does not have. @object: "PATH", "PATH(BUILD-ID" or NULL for any. Return: 0 when such
	 * tracepoints exist now; -ENOENT when nothing has such a marker; other errors with a
	 * sentence. NULL: not offered. */
	int (*probe)(void *ctx, const char *sys, const char *name, const char *object,
		     struct err *err);
	void *probe_ctx;
};

struct parse_error {
	size_t at;       /* offset in the event text */
	char text[512];  /* what is wrong there */
	char help[2048]; /* more lines below; "" when there are none */
};

/**
 * parse_events - append the events of @text to @l. They get type, config, modifiers and terms;
 * sampling is configured later (events/config.h).
 * Return: 0, or -EINVAL, -ENOENT or -EACCES with @pe filled in and @l unchanged.
 */
int parse_events(struct evlist *l, const char *text, const struct parse_env *env,
		 struct parse_error *pe);

/**
 * parse_default - append the event that record uses without -e: cycles at the highest precision,
 * once for each kind of cores that the processor has.
 */
void parse_default(struct evlist *l, const struct parse_env *env);

/**
 * parse_error_format - append the message that the user sees: the text, a caret below the fault,
 * and the reason. A long text is cut so that the fault fits into a line of @width columns.
 */
void parse_error_format(const struct parse_error *pe, const char *text, size_t width,
			struct strbuf *out);

/**
 * event_modifiers - apply modifiers, letters of "ukhGHpPSDIebWR", to an event in addition to those
 * it has.
 * Return: 0; -EINVAL for an unknown letter, a repeated one, or more than three p; -EOPNOTSUPP for
 * an R on an event that does not retire.
 */
int event_modifiers(struct evsel *e, const char *mods, size_t len);

/** parse_machines - read "host", "guest" or both with a comma, as bits. Return: 0, or -EINVAL and a
 * sentence. */
int parse_machines(u8 *machines, const char *text, struct err *err);

/**
 * event_machines - apply the modifiers H and G to the events from number @from on that have
 * neither, and add the letters to their names. Tracepoints stay as they are, as do events of PMUs
 * that count for a whole package: neither can tell guests from their host.
 * @machines: bits of PARSE_HOST and PARSE_GUEST; 0: nothing is done
 */
void event_machines(struct evlist *l, size_t from, u8 machines);

/**
 * breakpoint_kind - set attr.bp_type and attr.bp_len of a breakpoint. A @type or @len of 0 is
 * chosen to suit code or data.
 */
void breakpoint_kind(struct evsel *e, u32 type, u32 len, bool code);

/**
 * tracefs_path - return the directory where tracefs is mounted ("/sys/kernel/tracing"), a constant
 * without the sysroot prefix.
 */
const char *tracefs_path(const struct sysroot *sr);

#endif
