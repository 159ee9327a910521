// SPDX-License-Identifier: GPL-2.0-or-later
/* Records from a stream: one buffer, read in large pieces, records borrowed from it. */
#include "base/alloc.h"
#include "base/compat.h"
#include "file/reader-internal.h"

#include <errno.h>
#include <unistd.h>

#define PIPE_BUF_SIZE ((size_t)1 << 18) /* at least twice the largest record, 64 KB */

struct pipe_reader {
	int fd;  /* borrowed from the perf_file */
	u8 *buf; /* owned */
	size_t pos, len;
	u64 offset;  /* of buf[0] in the stream */
	u8 *payload; /* owned; the last one kept */
	size_t payload_cap;
	bool eof;
};

struct pipe_reader *pipe_reader_new(int fd, u64 offset)
{
	struct pipe_reader *r = xzalloc(sizeof(*r));

	r->fd = fd;
	r->buf = xmalloc(PIPE_BUF_SIZE);
	r->offset = offset;
	return r;
}

void pipe_reader_free(struct pipe_reader *r)
{
	if (!r)
		return;
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

/* Make @n bytes available at pos. Return: 1, 0 when the stream ends before, negative errno. */
static int fill(struct pipe_reader *r, size_t n)
{
	if (r->len - r->pos >= n)
		return 1;
	memmove(r->buf, r->buf + r->pos, r->len - r->pos);
	r->offset += r->pos;
	r->len -= r->pos;
	r->pos = 0;
	while (r->len < n && !r->eof) {
		ssize_t got = read_some(r->fd, r->buf + r->len, PIPE_BUF_SIZE - r->len);

		if (got < 0)
			return (int)got;
		if (!got)
			r->eof = true;
		r->len += (size_t)got;
	}
	return r->len >= n;
}

/* Drop @size bytes of the stream. Return: as fill(). */
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

/* Collect @size bytes; memory grows with what really comes, not with what is promised. */
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
	/* Reading on overwrites the buffer: the (short) record moves to the payload's head. */
	out->size = MIN(out->size, (u16)sizeof(copy));
	memcpy(copy, rec, out->size);
	if (out->type == PERF_RECORD_AUXTRACE) {
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

int pipe_next(struct perf_file *f, struct pipe_record *out, struct diag *diag, struct err *err)
{
	struct pipe_reader *r = f->reader;
	struct perf_event_header h;
	int ret = fill(r, sizeof(h));

	*out = (struct pipe_record){ 0 };
	if (!ret)
		return r->len > r->pos ? cut_off(diag, r) : 0;
	if (ret < 0)
		goto fail;
	memcpy(&h, r->buf + r->pos, sizeof(h));
	out->type = f->swap ? __builtin_bswap32(h.type) : h.type;
	out->misc = f->swap ? __builtin_bswap16(h.misc) : h.misc;
	out->size = f->swap ? __builtin_bswap16(h.size) : h.size;
	if (out->size < sizeof(h)) {
		diag_add(diag, DIAG_BAD_SIZE, 1, r->offset + r->pos);
		return 0;
	}
	ret = fill(r, out->size);
	if (!ret)
		return cut_off(diag, r);
	if (ret < 0)
		goto fail;
	out->offset = r->offset + r->pos;
	out->rec = (struct perf_event_header *)(r->buf + r->pos);
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
