/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This engine follows the guests of KVM: how often each is left, why, and how long the host then
 * works for it, until it is entered again:
 *
 *	kvm_entry ---- the guest runs ---- kvm_exit ---- handled ---- kvm_entry
 *
 * Accesses to devices, ports and MSRs are followed in the same way. The events of x86, arm64, s390,
 * powerpc, riscv and loongarch are told apart by the fields that they have in the recording, so any
 * machine reads recordings of all of them. Memory grows with the number of threads and rows.
 */
#ifndef PERF_KVM_KVM_H
#define PERF_KVM_KVM_H

#include "analyze/engine.h"
#include "kvm/reasons.h"

/* One of these is followed. */
enum kvm_what { KVM_EXITS, KVM_MMIOS, KVM_IOPORTS, KVM_MSRS, KVM_HCALLS, KVM_WHATS };

/* These are sums over what has the same key, in ns. */
struct kvm_row {
	enum kvm_space space;
	u64 number; /* reason, address, port or MSR */
	bool write; /* of KVM_MMIO, KVM_IOPORT and KVM_MSR */
	u64 count, total, min, max;
	double mean, squares; /* squares: the sum of squared distances to the mean */
};

/** kvm_row_deviation - return the standard error of the mean, in percent of the mean. */
double kvm_row_deviation(const struct kvm_row *row);

/* The host has handled something for a guest. */
struct kvm_span {
	const struct kvm_row *row;
	u32 vcpu; /* UINT32_MAX: the recording does not tell */
	u32 pid;
	u64 start, end; /* ns */
};

/* So many events lack their counterpart. */
struct kvm_missing {
	u64 unended; /* begins without an end */
	u64 torn;    /* spans during which events were lost */
	u64 early;   /* begins before the first entry of their thread, whose vcpu is unknown */
};

struct kvm_conf {
	enum kvm_what what;
	const char *machine; /* the recorded one, as uname names it; NULL: unknown; borrowed */
	bool one_vcpu;       /* only @vcpu counts */
	u32 vcpu;
	/* A span has ended, by the event @in; may be NULL. */
	void (*span)(void *ctx, const struct kvm_span *span, const struct engine_input *in);
	/* Tell whether events of a process are wanted; may be NULL. */
	bool (*wanted)(void *ctx, const struct engine_input *in);
	void *ctx;
};

struct kvm;

/** kvm_engine - return the engine, whose state is a struct kvm. @name: of it in messages */
struct engine kvm_engine(const char *name, enum kvm_what what);

/** kvm_new - prepare; kvm_free() frees the state. @conf: copied */
struct kvm *kvm_new(const struct kvm_conf *conf);
void kvm_free(struct kvm *k);

/** kvm_rows - return the rows in the order in which they appeared. @nr: their number */
const struct kvm_row *kvm_rows(const struct kvm *k, size_t *nr);
/** kvm_forget_rows - start all sums anew; what is open stays so. */
void kvm_forget_rows(struct kvm *k);
/** kvm_missing - return the counts of what had no counterpart. */
struct kvm_missing kvm_missing(const struct kvm *k);
/** kvm_has_entries - tell whether the recording has events of entries, without which no exit has an
 * end. */
bool kvm_has_entries(const struct kvm *k);
/** kvm_hides_vcpus - tell whether guests were entered and no event named the vcpu. */
bool kvm_hides_vcpus(const struct kvm *k);
/**
 * kvm_name - return the name of a row's number, by the tables (kvm_reason_name()) or else by the
 * print formats of the recording, which know newer reasons. It lives as long as the state.
 * Return: NULL when there is none.
 */
const char *kvm_name(const struct kvm *k, const struct kvm_row *row);

#endif
