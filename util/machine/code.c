// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code that was generated at run time. A jitdump is read completely when its process maps it,
 * before most of its events have happened. Each function waits in the queue of its process and is
 * mapped before anything later changes the mappings of that process.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "machine/machine-internal.h"

struct code_queue {
	struct queued {
		struct jit_code code; /* its strings are in the machine's arena */
		size_t seq;           /* order of arrival, which decides between equal times */
	} * v;                        /* owned; sorted from @next on unless @unsorted */
	size_t nr, cap, next;
	bool unsorted;
};

bool is_jitdump_path(const char *path)
{
	const char *p = strrchr(path, '/');
	size_t digits;

	p = p ? p + 1 : path;
	if (strncmp(p, "jit-", 4))
		return false;
	digits = strspn(p + 4, "0123456789");
	return digits && !strcmp(p + 4 + digits, ".dump");
}

void machine_on_jitdump(struct machine *m, machine_jitdump_fn fn, void *ctx)
{
	m->on_jitdump = fn;
	m->jitdump_ctx = ctx;
}

static const struct jit_frames *copy_frames(struct machine *m, const struct jit_frames *from)
{
	struct jit_frames *f = arena_alloc(&m->arena, sizeof(*f));

	*f = *from;
	f->bytes = memcpy(arena_alloc(&m->arena, f->size), from->bytes, f->size);
	return f;
}

void machine_add_code(struct machine *m, u32 process, const struct jit_code *code)
{
	struct process *p = &m->processes[process];
	struct code_queue *q = p->code;
	struct queued *n;

	if (code->addr + code->size <= code->addr)
		return;
	if (!q)
		q = p->code = xzalloc(sizeof(*q));
	VEC_GROW(q->v, q->nr + 1, q->cap);
	n = &q->v[q->nr];
	*n = (struct queued){ .code = *code, .seq = q->nr };
	if (code->build_id)
		n->code.build_id = memcpy(arena_alloc(&m->arena, 20), code->build_id, 20);
	if (code->frames)
		n->code.frames = copy_frames(m, code->frames);
	if (!code->moved) {
		n->code.name = arena_strdup(&m->arena, code->name);
		n->code.object = arena_strdup(&m->arena, code->object);
	}
	if (q->nr > q->next && code->time < q->v[q->nr - 1].code.time)
		q->unsorted = true;
	q->nr++;
}

/* ---- memory that a process inherited ---- */

const struct map *heir_map(const struct machine *m, u32 epoch, const struct map *map)
{
	u32 process = m->epochs[epoch].process;
	const struct process *p = process < m->nr_processes ? &m->processes[process] : NULL;
	struct dso *own = p ? p->heir : NULL;
	struct side *s = m->side;
	struct heir *h = NULL;
	u32 *slot, n;

	/* After exec() the memory of before is nothing that the process speaks of. */
	if (!own || own == map->dso || epoch >= p->heir_until || own->cpumode != map->dso->cpumode)
		return map;
	pthread_mutex_lock(&s->lock);
	slot = map64_slot(&s->heirs, hash_mix((u64)(uintptr_t)map, process));
	for (n = *slot; n != MAP64_NONE; n = h->next) {
		h = s->by_heir[n];
		if (h->of == map && h->map.dso == own)
			break;
	}
	if (n == MAP64_NONE) {
		h = xmalloc(sizeof(*h));
		*h = (struct heir){ .of = map, .map = *map, .next = *slot };
		h->map.dso = own;
		*slot = (u32)s->nr_heirs;
		VEC_GROW(s->by_heir, s->nr_heirs + 1, s->cap_heirs);
		s->by_heir[s->nr_heirs++] = h;
	}
	pthread_mutex_unlock(&s->lock);
	return &h->map;
}

void heirs_release(struct side *s)
{
	for (size_t i = 0; i < s->nr_heirs; i++)
		free(s->by_heir[i]);
	free(s->by_heir);
	map64_release(&s->heirs);
}

/* ---- the queue ---- */

static int by_time(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;

	if (x->code.time != y->code.time)
		return x->code.time < y->code.time ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Return the object of a function, or NULL for a move of an unknown function. */
static struct dso *code_dso(struct machine *m, const struct epoch *e, const struct jit_code *code)
{
	struct dso_ident id = {
		.ino = code->id,
		.cpumode = PERF_RECORD_MISC_USER,
		.kind = DSO_JIT,
		.pid = -1,
		.build_id = code->build_id,
		.build_id_size = code->build_id ? 20 : 0,
	};
	struct dso *dso;
	u32 n;

	if (code->moved) {
		n = map_tree_find(&m->tree, e->root, code->moved_from);
		dso = n == NIL ? NULL : m->tree.nodes[n].map->dso;
		return dso && dso->kind == DSO_JIT ? dso : NULL;
	}
	dso = dso_get_or_add(&m->dsos, code->object, &id);
	dso->ref_sym = code->name;
	dso->size = code->size;
	dso->frames = code->frames;
	return dso;
}

static void put_code(struct machine *m, u32 process, const struct jit_code *code)
{
	struct epoch *e = process_epoch(m, process, code->time, false);
	struct map *map = arena_alloc(&m->arena, sizeof(*map));

	*map = (struct map){
		.start = code->addr,
		.end = code->addr + code->size,
		.pgoff = JIT_CODE_OFFSET,
		.dso = code_dso(m, e, code),
	};
	if (!map->dso)
		return;
	if (map_tree_conflict(&m->tree, e->root, map->start, map->end, map))
		e = process_epoch(m, process, code->time, true);
	e->root = map_tree_put(&m->tree, e->root, m->processes[process].tag, map);
}

void code_settle(struct machine *m, u32 process, u64 time)
{
	struct code_queue *q = m->processes[process].code;

	if (likely(!q || q->next == q->nr))
		return;
	if (q->unsorted) {
		qsort(q->v + q->next, q->nr - q->next, sizeof(*q->v), by_time);
		q->unsorted = false;
	}
	while (q->next < q->nr && q->v[q->next].code.time <= time)
		put_code(m, process, &q->v[q->next++].code);
}

void code_queue_free(struct code_queue *q)
{
	if (!q)
		return;
	free(q->v);
	free(q);
}
