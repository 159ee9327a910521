// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile as one page. The data are the tree of stacks, column by column, with each number in as
 * few bytes as possible (7 bits in each, the lowest first), deflated, in base64. Nothing in them
 * can be taken for markup, and the page only runs the script that it contains.
 */
#include "base/compat.h"

#include "export/page.h"

#include "codec/sha256.h"
#include "export/page-body.h"

/* ---- the page ---- */

/* Converts three bytes at a time; the rest waits for the next call. */
struct base64 {
	struct export_out *o;
	u8 rest[3];
	size_t nr_rest;
};

static size_t encode(char *text, const u8 *p, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	u32 v = (u32)p[0] << 16 | (n > 1 ? (u32)p[1] << 8 : 0) | (n > 2 ? p[2] : 0);

	text[0] = digits[v >> 18];
	text[1] = digits[v >> 12 & 63];
	text[2] = n > 1 ? digits[v >> 6 & 63] : '=';
	text[3] = n > 2 ? digits[v & 63] : '=';
	return 4;
}

static void put_base64(struct base64 *b, const u8 *p, size_t len)
{
	const u8 *end = p + len;
	char text[4096];
	size_t at = 0;

	while (b->nr_rest && b->nr_rest < 3 && p < end)
		b->rest[b->nr_rest++] = *p++;
	if (b->nr_rest == 3) {
		at = encode(text, b->rest, 3);
		b->nr_rest = 0;
	}
	for (; end - p >= 3; p += 3) {
		at += encode(text + at, p, 3);
		if (at == sizeof(text)) {
			export_put(b->o, text, at);
			at = 0;
		}
	}
	export_put(b->o, text, at);
	while (p < end)
		b->rest[b->nr_rest++] = *p++;
}

static void end_base64(struct base64 *b)
{
	char text[4];

	if (b->nr_rest)
		export_put(b->o, text, encode(text, b->rest, b->nr_rest));
}

/* Append the digest that permits exactly this script or style. */
static void put_digest(struct export_out *o, const char *text)
{
	struct base64 b = { .o = o };
	u8 digest[32];

	sha256(text, strlen(text), digest);
	export_str(o, "sha256-");
	put_base64(&b, digest, sizeof(digest));
	end_base64(&b);
}

static void put_data(const struct stacks *s, const struct export_opts *opts, struct export_out *o)
{
	struct export_opts named = *opts;
	struct base64 b = { .o = o };
	struct page_body body;
	struct stacks *both = NULL;
	struct err err = { 0 };
	int event = opts->other ? export_event(s, opts, &err) : -1;

	if (event >= 0) {
		named.event = stacks_text(s, s->events[event].name);
		both = export_joined(s, opts, &err);
	}
	page_body_make(&body, both ? both : s, &named);
	stacks_free(both);
	for (size_t i = 0; i < body.nr_units; i++)
		put_base64(&b, (const u8 *)body.units[i].buf, body.units[i].len);
	end_base64(&b);
	page_body_release(&body);
}

/* The frame of the page has words between @ signs as placeholders. */
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
	.runs = true,
	.arg = "file",
	.help = "Write one page for a browser, with flame graph, times, functions and callers",
	.dims = { .comm = true,
		  .process = true,
		  .thread = true,
		  .cpu = true,
		  .sites = true,
		  .packed = true,
		  .slices = 512 },
	.write = write_page,
};
