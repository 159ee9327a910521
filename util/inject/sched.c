// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long a thread slept or waited is known when it is over (sched_stat_*), where
 * it began to is known from the call chain of the sched_switch before. The last sched_switch of a
 * thread is kept; each sched_stat_* of that thread becomes a copy of it, with the time and the
 * period of the sched_stat_*. All three kinds (the third, sched_process_exit, ends the wait) are
 * gone from the output otherwise.
 */
#include "base/compat.h"
#include "inject/inject.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "tracefmt/tracefmt.h"

/* The last sched_switch of a thread. */
struct kept_switch {
	u8 *rec; /* owned; NULL: none */
	size_t cap;
	const struct evsel *evsel;
};

struct sched_merge {
	struct tracefmt *tf;
	const void *seen;             /* the tracing data that tf was made of */
	struct map64 by_tid;          /* tid -> index of switches */
	struct kept_switch *switches; /* owned */
	size_t nr, cap;
};

struct sched_merge *sched_merge_new(void)
{
	return xzalloc(sizeof(struct sched_merge));
}

void sched_merge_free(struct sched_merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nr; i++)
		free(m->switches[i].rec);
	free(m->switches);
	map64_release(&m->by_tid);
	tracefmt_free(m->tf);
	free(m);
}

int sched_merge_events(struct sched_merge *m, const struct evlist *evlist, const struct env *env,
		       struct err *err)
{
	struct err damage = { 0 };

	(void)evlist;
	(void)err;
	if (!env->tracing_data || env->tracing_data == m->seen)
		return 0;
	m->seen = env->tracing_data;
	tracefmt_free(m->tf);
	m->tf = NULL;
	/* Without formats nothing is known to be a sched_switch: the records pass unchanged. */
	tracefmt_read_section(env->tracing_data, env->tracing_size, &m->tf, &damage);
	return 0;
}

static struct kept_switch *kept(struct sched_merge *m, u32 tid, bool add)
{
	u32 i = map64_get(&m->by_tid, tid);

	if (i == MAP64_NONE && !add)
		return NULL;
	if (i == MAP64_NONE) {
		VEC_GROW(m->switches, m->nr + 1, m->cap);
		i = (u32)m->nr++;
		m->switches[i] = (struct kept_switch){ 0 };
		map64_set(&m->by_tid, tid, i);
	}
	return &m->switches[i];
}

static void keep(struct sched_merge *m, const struct session_event *ev)
{
	struct kept_switch *k = kept(m, ev->sample->tid, true);

	VEC_GROW(k->rec, ev->hdr->size, k->cap);
	memcpy(k->rec, ev->hdr, ev->hdr->size);
	k->evsel = ev->evsel;
}

static void forget(struct sched_merge *m, u32 tid)
{
	struct kept_switch *k = kept(m, tid, false);

	if (!k)
		return;
	free(k->rec);
	*k = (struct kept_switch){ 0 };
}

static void put_word(u8 *rec, s16 offset, u64 v)
{
	if (offset >= 0)
		*(u64_una *)(rec + offset) = v;
}

static void merge(struct sched_merge *m, struct rewrite *rw, const struct tf_event *tp,
		  const struct session_event *ev)
{
	const struct tf_field *pid = tf_find_field(tp, "pid");
	const struct sample *s = ev->sample;
	struct kept_switch *k;
	u64 tid;

	if (!pid || !tf_field_int(tp, pid, s->raw, s->raw_size, &tid))
		return;
	k = kept(m, (u32)tid, false);
	if (!k || !k->rec)
		return;
	put_word(k->rec, k->evsel->layout.off_time, s->time);
	put_word(k->rec, k->evsel->layout.off_period, s->period);
	rewrite_insert(rw, k->rec, k->evsel);
}

enum rewrite_verdict sched_merge_record(struct sched_merge *m, struct rewrite *rw,
					const struct session_event *ev)
{
	const struct tf_event *tp;

	if (!ev->sample || !ev->evsel)
		return REWRITE_KEEP;
	tp = evsel_format(ev->evsel, m->tf);
	if (!tp || strcmp(tp->system, "sched"))
		return REWRITE_KEEP;
	if (!strcmp(tp->name, "sched_switch"))
		keep(m, ev);
	else if (!strcmp(tp->name, "sched_process_exit"))
		forget(m, ev->sample->tid);
	else if (!strncmp(tp->name, "sched_stat_", 11))
		merge(m, rw, tp, ev);
	else
		return REWRITE_KEEP;
	return REWRITE_DROP;
}
