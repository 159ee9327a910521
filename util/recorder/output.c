// SPDX-License-Identifier: GPL-2.0-or-later
/* Bring records into the output, through the compress thread or straight. */
#include "base/compat.h"
#include "recorder/output.h"

int output_mark(struct record_output *o, u32 type, struct err *err)
{
	struct perf_event_header h = { .type = type, .size = sizeof(h) };

	return o->compress_thread ? compress_thread_plain(o->compress_thread, &h, sizeof(h), err)
				  : file_writer_write(&o->writer, &h, sizeof(h), err);
}

int output_events(struct record_output *o, struct iovec *iov, int nr, struct err *err)
{
	if (o->compress_thread) {
		/* the scan sees them only later */
		if (o->count_handed)
			scan_count_own(o->scan, iov, nr, &o->handed);
		return compress_thread_add(o->compress_thread, iov, nr, err);
	}
	if (o->scan)
		nr = scan_spans(o->scan, iov, nr);
	return file_writer_writev(&o->writer, iov, nr, err);
}

int output_records(struct record_output *o, const struct strbuf *records, struct err *err)
{
	struct iovec iov = { records->buf, records->len };

	return records->len ? output_events(o, &iov, 1, err) : 0;
}

int output_thread(struct record_output *o, int level, size_t limit, struct err *err)
{
	struct compress_thread_opts opts = { .level = level,
					     .limit = limit,
					     .changer = unwinding_changer(o->unwinding),
					     .look = scan_walk,
					     .ctx = o->scan };

	return compress_thread_new(&o->compress_thread, &o->writer, &opts, err);
}

static void end_thread(struct record_output *o)
{
	compress_thread_free(o->compress_thread);
	o->compress_thread = NULL;
	unwinding_free(o->unwinding, &o->unwound);
	o->unwinding = NULL;
}

int output_settle(struct record_output *o, struct err *err)
{
	int rc = 0;

	if (o->compress_thread)
		rc = compress_thread_end(o->compress_thread, &o->comp_raw, &o->comp_packed, err);
	end_thread(o);
	return rc;
}

double output_ratio(const struct record_output *o)
{
	return o->comp_packed ? (double)o->comp_raw / (double)o->comp_packed : 0;
}

u64 output_written(const struct record_output *o)
{
	/* the compress thread may be writing */
	return __atomic_load_n(&o->writer.data_size, __ATOMIC_RELAXED);
}

void output_drop(struct record_output *o)
{
	end_thread(o);
	write_back_free(o->write_back);
	o->write_back = NULL;
	scan_end(o->scan);
	o->scan = NULL;
	file_writer_abort(&o->writer);
}
