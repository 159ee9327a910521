// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "dump/dump-text.h"

#include "base/alloc.h"
#include "dump/dump-put.h"
#include "dump/dump-sample.h"
#include "dump/record-text.h"

#define HEX_BYTES 16   /* bytes on each line */
#define HEX_LINE 76    /* characters, the newline included */
#define FIXED_ROOM 256 /* bytes for the words and numbers of a line other than names */

/* ------------------------------------------------------------------ bytes */

/*
 * Write ".  0010:  " + 16 x "xx " + " " + 16 characters + newline, for @n bytes and blanks for the
 * rest.
 */
static inline char *hex_line(char *p, size_t at, const u8 *bytes, size_t n)
{
	static const char hex[] = "0123456789abcdef";
	static const char empty[HEX_LINE + 1] =
		".  0000:                                                    "
		"                 ";
	char *text = p + 11 + 3 * HEX_BYTES;
	size_t i;

	memcpy(p, empty, HEX_LINE);
	p[3] = hex[at >> 12 & 15];
	p[4] = hex[at >> 8 & 15];
	p[5] = hex[at >> 4 & 15];
	p[6] = hex[at & 15];
	p += 10;
	for (i = 0; i < n; i++, p += 3) {
		p[0] = hex[bytes[i] >> 4];
		p[1] = hex[bytes[i] & 15];
	}
	for (i = 0; i < n; i++)
		text[i] = (u8)(bytes[i] - 0x20) < 0x5f ? (char)bytes[i] : '.';
	text[HEX_BYTES] = '\n';
	return text + HEX_BYTES + 1;
}

void dump_hex(struct strbuf *out, const void *bytes, size_t size)
{
	const u8 *b = bytes;
	char *p;
	size_t at;

	strbuf_grow(out, (size / HEX_BYTES + 1) * HEX_LINE);
	p = out->buf + out->len;
	for (at = 0; size - at >= HEX_BYTES; at += HEX_BYTES)
		p = hex_line(p, at, b + at, HEX_BYTES);
	if (at < size)
		p = hex_line(p, at, b + at, size - at);
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}

/*
 * In files of the other byte order, perf 6.1 shows samples and trailers as 64-bit words, each of
 * them byte-swapped, so that adjacent 32-bit fields are exchanged.
 */
static void put_turned(const struct dump_record *r, struct strbuf *out)
{
	const struct wire_layout *l = &r->evsel->layout;
	size_t size = r->hdr->size, at = sizeof(struct perf_event_header);
	u8 *copy = xmalloc(size), *foreign = xmalloc(size);
	const struct sample *s = r->sample;

	memcpy(copy, r->hdr, size);
	memcpy(foreign, r->hdr, size);
	if (!record_unswap(l, foreign, size)) {
		if (r->hdr->type != PERF_RECORD_SAMPLE)
			at = size - MIN((size_t)l->id_size, size - at);
		for (; size - at >= 8; at += 8)
			*(u64_una *)(copy + at) = __builtin_bswap64(*(u64_una *)(foreign + at));
		if (s && s->raw) { /* the bytes stay as they are; their size precedes them */
			at = (size_t)((const u8 *)s->raw - (const u8 *)r->hdr) - 4;
			memcpy(copy + at, foreign + at, s->raw_size + 4);
		}
	}
	dump_hex(out, copy, size);
	free(copy);
	free(foreign);
}

static void put_bytes(const struct dump_text *d, const struct dump_record *r, struct strbuf *out)
{
	u16 size = r->hdr->size;

	strbuf_grow(out, d->place.len + FIXED_ROOM);
	PUT_TEXT(out, "\n");
	put_alt_hex(out, r->offset);
	put_text(out, d->place.buf, d->place.len);
	if (r->part) {
		PUT_TEXT(out, ".");
		put_dec(out, r->part - 1);
	}
	PUT_TEXT(out, " [");
	put_alt_hex(out, size);
	PUT_TEXT(out, "]: event: ");
	put_dec(out, r->hdr->type);
	PUT_TEXT(out, "\n.\n. ... raw event: size ");
	put_dec(out, size);
	PUT_TEXT(out, " bytes\n");
	if (d->swapped && r->evsel && r->hdr->type < PERF_RECORD_USER_TYPE_START)
		put_turned(r, out);
	else
		dump_hex(out, r->hdr, size);
}

/* ------------------------------------------------------------------ the line */

/* Count the events that are known when a record is read: in a pipe, those described before it. */
static void know_events(struct dump_text *d)
{
	size_t nr = d->pipe ? MIN(d->nr_attrs, d->evlist->nr) : d->evlist->nr;

	for (; d->nr_known < nr; d->nr_known++)
		d->types |= d->evlist->evsels[d->nr_known]->attr.sample_type;
}

/* User records have neither CPU nor time; both are shown as 0. */
static void put_when(const struct dump_text *d, const struct dump_record *r, struct strbuf *out)
{
	u64 time = 0;
	u32 cpu = 0;

	if (!r->sample && (!d->nr_known || !d->evlist->evsels[0]->attr.sample_id_all)) {
		PUT_TEXT(out, "-1 -1 ");
		return;
	}
	if (r->sample) {
		time = r->sample->time;
		cpu = r->sample->cpu;
	} else if (r->hdr->type < PERF_RECORD_USER_TYPE_START) {
		time = r->id->time;
		cpu = r->id->cpu;
	}
	if (d->types & PERF_SAMPLE_CPU) {
		put_dec(out, cpu);
		PUT_TEXT(out, " ");
	}
	if (d->types & PERF_SAMPLE_TIME) {
		put_dec(out, time);
		PUT_TEXT(out, " ");
	}
}

void dump_text_put(struct dump_text *d, const struct dump_record *r, struct strbuf *out)
{
	struct record_about about = { .evsel = r->evsel,
				      .id = r->id,
				      .style = d->style,
				      .unordered = d->unordered,
				      .trace = r->trace,
				      .trace_size = r->trace_size,
				      .aux_type = d->aux_type };

	if (d->pipe)
		know_events(d);
	put_bytes(d, r, out);
	strbuf_grow(out, FIXED_ROOM);
	PUT_TEXT(out, "\n");
	put_when(d, r, out);
	put_alt_hex(out, r->offset);
	PUT_TEXT(out, " [");
	put_alt_hex(out, r->hdr->size);
	PUT_TEXT(out, "]: ");
	put_terminate(out);
	if (r->sample) {
		dump_sample_put(d, r, out);
	} else {
		if (r->hdr->type == PERF_RECORD_TEXT_POKE)
			record_about_poke(r->hdr, d->machine, d->symbols, &about);
		record_text_put(r->hdr, r->hdr->size, &about, out);
	}
	if (d->pipe && r->hdr->type == PERF_RECORD_HEADER_ATTR)
		d->nr_attrs++;
}

void dump_text_init(struct dump_text *d, const char *path)
{
	strbuf_addch(&d->place, '@');
	strbuf_addname(&d->place, path);
	know_events(d);
}

void dump_text_release(struct dump_text *d)
{
	for (size_t i = 0; i < d->nr_traces; i++)
		free(d->traces[i].bytes);
	free(d->traces);
	strbuf_release(&d->place);
}

void dump_text_note(struct dump_text *d, const wire_header *rec)
{
	struct rec_auxtrace_info info;

	if (rec->type == PERF_RECORD_AUXTRACE_INFO &&
	    !rec_auxtrace_info_decode(rec, rec->size, &info))
		d->aux_type = info.type;
}
