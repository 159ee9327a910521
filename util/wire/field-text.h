/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single fields of a sample as text: what a memory access met, registers, page sizes, flags of
 * branches. Meaning of the bits: linux/perf_event.h.
 */
#ifndef PERF_WIRE_FIELD_TEXT_H
#define PERF_WIRE_FIELD_TEXT_H

#include "base/strbuf.h"
#include "wire/event.h"
#include "arch/arch.h"

/* Longer descriptions of a data source are cut to this. */
#define DATA_SRC_TEXT_MAX 82

/** data_src_text - "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" of a
 * PERF_SAMPLE_DATA_SRC. */
void data_src_text(u64 data_src, struct strbuf *out);

/** regs_text - " ABI:2    AX:0x1    BX:0x0 "; nothing when no registers were taken. */
void regs_text(const struct wire_regs *regs, const struct arch *arch, struct strbuf *out);

/** branch_type - "COND", "CALL", ...: what kind of branch the third word of an entry tells; "" when
 * it does not. */
const char *branch_type(u64 flags);
/** branch_flags_text - "/P/-/-/12/COND " of the third word of an entry of a branch stack. */
void branch_flags_text(u64 flags, struct strbuf *out);

/** bpf_output_text - bytes that a BPF program sent: eight per line, with their text. */
void bpf_output_text(const u8 *raw, u32 size, struct strbuf *out);

/** misc_text - "K     ": letters of the misc bits of a record of that type, in six columns. */
void misc_text(u32 type, u16 misc, struct strbuf *out);

#endif
