/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the two parts of the loader: folders (vendor.c) and files
 * (vendor-json.c). */
#ifndef PERF_EVENTS_VENDOR_INTERNAL_H
#define PERF_EVENTS_VENDOR_INTERNAL_H

#include "codec/json-read.h"
#include "events/vendor.h"

/* Entries that others refer to by name (ArchStdEvent). */
struct vendor_std {
	struct arena arena;
	struct {
		const char *name;
		const struct json_value *entry;
	} * v; /* owned */
	size_t nr, cap;
};

struct vendor_loader {
	struct vendor_table *t;
	struct vendor_std std;
	/* The contents of the "identifier" files of the PMUs. */
	char **identifiers; /* owned */
	size_t nr_identifiers, cap_identifiers;
};

/* Adds the entries of a text, to which others may refer. */
int vendor_std_add(struct vendor_loader *ld, const char *text, size_t len, const char *file,
		   struct err *err);
/* Adds the events, metrics or group descriptions of a text to the table. @file: its path, for the
 * topic and for messages. */
int vendor_json_add(struct vendor_loader *ld, const char *text, size_t len, const char *file,
		    struct err *err);
/* Tells whether there is a PMU whose whole identifier matches the regular expression @compat. */
bool vendor_has_compat(const struct vendor_loader *ld, const char *compat);

#endif
