/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sources of event names beyond the kernel and sysfs, in the form that parse_events() takes:
 * the JSON files of folders, and then libpfm4.
 */
#ifndef PERF_EVENTS_SOURCES_H
#define PERF_EVENTS_SOURCES_H

#include "events/libpfm.h"
#include "events/parse.h"
#include "events/pmu.h"
#include "events/vendor.h"

struct event_sources {
	struct parse_env env; /* the environment for parse_events() */
	struct err later_err; /* an error in a folder that was read on demand */
	/* The following members are private. */
	struct vendor_table table; /* the contents of all folders that were read */
	const char *cpuid;         /* borrowed; NULL: this machine's */
	char *later;               /* owned; a folder to be read on demand */
	struct libpfm *pfm;        /* owned; NULL: not needed yet, or not available */
	bool pfm_tried;
	struct pmus pmus; /* those of sysfs, once they are needed */
	struct event_source json, names;
	const struct event_source *list[2];
};

/**
 * event_sources_init - prepare the sources; nothing is loaded yet. @s must not move afterwards.
 * @sr, @cpuid: borrowed; the processor in the form of mapfile.csv, NULL: this machine's
 */
void event_sources_init(struct event_sources *s, const struct sysroot *sr, const char *cpuid);
/** event_sources_release - free everything. */
void event_sources_release(struct event_sources *s);
/** event_sources_add_dir - load events and metrics of a folder, see vendor_load(). */
int event_sources_add_dir(struct event_sources *s, const char *dir, struct err *err);
/**
 * event_sources_add_dir_later - load a folder when a name is looked up. An error is stored in
 * later_err.
 */
void event_sources_add_dir_later(struct event_sources *s, const char *dir);
/** event_sources_table - return the events and metrics of all folders. @s owns the table. */
const struct vendor_table *event_sources_table(struct event_sources *s);
/**
 * event_sources_pfm - return libpfm4, which is opened at the first call; NULL when it is not
 * available, with the reason in @err.
 */
struct libpfm *event_sources_pfm(struct event_sources *s, struct err *err);

#endif
