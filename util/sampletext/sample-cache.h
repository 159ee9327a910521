/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache for the expensive parts of the text of samples, which are rendered once and then copied:
 * the thread, and the symbol at an address, by (epoch, address). Two callbacks define the text.
 * There is one cache for each thread of the program.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_CACHE_H
#define PERF_SAMPLETEXT_SAMPLE_CACHE_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "machine/machine.h"
#include "resolve/resolve.h"

#define CACHED_THREADS 1024 /* direct-mapped, by tid */
#define CACHED_NEAR 16      /* mappings, by epoch and mode */
#define CACHED_SLACK 32     /* readable bytes after every name */

/* The result of the last lookup of a thread. */
struct cached_thread {
	u32 pid, tid;
	bool used;
	struct thread_at at;
	u32 comm;           /* id of the name in the text */
	struct strbuf text; /* owned by the cache; set by the callback */
	u32 mark, mark_len; /* a part of the text; set by the callback */
};

/* The result of the lookup of an address. It is half a cache line, because accesses are random. */
struct cached_place {
	u64 ip, addr; /* addr: addr: in the object */
	u32 epoch;
	u16 how;    /* cpumode | style << 8; 0: a free slot */
	bool lines; /* its object has debug information */
	u32 name;   /* offset of its text in names.buf */
	u32 symoff;
};

/* Two entries with the same hash: the one that is used more often, and the last one. It is a cache
 * line. */
struct place_set {
	struct cached_place v[2];
};

struct sample_cache {
	const struct machine *machine; /* borrowed, sealed */
	struct symbols *symbols;       /* borrowed */
	/* Renders @t->at with its comm into @t->text, which is empty. */
	void (*put_thread)(const struct machine *m, struct cached_thread *t);
	/* Appends the text that all addresses of a symbol have in common; without a symbol, those
	 * of an object. */
	void (*put_name)(const void *ctx, const struct location *l, unsigned int style,
			 struct strbuf *out);
	const void *ctx;               /* borrowed; for put_name */
	struct cached_thread *threads; /* this and the following members are owned */
	struct place_set *places;
	struct resolver *resolver;
	struct resolve_near near[CACHED_NEAR];
	struct strbuf names;
	struct map64 name_of; /* style, dso, symbol -> offset in names */
};

/**
 * sample_cache_init - initialize the cache after the caller has set the members up to ctx.
 * sample_cache_release() frees it.
 */
void sample_cache_init(struct sample_cache *c);
void sample_cache_release(struct sample_cache *c);

/** cached_thread_renew - look a thread up again; a part of cached_thread(). */
void cached_thread_renew(struct sample_cache *c, struct cached_thread *t, u32 pid, u32 tid,
			 u64 time);

/** cached_thread - return the thread of a sample. It is valid until the next call. */
static inline const struct cached_thread *cached_thread(struct sample_cache *c, u32 pid, u32 tid,
							u64 time)
{
	struct cached_thread *t = &c->threads[tid % CACHED_THREADS];

	if (unlikely(!t->used || t->tid != tid || t->pid != pid || time < t->at.from ||
		     time >= t->at.until))
		cached_thread_renew(c, t, pid, tid, time);
	return t;
}

/**
 * cached_place - look up an address of a thread.
 * @style: 1 to 15, passed on to put_name()
 * Return: the entry, valid until the next call.
 */
const struct cached_place *cached_place(struct sample_cache *c, const struct thread_at *at,
					u8 cpumode, unsigned int style, u64 ip);

/**
 * cached_name - return the text that put_name() made for an address. It is valid until the next
 * cached_place().
 */
static inline const char *cached_name(const struct sample_cache *c, const struct cached_place *p)
{
	return c->names.buf + p->name;
}

/** cached_place_prefetch - prefetch the entry of an address that will be looked up soon. */
void cached_place_prefetch(const struct sample_cache *c, const struct thread_at *at, u8 cpumode,
			   u64 ip);

#endif
