// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: the end. What was lost, the look back, the features, the closing lines. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"

#include <errno.h>
#include <unistd.h>

static void tell_end(const struct record *r, const struct record_scan *scan)
{
	const double mb = 1024.0 * 1024.0;
	char more[96] = "";

	if (r->quiet)
		return;
	if (r->comp_packed)
		snprintf(more, sizeof(more), ", compressed (original %.3f MB, ratio is %.3f)",
			 (double)r->comp_raw / mb, comp_ratio(r));
	else if (scan->samples && !r->writer.pipe)
		snprintf(more, sizeof(more), " (%" PRIu64 " samples)", scan->samples);
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s%s%s ]\n",
		(double)record_written(r) / mb, r->output,
		r->ro.timestamp_filename && !r->writer.pipe ? ".<timestamp>" : "", more);
}

/*
 * Write the header and what belongs to it. When the disk is full the data gives way: without event
 * names, tracepoint formats and build-ids the rest of it is worth little, and what describes it is
 * small.
 */
static int write_features(struct record *r, struct features *f, struct record_scan *scan,
			  struct err *err)
{
	struct err first = { 0 };
	struct file_writer *w = &r->writer;
	struct cut cut;
	u64 need = 4096;
	int rc = file_writer_finish(&r->writer, f->v, f->nr, &first);

	if (rc != -ENOSPC && rc != -EDQUOT && rc != -EFBIG) {
		if (rc)
			*err = first;
		return rc;
	}
	for (size_t i = 0; i < f->nr; i++)
		need += f->v[i].body.len + 16;
	if (need >= r->writer.data_size) {
		*err = first;
		return rc;
	}
	cut = record_cut(w->fd, w->data_offset, w->data_size, w->data_size - need);
	w->data_size = cut.keep;
	if (ftruncate(w->fd, (off_t)(w->data_offset + w->data_size)))
		return err_set(err, -errno, "failed to shorten %s: %s", r->output, err_str(-errno));
	scan->samples -= MIN(cut.dropped, scan->samples);
	fprintf(stderr, "Warning:\n%s: no space left: ", r->output);
	/* how many samples there are in compressed data nobody has counted */
	if (r->comp_level)
		fprintf(stderr, "the end of the data was dropped to fit the header.\n");
	else
		fprintf(stderr, "the last %" PRIu64 " samples were dropped to fit the header.\n",
			cut.dropped);
	return file_writer_finish(&r->writer, f->v, f->nr, err);
}

/* Of CPUs that were away for a while. */
static int write_ids(struct record *r, struct err *err)
{
	struct writer_attr *attrs = writer_attrs(&r->evlist);
	int rc = file_writer_ids(&r->writer, attrs, err);

	free(attrs);
	return rc;
}

/* What was written, and how much of it counts after an error, that may have left half a record. */
static void look_back(struct record *r, bool failed)
{
	struct file_writer *w = &r->writer;
	struct cut cut;

	pumps_look_back(r, failed);
	scan_end(r->scan);
	r->scan = NULL;
	if (!failed)
		return;
	cut = record_cut(w->fd, w->data_offset, w->data_size, w->data_size);
	w->data_size = cut.keep;
	/* those that came too late for the file were seen as well */
	if (!r->comp_level)
		r->seen.samples = cut.samples;
}

static int end_compress_thread(struct record *r, struct err *err)
{
	int rc;

	if (!r->compress_thread)
		return 0;
	rc = compress_thread_end(r->compress_thread, &r->comp_raw, &r->comp_packed, err);
	compress_thread_free(r->compress_thread);
	r->compress_thread = NULL;
	return rc;
}

/* --tail-synthesize */
static int write_tail(struct record *r, struct err *err)
{
	struct strbuf synth = STRBUF_INIT;
	int rc = record_synth_now(r, &synth, err);

	if (!rc)
		rc = record_write_synth(r, &synth, err);
	strbuf_release(&synth);
	return rc;
}

int record_end_file(struct record *r, bool failed, struct err *err)
{
	struct features f = { .nr = 0 };
	struct err late = { 0 };
	int rc = pumps_stop(r, err), rc2 = end_compress_thread(r, rc ? NULL : err);

	rc = rc ? rc : rc2;
	/* only now all tasks have been seen */
	if (!rc && !failed && r->ro.tail_synthesize)
		rc = write_tail(r, err);
	write_back_free(r->write_back);
	r->write_back = NULL;
	if (!rc)
		rc = record_write_lost(r, err);
	r->ro.complete = r->writer.pipe;
	if (r->writer.pipe) {
		scan_end(r->scan);
		r->scan = NULL;
		return rc;
	}
	if (!r->no_buildid && !r->no_buildid_cache)
		r->cache_dir = buildid_cache_dir();
	look_back(r, rc || failed);
	collect_features(r, &r->seen, &r->tracing, &f);
	rc2 = write_features(r, &f, &r->seen, &late);
	r->ro.complete = !rc2;
	if (!rc2 && r->new_ids)
		rc2 = write_ids(r, &late);
	if (rc2 && !rc)
		*err = late;
	features_release(&f);
	record_cache_copy(r);
	strbuf_release(&r->seen.build_ids);
	r->seen.build_ids = (struct strbuf)STRBUF_INIT;
	return rc ? rc : rc2;
}

int record_finish(struct record *r, bool failed, struct err *err)
{
	struct err late = { 0 };
	int rc, rc2;

	if (!r->quiet)
		fprintf(stderr, "[ perf record: Woken up %lu times to write data ]\n", r->waking);
	rc = failed ? 0 : record_read_overwritten(r, err);
	rc2 = record_end_file(r, failed || rc, rc ? &late : err);
	rc = rc ? rc : rc2;
	record_tell_pinned(r);
	record_tell_lost(r);
	record_tell_hidden(r);
	record_filter_tell(r);
	free(r->seen.lost);
	free(r->lost_of);
	/* a file with an error in it has a name and can be read all the same */
	if (!r->ro.complete)
		return rc;
	rc2 = record_stamp(r, rc ? NULL : err);
	tell_end(r, &r->seen);
	return rc ? rc : rc2;
}
