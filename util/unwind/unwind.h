/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user stacks of samples that hold registers and a copy of the stack (record --call-graph
 * dwarf). Each frame's rules come from the tables of its object (unwind/object.h), are looked up
 * once for each address and thread of this program, and are applied to the copy.
 */
#ifndef PERF_UNWIND_UNWIND_H
#define PERF_UNWIND_UNWIND_H

#include "base/hash.h"
#include "base/notice.h"
#include "machine/machine.h"
#include "symbol/symbol.h"
#include "unwind/style.h"

struct unwinder;
struct unw_backend;
struct unw_place;

/* The ends of stacks whose last frame is in one object, in samples. */
struct unwind_ends {
	u64 absent;    /* the object was not found */
	u64 no_tables; /* the object has no unwind tables, or none for that code */
	u64 lost;      /* the tables ask for what is not known, or lead to where nothing is */
	u64 beyond;    /* the copied stack ends there */
	u64 elsewhere; /* the caller is on another stack, as that of a signal handler may be */
};

/* The results of unwinding, counted in samples. */
struct unwind_counts {
	u64 stacks;
	u64 root;                 /* stacks whose last frame is the start of a thread */
	u64 guessed;              /* stacks with frames that no table describes */
	u64 need;                 /* bytes of a copy that the neediest stack asked for next */
	struct unwind_ends *ends; /* owned; by id of the object, nr of them */
	size_t nr;
};

/* The state of one thread of the program; starts zeroed. */
struct unwind_thread {
	u64 *ips; /* owned: the last result */
	size_t nr, cap;
	bool unknown; /* it ends where nothing is mapped, or in an object that was not found */
	bool made;    /* it goes through code that was made at run time and has no tables */
	struct unwind_counts counts;
	/* private: what is known of addresses */
	struct unw_near *near;     /* owned */
	struct unw_place **places; /* owned, nr_places of them */
	size_t nr_places, cap_places;
	struct map64 by_place;
	/* private: who unwinds if not the tables */
	const struct unw_backend *backend;
	void *backend_state; /* owned; NULL: the tables do */
};

/**
 * unwinder_new - make an unwinder for a recording. unwinder_free() frees it.
 * @m (sealed, unless from a pipe) and @s are borrowed.
 * @arch: of the recording, as uname names it; NULL: this machine's
 * @swap: the recording is of the other byte order
 * @style: who unwinds; the tables do where that cannot (unwind_style_takes())
 * Return: NULL when stacks of that architecture cannot be unwound.
 */
struct unwinder *unwinder_new(const struct machine *m, struct symbols *s, const char *arch,
			      bool swap, enum unwind_style style);
/** unwinder_free - free it; @u may be NULL. */
void unwinder_free(struct unwinder *u);

/**
 * unwind_sample - unwind the user stack of a sample. The recorded chain up to its user part, a
 * PERF_CONTEXT_USER and the frames, innermost first, are in t->ips until the next call. Frames that
 * have called are at the address of the call's last byte, not at that behind it. Thread-safe.
 * @epoch: of the process at that time
 * Return: false when the sample has no registers or no copy of a stack, or when nothing is known of
 * the object that it was taken in: then the recorded chain is all there is.
 */
bool unwind_sample(struct unwinder *u, struct unwind_thread *t, u32 epoch, const struct sample *s);

/**
 * unwind_convert - unwind a sample and replace its registers and its copy of the stack, which are
 * then absent, by the chain, which is in t->ips.
 * @keep_regs: the registers were asked for and stay
 * Return: as unwind_sample(); then nothing was replaced.
 */
bool unwind_convert(struct unwinder *u, struct unwind_thread *t, u32 epoch, bool keep_regs,
		    struct sample *s);

/** unwind_thread_release - free what is in it. */
void unwind_thread_release(struct unwind_thread *t);

/** unwind_counts_merge - add what another thread counted. */
void unwind_counts_merge(struct unwind_counts *to, const struct unwind_counts *from);
/**
 * unwind_tell_beyond - tell which size of copies would have done, if that matters.
 * @mode: how stacks were recorded, as --call-graph has it
 */
void unwind_tell_beyond(const struct unwind_counts *c, const char *mode,
			const struct notices *sentences);
/** unwind_counts_release - free the contents. */
void unwind_counts_release(struct unwind_counts *c);

#endif
