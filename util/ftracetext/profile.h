/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel with the time that they took: how often each ran, the sum of all runs,
 * the longest one, and the time that was spent in the function itself, not in those that it called.
 */
#ifndef PERF_FTRACETEXT_PROFILE_H
#define PERF_FTRACETEXT_PROFILE_H

#include "ftracetext/graph.h"

struct fprofile;

/** fprofile_new - begin. @by_thread: each thread has rows of its own. fprofile_free() frees it. */
struct fprofile *fprofile_new(bool by_thread);
void fprofile_free(struct fprofile *p);
/** fprofile_add - add a function that has returned. Those of one thread come in their order. */
void fprofile_add(struct fprofile *p, const struct fgraph_exit *x);
/** fprofile_add_sum - add all runs of a function, whose own time is not known. Times in ns. */
void fprofile_add_sum(struct fprofile *p, u64 function, u64 count, u64 total, u64 max);
/** fprofile_sort_check - tell whether there is a key: total, avg, max, count, self, name. */
bool fprofile_sort_check(const char *key);
/** fprofile_sort_words - append all keys, with blanks between them. */
void fprofile_sort_words(struct strbuf *out);
/** fprofile_put - append the table, sorted by a key. @json: as an array of objects */
void fprofile_put(struct fprofile *p, struct ftext *t, const char *key, bool json,
		  struct strbuf *out);

#endif
