// SPDX-License-Identifier: GPL-2.0-or-later
/* perf data convert --to-json */
#include "base/compat.h"
#include "cmd/data/data.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "recording/jit.h"

#include "base/alloc.h"
#include "convert/json.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 16) /* writes start at multiples of this: the page cache likes that */
#define SPILL ((size_t)1 << 20) /* text of records kept in memory before it goes to a file */

struct to_json {
	struct data_convert *dc;
	struct machine *machine;
	struct jitdumps *jit;
	struct symbols *symbols;
	struct json_shape *shape;
	struct json_writer *writers[DATA_MAX_WORKERS];
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

/* What is kept in the block, then @len bytes of @text. */
static int write_out(struct to_json *j, const char *text, size_t len, struct err *err)
{
	struct iovec v[2] = { { j->block, j->filled }, { (char *)text, len } };

	while (v[0].iov_len || v[1].iov_len) {
		ssize_t n = writev(j->fd, v, 2);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, -errno, "cannot write to %s: %s", j->dc->to_json,
				       err_str(-errno));
		for (int i = 0; i < 2; i++) {
			size_t part = MIN((size_t)n, v[i].iov_len);

			v[i].iov_base = (char *)v[i].iov_base + part;
			v[i].iov_len -= part;
			n -= (ssize_t)part;
		}
	}
	j->filled = 0;
	return 0;
}

/* Text is written from where it stands, but for what is not enough for a block. */
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
	const struct perf_file *f = j->dc->session.file;
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
	for (int i = 0; i < DATA_MAX_WORKERS; i++) {
		json_writer_free(j->writers[i]);
		j->writers[i] = NULL;
	}
	json_shape_free(j->shape);
	j->shape = NULL;
}

static void make_shape(struct to_json *j, int workers)
{
	struct data_convert *dc = j->dc;
	const struct env *env = &dc->session.file->env;
	const struct json_conf conf = {
		.evlist = &dc->session.evlist,
		.machine = j->machine,
		.symbols = j->symbols,
		.tracefmt = dc->formats.tracefmt,
		.arch = env->arch,
		.time_offset = dc->wall_offset,
	};

	symbols_set_os_release(j->symbols, env->os_release);
	apply_build_ids(j->machine, env);
	j->shape = json_shape_new(&conf);
	for (int i = 0; i < workers; i++)
		j->writers[i] = json_writer_new(j->shape);
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct to_json *j = ctx;

	drop_shape(j);
	formats_take(&j->dc->formats, evlist, env, j->dc->verbose, &stderr_notices);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct to_json *j = ctx;

	machine_seal(j->machine);
	make_shape(j, j->dc->workers);
	return 0;
}

static int on_sample(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct to_json *j = ctx;

	if (unlikely(!j->shape)) { /* a pipe: the events came just before */
		int ret = data_ready(j->dc, err);

		if (ret)
			return ret;
		make_shape(j, 1);
	}
	if (!data_wants(j->dc, ev->sample->time))
		return 0;
	json_sample(j->writers[worker], ev->evsel, ev->sample, ev->time, out);
	j->dc->counts[worker].samples++;
	return 0;
}

static void on_soon(void *ctx, int worker, const struct session_event *ev)
{
	struct to_json *j = ctx;

	if (j->shape)
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
	int ret = j->dc->all ? data_ready(j->dc, err) : 0;

	if (ret || !j->dc->all || (ev->id.time && !data_wants(j->dc, ev->id.time)))
		return ret;
	json_record(ev->evsel, ev->hdr, &ev->id, j->dc->wall_offset, &j->records);
	j->nr_records += j->records.len > before;
	return j->records.len > SPILL ? spill(j, err) : 0;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct to_json *j = ctx;

	/* A malformed record changes nothing; it is counted and told at the end. */
	if (machine_apply(j->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&j->dc->session.diag, DIAG_BAD_RECORD, 1, ev->offset);
	return on_record(j, ev, err);
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	return on_record(ctx, ev, err);
}

/* The spilled ones, then those in memory; without the comma before the first. */
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

	if (!ret && j->dc->all) {
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

static int convert(struct to_json *j, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = on_state,
			   .other = on_other,
			   .ready = on_ready,
			   .events = on_events },
		.format = on_sample,
		.soon = on_soon,
		.write = on_text,
	};
	const struct symconf conf = { .buildid_dir = buildid_dir(), .force = j->dc->force };
	struct data_convert *dc = j->dc;
	int ret;

	j->block = xmalloc(BLOCK);
	j->machine = machine_new();
	j->symbols = symbols_new(&conf);
	j->jit = follow_jitdumps(j->machine, &dc->session, NULL, dc->force);
	ret = session_ordered(&dc->session, &ops, j, dc->workers, err);
	if (!ret)
		ret = put_tail(j, err);
	drop_shape(j);
	symbols_free(j->symbols);
	machine_free(j->machine);
	end_jitdumps(j->jit, &stderr_notices);
	if (j->spill)
		fclose(j->spill);
	strbuf_release(&j->records);
	free(j->block);
	return ret;
}

static int open_output(struct to_json *j, struct err *err)
{
	const char *path = j->dc->to_json;

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
		ret = err_set(err, -errno, "cannot write to %s: %s", j->dc->to_json,
			      err_str(-errno));
	/* Half of it is no JSON. */
	if (ret && file)
		unlink(j->dc->to_json);
	return ret;
}

int data_to_json(struct data_convert *dc, struct err *err)
{
	struct to_json j = { .dc = dc };
	u64 samples = 0;
	int ret;

	if (!dc->force && !access(dc->to_json, F_OK))
		return err_set(err, -EEXIST, "Output file exists. Use --force to overwrite it.");
	ret = data_open(dc, err);
	if (!ret)
		ret = open_output(&j, err);
	if (ret)
		return ret;
	ret = convert(&j, err);
	ret = close_output(&j, ret, err);
	if (ret)
		return ret;
	for (int i = 0; i < DATA_MAX_WORKERS; i++)
		samples += dc->counts[i].samples;
	warn_lost(&dc->session);
	warn_diag(&dc->session.diag);
	data_tell(&dc->session, "JSON", dc->to_json, j.written, samples, j.nr_records);
	return 0;
}
