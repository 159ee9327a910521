// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toprun/shared.h"

#include "base/alloc.h"
#include "wire/encode.h"

#include <sys/mman.h>

#define RANGE_BITS 34 /* bytes of an object's range, as many as its file may have */
#define RANGES_MAX ((u32)1 << (46 - RANGE_BITS))

static u64 range_start(u32 number)
{
	return (u64)(number + 1) << RANGE_BITS;
}

/* Let the machine and the log know of the range of an object. Return: false: they do not take it.
 */
static bool map_object(struct machine *m, struct state_log *log, const struct dso *d, u32 number)
{
	struct rec_mmap map = { .start = range_start(number),
				.len = ((u64)1 << RANGE_BITS) - 4096,
				.maj = d->maj,
				.min = d->min,
				.ino = d->ino,
				.ino_generation = d->ino_generation,
				.prot = PROT_READ | PROT_EXEC,
				.flags = MAP_PRIVATE,
				.build_id_size = d->build_id_size,
				.filename = d->path };
	struct strbuf rec = STRBUF_INIT;
	const wire_header *h;
	bool done = false;

	memcpy(map.build_id, d->build_id, sizeof(map.build_id));
	if (!enc_mmap2(&rec, PERF_RECORD_MISC_USER, &map, NULL, NULL)) {
		h = (const wire_header *)rec.buf;
		done = !machine_apply(m, h, h->size, 0, NULL);
		if (done)
			state_log_add(log, h, 0);
	}
	strbuf_release(&rec);
	return done;
}

static void put_back(struct shared_space *sp, u32 number)
{
	VEC_GROW(sp->unused, sp->nr_unused + 1, sp->cap_unused);
	sp->unused[sp->nr_unused++] = number;
}

/* Return the number of an object in the shared space; MAP64_NONE: it has none. */
static u32 number_of(struct shared_space *sp, struct machine *m, struct state_log *log,
		     const struct dso *d)
{
	u32 number = map64_get(&sp->by_dso, d->id);

	if (number != MAP64_NONE)
		return number;
	if (sp->nr_unused)
		number = sp->unused[--sp->nr_unused];
	else if (sp->nr < RANGES_MAX)
		number = sp->nr++;
	if (number == MAP64_NONE)
		return number;
	if (!map_object(m, log, d, number)) {
		put_back(sp, number);
		return MAP64_NONE;
	}
	map64_set(&sp->by_dso, d->id, number);
	return number;
}

u32 shared_range(const struct sample *s)
{
	u64 range = s->ip >> RANGE_BITS;

	if (s->pid || s->cpumode != PERF_RECORD_MISC_USER || !range || range > RANGES_MAX)
		return MAP64_NONE;
	return (u32)range - 1;
}

void shared_sample(struct shared_space *sp, struct machine *m, struct state_log *log,
		   struct sample *s, struct thread_at *at)
{
	const struct map *map;
	u64 offset;
	u32 number;

	if (s->cpumode == PERF_RECORD_MISC_USER) {
		map = machine_find_map(m, at->epoch, s->cpumode, s->ip);
		if (!map || map->dso->kind != DSO_USER)
			return;
		offset = map_to_file(map, s->ip);
		number = offset >> RANGE_BITS ? MAP64_NONE : number_of(sp, m, log, map->dso);
		if (number == MAP64_NONE)
			return;
		s->ip = range_start(number) + offset;
	} else if (s->cpumode != PERF_RECORD_MISC_KERNEL) {
		return;
	}
	s->pid = s->tid = 0;
	machine_thread_at(m, 0, 0, s->time, at);
}

/* Tell whether a record gives an object a range that is not used. @ctx: numbers of used ones */
static bool is_unused(void *ctx, const struct state_log *l, size_t i)
{
	const wire_header *rec = state_log_record(l, i);
	struct rec_mmap m;

	if (rec->type != PERF_RECORD_MMAP2 || rec_mmap_decode(rec, rec->size, &m) || m.pid)
		return false;
	return m.start >= range_start(0) &&
	       map64_get(ctx, (m.start >> RANGE_BITS) - 1) == MAP64_NONE;
}

void shared_forget(const struct shared_space *sp, struct state_log *log, const struct map64 *used)
{
	if (sp->nr)
		state_log_drop(log, is_unused, (void *)used);
}

void shared_renew(struct shared_space *sp, const struct machine *m)
{
	struct thread_at idle;
	const struct map *map;

	map64_release(&sp->by_dso);
	sp->nr_unused = 0;
	machine_thread_at(m, 0, 0, 0, &idle);
	for (u32 i = 0; i < sp->nr; i++) {
		map = machine_find_map(m, idle.epoch, PERF_RECORD_MISC_USER, range_start(i));
		if (map)
			map64_set(&sp->by_dso, map->dso->id, i);
		else
			put_back(sp, i);
	}
}

void shared_release(struct shared_space *sp)
{
	map64_release(&sp->by_dso);
	free(sp->unused);
	*sp = (struct shared_space){ 0 };
}
