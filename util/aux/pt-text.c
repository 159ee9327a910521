// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "aux/pt.h"

static const char *const names[] = {
	[PT_PAD] = "PAD",           [PT_TNT] = "TNT",
	[PT_TIP] = "TIP",           [PT_TIP_PGE] = "TIP.PGE",
	[PT_TIP_PGD] = "TIP.PGD",   [PT_FUP] = "FUP",
	[PT_PIP] = "PIP",           [PT_MODE_EXEC] = "MODE.Exec",
	[PT_MODE_TSX] = "MODE.TSX", [PT_TRACESTOP] = "TraceSTOP",
	[PT_CBR] = "CBR",           [PT_TSC] = "TSC",
	[PT_MTC] = "MTC",           [PT_TMA] = "TMA",
	[PT_CYC] = "CYC",           [PT_VMCS] = "VMCS",
	[PT_OVF] = "OVF",           [PT_PSB] = "PSB",
	[PT_PSBEND] = "PSBEND",     [PT_MNT] = "MNT",
	[PT_PTWRITE] = "PTWRITE",   [PT_EXSTOP] = "EXSTOP",
	[PT_MWAIT] = "MWAIT",       [PT_PWRE] = "PWRE",
	[PT_PWRX] = "PWRX",         [PT_BBP] = "BBP",
	[PT_BIP] = "BIP",           [PT_BEP] = "BEP",
	[PT_CFE] = "CFE",           [PT_EVD] = "EVD",
};

static void put_branches(const struct pt_packet *p, struct strbuf *out)
{
	strbuf_addch(out, ' ');
	for (u32 i = p->count; i--;)
		strbuf_addch(out, p->payload >> i & 1 ? 'T' : 'N');
	strbuf_addf(out, " (%u)", p->count);
}

static void put_ip(const struct pt_packet *p, struct strbuf *out)
{
	if (p->count)
		strbuf_addf(out, " 0x%" PRIx64, p->payload);
	else
		strbuf_addstr(out, " no ip");
}

/* The lowest bits of a mode are the flags CS.L and CS.D of the code segment, then IF. */
static void put_mode(const struct pt_packet *p, struct strbuf *out)
{
	static const int bits[] = { 16, 64, 32 };

	if (p->kind == PT_MODE_EXEC)
		strbuf_addf(out, " IF:%u %d", (u32)(p->payload >> 2 & 1), bits[p->payload & 3]);
	else
		strbuf_addf(out, " TXAbort:%u InTX:%u", (u32)(p->payload >> 1 & 1),
			    (u32)(p->payload & 1));
}

/* Append what a packet says of the states of power: they count from 0, names of users from 1. */
static void put_power(const struct pt_packet *p, struct strbuf *out)
{
	u64 v = p->payload;

	strbuf_addf(out, " 0x%" PRIx64, v);
	if (p->kind == PT_MWAIT)
		strbuf_addf(out, " Hints 0x%x Extensions 0x%x", (u32)v & 0xff, (u32)(v >> 32) & 3);
	else if (p->kind == PT_PWRE)
		strbuf_addf(out, " HW:%u CState:%u Sub-CState:%u", (u32)v >> 7 & 1,
			    (u32)v >> 12 & 15, (u32)v >> 8 & 15);
	else
		strbuf_addf(out, " Last CState:%u Deepest CState:%u Wake Reason 0x%x",
			    (u32)v >> 4 & 15, (u32)v & 15, (u32)v >> 8 & 15);
}

static void put_block(const struct pt_packet *p, struct strbuf *out)
{
	if (p->kind == PT_BBP)
		strbuf_addf(out, " SZ %u-byte Type 0x%" PRIx64, p->count, p->payload);
	else
		strbuf_addf(out, " ID 0x%02x Value 0x%" PRIx64, p->count, p->payload);
}

static void put_event(const struct pt_packet *p, struct strbuf *out)
{
	if (p->kind == PT_CFE)
		strbuf_addf(out, " IP:%d Type 0x%02x Vector 0x%" PRIx64, p->ip, p->count,
			    p->payload);
	else
		strbuf_addf(out, " Type 0x%02x Payload 0x%" PRIx64, p->count, p->payload);
}

void pt_packet_text(const struct pt_packet *p, struct strbuf *out)
{
	strbuf_addstr(out, names[p->kind]);
	switch (p->kind) {
	case PT_TNT:
		put_branches(p, out);
		break;
	case PT_TIP:
	case PT_TIP_PGE:
	case PT_TIP_PGD:
	case PT_FUP:
		put_ip(p, out);
		break;
	case PT_PIP:
		strbuf_addf(out, " 0x%" PRIx64 " (NR=%u)", p->payload >> 1, (u32)(p->payload & 1));
		break;
	case PT_MODE_EXEC:
	case PT_MODE_TSX:
		put_mode(p, out);
		break;
	case PT_CBR:
	case PT_TSC:
	case PT_MTC:
	case PT_CYC:
	case PT_VMCS:
	case PT_MNT:
		strbuf_addf(out, " 0x%" PRIx64, p->payload);
		break;
	case PT_TMA:
		strbuf_addf(out, " CTC 0x%" PRIx64 " FC 0x%x", p->payload, p->count);
		break;
	case PT_PTWRITE:
		strbuf_addf(out, " 0x%" PRIx64 " IP:%d", p->payload, p->ip);
		break;
	case PT_EXSTOP:
	case PT_BEP:
		strbuf_addf(out, " IP:%d", p->ip);
		break;
	case PT_MWAIT:
	case PT_PWRE:
	case PT_PWRX:
		put_power(p, out);
		break;
	case PT_BBP:
	case PT_BIP:
		put_block(p, out);
		break;
	case PT_CFE:
	case PT_EVD:
		put_event(p, out);
		break;
	default:
		break;
	}
}
