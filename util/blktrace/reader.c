// SPDX-License-Identifier: GPL-2.0-or-later
/* The files of all CPUs are read, and their events handed out in the order of time. */
#include "base/compat.h"

#include "blktrace/blktrace-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BATCH (64U << 10) /* bytes of a stream that are put into order together */

/* A record waits for its turn. */
struct entry {
	u64 time;
	u32 part;  /* number of the memory that it is in */
	u32 place; /* among those of the same memory */
	size_t at;
};

struct reading {
	const struct blktrace_reader *reader;
	struct strbuf *parts; /* owned: files, or what was read of the stream */
	size_t nr_parts, cap_parts;
	struct entry *entries; /* owned */
	size_t nr, cap;
	struct map64 comm_of; /* number of the name by process */
	struct intern comms;
};

static void damage(const struct reading *r, const char *path, size_t at, const char *what)
{
	char *sentence = xasprintf("%s: %s at byte %zu", path, what, at);

	r->reader->damage(r->reader->ctx, sentence);
	free(sentence);
}

/* ---- records ---- */

/* Take note of the records in memory. Return: the number of bytes that are whole records. */
static size_t scan(struct reading *r, u32 part, const char *path)
{
	const struct strbuf *data = &r->parts[part];
	struct blktrace_record rec;
	size_t at = 0;
	u32 place = 0;
	int ret;

	while ((ret = blktrace_decode((const u8 *)data->buf + at, data->len - at, &rec)) > 0) {
		if (rec.kind == BLKTRACE_PROCESS) {
			map64_set(&r->comm_of, rec.ev.pid,
				  intern_id(&r->comms, rec.text, rec.text_len));
		} else if (rec.kind != BLKTRACE_OTHER) {
			VEC_GROW(r->entries, r->nr + 1, r->cap);
			r->entries[r->nr++] = (struct entry){ rec.ev.time, part, place++, at };
		}
		at += rec.size;
	}
	if (ret < 0) {
		damage(r, path, at, "there is no record of blktrace");
		return data->len;
	}
	return at;
}

static int by_time(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Hand out all records that wait. */
static void hand_out(struct reading *r)
{
	if (r->nr)
		qsort(r->entries, r->nr, sizeof(*r->entries), by_time);
	for (size_t i = 0; i < r->nr; i++) {
		const struct strbuf *data = &r->parts[r->entries[i].part];
		size_t at = r->entries[i].at;
		struct blktrace_record rec;
		u32 comm;

		if (blktrace_decode((const u8 *)data->buf + at, data->len - at, &rec) <= 0)
			continue;
		comm = map64_get(&r->comm_of, rec.ev.pid);
		rec.ev.comm = comm == MAP64_NONE ? "" : intern_str(&r->comms, comm);
		rec.ev.comm_len = strlen(rec.ev.comm);
		r->reader->record(r->reader->ctx, &rec);
	}
	r->nr = 0;
}

static u32 new_part(struct reading *r)
{
	VEC_GROW(r->parts, r->nr_parts + 1, r->cap_parts);
	r->parts[r->nr_parts] = (struct strbuf)STRBUF_INIT;
	return (u32)r->nr_parts++;
}

static void release(struct reading *r)
{
	for (size_t i = 0; i < r->nr_parts; i++)
		strbuf_release(&r->parts[i]);
	free(r->parts);
	free(r->entries);
	map64_release(&r->comm_of);
	intern_release(&r->comms);
}

/* ---- bytes ---- */

/* Append up to @max bytes. Return: their number, 0 at the end, or a negative errno. */
static ssize_t read_some(int fd, struct strbuf *out, size_t max)
{
	ssize_t n;

	strbuf_grow(out, max);
	do
		n = read(fd, out->buf + out->len, max);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		out->len += (size_t)n;
	return n < 0 ? -errno : n;
}

/* The name of a file tells that of the device of its records. */
static void tell_device(const struct reading *r, const struct strbuf *data, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *middle = strstr(base, BLKTRACE_MIDDLE);
	struct blktrace_record rec;
	char *name;

	if (!middle || !r->reader->device ||
	    blktrace_decode((const u8 *)data->buf, data->len, &rec) <= 0)
		return;
	name = xstrndup(base, (size_t)(middle - base));
	r->reader->device(r->reader->ctx, rec.ev.dev, name);
	free(name);
}

static int read_file(struct reading *r, const char *path, struct err *err)
{
	u32 part = new_part(r);
	struct strbuf *data = &r->parts[part];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -errno : 1;
	size_t whole;

	while (n > 0)
		n = read_some(fd, data, BATCH);
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return err_set(err, (int)n, "cannot read %s: %s", path, err_str((int)n));
	tell_device(r, data, path);
	whole = scan(r, part, path);
	if (whole < data->len)
		damage(r, path, whole, "the last record is cut off");
	return 0;
}

static int read_files(struct reading *r, const char *path, struct err *err)
{
	struct blktrace_paths paths;
	int ret = 0;

	blktrace_paths_find(path, &paths);
	if (!paths.nr)
		ret = err_set(err, -ENOENT, "%s: there are no files of blktrace", path);
	for (size_t i = 0; i < paths.nr && !ret; i++)
		ret = read_file(r, paths.v[i], err);
	blktrace_paths_release(&paths);
	if (!ret)
		hand_out(r);
	return ret;
}

/* A stream is handed out in batches, so that it can be looked at while it grows. */
static int read_stream(struct reading *r, struct err *err)
{
	u32 part = new_part(r);
	struct strbuf *data = &r->parts[part];
	size_t before = 0, whole;
	ssize_t n;

	while ((n = read_some(STDIN_FILENO, data, BATCH)) > 0) {
		whole = scan(r, part, "standard input");
		hand_out(r);
		memmove(data->buf, data->buf + whole, data->len - whole);
		data->len -= whole;
		before += whole;
	}
	if (n < 0)
		return err_set(err, (int)n, "cannot read standard input: %s", err_str((int)n));
	if (data->len)
		damage(r, "standard input", before, "the last record is cut off");
	return 0;
}

int blktrace_read(const char *path, const struct blktrace_reader *reader, struct err *err)
{
	struct reading r = { .reader = reader };
	int ret = strcmp(path, "-") ? read_files(&r, path, err) : read_stream(&r, err);

	release(&r);
	return ret;
}
