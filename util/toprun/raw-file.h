/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of a live profile as a file that perf report reads: a source that copies what goes
 * by. */
#ifndef PERF_TOPRUN_RAW_FILE_H
#define PERF_TOPRUN_RAW_FILE_H

#include "file/writer.h"
#include "recorder/features.h"
#include "recorder/scan.h"
#include "session/source.h"

struct raw_file {
	struct file_writer writer;
	struct scan *scan;       /* owned; of the records that are written */
	struct record_scan seen; /* what it has found, when the file is finished */
	bool open;
};

/** raw_file_start - create a file, and write its header. Return: 0, or negative errno and a
 * sentence. */
int raw_file_start(struct raw_file *f, const char *path, const struct recording_facts *facts,
		   struct err *err);
/** raw_file_drop - close the file without completing it, unless it is finished. */
void raw_file_drop(struct raw_file *f);
/** raw_file_source - return a source of what @from gives, which it owns; each record is written to
 * @f (borrowed) first. */
struct source *raw_file_source(struct raw_file *f, struct source *from);
/** raw_file_finish - complete the file and close it, when its source has ended. Its header then has
 * all features of a recording, with the build-ids of the objects that samples hit. Return: 0, or
 * negative errno and a sentence. */
int raw_file_finish(struct raw_file *f, const struct recording_facts *facts, struct err *err);

#endif
