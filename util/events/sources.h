/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where event names come from beside the kernel and sysfs, ready for parse_events(): the JSON files
 * of folders, then libpfm4.
 */
#ifndef PERF_EVENTS_SOURCES_H
#define PERF_EVENTS_SOURCES_H

#include "events/libpfm.h"
#include "events/parse.h"
#include "events/pmu.h"
#include "events/vendor.h"

struct event_sources {
	struct parse_env env; /* what to hand to parse_events() */
	struct err later_err; /* what went wrong with a folder that was not read at once */
	/* the rest is private */
	struct vendor_table table; /* of all folders loaded */
	const char *cpuid;         /* borrowed; NULL: this machine's */
	char *later;               /* owned; a folder to be read when it is needed */
	struct libpfm *pfm;        /* owned; NULL: not asked for, or not there */
	bool pfm_tried;
	struct pmus pmus; /* of sysfs, when they were asked for */
	struct event_source json, names;
	const struct event_source *list[2];
};

/**
 * event_sources_init - nothing loaded yet. @s must not move from here on.
 * @sr, @cpuid: borrowed; the processor as mapfile.csv has it, NULL: this one
 */
void event_sources_init(struct event_sources *s, const struct sysroot *sr, const char *cpuid);
/** event_sources_release - free the contents. */
void event_sources_release(struct event_sources *s);
/** event_sources_add_dir - events and metrics of a folder, as vendor_load() does it. */
int event_sources_add_dir(struct event_sources *s, const char *dir, struct err *err);
/** event_sources_add_dir_later - the same when a name is looked up; trouble goes to later_err. */
void event_sources_add_dir_later(struct event_sources *s, const char *dir);
/** event_sources_table - events and metrics of all folders; borrowed. */
const struct vendor_table *event_sources_table(struct event_sources *s);
/** event_sources_pfm - libpfm4, opened when first asked for; NULL when it is not to be had, with
 * @err saying why. */
struct libpfm *event_sources_pfm(struct event_sources *s, struct err *err);

#endif
