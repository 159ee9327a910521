// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kvm/reasons-internal.h"

#include "base/bisect.h"

/* Privileged instructions of LoongArch have these numbers, behind all exception codes. */
enum { LOONGARCH_CPUCFG = 0x100, LOONGARCH_CSR, LOONGARCH_IOCSR, LOONGARCH_IDLE, LOONGARCH_OTHER };

static const struct reasons *const tables[KVM_SPACES] = {
	[KVM_VMX] = &kvm_reasons_vmx,
	[KVM_SVM] = &kvm_reasons_svm,
	[KVM_ARM64] = &kvm_reasons_arm64,
	[KVM_ARM64_TRAP] = &kvm_reasons_arm64_trap,
	[KVM_S390] = &kvm_reasons_s390,
	[KVM_S390_INSTRUCTION] = &kvm_reasons_s390_instruction,
	[KVM_S390_SIGP] = &kvm_reasons_s390_sigp,
	[KVM_S390_DIAG] = &kvm_reasons_s390_diag,
	[KVM_S390_PROGRAM] = &kvm_reasons_s390_program,
	[KVM_POWERPC] = &kvm_reasons_powerpc,
	[KVM_POWERPC_HCALL] = &kvm_reasons_powerpc_hcall,
	[KVM_RISCV] = &kvm_reasons_riscv,
	[KVM_RISCV_IRQ] = &kvm_reasons_riscv_irq,
	[KVM_LOONGARCH] = &kvm_reasons_loongarch,
};

const char *kvm_reason_name(enum kvm_space space, u64 number)
{
	const struct reasons *t = tables[space];
	size_t at;

	if (!t)
		return NULL;
	at = FIRST_FROM(t->v, t->nr, number, number);
	return at < t->nr && t->v[at].number == number ? t->v[at].name : NULL;
}

bool kvm_reason_is_idle(enum kvm_space space, u64 number)
{
	static const u32 idle[KVM_SPACES] = {
		[KVM_VMX] = 12,    [KVM_SVM] = 0x78,           [KVM_ARM64_TRAP] = 1,
		[KVM_S390] = 0x1c, [KVM_POWERPC_HCALL] = 0xe0, [KVM_LOONGARCH] = LOONGARCH_IDLE,
	};

	return idle[space] && idle[space] == number;
}

u64 kvm_s390_instruction(u64 code)
{
	/* After these first bytes the instruction has a second part of its number. */
	static const struct {
		u8 first, shift, mask;
	} longer[] = {
		{ 0x01, 48, 0xff }, { 0xaa, 48, 0x0f }, { 0xb2, 48, 0xff }, { 0xb9, 48, 0xff },
		{ 0xe3, 48, 0xff }, { 0xe5, 48, 0xff }, { 0xeb, 16, 0xff }, { 0xc8, 48, 0x0f },
	};
	u64 first = code >> 56;

	for (size_t i = 0; i < ARRAY_SIZE(longer); i++)
		if (longer[i].first == first)
			return first << 8 | (code >> longer[i].shift & longer[i].mask);
	return first;
}

u64 kvm_loongarch_instruction(u32 code)
{
	if (code >> 10 == 0x1b)
		return LOONGARCH_CPUCFG;
	if (code >> 24 == 0x04)
		return LOONGARCH_CSR;
	if (code >> 15 == 0xc90)
		return LOONGARCH_IOCSR;
	return code >> 15 == 0xc91 ? LOONGARCH_IDLE : LOONGARCH_OTHER;
}
