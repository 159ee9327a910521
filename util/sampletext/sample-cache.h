/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is expensive about the text of a sample, rendered once and then copied: whose it is, by
 * thread, and what is at an address, by (epoch, address). How the text looks is up to the two
 * callbacks. One cache per thread of the program.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_CACHE_H
#define PERF_SAMPLETEXT_SAMPLE_CACHE_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "machine/machine.h"
#include "resolve/resolve.h"

#define CACHED_THREADS 1024 /* direct-mapped, by tid */
#define CACHED_NEAR 16      /* mappings, by epoch and mode */
#define CACHED_SLACK 32     /* bytes that can be read behind every name */

/* A thread as last looked up. */
struct cached_thread {
	u32 pid, tid;
	bool used;
	struct thread_at at;
	u32 comm;           /* id of what is in the text */
	struct strbuf text; /* owned by the cache; set by the callback */
	u32 mark, mark_len; /* a part of the text; set by the callback */
};

/* What an address was found to be. Half a cache line, as these are looked up at random. */
struct cached_place {
	u64 ip, addr; /* addr: in the object */
	u32 epoch;
	u32 how;  /* cpumode | style << 8; 0 is a free slot */
	u32 name; /* where its text starts in names.buf */
	u32 symoff;
};

/* Two that would stand at the same place: the one of more use, and the last. A cache line. */
struct place_set {
	struct cached_place v[2];
};

struct sample_cache {
	const struct machine *machine; /* borrowed, sealed */
	struct symbols *symbols;       /* borrowed */
	/* Render @t->at with its comm into the empty @t->text. */
	void (*put_thread)(const struct machine *m, struct cached_thread *t);
	/* Append what all places of a symbol, or without one of an object, have in common. */
	void (*put_name)(const void *ctx, const struct location *l, unsigned int style,
			 struct strbuf *out);
	const void *ctx;               /* borrowed; of put_name */
	struct cached_thread *threads; /* owned from here on */
	struct place_set *places;
	struct resolver *resolver;
	struct resolve_near near[CACHED_NEAR];
	struct strbuf names;
	struct map64 name_of; /* style, dso, symbol -> offset in names */
};

/** sample_cache_init - the caller has set what is above; release with sample_cache_release(). */
void sample_cache_init(struct sample_cache *c);
void sample_cache_release(struct sample_cache *c);

/** cached_thread_renew - look a thread up again; for cached_thread(). */
void cached_thread_renew(struct sample_cache *c, struct cached_thread *t, u32 pid, u32 tid,
			 u64 time);

/** cached_thread - the thread of a sample; valid until the next call. */
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
 * cached_place - what is at an address of a thread.
 * @style: 1 to 15, passed on to put_name()
 * Return: valid until the next call.
 */
const struct cached_place *cached_place(struct sample_cache *c, const struct thread_at *at,
					u8 cpumode, unsigned int style, u64 ip);

/** cached_name - the text that put_name() made for a place; valid until the next cached_place(). */
static inline const char *cached_name(const struct sample_cache *c, const struct cached_place *p)
{
	return c->names.buf + p->name;
}

/** cached_place_prefetch - the place will be asked for soon. */
void cached_place_prefetch(const struct sample_cache *c, const struct thread_at *at, u8 cpumode,
			   u64 ip);

#endif
