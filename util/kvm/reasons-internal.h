/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each space of numbers has a table of names. */
#ifndef PERF_KVM_REASONS_INTERNAL_H
#define PERF_KVM_REASONS_INTERNAL_H

#include "kvm/reasons.h"

struct reason {
	u32 number;
	const char *name;
};

/* A table is sorted by its numbers. */
struct reasons {
	const struct reason *v;
	size_t nr;
};

#define REASONS(table)                                                                             \
	{                                                                                          \
		(table), ARRAY_SIZE(table)                                                         \
	}

extern const struct reasons kvm_reasons_vmx;
extern const struct reasons kvm_reasons_svm;
extern const struct reasons kvm_reasons_arm64;
extern const struct reasons kvm_reasons_arm64_trap;
extern const struct reasons kvm_reasons_s390;
extern const struct reasons kvm_reasons_s390_instruction;
extern const struct reasons kvm_reasons_s390_sigp;
extern const struct reasons kvm_reasons_s390_diag;
extern const struct reasons kvm_reasons_s390_program;
extern const struct reasons kvm_reasons_powerpc;
extern const struct reasons kvm_reasons_powerpc_hcall;
extern const struct reasons kvm_reasons_riscv;
extern const struct reasons kvm_reasons_riscv_irq;
extern const struct reasons kvm_reasons_loongarch;

#endif
