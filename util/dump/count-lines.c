// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dump/count-lines.h"

#include "base/alloc.h"

#define ROWS_MAX 1000000 /* of an event: no machine has so many, but a damaged file may */

static void take_cpus(struct count_lines *st, const wire_header *rec)
{
	struct rec_cpu_map m;
	u32 pos = 0;
	s32 cpu;

	if (st->nr_cpus || rec_cpu_map_decode(rec, rec->size, &m)) /* the first one counts */
		return;
	while (rec_cpu_map_next(&m, &pos, &cpu)) {
		VEC_GROW(st->cpus, st->nr_cpus + 1, st->cap_cpus);
		st->cpus[st->nr_cpus++] = cpu;
	}
}

static void take_threads(struct count_lines *st, const wire_header *rec)
{
	struct rec_thread_map m;
	const char *comm;

	if (st->nr_pids || rec_thread_map_decode(rec, rec->size, &m))
		return;
	VEC_GROW(st->pids, m.nr, st->cap_pids);
	for (u64 i = 0; i < m.nr; i++)
		st->pids[st->nr_pids++] = (s32)rec_thread_map_entry(&m, i, &comm);
}

static u64 count_key(u32 idx, s32 cpu, u32 thread)
{
	return hash_u64((u64)idx << 32 | (u16)cpu) ^ thread;
}

/* Find a count. Keys of different counts may be equal; then they take the keys that follow. */
static struct stat_count *find(struct count_lines *st, u32 idx, s32 cpu, u32 thread, bool make)
{
	for (u64 key = count_key(idx, cpu, thread);; key++) {
		u32 at = map64_get(&st->place, key);
		struct stat_count *c;

		if (at == MAP64_NONE) {
			if (!make)
				return NULL;
			VEC_GROW(st->counts, st->nr + 1, st->cap);
			st->counts[st->nr] =
				(struct stat_count){ .idx = idx, .cpu = cpu, .thread = thread };
			map64_set(&st->place, key, (u32)st->nr);
			return &st->counts[st->nr++];
		}
		c = &st->counts[at];
		if (c->idx == idx && c->cpu == cpu && c->thread == thread)
			return c;
	}
}

static void take_count(struct count_lines *st, const struct session *s, const wire_header *rec)
{
	struct stat_count *c;
	struct rec_stat r;
	u32 idx;

	if (rec_stat_decode(rec, rec->size, &r))
		return;
	idx = map64_get(&s->evlist.by_id, r.id);
	if (idx == MAP64_NONE)
		return;
	c = find(st, idx, (s32)r.cpu, r.thread, true);
	c->value = r.value;
	c->enabled = r.enabled;
	c->running = r.running;
}

static int end_round(struct count_lines *st, const struct session *s, const wire_header *rec,
		     count_lines_fn fn, void *ctx)
{
	static const struct stat_count none;
	struct rec_stat_round r;
	int ret = 0;

	if (!st->nr_cpus || !st->nr_pids || st->nr_cpus * st->nr_pids > ROWS_MAX ||
	    rec_stat_round_decode(rec, rec->size, &r))
		return 0;
	for (u32 idx = 0; idx < s->evlist.nr && !ret; idx++) {
		for (u32 k = 0; k < st->nr_pids * st->nr_cpus && !ret; k++) {
			u32 thread = k / (u32)st->nr_cpus;
			s32 cpu = st->cpus[k % st->nr_cpus];
			const struct stat_count *c = find(st, idx, cpu, thread, false);

			c = c ? c : &none;
			ret = fn(ctx,
				 &(struct round_count){ .evsel = s->evlist.evsels[idx],
							.cpu = cpu,
							.pid = st->pids[thread],
							.value = c->value,
							.enabled = c->enabled,
							.running = c->running },
				 r.time);
		}
	}
	return ret ? ret : fn(ctx, NULL, r.time);
}

int count_lines_take(struct count_lines *st, const struct session *s,
		     const struct session_event *ev, count_lines_fn fn, void *ctx)
{
	switch (ev->hdr->type) {
	case PERF_RECORD_CPU_MAP:
		take_cpus(st, ev->hdr);
		break;
	case PERF_RECORD_THREAD_MAP:
		take_threads(st, ev->hdr);
		break;
	case PERF_RECORD_STAT:
		take_count(st, s, ev->hdr);
		break;
	case PERF_RECORD_STAT_ROUND:
		return end_round(st, s, ev->hdr, fn, ctx);
	default:
		break;
	}
	return 0;
}

struct lines_out {
	struct count_lines *st;
	struct strbuf *out;
};

static int put_count(void *ctx, const struct round_count *c, u64 time)
{
	const struct lines_out *to = ctx;

	if (!c)
		return 0;
	if (!to->st->titled)
		strbuf_addf(to->out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL",
			    "ENA", "RUN", "TIME", "EVENT");
	to->st->titled = true;
	strbuf_addf(to->out, "%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " ",
		    c->cpu, c->pid, c->value, c->enabled, c->running, time);
	strbuf_addname(to->out, c->evsel->name);
	strbuf_addch(to->out, '\n');
	return 0;
}

void count_lines_put(struct count_lines *st, const struct session *s,
		     const struct session_event *ev, struct strbuf *out)
{
	struct lines_out to = { st, out };

	count_lines_take(st, s, ev, put_count, &to);
}

void count_lines_release(struct count_lines *st)
{
	free(st->cpus);
	free(st->pids);
	free(st->counts);
	map64_release(&st->place);
}
