// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "wire/field-text.h"
#include "wire/data-src.h"

/* ---- data sources ---- */

void data_src_text(u64 src, struct strbuf *out)
{
	size_t at = out->len;

	strbuf_addstr(out, "|OP ");
	data_src_op(src, out);
	strbuf_addstr(out, "|LVL ");
	data_src_level(src, out);
	strbuf_addstr(out, "|SNP ");
	data_src_snoop(src, out);
	strbuf_addstr(out, "|TLB ");
	data_src_tlb(src, out);
	strbuf_addstr(out, "|LCK ");
	data_src_lock(src, out);
	strbuf_addstr(out, "|BLK ");
	data_src_blocked(src, out);
	if (out->len > at + DATA_SRC_TEXT_MAX) {
		out->len = at + DATA_SRC_TEXT_MAX;
		out->buf[out->len] = 0;
	}
}

/* ---- the others ---- */

void regs_text(const struct wire_regs *regs, const struct arch *arch, struct strbuf *out)
{
	u32 bit, k = 0;

	if (!regs->regs || !regs->mask)
		return;
	strbuf_addstr(out, " ABI:");
	strbuf_dec(out, regs->abi, 0);
	strbuf_addch(out, ' ');
	for (bit = 0; bit < 64; bit++) {
		const char *name;
		size_t len;

		if (!(regs->mask >> bit & 1))
			continue;
		name = arch_reg_name(arch, bit);
		len = strlen(name);
		strbuf_pad(out, out->len + (len < 5 ? 5 - len : 0));
		strbuf_add(out, name, len);
		strbuf_addstr(out, ":0x");
		strbuf_hex(out, regs->regs[k++], 1, 0);
		strbuf_addch(out, ' ');
	}
}

/* Newer kinds are in a separate field. */
const char *branch_type(u64 flags)
{
	static const char *const types[16] = {
		"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX", NULL,
	};
	static const char *const later[16] = {
		"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
		"ARCH_2",     "ARCH_3",     "ARCH_4",     "ARCH_5",
	};
	const char *name = types[flags >> 20 & 15];

	if (!name)
		name = later[flags >> 26 & 15];
	return name ? name : "";
}

void branch_flags_text(u64 flags, struct strbuf *out)
{
	char text[] = "/-/-/-/";

	text[1] = flags & 2 ? 'P' : flags & 1 ? 'M' : '-';
	text[3] = flags & 4 ? 'X' : '-';
	text[5] = flags & 8 ? 'A' : '-';
	strbuf_add(out, text, 7);
	strbuf_dec(out, flags >> 4 & 0xffff, 0);
	strbuf_addch(out, '/');
	strbuf_addstr(out, branch_type(flags));
	strbuf_addch(out, ' ');
}

/* Return the letters of the upper bits, whose meaning depends on the record. */
static const char *misc_of_type(u32 type, u16 misc)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return misc & PERF_RECORD_MISC_MMAP_DATA ? "M" : "";
	case PERF_RECORD_COMM:
		return misc & PERF_RECORD_MISC_COMM_EXEC ? "E" : "";
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!(misc & PERF_RECORD_MISC_SWITCH_OUT))
			return "";
		return misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S";
	default:
		return "";
	}
}

void misc_text(u32 type, u16 misc, struct strbuf *out)
{
	static const struct {
		u16 bits;
		char letter;
	} modes[] = {
		{ PERF_RECORD_MISC_KERNEL, 'K' },     { PERF_RECORD_MISC_USER, 'U' },
		{ PERF_RECORD_MISC_HYPERVISOR, 'H' }, { PERF_RECORD_MISC_GUEST_KERNEL, 'G' },
		{ PERF_RECORD_MISC_GUEST_USER, 'g' },
	};
	size_t at = out->len, i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if ((misc & modes[i].bits) == modes[i].bits)
			strbuf_addch(out, modes[i].letter);
	strbuf_addstr(out, misc_of_type(type, misc));
	strbuf_pad(out, at + 6);
}

void bpf_output_text(const u8 *raw, u32 size, struct strbuf *out)
{
	u32 i, j;

	/* perf 6.1 begins and ends an empty line here */
	if (!size)
		strbuf_addch(out, '\n');
	for (i = 0; raw && i < size; i += 8) {
		strbuf_addf(out, "%s%04x:", i ? "\n               " : "  BPF output: ", i);
		for (j = i; j < i + 8; j++) {
			if (j < size)
				strbuf_addf(out, " %02x", raw[j]);
			else
				strbuf_add(out, "   ", 3);
		}
		strbuf_add(out, "  ", 2);
		for (j = i; j < i + 8 && j < size; j++)
			strbuf_addch(out, raw[j] >= 0x20 && raw[j] < 0x7f ? (char)raw[j] : '.');
	}
}
