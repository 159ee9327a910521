// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "triage/verdict.h"

#include "base/alloc.h"

#define MANY_SAMPLES 100
#define SOME_SAMPLES 20

void triage_facts_release(struct triage_facts *f)
{
	for (u32 i = 0; i < f->nr; i++) {
		free(f->v[i].name);
		for (u32 k = 0; k < TRIAGE_KINDS; k++) {
			free(f->v[i].cells[k].what);
			free(f->v[i].cells[k].whom);
		}
	}
	free(f->v);
	*f = (struct triage_facts){ 0 };
}

const char *triage_sure_name(enum triage_sure sure)
{
	static const char *const names[] = { "sure", "likely", "a guess" };

	return names[sure];
}

bool triage_sees(const struct triage_facts *f, enum triage_kind kind)
{
	const u32 waits = TRIAGE_HAS_SWITCHES | TRIAGE_HAS_CHAINS;
	const u32 kernel = TRIAGE_HAS_SAMPLES | TRIAGE_HAS_KERNEL;

	switch (kind) {
	case TRIAGE_USER:
		return f->has & TRIAGE_HAS_SAMPLES;
	case TRIAGE_SYSCALL:
	case TRIAGE_FAULT:
		return (f->has & kernel) == kernel;
	case TRIAGE_INTERRUPT:
		return f->has & TRIAGE_HAS_INTERRUPTS;
	case TRIAGE_QUEUE:
		return f->has & TRIAGE_HAS_SWITCHES;
	case TRIAGE_LOCK:
		return f->has & TRIAGE_HAS_LOCKS || (f->has & waits) == waits;
	default:
		return (f->has & waits) == waits;
	}
}

u64 triage_active(const struct triage_program *p)
{
	u64 passive = p->spare;

	for (u32 k = 0; k < TRIAGE_KINDS; k++)
		if (triage_kind_class(k) == TRIAGE_PASSIVE)
			passive += p->cells[k].ns;
	return passive < p->wall ? p->wall - passive : 0;
}

static bool from_samples(enum triage_kind kind)
{
	return kind == TRIAGE_USER || kind == TRIAGE_SYSCALL || kind == TRIAGE_FAULT;
}

static enum triage_sure how_sure(const struct triage_facts *f, enum triage_kind kind,
				 const struct triage_cell *c)
{
	if (kind == TRIAGE_OTHER)
		return TRIAGE_GUESS;
	if (from_samples(kind))
		return c->nr >= MANY_SAMPLES   ? TRIAGE_SURE
		       : c->nr >= SOME_SAMPLES ? TRIAGE_LIKELY
					       : TRIAGE_GUESS;
	if (f->torn)
		return TRIAGE_LIKELY;
	if (kind == TRIAGE_FUTEX && !(f->has & TRIAGE_HAS_FUTEXES))
		return TRIAGE_GUESS;
	return TRIAGE_SURE;
}

/* Tell whether the recording has waits without what they were for: most are of idle programs. */
static bool is_untold(const struct triage_facts *f, enum triage_kind kind)
{
	return kind == TRIAGE_OTHER && !(f->has & TRIAGE_HAS_CHAINS);
}

/* Tell whether a part of the time is worth a look. A command that mostly sleeps is worth it, while
 * idle programs of a machine are not. */
static bool matters(const struct triage_facts *f, enum triage_kind kind,
		    const struct triage_cell *c, u64 active)
{
	double part = (double)c->ns / (double)(f->span ?: 1);
	double own = active ? (double)c->ns / (double)active : 0;

	if (is_untold(f, kind))
		return false;
	/* A large part of a small program does not matter, nor does a small part of a large one. */
	if (part < TRIAGE_MATTERS || own < TRIAGE_MATTERS)
		return false;
	switch (triage_kind_class(kind)) {
	case TRIAGE_LOSS:
		return true;
	case TRIAGE_WORK:
		return kind == TRIAGE_USER ? (double)c->what_ns >= TRIAGE_HOT * (double)active &&
						     own >= TRIAGE_HOT
					   : own >= TRIAGE_HOT;
	default:
		return !f->all && own >= TRIAGE_MOST;
	}
}

/* Return the program that mostly waits for this one, of which it is a child. */
static u32 waiter_of(const struct triage_facts *f, u32 program, u64 ns)
{
	u32 parent = f->v[program].parent;

	if (parent == TRIAGE_NONE && f->v[program].processes > 1)
		parent = program; /* it has started itself once more */
	if (parent == TRIAGE_NONE || f->all)
		return TRIAGE_NONE;
	return f->v[parent].cells[TRIAGE_CHILD].ns >= ns / 2 ? parent : TRIAGE_NONE;
}

static double score_of(const struct triage_facts *f, const struct triage_verdict *v)
{
	enum triage_class class = triage_kind_class(v->kind);
	double score = (double)v->ns * (class == TRIAGE_WORK ? TRIAGE_WORK_WEIGHT : 1.0);

	/* What matters comes before all else; idle programs come last in a look at everything. */
	if (v->matters)
		return score * 1e6;
	return (class == TRIAGE_IDLE && f->all) || is_untold(f, v->kind) ? score * 1e-6 : score;
}

static void judge_cell(const struct triage_facts *f, u32 program, enum triage_kind kind,
		       struct triage_judgement *j)
{
	const struct triage_program *p = &f->v[program];
	const struct triage_cell *c = &p->cells[kind];
	u64 active = triage_active(p);
	struct triage_verdict v = {
		.kind = kind,
		.program = program,
		.waiter = waiter_of(f, program, c->ns),
		.ns = c->ns,
		.share = active ? (double)c->ns / (double)active : 1,
		.sure = how_sure(f, kind, c),
		.matters = matters(f, kind, c, active),
	};

	/* A passive wait is told only when nothing in the recording explains it. */
	if (triage_kind_class(kind) == TRIAGE_PASSIVE) {
		if (active > p->wall / 100 || f->nr > 1)
			return;
		v.share = (double)c->ns / (double)(p->wall ?: 1);
		v.matters = !f->all;
	}
	v.share = MIN(v.share, 1.0);
	v.score = score_of(f, &v);
	VEC_GROW(j->v, (size_t)j->nr + 1, j->cap);
	j->v[j->nr++] = v;
}

static int worst_first(const void *a, const void *b)
{
	const struct triage_verdict *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

struct triage_judgement triage_judge(const struct triage_facts *f)
{
	struct triage_judgement j = { .healthy = true };

	for (u32 i = 0; i < f->nr; i++)
		for (u32 k = 0; k < TRIAGE_KINDS; k++)
			if ((double)f->v[i].cells[k].ns >= TRIAGE_SHOWN * (double)f->span &&
			    f->v[i].cells[k].ns)
				judge_cell(f, i, k, &j);
	if (j.nr)
		qsort(j.v, j.nr, sizeof(*j.v), worst_first);
	for (u32 i = 0; i < j.nr; i++)
		j.healthy &= !j.v[i].matters || triage_kind_class(j.v[i].kind) == TRIAGE_IDLE;
	return j;
}

void triage_judgement_release(struct triage_judgement *j)
{
	free(j->v);
	*j = (struct triage_judgement){ 0 };
}
