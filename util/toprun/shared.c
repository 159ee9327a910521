// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toprun/shared.h"

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

/* Return the number of an object in the shared space; MAP64_NONE: it has none. */
static u32 number_of(struct shared_space *sp, struct machine *m, struct state_log *log,
		     const struct dso *d)
{
	u32 number = map64_get(&sp->by_dso, d->id);

	if (number != MAP64_NONE || sp->nr == RANGES_MAX || !map_object(m, log, d, sp->nr))
		return number;
	map64_set(&sp->by_dso, d->id, sp->nr);
	return sp->nr++;
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

void shared_renew(struct shared_space *sp, const struct machine *m)
{
	struct thread_at idle;
	const struct map *map;

	map64_release(&sp->by_dso);
	machine_thread_at(m, 0, 0, 0, &idle);
	for (u32 i = 0; i < sp->nr; i++) {
		map = machine_find_map(m, idle.epoch, PERF_RECORD_MISC_USER, range_start(i));
		if (map)
			map64_set(&sp->by_dso, map->dso->id, i);
	}
}

void shared_release(struct shared_space *sp)
{
	map64_release(&sp->by_dso);
	*sp = (struct shared_space){ 0 };
}
