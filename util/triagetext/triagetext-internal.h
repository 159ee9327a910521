/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_TRIAGETEXT_TRIAGETEXT_INTERNAL_H
#define PERF_TRIAGETEXT_TRIAGETEXT_INTERNAL_H

#include "triagetext/triagetext.h"

#include "block/names.h"
#include "block/sums.h"
#include "kwork/kwork.h"
#include "lock/futex.h"
#include "lock/lock.h"
#include "locktext/table.h"
#include "triage/states.h"
#include "triage/verdict.h"

/* ---- one pass over the recording ---- */

enum { PART_STATES, PART_LOCKS, PART_FUTEXES, PART_BLOCKS, PART_WORK, NR_PARTS };

struct triage_pass {
	struct analysis *a; /* borrowed */
	struct triage_states *states;
	struct lock *locks;
	struct lock_words words; /* of locks */
	struct lock_code code;
	bool placed; /* the bounds of code of locks were looked up */
	struct futex *futexes;
	struct block_flow *flow;
	struct block_sums blocks;
	struct kwork *work;
};

/** triage_pass_run - feed all engines. triage_pass_release() frees the pass, also after an error.
 * Return: 0, or a negative errno and a sentence. */
int triage_pass_run(struct triage_pass *p, struct analysis *a, struct err *err);
void triage_pass_release(struct triage_pass *p);

/* ---- functions of call chains ---- */

#define TRIAGE_FRAMES 48U /* so many of the kernel are looked at */

struct triage_frames {
	const char *kernel[TRIAGE_FRAMES]; /* innermost first; NULL: unknown */
	size_t nr;
	const char *leaf;   /* the function that ran; NULL: unknown */
	bool user;          /* the leaf is in a program */
	const char *object; /* of the leaf */
	const char *caller; /* the function of the program that the kernel works for */
};

/** triage_frames_of - name the functions of a chain of a thread. What is returned is borrowed. */
void triage_frames_of(struct triage_pass *p, const struct triage_thread *t, u32 chain,
		      struct triage_frames *out);

/* ---- facts ---- */

/** triage_facts_make - add up what the pass has found. triage_facts_release() frees the facts. */
void triage_facts_make(struct triage_pass *p, const struct triage_show *show,
		       struct triage_facts *f);
/** triage_evidence - fill in which locks, devices and interrupts the time was lost with. @of: the
 * number of the program of each thread, TRIAGE_NONE: of none */
void triage_evidence(struct triage_pass *p, struct triage_facts *f, const u32 *of, u32 nr);

/* It tells which threads are asked about. */
struct triage_targets;

/** triage_targets_new - find the command that was recorded, or the processes of @show. */
struct triage_targets *triage_targets_new(struct triage_pass *p, const struct triage_show *show);
void triage_targets_free(struct triage_targets *t);
/** triage_targets_has - tell whether a thread is among them. @id: its number */
bool triage_targets_has(struct triage_targets *t, u32 id);
/** triage_targets_all - tell whether the whole machine is asked about. */
bool triage_targets_all(const struct triage_targets *t);

/* ---- output ---- */

/* All that is shown. */
struct triage_result {
	const struct triage_show *show;
	const struct triage_facts *facts;
	const struct triage_judgement *judgement;
	const char *command; /* that was recorded; NULL: none */
	struct strbuf blind; /* lines on what the recording cannot tell */
};

/** triage_headline - append the first sentence. */
void triage_headline(const struct triage_result *r, struct strbuf *out);
/** triage_sentence - append what a verdict says. */
void triage_sentence(const struct triage_result *r, const struct triage_verdict *v,
		     struct strbuf *out);
/** triage_evidence_text - append what it rests on; nothing if there is nothing to add. */
void triage_evidence_text(const struct triage_result *r, const struct triage_verdict *v,
			  struct strbuf *out);
/** triage_deeper - append the command that tells more. */
void triage_deeper(const struct triage_result *r, const struct triage_verdict *v,
		   struct strbuf *out);
/** triage_put_text, triage_put_json, triage_put_page - append all. */
void triage_put_text(const struct triage_result *r, struct strbuf *out);
void triage_put_json(const struct triage_result *r, struct strbuf *out);
void triage_put_page(const struct triage_result *r, struct strbuf *out);
/** triage_blind - append a line for each kind of event that is missing: what cannot be told. */
void triage_blind(const struct triage_facts *f, bool rights, struct strbuf *out);

#endif
