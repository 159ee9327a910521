/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event names of libpfm4, for the processors that it finds on this machine or for the one that
 * the environment variable LIBPFM_FORCE_PMU names. The library is used here and nowhere else, and
 * it is loaded when it is first needed.
 */
#ifndef PERF_EVENTS_LIBPFM_H
#define PERF_EVENTS_LIBPFM_H

#include "events/parse.h"

struct libpfm;

/**
 * libpfm_open - load the library and let it detect the processor. libpfm_close() releases @out.
 * Return: 0; -ENOTSUP when perf was built without it or it is not installed; -EIO when the library
 * failed. @err has the reason.
 */
int libpfm_open(struct libpfm **out, struct err *err);
/** libpfm_close - close the library; @p may be NULL. */
void libpfm_close(struct libpfm *p);

/**
 * libpfm_parse - append the events of @text, written in the library's own syntax, to @l:
 *
 *	list := item { "," item }	item := event | "{" event { "," event } "}"
 *	event: [pmu::]name[:unit mask][:modifier[=value]]...
 *
 * Return: 0, or -EINVAL or -ENOENT with @pe filled in and @l unchanged.
 */
int libpfm_parse(struct libpfm *p, struct evlist *l, const char *text, const struct sysroot *sr,
		 struct parse_error *pe);

/**
 * libpfm_find - look up the encoding of one name, which must be unambiguous. The name is in the
 * library's syntax, or has "." instead of ":" as in "inst_retired.any_p"; case does not matter.
 * Only type, config words and precise_ip of @attr are set; privilege levels are left to the caller.
 * Return: 0; -ENOENT; -EINVAL when several PMUs have the name, which @err lists.
 */
int libpfm_find(struct libpfm *p, const char *name, struct perf_event_attr *attr, struct err *err);

/* One event, or one of its unit masks. The strings are borrowed until the callback returns. */
struct libpfm_event {
	const char *pmu;        /* "skl" */
	const char *name;       /* "inst_retired", which -e accepts together with the mask */
	const char *mask;       /* "any_p"; NULL: the event itself */
	const char *desc;       /* description of the mask, or of the event without one */
	const char *event_desc; /* description of the event */
	bool is_default;        /* the mask is used when none is named */
};

/**
 * libpfm_each - call @fn for each event of the detected PMUs: once for an event without masks,
 * otherwise once for each mask.
 * Return: 0, or the first other value that @fn returned, which ends the iteration.
 */
int libpfm_each(struct libpfm *p, int (*fn)(void *ctx, const struct libpfm_event *e), void *ctx);

#endif
