// SPDX-License-Identifier: GPL-2.0-or-later
/* Read records from a perf.data file or pipe; the reader in file/pipe.c reads both. */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/source.h"

struct file_source {
	struct source base;
	struct perf_file *file; /* borrowed */
	size_t part;            /* for a file, the number of the next part to read */
	u64 taken;              /* bytes of all records so far */
};

static struct file_source *file_source(struct source *src)
{
	return (struct file_source *)src;
}

/* --- a pipe ------------------------------------------------------------------- */

static int pipe_source_next(struct source *src, struct pipe_record *out, struct diag *diag,
			    struct err *err)
{
	int ret = pipe_next(file_source(src)->file, out, diag, err);

	if (ret > 0)
		file_source(src)->taken += out->size + out->payload_size;
	return ret;
}

static const u8 *pipe_source_peek(const struct source *src, size_t *len)
{
	return pipe_buffered(((const struct file_source *)src)->file, len);
}

static void pipe_source_skip(struct source *src, size_t n, size_t last)
{
	pipe_skip(file_source(src)->file, n, last);
	file_source(src)->taken += n;
}

static u64 file_source_tell(const struct source *src)
{
	return ((const struct file_source *)src)->taken;
}

static void file_source_close(struct source *src)
{
	free(src);
}

/* --- a file ------------------------------------------------------------------- */

/* A recording that is a directory consists of parts, which are read one after the other. */
static int map_source_next(struct source *src, struct pipe_record *out, struct diag *diag,
			   struct err *err)
{
	struct file_source *fs = file_source(src);
	int ret = 0;

	if (!fs->part)
		perf_file_walk(fs->file, fs->part++);
	do
		ret = pipe_source_next(src, out, diag, err);
	while (!ret && perf_file_walk(fs->file, fs->part++));
	return ret;
}

static void map_source_rewind(struct source *src)
{
	file_source(src)->part = 0;
	file_source(src)->taken = 0;
}

struct source *source_of_file(struct perf_file *f)
{
	static const struct source_ops pipe_ops = {
		.next = pipe_source_next,
		.tell = file_source_tell,
		.peek = pipe_source_peek,
		.skip = pipe_source_skip,
		.close = file_source_close,
	};
	static const struct source_ops map_ops = {
		.next = map_source_next,
		.rewind = map_source_rewind,
		.tell = file_source_tell,
		.close = file_source_close,
	};
	struct file_source *fs = xzalloc(sizeof(*fs));

	fs->base.ops = f->pipe ? &pipe_ops : &map_ops;
	fs->file = f;
	return &fs->base;
}
