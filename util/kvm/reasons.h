/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why guests are left: the numbers that kernels record, and their names. The numbers are those of
 * the processors' manuals and of the kernel's interface to programs (asm/vmx.h, asm/svm.h,
 * asm/sie.h); the names are those that the kernel and perf print.
 */
#ifndef PERF_KVM_REASONS_H
#define PERF_KVM_REASONS_H

#include "base/compat.h"

/* A number means something else in each of these spaces. */
enum kvm_space {
	KVM_UNNAMED, /* of a machine without a table */
	KVM_VMX,
	KVM_SVM,
	KVM_ARM64,      /* why the hypervisor's code returned */
	KVM_ARM64_TRAP, /* the class of an exception of the guest */
	KVM_S390,       /* interception codes, and what several of them are about: */
	KVM_S390_INSTRUCTION,
	KVM_S390_SIGP,
	KVM_S390_DIAG,
	KVM_S390_PROGRAM,
	KVM_POWERPC,
	KVM_POWERPC_HCALL,
	KVM_RISCV,
	KVM_RISCV_IRQ,
	KVM_LOONGARCH,
	KVM_MMIO, /* guest-physical addresses; this and the following ones have no names */
	KVM_IOPORT,
	KVM_MSR,
	KVM_SPACES
};

/* Traps of arm64 have this reason, and a class. */
#define KVM_ARM64_IS_TRAP 2
/* Exits of LoongArch guests for privileged instructions have this reason. */
#define KVM_LOONGARCH_PRIVILEGED 22

/** kvm_reason_name - return the name of a number; NULL: there is none. */
const char *kvm_reason_name(enum kvm_space space, u64 number);
/** kvm_reason_is_idle - tell whether the guest is left because it has nothing to do. */
bool kvm_reason_is_idle(enum kvm_space space, u64 number);
/** kvm_s390_instruction - return the number of an intercepted instruction, whose first byte is the
 * highest one. */
u64 kvm_s390_instruction(u64 code);
/** kvm_loongarch_instruction - return the number of the kind of a privileged instruction. */
u64 kvm_loongarch_instruction(u32 code);

#endif
