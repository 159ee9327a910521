// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "aux/spe-record.h"

#define TOP_BYTE ((u64)0xff << 56)
#define KERNEL_BIT ((u64)1 << 55) /* the highest address bit that no tag can replace */

/* Replace the highest byte of an address, which holds flags or a tag. */
static u64 whole_address(u64 a, bool kernel)
{
	return kernel ? a | TOP_BYTE : a & ~TOP_BYTE;
}

static void take_address(const struct spe_packet *p, struct spe_record *r)
{
	switch (p->index) {
	case SPE_ADDR_PC:
		r->level = p->payload >> 61 & 3;
		r->pc = whole_address(p->payload, r->level == 1 || r->level == 2);
		break;
	case SPE_ADDR_TARGET:
		r->target = whole_address(p->payload, (p->payload >> 61 & 3) % 3);
		break;
	case SPE_ADDR_DATA:
		r->addr = whole_address(p->payload, p->payload & KERNEL_BIT);
		break;
	case SPE_ADDR_PHYS:
		r->phys = whole_address(p->payload, false);
		break;
	default:
		break;
	}
}

static void take(const struct spe_packet *p, struct spe_record *r)
{
	switch (p->kind) {
	case SPE_TIME:
		r->time = p->payload;
		break;
	case SPE_EVENTS:
		r->events = p->payload;
		break;
	case SPE_SOURCE:
		r->source = p->payload;
		break;
	case SPE_CONTEXT:
		r->context = p->payload;
		r->has_context = true;
		break;
	case SPE_OPERATION:
		r->op_class = p->index;
		r->op = (u8)p->payload;
		break;
	case SPE_ADDRESS:
		take_address(p, r);
		break;
	case SPE_COUNTER:
		if (p->index == SPE_LAT_TOTAL)
			r->latency = (u32)p->payload;
		break;
	default:
		break;
	}
}

bool spe_record_next(const u8 *trace, size_t *at, size_t size, struct spe_record *out, u64 *bad)
{
	struct spe_packet p;
	bool broken = false;

	*out = (struct spe_record){ 0 };
	while (*at < size) {
		size_t len = spe_packet_decode(trace, *at, size, &p);

		*at += len ? len : 1;
		if (!len) {
			++*bad;
			broken = true;
			continue;
		}
		take(&p, out);
		if (p.kind != SPE_END && p.kind != SPE_TIME)
			continue;
		if (!broken)
			return true;
		broken = false;
		*out = (struct spe_record){ 0 };
	}
	return false;
}
