/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where and how a perf.data file was recorded, as the commented lines of --header. */
#ifndef PERF_DUMP_HEADER_TEXT_H
#define PERF_DUMP_HEADER_TEXT_H

#include "base/strbuf.h"
#include "events/evlist.h"
#include "file/reader.h"

/**
 * header_text - append the header of a file, from "# ========" to "#". Of a pipe only the frame:
 * its features come later, as records.
 * @captured: when the file was last written, seconds since 1970
 * @full: the long ones too: topology, caches, memory, BPF programs
 */
void header_text(const struct perf_file *f, const struct evlist *evlist, s64 captured, bool full,
		 struct strbuf *out);

/**
 * header_features - append the features that are there and were not printed yet.
 * @printed: bits of those that were; updated
 */
void header_features(const struct perf_file *f, const struct evlist *evlist, bool full,
		     u64 *printed, struct strbuf *out);

/**
 * attr_text - append the members of an attr that are not zero, and its config3.
 * @assign: between a name and its value: " = " gives "size = 128, config = 0x2"
 */
void attr_text(const struct perf_event_attr *attr, u64 config3, const char *assign,
	       struct strbuf *out);
/** attr_table - append the same, one member to a line, between two rules: what -vv shows. */
void attr_table(const struct perf_event_attr *attr, u64 config3, struct strbuf *out);

#endif
