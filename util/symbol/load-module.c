// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols and code of kernel modules: as they are loaded, or from a copy of the kernel's memory, or
 * from their files. These are not linked: the loader puts the sections with code that stay in
 * memory one after the other, in the order of the file and each with its alignment, to where the
 * module begins. Those for its start, whose names begin with ".init", are elsewhere and go away.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <unistd.h>

/* ---- files of modules ---- */

/* Tell whether a section is part of the code that stays. */
static bool stays(const struct elf_section *s)
{
	const u64 code = SHF_ALLOC | SHF_EXECINSTR;

	return (s->flags & code) == code && strncmp(s->name, ".init", 5) != 0;
}

static void read_layout(const struct elf_image *e, struct symtab *t)
{
	size_t cap = 0;
	u64 at = 0;

	for (u32 i = 1; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];

		if (!stays(s) || s->size > e->size)
			continue;
		at = s->align > 1 ? (at + s->align - 1) / s->align * s->align : at;
		VEC_GROW(t->sections, t->nr_sections + 1, cap);
		t->sections[t->nr_sections++] =
			(struct module_section){ i, at, s->offset, s->size };
		at += s->size;
	}
}

static const struct module_section *section_of(const struct symtab *t, u16 shndx)
{
	for (size_t i = 0; i < t->nr_sections; i++)
		if (t->sections[i].number == shndx)
			return &t->sections[i];
	return NULL;
}

/* Add the functions of the file to @list, whose names are borrowed from it. */
static void read_functions(const struct elf_image *e, const struct symtab *t, struct sym_list *list)
{
	struct elf_symtab symbols;
	struct sym_new new;
	struct elf_sym s;

	if (!elf_image_symtab(e, SHT_SYMTAB, &symbols))
		return;
	for (size_t i = 1; i < symbols.nr; i++) {
		const struct module_section *in;

		elf_symtab_get(&symbols, i, &s);
		in = section_of(t, s.shndx);
		if (!in || !s.name || s.value >= in->size ||
		    !elf_symbol(e, NULL, &symbols, i, &new))
			continue;
		sym_list_add(list, in->at + s.value, in->at + s.value + s.size, s.name, s.name_len,
			     new.binding, new.type);
	}
}

/* Tell whether the functions are where those of a loaded module are, which @t has. */
static bool agrees(const struct symtab *t, const struct sym_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		const struct sym_new *v = &list->v[i];
		u32 at = symtab_find(t, v->start);
		const char *name = at == UINT32_MAX ? "" : symtab_raw_name(t, at);

		if (strlen(name) == v->len && !memcmp(name, v->name, v->len) &&
		    symtab_range(t, at).start == v->start)
			return true;
	}
	return false;
}

/* ---- their debug files ---- */

/* Tell whether a file has the debug information of a module. @id_size: 0 or less when it has no
 * build-id */
static bool is_debug_file(const char *path, const u8 *id, int id_size)
{
	struct elf_image e;
	u8 found[20];
	bool ok;

	if (elf_image_open(&e, path))
		return false;
	ok = e.type == ET_REL && elf_image_has_debug_info(&e) &&
	     (id_size <= 0 || build_id_same(id, (u8)id_size, found, elf_image_build_id(&e, found)));
	elf_image_release(&e);
	return ok;
}

/* Return the path of a module without the suffix of its compression. The caller frees it. */
static char *plain_path(const char *path)
{
	const char *ko = strstr(path, ".ko.");

	return ko ? xstrndup(path, (size_t)(ko + 3 - path)) : xstrdup(path);
}

/* Find the file with the debug information of the module whose file is at @path and has a build-id:
 * itself, a copy in the build-id cache, or one below /usr/lib/debug. The caller frees it. */
static char *find_debug_file(const struct symbols *s, const struct dso *dso, const char *path,
			     const u8 *id, int id_size)
{
	char *plain = plain_path(dso->path), *found = xstrdup(path);
	struct debug_of of = { .path = plain, .id = id, .id_size = (u8)MAX(id_size, 0) };
	struct debug_place p;
	bool ok = is_debug_file(found, id, id_size);

	if (!ok && id_size > 0) {
		free(found);
		found = cache_path(s, id, (u8)id_size, "debug");
		ok = found && is_debug_file(found, id, id_size);
	}
	for (unsigned n = 0; !ok && debug_place(&of, n, &p); n++) {
		if (!p.path)
			continue;
		free(found);
		found = system_path(s, p.path);
		ok = is_debug_file(found, id, id_size);
		free(p.path);
	}
	free(plain);
	if (ok)
		return found;
	free(found);
	return NULL;
}

static bool use_file(struct symbols *s, const struct dso *dso, struct symtab *t, char *path)
{
	struct sym_list list = { 0 };
	struct elf_image e;
	u8 id[20];
	bool ok = false;
	int size;

	if (!path || elf_image_open(&e, path)) {
		free(path);
		return false;
	}
	size = elf_image_build_id(&e, id);
	if (e.type == ET_REL &&
	    (!dso->build_id_size || build_id_same(dso->build_id, dso->build_id_size, id, size))) {
		read_layout(&e, t);
		read_functions(&e, t, &list);
		ok = list.nr && (!t->nr || agrees(t, &list));
	}
	if (ok && !t->nr) {
		symtab_finish(t, &list, SYMS_ELF, s->conf.demangle_kernel);
		t->file = xstrdup(path);
		t->origin = 'K';
	} else {
		free(list.v);
	}
	if (ok) {
		t->object = path;
		t->debug = find_debug_file(s, dso, path, id, size);
	} else {
		free(path);
		free(t->sections);
		t->sections = NULL;
		t->nr_sections = 0;
	}
	elf_image_release(&e);
	return ok;
}

/* Find the file of a module: its code, and its functions if @t is empty. Return: there is one, and
 * it is what was loaded. */
static bool load_module_file(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	return use_file(s, dso, t, cache_path(s, dso->build_id, dso->build_id_size, "elf")) ||
	       (*dso->path == '/' && use_file(s, dso, t, system_path(s, dso->path)));
}

/* ---- modules in memory ---- */

/* Return the kallsyms of conf.kcore_dir; without text when there is none. */
static const struct kallsyms *kcore_kallsyms(struct symbols *s)
{
	char *path;

	pthread_mutex_lock(&s->kernel_lock);
	if (!s->copy_read) {
		s->copy_read = true;
		path = xasprintf("%s/kallsyms", s->conf.kcore_dir);
		if (kallsyms_open(&s->copy, path))
			s->copy = (struct kallsyms){ 0 };
		free(path);
	}
	pthread_mutex_unlock(&s->kernel_lock);
	return &s->copy;
}

/* Symbols of a loaded module have run-time addresses; the table has offsets from where it was then.
 */
static void module_symbols(struct symbols *s, const struct dso *dso, struct symtab *t,
			   const char *text, size_t len, const char *path)
{
	struct sym_list list = { 0 };
	size_t i, kept = 0;

	if (text)
		kallsyms_symbols(text, len, dso->short_name, 0, &list);
	/* Only what lies where the module was: it may have been loaded anew since. */
	for (i = 0; i < list.nr; i++) {
		struct sym_new *v = &list.v[i];

		if (v->start < dso->base || (dso->size && v->start - dso->base >= dso->size))
			continue;
		v->start -= dso->base;
		v->end = v->start;
		list.v[kept++] = *v;
	}
	list.nr = kept;
	if (!kept) {
		symtab_why_set(t, "module '%s' is not loaded where it was when recorded",
			       dso->short_name);
		free(list.v);
		return;
	}
	t->file = xstrdup(path);
	t->origin = 'k';
	symtab_finish(t, &list, SYMS_KALLSYMS, s->conf.demangle_kernel);
}

static void load_guest_module(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	struct strbuf text = STRBUF_INIT;

	if (!s->conf.guest_kallsyms)
		symtab_why_set(t, "module of a guest: give its symbols with --guestkallsyms");
	else if (sysroot_read(NULL, &text, "%s", s->conf.guest_kallsyms))
		symtab_why_set(t, "cannot read '%s'", s->conf.guest_kallsyms);
	else
		module_symbols(s, dso, t, strbuf_str(&text), text.len, s->conf.guest_kallsyms);
	strbuf_release(&text);
}

/* Use the symbols of a module beside a copy of the kernel's memory, in which its code is. */
static bool use_module_copy(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	const struct kallsyms *k = s->conf.kcore_dir ? kcore_kallsyms(s) : NULL;

	if (!k || !k->text)
		return false;
	module_symbols(s, dso, t, k->text, k->len, s->conf.kcore_dir);
	t->kcore = kcore_path(s->conf.kcore_dir);
	return true;
}

/* Use the symbols of a module that is loaded, if that is the one that was recorded. */
static void use_loaded_module(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	struct strbuf notes = STRBUF_INIT;
	const struct kallsyms *k;
	u8 id[20];
	int ret;

	ret = sysroot_read(s->conf.sysroot, &notes, "/sys/module/%.*s/notes/.note.gnu.build-id",
			   (int)strcspn(dso->short_name + 1, "]"), dso->short_name + 1);
	ret = ret ? ret : note_build_id(strbuf_str(&notes), notes.len, id);
	strbuf_release(&notes);
	if (dso->build_id_size && ret > 0 &&
	    (ret != dso->build_id_size || memcmp(id, dso->build_id, (size_t)ret))) {
		symtab_why_set(t,
			       "the loaded module '%s' is of another build than the recorded one",
			       dso->short_name);
		return;
	}
	k = proc_kallsyms(s);
	module_symbols(s, dso, t, k->text, k->len, "/proc/kallsyms");
	if (t->nr) /* it is where it was */
		t->kcore = sysroot_path(s->conf.sysroot, "/proc/kcore");
}

void load_module(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	if (dso->cpumode != PERF_RECORD_MISC_KERNEL) {
		load_guest_module(s, dso, t);
		return;
	}
	if (use_module_copy(s, dso, t))
		return;
	use_loaded_module(s, dso, t);
	if (load_module_file(s, dso, t)) {
		free(t->why);
		t->why = NULL;
	}
}
