/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf data convert: options (builtin-data.c), what both formats need (data.c), JSON, CTF. */
#ifndef PERF_CMD_DATA_DATA_H
#define PERF_CMD_DATA_DATA_H

#include "machine/machine.h"
#include "recording/sample-filter.h"
#include "cmd/common/export.h"
#include "recording/recording.h"
#include "session/session.h"
#include "symbol/symbol.h"

#define DATA_MAX_WORKERS 64

/* What a worker counts, on a cache line of its own. */
struct data_count {
	u64 samples;
	char pad[56];
};

struct data_convert {
	/* options */
	const char *input, *to_ctf, *to_json, *time;
	bool force, all, tod, inlines;
	int verbose;
	struct exports exports; /* formats of profiles */
	/* running */
	struct session session;
	struct formats formats;
	struct sample_filter filter;
	u64 wall_offset; /* what makes a time of the recording one of the wall clock */
	bool ready;
	int workers;
	struct data_count counts[DATA_MAX_WORKERS];
};

/** data_open - open the input and look at what it says of itself. data_close() in any case. */
int data_open(struct data_convert *dc, struct err *err);
void data_close(struct data_convert *dc);
/** data_ready - of a pipe: its first record comes, it has said what --time and --tod need. */
int data_ready(struct data_convert *dc, struct err *err);
/** data_wants - is a time inside of what --time says? */
bool data_wants(const struct data_convert *dc, u64 time);
/** data_tell - the two lines at the end. @what: "JSON"; @others: 0: not worth a word */
void data_tell(const struct session *s, const char *what, const char *where, u64 bytes, u64 samples,
	       u64 others);

/** data_to_json, data_to_ctf - Return: 0, negative errno and a sentence. */
int data_to_json(struct data_convert *dc, struct err *err);
int data_to_ctf(struct data_convert *dc, struct err *err);
/** data_to_exports - the same for formats of profiles; opens and closes the input itself. */
int data_to_exports(struct data_convert *dc, struct err *err);

#endif
