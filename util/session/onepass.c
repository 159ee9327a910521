// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a file once, for engines that follow the order of time: pass 1 and delivery alternate.
 *
 *	a buffer is read -> pass 1 over its records -> its chunks are walked (follow.c)
 *		-> a round ends: state records up to its limit, then samples up to it
 *
 * Two passes would read the bytes twice, and the kernel needs more time to copy them than all the
 * rest takes. Buffers are kept until the samples in them are delivered, which are those of about
 * two rounds. A second thread reads and does what pass 1 can do without knowing what was before
 * (ahead.c).
 *
 * The result is exactly that of two passes. The state is complete up to the limit of the last
 * round. That suffices for samples up to there, with these exceptions:
 *   - A thread may get its process from a later record. Whoever needs that calls
 *     session_complete(), and pass 1 goes on to the end of the file before anything else is
 *     delivered. What was not delivered is then read again.
 *   - A thread that no record has told of is taken for one that none will tell of. If one does,
 *     which ready() says at the end, everything begins again in two passes.
 *   - It also does where records of the state or of losses come too late, or change the meaning of
 *     all samples.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/deferred.h"
#include "session/pieces.h"
#include "session/reads.h"

#include <errno.h>

struct onepass {
	struct session *s;
	const struct session_ordered_ops *ops;
	void *ctx;
	struct scan sc;
	struct id_cache cache;
	struct ahead *ahead; /* owned */
	const u8 *at, *end;  /* pass 1 has come to this byte of the mapping; the end of all */
	struct refs pending; /* copies of records that are no samples and wait for their round */
	struct refs between; /* those that have had it, and are delivered between the samples */
	u64 limit;           /* state records and samples up to this time have been handed out */
	bool again;          /* all this is of no use */
	struct follow *follow;
	struct held held[PARTS_KEPT]; /* in the order of the file */
	size_t nr_held;
	int ret;        /* what session_complete() has returned, */
	struct err err; /* and the sentence */
};

bool onepass_applies(const struct session *s, const struct session_ordered_ops *ops)
{
	const struct perf_file *f = s->file;
	const u8 *p = f->map + f->data.offset;

	return ops->again && follow_applies(s, ops) && (!ops->state.other || ops->state.losses) &&
	       !s->index->scanned && !s->by_event && !s->counts_only && !s->guests.nr &&
	       f->fd >= 0 && f->data.size >= s->one_pass_from && f->data.size &&
	       pass1_blocks_apply(s) && !pass1_is_sparse(s, p, p + f->data.size);
}

/* ---- pass 1 ---- */

/* Tell whether a record has to be handed out. */
static bool is_of_use(const struct onepass *o, u32 type)
{
	if (is_state_record(type))
		return o->ops->state.state || o->ops->between;
	return (o->ops->state.other || o->ops->between) &&
	       (type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES);
}

/* Keep the records of @t that are no samples. @bytes: what is at @p in the mapping */
static void keep_side(struct onepass *o, struct tally *t, const u8 *p, const u8 *bytes)
{
	for (size_t i = 0; i < t->side.nr; i++) {
		const struct ref *r = &t->side.v[i];
		const u8 *rec = in_mapping(o->s, r->rec) ? bytes + (r->rec - p) : r->rec;

		if (!is_of_use(o, rec_type(rec)))
			continue;
		if (o->limit && r->key <= o->limit)
			o->again = true;
		refs_add(&o->pending, r->key,
			 slabs_copy(&o->s->index->copies, rec, rec_size(rec),
				    record_offset(o->s, r->rec)));
	}
	t->side.nr = 0;
}

/* Tell whether there are records that change what others mean. */
static bool is_special(const struct session *s)
{
	const struct session_index *ix = s->index;

	return ix->expanded || s->guests.nr || ix->t.counts[PERF_RECORD_EVENT_UPDATE] ||
	       ix->t.counts[PERF_RECORD_CALLCHAIN_DEFERRED_];
}

/* Do pass 1 over the next part of the file. Return: its bytes. */
static struct held scan_more(struct onepass *o)
{
	struct scan *sc = &o->sc;
	struct part *part = ahead_next(o->ahead, o->at);
	const u8 *p = part->at, *to = part->to;

	sc->prev = part->last ? part->last : sc->prev;
	keep_side(o, &part->t, p, part->buffer->bytes);
	tally_join(sc->t, &part->t);
	if (!part->whole) {
		to = pass1_walk(sc, to, p + part->len, o->end);
		mapping_release(o->s, p, to);
		keep_side(o, sc->t, p, p);
	}
	o->at = to;
	o->again |= is_special(o->s);
	return (struct held){ .at = p, .len = part->read ? part->len : 0, .buffer = part->buffer };
}

/* ---- the state ---- */

/* Hand out the records up to @limit that are no samples. */
static int apply_pending(struct onepass *o, u64 limit, struct err *err)
{
	struct session *s = o->s;
	size_t i;
	int ret = 0;

	refs_sort(&o->pending, NULL);
	for (i = 0; !ret && i < o->pending.nr && o->pending.v[i].key <= limit; i++) {
		const struct ref *r = &o->pending.v[i];

		ret = drive_record(s, &o->ops->state, o->ctx, r, r->rec, &o->cache, err);
		if (o->ops->between)
			refs_add(&o->between, r->key, r->rec);
		else
			slabs_drop(&s->index->copies, r->rec, rec_size(r->rec));
	}
	refs_drop(&o->pending, i);
	return ret;
}

/* Samples up to @limit are going to be delivered. */
static int settle(void *ctx, u64 limit, struct err *err)
{
	struct onepass *o = ctx;
	int ret;

	if (!o->s->index->partial || !limit)
		return 0;
	ret = apply_pending(o, limit, err);
	o->limit = MAX(o->limit, limit);
	if (!ret)
		o->ops->state.settled(o->ctx, o->limit);
	return ret;
}

/* Do pass 1 over the rest of the file. Its buffers, and with them the marks, are not kept. */
static void scan_rest(struct onepass *o)
{
	const struct tally *t = o->sc.t;
	size_t first = t->nr_stretches;

	while (o->at < o->end && !o->again)
		ahead_give(o->ahead, scan_more(o).buffer);
	for (size_t i = first; i < t->nr_stretches; i++)
		t->stretches[i].marks = NULL;
}

/* Go on with pass 1 to the end of the file. */
static int complete(struct onepass *o, struct err *err)
{
	int ret;

	if (!o->s->index->partial)
		return 0;
	scan_rest(o);
	o->s->index->partial = false;
	pass1_span_end(&o->sc, o->end);
	if (o->again)
		return 0;
	pass1_end(&o->sc);
	ret = apply_pending(o, UINT64_MAX, err);
	if (!ret && o->ops->state.ready)
		ret = o->ops->state.ready(o->ctx, err);
	o->again = ret == -ESTALE;
	return o->again ? 0 : ret;
}

void session_complete(struct session *s)
{
	struct onepass *o = s->index->one;

	if (o && !o->ret)
		o->ret = complete(o, &o->err);
}

/* ---- delivery ---- */

/* Let go of the buffers before the first one that has samples which wait. */
static void drop_buffers(struct onepass *o)
{
	const u8 *needed = follow_needs(o->follow);
	size_t nr = 0;

	while (nr < o->nr_held && (!needed || o->held[nr].at + o->held[nr].len <= needed))
		ahead_give(o->ahead, o->held[nr++].buffer);
	o->nr_held -= nr;
	memmove(o->held, o->held + nr, o->nr_held * sizeof(*o->held));
}

/* Let go of the records between samples that were delivered. */
static void drop_between(struct onepass *o)
{
	size_t nr = follow_passed(o->follow);

	for (size_t i = 0; i < nr; i++)
		slabs_drop(&o->s->index->copies, o->between.v[i].rec,
			   rec_size(o->between.v[i].rec));
	refs_drop(&o->between, nr);
}

/* Take the next part of the file, and deliver what its rounds allow. */
static int go_on(struct onepass *o, struct err *err)
{
	int ret;

	o->held[o->nr_held++] = scan_more(o);
	follow_held(o->follow, o->held, o->nr_held);
	if (o->again)
		return 0;
	ret = follow_more(o->follow, err);
	drop_between(o);
	drop_buffers(o);
	follow_held(o->follow, o->held, o->nr_held);
	return ret;
}

static int run(struct onepass *o, struct err *err)
{
	int ret = 0;

	while (!ret && !o->ret && !o->again && o->s->index->partial && o->at < o->end &&
	       o->nr_held < PARTS_KEPT)
		ret = go_on(o, err);
	/* Also when it has failed, because all records are counted. */
	session_complete(o->s);
	if (o->ret && !ret) {
		ret = o->ret;
		if (err)
			*err = o->err;
	}
	return ret || o->again ? ret : follow_end(o->follow, err);
}

static void release(struct onepass *o)
{
	ahead_free(o->ahead);
	follow_free(o->follow);
	refs_release(&o->pending);
	refs_release(&o->between);
	slabs_release(&o->s->index->copies);
	o->s->index->one = NULL;
	free(o);
}

/* Forget all that pass 1 has found. */
static void forget(struct session *s, const struct diag *before)
{
	struct session_index *ix = s->index;

	tally_release(&ix->t);
	tally_init(&ix->t);
	slabs_release(&ix->copies);
	guest_ids_release(&s->guests);
	s->guests = (struct guest_ids){ 0 };
	memset(s->counts, 0, sizeof(s->counts));
	s->nr_samples = s->first_time = s->last_time = 0;
	s->in_order = false;
	s->diag = *before;
	ix->nr_spans = 0;
	ix->scanned = ix->expanded = ix->read = ix->partial = false;
}

int onepass_run(struct session *s, const struct session_ordered_ops *ops, void *ctx, bool *again,
		struct err *err)
{
	struct onepass *o = xzalloc(sizeof(*o));
	const struct follow_reader reader = { o, settle, &o->again, &o->between };
	const struct session_state_ops *state = &ops->state;
	const struct perf_file *f = s->file;
	struct diag before = s->diag;
	int ret = 0;

	o->s = s;
	o->ops = ops;
	o->ctx = ctx;
	o->at = f->map + f->data.offset;
	o->end = o->at + f->data.size;
	pass1_begin(&o->sc, s, &o->cache);
	pass1_span_begin(&o->sc, o->at, f->data.size);
	s->index->one = o;
	s->index->partial = s->index->read = true;
	s->index->state_only = !state->other && !ops->between;
	progress_start(s->progress, "Processing events...", 2 * f->data.size);
	if (state->events)
		ret = state->events(ctx, &s->evlist, &f->env, err);
	/* What is wrong then is told when all has been counted. */
	o->again = ret || state->begin(ctx, err);
	o->follow = follow_new(s, ops, ctx, &reader);
	o->ahead = ahead_new(&o->sc, o->at, o->end, follow_wants(o->follow),
			     !o->again && s->index->workers > 1);
	ret = o->again ? 0 : run(o, err);
	*again = o->again;
	release(o);
	if (*again)
		forget(s, &before);
	return *again ? ops->again(ctx, err) : ret;
}
