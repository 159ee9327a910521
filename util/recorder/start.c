// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: the head of the output, and how records get there: through the compressing thread or
 * straight. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "file/keep-old.h"

#include <pthread.h>
#include <time.h>

#define SYNTH_STEP_NS 2000000
#define COMPRESS_LIMIT ((size_t)64 << 20) /* how far -z may be behind */

int record_write_mark(struct record *r, u32 type, struct err *err)
{
	struct perf_event_header h = { .type = type, .size = sizeof(h) };

	return r->compress_thread ? compress_thread_plain(r->compress_thread, &h, sizeof(h), err)
				  : file_writer_write(&r->writer, &h, sizeof(h), err);
}

int record_write_events(struct record *r, struct iovec *iov, int nr, struct err *err)
{
	if (r->compress_thread) {
		record_feedback_handed(r, iov, nr);
		return compress_thread_add(r->compress_thread, iov, nr, err);
	}
	if (r->scan)
		nr = scan_spans(r->scan, iov, nr);
	return file_writer_writev(&r->writer, iov, nr, err);
}

/* Header and tables; then, with -z, the thread that writes all that follows. */
static int write_head(struct record *r, const void *tables, size_t len, struct err *err)
{
	struct writer_attr *attrs = writer_attrs(&r->evlist);
	struct features f = { .nr = 0 };
	char *data = r->threads || r->ro.kcore ? xasprintf("%s/data", r->output) : NULL;
	int rc = data ? recording_mkdir(r->output, err) : 0;

	if (!rc)
		rc = file_writer_open(&r->writer, data ? data : r->output, err);
	free(data);
	if (!rc && r->ro.kcore)
		rc = record_kcore_put(r, err);
	if (!rc && r->threads)
		rc = pumps_open(r, err);
	/* data of tracepoints makes no sense without their formats, else written last */
	if (!rc && !r->writer.pipe && r->tracing.len)
		collect_early(r, &f);
	if (!rc)
		rc = file_writer_start_early(&r->writer, attrs, r->evlist.nr, f.v, f.nr, err);
	r->new_ids = false;
	if (!rc && r->writer.pipe) {
		collect_features(r, NULL, &r->tracing, &f);
		rc = file_writer_feature_records(&r->writer, f.v, f.nr, err);
	}
	features_release(&f);
	if (!rc)
		rc = file_writer_write(&r->writer, tables, len, err);
	free(attrs);
	return rc;
}

u64 record_written(const struct record *r)
{
	/* the compress thread may be writing */
	return __atomic_load_n(&r->writer.data_size, __ATOMIC_RELAXED) + pumps_written(r);
}

void record_drop_file(struct record *r)
{
	compress_thread_free(r->compress_thread);
	r->compress_thread = NULL;
	write_back_free(r->write_back);
	r->write_back = NULL;
	scan_end(r->scan);
	r->scan = NULL;
	file_writer_abort(&r->writer);
	if (r->ro.kcore)
		recording_remove(r->output);
}

int record_write_start(struct record *r, const struct strbuf *tables, struct err *err)
{
	int rc = write_head(r, tables->buf, tables->len, err);

	if (!rc) {
		r->scan = scan_new(r, &r->seen, &r->ro.tasks);
		/* what was just written: maps of the kernel and its modules are among it */
		scan_walk(r->scan, tables->buf, tables->len);
	}
	if (!rc && !r->writer.pipe) {
		r->write_back = write_back_new();
		write_back_add(r->write_back, &r->writer);
		pumps_write_back(r);
	}
	if (!rc && !r->threads && (r->comp_level || r->pump.aio)) {
		struct compress_thread_opts o = { .level = r->comp_level,
						  .limit = r->comp_level
								   ? COMPRESS_LIMIT
								   : r->pump.aio * r->rings.nr *
									     r->rings.v[0].size,
						  .look = scan_walk,
						  .ctx = r->scan };

		/* compressing can wait, and is not to be in the way of what is recorded */
		pump_lower(r);
		rc = compress_thread_new(&r->compress_thread, &r->writer, &o, err);
		pump_raise(r);
	}
	return rc;
}

int record_write_synth(struct record *r, const struct strbuf *synth, struct err *err)
{
	struct iovec iov = { synth->buf, synth->len };

	return synth->len ? record_write_events(r, &iov, 1, err) : 0;
}

/* --- further files --------------------------------------------------------------- */

struct synth_job {
	struct record *r;
	struct strbuf *out;
};

static void *synth_thread(void *ctx)
{
	struct synth_job *job = ctx;

	record_synth_events(job->r, job->out, true);
	return NULL;
}

/* All processes there are: by the time they are described the rings would be full. What comes
 * meanwhile stands in front of them, within the round, whose records readers put in order. */
static int synth_beside(struct record *r, struct strbuf *out, struct err *err)
{
	struct synth_job job = { r, out };
	struct timespec until;
	pthread_t thread;
	int rc = 0;

	if (pthread_create(&thread, NULL, synth_thread, &job)) {
		record_synth_events(r, out, true);
		return 0;
	}
	do {
		/* after an error there is only the thread to wait for */
		if (rc >= 0)
			rc = record_drain_some(r, err);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += SYNTH_STEP_NS;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
	} while (pthread_timedjoin_np(thread, NULL, &until));
	return MIN(rc, 0);
}

int record_synth_now(struct record *r, struct strbuf *out, struct err *err)
{
	/* the few processes of a workload are described at once, and while that is done nobody may
	 * note others */
	if (r->sample.system_wide)
		return synth_beside(r, out, err);
	record_synth_events(r, out, true);
	return 0;
}

int record_begin_file(struct record *r, struct err *err)
{
	struct strbuf tables = STRBUF_INIT, synth = STRBUF_INIT;
	int rc;

	record_synth_tables(r, &tables);
	rc = record_write_start(r, &tables, err);
	if (!rc && !r->ro.tail_synthesize)
		rc = record_synth_now(r, &synth, err);
	if (!rc)
		rc = record_write_synth(r, &synth, err);
	strbuf_release(&tables);
	strbuf_release(&synth);
	return rc ? rc : record_write_mark(r, PERF_RECORD_FINISHED_INIT, err);
}
