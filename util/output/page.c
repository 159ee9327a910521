// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile as one page. The data is what is kept of samples, column by column, each number in as
 * many bytes as it takes (7 bits in each, the lowest first), deflated, in base64: nothing in there
 * can be taken for markup, and the page lets nothing run but the script it came with.
 */
#include "base/compat.h"

#include "output/page.h"

#include "base/alloc.h"
#include "base/protobuf.h"
#include "base/sha256.h"
#include "hist/event-class.h"
#include "output/deflate.h"
#include "output/export-places.h"
#include "output/page-rows.h"
#include "output/quote.h"

/* Of deflate: a third of the time of the usual 6, for a page that is a fifteenth larger. */
#define LEVEL 2

/* ---- numbers ---- */

/* Small differences of either sign are small numbers. */
static void put_signed(struct strbuf *out, s64 v)
{
	proto_varint(out, (u64)v << 1 ^ (u64)(v >> 63));
}

/* ---- sums ---- */

/* The period of each sample of an event when all of them have the same; else 0. */
static u64 *find_units(const struct stacks *s)
{
	u64 *unit = xcalloc(s->nr_events, sizeof(*unit));
	u32 *mixed = xcalloc(s->nr_events, sizeof(*mixed));

	for (size_t i = 0; i < s->nr_sums; i++) {
		const struct stacks_sum *sum = &s->sums[i];
		u64 one = sum->samples ? sum->period / sum->samples : 0;

		if (!unit[sum->event])
			unit[sum->event] = one;
		mixed[sum->event] |= one != unit[sum->event] || one * sum->samples != sum->period;
	}
	for (u32 i = 0; i < s->nr_events; i++)
		if (mixed[i])
			unit[i] = 0;
	free(mixed);
	return unit;
}

static void put_rows(const struct page_rows *r, const u64 *unit, struct strbuf *out)
{
	static const struct stacks_sum none = { .node = UINT32_MAX };
	const struct stacks_sum *v = r->v;
	size_t nr = r->nr;

	proto_varint(out, nr);
	for (size_t i = 0; i < nr; i++)
		proto_varint(out, v[i].event - (i ? v[i - 1].event : 0));
	for (size_t i = 0; i < nr; i++)
		put_signed(out, (s64)v[i].node - (i ? v[i - 1].node : 0));
	for (size_t i = 0; i < nr; i++) {
		const struct stacks_sum *last = i ? &v[i - 1] : &none;
		bool on = v[i].node == last->node && v[i].event == last->event;

		proto_varint(out, v[i].thread - (on ? last->thread : 0));
	}
	for (size_t i = 0; i < nr; i++)
		proto_varint(out, v[i].cpu);
	for (size_t i = 0; i < nr; i++) {
		const struct stacks_sum *last = i ? &v[i - 1] : &none;
		bool on = v[i].node == last->node && v[i].thread == last->thread;

		put_signed(out, (s64)v[i].slice - (on ? last->slice : 0));
	}
	for (size_t i = 0; i < nr; i++)
		proto_varint(out, v[i].samples);
	for (size_t i = 0; i < nr; i++)
		if (!unit[v[i].event])
			proto_varint(out, v[i].period);
}

/* ---- names, frames, nodes ---- */

/* The texts that frames use, numbered as they come. */
struct texts {
	const struct stacks *s;
	u32 *number; /* of each text + 1; 0: not used yet */
	u32 nr;
	struct strbuf all; /* each with its zero byte */
};

static u32 text_number(struct texts *t, u32 text)
{
	if (!t->number[text]) {
		const char *name = stacks_text(t->s, text);

		t->number[text] = ++t->nr;
		quote_utf8(&t->all, name);
		strbuf_addch(&t->all, '\0');
	}
	return t->number[text] - 1;
}

static void put_frames(struct texts *t, struct strbuf *out)
{
	const struct stacks *s = t->s;
	struct strbuf cols[4] = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	u32 last = 0;

	for (u32 i = 0; i < s->nr_frames; i++) {
		const struct stacks_frame *f = &s->frames[i];
		u32 name = text_number(t, f->name);

		put_signed(&cols[0], (s64)name - last);
		last = name;
	}
	for (u32 i = 0; i < s->nr_frames; i++)
		proto_varint(&cols[1], text_number(t, s->frames[i].dso));
	for (u32 i = 0; i < s->nr_frames; i++)
		proto_varint(&cols[2], text_number(t, s->frames[i].path));
	for (u32 i = 0; i < s->nr_frames; i++)
		proto_varint(&cols[3], s->frames[i].kind);
	proto_varint(out, t->nr);
	proto_varint(out, t->all.len);
	strbuf_add(out, strbuf_str(&t->all), t->all.len);
	proto_varint(out, s->nr_frames);
	for (size_t i = 0; i < ARRAY_SIZE(cols); i++) {
		strbuf_add(out, strbuf_str(&cols[i]), cols[i].len);
		strbuf_release(&cols[i]);
	}
}

/* How many levels a node goes up from the one before it (0: it is called by that); its frame. */
static void put_nodes(const struct stacks *s, struct strbuf *out)
{
	proto_varint(out, s->nr_nodes);
	for (u32 i = 1; i < s->nr_nodes; i++)
		proto_varint(out, s->nodes[i - 1].depth + 1 - s->nodes[i].depth);
	for (u32 i = 1; i < s->nr_nodes; i++)
		proto_varint(out, s->nodes[i].frame);
}

/* ---- what is said about it ---- */

static void put_field(struct strbuf *out, const char *key, const char *text)
{
	strbuf_addf(out, ",\"%s\":", key);
	quote_json(out, text);
}

/* @name: of both recordings that are compared; NULL */
static bool is_time(const struct stacks *s, u32 event, const char *name)
{
	return name ? s->dims.durations || event_counts_time(name) : event_is_time(s, event);
}

static void put_events(const struct stacks *s, const u64 *unit, const char *event,
		       struct strbuf *out)
{
	strbuf_addstr(out, ",\"events\":[");
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct stacks_event *e = &s->events[i];

		strbuf_addstr(out, i ? ",{\"name\":" : "{\"name\":");
		quote_json(out, stacks_text(s, e->name));
		strbuf_addf(out,
			    ",\"samples\":%" PRIu64 ",\"period\":%" PRIu64 ",\"unit\":%" PRIu64
			    ",\"time\":%s}",
			    e->samples, e->period, unit[i],
			    is_time(s, i, event) ? "true" : "false");
	}
	strbuf_addch(out, ']');
}

static void put_threads(const struct stacks *s, const struct page_rows *r, struct strbuf *out)
{
	strbuf_addf(out, ",\"together\":%u,\"threads\":[", r->together);
	for (u32 i = 0; i < r->nr_threads; i++) {
		const struct stacks_thread *t = &r->threads[i];

		strbuf_addf(out, "%s[%d,%d,", i ? "," : "", (s32)t->pid, (s32)t->tid);
		quote_json(out, stacks_text(s, t->comm));
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, ']');
}

/* Which of the events is which of two recordings; -1: that has no samples. */
static void put_compared(const struct stacks *s, const struct export_opts *opts, struct strbuf *out)
{
	int at[2] = { -1, -1 };

	for (u32 i = 0; i < s->nr_events; i++)
		at[s->events[i].evsel == STACKS_NOW] = (int)i;
	strbuf_addf(out, ",\"compare\":{\"before\":%d,\"now\":%d", at[0], at[1]);
	put_field(out, "event", opts->event ? opts->event : "");
	strbuf_addch(out, '}');
}

static void put_head(const struct stacks *s, const struct export_opts *opts, const u64 *unit,
		     const struct page_rows *rows, const char *sources, struct strbuf *out)
{
	int shift = rows->shift;

	strbuf_addstr(out, "{\"version\":1");
	if (opts->title)
		put_field(out, "title", opts->title);
	if (opts->other)
		put_compared(s, opts, out);
	put_field(out, "weight", opts->weight == WEIGHT_SAMPLES ? "samples" : "period");
	strbuf_addf(out, ",\"durations\":%s", s->dims.durations ? "true" : "false");
	strbuf_addf(out, ",\"icicle\":%s", opts->icicle ? "true" : "false");
	strbuf_addf(out, ",\"first\":%" PRIu64 ",\"last\":%" PRIu64, s->first_time, s->last_time);
	strbuf_addf(out, ",\"sliceStart\":%" PRIu64 ",\"sliceNs\":%" PRIu64 ",\"slices\":%u",
		    s->slice_start, s->slice_ns << shift,
		    MAX((s->nr_slices + (1U << shift) - 1) >> shift, 1U));
	strbuf_addf(out, ",\"wall\":%" PRIu64, opts->wall_offset);
	put_events(s, unit, opts->other ? opts->event : NULL, out);
	put_threads(s, rows, out);
	strbuf_addstr(out, ",\"facts\":[");
	for (u32 i = 0; i < opts->nr_facts; i++) {
		strbuf_addstr(out, i ? ",[" : "[");
		quote_json(out, opts->facts[i].key);
		strbuf_addch(out, ',');
		quote_json(out, opts->facts[i].value);
		strbuf_addch(out, ']');
	}
	strbuf_addstr(out, "],\"notes\":[");
	for (u32 i = 0; i < opts->nr_notes; i++) {
		if (i)
			strbuf_addch(out, ',');
		quote_json(out, opts->notes[i]);
	}
	strbuf_addstr(out, "],\"sources\":[");
	strbuf_addstr(out, sources);
	strbuf_addstr(out, "]}");
}

void page_data(const struct stacks *s, const struct export_opts *opts, struct strbuf *out)
{
	struct strbuf sources = STRBUF_INIT;
	struct texts texts = { 0 };
	u64 *unit;
	struct strbuf head = STRBUF_INIT;
	struct page_rows rows;

	if (s->nr_spots)
		page_sources(s, opts->arch, &sources);
	texts = (struct texts){ .s = s, .number = xcalloc(s->texts.nr + 1, sizeof(u32)) };
	page_rows_init(&rows, s);
	unit = find_units(s);
	put_head(s, opts, unit, &rows, strbuf_str(&sources), &head);
	strbuf_release(&sources);
	proto_varint(out, head.len);
	strbuf_add(out, head.buf, head.len);
	put_frames(&texts, out);
	put_nodes(s, out);
	put_rows(&rows, unit, out);
	page_rows_release(&rows);
	free(unit);
	free(texts.number);
	strbuf_release(&texts.all);
	strbuf_release(&head);
}

/* ---- the page ---- */

static void put_base64(struct export_out *o, const u8 *p, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	char text[4096];
	size_t at = 0;

	for (size_t i = 0; i < len; i += 3) {
		size_t n = MIN(len - i, (size_t)3);
		u32 v = (u32)p[i] << 16 | (n > 1 ? (u32)p[i + 1] << 8 : 0) | (n > 2 ? p[i + 2] : 0);

		text[at++] = digits[v >> 18];
		text[at++] = digits[v >> 12 & 63];
		text[at++] = n > 1 ? digits[v >> 6 & 63] : '=';
		text[at++] = n > 2 ? digits[v & 63] : '=';
		if (at == sizeof(text)) {
			export_put(o, text, at);
			at = 0;
		}
	}
	export_put(o, text, at);
}

/* What lets exactly this script and this style be used. */
static void put_digest(struct export_out *o, const char *text)
{
	u8 digest[32];

	sha256(text, strlen(text), digest);
	export_str(o, "sha256-");
	put_base64(o, digest, sizeof(digest));
}

static void put_data(const struct stacks *s, const struct export_opts *opts, struct export_out *o)
{
	struct strbuf raw = STRBUF_INIT, packed = STRBUF_INIT;
	struct export_opts named = *opts;
	struct stacks *both = NULL;
	struct err err = { 0 };
	int event = opts->other ? export_event(s, opts, &err) : -1;

	if (event >= 0) {
		named.event = stacks_text(s, s->events[event].name);
		both = export_joined(s, opts, &err);
	}
	page_data(both ? both : s, &named, &raw);
	stacks_free(both);
	deflate_raw(&packed, raw.buf, raw.len, LEVEL);
	strbuf_release(&raw);
	put_base64(o, (const u8 *)packed.buf, packed.len);
	strbuf_release(&packed);
}

/* The frame of the page has a word between @ signs where something is to be put. */
static int write_page(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		      struct err *err)
{
	const char *p = page_frame, *at;

	if (opts->other && export_event(s, opts, err) < 0)
		return err->code;
	for (; (at = strchr(p, '@')); p = at + strcspn(at + 1, "@") + 2) {
		export_put(o, p, (size_t)(at - p));
		if (!strncmp(at, "@style@", 7))
			export_str(o, page_style);
		else if (!strncmp(at, "@script@", 8))
			export_str(o, page_script);
		else if (!strncmp(at, "@style-digest@", 14))
			put_digest(o, page_style);
		else if (!strncmp(at, "@script-digest@", 15))
			put_digest(o, page_script);
		else if (!strncmp(at, "@data@", 6))
			put_data(s, opts, o);
	}
	export_str(o, p);
	return 0;
}

const struct export_ops export_html = {
	.name = "html",
	.arg = "file",
	.help = "Write one page for a browser, with flame graph, times, functions and callers",
	.dims = { .comm = true,
		  .process = true,
		  .thread = true,
		  .cpu = true,
		  .spots = true,
		  .slices = 512 },
	.write = write_page,
};
