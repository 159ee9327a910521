// SPDX-License-Identifier: GPL-2.0-or-later
/* Begin and complete the output files, and tell the user of them. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "file/keep-old.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#define SYNTH_STEP_NS 2000000
#define COMPRESS_LIMIT ((size_t)64 << 20) /* how far -z may be behind */

u64 files_written(const struct recorder *r)
{
	return output_written(&r->out) + ring_threads_written(r->threads);
}

static struct recording_facts facts_of(const struct recorder *r)
{
	return (struct recording_facts){ .opts = r->opts,
					 .ev = &r->ev,
					 .progs = &r->progs,
					 .tracing = &r->tracing,
					 .clock = &r->clock,
					 .out = &r->out,
					 .folder = r->threads };
}

/* --- the head ------------------------------------------------------------------------- */

bool keeps_objects(const struct recorder *r)
{
	return !r->no_buildid && !r->opts->no_buildid_cache && !r->out.writer.pipe;
}

static struct scan_opts scan_of(struct recorder *r)
{
	const struct record_opts *o = r->opts;
	bool tasks = (o->switching.enabled || o->tail_synthesize) && !o->sample.system_wide;

	return (struct scan_opts){ .sysroot = r->ev.sysroot,
				   .list = r->ev.list,
				   .objects = !r->no_buildid && !r->out.writer.pipe,
				   .all_objects = o->buildid_all,
				   .build_ids = o->buildid_mmap,
				   .note_samples = o->overwrite,
				   .tasks = tasks ? &r->existing.tasks : NULL,
				   .hit = keeps_objects(r) ? object_cache_add : NULL,
				   .ctx = &r->cache };
}

/* A file, or a folder with the file and what stands beside it. */
static int open_output(struct recorder *r, struct err *err)
{
	const struct record_opts *o = r->opts;
	char *data = r->threads || o->kcore ? xasprintf("%s/data", o->output) : NULL;
	int rc = data ? recording_mkdir(o->output, err) : 0;
	struct scan_opts scan;

	if (!rc)
		rc = file_writer_open(&r->out.writer, data ? data : o->output, err);
	free(data);
	if (!rc && o->kcore)
		rc = kcore_put(&r->kcore_last, r->ev.sysroot, o->output, err);
	scan = scan_of(r);
	if (!rc && r->threads)
		rc = ring_threads_open(r->threads, o->output, &r->ev.rings, &scan, o->comp_level,
				       err);
	return rc;
}

/* Write the header and the tables. */
static int write_head(struct recorder *r, const struct strbuf *tables, struct err *err)
{
	struct writer_attr *attrs = writer_attrs(r->ev.list);
	struct file_writer *w = &r->out.writer;
	struct recording_facts facts = facts_of(r);
	struct features f = { .nr = 0 };
	int rc = open_output(r, err);

	/* data of tracepoints makes no sense without their formats, else written last */
	if (!rc && !w->pipe && r->tracing.len)
		facts_early(&facts, &f);
	if (!rc)
		rc = file_writer_start_early(w, attrs, r->ev.list->nr, f.v, f.nr, err);
	r->ev.new_ids = false;
	if (!rc && w->pipe) {
		facts_all(&facts, NULL, &f);
		rc = file_writer_feature_records(w, f.v, f.nr, err);
	}
	features_release(&f);
	if (!rc)
		rc = file_writer_write(w, tables->buf, tables->len, err);
	free(attrs);
	return rc;
}

/* The bytes that may wait for the thread that writes. */
static size_t waiting_limit(const struct recorder *r)
{
	const struct record_opts *o = r->opts;
	size_t rings = r->ev.rings.nr * r->ev.rings.v[0].size, limit = o->ring.aio * rings;

	if (o->comp_level)
		limit = MAX(limit, COMPRESS_LIMIT);
	if (o->sample.unwind)
		limit = MAX(limit, o->ring.unwind_queue + COMPRESS_LIMIT);
	return limit;
}

/* Start the thread that writes all that follows, if there is -z or --aio, or if it unwinds. */
static int start_thread(struct recorder *r, struct err *err)
{
	const struct record_opts *o = r->opts;
	const struct unwinding_opts unwinding = { .sysroot = r->ev.sysroot,
						  .list = r->ev.list,
						  .cache_dir = o->cache_dir,
						  .patience = o->ring.unwind_queue,
						  .keep_regs = o->sample.user_regs };
	int rc;

	if (r->threads || (!o->comp_level && !o->ring.aio && !o->sample.unwind))
		return 0;
	/* that can wait, and is not to be in the way of what is recorded */
	priority_lower(&r->priority);
	if (o->sample.unwind)
		r->out.unwinding = unwinding_new(&unwinding);
	rc = output_thread(&r->out, o->comp_level, waiting_limit(r), err);
	priority_raise(&r->priority);
	return rc;
}

static int begin(struct recorder *r, const struct strbuf *tables, struct err *err)
{
	struct record_output *out = &r->out;
	struct scan_opts scan;
	int rc = write_head(r, tables, err);

	if (rc)
		return rc;
	scan = scan_of(r);
	out->scan = scan_new(&scan, &out->seen);
	/* what was just written: maps of the kernel and its modules are among it */
	scan_walk(out->scan, tables->buf, tables->len);
	if (!out->writer.pipe) {
		out->write_back = write_back_new();
		write_back_add(out->write_back, &out->writer);
		ring_threads_write_back(r->threads, out->write_back);
	}
	return start_thread(r, err);
}

int files_first(struct recorder *r, const struct strbuf *tables, const struct strbuf *existing,
		struct err *err)
{
	int rc = begin(r, tables, err);

	if (!rc)
		rc = output_records(&r->out, existing, err);
	return rc ? rc : output_mark(&r->out, PERF_RECORD_FINISHED_INIT, err);
}

/* --- what is there now -------------------------------------------------------------------- */

struct synth_job {
	struct existing *existing;
	struct strbuf *out;
};

static void *synth_thread(void *ctx)
{
	struct synth_job *job = ctx;

	existing_events(job->existing, job->out, true);
	return NULL;
}

/* Describe all processes on a thread of its own, as the rings would be full before that is done.
 * Records that come meanwhile stand in front of them, within the round, whose records readers put
 * in order. */
static int synth_beside(struct recorder *r, struct strbuf *out, struct err *err)
{
	struct synth_job job = { &r->existing, out };
	struct timespec until;
	pthread_t thread;
	int rc = 0;

	if (pthread_create(&thread, NULL, synth_thread, &job)) {
		existing_events(&r->existing, out, true);
		return 0;
	}
	do {
		/* after an error there is only the thread to wait for */
		if (rc >= 0)
			rc = loop_drain_some(r, err);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += SYNTH_STEP_NS;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
	} while (pthread_timedjoin_np(thread, NULL, &until));
	return MIN(rc, 0);
}

/* Write what there is now, while the rings are emptied. */
static int write_existing(struct recorder *r, struct err *err)
{
	struct strbuf existing = STRBUF_INIT;
	int rc = 0;

	/* the few processes of a command are described at once, and while that is done nobody may
	 * note others */
	if (r->opts->sample.system_wide)
		rc = synth_beside(r, &existing, err);
	else
		existing_events(&r->existing, &existing, true);
	if (!rc)
		rc = output_records(&r->out, &existing, err);
	strbuf_release(&existing);
	return rc;
}

static int next_file(struct recorder *r, struct err *err)
{
	struct strbuf tables = STRBUF_INIT;
	int rc;

	existing_tables(&r->existing, &tables);
	rc = begin(r, &tables, err);
	strbuf_release(&tables);
	if (!rc && !r->opts->tail_synthesize)
		rc = write_existing(r, err);
	return rc ? rc : output_mark(&r->out, PERF_RECORD_FINISHED_INIT, err);
}

/* --- the end of a file ---------------------------------------------------------------------- */

/* The data gives way to the header, which needs @need bytes. Return: 0, or negative errno. */
static int shorten(struct recorder *r, u64 need, struct err *err)
{
	const struct notices *notes = r->hooks->notes.always;
	struct file_writer *w = &r->out.writer;
	struct cut cut = cut_find(w->fd, w->data_offset, w->data_size, w->data_size - need);

	w->data_size = cut.keep;
	if (ftruncate(w->fd, (off_t)(w->data_offset + w->data_size)))
		return err_set(err, -errno, "failed to shorten %s: %s", r->opts->output,
			       err_str(-errno));
	r->out.seen.samples -= MIN(cut.dropped, r->out.seen.samples);
	/* how many samples there are in compressed data nobody has counted */
	if (r->opts->comp_level)
		notice(notes,
		       "Warning:\n%s: no space left: the end of the data was dropped to fit the "
		       "header.\n",
		       r->opts->output);
	else
		notice(notes,
		       "Warning:\n%s: no space left: the last %" PRIu64
		       " samples were dropped to fit the header.\n",
		       r->opts->output, cut.dropped);
	return 0;
}

/*
 * Write the header and what belongs to it. When the disk is full the data gives way: without event
 * names, tracepoint formats and build-ids the rest of it is worth little, and what describes it is
 * small.
 */
static int write_features(struct recorder *r, struct features *f, struct err *err)
{
	struct err first = { 0 };
	struct file_writer *w = &r->out.writer;
	u64 need = 4096;
	int rc = file_writer_finish(w, f->v, f->nr, &first);

	for (size_t i = 0; i < f->nr; i++)
		need += f->v[i].body.len + 16;
	if ((rc != -ENOSPC && rc != -EDQUOT && rc != -EFBIG) || need >= w->data_size) {
		if (rc)
			*err = first;
		return rc;
	}
	rc = shorten(r, need, err);
	return rc ? rc : file_writer_finish(w, f->v, f->nr, err);
}

/* Write the ids again: CPUs that were away for a while have new ones. */
static int write_ids(struct recorder *r, struct err *err)
{
	struct writer_attr *attrs = writer_attrs(r->ev.list);
	int rc = file_writer_ids(&r->out.writer, attrs, err);

	free(attrs);
	return rc;
}

static int write_lost(struct recorder *r, struct err *err)
{
	struct strbuf lost = STRBUF_INIT;
	int rc;

	statistics_lost(&r->stats, &r->ev, &lost);
	rc = file_writer_write(&r->out.writer, lost.buf, lost.len, err);
	strbuf_release(&lost);
	return rc;
}

static void end_scan(struct recorder *r)
{
	scan_end(r->out.scan);
	r->out.scan = NULL;
}

/* Look at what was written. After an error, which may have left half a record, only whole records
 * count. */
static void look_back(struct recorder *r, bool failed)
{
	struct file_writer *w = &r->out.writer;
	struct cut cut;

	ring_threads_look_back(r->threads, failed, &r->out, r->hooks->notes.detail);
	end_scan(r);
	if (!failed)
		return;
	cut = cut_find(w->fd, w->data_offset, w->data_size, w->data_size);
	w->data_size = cut.keep;
	/* those that came too late for the file were seen as well */
	if (!r->opts->comp_level)
		r->out.seen.samples = cut.samples;
}

static void lower_priority(void *ctx)
{
	priority_lower(ctx);
}

/* Write the header, now that all is known, and fill the cache. @failed: there was an error
 * before */
static int describe(struct recorder *r, bool failed, struct err *err)
{
	const struct record_opts *o = r->opts;
	struct recording_facts facts = facts_of(r);
	struct features f = { .nr = 0 };
	int rc;

	r->cache.dir = r->no_buildid || o->no_buildid_cache ? NULL : o->cache_dir;
	look_back(r, failed);
	facts_all(&facts, &r->out.seen, &f);
	rc = write_features(r, &f, err);
	r->result.complete = !rc;
	if (!rc && r->ev.new_ids)
		rc = write_ids(r, err);
	features_release(&f);
	object_cache_copy(&r->cache, lower_priority, &r->priority);
	r->cache.dir = NULL;
	strbuf_release(&r->out.seen.build_ids);
	r->out.seen.build_ids = (struct strbuf)STRBUF_INIT;
	return rc;
}

/* Complete the current file, without closing it. @failed: there was an error before, the data may
 * end within a record. */
static int complete(struct recorder *r, bool failed, struct err *err)
{
	struct err late = { 0 };
	int rc = ring_threads_stop(r->threads, &r->existing.tasks, err);
	int rc2 = output_settle(&r->out, rc ? NULL : err);

	rc = rc ? rc : rc2;
	/* only now all tasks have been seen */
	if (!rc && !failed && r->opts->tail_synthesize)
		rc = write_existing(r, err);
	write_back_free(r->out.write_back);
	r->out.write_back = NULL;
	if (!rc)
		rc = write_lost(r, err);
	r->result.complete = r->out.writer.pipe;
	if (r->out.writer.pipe) {
		end_scan(r);
		return rc;
	}
	rc2 = describe(r, rc || failed, &late);
	if (rc2 && !rc)
		*err = late;
	return rc ? rc : rc2;
}

/* Write the rings of --overwrite, from which nothing was written until now. */
static int write_overwritten(struct recorder *r, struct err *err)
{
	struct strbuf data = STRBUF_INIT;
	int rc = drain_overwritten(&r->ev.rings, &data, err);

	if (!rc)
		rc = output_records(&r->out, &data, err);
	strbuf_release(&data);
	return rc;
}

/* The file gets its final name, if that is not the one it has. */
static int name_file(struct recorder *r, struct err *err)
{
	char *name;

	if (!r->opts->timestamp_filename || r->out.writer.pipe)
		return 0;
	name = rotation_rename(r->opts->output, err);
	if (!name)
		return err->code;
	notice(r->hooks->notes.info, "[ perf record: Dump %s ]\n", name);
	rotation_keep(&r->rotation, name, r->hooks->notes.always);
	return 0;
}

/* --- several files --------------------------------------------------------------------------- */

static void begin_counting(struct record_output *out)
{
	/* what was lost is summed up at the end */
	out->seen.samples = out->seen.own = out->seen.first_time = out->seen.last_time = 0;
	out->comp_raw = out->comp_packed = 0;
}

int files_switch(struct recorder *r, struct err *err)
{
	int rc;

	notice(r->hooks->notes.info, "[ perf record: dump data: Woken up %lu times ]\n", r->waking);
	r->waking = 0;
	rc = write_overwritten(r, err);
	if (!rc)
		rc = complete(r, false, err);
	if (!rc)
		rc = file_writer_close(&r->out.writer, err);
	if (!rc)
		rc = name_file(r, err);
	if (rc)
		return rc;
	begin_counting(&r->out);
	rc = next_file(r, err);
	/* without its head a file is worth nothing */
	if (rc && r->out.writer.path) {
		output_drop(&r->out);
		if (r->opts->kcore)
			recording_remove(r->opts->output);
	}
	if (r->hooks->control)
		control_snapshot_done(r->hooks->control);
	return rc;
}

/* --- the end of all ------------------------------------------------------------------- */

static void tell_end(const struct recorder *r)
{
	const double mb = 1024.0 * 1024.0;
	const struct record_output *out = &r->out;
	char more[96] = "";

	if (out->comp_packed)
		snprintf(more, sizeof(more), ", compressed (original %.3f MB, ratio is %.3f)",
			 (double)out->comp_raw / mb, output_ratio(out));
	else if (out->seen.samples && !out->writer.pipe)
		snprintf(more, sizeof(more), " (%" PRIu64 " samples)", out->seen.samples);
	notice(r->hooks->notes.info, "[ perf record: Captured and wrote %.3f MB %s%s%s ]\n",
	       (double)files_written(r) / mb, r->opts->output,
	       r->opts->timestamp_filename && !out->writer.pipe ? ".<timestamp>" : "", more);
}

int files_finish(struct recorder *r, bool failed, struct err *err)
{
	const struct notices *info = r->hooks->notes.info;
	struct err late = { 0 };
	int rc, rc2;

	notice(info, "[ perf record: Woken up %lu times to write data ]\n", r->waking);
	rc = failed ? 0 : write_overwritten(r, err);
	rc2 = complete(r, failed || rc, rc ? &late : err);
	rc = rc ? rc : rc2;
	statistics_tell(&r->stats, &r->ev, &r->out.seen, files_written(r), info);
	/* a file with an error in it has a name and can be read all the same */
	if (!r->result.complete)
		return rc;
	rc2 = name_file(r, rc ? &late : err);
	unwound_tell(&r->out.unwound, info);
	tell_end(r);
	return rc ? rc : rc2;
}
