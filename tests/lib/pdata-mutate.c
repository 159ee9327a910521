// SPDX-License-Identifier: GPL-2.0-or-later
/* Damage recordings. Layouts: Documentation/format/perf.data.md. No code is shared with what is
 * tested. */
#include "pdata-mutate.h"
#include "base/compat.h"

#include <byteswap.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#define FILE_HEADER 104
#define PIPE_HEADER 16
#define MAX_RECORDS 4096

struct mut {
	u8 *p;
	size_t size, max;
	u64 rng;
	bool swap, pipe;
	size_t data, data_end; /* where records are */
	size_t at[MAX_RECORDS];
	size_t nr;
};

static u64 rnd(struct mut *m)
{
	u64 z = m->rng += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static size_t below(struct mut *m, size_t n)
{
	return n ? rnd(m) % n : 0;
}

static u16 get16(const struct mut *m, size_t at)
{
	u16 v = *(const u16_una *)(m->p + at);

	return m->swap ? bswap_16(v) : v;
}

static u32 get32(const struct mut *m, size_t at)
{
	u32 v = *(const u32_una *)(m->p + at);

	return m->swap ? bswap_32(v) : v;
}

static u64 get64(const struct mut *m, size_t at)
{
	u64 v = *(const u64_una *)(m->p + at);

	return m->swap ? bswap_64(v) : v;
}

static void put(struct mut *m, size_t at, u64 v, unsigned int width)
{
	unsigned int i;

	for (i = 0; i < width && at + i < m->size; i++)
		m->p[at + (m->swap ? width - 1 - i : i)] = v >> 8 * i;
}

/* A value that sits at some edge. */
static u64 edge(struct mut *m, u64 old)
{
	static const u64 values[] = {
		0,          1,          2,           7,          8,          9,
		63,         64,         127,         128,        255,        256,
		0x7fff,     0x8000,     0xfff8,      0xffff,     0x10000,    0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 1ULL << 47, 1ULL << 62, 1ULL << 63,
		~0ULL,      ~0ULL - 7,  (u64)-128,   (u64)-512,  (u64)-640,  (u64)-2048,
	};

	switch (below(m, 4)) {
	case 0:
		return old ^ 1ULL << below(m, 64);
	case 1:
		return old + (s64)below(m, 33) - 16;
	case 2:
		return rnd(m);
	default:
		return values[below(m, ARRAY_SIZE(values))];
	}
}

/* Return how many bytes follow a record that its size does not count. */
static u64 payload_of(const struct mut *m, size_t at, u16 size)
{
	switch (get32(m, at)) {
	case 66: /* HEADER_TRACING_DATA */
		return m->pipe && size >= 12 ? ((u64)get32(m, at + 8) + 7) & ~7ULL : 0;
	case 71: /* AUXTRACE */
		return size >= 16 ? get64(m, at + 8) : 0;
	default:
		return 0;
	}
}

static void find_records(struct mut *m)
{
	size_t at = m->data;
	u64 step;
	u16 size;

	m->nr = 0;
	while (m->nr < MAX_RECORDS && at + 8 <= m->data_end) {
		size = get16(m, at + 6);
		if (size < 8 || size > m->data_end - at)
			break;
		m->at[m->nr++] = at;
		step = payload_of(m, at, size);
		if (step > m->data_end - at - size)
			break;
		at += size + step;
	}
}

static bool look(struct mut *m)
{
	u64 start, len;

	if (m->size < PIPE_HEADER)
		return false;
	m->swap = !memcmp(m->p, "2ELIFREP", 8) || !memcmp(m->p, "ELIFFREP", 8);
	m->pipe = get64(m, 8) == PIPE_HEADER;
	m->data = PIPE_HEADER;
	m->data_end = m->size;
	if (!m->pipe) {
		if (m->size < FILE_HEADER)
			return false;
		start = get64(m, 40);
		len = get64(m, 48);
		if (start > m->size)
			return false;
		m->data = start;
		if (len && len < m->size - start)
			m->data_end = start + len;
	}
	find_records(m);
	return true;
}

/* A section moves, or grows, when bytes are put in or taken out at @at. */
static void fix_section(struct mut *m, size_t sec, size_t at, s64 delta)
{
	u64 off, len;

	if (sec + 16 > m->size)
		return;
	off = get64(m, sec);
	len = get64(m, sec + 8);
	if (off > at)
		put(m, sec, off + delta, 8);
	else if (at < off + len)
		put(m, sec + 8, len + delta, 8);
}

static unsigned int nr_features(const struct mut *m)
{
	unsigned int i, n = 0;

	for (i = 0; i < 4; i++)
		n += __builtin_popcountll(get64(m, 72 + 8 * i));
	return n;
}

/* Put @grow bytes (of any content) in at @at, or take -@grow out; all sections follow. */
static bool resize(struct mut *m, size_t at, s64 grow)
{
	size_t table = m->data_end, i, n;

	if (at > m->size || (grow > 0 && m->size + grow > m->max) ||
	    (grow < 0 && (u64)-grow > m->size - at))
		return false;
	n = m->pipe ? 0 : nr_features(m);
	for (i = 0; i < n; i++)
		fix_section(m, table + 16 * i, at, grow);
	if (!m->pipe) {
		fix_section(m, 24, at, grow);
		fix_section(m, 40, at, grow);
		fix_section(m, 56, at, grow);
	}
	if (grow > 0)
		memmove(m->p + at + grow, m->p + at, m->size - at);
	else
		memmove(m->p + at, m->p + at - grow, m->size - at + grow);
	m->size += grow;
	return true;
}

static size_t some_record(struct mut *m)
{
	return m->nr ? m->at[below(m, m->nr)] : 0;
}

static void mut_field(struct mut *m)
{
	static const u8 widths[] = { 1, 2, 4, 8, 8, 4 };
	size_t at = some_record(m), size, w, off;

	if (!at)
		return;
	size = get16(m, at + 6);
	w = widths[below(m, ARRAY_SIZE(widths))];
	if (size < 8 + w)
		return;
	off = at + 8 + below(m, (size - 8) / w) * w;
	if (off + w > m->size)
		return;
	put(m, off, edge(m, w == 8 ? get64(m, off) : m->p[off]), w);
}

static void mut_size(struct mut *m)
{
	size_t at = some_record(m);

	if (at)
		put(m, at + 6, edge(m, get16(m, at + 6)), 2);
}

static void mut_resize(struct mut *m)
{
	size_t at = some_record(m), size, off;
	s64 grow = ((s64)below(m, 9) - 4) * (below(m, 4) ? 8 : 1);

	if (!at)
		return;
	size = get16(m, at + 6);
	off = 8 + below(m, size - 7);
	if (grow < 0 && (u64)-grow > size - off)
		return;
	if (size + grow > 0xffff || !resize(m, at + off, grow))
		return;
	if (grow > 0)
		memset(m->p + at + off, below(m, 2) ? 0 : 0xff, grow);
	put(m, at + 6, size + grow, 2);
}

static void mut_drop(struct mut *m)
{
	size_t at = some_record(m);

	if (at)
		resize(m, at, -(s64)get16(m, at + 6));
}

static void mut_copy(struct mut *m)
{
	size_t from = some_record(m), to = some_record(m), size;
	u8 *copy;

	if (!from)
		return;
	size = get16(m, from + 6);
	copy = malloc(size);
	if (!copy)
		abort();
	memcpy(copy, m->p + from, size);
	if (resize(m, to, size))
		memcpy(m->p + to, copy, size);
	free(copy);
}

static void mut_type(struct mut *m)
{
	size_t at = some_record(m);

	if (at)
		put(m, at, below(m, 2) ? 1 + below(m, 23) : 64 + below(m, 24), 4);
}

static void mut_misc(struct mut *m)
{
	size_t at = some_record(m);

	if (at)
		put(m, at + 4, get16(m, at + 4) ^ 1U << below(m, 16), 2);
}

static size_t some_attr(struct mut *m)
{
	size_t i, k, off;

	if (m->pipe) {
		for (i = 0, k = below(m, m->nr); i < m->nr; i++) {
			off = m->at[(i + k) % m->nr];
			if (get32(m, off) == 64 && get16(m, off + 6) >= 8 + 64)
				return off + 8;
		}
		return 0;
	}
	off = get64(m, 24);
	k = get64(m, 16) ? get64(m, 32) / get64(m, 16) : 0;
	if (!k || off >= m->size)
		return 0;
	off += below(m, k) * get64(m, 16);
	return off + 64 <= m->size && off >= FILE_HEADER ? off : 0;
}

/* One bit of what decides how all records of an event are read. */
static void mut_attr(struct mut *m)
{
	static const struct {
		u8 off, width, bits;
	} fields[] = {
		{ 24, 8, 26 }, { 24, 8, 26 }, { 24, 8, 26 },  { 32, 8, 5 },  { 40, 8, 40 },
		{ 0, 4, 4 },   { 4, 4, 9 },   { 8, 8, 16 },   { 72, 8, 20 }, { 80, 8, 64 },
		{ 88, 4, 20 }, { 96, 8, 64 }, { 104, 4, 20 },
	};
	size_t at = some_attr(m), i = below(m, ARRAY_SIZE(fields));

	if (!at || at + fields[i].off + fields[i].width > m->size)
		return;
	at += fields[i].off;
	put(m, at,
	    (fields[i].width == 8 ? get64(m, at) : get32(m, at)) ^ 1ULL << below(m, fields[i].bits),
	    fields[i].width);
}

static bool some_feature(struct mut *m, size_t *off, size_t *len)
{
	unsigned int n = m->pipe ? 0 : nr_features(m), i;
	size_t sec;

	if (!n)
		return false;
	i = below(m, n);
	sec = m->data_end + 16 * i;
	if (sec + 16 > m->size)
		return false;
	*off = get64(m, sec);
	*len = get64(m, sec + 8);
	return *len >= 4 && *off < m->size && *len <= m->size - *off;
}

static void mut_feature(struct mut *m)
{
	size_t off, len, at;

	if (!some_feature(m, &off, &len))
		return;
	at = off + below(m, len / 4) * 4;
	switch (below(m, 3)) {
	case 0:
		put(m, at, edge(m, get32(m, at)), 4);
		break;
	case 1:
		if (resize(m, at, 4))
			put(m, at, edge(m, 0), 4);
		break;
	default:
		resize(m, at, -4);
	}
}

/* The table of sections, and which features it is about. */
static void mut_table(struct mut *m)
{
	size_t at;

	if (m->pipe)
		return;
	if (below(m, 2)) {
		at = 72 + 8 * below(m, 4);
		put(m, at, get64(m, at) ^ 1ULL << below(m, 36), 8);
		return;
	}
	at = below(m, 2) ? m->data_end + 8 * below(m, 2 * nr_features(m) + 1) : 8 * below(m, 9) + 8;
	if (at + 8 <= m->size)
		put(m, at, edge(m, get64(m, at)), 8);
}

/* The text of a tracepoint format, wherever it lies: slices doubled, dropped, signs replaced. */
static void mut_text(struct mut *m)
{
	static const char signs[] = "(){}[]%-><&|?:,;\"\\*+/~!= \n\t09afxusldpREC";
	const char *word = below(m, 2) ? "field:" : "print fmt:";
	size_t i, n = 0, at = 0, len;

	for (i = 0; i + 16 < m->size; i++)
		if (!memcmp(m->p + i, word, strlen(word)) && !below(m, ++n))
			at = i + strlen(word);
	if (!at)
		return;
	at += below(m, 120);
	len = 1 + below(m, 24);
	if (at + 2 * len >= m->size)
		return;
	switch (below(m, 4)) {
	case 0:
		if (resize(m, at, len))
			memcpy(m->p + at, m->p + at + len, len);
		break;
	case 1:
		resize(m, at, -(s64)len);
		break;
	default:
		m->p[at] = signs[below(m, sizeof(signs) - 1)];
	}
}

#ifdef HAVE_LIBZSTD
/* Some records in a row become one compressed record. */
static void mut_compress(struct mut *m)
{
	size_t first, last, from, to, n, len;
	bool padded = below(m, 2);
	u8 *z;

	if (!m->nr)
		return;
	first = below(m, m->nr);
	last = first + below(m, MIN(m->nr - first, (size_t)64));
	from = m->at[first];
	to = m->at[last] + get16(m, m->at[last] + 6);
	len = ZSTD_compressBound(to - from);
	z = calloc(1, len + 8);
	if (!z)
		abort();
	n = ZSTD_compress(z, len, m->p + from, to - from, 1);
	if (!ZSTD_isError(n) && n < 0xff00) {
		len = padded ? 16 + ((n + 7) & ~(size_t)7) : 8 + n;
		if (resize(m, from, (s64)len - (s64)(to - from))) {
			put(m, from, padded ? 83 : 81, 4);
			put(m, from + 4, 0, 2);
			put(m, from + 6, len, 2);
			if (padded)
				put(m, from + 8, n, 8);
			memcpy(m->p + from + len - (padded ? (n + 7) & ~(size_t)7 : n), z, n);
		}
	}
	free(z);
}

/* A compressed record is opened: what is in it stands in the stream, for the others to damage. */
static void mut_expand(struct mut *m)
{
	size_t at = some_record(m), head, size, n;
	ZSTD_inBuffer in;
	ZSTD_outBuffer out = { .size = 1 << 16 };
	ZSTD_DStream *ds;
	u32 type;

	if (!at)
		return;
	type = get32(m, at);
	size = get16(m, at + 6);
	head = type == 83 ? 16 : 8;
	if ((type != 81 && type != 83) || size <= head)
		return;
	out.dst = malloc(out.size);
	ds = ZSTD_createDStream();
	if (!out.dst || !ds)
		abort();
	in = (ZSTD_inBuffer){ .src = m->p + at + head, .size = size - head };
	n = ZSTD_decompressStream(ds, &out, &in);
	if (!ZSTD_isError(n) && out.pos && resize(m, at, (s64)out.pos - (s64)size))
		memcpy(m->p + at, out.dst, out.pos);
	ZSTD_freeDStream(ds);
	free(out.dst);
}
#endif

size_t pdata_mutate(u8 *buf, size_t size, size_t max, u64 seed)
{
	static void (*const ways[])(struct mut *) = {
		mut_field,    mut_field,   mut_field,   mut_field, mut_size, mut_resize,
		mut_drop,     mut_copy,    mut_type,    mut_misc,  mut_attr, mut_attr,
		mut_table,    mut_feature, mut_feature, mut_text,
#ifdef HAVE_LIBZSTD
		mut_compress, mut_expand,
#endif
	};
	struct mut *m = calloc(1, sizeof(*m));
	size_t n;

	if (!m)
		abort();
	*m = (struct mut){ .p = buf, .size = size, .max = max, .rng = seed };
	for (n = 1 + below(m, 4); n && look(m); n--)
		ways[below(m, ARRAY_SIZE(ways))](m);
	size = m->size;
	free(m);
	return size;
}
