// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the symbols of an object file are: in the file itself, in its debug file (by build-id or
 * debuglink), in the build-id cache, or packed in the file (.gnu_debugdata). Every file that is
 * taken must carry the recorded build-id; when none was recorded, debug files must carry that of
 * the object.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <unistd.h>

struct search {
	struct symbols *s;
	const struct dso *dso;
	u8 id[20];
	int id_size; /* 0: nothing to compare with */
	struct elf_image object, debug;
	char *object_path, *debug_path; /* owned, NULL: not found */
	char origin;
	int open_error;
	const char *mini_why; /* .gnu_debugdata is there and cannot be used; NULL */
	u8 other_id[20];      /* of a file that was there but is another build */
	int other_size;
};

/* Open @path (consumed) when it is the recorded build. */
static bool open_checked(struct search *f, char *path, struct elf_image *e, char **keep)
{
	u8 id[20];
	int ret, size;

	if (!path)
		return false;
	ret = elf_image_open(e, path);
	if (ret) {
		f->open_error = f->open_error && ret == -ENOENT ? f->open_error : ret;
		free(path);
		return false;
	}
	size = f->id_size ? elf_image_build_id(e, id) : 0;
	if (f->id_size && (size != f->id_size || memcmp(id, f->id, (size_t)size))) {
		if (size > 0) {
			memcpy(f->other_id, id, 20);
			f->other_size = size;
		}
		elf_image_release(e);
		free(path);
		return false;
	}
	*keep = path;
	return true;
}

static void find_object(struct search *f)
{
	const char *symfs = f->s->conf.symfs ? f->s->conf.symfs : "", *path = f->dso->path;
	size_t len = strlen(path);
	static const char deleted[] = " (deleted)";

	f->origin = 'd';
	if (path[0] == '/' &&
	    open_checked(f, xasprintf("%s%s", symfs, path), &f->object, &f->object_path))
		return;
	/* What was deleted may have been put back: the build-id tells. */
	if (f->id_size && len > strlen(deleted) && !strcmp(path + len - strlen(deleted), deleted) &&
	    open_checked(f, xasprintf("%s%.*s", symfs, (int)(len - strlen(deleted)), path),
			 &f->object, &f->object_path))
		return;
	f->origin = 'B';
	open_checked(f, cache_path(f->s, f->id, (u8)f->id_size, "elf"), &f->object,
		     &f->object_path);
}

static bool try_debug(struct search *f, char *path, char origin)
{
	if (!open_checked(f, path, &f->debug, &f->debug_path))
		return false;
	if (elf_image_has_symtab(&f->debug)) {
		f->origin = origin;
		return true;
	}
	elf_image_release(&f->debug);
	free(f->debug_path);
	f->debug_path = NULL;
	return false;
}

/* Name in .gnu_debuglink: a base name, zero-terminated, then a checksum; NULL without. */
static const char *debuglink(const struct elf_image *e)
{
	const struct elf_section *s = elf_image_section(e, ".gnu_debuglink");
	size_t len;
	const u8 *bytes = s ? elf_image_bytes(e, s, &len) : NULL;

	if (!bytes || !memchr(bytes, 0, len) || !*bytes ||
	    memchr(bytes, '/', strlen((const char *)bytes)))
		return NULL;
	return (const char *)bytes;
}

static bool find_debuglink(struct search *f)
{
	const char *link = f->object_path ? debuglink(&f->object) : NULL;
	const char *path = f->dso->path, *slash = strrchr(path, '/');
	const char *symfs = f->s->conf.symfs ? f->s->conf.symfs : "";
	const struct sysroot *sr = f->s->conf.sysroot;
	int dir = slash ? (int)(slash - path) : 0;

	/* Without a build-id a file of that name could be anything. */
	if (!link || !slash || !f->id_size)
		return false;
	return try_debug(f, xasprintf("%s%.*s/%s", symfs, dir, path, link), 'l') ||
	       try_debug(f, xasprintf("%s%.*s/.debug/%s", symfs, dir, path, link), 'l') ||
	       try_debug(f, sysroot_path(sr, "%s/usr/lib/debug%.*s/%s", symfs, dir, path, link),
			 'l');
}

static bool find_debug(struct search *f)
{
	const struct sysroot *sr = f->s->conf.sysroot;
	const char *symfs = f->s->conf.symfs ? f->s->conf.symfs : "";
	char hex[41];

	if (f->object_path && elf_image_has_symtab(&f->object))
		return false;
	build_id_hex(f->id, (u8)f->id_size, hex);
	if (f->id_size && (try_debug(f, cache_path(f->s, f->id, (u8)f->id_size, "debug"), 'D') ||
			   try_debug(f,
				     sysroot_path(sr, "%s/usr/lib/debug/.build-id/%.2s/%s.debug",
						  symfs, hex, hex + 2),
				     'b')))
		return true;
	return find_debuglink(f) ||
	       (f->id_size &&
		(try_debug(f, sysroot_path(sr, "%s/usr/lib/debug%s.debug", symfs, f->dso->path),
			   'f') ||
		 try_debug(f, sysroot_path(sr, "%s/usr/lib/debug%s", symfs, f->dso->path), 'u') ||
		 try_debug(f, cache_path(f->s, f->id, (u8)f->id_size, "elf"), 'B')));
}

/* The table that a stripped program has in itself. */
static void find_minidebug(struct search *f)
{
	if (!f->object_path || f->debug_path || elf_image_has_symtab(&f->object) ||
	    elf_image_minidebug(&f->object, &f->debug, &f->mini_why))
		return;
	f->debug_path = xstrdup(f->object_path);
	f->origin = 'n';
}

static void explain(struct search *f, struct symtab *t)
{
	char want[41], found[41];

	build_id_hex(f->id, (u8)f->id_size, want);
	build_id_hex(f->other_id, (u8)f->other_size, found);
	if (f->object_path)
		symtab_why_set(t, "'%s' has no symbols, and no debug file for it was found",
			       f->object_path);
	else if (f->other_size)
		symtab_why_set(
			t,
			"'%s' changed since the recording: build-id %s was recorded, %s is there",
			f->dso->path, want, found);
	else if (f->dso->path[0] != '/')
		symtab_why_set(t, "'%s' is not a file", f->dso->path);
	else
		symtab_why_set(t, "cannot open '%s': %s", f->dso->path,
			       err_str(f->open_error ? f->open_error : -ENOENT));
}

/* By way of a list. */
static void list_symbols(const struct search *f, struct symtab *t, bool demangle)
{
	const struct elf_image *syms = f->debug_path ? &f->debug : &f->object;
	const struct elf_image *layout = f->object_path ? &f->object : &f->debug;
	struct sym_list list = { 0 };
	struct arena names = { 0 };

	if (f->object_path || f->debug_path)
		elf_image_symbols(syms, layout, false, 0, &list);
	if (f->debug.mini)
		elf_image_symbols(&f->object, layout, false, 0, &list);
	if (f->object_path)
		elf_image_plt(&f->object, &names, &list);
	symtab_finish(t, &list, SYMS_ELF, demangle);
	arena_release(&names);
}

void load_elf(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	struct search f = { .s = s, .dso = dso, .id_size = dso->build_id_size };
	bool demangle = !s->conf.no_demangle;

	memcpy(f.id, dso->build_id, sizeof(f.id));
	find_object(&f);
	if (f.object_path && !f.id_size)
		f.id_size = MAX(elf_image_build_id(&f.object, f.id), 0);
	find_debug(&f);
	find_minidebug(&f);
	if (f.mini_why)
		symtab_why_set(t, "section .gnu_debugdata of '%s' %s", f.object_path, f.mini_why);
	if (!esyms_table(t, &f.object, &f.debug, demangle))
		list_symbols(&f, t, demangle);
	if (!t->nr && !t->why)
		explain(&f, t);
	else if (t->nr)
		t->origin = f.origin == 'd' && dso->kind == DSO_MODULE ? 'K' : f.origin;
	elf_image_release(&f.object);
	elf_image_release(&f.debug);
	t->file = f.debug_path ? f.debug_path : f.object_path ? xstrdup(f.object_path) : NULL;
	t->object = f.object_path;
}
