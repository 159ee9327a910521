// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "aux/spe.h"

#include "aux/aux-internal.h"

#define ADDRESS_BITS 56 /* the highest byte of an address says where it is valid */

/* ------------------------------------------------------------------ from bytes */

/* Decode the kind and the index from a header byte. Return: bytes of payload; -1: reserved. */
static int header_of(u8 h, struct spe_packet *out)
{
	int size = 1 << (h >> 4 & 3);

	out->index = 0;
	if (h == 0x00) {
		out->kind = SPE_PAD;
		return 0;
	}
	if (h == 0x01) {
		out->kind = SPE_END;
		return 0;
	}
	if (h == 0x71) {
		out->kind = SPE_TIME;
		return 8;
	}
	if ((h & 0xcf) == 0x42 || (h & 0xcf) == 0x43) {
		out->kind = h & 1 ? SPE_SOURCE : SPE_EVENTS;
		return size;
	}
	if ((h & 0xfc) == 0x64 || (h & 0xfc) == 0x48) {
		out->kind = (h & 0xfc) == 0x64 ? SPE_CONTEXT : SPE_OPERATION;
		out->index = h & 3;
		return size;
	}
	if ((h & 0xf8) == 0xb0 || (h & 0xf8) == 0x98) {
		out->kind = (h & 0xf8) == 0xb0 ? SPE_ADDRESS : SPE_COUNTER;
		out->index = h & 7;
		return size;
	}
	return -1;
}

size_t spe_packet_decode(const u8 *trace, size_t at, size_t size, struct spe_packet *out)
{
	const u8 *p = trace + at;
	size_t left = size - at, head = 1;
	u8 upper = 0;
	int n;

	if (at >= size)
		return 0;
	if ((*p & 0xfc) == 0x20) {
		if (left < 2)
			return 0;
		upper = *p & 3;
		if (!p[1]) { /* padding up to a multiple of a power of two */
			size_t unit = (size_t)2 << upper, len = unit - at % unit;

			*out = (struct spe_packet){ .kind = SPE_PAD };
			return len <= left ? len : 0;
		}
		if ((p[1] & 0xf8) != 0xb0 && (p[1] & 0xf8) != 0x98)
			return 0;
		head = 2;
		p++;
	}
	n = header_of(*p, out);
	if (n < 0 || head + (size_t)n > left)
		return 0;
	out->index |= (u8)(upper << 3);
	out->payload = aux_little(p + 1, (size_t)n);
	return head + (size_t)n;
}

/* ------------------------------------------------------------------ to text */

static void put_events(u64 bits, struct strbuf *out)
{
	static const char *const names[] = {
		"EXCEPTION-GEN",
		"RETIRED",
		"L1D-ACCESS",
		"L1D-REFILL",
		"TLB-ACCESS",
		"TLB-REFILL",
		"NOT-TAKEN",
		"MISPRED",
		"LLC-ACCESS",
		"LLC-REFILL",
		"REMOTE-ACCESS",
		"ALIGNMENT",
		[17] = "SVE-PARTIAL-PRED",
		"SVE-EMPTY-PRED",
	};

	strbuf_addstr(out, "EV");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && bits >> i & 1)
			strbuf_addf(out, " %s", names[i]);
}

/* Append the length of the vectors that an SVE operation uses. */
static void put_vector(u64 op, struct strbuf *out)
{
	strbuf_addf(out, " EVLEN %u", 32u << (op >> 4 & 7));
}

static void put_memory(u64 op, struct strbuf *out)
{
	strbuf_addstr(out, op & SPE_OP_STORE ? "ST" : "LD");
	if ((op & 0x0a) == 0x08) {
		put_vector(op, out);
		strbuf_addstr(out, op & 0x04 ? " PRED" : "");
		strbuf_addstr(out, op & 0x80 ? " SG" : "");
		return;
	}
	if ((op & 0xe2) == 0x02) {
		strbuf_addstr(out, op & 0x04 ? " AT" : "");
		strbuf_addstr(out, op & 0x08 ? " EXCL" : "");
		strbuf_addstr(out, op & 0x10 ? " AR" : "");
		return;
	}
	switch (op & 0xfe) {
	case 0x00:
		strbuf_addstr(out, " GP-REG");
		break;
	case 0x04:
		strbuf_addstr(out, " SIMD-FP");
		break;
	case 0x10:
		strbuf_addstr(out, " UNSPEC-REG");
		break;
	case 0x30:
		strbuf_addstr(out, " NV-SYSREG");
		break;
	default:
		break;
	}
}

static void put_operation(const struct spe_packet *p, struct strbuf *out)
{
	u64 op = p->payload;

	switch (p->index) {
	case SPE_OP_OTHER:
		if ((op & 0x89) != 0x08) {
			strbuf_addstr(out, op & 1 ? "OTHER COND-SELECT" : "OTHER INSN-OTHER");
			break;
		}
		strbuf_addstr(out, "SVE-OTHER");
		put_vector(op, out);
		strbuf_addstr(out, op & 0x02 ? " FP" : "");
		strbuf_addstr(out, op & 0x04 ? " PRED" : "");
		break;
	case SPE_OP_MEMORY:
		put_memory(op, out);
		break;
	case SPE_OP_BRANCH:
		strbuf_addstr(out, "B");
		strbuf_addstr(out, op & 1 ? " COND" : "");
		strbuf_addstr(out, (op & 0xfe) == 0x02 ? " IND" : "");
		break;
	default:
		strbuf_addf(out, "OP-TYPE 0x%" PRIx64 " (%u)", op, p->index);
		break;
	}
}

static void put_address(const struct spe_packet *p, struct strbuf *out)
{
	u64 addr = p->payload & (((u64)1 << ADDRESS_BITS) - 1);
	unsigned int top = (unsigned int)(p->payload >> ADDRESS_BITS);

	switch (p->index) {
	case SPE_ADDR_PC:
	case SPE_ADDR_TARGET:
		strbuf_addf(out, "%s 0x%" PRIx64 " el%u ns=%u", p->index ? "TGT" : "PC", addr,
			    top >> 5 & 3, top >> 7);
		break;
	case SPE_ADDR_DATA:
		strbuf_addf(out, "VA 0x%" PRIx64, p->payload);
		break;
	case SPE_ADDR_PHYS:
		strbuf_addf(out, "PA 0x%" PRIx64 " ns=%u ch=%u pat=%x", addr, top >> 7,
			    top >> 6 & 1, top & 0xf);
		break;
	default:
		strbuf_addf(out, "ADDR 0x%" PRIx64 " (%u)", p->payload, p->index);
		break;
	}
}

void spe_packet_text(const struct spe_packet *p, struct strbuf *out)
{
	static const char *const waits[] = { "TOT", "ISSUE", "XLAT" };

	switch (p->kind) {
	case SPE_PAD:
		strbuf_addstr(out, "PAD");
		break;
	case SPE_END:
		strbuf_addstr(out, "END");
		break;
	case SPE_TIME:
		strbuf_addf(out, "TS %" PRId64, (s64)p->payload);
		break;
	case SPE_EVENTS:
		put_events(p->payload, out);
		break;
	case SPE_SOURCE:
		strbuf_addf(out, "DATA-SOURCE %" PRId64, (s64)p->payload);
		break;
	case SPE_CONTEXT:
		strbuf_addf(out, "CONTEXT 0x%" PRIx64 " el%u", p->payload, p->index + 1u);
		break;
	case SPE_OPERATION:
		put_operation(p, out);
		break;
	case SPE_ADDRESS:
		put_address(p, out);
		break;
	case SPE_COUNTER:
		strbuf_addf(out, "LAT %u %s", (u16)p->payload,
			    p->index < ARRAY_SIZE(waits) ? waits[p->index] : "");
		break;
	}
}
