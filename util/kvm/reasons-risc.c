// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kvm/reasons-internal.h"

/* The hypervisor's code of arm64 returns with these. */
static const struct reason arm64[] = {
	{ 0, "IRQ" },
	{ 1, "SERROR" },
	{ 2, "TRAP" },
	{ 3, "ILLEGAL" },
};

/* These are the classes of exceptions in ESR_EL2.EC. */
static const struct reason arm64_traps[] = {
	{ 0x0, "UNKNOWN" },      { 0x1, "WFx" },          { 0x3, "CP15_32" },
	{ 0x4, "CP15_64" },      { 0x5, "CP14_MR" },      { 0x6, "CP14_LS" },
	{ 0x7, "FP_ASIMD" },     { 0x8, "CP10_ID" },      { 0x9, "PAC" },
	{ 0xc, "CP14_64" },      { 0x11, "SVC32" },       { 0x12, "HVC32" },
	{ 0x13, "SMC32" },       { 0x15, "SVC64" },       { 0x16, "HVC64" },
	{ 0x17, "SMC64" },       { 0x18, "SYS64" },       { 0x19, "SVE" },
	{ 0x1a, "ERET" },        { 0x1c, "FPAC" },        { 0x1d, "SME" },
	{ 0x1f, "IMP_DEF" },     { 0x20, "IABT_LOW" },    { 0x21, "IABT_CUR" },
	{ 0x22, "PC_ALIGN" },    { 0x24, "DABT_LOW" },    { 0x25, "DABT_CUR" },
	{ 0x26, "SP_ALIGN" },    { 0x28, "FP_EXC32" },    { 0x2c, "FP_EXC64" },
	{ 0x2f, "SERROR" },      { 0x30, "BREAKPT_LOW" }, { 0x31, "BREAKPT_CUR" },
	{ 0x32, "SOFTSTP_LOW" }, { 0x33, "SOFTSTP_CUR" }, { 0x34, "WATCHPT_LOW" },
	{ 0x35, "WATCHPT_CUR" }, { 0x38, "BKPT32" },      { 0x3a, "VECTOR32" },
	{ 0x3c, "BRK64" },
};

/* A guest of a powerpc is left through these vectors. */
static const struct reason powerpc[] = {
	{ 0x0, "RETURN_TO_HOST" },  { 0x100, "SYSTEM_RESET" },   { 0x200, "MACHINE_CHECK" },
	{ 0x300, "DATA_STORAGE" },  { 0x380, "DATA_SEGMENT" },   { 0x400, "INST_STORAGE" },
	{ 0x480, "INST_SEGMENT" },  { 0x500, "EXTERNAL" },       { 0x502, "EXTERNAL_HV" },
	{ 0x600, "ALIGNMENT" },     { 0x700, "PROGRAM" },        { 0x800, "FP_UNAVAIL" },
	{ 0x900, "DECREMENTER" },   { 0x980, "HV_DECREMENTER" }, { 0xc00, "SYSCALL" },
	{ 0xd00, "TRACE" },         { 0xe00, "H_DATA_STORAGE" }, { 0xe20, "H_INST_STORAGE" },
	{ 0xe40, "H_EMUL_ASSIST" }, { 0xf00, "PERFMON" },        { 0xf20, "ALTIVEC" },
	{ 0xf40, "VSX" },
};

/* These are the hypercalls of the PAPR. */
static const struct reason hcalls[] = {
	{ 0x4, "H_REMOVE" },
	{ 0x8, "H_ENTER" },
	{ 0xc, "H_READ" },
	{ 0x10, "H_CLEAR_MOD" },
	{ 0x14, "H_CLEAR_REF" },
	{ 0x18, "H_PROTECT" },
	{ 0x1c, "H_GET_TCE" },
	{ 0x20, "H_PUT_TCE" },
	{ 0x24, "H_SET_SPRG0" },
	{ 0x28, "H_SET_DABR" },
	{ 0x2c, "H_PAGE_INIT" },
	{ 0x30, "H_SET_ASR" },
	{ 0x34, "H_ASR_ON" },
	{ 0x38, "H_ASR_OFF" },
	{ 0x3c, "H_LOGICAL_CI_LOAD" },
	{ 0x40, "H_LOGICAL_CI_STORE" },
	{ 0x44, "H_LOGICAL_CACHE_LOAD" },
	{ 0x48, "H_LOGICAL_CACHE_STORE" },
	{ 0x4c, "H_LOGICAL_ICBI" },
	{ 0x50, "H_LOGICAL_DCBF" },
	{ 0x54, "H_GET_TERM_CHAR" },
	{ 0x58, "H_PUT_TERM_CHAR" },
	{ 0x5c, "H_REAL_TO_LOGICAL" },
	{ 0x60, "H_HYPERVISOR_DATA" },
	{ 0x64, "H_EOI" },
	{ 0x68, "H_CPPR" },
	{ 0x6c, "H_IPI" },
	{ 0x70, "H_IPOLL" },
	{ 0x74, "H_XIRR" },
	{ 0x7c, "H_PERFMON" },
	{ 0xdc, "H_REGISTER_VPA" },
	{ 0xe0, "H_CEDE" },
	{ 0xe4, "H_CONFER" },
	{ 0xe8, "H_PROD" },
	{ 0xec, "H_GET_PPP" },
	{ 0xf0, "H_SET_PPP" },
	{ 0xf4, "H_PURR" },
	{ 0xf8, "H_PIC" },
	{ 0xfc, "H_REG_CRQ" },
	{ 0x100, "H_FREE_CRQ" },
	{ 0x104, "H_VIO_SIGNAL" },
	{ 0x108, "H_SEND_CRQ" },
	{ 0x110, "H_COPY_RDMA" },
	{ 0x124, "H_BULK_REMOVE" },
	{ 0x134, "H_SET_XDABR" },
	{ 0x138, "H_PUT_TCE_INDIRECT" },
	{ 0x13c, "H_STUFF_TCE" },
	{ 0x2ec, "H_HOME_NODE_ASSOCIATIVITY" },
	{ 0x2fc, "H_XIRR_X" },
	{ 0x300, "H_RANDOM" },
	{ 0x304, "H_COP" },
	{ 0x314, "H_GET_MPP_X" },
	{ 0x31c, "H_SET_MODE" },
};

/* These are the exceptions of scause, and its interrupts. */
static const struct reason riscv[] = {
	{ 0, "EXC_INST_MISALIGNED" },
	{ 1, "EXC_INST_ACCESS" },
	{ 2, "EXC_INST_ILLEGAL" },
	{ 3, "EXC_BREAKPOINT" },
	{ 4, "EXC_LOAD_MISALIGNED" },
	{ 5, "EXC_LOAD_ACCESS" },
	{ 6, "EXC_STORE_MISALIGNED" },
	{ 7, "EXC_STORE_ACCESS" },
	{ 8, "EXC_SYSCALL" },
	{ 9, "EXC_HYPERVISOR_SYSCALL" },
	{ 10, "EXC_SUPERVISOR_SYSCALL" },
	{ 12, "EXC_INST_PAGE_FAULT" },
	{ 13, "EXC_LOAD_PAGE_FAULT" },
	{ 15, "EXC_STORE_PAGE_FAULT" },
	{ 20, "EXC_INST_GUEST_PAGE_FAULT" },
	{ 21, "EXC_LOAD_GUEST_PAGE_FAULT" },
	{ 22, "EXC_VIRTUAL_INST_FAULT" },
	{ 23, "EXC_STORE_GUEST_PAGE_FAULT" },
};

static const struct reason riscv_irqs[] = {
	{ 1, "IRQ_S_SOFT" },   { 2, "IRQ_VS_SOFT" }, { 3, "IRQ_M_SOFT" },   { 5, "IRQ_S_TIMER" },
	{ 6, "IRQ_VS_TIMER" }, { 7, "IRQ_M_TIMER" }, { 9, "IRQ_S_EXT" },    { 10, "IRQ_VS_EXT" },
	{ 11, "IRQ_M_EXT" },   { 12, "IRQ_S_GEXT" }, { 13, "IRQ_PMU_OVF" },
};

/* These are exception codes of LoongArch; from 0x100 on, kinds of privileged instructions. */
static const struct reason loongarch[] = {
	{ 0x0, "Interrupt" },  { 0x1, "Mem Read" },      { 0x2, "Mem Store" },
	{ 0x3, "Inst Fetch" }, { 0x4, "Mem Modify" },    { 0xf, "FPU" },
	{ 0x10, "LSX" },       { 0x11, "LASX" },         { 0x16, "Privilege Error" },
	{ 0x17, "Hypercall" }, { 0x18, "CSR Modified" }, { 0x100, "CPUCFG" },
	{ 0x101, "CSR" },      { 0x102, "IOCSR" },       { 0x103, "Idle" },
	{ 0x104, "Others" },
};

const struct reasons kvm_reasons_arm64 = REASONS(arm64);
const struct reasons kvm_reasons_arm64_trap = REASONS(arm64_traps);
const struct reasons kvm_reasons_powerpc = REASONS(powerpc);
const struct reasons kvm_reasons_powerpc_hcall = REASONS(hcalls);
const struct reasons kvm_reasons_riscv = REASONS(riscv);
const struct reasons kvm_reasons_riscv_irq = REASONS(riscv_irqs);
const struct reasons kvm_reasons_loongarch = REASONS(loongarch);
