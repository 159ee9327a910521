/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write and read STAT_CONFIG records (Documentation/format/perf.data.md). */
#ifndef PERF_STATRUN_RECORDED_CONFIG_H
#define PERF_STATRUN_RECORDED_CONFIG_H

#include "base/compat.h"

/* Tags of STAT_CONFIG. Those from TERM_OWN on are of this program only, in recordings by caches and
 * clusters: others show these as one number. */
enum {
	TERM_MODE,
	TERM_INTERVAL,
	TERM_SCALE,
	TERM_LEVEL,          /* of caches; since 6.5 */
	TERM_OWN = 256,      /* enum aggr_mode by what it is to be shown: TERM_BY_* */
	TERM_CLUSTERS = 512, /* and above, less that: a CPU; its cluster */
};
enum { TERM_BY_CACHE = 1, TERM_BY_CLUSTER = 2 }; /* the level, 0: the last, from bit 8 on */

/* aggr_mode in a file, as perf 6.1 numbers them. */
enum { STAT_FILE_MODES = 8 };
extern const u8 stat_file_modes[STAT_FILE_MODES]; /* enum aggr_mode of each */

#endif
