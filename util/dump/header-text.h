/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions print where and how a perf.data file was recorded, as --header's comment
 * lines. */
#ifndef PERF_DUMP_HEADER_TEXT_H
#define PERF_DUMP_HEADER_TEXT_H

#include "base/strbuf.h"
#include "events/evlist.h"
#include "file/reader.h"

/**
 * header_text - append the header of a file, from "# ========" to "#". For a pipe only the frame is
 * appended, because its features come later, as records.
 * @captured: when the file was last written, in seconds since 1970
 * @full: include long features: topology, caches, memory, BPF programs
 */
void header_text(const struct perf_file *f, const struct evlist *evlist, s64 captured, bool full,
		 struct strbuf *out);
/** header_text_of_file - append it with the time that the file system has, or the current one. */
void header_text_of_file(const struct perf_file *f, const struct evlist *evlist, bool full,
			 struct strbuf *out);

/**
 * header_features - append the features that are present and were not printed yet.
 * @printed: the bits of those that were printed; updated
 */
void header_features(const struct perf_file *f, const struct evlist *evlist, bool full,
		     u64 *printed, struct strbuf *out);

#endif
