/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf data convert: options are in builtin-data.c, the work in data.c. */
#ifndef PERF_CMD_DATA_DATA_H
#define PERF_CMD_DATA_DATA_H

#include "cmd/common/export.h"
#include "recording/recording.h"

struct data_convert {
	struct recording_options rec;
	const char *to_ctf, *to_json; /* where to; NULL: not asked for; at most one of them */
	bool all, tod, inlines;
	int verbose;
	struct exports exports; /* formats of profiles */
};

/** data_to_whole - write all of a recording as JSON or CTF. Return: 0, negative errno and a
 * sentence. */
int data_to_whole(struct data_convert *dc, struct err *err);
/** data_to_exports - the same for formats of profiles; opens and closes the input itself. */
int data_to_exports(struct data_convert *dc, struct err *err);

#endif
