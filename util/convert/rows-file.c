// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "convert/rows-file.h"

#include "base/alloc.h"

#include <errno.h>

static const char *option_name(const struct rows_file *sr)
{
	return sr->csv ? "--csv" : sr->ndjson ? "--ndjson" : "--columnar";
}

static int check_fields(const struct rows_file *sr, const struct sample_fields *fields,
			struct err *err)
{
	static const char *const words[] = {
#define X(name, word) [SF_NR_##name] = word,
		SAMPLE_FIELDS(X)
#undef X
	};
	u64 unknown;

	for (int k = 0; k < SK_NR; k++) {
		unknown = rows_unknown(fields->kind[k].fields);
		if (unknown)
			return err_set(err, -EINVAL, "'%s' is no column of %s.",
				       words[__builtin_ctzll(unknown)], option_name(sr));
	}
	return 0;
}

int rows_file_open(struct rows_file *sr, const struct sample_fields *fields, struct err *err)
{
	int ret = check_fields(sr, fields, err);

	if (ret)
		return ret;
	sr->out = export_open(rows_file_path(sr), err);
	if (!sr->out)
		return err->code;
	if (sr->columnar)
		sr->arrow = rows_arrow_new(sr->out);
	return 0;
}

void rows_file_default(struct sample_fields *fields)
{
	for (int k = 0; k < SK_NR; k++)
		if (!fields->kind[k].user_set)
			fields->kind[k].fields |= SF_PID;
}

void rows_file_drop(struct rows_file *sr)
{
	for (int i = 0; i < ROWS_FILE_WORKERS; i++) {
		rows_writer_free(sr->writers[i]);
		sr->writers[i] = NULL;
	}
	rows_free(sr->rows);
	sr->rows = NULL;
}

/* Write what stands before the first row. */
static int begin(struct rows_file *sr)
{
	sr->head = xstrdup(rows_head(sr->rows));
	if (!sr->arrow)
		return rows_file_write(sr, sr->head, strlen(sr->head));
	rows_arrow_begin(sr->arrow, sr->rows);
	return 0;
}

int rows_file_make(struct rows_file *sr, const struct sample_text_conf *conf, int workers,
		   struct err *err)
{
	enum rows_format format = sr->csv ? ROWS_CSV : sr->ndjson ? ROWS_NDJSON : ROWS_PACKED;

	rows_file_drop(sr);
	sr->rows = rows_new(format, conf, sr->arrow ? rows_arrow_store(sr->arrow) : NULL);
	for (int i = 0; i < workers; i++)
		sr->writers[i] = rows_writer_new(sr->rows);
	if (sr->head && strcmp(sr->head, rows_head(sr->rows)))
		return err_set(err, -EINVAL,
			       "%s: events with other columns came in the middle of the pipe. "
			       "Save it to a file first.",
			       option_name(sr));
	return sr->head ? 0 : begin(sr);
}

void rows_file_show(const struct rows_file *sr, const struct record_lines *show,
		    const struct session_event *ev, struct strbuf *out)
{
	if (record_lines_wants(show, ev))
		rows_record(ev->evsel, ev->hdr, &ev->id, out);
}

int rows_file_write(struct rows_file *sr, const char *text, size_t len)
{
	if (sr->arrow && len)
		rows_arrow_take(sr->arrow, text, len);
	else
		export_put(sr->out, text, len);
	export_more(sr->out);
	return export_failed(sr->out) ? -EIO : 0; /* rows_file_close() says why */
}

int rows_file_close(struct rows_file *sr, int ret, struct err *err)
{
	bool failed = sr->out && export_failed(sr->out);

	rows_file_drop(sr);
	if (sr->arrow && !ret) {
		rows_arrow_end(sr->arrow);
		sr->samples = rows_arrow_rows(sr->arrow);
		sr->bytes = export_bytes(sr->out);
	}
	rows_arrow_free(sr->arrow);
	sr->arrow = NULL;
	free(sr->head);
	sr->head = NULL;
	if (sr->out && ret && !failed)
		export_cancel(sr->out);
	else if (sr->out)
		ret = export_close(sr->out, err);
	sr->out = NULL;
	return ret;
}
