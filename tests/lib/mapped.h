/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make processes whose functions a perf map names, and what looks them up: a world for tests of
 * what is counted. */
#ifndef TESTS_MAPPED_H
#define TESTS_MAPPED_H

#include "columns/columns.h"
#include "hist/hist.h"
#include "resolve/resolve.h"

struct mapped {
	char *root; /* a folder of its own, the root of all paths */
	struct sysroot sysroot;
	struct machine *m;
	struct symbols *symbols;
	struct resolver *resolver;
};

/** mapped_open - a machine without processes. @w stays where it is until mapped_release(). */
void mapped_open(struct mapped *w);
/** mapped_process - 0x1000 to 0x9000 of @pid; @map: lines "start size name" in hexadecimal. */
void mapped_process(struct mapped *w, u32 pid, const char *comm, const char *map);
/** mapped_seal - no more processes; from here on addresses can be looked up. */
void mapped_seal(struct mapped *w);
void mapped_release(struct mapped *w);

/** mapped_hist - make a histogram of its samples, resolved @at_once or later. @workers: set to its
 * @nr */
struct hist *mapped_hist(const struct mapped *w, const struct hist_conf *conf, bool at_once,
			 struct hist_worker **workers, int nr);

/** mapped_sample - the beginning of a sample of user mode: ids, time, thread. */
struct hist_sample mapped_sample(const struct mapped *w, u32 pid, u32 tid, u64 time);

/** mapped_print - the rows of the first event. Return: their text, which lives in @out. */
const char *mapped_print(struct hist *h, const char *sep, struct strbuf *out);

#endif
