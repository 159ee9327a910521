/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat record and report: counts in a perf.data file (Documentation/format/perf.data.md). */
#ifndef PERF_STATRUN_FILE_H
#define PERF_STATRUN_FILE_H

#include "base/err.h"
#include "file/writer.h"
#include "base/hash.h"
#include "file/reader.h"
#include "kernel/count.h"
#include "stat/aggr.h"

struct stat_cmd;

struct stat_file {
	const char *path; /* borrowed; NULL: there is none */
	int argc;         /* of the whole command line, for CMDLINE */
	const char *const *argv;
	struct file_writer w;
	bool open;
	bool mute;             /* what is read now is not for the file */
	size_t rounds;         /* that are written */
	u64 *tool_ids;         /* owned; of each event, 0 unless it is a tool's */
	struct map64 clusters; /* of the CPUs of a file that is read, when it says so */
	int failed;            /* negative errno: writing did not work, and that was told */
};

/* Nothing of these does anything when there is no file. */

/** stat_file_configure - what events need so that their counts can be told apart in a file. */
void stat_file_configure(struct stat_cmd *s);
/** stat_file_start - what comes before counts. The events are open. */
int stat_file_start(struct stat_cmd *s, struct err *err);
/** stat_file_count - what was read at a place. */
void stat_file_count(struct stat_cmd *s, const struct kfd *k, const struct kcount *c);
/** stat_file_round - that was all there is to be read now; those of tools are in s->counts.
 * @time: ns since the start; @final: of the whole run, not of an interval */
void stat_file_round(struct stat_cmd *s, u64 time, bool final);
/** stat_file_end - complete it. Return: 0, or -1 after a message. */
int stat_file_end(struct stat_cmd *s);

/** stat_report - print what is in the file @path. @mode_given: s->mode is to be as it is, not as
 * the file has it. Return: exit status. */
int stat_report(struct stat_cmd *s, const char *path, bool mode_given);

/** stat_recorded_place - where a CPU of the recording is; s->mode and cache_level are settled. */
struct cpu_place stat_recorded_place(const struct stat_cmd *s, const struct perf_file *f, s32 cpu);
/** stat_recorded_mode - the aggregation that the number @value means in a file. @level: it has a
 * term for the level of caches. */
enum aggr_mode stat_recorded_mode(const struct perf_file *f, u64 value, bool level);

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
