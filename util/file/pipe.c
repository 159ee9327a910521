// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records from a stream. There is one buffer, which is read in large pieces and contains the
 * returned records.
 *
 * After a header that cannot be right, the next place is searched at which a sequence of records
 * begins, as in a file (session/scan.c), within the contents of the buffer.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "file/reader-internal.h"
#include "wire/framing.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define PIPE_BUF_SIZE ((size_t)1 << 20)
/* Bytes that are read at a time. The buffer is as large as a search may need; where none is needed,
 * only its beginning is used, which stays in the caches of the processor. */
#define PIECE ((size_t)1 << 17)
#define RECORD_MAX ((size_t)1 << 16)
/* The bytes that a search needs. With the record before them, they fit in the buffer. */
#define SEARCH (FRAME_LOOK + 2 * RECORD_MAX)
#define NO_RECORD SIZE_MAX

struct pipe_reader {
	int fd;        /* borrowed from the perf_file */
	bool borrowed; /* buf is a mapping that contains everything and must not be freed */
	u8 *buf;       /* owned unless borrowed */
	size_t pos, len;
	size_t prev; /* offset of the record before pos; NO_RECORD: none */
	u64 offset;  /* offset of buf[0] in the stream */
	u8 *payload; /* owned; the last payload that was kept */
	size_t payload_cap;
	bool eof;
};

struct pipe_reader *pipe_reader_new(int fd, u64 offset)
{
	struct pipe_reader *r = xzalloc(sizeof(*r));

	r->fd = fd;
	r->buf = xmalloc(PIPE_BUF_SIZE);
	r->offset = offset;
	r->prev = NO_RECORD;
	/* A larger pipe means fewer switches between writer and reader. Failure does not matter. */
	(void)fcntl(fd, F_SETPIPE_SZ, (int)PIPE_BUF_SIZE);
	return r;
}

struct pipe_reader *pipe_reader_over(u8 *bytes, size_t len, u64 offset)
{
	struct pipe_reader *r = xzalloc(sizeof(*r));

	r->fd = -1;
	r->buf = bytes;
	r->len = len;
	r->borrowed = r->eof = true;
	r->offset = offset;
	r->prev = NO_RECORD;
	return r;
}

void pipe_reader_free(struct pipe_reader *r)
{
	if (!r)
		return;
	if (!r->borrowed)
		free(r->buf);
	free(r->payload);
	free(r);
}

static ssize_t read_some(int fd, void *to, size_t n)
{
	ssize_t got;

	do
		got = read(fd, to, n);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* Make @n bytes available at pos. Return: 1; 0 when the stream ends before; a negative errno. */
static int fill(struct pipe_reader *r, size_t n)
{
	size_t keep = r->prev != NO_RECORD ? r->prev : r->pos;

	if (r->len - r->pos >= n)
		return 1;
	if (r->borrowed)
		return 0;
	memmove(r->buf, r->buf + keep, r->len - keep);
	r->offset += keep;
	r->len -= keep;
	r->pos -= keep;
	r->prev = r->prev != NO_RECORD ? 0 : NO_RECORD;
	while (r->len - r->pos < n && !r->eof) {
		ssize_t got = read_some(r->fd, r->buf + r->len, MIN(PIPE_BUF_SIZE - r->len, PIECE));

		if (got < 0)
			return (int)got;
		if (!got)
			r->eof = true;
		r->len += (size_t)got;
	}
	return r->len - r->pos >= n;
}

/* Skip @size bytes of the stream. Return: as fill(). */
static int skip_payload(struct pipe_reader *r, u64 size)
{
	while (size) {
		size_t n = (size_t)MIN(size, (u64)PIPE_BUF_SIZE);
		int ret = fill(r, n);

		if (ret <= 0)
			return ret;
		r->pos += n;
		size -= n;
	}
	return 1;
}

/* Read @size bytes into memory, which grows with the bytes that really arrive. */
static int keep_payload(struct pipe_reader *r, u64 size)
{
	size_t have = 0;

	while (have < size) {
		size_t n = (size_t)MIN(size - have, (u64)PIPE_BUF_SIZE / 2);
		int ret = fill(r, n);

		if (ret <= 0)
			return ret;
		VEC_GROW(r->payload, have + n, r->payload_cap);
		memcpy(r->payload + have, r->buf + r->pos, n);
		r->pos += n;
		have += n;
	}
	return 1;
}

static int take_payload(struct perf_file *f, struct pipe_record *out)
{
	struct pipe_reader *r = f->reader;
	u8 *rec = (u8 *)out->rec, copy[64];
	int ret = 1;

	if (out->type == PERF_RECORD_HEADER_TRACING_DATA && out->size >= 12) {
		u32 size = *(u32_una *)(rec + 8);

		out->payload_size = f->swap ? __builtin_bswap32(size) : size;
	} else if (out->type == PERF_RECORD_AUXTRACE && out->size >= 16) {
		u64 size = *(u64_una *)(rec + 8);

		out->payload_size = f->swap ? __builtin_bswap64(size) : size;
	}
	if (!out->payload_size)
		return 1;
	r->prev = NO_RECORD;
	/* Reading overwrites the buffer, so the (short) record is copied before the payload. */
	out->size = MIN(out->size, (u16)sizeof(copy));
	memcpy(copy, rec, out->size);
	if (out->type == PERF_RECORD_AUXTRACE && !f->keep_aux) {
		ret = skip_payload(r, out->payload_size);
		VEC_GROW(r->payload, sizeof(copy), r->payload_cap);
		memcpy(r->payload, copy, out->size);
		out->rec = (struct perf_event_header *)r->payload;
		return ret;
	}
	ret = keep_payload(r, out->payload_size);
	if (ret <= 0)
		return ret;
	VEC_GROW(r->payload, out->payload_size + sizeof(copy), r->payload_cap);
	memcpy(r->payload + out->payload_size, copy, out->size);
	out->rec = (struct perf_event_header *)(r->payload + out->payload_size);
	out->payload = r->payload;
	return 1;
}

static int cut_off(struct diag *diag, struct pipe_reader *r)
{
	diag_add(diag, DIAG_TRUNCATED, 1, r->offset + r->pos);
	return 0;
}

/* Find the next record and continue at it. Return: 1; 0 when there is none; a negative errno. */
static int resync(struct pipe_reader *r, bool swap)
{
	if (r->prev != NO_RECORD)
		r->pos = r->prev;
	r->prev = NO_RECORD;
	for (;;) {
		int ret = fill(r, SEARCH);
		const u8 *p = r->buf + r->pos, *end = r->buf + r->len, *next;

		if (ret < 0)
			return ret;
		next = frame_resync(p, end, (r->offset + r->pos) & 7, swap, !r->eof);
		if (next && (r->eof || (size_t)(end - next) >= FRAME_LOOK)) {
			r->pos = (size_t)(next - r->buf);
			return 1;
		}
		if (r->eof)
			return 0;
		/* The search begins after a header. */
		r->pos = (size_t)((next ? next : end) - r->buf) - FRAME_HEADER;
	}
}

/* Tell whether a complete record is at pos. Return: 1, 0, or a negative errno. */
static int whole_record(struct pipe_reader *r, bool swap)
{
	u32 type, size;
	int ret = fill(r, FRAME_HEADER);

	if (ret <= 0)
		return ret;
	type = frame_type(r->buf + r->pos, swap);
	size = frame_size(r->buf + r->pos, swap);
	if (size < FRAME_HEADER)
		return 0;
	ret = fill(r, size);
	if (ret <= 0)
		return ret;
	if (likely(type && type <= PERF_RECORD_MMAP2 && !(size & 7)))
		return 1;
	if (!record_name(type) || ((size & 7) && type < PERF_RECORD_USER_TYPE_START)) {
		ret = fill(r, size + FRAME_HEADER);
		if (ret < 0)
			return ret;
	}
	return frame_believable(r->buf + r->pos, type, size, r->buf + r->len, swap);
}

/*
 * Go to the next complete record, skipping damaged bytes. Return: 1, 0 at the end, or a negative
 * errno.
 */
static int find_record(struct pipe_reader *r, bool swap, struct diag *diag)
{
	for (;;) {
		int ret = whole_record(r, swap);
		u64 at = r->offset + r->pos;
		enum diag_kind kind;
		bool room, cut;
		u32 type;

		if (ret)
			return ret;
		if (r->pos == r->len)
			return 0;
		room = r->len - r->pos >= FRAME_HEADER;
		type = room ? frame_type(r->buf + r->pos, swap) : 0;
		cut = !room || frame_size(r->buf + r->pos, swap) > r->len - r->pos;
		ret = resync(r, swap);
		if (ret < 0)
			return ret;
		kind = ret || !cut ? DIAG_BAD_SIZE : DIAG_TRUNCATED;
		diag_add(diag, kind, 1, at);
		if (room)
			diag_note(diag, kind, type, at);
		if (!ret)
			return 0;
	}
}

int pipe_next(struct perf_file *f, struct pipe_record *out, struct diag *diag, struct err *err)
{
	struct pipe_reader *r = f->reader;
	struct perf_event_header h;
	int ret = find_record(r, f->swap, diag);

	*out = (struct pipe_record){ 0 };
	if (!ret)
		return 0;
	if (ret < 0)
		goto fail;
	memcpy(&h, r->buf + r->pos, sizeof(h));
	out->type = f->swap ? __builtin_bswap32(h.type) : h.type;
	out->misc = f->swap ? __builtin_bswap16(h.misc) : h.misc;
	out->size = f->swap ? __builtin_bswap16(h.size) : h.size;
	out->offset = r->offset + r->pos;
	out->rec = (struct perf_event_header *)(r->buf + r->pos);
	r->prev = r->pos;
	r->pos += out->size;
	ret = take_payload(f, out);
	if (!ret)
		return cut_off(diag, r);
	if (ret > 0)
		return 1;
fail:
	return err_set(err, ret, "reading '%s' failed at byte %" PRIu64 ": %s", f->path,
		       r->offset + r->pos, err_str(ret));
}

const struct perf_event_header *pipe_ahead(struct perf_file *f, size_t at)
{
	struct pipe_reader *r = f->reader;
	size_t size;

	if (at > PIPE_BUF_SIZE / 2 || fill(r, at + FRAME_HEADER) <= 0)
		return NULL;
	size = frame_size(r->buf + r->pos + at, f->swap);
	if (size < FRAME_HEADER || fill(r, at + size) <= 0)
		return NULL;
	return (const struct perf_event_header *)(r->buf + r->pos + at);
}

bool perf_file_walk(struct perf_file *f, size_t part)
{
	if (part > f->nr_parts)
		return false;
	pipe_reader_free(f->reader);
	if (part)
		f->reader = pipe_reader_over(f->parts[part - 1].map, f->parts[part - 1].size,
					     f->parts[part - 1].base);
	else
		f->reader = pipe_reader_over(f->map + f->data.offset, (size_t)f->data.size,
					     f->data.offset);
	return true;
}

const u8 *pipe_buffered(const struct perf_file *f, size_t *len)
{
	const struct pipe_reader *r = f->reader;

	*len = r->len - r->pos;
	return r->buf + r->pos;
}

void pipe_skip(struct perf_file *f, size_t n, size_t last)
{
	struct pipe_reader *r = f->reader;

	if (!n)
		return;
	r->prev = r->pos + last;
	r->pos += n;
}
