// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "aux/pt.h"

#include "aux/aux-internal.h"

#define PSB_SIZE 16

/* ------------------------------------------------------------------ packets of one kind */

/* Decode the branches of a TNT packet, which are below the highest bit that is set. */
static void tnt_bits(u64 bits, struct pt_packet *out)
{
	out->kind = PT_TNT;
	out->count = 63 - (u32)__builtin_clzll(bits);
	out->payload = bits & (((u64)1 << out->count) - 1);
}

static size_t long_tnt(const u8 *p, struct pt_packet *out)
{
	u64 bits = aux_little(p + 2, 6);

	if (!bits)
		return 0;
	tnt_bits(bits, out);
	return 8;
}

static size_t instruction_pointer(const u8 *p, size_t size, enum pt_kind kind,
				  struct pt_packet *out)
{
	static const s8 sizes[] = { 0, 2, 4, 6, 6, -1, 8, -1 };
	int n = sizes[*p >> 5];

	if (n < 0 || size < 1 + (size_t)n)
		return 0;
	out->kind = kind;
	out->count = (u32)n;
	out->payload = aux_little(p + 1, (size_t)n);
	return 1 + (size_t)n;
}

/* Decode a count of cycles: 5 bits, then 7 from each byte as long as the bit before them is set. */
static size_t cycles(const u8 *p, size_t size, struct pt_packet *out)
{
	bool more = *p & 4;
	size_t n = 1;
	u32 shift = 5;

	out->kind = PT_CYC;
	out->payload = *p >> 3;
	for (; more; n++, shift += 7) {
		if (n >= size || shift > 63)
			return 0;
		out->payload |= (u64)(p[n] >> 1) << shift;
		more = p[n] & 1;
	}
	return n;
}

static size_t mode(const u8 *p, size_t size, struct pt_packet *out)
{
	if (size < 2)
		return 0;
	out->payload = p[1] & 0x1f;
	out->kind = p[1] >> 5 ? PT_MODE_TSX : PT_MODE_EXEC;
	return p[1] >> 5 > 1 || (p[1] & 3) == 3 ? 0 : 2;
}

/* ------------------------------------------------------------------ packets that begin with 02 */

/* The second byte of packets whose payload is a number of a fixed size behind it. */
static const struct two_bytes {
	u8 second, payload;
	u8 kind;
	bool ip;
} fixed[] = {
	{ 0x83, 0, PT_TRACESTOP, false }, { 0xf3, 0, PT_OVF, false },
	{ 0x23, 0, PT_PSBEND, false },    { 0x62, 0, PT_EXSTOP, false },
	{ 0xe2, 0, PT_EXSTOP, true },     { 0x33, 0, PT_BEP, false },
	{ 0xb3, 0, PT_BEP, true },        { 0x03, 2, PT_CBR, false },
	{ 0x22, 2, PT_PWRE, false },      { 0x12, 4, PT_PTWRITE, false },
	{ 0x92, 4, PT_PTWRITE, true },    { 0x32, 8, PT_PTWRITE, false },
	{ 0xb2, 8, PT_PTWRITE, true },    { 0xa2, 5, PT_PWRX, false },
	{ 0xc8, 5, PT_VMCS, false },      { 0x43, 6, PT_PIP, false },
	{ 0xc2, 8, PT_MWAIT, false },
};

/* Return the length of the packets that are not in the table, 0 for unknown ones. */
static size_t length_of(u8 second)
{
	static const struct {
		u8 second, length;
	} lengths[] = { { 0xa3, 8 }, { 0x82, PSB_SIZE }, { 0x73, 7 }, { 0xc3, 11 },
			{ 0x63, 3 }, { 0x13, 4 },        { 0x53, 11 } };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (lengths[i].second == second)
			return lengths[i].length;
	return 0;
}

static size_t sync(const u8 *p, struct pt_packet *out)
{
	for (size_t i = 0; i < PSB_SIZE; i += 2)
		if (p[i] != 0x02 || p[i + 1] != 0x82)
			return 0;
	out->kind = PT_PSB;
	return PSB_SIZE;
}

/* Decode a packet whose fields are not one number. All its bytes are there. */
static size_t special(const u8 *p, size_t len, struct pt_packet *out)
{
	switch (p[1]) {
	case 0xa3:
		return long_tnt(p, out);
	case 0x82:
		return sync(p, out);
	case 0x73:
		out->kind = PT_TMA;
		out->payload = aux_little(p + 2, 2);
		out->count = (u32)(p[5] | (p[6] & 1) << 8);
		break;
	case 0xc3:
		if (p[2] != 0x88)
			return 0;
		out->kind = PT_MNT;
		out->payload = aux_little(p + 3, 8);
		break;
	case 0x63:
		out->kind = PT_BBP;
		out->payload = p[2] & 0x1f;
		out->count = p[2] & 0x80 ? 4 : 8;
		break;
	case 0x13:
		out->kind = PT_CFE;
		out->ip = p[2] & 0x80;
		out->count = p[2] & 0x1f;
		out->payload = p[3];
		break;
	default:
		out->kind = PT_EVD;
		out->count = p[2] & 0x3f;
		out->payload = aux_little(p + 3, 8);
		break;
	}
	return len;
}

static size_t extended(const u8 *p, size_t size, struct pt_packet *out)
{
	size_t len;

	if (size < 2)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		if (fixed[i].second != p[1])
			continue;
		len = 2 + (size_t)fixed[i].payload;
		if (size < len)
			return 0;
		out->kind = fixed[i].kind;
		out->ip = fixed[i].ip;
		out->payload = aux_little(p + 2, len - 2);
		return len;
	}
	len = length_of(p[1]);
	return len && len <= size ? special(p, len, out) : 0;
}

/* ------------------------------------------------------------------ any packet */

static size_t number(const u8 *p, size_t size, enum pt_kind kind, size_t n, struct pt_packet *out)
{
	if (size < 1 + n)
		return 0;
	out->kind = kind;
	out->payload = aux_little(p + 1, n);
	return 1 + n;
}

static size_t item(const u8 *p, size_t size, u8 bytes, struct pt_packet *out)
{
	out->count = *p >> 3;
	return number(p, size, PT_BIP, bytes, out);
}

static size_t by_first_byte(const u8 *p, size_t size, u8 open, struct pt_packet *out)
{
	if (*p == 0x02)
		return extended(p, size, out);
	if (open && (*p & 7) == 4)
		return item(p, size, open, out);
	if (!(*p & 1)) {
		if (!*p) {
			out->kind = PT_PAD;
			return 1;
		}
		tnt_bits(*p >> 1, out);
		return 1;
	}
	if ((*p & 3) == 3)
		return cycles(p, size, out);
	switch (*p & 0x1f) {
	case 0x0d:
		return instruction_pointer(p, size, PT_TIP, out);
	case 0x11:
		return instruction_pointer(p, size, PT_TIP_PGE, out);
	case 0x01:
		return instruction_pointer(p, size, PT_TIP_PGD, out);
	case 0x1d:
		return instruction_pointer(p, size, PT_FUP, out);
	default:
		break;
	}
	switch (*p) {
	case 0x19:
		return number(p, size, PT_TSC, 7, out);
	case 0x59:
		return number(p, size, PT_MTC, 1, out);
	case 0x99:
		return mode(p, size, out);
	default:
		return 0;
	}
}

/* Tell whether a block stays open behind such a packet. */
static bool within_block(enum pt_kind kind)
{
	static const bool within[PT_EVD + 1] = {
		[PT_PAD] = true,  [PT_BIP] = true,    [PT_FUP] = true,   [PT_TSC] = true,
		[PT_TMA] = true,  [PT_MTC] = true,    [PT_CYC] = true,   [PT_CBR] = true,
		[PT_MNT] = true,  [PT_EXSTOP] = true, [PT_MWAIT] = true, [PT_PWRE] = true,
		[PT_PWRX] = true,
	};

	return within[kind];
}

size_t pt_packet_decode(struct pt_state *state, const u8 *p, size_t size, struct pt_packet *out)
{
	size_t len;

	*out = (struct pt_packet){ .kind = PT_PAD };
	len = size ? by_first_byte(p, size, state->item, out) : 0;
	if (!len)
		return 0;
	if (out->kind == PT_BBP)
		state->item = (u8)out->count;
	else if (!within_block(out->kind))
		state->item = 0;
	return len;
}
