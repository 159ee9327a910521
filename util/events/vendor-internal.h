/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the two halves of the loader: folders (vendor.c) and files (vendor-json.c). */
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
	/* How PMUs identify themselves. */
	char **identifiers; /* owned */
	size_t nr_identifiers, cap_identifiers;
};

/* The entries of a text as something to refer to. */
int vendor_std_add(struct vendor_loader *ld, const char *text, size_t len, const char *file,
		   struct err *err);
/* The events, metrics or group descriptions of a text, into the table. @file: path, for the topic
 * and messages. */
int vendor_json_add(struct vendor_loader *ld, const char *text, size_t len, const char *file,
		    struct err *err);
/* Is the PMU there that calls itself so? A regular expression for the whole of its identifier. */
bool vendor_has_compat(const struct vendor_loader *ld, const char *compat);

#endif
