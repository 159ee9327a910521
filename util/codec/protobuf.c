// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "codec/protobuf.h"

#include "codec/quote.h"

enum wire { WIRE_VARINT, WIRE_FIXED64, WIRE_LENGTH };

#define VARINT_MAX 10 /* bytes for 64 bits, seven in each */

static unsigned int encode(u8 *p, u64 v)
{
	unsigned int n = 0;

	while (v >= 0x80) {
		p[n++] = (u8)(v | 0x80);
		v >>= 7;
	}
	p[n++] = (u8)v;
	return n;
}

void proto_varint(struct strbuf *out, u64 v)
{
	u8 bytes[VARINT_MAX];

	strbuf_add(out, bytes, encode(bytes, v));
}

static void put_key(struct strbuf *out, u32 field, enum wire wire)
{
	proto_varint(out, (u64)field << 3 | wire);
}

void proto_number(struct strbuf *out, u32 field, u64 v)
{
	put_key(out, field, WIRE_VARINT);
	proto_varint(out, v);
}

void proto_u64(struct strbuf *out, u32 field, u64 v)
{
	if (v)
		proto_number(out, field, v);
}

void proto_fixed64(struct strbuf *out, u32 field, u64 v)
{
	u8 bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (u8)(v >> 8 * i);
	put_key(out, field, WIRE_FIXED64);
	strbuf_add(out, bytes, sizeof(bytes));
}

void proto_bytes(struct strbuf *out, u32 field, const void *data, size_t len)
{
	put_key(out, field, WIRE_LENGTH);
	proto_varint(out, len);
	strbuf_add(out, data, len);
}

/*
 * The length precedes the contents but is not known yet. Room for one byte is left, which is
 * usually sufficient; otherwise the contents are moved.
 */
size_t proto_begin(struct strbuf *out, u32 field)
{
	put_key(out, field, WIRE_LENGTH);
	strbuf_addch(out, 0);
	return out->len;
}

void proto_end(struct strbuf *out, size_t begun)
{
	u8 bytes[VARINT_MAX];
	size_t len = out->len - begun;
	unsigned int n = encode(bytes, len);

	if (n > 1) {
		strbuf_add(out, bytes, n - 1);
		memmove(out->buf + begun - 1 + n, out->buf + begun, len);
	}
	memcpy(out->buf + begun - 1, bytes, n);
}

void proto_name(struct strbuf *out, u32 field, const char *s)
{
	size_t begun = proto_begin(out, field);

	quote_utf8(out, s);
	proto_end(out, begun);
}
