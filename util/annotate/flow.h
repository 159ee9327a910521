/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jump or call that the text of an instruction describes. */
#ifndef PERF_ANNOTATE_FLOW_H
#define PERF_ANNOTATE_FLOW_H

#include "arch/arch.h"

/* The flow of an instruction. */
struct flow {
	int kind; /* enum annotate_flow */
	bool has_target;
	u64 target;
	size_t at, len; /* where the target stands in the text, with "#" and "0x" */
};

/**
 * flow_of - read the flow of an instruction from its text, as capstone or objdump writes it.
 * @code: the instruction set; of those that are not known nothing jumps
 */
struct flow flow_of(enum arch_code code, const char *text);
/** flow_data - find an address that an instruction of x86 names relative to itself, as in
 * "0x2f93(%rip)" or "[rip + 0x2f93]". Return: whether there is one; @offset: from the next
 * instruction */
bool flow_data(const char *text, s64 *offset);

#endif
