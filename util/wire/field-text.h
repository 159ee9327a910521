/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single fields of a sample as text: the source of data, registers, and the flags of branches. The
 * meaning of the bits is that of linux/perf_event.h.
 */
#ifndef PERF_WIRE_FIELD_TEXT_H
#define PERF_WIRE_FIELD_TEXT_H

#include "base/strbuf.h"
#include "wire/event.h"
#include "arch/arch.h"

/* Descriptions of a data source are cut to this length. */
#define DATA_SRC_TEXT_MAX 82

/**
 * data_src_text - append a PERF_SAMPLE_DATA_SRC as "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2
 * hit|LCK No|BLK  N/A".
 */
void data_src_text(u64 data_src, struct strbuf *out);

/**
 * regs_text - append registers as " ABI:2    AX:0x1    BX:0x0 ", or nothing when none were sampled.
 */
void regs_text(const struct wire_regs *regs, const struct arch *arch, struct strbuf *out);

/**
 * branch_type - return the kind of a branch, such as "COND" or "CALL", from the third word of its
 * entry; "" when the word does not tell.
 */
const char *branch_type(u64 flags);
/** branch_flags_text - append the third word of a branch-stack entry as "/P/-/-/12/COND ". */
void branch_flags_text(u64 flags, struct strbuf *out);

/**
 * bpf_output_text - append the bytes that a BPF program sent, eight in a line, in hex and as
 * characters.
 */
void bpf_output_text(const u8 *raw, u32 size, struct strbuf *out);

/** misc_text - append the misc bits of a record of @type as letters in six columns: "K     ". */
void misc_text(u32 type, u16 misc, struct strbuf *out);

#endif
