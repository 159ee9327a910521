// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One thread calls changer(): it keeps a model of processes and their mappings and cuts each batch
 * of records into pieces, whose stacks are then unwound side by side.
 *
 *	ahead(batch 2): its state records, in the order of time -> machine
 *	change(batch 1): stacks -> epochs at their times -> pieces, on all workers -> records
 *
 * A batch is a round over the rings. Whatever is older than a record of it is in it or in the next
 * one, as a ring that was read before another one may hold what happened meanwhile.
 */
#include "base/compat.h"
#include "recordunwind/unwinding.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "wire/encode.h"
#include "wire/framing.h"

#define PIECE ((size_t)1 << 20) /* bytes of records, from which on another thread is worth it */
#define MAX_WORKERS 4

/* A part of the batch. */
struct piece {
	size_t start, end; /* of its records in the batch */
	size_t first;      /* its first stack among those of the batch */
	u64 unknown, jit;
	struct strbuf out; /* owned */
};

struct state_record {
	u64 time;
	const wire_header *rec;
};

struct unwinding {
	struct unwinding_opts o;
	struct machine *machine;
	struct symbols *symbols;
	struct unwinder *unwinder;
	struct crew *crew;
	struct unwind_thread *workers; /* owned; one for each of the crew */
	struct map64 jit_pids;         /* of processes that write jitdumps */
	struct state_record *states;   /* owned */
	size_t nr_states, cap_states;
	/* the batch */
	const u8 *records;
	u32 *epochs; /* owned; of each stack */
	size_t nr_epochs, cap_epochs;
	struct piece *pieces; /* owned; cap_pieces of them have a buffer */
	size_t nr_pieces, cap_pieces;
	struct unwound sum;
};

/* A jitdump is not complete before its process has ended, so what it says of unwinding is left to
 * those who read the recording. */
static void on_jitdump(void *ctx, struct machine *m, u32 process, const struct rec_mmap *rec,
		       u64 time)
{
	struct unwinding *u = ctx;

	(void)m, (void)process, (void)time;
	map64_set(&u->jit_pids, rec->pid, 1);
}

struct unwinding *unwinding_new(const struct unwinding_opts *o)
{
	const struct symconf conf = { .sysroot = o->sysroot,
				      .buildid_dir = o->cache_dir ? o->cache_dir : "" };
	struct unwinding *u = xzalloc(sizeof(*u));

	u->o = *o;
	u->machine = machine_new();
	machine_on_jitdump(u->machine, on_jitdump, u);
	u->symbols = symbols_new(&conf);
	u->unwinder = unwinder_new(u->machine, u->symbols, NULL, false, UNWIND_TABLES);
	u->crew = crew_new(MIN(pool_workers(), MAX_WORKERS));
	u->workers = xcalloc((size_t)crew_workers(u->crew), sizeof(*u->workers));
	if (u->unwinder)
		return u;
	unwinding_free(u, NULL);
	return NULL;
}

void unwinding_free(struct unwinding *u, struct unwound *sum)
{
	if (!u)
		return;
	for (int i = 0; i < crew_workers(u->crew); i++) {
		if (sum)
			unwind_counts_merge(&sum->ends, &u->workers[i].counts);
		unwind_thread_release(&u->workers[i]);
	}
	if (sum) {
		sum->stacks += u->sum.stacks;
		sum->late += u->sum.late;
		sum->unknown += u->sum.unknown;
		sum->jit += u->sum.jit;
	}
	for (size_t i = 0; i < u->cap_pieces; i++)
		strbuf_release(&u->pieces[i].out);
	crew_free(u->crew);
	unwinder_free(u->unwinder);
	symbols_free(u->symbols);
	machine_free(u->machine);
	free(u->workers);
	free(u->states);
	free(u->epochs);
	free(u->pieces);
	map64_release(&u->jit_pids);
	free(u);
}

/* --- the state ------------------------------------------------------------------- */

/* Tell whether a record says what addresses of programs mean. */
static bool is_state(const wire_header *h)
{
	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
		return true;
	default:
		return false;
	}
}

static int state_cmp(const void *pa, const void *pb)
{
	const struct state_record *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->rec < b->rec ? -1 : a->rec > b->rec;
}

/* Return: 0 for what was there before, and without times. */
static u64 time_of(const struct unwinding *u, const wire_header *h)
{
	struct sample_id id;

	if (!evlist_trailer(u->o.list, h, h->size, &id) || id.time == ~0ULL)
		return 0;
	return id.time;
}

static void apply_states(void *ctx, const void *data, size_t len)
{
	struct unwinding *u = ctx;
	const wire_header *h;

	u->nr_states = 0;
	for (size_t at = 0; (h = frame_whole(data, len, at)); at += h->size) {
		if (!is_state(h))
			continue;
		VEC_GROW(u->states, u->nr_states + 1, u->cap_states);
		u->states[u->nr_states++] = (struct state_record){ time_of(u, h), h };
	}
	if (u->nr_states)
		qsort(u->states, u->nr_states, sizeof(*u->states), state_cmp);
	for (size_t i = 0; i < u->nr_states; i++)
		machine_apply(u->machine, u->states[i].rec, u->states[i].rec->size,
			      u->states[i].time, NULL);
}

/* --- stacks ---------------------------------------------------------------------- */

/* Tell whether a record is a sample with a copy of a user stack, and decode it. */
static bool take_stack(const struct unwinding *u, const wire_header *h,
		       const struct wire_layout **l, struct sample *s)
{
	const u64 both = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	const struct evsel *e;

	if (h->type != PERF_RECORD_SAMPLE)
		return false;
	e = evlist_of_sample(u->o.list, h, h->size);
	*l = e ? &e->layout : NULL;
	return e && ((*l)->sample_type & both) == both && !sample_decode(*l, h, h->size, s) &&
	       s->user_regs.regs && s->user_stack_dyn;
}

static struct piece *begin_piece(struct unwinding *u, size_t start)
{
	struct piece *p;

	if (u->nr_pieces == u->cap_pieces) {
		size_t had = u->cap_pieces;

		VEC_GROW(u->pieces, u->nr_pieces + 1, u->cap_pieces);
		for (size_t i = had; i < u->cap_pieces; i++)
			u->pieces[i] = (struct piece){ .out = STRBUF_INIT };
	}
	p = &u->pieces[u->nr_pieces++];
	p->start = start;
	p->first = u->nr_epochs;
	p->unknown = p->jit = 0;
	strbuf_reset(&p->out);
	return p;
}

/* Look up the epochs of all stacks, and cut the batch into pieces. What does not look like a record
 * stays in the last one. */
static void list_stacks(struct unwinding *u, size_t len)
{
	const struct wire_layout *l;
	const wire_header *h;
	struct thread_at at_time;
	struct piece *p;
	struct sample s;

	u->nr_epochs = u->nr_pieces = 0;
	p = begin_piece(u, 0);
	for (size_t at = 0; (h = frame_whole(u->records, len, at)); at += h->size) {
		if (at - p->start >= PIECE) {
			p->end = at;
			p = begin_piece(u, at);
		}
		if (!take_stack(u, h, &l, &s))
			continue;
		machine_thread_at(u->machine, s.pid, s.tid, s.time, &at_time);
		VEC_GROW(u->epochs, u->nr_epochs + 1, u->cap_epochs);
		u->epochs[u->nr_epochs++] = at_time.epoch;
	}
	p->end = len;
}

/* Append a sample with its chain in place of its copy. Return: false when it is to stay. */
static bool put_unwound(struct unwinding *u, int worker, u32 epoch, const struct wire_layout *l,
			struct sample *s, struct piece *p)
{
	struct unwind_thread *t = &u->workers[worker];

	if (!unwind_convert(u->unwinder, t, epoch, u->o.keep_regs, s) || t->unknown) {
		p->unknown++;
		return false;
	}
	if (t->made && map64_get(&u->jit_pids, s->pid) != MAP64_NONE) {
		p->jit++;
		return false;
	}
	return !enc_sample(&p->out, l, s);
}

static void unwind_piece(void *ctx, int worker, size_t item)
{
	struct unwinding *u = ctx;
	struct piece *p = &u->pieces[item];
	size_t next = p->first, at = p->start;
	const struct wire_layout *l;
	const wire_header *h;
	struct sample s;

	for (; at < p->end && (h = frame_whole(u->records, p->end, at)); at += h->size)
		if (!take_stack(u, h, &l, &s) ||
		    !put_unwound(u, worker, u->epochs[next++], l, &s, p))
			strbuf_add(&p->out, h, h->size);
	strbuf_add(&p->out, u->records + at, p->end - at);
}

/* Join the pieces in place of the batch. */
static void join(struct unwinding *u, struct strbuf *records)
{
	strbuf_reset(records);
	for (size_t i = 0; i < u->nr_pieces; i++) {
		strbuf_add(records, u->pieces[i].out.buf, u->pieces[i].out.len);
		u->sum.unknown += u->pieces[i].unknown;
		u->sum.jit += u->pieces[i].jit;
	}
}

static void unwind_batch(void *ctx, struct strbuf *records, size_t behind)
{
	struct unwinding *u = ctx;

	u->records = (const u8 *)records->buf;
	list_stacks(u, records->len);
	u->sum.stacks += u->nr_epochs;
	if (records->len + behind > u->o.patience) {
		u->sum.late += u->nr_epochs;
	} else if (u->nr_epochs) {
		crew_run(u->crew, u->nr_pieces, unwind_piece, u);
		join(u, records);
	}
}

struct record_changer unwinding_changer(struct unwinding *u)
{
	if (!u)
		return (struct record_changer){ 0 };
	return (struct record_changer){ apply_states, unwind_batch, u };
}

/* --- what became of them ------------------------------------------------------------ */

void unwound_release(struct unwound *u)
{
	unwind_counts_release(&u->ends);
}

static double percent(u64 part, u64 all)
{
	return all ? (double)part * 100 / (double)all : 0;
}

static void tell_sentence(void *ctx, const char *sentence)
{
	notice(ctx, "[ perf record: %s ]\n", sentence);
}

/* Append how many stacks stay copies for a reason. */
static void add_left(struct strbuf *out, u64 nr, const char *why)
{
	if (nr)
		strbuf_addf(out, "%s %" PRIu64 "%s as %s", out->len ? "," : ";", nr,
			    out->len ? "" : " stay copies", why);
}

void unwound_tell(const struct unwound *u, const struct notices *notes)
{
	u64 done = u->stacks - u->late - u->unknown - u->jit;
	struct strbuf left = STRBUF_INIT;

	if (!u->stacks)
		return;
	add_left(&left, u->late, "too many waited");
	add_left(&left, u->unknown, "an object was not found");
	add_left(&left, u->jit, "a jitdump may tell more when it is complete");
	notice(notes, "[ perf record: Unwound %.1f%% of %" PRIu64 " stacks while recording%s ]\n",
	       percent(done, u->stacks), u->stacks, strbuf_str(&left));
	unwind_tell_beyond(&u->ends, "dwarf,unwind",
			   &(struct notices){ tell_sentence, (void *)notes });
	strbuf_release(&left);
}
