// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep all tables of a session: they are made empty on demand, and whoever asks first loads one. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct objcache *open_cache(const struct symconf *conf)
{
	struct objcache_conf cache = conf->cache;
	char *dir = objcache_folder(cache.dir, conf->buildid_dir);
	struct objcache *c;

	cache.dir = dir;
	c = objcache_new(&cache);
	free(dir);
	return c;
}

struct symbols *symbols_new(const struct symconf *conf)
{
	struct symbols *s = xzalloc(sizeof(*s));
	const char *home = getenv("HOME");

	s->conf = *conf;
	if (!conf->buildid_dir && home)
		s->conf.buildid_dir = s->default_cache = xasprintf("%s/.debug", home);
	s->cache = open_cache(&s->conf);
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->kernel_lock, NULL);
	return s;
}

struct objcache *symbols_cache(const struct symbols *s)
{
	return s->cache;
}

const struct line_source *symbols_line_source(const struct symbols *s)
{
	return &s->conf.lines;
}

void symbols_set_os_release(struct symbols *s, const char *release)
{
	char *copy = release ? xstrdup(release) : NULL;

	pthread_mutex_lock(&s->kernel_lock);
	free(s->os_release);
	s->os_release = copy;
	s->conf.os_release = copy;
	pthread_mutex_unlock(&s->kernel_lock);
}

void symtab_clear(struct symtab *t)
{
	sparse_release(&t->names, true);
	ksyms_free(t->ksyms);
	esyms_free(t->esyms);
	free(t->syms);
	free(t->reaches.v);
	free(t->buckets);
	free(t->strs);
	free(t->why);
	free(t->file);
	free(t->object);
	free(t->kcore);
	free(t->debug);
	free(t->sections);
}

void symtab_move(struct symtab *to, struct symtab *from)
{
	to->ksyms = from->ksyms;
	to->esyms = from->esyms;
	to->syms = from->syms;
	to->reaches = from->reaches;
	to->nr = from->nr;
	to->buckets = from->buckets;
	to->shift = from->shift;
	to->strs = from->strs;
	to->names = from->names;
	to->demangles = from->demangles;
	to->why = from->why;
	to->file = from->file;
	to->object = from->object;
	to->kcore = from->kcore;
	to->sections = from->sections;
	to->nr_sections = from->nr_sections;
	to->origin = from->origin;
	to->moved = from->moved;
	to->bpf = from->bpf;
	to->has_lines = from->has_lines;
	to->debug = from->debug;
	memset(from, 0, sizeof(*from));
}

void symtab_free(struct symtab *t)
{
	if (!t)
		return;
	symtab_clear(t);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

void symbols_free(struct symbols *s)
{
	size_t i;

	if (!s)
		return;
	symbols_end_ahead(s);
	for (i = 0; i < s->nr; i++)
		symtab_free(s->tables[i]);
	free(s->tables);
	kallsyms_release(&s->proc);
	kallsyms_release(&s->copy);
	bpf_programs_release(&s->bpf);
	objcache_free(s->cache);
	free(s->default_cache);
	free(s->os_release);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->kernel_lock);
	free(s);
}

static char *cache_path_of(const struct symbols *s, const u8 *id, u8 size, const char *leaf)
{
	char hex[41], *dir, *path;

	if (!s->conf.buildid_dir || !*s->conf.buildid_dir || !size)
		return NULL;
	build_id_hex(id, size, hex);
	dir = xasprintf("%s/.build-id/%.2s/%s", s->conf.buildid_dir, hex, hex + 2);
	path = xasprintf("%s/%s", dir, leaf);
	if (!access(path, R_OK)) {
		free(dir);
		return path;
	}
	free(path);
	/* Old caches have the object itself where newer ones have a folder. */
	if (!strcmp(leaf, "elf") && !access(dir, R_OK))
		return dir;
	free(dir);
	return NULL;
}

char *cache_path(const struct symbols *s, const u8 *id, u8 size, const char *leaf)
{
	char *path = cache_path_of(s, id, size, leaf);

	/* It may be a shorter one that was padded, see build_id_same(). */
	for (u8 n = size; !path && size % 4 == 0 && n > 1 && size - n < 3 && !id[n - 1]; n--)
		path = cache_path_of(s, id, (u8)(n - 1), leaf);
	return path;
}

static bool vdso_symbols(const struct dso *dso, const struct elf_image *e, struct sym_list *list)
{
	u8 id[20];
	int size = elf_image_build_id(e, id);

	if (dso->build_id_size && !build_id_same(dso->build_id, dso->build_id_size, id, size))
		return false;
	return elf_image_symbols(e, e, false, 0, list) > 0;
}

static void load_vdso(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	size_t size;
	const u8 *base = vdso_image(&size);
	char *cached = cache_path(s, dso->build_id, dso->build_id_size, "vdso");
	struct sym_list list = { 0 };
	struct elf_image e;

	/* Below another root is another system, with a kernel of its own. */
	if (s->conf.symfs.dir && s->conf.symfs.dir[strspn(s->conf.symfs.dir, "/")])
		base = NULL;
	if (base && !strcmp(dso->path, "[vdso]") && !elf_image_memory(&e, base, size)) {
		vdso_symbols(dso, &e, &list);
		elf_image_release(&e);
	}
	if (!list.nr && cached && !elf_image_open(&e, cached)) {
		if (vdso_symbols(dso, &e, &list)) {
			t->file = xstrdup(cached);
			t->origin = 'B';
		}
		/* Names are borrowed from the image, so the table is finished before it goes. */
		symtab_finish(t, &list, SYMS_ELF, false);
		elf_image_release(&e);
	}
	free(cached);
	if (list.nr)
		symtab_finish(t, &list, SYMS_ELF, false);
	if (t->nr && !t->origin)
		t->origin = 'p';
	else if (!t->nr)
		symtab_why_set(
			t,
			"the recorded vdso is not this kernel's and is not in the build-id cache");
	free(list.v);
}

void symbols_set_bpf(struct symbols *s, const struct bpf_features *f)
{
	pthread_mutex_lock(&s->kernel_lock);
	if (!s->bpf_read)
		s->bpf_features = *f;
	pthread_mutex_unlock(&s->kernel_lock);
}

/* Return what the recording knows of the program, or NULL. */
static const struct bpf_function *bpf_function(struct symbols *s, const struct dso *dso)
{
	const struct bpf_features *f = &s->bpf_features;

	pthread_mutex_lock(&s->kernel_lock);
	if (!s->bpf_read && f->info)
		bpf_programs_read(&s->bpf, f->info, f->info_size, f->btf, f->btf_size);
	s->bpf_read = true;
	pthread_mutex_unlock(&s->kernel_lock);
	return bpf_programs_find(&s->bpf, dso->base, dso->size, dso->path);
}

/* A BPF program is one function that has the name of its object. */
static void load_bpf(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	struct sym_list list = { 0 };

	t->bpf = bpf_function(s, dso);

	sym_list_add(&list, 0, dso->size ? dso->size : UINT64_MAX, dso->path, strlen(dso->path),
		     'g', STT_FUNC);
	symtab_finish(t, &list, SYMS_ELF, false);
	t->origin = 'k';
}

/* A piece of run-time compiled code is one function as well. It stands where image files of it
 * would have it. */
static void load_jit(const struct dso *dso, struct symtab *t, bool demangle)
{
	struct sym_list list = { 0 };

	u64 start = JIT_CODE_OFFSET + dso->base;

	sym_list_add(&list, start, start + dso->size, dso->ref_sym, strlen(dso->ref_sym), 'l',
		     STT_FUNC);
	symtab_finish(t, &list, SYMS_ELF, demangle);
	t->origin = 'j';
}

static void load(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	switch (dso->kind) {
	case DSO_KERNEL:
		if (!symbols_take_ahead(s, dso, t))
			load_kernel(s, dso, t);
		break;
	case DSO_MODULE:
		t->origin = 'K'; /* the lists that name it say so */
		load_module(s, dso, t);
		break;
	case DSO_VDSO:
		load_vdso(s, dso, t);
		break;
	case DSO_BPF:
		load_bpf(s, dso, t);
		break;
	case DSO_PERF_MAP:
		load_perf_map(s, dso, t);
		break;
	case DSO_JIT:
		load_jit(dso, t, !s->conf.no_demangle);
		break;
	case DSO_ANON:
		symtab_why_set(t, "memory without a file");
		break;
	default:
		load_elf(s, dso, t);
	}
}

const struct symtab *symbols_load(struct symbols *s, const struct dso *dso)
{
	struct symtab *t;

	pthread_mutex_lock(&s->lock);
	if (dso->id >= s->nr) {
		VEC_GROW(s->tables, (size_t)dso->id + 1, s->cap);
		memset(s->tables + s->nr, 0, (dso->id + 1 - s->nr) * sizeof(*s->tables));
		s->nr = (size_t)dso->id + 1;
	}
	t = s->tables[dso->id];
	if (!t) {
		t = s->tables[dso->id] = xzalloc(sizeof(*t));
		pthread_mutex_init(&t->lock, NULL);
	}
	pthread_mutex_unlock(&s->lock);
	if (atomic_load_explicit(&t->loaded, memory_order_acquire))
		return t;
	pthread_mutex_lock(&t->lock);
	if (!atomic_load(&t->loaded)) {
		load(s, dso, t);
		t->parameters = s->conf.parameters;
		t->bare = s->conf.bare_names;
		if (t->bare && t->nr && !t->names.blocks)
			sparse_init(&t->names, t->nr);
		atomic_store_explicit(&t->loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&t->lock);
	return t;
}
