/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's parts share these. */
#ifndef PERF_KVM_KVM_INTERNAL_H
#define PERF_KVM_KVM_INTERNAL_H

#include "kvm/kvm.h"

#include "analyze/reach.h"
#include "base/intern.h"

/* These are the numbers of events in the table of the engine. */
enum kvm_event {
	KVM_EXIT,
	KVM_ENTRY,
	KVM_ENTER, /* entries of loongarch */
	KVM_REENTER,
	KVM_MMIO_ACCESS,
	KVM_PORT_ACCESS,
	KVM_MSR_ACCESS,
	KVM_INSTRUCTION, /* this and the next tell more of an exit */
	KVM_SIGP,
	KVM_DIAG,
	KVM_PROGRAM,
	KVM_PRIVILEGED,
	KVM_HCALL_ENTER,
	KVM_HCALL_EXIT,
	KVM_EVENTS
};

/* ---- words of the recording ---- */

/* A print format names a number. */
struct kvm_word {
	enum kvm_space space;
	u64 number;
	u32 name; /* its number in the pool */
};

struct kvm_words {
	struct kvm_word *v; /* owned */
	size_t nr, cap;
	struct intern names;
};

/** kvm_words_read - add the words of an event's print format. A list of them belongs to the space
 * whose table has one of them, too. */
void kvm_words_read(struct kvm_words *w, const struct tf_event *format);
/** kvm_words_find - return the name of a number, or NULL. */
const char *kvm_words_find(const struct kvm_words *w, enum kvm_space space, u64 number);
void kvm_words_release(struct kvm_words *w);

/* ---- the state ---- */

/* Rows are told apart by this key, which has no padding. */
struct kvm_key {
	u64 number;
	u32 space, write;
};

/* This is known of a thread that runs a vcpu. */
struct kvm_thread {
	bool entered; /* it has entered a guest, so it is known which vcpu it runs */
	bool open;    /* something is being handled since @start */
	bool keyed;   /* it is known what */
	u32 vcpu;     /* UINT32_MAX: unknown */
	u32 cpu;      /* where it began */
	u64 start;
	struct kvm_key key;
};

struct kvm {
	struct kvm_conf conf;
	bool has_entries;          /* the recording has an event of entries */
	u32 reason;                /* the field of exits that has it */
	enum kvm_space space;      /* of these numbers */
	bool entries, tells_vcpus; /* guests were entered; that tells the vcpu */
	struct kvm_words words;
	struct intern threads, keys;
	struct kvm_thread *thread; /* owned; by the number of their tids */
	u32 nr_threads;
	size_t cap_threads;
	struct kvm_row *rows; /* owned; by the number of their keys */
	u32 nr_rows;
	size_t cap_rows;
	u64 *lost; /* owned; by CPU: before this time events of it were lost last */
	u32 nr_lost;
	size_t cap_lost;
	struct kvm_missing missing;
};

#endif
