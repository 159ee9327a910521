// SPDX-License-Identifier: GPL-2.0-or-later
/* Convert a whole recording to JSON. */
#include "base/compat.h"
#include "convert/convert.h"

#include "base/alloc.h"
#include "convert/json.h"
#include "recording/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAX_WORKERS 64
#define BLOCK ((size_t)1 << 16) /* writes start at multiples of this: the page cache likes that */
#define SPILL ((size_t)1 << 20) /* text of records kept in memory before it goes to a file */

/* The count of one worker, on a cache line of its own. */
struct worker_count {
	u64 samples;
	char pad[56];
};

struct to_json {
	struct recording *r;
	const struct convert_options *o;
	u64 wall_offset; /* valid once has_clock is set */
	bool has_clock;
	struct worker_count counts[MAX_WORKERS];
	struct json_shape *shape;
	struct json_writer *writers[MAX_WORKERS];
	int workers;
	int fd;
	char *block; /* owned; BLOCK bytes */
	size_t filled;
	u64 written;
	bool begun, samples; /* the head, a sample was written */
	/* Records that are no samples: they come last, as readers expect the samples first. */
	struct strbuf records;
	FILE *spill; /* those that did not fit in there; NULL without */
	u64 nr_records;
};

/* ---- writing ---- */

/* Write the text that waits in the block, then @len bytes of @text. */
static int write_out(struct to_json *j, const char *text, size_t len, struct err *err)
{
	struct iovec v[2] = { { j->block, j->filled }, { (char *)text, len } };

	while (v[0].iov_len || v[1].iov_len) {
		ssize_t n = writev(j->fd, v, 2);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, -errno, "cannot write to %s: %s", j->o->path,
				       err_str(-errno));
		for (int i = 0; i < 2; i++) {
			size_t part = MIN((size_t)n, v[i].iov_len);

			if (part)
				v[i].iov_base = (char *)v[i].iov_base + part;
			v[i].iov_len -= part;
			n -= (ssize_t)part;
		}
	}
	j->filled = 0;
	return 0;
}

/* Write whole blocks straight from @text. The rest, less than a block, is kept in the block. */
static int put(struct to_json *j, const char *text, size_t len, struct err *err)
{
	size_t whole = (j->filled + len) / BLOCK * BLOCK;
	int ret = 0;

	j->written += len;
	if (whole) {
		size_t n = whole - j->filled;

		ret = write_out(j, text, n, err);
		text += n;
		len -= n;
	}
	if (!ret && len) {
		memcpy(j->block + j->filled, text, len);
		j->filled += len;
	}
	return ret;
}

static int put_buf(struct to_json *j, struct strbuf *sb, struct err *err)
{
	int ret = put(j, strbuf_str(sb), sb->len, err);

	strbuf_reset(sb);
	return ret;
}

static int put_head(struct to_json *j, struct err *err)
{
	const struct perf_file *f = j->r->session.file;
	struct strbuf sb = STRBUF_INIT;
	struct stat st = { 0 };
	int ret;

	if (j->begun)
		return 0;
	j->begun = true;
	if (f->pipe || fstat(f->fd, &st))
		st.st_mtime = time(NULL);
	json_head(f, st.st_mtime, &sb);
	ret = put_buf(j, &sb, err);
	strbuf_release(&sb);
	return ret;
}

static int on_text(void *ctx, const char *text, size_t len, struct err *err)
{
	struct to_json *j = ctx;
	size_t skip = j->samples ? 0 : JSON_COMMA;
	int ret = put_head(j, err);

	j->samples = true;
	return ret ? ret : put(j, text + skip, len - skip, err);
}

/* ---- the recording ---- */

static void drop_shape(struct to_json *j)
{
	for (int i = 0; i < MAX_WORKERS; i++) {
		json_writer_free(j->writers[i]);
		j->writers[i] = NULL;
	}
	json_shape_free(j->shape);
	j->shape = NULL;
}

/* Find the offset that makes times those of the wall clock. A stream tells it before its first
 * record. */
static int settle_clock(struct to_json *j, struct err *err)
{
	if (j->has_clock)
		return 0;
	j->has_clock = true;
	return convert_wall_offset(j->r, j->o, &j->wall_offset, err);
}

static int on_events(void *ctx, struct err *err)
{
	drop_shape(ctx);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct to_json *j = ctx;
	const struct session *s = &j->r->session;
	int ret = settle_clock(j, err);
	const struct json_conf conf = {
		.evlist = &s->evlist,
		.machine = j->r->machine,
		.symbols = j->r->symbols,
		.tracefmt = j->r->formats.tracefmt,
		.arch = s->file->env.arch,
		.time_offset = j->wall_offset,
	};

	if (ret)
		return ret;
	j->shape = json_shape_new(&conf);
	for (int i = 0; i < j->workers; i++)
		j->writers[i] = json_writer_new(j->shape);
	return 0;
}

static int on_sample(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct to_json *j = ctx;

	if (!sample_filter_time_takes(&j->r->filter, ev->sample->time))
		return 0;
	json_sample(j->writers[worker], ev->evsel, ev->sample, ev->time, out);
	j->counts[worker].samples++;
	return 0;
}

static void on_soon(void *ctx, int worker, const struct session_event *ev)
{
	struct to_json *j = ctx;

	json_soon(j->writers[worker], ev->evsel, ev->sample, ev->time);
}

/* ---- other records ---- */

static int spill(struct to_json *j, struct err *err)
{
	if (!j->spill)
		j->spill = tmpfile();
	if (!j->spill ||
	    (j->records.len && fwrite(j->records.buf, j->records.len, 1, j->spill) != 1))
		return err_set(err, -errno, "cannot write a temporary file: %s", err_str(-errno));
	strbuf_reset(&j->records);
	return 0;
}

static int on_record(struct to_json *j, const struct session_event *ev, struct err *err)
{
	size_t before = j->records.len;
	int ret = settle_clock(j, err);

	if (ret || (ev->id.time && !sample_filter_time_takes(&j->r->filter, ev->id.time)))
		return ret;
	json_record(ev->evsel, ev->hdr, &ev->id, j->wall_offset, &j->records);
	j->nr_records += j->records.len > before;
	return j->records.len > SPILL ? spill(j, err) : 0;
}

static int on_state(void *ctx, const struct session_event *ev, bool applied, struct err *err)
{
	return on_record(ctx, ev, err);
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	return on_record(ctx, ev, err);
}

/* Write the spilled records, then those in memory, without the comma before the first. */
static int put_records(struct to_json *j, struct err *err)
{
	size_t skip = JSON_COMMA, n;
	char buf[1 << 16];
	int ret = 0;

	if (j->spill) {
		rewind(j->spill);
		while (!ret && (n = fread(buf, 1, sizeof(buf), j->spill)) > 0) {
			ret = put(j, buf + skip, n - skip, err);
			skip = 0;
		}
		if (!ret && ferror(j->spill))
			ret = err_set(err, -EIO, "cannot read back a temporary file");
	}
	if (ret || j->records.len <= skip)
		return ret;
	return put(j, j->records.buf + skip, j->records.len - skip, err);
}

static int put_tail(struct to_json *j, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int ret = put_head(j, err);

	if (!ret && j->o->all) {
		json_middle(&sb);
		ret = put_buf(j, &sb, err);
		if (!ret)
			ret = put_records(j, err);
	}
	json_tail(&sb);
	if (!ret)
		ret = put_buf(j, &sb, err);
	strbuf_release(&sb);
	return ret ? ret : write_out(j, NULL, 0, err);
}

/* ---- the run ---- */

static int put_all(struct to_json *j, struct err *err)
{
	const struct recording_ops ops = {
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.state = j->o->all ? on_state : NULL,
		.other = j->o->all ? on_other : NULL,
		.format = on_sample,
		.soon = on_soon,
		.write = on_text,
	};
	int ret;

	j->block = xmalloc(BLOCK);
	recording_symbols(j->r);
	ret = recording_ordered(j->r, &ops, j, j->workers, err);
	if (!ret)
		ret = put_tail(j, err);
	drop_shape(j);
	if (j->spill)
		fclose(j->spill);
	strbuf_release(&j->records);
	free(j->block);
	return ret;
}

static int open_output(struct to_json *j, struct err *err)
{
	const char *path = j->o->path;

	if (!j->o->overwrite && !access(path, F_OK))
		return err_set(err, -EEXIST, "Output file exists. Use --force to overwrite it.");
	j->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (j->fd < 0)
		return err_set(err, -errno, "Error opening output file!\n%s: %s", path,
			       err_str(-errno));
	return 0;
}

static int close_output(struct to_json *j, int ret, struct err *err)
{
	struct stat st;
	bool file = !fstat(j->fd, &st) && S_ISREG(st.st_mode);

	if (close(j->fd) && !ret)
		ret = err_set(err, -errno, "cannot write to %s: %s", j->o->path, err_str(-errno));
	/* Half of it is no JSON. */
	if (ret && file)
		unlink(j->o->path);
	return ret;
}

int convert_json(struct recording *r, const struct convert_options *o, struct convert_counts *n,
		 struct err *err)
{
	struct to_json j = { .r = r, .o = o, .workers = MIN(o->workers, MAX_WORKERS) };
	int ret = recording_is_stream(r) ? 0 : settle_clock(&j, err);

	if (!ret)
		ret = open_output(&j, err);
	if (ret)
		return ret;
	ret = close_output(&j, put_all(&j, err), err);
	*n = (struct convert_counts){ .bytes = j.written, .others = j.nr_records };
	for (int i = 0; i < j.workers; i++)
		n->samples += j.counts[i].samples;
	return ret;
}
