// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "export/page-shell.h"

#include "codec/sha256.h"

/* Three bytes at a time become text; what is left of them waits for the next call. */
struct page_data {
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

void page_data_put(struct page_data *b, const void *data, size_t len)
{
	const u8 *p = data, *end = p + len;
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

static void end_base64(struct page_data *b)
{
	char text[4];

	if (b->nr_rest)
		export_put(b->o, text, encode(text, b->rest, b->nr_rest));
	b->nr_rest = 0;
}

/* Append the digest that permits exactly this script or style. */
static void put_digest(struct export_out *o, const char *text)
{
	struct page_data b = { .o = o };
	u8 digest[32];

	sha256(text, strlen(text), digest);
	export_str(o, "sha256-");
	page_data_put(&b, digest, sizeof(digest));
	end_base64(&b);
}

/* The frame of a page has words between @ signs as placeholders. */
void page_shell_write(const struct page_shell *shell,
		      void (*put)(void *ctx, struct page_data *data), void *ctx,
		      struct export_out *o)
{
	struct page_data data = { .o = o };
	const char *p = shell->frame, *at;

	for (; (at = strchr(p, '@')); p = at + strcspn(at + 1, "@") + 2) {
		export_put(o, p, (size_t)(at - p));
		if (!strncmp(at, "@style@", 7)) {
			export_str(o, shell->style);
		} else if (!strncmp(at, "@script@", 8)) {
			export_str(o, shell->script);
		} else if (!strncmp(at, "@style-digest@", 14)) {
			put_digest(o, shell->style);
		} else if (!strncmp(at, "@script-digest@", 15)) {
			put_digest(o, shell->script);
		} else if (!strncmp(at, "@early@", 7) && shell->early) {
			shell->early(ctx, &data);
			end_base64(&data);
		} else if (!strncmp(at, "@data@", 6)) {
			put(ctx, &data);
			end_base64(&data);
		}
	}
	export_str(o, p);
}
