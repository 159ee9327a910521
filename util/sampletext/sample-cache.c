// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "sampletext/sample-cache.h"

#include "base/alloc.h"

#define PLACE_SETS 8192 /* of two entries: half a megabyte, which fits into a processor's cache */

void sample_cache_init(struct sample_cache *c)
{
	c->threads = xcalloc(CACHED_THREADS, sizeof(*c->threads));
	c->places = xcalloc(PLACE_SETS, sizeof(*c->places));
	c->resolver = resolver_new(c->machine, c->symbols);
}

void sample_cache_release(struct sample_cache *c)
{
	for (size_t i = 0; c->threads && i < CACHED_THREADS; i++)
		strbuf_release(&c->threads[i].text);
	free(c->threads);
	free(c->places);
	resolver_free(c->resolver);
	strbuf_release(&c->names);
	map64_release(&c->name_of);
}

/* ------------------------------------------------------------------ threads */

void cached_thread_renew(struct sample_cache *c, struct cached_thread *t, u32 pid, u32 tid,
			 u64 time)
{
	u32 comm = t->comm, old_pid = t->at.pid, old_tid = t->at.tid;

	machine_thread_at(c->machine, pid, tid, time, &t->at);
	t->pid = pid;
	t->tid = tid;
	if (t->used && t->at.comm == comm && t->at.tid == old_tid && t->at.pid == old_pid)
		return;
	strbuf_reset(&t->text);
	t->mark = t->mark_len = 0;
	c->put_thread(c->machine, t);
	t->comm = t->at.comm;
	t->used = true;
}

/* ------------------------------------------------------------------ addresses */

static u32 find_name(struct sample_cache *c, const struct location *l, unsigned int style)
{
	u64 key = (u64)(l->dso ? l->dso->id + 1 : 0) << 32 | (l->symtab ? l->sym : UINT32_MAX);
	u32 *slot = map64_slot(&c->name_of, key ^ (u64)style << 60);

	if (*slot == MAP64_NONE) {
		*slot = (u32)c->names.len;
		c->put_name(c->ctx, l, style, &c->names);
		strbuf_grow(&c->names, CACHED_SLACK);
	}
	return *slot;
}

/*
 * Return the address to show for a frame. For a module it is that of its file, if the symbols are
 * from that file.
 */
static u64 frame_addr(const struct location *l, u64 ip)
{
	const char *file = l->symtab ? symtab_file(l->symtab) : NULL;

	if (l->dso && l->dso->kind == DSO_MODULE && (!file || strstr(file, "kallsyms")))
		return ip;
	return l->addr;
}

static void look_up_place(struct sample_cache *c, struct cached_place *p)
{
	u8 mode = (u8)p->how;
	struct location l;

	if (mode == RESOLVE_ANY_MODE || !machine_sealed(c->machine))
		resolve_find(c->machine, c->symbols, p->epoch, mode, p->ip, &l);
	else
		resolver_find(c->resolver, &c->near[(p->epoch + mode) % CACHED_NEAR], p->epoch,
			      mode, p->ip, &l);
	p->addr = frame_addr(&l, p->ip);
	p->name = find_name(c, &l, p->how >> 8);
	p->lines = l.symtab && symtab_has_lines(l.symtab);
	if (l.symtab && l.sym != UINT32_MAX)
		p->symoff = (u32)(l.addr - symtab_range(l.symtab, l.sym).start);
}

/* Return the epoch for an address of that mode. */
static u32 epoch_of(const struct thread_at *at, u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? at->kernel_epoch : at->epoch;
}

static struct place_set *place_set(const struct sample_cache *c, u32 epoch, u64 ip)
{
	return &c->places[hash_u64(ip ^ (u64)epoch << 40) % PLACE_SETS];
}

static bool is_place(const struct cached_place *p, u32 epoch, u32 how, u64 ip)
{
	return p->ip == ip && p->epoch == epoch && p->how == how;
}

const struct cached_place *cached_place(struct sample_cache *c, const struct thread_at *at,
					u8 cpumode, unsigned int style, u64 ip)
{
	u32 epoch = epoch_of(at, cpumode), how = cpumode | style << 8;
	struct place_set *set = place_set(c, epoch, ip);

	if (likely(is_place(&set->v[0], epoch, how, ip)))
		return &set->v[0];
	if (is_place(&set->v[1], epoch, how, ip)) {
		/* an entry that is used again stays when the other one is replaced */
		struct cached_place other = set->v[0];

		set->v[0] = set->v[1];
		set->v[1] = other;
		return &set->v[0];
	}
	set->v[1] = (struct cached_place){ .ip = ip, .epoch = epoch, .how = (u16)how };
	look_up_place(c, &set->v[1]);
	return &set->v[1];
}

void cached_place_prefetch(const struct sample_cache *c, const struct thread_at *at, u8 cpumode,
			   u64 ip)
{
	__builtin_prefetch(place_set(c, epoch_of(at, cpumode), ip));
}
