// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "symbol/elf-place.h"

#include "arch/elf.h"
#include "base/alloc.h"
#include "base/bisect.h"
#include "base/lines.h"
#include "symbol/radix.h"
#include "symbol/symbol-internal.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

static bool is_place(const struct elf_sym *s)
{
	int type = s->info & 0xf;

	return s->name_len && s->shndx != SHN_UNDEF && type != STT_SECTION && type != STT_FILE;
}

/* Tell whether a symbol has a name, behind which a symbol table may put a version, "name@VERSION". */
static bool is_named(const struct elf_sym *s, const char *name, size_t len)
{
	return s->name_len >= len && !memcmp(s->name, name, len) &&
	       (s->name_len == len || s->name[len] == '@');
}

static int search(const struct elf_image *e, u32 section, const char *name, struct elf_place *out,
		  struct near *near)
{
	size_t len = strlen(name);
	struct elf_symtab t;
	struct elf_sym s;

	if (!elf_image_symtab(e, section, &t))
		return -ENOENT;
	for (size_t i = 0; i < t.nr; i++) {
		char word[128];

		elf_symtab_get(&t, i, &s);
		if (!is_place(&s))
			continue;
		if (is_named(&s, name, len)) {
			out->addr = s.value;
			out->size = s.size;
			out->code = (s.info & 0xf) == STT_FUNC || (s.info & 0xf) == STT_GNU_IFUNC;
			return (s.info & 0xf) == STT_TLS ? -EDOM : 0;
		}
		snprintf(word, sizeof(word), "%.*s", (int)MIN(s.name_len, sizeof(word) - 1),
			 s.name);
		near_add(near, word);
	}
	return -ENOENT;
}

int object_find_place(const char *path, const char *name, struct elf_place *out, struct near *near)
{
	struct elf_image e;
	int rc = elf_image_open(&e, path);

	if (rc)
		return rc;
	memset(out, 0, sizeof(*out));
	for (u32 i = e.nr_segments; i--;) {
		if (e.segments[i].type != PT_LOAD)
			continue;
		out->first_vaddr = e.segments[i].vaddr;
		out->first_offset = e.segments[i].offset;
	}
	rc = search(&e, SHT_SYMTAB, name, out, near);
	if (rc == -ENOENT)
		rc = search(&e, SHT_DYNSYM, name, out, near);
	elf_image_release(&e);
	return rc;
}

/* Tell whether the file mapped as @path is the one that the user calls @object. Both may be links.
 * @root: goes before paths of the process */
static bool is_object(const char *root, const char *path, const char *object)
{
	const char *base = strrchr(path, '/');
	char *want, *real, *full;
	bool is;

	if (!base || *path != '/')
		return false;
	if (!strcmp(strchr(object, '/') ? path : base + 1, object))
		return true;
	want = strchr(object, '/') ? xasprintf("%s%s", *object == '/' ? root : "", object)
				   : xasprintf("%s%.*s/%s", root, (int)(base - path), path, object);
	real = realpath(want, NULL);
	full = xasprintf("%s%s", root, path);
	is = real && (!strcmp(real, path) || !strcmp(real, full));
	free(want);
	free(real);
	free(full);
	return is;
}

/* Find the first mapped file that is @object, or without one the file @exe, and where its byte 0
 * would be. Lines are "START-END perms OFFSET dev inode PATH". @path: its name there, to be
 * freed */
static int find_start(const char *maps, size_t len, const char *root, const char *exe,
		      const char *object, u64 *start, char **path)
{
	const char *p = maps, *end = maps + len;
	struct line l;

	while (next_line(&p, end, &l)) {
		u64 from, offset;
		int name = 0;
		char *line = xstrndup(l.p, (size_t)(l.end - l.p));
		bool is =
			sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*u %n", &from, &offset,
			       &name) == 2 &&
			name &&
			(object ? is_object(root, line + name, object) : !strcmp(line + name, exe));

		if (is) {
			*start = from - offset;
			*path = xstrdup(line + name);
		}
		free(line);
		if (is)
			return 0;
	}
	return object ? -ENXIO : -ESRCH;
}

int process_find_place(const struct sysroot *sr, int pid, const char *object, const char *name,
		       struct elf_place *out, struct near *near)
{
	char *link = sysroot_path(sr, "/proc/%d/exe", pid), exe[4096], *path = NULL, *file;
	char *root = sysroot_path(sr, "/proc/%d/root", pid);
	ssize_t n = readlink(link, exe, sizeof(exe) - 1);
	struct strbuf maps = STRBUF_INIT;
	u64 start = 0;
	int rc = n < 0 ? -errno : sysroot_read(sr, &maps, "/proc/%d/maps", pid);

	if (!rc) {
		exe[n] = 0;
		rc = find_start(strbuf_str(&maps), maps.len, root, exe, object, &start, &path);
	}
	/* the program may have been replaced, or be in a file system of its own */
	file = object && path ? xasprintf("%s%s", root, path) : xstrdup(link);
	if (!rc)
		rc = object_find_place(file, name, out, near);
	if (!rc)
		out->addr += start + out->first_offset - out->first_vaddr;
	strbuf_release(&maps);
	free(file);
	free(path);
	free(root);
	free(link);
	return rc;
}

/* ---- all functions ---- */

#define BACK_MAX 64 /* functions that may be inside of another one */

void functions_release(struct functions *f)
{
	free(f->v);
	free(f->by_name);
	arena_release(&f->names);
	elf_image_release(&f->object);
	elf_image_release(&f->debug);
	*f = (struct functions){ 0 };
}

/* ---- order ---- */

#define KEY_BYTES sizeof(u64)     /* of a name that are compared as a number */
#define KEYED_MAX (KEY_BYTES * 8) /* so many are; the rest is compared as text */
#define RADIX_FROM 256            /* functions that are sorted quicker without comparing them */

static bool same(const struct named_function *a, const struct named_function *b)
{
	return a->addr == b->addr && !strcmp(a->name, b->name);
}

static int by_text(const void *a, const void *b, void *ctx)
{
	const struct functions *f = ctx;
	u32 x = ((const struct radix_item *)a)->of, y = ((const struct radix_item *)b)->of;
	int order = strcmp(f->v[x].name, f->v[y].name);

	return order ? order : (x > y) - (x < y);
}

static int by_key(const void *a, const void *b)
{
	const struct radix_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->of > y->of) - (x->of < y->of);
}

/* Return some bytes of a name, from @at on, as a number that sorts as they do. */
static u64 name_key(const char *name, size_t at)
{
	u64 key = 0;
	size_t i = 0;

	for (; i < KEY_BYTES && name[at + i]; i++)
		key = key << 8 | (u8)name[at + i];
	return i ? key << (KEY_BYTES - i) * 8 : 0;
}

/* Sort functions by their names, of which the first @at bytes are the same. */
static void sort_names(struct functions *f, struct radix_item *v, size_t nr, size_t at)
{
	if (at >= KEYED_MAX) {
		qsort_r(v, nr, sizeof(*v), by_text, f);
		return;
	}
	for (size_t i = 0; i < nr; i++)
		v[i].key = name_key(f->v[v[i].of].name, at);
	if (nr < RADIX_FROM)
		qsort(v, nr, sizeof(*v), by_key);
	else
		radix_sort(v, nr);
	for (size_t first = 0, end; first < nr; first = end) {
		for (end = first + 1; end < nr && v[end].key == v[first].key;)
			end++;
		/* a name that ends among the bytes of its key is that of all others */
		if (end > first + 1 && (u8)v[first].key)
			sort_names(f, v + first, end - first, at + KEY_BYTES);
	}
}

/* Sort the functions by address and name, and leave each there once. */
static void functions_finish(struct functions *f)
{
	struct radix_item *order = xcalloc(f->nr + 1, sizeof(*order));
	struct named_function *v = xcalloc(f->nr + 1, sizeof(*v));
	size_t nr = 0;

	for (size_t i = 0; i < f->nr; i++)
		order[i] = (struct radix_item){ f->v[i].addr, (u32)i };
	radix_sort(order, f->nr);
	for (size_t first = 0, end; first < f->nr; first = end) {
		for (end = first + 1; end < f->nr && order[end].key == order[first].key;)
			end++;
		if (end > first + 1)
			qsort_r(order + first, end - first, sizeof(*order), by_text, f);
	}
	for (size_t i = 0; i < f->nr; i++)
		if (!nr || !same(&v[nr - 1], &f->v[order[i].of]))
			v[nr++] = f->v[order[i].of];
	free(order);
	free(f->v);
	f->v = v;
	f->nr = nr;
}

const u32 *functions_by_name(struct functions *f)
{
	struct radix_item *order;

	if (f->by_name)
		return f->by_name;
	order = xcalloc(f->nr + 1, sizeof(*order));
	for (size_t i = 0; i < f->nr; i++)
		order[i].of = (u32)i;
	sort_names(f, order, f->nr, 0);
	f->by_name = xcalloc(f->nr + 1, sizeof(*f->by_name));
	for (size_t i = 0; i < f->nr; i++)
		f->by_name[i] = order[i].of;
	free(order);
	return f->by_name;
}

static struct named_function *add(struct functions *f, const char *name)
{
	struct named_function *n;

	VEC_GROW(f->v, f->nr + 1, f->cap);
	n = &f->v[f->nr++];
	*n = (struct named_function){ .name = name };
	return n;
}

/* Return a name that ends with a zero byte: the last one of a table may not. */
static const char *whole_name(struct functions *f, const struct elf_symtab *t,
			      const struct elf_sym *s)
{
	return s->name + s->name_len < t->strs + t->strs_len
		       ? s->name
		       : arena_strndup(&f->names, s->name, s->name_len);
}

/* ---- objects ---- */

/* Tell whether a symbol is that of code: of a function, or a label that assembler programs have
 * instead of functions. Its name is not known so far. */
static bool is_code(const struct elf_image *e, const struct elf_sym *s)
{
	u8 type = ELF64_ST_TYPE(s->info);

	if (s->shndx == SHN_UNDEF || s->shndx == SHN_ABS)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	return type == STT_NOTYPE && s->shndx < e->nr_sections &&
	       (e->sections[s->shndx].flags & SHF_EXECINSTR);
}

/* Tell whether the name is one of a function, or of a label for people. */
static bool is_name(const struct elf_sym *s)
{
	return s->name_len &&
	       (ELF64_ST_TYPE(s->info) != STT_NOTYPE || (*s->name != '.' && *s->name != '$'));
}

/* Add the functions of a symbol table. Addresses of a relocatable file are offsets in its sections,
 * as the kernel loads modules. */
static void add_table(struct functions *f, const struct elf_image *syms,
		      const struct elf_image *layout, const struct elf_symtab *t)
{
	for (size_t i = 1; i < t->nr; i++) {
		struct named_function *n;
		struct elf_sym s;

		elf_symtab_entry(t, i, &s);
		if (!is_code(syms, &s))
			continue;
		elf_symtab_get(t, i, &s);
		if (!is_name(&s))
			continue;
		n = add(f, whole_name(f, t, &s));
		n->addr = syms->arch->thumb ? s.value & ~1ULL : s.value;
		n->size = s.size;
		n->global = ELF64_ST_BIND(s.info) != STB_LOCAL;
		n->indirect = ELF64_ST_TYPE(s.info) == STT_GNU_IFUNC;
		n->offset = elf_image_file_addr(layout, n->addr);
	}
}

/* A walk over the stubs by which an object calls functions of libraries. */
struct stubs {
	struct functions *f;
	const struct elf_image *object;
	struct elf_symtab t;
	const struct elf_section *called; /* calls go to this one of two sections; NULL: any */
};

static void add_stub(void *ctx, u64 offset, u64 size, u32 sym)
{
	struct stubs *s = ctx;
	u64 addr = elf_image_vaddr(s->object, offset);
	struct named_function *n;
	const char *name;
	struct strbuf full = STRBUF_INIT;
	size_t len;

	if (s->called && addr - s->called->addr >= s->called->size)
		return;
	name = elf_plt_name(&s->t, sym, &len);
	if (!name || !len)
		return;
	strbuf_addf(&full, "%.*s@plt", (int)len, name);
	n = add(s->f, arena_strndup(&s->f->names, strbuf_str(&full), full.len));
	n->addr = addr;
	n->size = size;
	n->offset = offset;
	n->stub = true;
	strbuf_release(&full);
}

static void add_stubs(struct functions *f)
{
	struct stubs s = { .f = f,
			   .object = &f->object,
			   .called = elf_image_section(&f->object, ".plt.sec") };
	size_t own = f->nr;

	elf_image_plt_each(&f->object, &s.t, add_stub, &s);
	f->only_stubs = !own && f->nr;
}

/* Add the functions of both files. */
static void add_files(struct functions *f, bool debug)
{
	const struct elf_image *other = debug ? &f->debug : NULL;
	const struct elf_image *syms = elf_image_has_symtab(&f->object) ? &f->object : other;
	struct elf_symtab t;

	f->narrow = !f->object.is64;
	f->machine = f->object.machine;
	f->from_debug = syms == other && other;
	if (syms && elf_image_symtab(syms, SHT_SYMTAB, &t))
		add_table(f, syms, &f->object, &t);
	if ((!syms || syms->mini) && elf_image_symtab(&f->object, SHT_DYNSYM, &t))
		add_table(f, &f->object, &f->object, &t);
	if (elf_image_find(syms ? syms : &f->object, "_text", &f->text))
		f->text_name = "_text";
	else if (elf_image_find(syms ? syms : &f->object, "_stext", &f->text))
		f->text_name = "_stext";
}

int functions_of_object(struct functions *f, const char *path, const char *debug, struct err *err)
{
	const char *why = NULL;
	bool opened;
	int rc;

	*f = (struct functions){ 0 };
	rc = elf_image_open(&f->object, path);
	if (rc)
		return err_set(err, rc, "Failed to open %s: %s.", path,
			       rc == -ENOEXEC ? "it is not an ELF file" : err_str(rc));
	opened = debug && !elf_image_open(&f->debug, debug);
	if (!opened && !elf_image_has_symtab(&f->object))
		opened = !elf_image_minidebug(&f->object, &f->debug, &why);
	add_files(f, opened);
	add_stubs(f);
	functions_finish(f);
	if (f->nr)
		return 0;
	return err_set(
		err, -ENODATA,
		"Failed to load symbols from %s: it has none%s%s, and no debug file for it was "
		"found.",
		path, why ? ", its .gnu_debugdata " : "", why ? why : "");
}

/* ---- the running kernel ---- */

/* Tell whether a line of kallsyms is of the module "[name]". */
static bool is_module(const struct ksym *k, const char *module)
{
	size_t len = strlen(module);

	if (!*module)
		return !k->module;
	return k->module && k->module_len == len + 2 && !memcmp(k->module + 1, module, len);
}

static void add_line(struct functions *f, const struct ksym *k)
{
	u8 binding, type;
	struct named_function *n;

	if (!ksym_kind(k->letter, &binding, &type) || type != STT_FUNC)
		return;
	n = add(f, arena_strndup(&f->names, k->name, k->len));
	n->addr = k->addr;
	n->global = binding != 'l';
	if (k->module && k->module_len > 2)
		n->module = arena_strndup(&f->names, k->module + 1, k->module_len - 2);
}

/* Note where the kernel begins: the kernel takes both names, of which "_text" is the usual one. */
static void note_text(struct functions *f, const struct ksym *k)
{
	bool text = k->len == strlen("_text") && !memcmp(k->name, "_text", k->len);

	if (k->module || (!text && (f->text_name || k->len != strlen("_stext") ||
				    memcmp(k->name, "_stext", k->len))))
		return;
	f->text_name = text ? "_text" : "_stext";
	f->text = k->addr;
}

/* A function extends to the next one. */
static void set_sizes(struct functions *f)
{
	for (size_t i = f->nr, next = f->nr; i--;) {
		if (next < f->nr)
			f->v[i].size = f->v[next].addr - f->v[i].addr;
		if (i && f->v[i - 1].addr != f->v[i].addr)
			next = i;
	}
}

int functions_of_kernel(struct functions *f, const struct sysroot *sr, const char *module,
			struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct ksym_text walk;
	bool hidden = true;
	struct ksym k;
	int rc = sysroot_read(sr, &text, "/proc/kallsyms");

	*f = (struct functions){ 0 };
	if (rc) {
		strbuf_release(&text);
		return err_set(err, rc, "cannot read /proc/kallsyms: %s", err_str(rc));
	}
	walk = ksym_text(strbuf_str(&text), text.len);
	while (next_ksym(&walk, &k)) {
		hidden = hidden && !k.addr;
		note_text(f, &k);
		if (!module || is_module(&k, module))
			add_line(f, &k);
	}
	strbuf_release(&text);
	functions_finish(f);
	set_sizes(f);
	return hidden ? err_set(err, -EPERM,
				"the addresses of /proc/kallsyms are hidden from this user: run as "
				"root, or set kernel.kptr_restrict to 1 or 0")
		      : 0;
}

void functions_move(struct functions *f, u64 by)
{
	for (size_t i = 0; i < f->nr; i++)
		if (!f->v[i].module)
			f->v[i].addr += by;
	f->text += by;
	free(f->by_name);
	f->by_name = NULL;
	functions_finish(f);
}

/* ---- looking up ---- */

const u32 *functions_named(struct functions *f, const char *name, size_t *nr)
{
	const u32 *sorted = functions_by_name(f);
	size_t lo = 0, hi = f->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(f->v[sorted[mid]].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*nr = 0;
	while (lo + *nr < f->nr && !strcmp(f->v[sorted[lo + *nr]].name, name))
		++*nr;
	return &sorted[lo];
}

#define LOOKS_MAX 4 /* sorting costs as much as so many looks through all names, and more */

bool functions_several(struct functions *f, const char *name)
{
	size_t nr = 0;

	if (f->by_name || f->looks == LOOKS_MAX) {
		functions_named(f, name, &nr);
		return nr > 1;
	}
	f->looks++;
	for (size_t i = 0; i < f->nr && nr < 2; i++)
		nr += !strcmp(f->v[i].name, name);
	return nr > 1;
}

const struct named_function *functions_at(const struct functions *f, u64 addr)
{
	size_t behind = FIRST_BEHIND(f->v, f->nr, addr, addr);
	size_t last = behind > BACK_MAX ? behind - BACK_MAX : 0;
	const struct named_function *found = NULL;

	/* those that end before the address are passed over: one that has it may be around them */
	for (size_t i = behind; i-- > last && (!found || f->v[i].addr == found->addr);) {
		const struct named_function *n = &f->v[i];

		if (n->size && addr - n->addr >= n->size)
			continue;
		if (!found || (n->global && !found->global))
			found = n;
	}
	return found;
}
