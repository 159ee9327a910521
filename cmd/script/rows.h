/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `perf script --ndjson` and `--csv`: rows of samples, and where they go. */
#ifndef PERF_CMD_SCRIPT_ROWS_H
#define PERF_CMD_SCRIPT_ROWS_H

#include "convert/rows.h"
#include "export/export.h"
#include "cmd/script/show.h"

#define SCRIPT_ROWS_WORKERS 64

struct script_rows {
	const char *ndjson, *csv; /* options: paths, "-" for standard output; NULL: not asked for */
	struct export_out *out;   /* once open */
	struct rows *rows;
	struct rows_writer *writers[SCRIPT_ROWS_WORKERS];
	char *head; /* as written; NULL: not yet */
};

/** script_rows_any - is one of them asked for? */
static inline bool script_rows_any(const struct script_rows *sr)
{
	return sr->ndjson || sr->csv;
}

/** script_rows_open - open what is written to; the columns that users chose are checked. */
int script_rows_open(struct script_rows *sr, const struct sample_fields *fields, struct err *err);

/** script_rows_default - nobody chose columns: those of script, and what tells processes apart. */
void script_rows_default(struct sample_fields *fields);

/** script_rows_make - the events are known, or more of them: writers for that many workers, and the
 * first line. */
int script_rows_make(struct script_rows *sr, const struct sample_text_conf *conf, int workers,
		     struct err *err);

/** script_rows_show - append a record that is no sample, when its type is shown. */
void script_rows_show(const struct script_rows *sr, const struct script_show *show,
		      const struct session_event *ev, struct strbuf *out);

/** script_rows_write - write finished text. Return: 0, or negative: script_rows_close() says
 * why. */
int script_rows_write(struct script_rows *sr, const char *text, size_t len);

/** script_rows_drop - forget what script_rows_make() made. */
void script_rows_drop(struct script_rows *sr);

/** script_rows_close - end it; half a file is taken away again. @ret: what has failed so far, or 0.
 * Return: @ret, or negative and a sentence. */
int script_rows_close(struct script_rows *sr, int ret, struct err *err);

#endif
