// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a recording again. Records are native inside; the output has the byte order of the input,
 * so they are converted back when they are written.
 *
 * Copying takes the spans that pass 1 found complete directly from the input file: no record is
 * touched, and compressed ones stay compressed. In time order every record passes through here.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/intern.h"
#include "file/feature.h"
#include "session/rewrite-internal.h"
#include "session/session-internal.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Output is written when there is more than this: seldom, but while it is still in the caches of
 * the processor. */
#define OUT_FLUSH ((size_t)1 << 17)

/* ---- bytes out ---- */

static int flush(struct rewrite *rw, size_t above, struct err *err)
{
	int ret;

	if (rw->out.len <= above)
		return 0;
	ret = file_writer_write(&rw->w, rw->out.buf, rw->out.len, err);
	strbuf_reset(&rw->out);
	return ret;
}

/* Append a native record to the pending output, in the byte order of the output. */
static void emit(struct rewrite *rw, const void *rec, const struct wire_layout *l)
{
	size_t at = rw->out.len, size = rec_size(rec);

	strbuf_add(&rw->out, rec, size);
	if (rw->w.swap)
		record_unswap(l, rw->out.buf + at, size);
}

static const struct wire_layout *layout_of(const struct rewrite *rw, const struct evsel *e)
{
	if (!e)
		e = rw->s->index->first;
	return e ? &e->layout : NULL;
}

/* ---- records that wait for their time ---- */

static bool earlier(const struct rewrite_held *a, const struct rewrite_held *b)
{
	return a->time != b->time ? a->time < b->time : a->seq < b->seq;
}

static void swap_held(struct rewrite_held *a, struct rewrite_held *b)
{
	struct rewrite_held t = *a;

	*a = *b;
	*b = t;
}

static void heap_push(struct rewrite *rw, struct rewrite_held h)
{
	size_t i = rw->nr_held;

	VEC_GROW(rw->held, rw->nr_held + 1, rw->cap_held);
	rw->held[rw->nr_held++] = h;
	for (; i && earlier(&rw->held[i], &rw->held[(i - 1) / 2]); i = (i - 1) / 2)
		swap_held(&rw->held[i], &rw->held[(i - 1) / 2]);
}

static void heap_pop(struct rewrite *rw)
{
	struct rewrite_held *v = rw->held;
	size_t i = 0, nr = --rw->nr_held;

	free(v[0].rec);
	v[0] = v[nr];
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < nr && earlier(&v[child + 1], &v[child]))
			child++;
		if (child >= nr || !earlier(&v[child], &v[i]))
			break;
		swap_held(&v[child], &v[i]);
		i = child;
	}
}

/* Write the inserted records that belong before a record of @time. */
static void emit_due(struct rewrite *rw, u64 time)
{
	while (rw->nr_held && rw->held[0].time < time) {
		emit(rw, rw->held[0].rec, layout_of(rw, NULL));
		heap_pop(rw);
	}
}

void rewrite_insert(struct rewrite *rw, const void *rec, const struct evsel *e)
{
	emit(rw, rec, layout_of(rw, e));
}

void rewrite_insert_as(struct rewrite *rw, const void *rec, const struct wire_layout *l)
{
	emit(rw, rec, l);
}

void rewrite_insert_at(struct rewrite *rw, u64 time, const void *rec)
{
	size_t size = rec_size(rec);
	struct rewrite_held h = { time, rw->seq++, xmalloc(size) };

	memcpy(h.rec, rec, size);
	heap_push(rw, h);
}

/* ---- build-ids ---- */

static bool same_id(const struct env_build_id *a, const struct env_build_id *b)
{
	return a->size == b->size && !memcmp(a->id, b->id, a->size);
}

/* Return what tells objects apart, with the name at its end: each guest has objects of its own. */
static char *id_key(const struct env_build_id *id)
{
	u16 mode = id->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode != PERF_RECORD_MISC_GUEST_KERNEL && mode != PERF_RECORD_MISC_GUEST_USER)
		return xstrdup(id->filename);
	return xasprintf("%d:%s", id->pid, id->filename);
}

/*
 * Add a build-id, one for each object: a later one replaces the earlier. Keys are interned in the
 * order of the entries, after "".
 */
static struct rewrite_id *put_id(struct rewrite *rw, const struct env_build_id *id)
{
	char *key = id_key(id);
	size_t before = strlen(key) - strlen(id->filename);
	u32 name = intern_str_id(&rw->names, key);
	struct rewrite_id *r;

	free(key);
	if (!name)
		return NULL;
	if (name <= rw->nr_ids) {
		r = &rw->ids[name - 1];
		if (!same_id(&r->id, id)) {
			memcpy(r->id.id, id->id, sizeof(id->id));
			r->id.size = id->size;
			r->written = false;
		}
		return r;
	}
	VEC_GROW(rw->ids, rw->nr_ids + 1, rw->cap_ids);
	r = &rw->ids[rw->nr_ids++];
	*r = (struct rewrite_id){ .id = *id };
	r->id.filename = (char *)intern_str(&rw->names, name) + before;
	return r;
}

static void emit_id(struct rewrite *rw, struct rewrite_id *r)
{
	struct strbuf rec = STRBUF_INIT;

	if (r->written)
		return;
	r->written = true;
	feature_build_id(&rec, &r->id);
	if (rec.len) {
		*(u32_una *)rec.buf = PERF_RECORD_HEADER_BUILD_ID;
		emit(rw, rec.buf, NULL);
	}
	strbuf_release(&rec);
}

/* Write the build-ids. In a stream the description of the events has to come first, which here is
 * that of those that are added. */
static void emit_ids(struct rewrite *rw)
{
	rw->begun = true;
	if (rw->s->file->pipe)
		file_writer_event_records(&rw->w, rw->added, rw->nr_added, &rw->out);
	for (size_t i = 0; i < rw->nr_ids; i++)
		emit_id(rw, &rw->ids[i]);
}

void rewrite_build_id(struct rewrite *rw, const struct env_build_id *id)
{
	struct rewrite_id *r = put_id(rw, id);

	if (rw->begun && r)
		emit_id(rw, r);
}

/* ---- where data went ---- */

/* Note that bytes will follow what is written and the pending output. */
static void add_move(struct rewrite *rw, u64 from, u64 len, size_t waits)
{
	u64 to = rw->w.data_offset + rw->w.data_size + waits;

	VEC_GROW(rw->moves, rw->nr_moves + 1, rw->cap_moves);
	rw->moves[rw->nr_moves++] = (struct rewrite_move){ from, len, to };
}

/* ---- opening ---- */

static bool same_file(const struct session *s, const char *output)
{
	struct stat in, out;

	return !fstat(s->file->fd, &in) && S_ISREG(in.st_mode) &&
	       !(strcmp(output, "-") ? stat(output, &out) : fstat(STDOUT_FILENO, &out)) &&
	       in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

/* Write the magic of a stream; its attrs and features follow as records. */
static int begin_stream(struct rewrite *rw, struct err *err)
{
	return file_writer_start(&rw->w, NULL, 0, err);
}

/* Return the name of an event in the output, which is owned; NULL: none. */
static char *output_name(const struct rewrite *rw, const char *name)
{
	char *copy = name ? xstrdup(name) : NULL;

	if (copy && rw->about && rw->about->body)
		rw->about->body(HEADER_EVENT_DESC, (u8 *)copy, strlen(copy));
	return copy;
}

/* Return the attrs of the output: those of the input, whose names are owned, and those that are
 * added. */
static struct writer_attr *output_attrs(const struct rewrite *rw, struct perf_event_attr *attrs)
{
	const struct perf_file *f = rw->s->file;
	struct writer_attr *wa = xcalloc(f->nr_attrs + rw->nr_added + 1, sizeof(*wa));

	for (size_t i = 0; i < f->nr_attrs; i++) {
		attrs[i] = f->attrs[i].attr;
		if (rw->about && rw->about->attr)
			rw->about->attr(&attrs[i]);
		attrs[i].size = ATTR_SIZE; /* the size that is written, which readers rely on */
		wa[i] = (struct writer_attr){ .attr = &attrs[i],
					      .ids = f->attrs[i].ids,
					      .nr_ids = f->attrs[i].nr_ids,
					      .name = output_name(rw, f->attrs[i].name),
					      .more = f->attrs[i].more,
					      .nr_more = f->attrs[i].nr_more };
	}
	for (size_t i = 0; i < rw->nr_added; i++)
		wa[f->nr_attrs + i] = rw->added[i];
	return wa;
}

static int begin_file(struct rewrite *rw, struct err *err)
{
	const struct perf_file *f = rw->s->file;
	struct perf_event_attr *attrs = xcalloc(f->nr_attrs + 1, sizeof(*attrs));
	struct writer_attr *wa = output_attrs(rw, attrs);
	struct rewrite_features *feats = xzalloc(sizeof(*feats));
	int ret;

	for (size_t i = 0; i < f->env.nr_build_ids; i++)
		put_id(rw, &f->env.build_ids[i]);
	ret = file_writer_start(&rw->w, wa, f->nr_attrs + rw->nr_added, err);
	if (!ret && rw->w.pipe) {
		rewrite_features(rw, feats);
		ret = file_writer_feature_records(&rw->w, feats->v, feats->nr, err);
		rewrite_features_release(feats);
		emit_ids(rw);
	}
	rw->begun = true;
	free(feats);
	for (size_t i = 0; i < f->nr_attrs; i++)
		free((char *)wa[i].name);
	free(wa);
	free(attrs);
	return ret;
}

int rewrite_open(struct rewrite *rw, struct session *s, const char *output,
		 const struct rewrite_conf *conf, struct err *err)
{
	int ret;

	*rw = (struct rewrite){ .s = s };
	if (conf) {
		rw->about = conf->about;
		rw->added = conf->added;
		rw->nr_added = conf->nr_added;
	}
	if (same_file(s, output))
		return err_set(err, -EINVAL, "'%s' is the input itself: name another file with -o",
			       output);
	ret = file_writer_open(&rw->w, output, err);
	if (ret)
		return ret;
	rw->open = true;
	rw->w.swap = s->file->swap;
	s->file->keep_aux = true;
	if (!s->file->pipe)
		return begin_file(rw, err);
	rw->w.pipe = true;
	return begin_stream(rw, err);
}

/* ---- copying ---- */

/*
 * Copy a span from the mapping if that has the byte order of the output, otherwise from the file.
 */
static int copy_span(struct rewrite *rw, const struct span *sp, struct err *err)
{
	const struct perf_file *f = rw->s->file;
	u64 len = (u64)(sp->end - sp->p);

	add_move(rw, (u64)(sp->p - f->map), len, 0);
	return file_writer_copy(&rw->w, f->fd, (u64)(sp->p - f->map), len, err);
}

static int copy_spans(struct rewrite *rw, struct err *err)
{
	const struct session_index *ix = rw->s->index;
	int ret = 0;

	for (size_t i = 0; !ret && i < ix->nr_spans; i++)
		ret = copy_span(rw, &ix->spans[i], err);
	return ret;
}

static void *copier_main(void *arg)
{
	struct rewrite *rw = arg;

	rw->copied = copy_spans(rw, &rw->copy_err);
	return NULL;
}

int rewrite_copy_ahead(struct rewrite *rw, struct err *err)
{
	int ret;

	if (rw->s->file->pipe || rw->s->file->nr_parts || rw->w.pipe)
		return 0;
	ret = flush(rw, 0, err);
	rw->copying = !ret && !pthread_create(&rw->copier, NULL, copier_main, rw);
	return ret;
}

/* Wait for the background copy. Return: its result. */
static int await_copier(struct rewrite *rw, struct err *err)
{
	pthread_join(rw->copier, NULL);
	rw->copying = false;
	if (rw->copied)
		*err = rw->copy_err;
	return rw->copied;
}

/*
 * Change a record of a stream that says something about the recording, and stands at @at of the
 * pending output. Return: false when it is left out.
 */
static bool change_about(const struct rewrite *rw, const struct pipe_record *raw, size_t at)
{
	u8 *rec = (u8 *)rw->out.buf + at;
	u64 bit;

	if (rw->about->drops && rw->about->drops(raw->type))
		return false;
	switch (raw->type) {
	case PERF_RECORD_HEADER_ATTR:
		rewrite_attr_record(rw, rec, raw->size);
		return true;
	case PERF_RECORD_HEADER_FEATURE:
		if (raw->size < 16)
			return true;
		bit = *(const u64_una *)(rec + 8);
		if (rw->w.swap)
			bit = __builtin_bswap64(bit);
		return bit >= HEADER_FEAT_BITS ||
		       rewrite_feature_body(rw, (u32)bit, rec + 16, raw->size - 16U);
	case PERF_RECORD_HEADER_TRACING_DATA:
		return !raw->payload || rewrite_feature_body(rw, HEADER_TRACING_DATA,
							     rec + raw->size, raw->payload_size);
	case PERF_RECORD_EVENT_UPDATE:
		if (rw->about->body)
			rw->about->body(HEADER_EVENT_DESC, rec, raw->size);
		return true;
	default:
		return true;
	}
}

/* Append a record of a stream, unchanged unless it is about the recording, with the data after it.
 */
static void emit_raw(struct rewrite *rw, const struct pipe_record *raw)
{
	static const u8 none[8];
	size_t at = rw->out.len;
	size_t width = raw->type == PERF_RECORD_AUXTRACE              ? 8
		       : raw->type == PERF_RECORD_HEADER_TRACING_DATA ? 4
								      : 0;

	/* A record inside a compressed one has no data after it, whatever it says. */
	if (width && !raw->payload && raw->size >= 8 + width && memcmp(raw->rec + 1, none, width))
		return;
	strbuf_add(&rw->out, raw->rec, raw->size);
	/* A record followed by data was truncated when it was longer than its type allows. */
	*(u16_una *)(rw->out.buf + at + 6) = rw->w.swap ? __builtin_bswap16(raw->size) : raw->size;
	if (raw->payload)
		strbuf_add(&rw->out, raw->payload, raw->payload_size);
	if (rw->about && !change_about(rw, raw, at))
		rw->out.len = at;
}

static bool is_compressed(u32 type)
{
	return type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2;
}

/* Copy a user record of a stream; a compressed one is expanded if its contents matter. */
static int pass_user(struct rewrite *rw, const struct pipe_record *raw, const wire_header *rec,
		     struct err *err)
{
	if (is_compressed(raw->type) && rw->expand)
		return 0;
	if (raw->type == PERF_RECORD_AUXTRACE_INFO)
		rw->traces = true;
	if (!(raw->type == PERF_RECORD_HEADER_FEATURE && raw->size >= 16 &&
	      *(const u64_una *)(rec + 1) < HEADER_FEAT_BITS &&
	      rewrite_outdated(rw, (u32) * (const u64_una *)(rec + 1)) &&
	      *(const u64_una *)(rec + 1) != HEADER_AUXTRACE))
		emit_raw(rw, raw);
	if (raw->type == PERF_RECORD_FINISHED_ROUND && !rw->taking)
		return flush(rw, 0, err); /* the queue needs it as well */
	return flush(rw, raw->type == PERF_RECORD_FINISHED_ROUND ? 0 : OUT_FLUSH, err) ?: 1;
}

static int on_arrived(void *ctx, const struct pipe_record *raw, const wire_header *rec,
		      struct err *err)
{
	struct rewrite *rw = ctx;
	int ret = REWRITE_KEEP;

	if (raw->type >= PERF_RECORD_USER_TYPE_START)
		return pass_user(rw, raw, rec, err);
	if (!rw->begun)
		emit_ids(rw);
	if (!rw->taking)
		return 0;
	if (rw->ops && raw->type != PERF_RECORD_SAMPLE) {
		struct session_event ev;
		struct id_cache cache = { 0 };

		record_event(rw->s, (const u8 *)rec, raw->offset, 0, &cache, &ev);
		ret = rw->ops->record(rw->ctx, rw, &ev, err);
	}
	if (ret < 0)
		return ret;
	if (ret == REWRITE_KEEP)
		emit_raw(rw, raw);
	return flush(rw, OUT_FLUSH, err) ?: 1;
}

/* ---- in time order ---- */

static int no_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return 0;
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct rewrite *rw = ctx;

	return rw->ops && rw->ops->events ? rw->ops->events(rw->ctx, evlist, env, err) : 0;
}

/* Return @len bytes at an offset as records use it, or NULL when they do not exist. */
static const u8 *mapped(const struct perf_file *f, u64 offset, u64 len)
{
	if (offset < f->size)
		return len <= f->size - offset ? f->map + offset : NULL;
	for (size_t i = 0; i < f->nr_parts; i++) {
		const struct file_part *part = &f->parts[i];

		if (offset >= part->base && offset - part->base < part->size)
			return len <= part->size - (offset - part->base)
				       ? part->map + (offset - part->base)
				       : NULL;
	}
	return NULL;
}

/* Write a user record of a file, with the data after it. */
static int emit_user(struct rewrite *rw, const struct session_event *ev, struct err *err)
{
	const u8 *rec = (const u8 *)ev->hdr, *payload;
	u64 aux;

	if (rw->about && rw->about->drops && rw->about->drops(ev->hdr->type))
		return 0;
	if (ev->hdr->type == PERF_RECORD_AUXTRACE_INFO)
		rw->traces = true;
	if (ev->hdr->type != PERF_RECORD_AUXTRACE || ev->hdr->size < 16) {
		emit(rw, rec, NULL);
		return flush(rw, OUT_FLUSH, err);
	}
	aux = *(const u64_una *)(rec + 8);
	payload = mapped(rw->s->file, ev->offset + ev->hdr->size, aux);
	if (aux && !payload)
		return 0; /* cut off, which pass 1 has reported */
	add_move(rw, ev->offset, ev->hdr->size, rw->out.len);
	emit(rw, rec, NULL);
	return flush(rw, 0, err) ?: file_writer_write(&rw->w, payload, aux, err);
}

/*
 * No recorder writes such a size: readers accept it only because of the record after it, and in
 * time order another record follows.
 */
static bool stands_by_neighbours(u32 type, size_t size)
{
	return size % 8 && (type < PERF_RECORD_USER_TYPE_START || !record_name(type));
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *text,
		     struct err *err)
{
	struct rewrite *rw = ctx;
	u32 type = ev->hdr->type;
	int ret = REWRITE_KEEP;

	/* the complete record was written before; this is a part that its group read stands for */
	if (ev->part == PART_VALUE)
		return 0;
	/*
	 * A record that could not be converted to native order is useless, and was counted already.
	 */
	if (!type)
		return 0;
	if (stands_by_neighbours(type, ev->hdr->size)) {
		diag_record(&rw->s->diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
		return 0;
	}
	if (type >= PERF_RECORD_USER_TYPE_START)
		return rw->s->file->pipe || is_compressed(type) ? 0 : emit_user(rw, ev, err);
	emit_due(rw, ev->time);
	if (rw->ops)
		ret = rw->ops->record(rw->ctx, rw, ev, err);
	if (ret < 0)
		return ret;
	if (ret == REWRITE_KEEP)
		emit(rw, ev->hdr, layout_of(rw, ev->evsel));
	return flush(rw, OUT_FLUSH, err);
}

static int drive(struct rewrite *rw, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = no_state, .events = on_events },
		.format = on_record,
		.all = true,
		.arrived = on_arrived,
	};
	int ret = session_ordered(rw->s, &ops, rw, 1, err);

	if (!ret)
		emit_due(rw, UINT64_MAX);
	return ret ? ret : flush(rw, 0, err);
}

int rewrite_copy(struct rewrite *rw, const struct rewrite_ops *ops, void *ctx, struct err *err)
{
	int ret;

	rw->ops = ops;
	rw->ctx = ctx;
	if (rw->copying)
		return await_copier(rw, err);
	if (rw->s->file->nr_parts) /* the rounds of several files have an order only together */
		return rewrite_ordered(rw, NULL, NULL, err);
	rw->expand = ops;
	rw->taking = true;
	if (rw->s->file->pipe)
		return drive(rw, err);
	ret = session_scan(rw->s, err);
	if (!ret)
		ret = flush(rw, 0, err);
	return ret ? ret : copy_spans(rw, err);
}

int rewrite_ordered(struct rewrite *rw, const struct rewrite_ops *ops, void *ctx, struct err *err)
{
	rw->ops = ops;
	rw->ctx = ctx;
	rw->expand = true;
	return drive(rw, err);
}

/* ---- the end ---- */

int rewrite_finish(struct rewrite *rw, struct err *err)
{
	struct rewrite_features *feats = xzalloc(sizeof(*feats));
	int ret;

	if (!rw->begun)
		emit_ids(rw);
	ret = flush(rw, 0, err);

	if (!ret && !rw->w.pipe) {
		rewrite_features(rw, feats);
		ret = file_writer_finish(&rw->w, feats->v, feats->nr, err);
		rewrite_features_release(feats);
	}
	free(feats);
	if (ret)
		return ret;
	rw->open = false;
	return file_writer_close(&rw->w, err);
}

bool rewrite_close(struct rewrite *rw)
{
	struct err err;
	bool removed;

	if (rw->copying)
		await_copier(rw, &err);
	removed = rw->open && file_writer_abort(&rw->w);
	while (rw->nr_held)
		heap_pop(rw);
	free(rw->held);
	free(rw->moves);
	free(rw->ids);
	intern_release(&rw->names);
	strbuf_release(&rw->out);
	*rw = (struct rewrite){ 0 };
	return removed;
}
