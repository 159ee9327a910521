// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects and their identity: path, inode (or the build-id if the record has one), and whether they
 * belong to the kernel, to users or to a guest.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "machine/machine-internal.h"

static u64 ident_key(const char *path, const struct dso_ident *id)
{
	u64 h = hash_bytes(path, strlen(path));

	h = hash_mix(h, (u64)id->maj << 32 | id->min);
	h = hash_mix(h, id->ino);
	h = hash_mix(h, id->gen);
	if (id->inherits)
		h = hash_mix(h, id->inherits->id);
	return hash_mix(h, (u64)id->kind << 8 | id->cpumode);
}

static bool ident_equal(const struct dso *d, const char *path, const struct dso_ident *id)
{
	return d->maj == id->maj && d->min == id->min && d->ino == id->ino &&
	       d->ino_generation == id->gen && d->cpumode == id->cpumode && d->kind == id->kind &&
	       d->inherits == id->inherits &&
	       (!id->build_id_size || !d->build_id_size ||
		(d->build_id_size == id->build_id_size &&
		 !memcmp(d->build_id, id->build_id, id->build_id_size))) &&
	       !strcmp(d->path, path);
}

/* Return "[snd_pcm]" for both "/lib/modules/x/kernel/snd-pcm.ko.xz" and "[snd_pcm]". */
static const char *module_name(struct arena *a, const char *path)
{
	const char *base = strrchr(path, '/');
	const char *dot;
	char *name, *p;
	size_t len;

	if (*path == '[')
		return path;
	base = base ? base + 1 : path;
	dot = strstr(base, ".ko");
	len = dot ? (size_t)(dot - base) : strlen(base);
	name = arena_alloc(a, len + 3);
	name[0] = '[';
	memcpy(name + 1, base, len);
	name[len + 1] = ']';
	name[len + 2] = '\0';
	for (p = name; *p; p++) {
		if (*p == '-')
			*p = '_';
	}
	return name;
}

static const char *short_name(struct dso_table *t, const struct dso *d)
{
	const char *base;
	char *text, *copy;

	switch (d->kind) {
	case DSO_MODULE:
		return module_name(&t->arena, d->path);
	case DSO_KERNEL:
		return t->kernel_name && d->cpumode == PERF_RECORD_MISC_KERNEL ? t->kernel_name
									       : d->path;
	case DSO_PERF_MAP:
		text = xasprintf("[JIT] tid %d", d->pid);
		copy = arena_strdup(&t->arena, text);
		free(text);
		return copy;
	case DSO_USER:
	case DSO_ANON:
	case DSO_JIT:
		if (!*d->path)
			return ".";
		base = strrchr(d->path, '/');
		return base && base[1] ? base + 1 : d->path;
	default:
		return d->path;
	}
}

static void set_build_id(struct dso *d, const u8 *id, u8 size)
{
	d->build_id_size = MIN(size, 20);
	memset(d->build_id, 0, sizeof(d->build_id));
	memcpy(d->build_id, id, d->build_id_size);
}

/* Return the place of the build-id of a path in a cpumode, which is made if @add; UINT32_MAX: there
 * is none. Guests have paths in common with their host. */
static u32 bid_place(struct dso_table *t, const char *path, u8 cpumode, bool add)
{
	char *key = xasprintf("%u%s", cpumode, path);
	u32 at = add ? intern_str_id(&t->bid_paths, key)
		     : intern_find(&t->bid_paths, key, strlen(key));

	free(key);
	return at;
}

static struct dso *find_or_add(struct dso_table *t, const char *path, const struct dso_ident *id)
{
	u64 key = ident_key(path, id);
	struct dso *d;
	u32 *slot, bid;

	/*
	 * The same key for another object is very unlikely except with build-ids; the next key is
	 * used.
	 */
	for (;; key++) {
		slot = map64_slot(&t->by_key, key);
		if (*slot == MAP64_NONE)
			break;
		d = t->dsos[*slot];
		if (ident_equal(d, path, id)) {
			if (id->build_id_size && !d->build_id_size)
				set_build_id(d, id->build_id, id->build_id_size);
			return d;
		}
	}
	d = arena_alloc(&t->arena, sizeof(*d));
	*d = (struct dso){
		.id = (u32)t->nr,
		.path = arena_strdup(&t->arena, path),
		.maj = id->maj,
		.min = id->min,
		.ino = id->ino,
		.ino_generation = id->gen,
		.kind = id->kind,
		.cpumode = id->cpumode,
		.pid = id->pid,
		.inherits = id->inherits,
	};
	d->short_name = short_name(t, d);
	d->jitdump = d->kind == DSO_USER && is_jitdump_path(path);
	if (id->build_id_size)
		set_build_id(d, id->build_id, id->build_id_size);
	else if ((bid = bid_place(t, path, id->cpumode, false)) < t->nr_bids)
		set_build_id(d, t->bids[bid].id, t->bids[bid].size);
	VEC_GROW(t->dsos, t->nr + 1, t->cap);
	*slot = (u32)t->nr;
	t->dsos[t->nr++] = d;
	return d;
}

/* A lookup without a build-id always has the same result: the first object with that key. */
struct dso *dso_get_or_add(struct dso_table *t, const char *path, const struct dso_ident *id)
{
	struct dso **recent = &t->recent[id->ino % RECENT_DSOS];

	if (id->build_id_size)
		return find_or_add(t, path, id);
	if (!*recent || !ident_equal(*recent, path, id))
		*recent = find_or_add(t, path, id);
	return *recent;
}

void dso_add_run(struct dso_table *t, struct dso *d, const struct dso_run *run)
{
	struct dso_run *r = d->runs, *older = r;

	if (r && r->pid == run->pid && r->start == run->start && r->end == run->end &&
	    r->pgoff == run->pgoff)
		return;
	if (d->nr_runs == DSO_RUNS) {
		older = r->older;
	} else {
		r = arena_alloc(&t->arena, sizeof(*r));
		d->nr_runs++;
	}
	*r = *run;
	r->older = older;
	d->runs = r;
}

void dso_set_build_id(struct dso_table *t, const char *path, u8 cpumode, const u8 *id, u8 size)
{
	u32 at = bid_place(t, path, cpumode, true);
	size_t i;

	if (at >= t->nr_bids) {
		VEC_GROW(t->bids, (size_t)at + 1, t->cap_bids);
		memset(t->bids + t->nr_bids, 0, (at + 1 - t->nr_bids) * sizeof(*t->bids));
		t->nr_bids = (size_t)at + 1;
	}
	size = MIN(size, 20);
	t->bids[at].size = size;
	memcpy(t->bids[at].id, id, size);
	for (i = 0; i < t->nr; i++) {
		struct dso *d = t->dsos[i];

		if (!d->build_id_size && d->cpumode == cpumode && !strcmp(d->path, path))
			set_build_id(d, id, size);
	}
}

void dso_table_release(struct dso_table *t)
{
	free(t->dsos);
	free(t->bids);
	map64_release(&t->by_key);
	intern_release(&t->bid_paths);
	arena_release(&t->arena);
}
