// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of packets, in the layout of perf 6.1:
 *
 *	.  00000010:  19 00 10 00 00 00 00 00                         TSC 0x1000
 */
#include "base/compat.h"
#include "aux/aux-text.h"

#include "aux/aux-internal.h"
#include "aux/pt.h"
#include "aux/spe.h"

#define BYTES 16     /* bytes with a column of their own */
#define PT_PADDING 8 /* bytes of a packet with the padding behind it on one line */
#define BTS_ENTRY 24 /* bytes of a branch: from, to, flags */
#define BTS_PREDICTED 0x10

static void put_bytes(size_t at, const u8 *p, size_t n, size_t columns, struct strbuf *out)
{
	strbuf_addf(out, ".  %08zx: ", at);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, " %02x", p[i]);
	for (; n < columns; n++)
		strbuf_addstr(out, "   ");
	strbuf_addch(out, ' ');
}

static void put_bad(size_t at, const u8 *p, struct strbuf *out)
{
	put_bytes(at, p, 1, BYTES, out);
	strbuf_addstr(out, "Bad packet!\n");
}

/* Return the end of the padding that goes on at @at, as far as it is on the line of @most bytes. */
static size_t padding_end(const u8 *p, size_t at, size_t size, size_t start, size_t most)
{
	while (at < size && !p[at] && at - start < most)
		at++;
	return at;
}

static void put_spe(const u8 *p, size_t size, struct strbuf *out)
{
	struct spe_packet packet;
	size_t at, len;

	for (at = 0; at < size; at += len) {
		len = spe_packet_decode(p, at, size, &packet);
		if (!len) {
			put_bad(at, p + at, out);
			len = 1;
			continue;
		}
		if (packet.kind == SPE_PAD)
			len = padding_end(p, at + len, size, at, BYTES) - at;
		put_bytes(at, p + at, len, BYTES, out);
		spe_packet_text(&packet, out);
		strbuf_addch(out, '\n');
	}
}

static void put_pt(const u8 *p, size_t size, struct strbuf *out)
{
	struct pt_state state = { 0 };
	struct pt_packet packet;
	size_t at, len;

	for (at = 0; at < size; at += len) {
		len = pt_packet_decode(&state, p + at, size - at, &packet);
		if (!len) {
			put_bad(at, p + at, out);
			len = 1;
			continue;
		}
		if (len < PT_PADDING)
			len = padding_end(p, at + len, size, at, PT_PADDING) - at;
		put_bytes(at, p + at, len, BYTES, out);
		pt_packet_text(&packet, out);
		strbuf_addch(out, '\n');
	}
}

static void put_bts(const u8 *p, size_t size, struct strbuf *out)
{
	size_t at;

	for (at = 0; size - at >= BTS_ENTRY; at += BTS_ENTRY) {
		put_bytes(at, p + at, BTS_ENTRY, BTS_ENTRY, out);
		strbuf_addf(out, "%" PRIx64 " -> %" PRIx64 " %s\n", aux_little(p + at, 8),
			    aux_little(p + at + 8, 8),
			    aux_little(p + at + 16, 8) & BTS_PREDICTED ? "pred" : "miss");
	}
	if (at < size) {
		put_bytes(at, p + at, size - at, BTS_ENTRY, out);
		strbuf_addstr(out, "Bad record!\n");
	}
}

bool aux_text_put(u32 type, const void *bytes, size_t size, struct strbuf *out)
{
	switch (type) {
	case AUX_PT:
		put_pt(bytes, size, out);
		return true;
	case AUX_BTS:
		put_bts(bytes, size, out);
		return true;
	case AUX_ARM_SPE:
		put_spe(bytes, size, out);
		return true;
	default:
		return false;
	}
}
