/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of rings that the kernel overwrites, which are read while it is held, once in a round. */
#ifndef PERF_TOPRUN_OVERWRITTEN_H
#define PERF_TOPRUN_OVERWRITTEN_H

#include "kernel/ring.h"
#include "session/source.h"

/** overwritten_source - return a source of what @from gives, which it owns, with the records of
 * these rings before the end of each round. @rings: borrowed */
struct source *overwritten_source(struct rings *rings, struct source *from);

#endif
