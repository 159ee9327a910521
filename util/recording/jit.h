/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jitdump files that a recording names. */
#ifndef PERF_UTIL_RECORDING_JIT_H
#define PERF_UTIL_RECORDING_JIT_H

#include "base/compat.h"

struct machine;
struct session;
struct jitdumps;
struct jitdump_conf;

/**
 * follow_jitdumps - code that run-time compilers of a recording tell of in jitdump files becomes
 * part of @m. Before its first record; end_jitdumps() says what was wrong with them, and frees.
 */
struct jitdumps *follow_jitdumps(struct machine *m, const struct session *s, const char *symfs,
				 bool force);

void end_jitdumps(struct jitdumps *j);

/** jitdump_conf - how the jitdump files of a recording are found and read. Borrows all. */
void jitdump_conf(struct jitdump_conf *conf, const struct session *s, const char *symfs,
		  bool force);

#endif
