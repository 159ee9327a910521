// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "session/pieces.h"

#include <unistd.h>

bool pieces_apply(const struct session *s)
{
	const struct tally *t = &s->index->t;
	u64 noted = 0;

	for (size_t i = 0; i < t->nr_stretches; i++)
		noted += t->stretches[i].nr;
	return s->index->read && !s->file->nr_parts && noted >= t->nr_samples / 4 * 3;
}

struct piece *pieces_take(struct pieces *p)
{
	struct piece *piece = p->nr_spare ? p->spare[--p->nr_spare] : NULL;

	if (!piece)
		piece = xmalloc(sizeof(*piece) + PIECE_BYTES);
	piece->at = piece->until = piece->bytes = NULL;
	piece->len = 0;
	return piece;
}

void pieces_give(struct pieces *p, struct piece *piece)
{
	VEC_GROW(p->spare, p->nr_spare + 1, p->cap_spare);
	p->spare[p->nr_spare++] = piece;
}

void pieces_end_runs(struct pieces *p, const struct runs *runs)
{
	for (size_t i = 0; i < runs->nr_runs; i++)
		if (runs->v[i].piece)
			pieces_give(p, runs->v[i].piece);
}

void pieces_release(struct pieces *p)
{
	for (size_t i = 0; i < p->nr_spare; i++)
		free(p->spare[i]);
	free(p->spare);
	*p = (struct pieces){ .file = p->file };
}

/* Read @want bytes, or up to the end of the file. */
static size_t load(const struct pieces *p, struct piece *piece, const u8 *rec, size_t want)
{
	size_t from = (size_t)(rec - p->file->map);
	ssize_t got = from < p->file->size ? pread(p->file->fd, piece->buf,
						   MIN(want, p->file->size - from), (off_t)from)
					   : 0;

	piece->at = rec;
	piece->bytes = piece->buf;
	piece->len = got > 0 ? (size_t)got : 0;
	return piece->len;
}

/* Look for the whole record in the buffers that are held. Return: it, or NULL. */
static const u8 *find_held(const struct pieces *p, struct piece *piece, const u8 *rec)
{
	for (size_t i = p->nr_held; i--;) {
		const struct held *h = &p->held[i];
		size_t from = (size_t)(rec - h->at), left = from < h->len ? h->len - from : 0;

		if (left < FRAME_HEADER || rec_size(h->buffer->bytes + from) > left)
			continue;
		piece->at = h->at;
		piece->len = h->len;
		piece->bytes = h->buffer->bytes;
		return piece->bytes + from;
	}
	return NULL;
}

/* Return the record in the mapping: if the file has become shorter, the signal says so. If it has
 * changed, the record may be none any more. */
static const u8 *in_place(const struct pieces *p, const u8 *rec)
{
	/* There is room for the fields of a sample behind this record of no type. */
	static const struct {
		wire_header hdr;
		u8 zeros[512];
	} none = { .hdr.size = sizeof(wire_header) };
	const u8 *end = p->file->map + p->file->size;

	if (rec >= end || (size_t)(end - rec) < FRAME_HEADER || rec_size(rec) < FRAME_HEADER ||
	    rec_size(rec) > end - rec)
		return (const u8 *)&none;
	return rec;
}

const u8 *piece_load(const struct pieces *p, struct piece *piece, const u8 *rec)
{
	const u8 *held = find_held(p, piece, rec);
	size_t rest = piece->until > rec ? (size_t)(piece->until - rec) : PIECE_BYTES;
	size_t len;

	if (held)
		return held;
	len = load(p, piece, rec, MIN(rest, PIECE_BYTES));
	if (len >= FRAME_HEADER && rec_size(piece->buf) > len)
		len = load(p, piece, rec, PIECE_BYTES);
	if (len >= FRAME_HEADER && rec_size(piece->buf) >= FRAME_HEADER &&
	    rec_size(piece->buf) <= len)
		return piece->buf;
	piece->len = 0;
	return in_place(p, rec);
}

/* ---- records that are no samples ---- */

#define SIDE_BYTES ((size_t)1 << 13) /* that are read at once */

void side_reader_init(struct side_reader *r, const struct session *s)
{
	bool few = s->index->t.side.nr < s->file->size / SIDE_BYTES / 4;

	*r = (struct side_reader){ .pieces.file = s->file };
	if (s->index->read && few)
		r->piece = pieces_take(&r->pieces);
}

void side_reader_release(struct side_reader *r)
{
	if (r->piece)
		pieces_give(&r->pieces, r->piece);
	pieces_release(&r->pieces);
}

const u8 *side_record(struct side_reader *r, const u8 *rec)
{
	const struct perf_file *f = r->pieces.file;

	if (!r->piece || rec < f->map || rec >= f->map + f->size)
		return rec;
	r->piece->until = rec + SIDE_BYTES;
	return piece_record(&r->pieces, r->piece, rec);
}
