/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the jitdump files that a recording names. */
#ifndef PERF_UTIL_RECORDING_JIT_H
#define PERF_UTIL_RECORDING_JIT_H

#include "base/compat.h"

struct machine;
struct session;
struct jitdumps;
struct jitdump_conf;
struct symfs;
struct notices;

/**
 * follow_jitdumps - code that run-time compilers of a recording tell of in jitdump files becomes
 * part of @m. To be called before the first record is applied; free with end_jitdumps().
 */
struct jitdumps *follow_jitdumps(struct machine *m, const struct session *s,
				 const struct symfs *symfs, bool force);

/**
 * end_jitdumps - free them, once none of their symbols is needed any more. What was wrong with the
 * files goes to @notices. @j may be NULL.
 */
void end_jitdumps(struct jitdumps *j, const struct notices *notices);

/** jitdump_conf - settle how the jitdump files of a recording are found and read. Borrows all. */
void jitdump_conf(struct jitdump_conf *conf, const struct session *s, const struct symfs *symfs,
		  bool force);

#endif
