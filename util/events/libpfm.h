/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event names of libpfm4, for the processors it finds on this machine or the one that the
 * environment variable LIBPFM_FORCE_PMU names. The library is loaded here and nowhere else, when it
 * is first asked for.
 */
#ifndef PERF_EVENTS_LIBPFM_H
#define PERF_EVENTS_LIBPFM_H

#include "events/parse.h"

struct libpfm;

/**
 * libpfm_open - load the library and let it look at the machine.
 * Return: 0 with @out to be closed; -ENOTSUP: built without, or it is not installed; -EIO: the
 * library itself failed. @err says which.
 */
int libpfm_open(struct libpfm **out, struct err *err);
/** libpfm_close - NULL is fine. */
void libpfm_close(struct libpfm *p);

/**
 * libpfm_parse - append the events of @text, in the library's own syntax, to @l:
 *
 *	list := item { "," item }	item := event | "{" event { "," event } "}"
 *	event: [pmu::]name[:unit mask][:modifier[=value]]...
 *
 * Return: 0; or -EINVAL, -ENOENT with @pe filled and @l as it was.
 */
int libpfm_parse(struct libpfm *p, struct evlist *l, const char *text, const struct sysroot *sr,
		 struct parse_error *pe);

/**
 * libpfm_find - the encoding of one name, which has to mean one thing: in the library's syntax, or
 * with "." for ":" as in "inst_retired.any_p", in any letter case.
 * Only type, config words and precise_ip of @attr are set: privilege levels are the caller's.
 * Return: 0; -ENOENT; -EINVAL: of several PMUs, with @err saying which.
 */
int libpfm_find(struct libpfm *p, const char *name, struct perf_event_attr *attr, struct err *err);

/* One event, or one of its unit masks. All borrowed until the callback returns. */
struct libpfm_event {
	const char *pmu;        /* "skl" */
	const char *name;       /* "inst_retired", as -e takes it with the mask */
	const char *mask;       /* "any_p"; NULL: the event without one */
	const char *desc;       /* of the event, or of the mask */
	const char *event_desc; /* of the event */
	bool is_default;        /* the mask that is taken when none is named */
};

/**
 * libpfm_each - call @fn for each event of the PMUs found: once for the event when it has no masks,
 * else once for each mask.
 * Return: 0, or the first value other than 0 that @fn returned: it stops there.
 */
int libpfm_each(struct libpfm *p, int (*fn)(void *ctx, const struct libpfm_event *e), void *ctx);

#endif
