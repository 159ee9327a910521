/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call frame information: sections .eh_frame (Linux Standard Base, "Exception Frames") and
 * .debug_frame (DWARF 5, 6.4). The bytes come from files that may be damaged: whatever is wrong
 * with them costs the frames that it describes, and no more.
 */
#ifndef PERF_UNWIND_CFI_H
#define PERF_UNWIND_CFI_H

#include "unwind/rules.h"

struct cfi_section {
	const u8 *bytes; /* borrowed; rules refer to them */
	size_t size;
	u64 addr; /* of the section in its object */
	u64 text; /* address of .text, and of .got, which some encodings refer to; 0: unknown */
	u64 data;
	bool debug; /* it is a .debug_frame */
	bool wide;  /* addresses have 8 bytes, otherwise 4 */
	bool swap;  /* it is of the other byte order */
};

/* A frame description entry: the rules of one range of code. */
struct cfi_fde {
	u64 start, end; /* addresses in the object; end is exclusive */
	size_t next;    /* offset of what follows in the section */
	/* private: what the CIE says, and the instructions of both */
	u64 code_align;
	s64 data_align;
	u8 ra;
	u8 encoding; /* of pointers, DW_EH_PE_* */
	bool signal, pauth_b;
	struct unw_expr initial, own;
};

/**
 * cfi_entry - read the entry at an offset.
 * Return: 1 when it is an FDE; 0 when it is something else and fde->next follows it; or a negative
 * errno: what follows cannot be found, -ENOENT at the end of the section.
 */
int cfi_entry(const struct cfi_section *s, size_t offset, struct cfi_fde *fde);

/**
 * cfi_rules - run the instructions of @fde up to an address.
 * @pc: within the range of @fde
 * @out: valid says whether the instructions made sense
 */
void cfi_rules(const struct cfi_section *s, const struct cfi_fde *fde, u64 pc,
	       struct unw_rules *out);

#endif
