// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the symbols of an object file are: in the file itself, in its debug file (by build-id or
 * debuglink), in the build-id cache, or packed in the file (.gnu_debugdata). Every file that is
 * taken must carry the recorded build-id; when none was recorded, debug files must carry that of
 * the object.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/debug-file.h"
#include "symbol/index-internal.h"
#include "symbol/process-files.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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

/* Take an image that was opened as @path (consumed), when it is the recorded build. */
static bool take_checked(struct search *f, int ret, char *path, struct elf_image *e, char **keep)
{
	u8 id[20];
	int size;

	if (ret) {
		f->open_error = f->open_error && ret == -ENOENT ? f->open_error : ret;
		free(path);
		return false;
	}
	size = f->id_size ? elf_image_build_id(e, id) : 0;
	if (f->id_size && !build_id_same(f->id, (u8)f->id_size, id, size)) {
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

/* Open @path (consumed) when it is the recorded build. */
static bool open_checked(struct search *f, char *path, struct elf_image *e, char **keep)
{
	return path && take_checked(f, elf_image_open(e, path), path, e, keep);
}

/* ---- the root directories of processes ---- */

/* Tell whether processes here do not have the object: below --symfs is another system, and so are
 * guests. */
static bool not_here(const struct search *f)
{
	return (f->s->conf.symfs.dir && *f->s->conf.symfs.dir) ||
	       f->dso->cpumode != PERF_RECORD_MISC_USER || f->dso->path[0] != '/';
}

/* A process that maps the object and has a root directory of its own, or mount namespace, the next
 * one after @run (NULL: the first). */
static const struct dso_run *next_elsewhere(const struct search *f, const struct dso_run *run)
{
	u32 last = run ? run->pid : 0;

	if (not_here(f))
		return NULL;
	for (run = run ? run->older : f->dso->runs; run; run = run->older) {
		if (run->pid != last && process_elsewhere(f->s->conf.sysroot, run->pid))
			return run;
		last = run->pid;
	}
	return NULL;
}

/* Tell whether a file is the recorded one. Without a build-id, device and inode say so. */
static bool recorded_file(const struct search *f, u32 pid, int fd)
{
	const struct dso *d = f->dso;
	struct stat st;

	if (!d->ino)
		return false;
	if (!fstat(fd, &st) && st.st_ino == d->ino && major(st.st_dev) == d->maj &&
	    minor(st.st_dev) == d->min)
		return true;
	/* Layered file systems show another device than the mappings have. */
	return process_maps_file(f->s->conf.sysroot, pid, d->path, d->maj, d->min, d->ino);
}

static bool open_of_process(struct search *f, u32 pid, const char *path, struct elf_image *e,
			    char **keep)
{
	int fd = process_file_open(f->s->conf.sysroot, pid, path);

	if (fd < 0)
		return false;
	if (!f->id_size && !recorded_file(f, pid, fd)) {
		close(fd);
		return false;
	}
	return take_checked(f, elf_image_open_fd(e, fd),
			    process_file_path(f->s->conf.sysroot, pid, path), e, keep);
}

static bool find_object_elsewhere(struct search *f)
{
	const struct dso_run *run = NULL;

	while ((run = next_elsewhere(f, run)))
		if (open_of_process(f, run->pid, f->dso->path, &f->object, &f->object_path))
			return true;
	return false;
}

/* Take a file that was deleted from a process that still maps it. */
static bool find_mapped(struct search *f)
{
	struct stat st;
	char *path;

	for (const struct dso_run *run = not_here(f) ? NULL : f->dso->runs; run; run = run->older) {
		path = process_mapped_path(f->s->conf.sysroot, run->pid, run->start, run->end);
		if (!stat(path, &st) && st.st_ino == f->dso->ino &&
		    open_checked(f, xstrdup(path), &f->object, &f->object_path)) {
			free(path);
			return true;
		}
		free(path);
	}
	return false;
}

/* ---- the object ---- */

/* The file of that name here is another one than the recorded. */
static bool other_file(const struct search *f, const char *path)
{
	struct stat st;

	return !f->id_size && f->dso->ino &&
	       (stat(path, &st) || st.st_ino != f->dso->ino || major(st.st_dev) != f->dso->maj ||
		minor(st.st_dev) != f->dso->min);
}

static bool find_by_path(struct search *f)
{
	const struct symfs *symfs = &f->s->conf.symfs;
	const char *path = f->dso->path;
	size_t len = strlen(path);
	static const char deleted[] = " (deleted)";
	char *kept;
	bool found;

	if (path[0] == '/' && other_file(f, path) && find_object_elsewhere(f))
		return true;
	if (path[0] == '/' && open_checked(f, symfs_path(symfs, path), &f->object, &f->object_path))
		return true;
	/* A deleted file may have been put back; the build-id tells whether it is the same. */
	if (!f->id_size || len <= strlen(deleted) || strcmp(path + len - strlen(deleted), deleted))
		return false;
	kept = xstrndup(path, len - strlen(deleted));
	found = open_checked(f, symfs_path(symfs, kept), &f->object, &f->object_path);
	free(kept);
	return found;
}

static void find_object(struct search *f)
{
	f->origin = 'd';
	if (find_by_path(f))
		return;
	f->origin = 'B';
	if (open_checked(f, cache_path(f->s, f->id, (u8)f->id_size, "elf"), &f->object,
			 &f->object_path))
		return;
	if ((f->id_size && find_object_elsewhere(f)) || find_mapped(f))
		f->origin = 'd';
	else
		open_checked(f, debuginfod_cached(f->id, (u8)f->id_size, "executable"), &f->object,
			     &f->object_path);
}

/* ---- its debug file ---- */

/* Take the debug file that was just opened, if it has symbols. */
static bool take_debug(struct search *f, bool opened, char origin)
{
	if (!opened)
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

static bool try_debug(struct search *f, char *path, char origin)
{
	return take_debug(f, open_checked(f, path, &f->debug, &f->debug_path), origin);
}

/* Look for debug information in all places below one root directory: that of process @pid, or (0)
 * ours. */
static bool find_below(struct search *f, const struct debug_of *of, u32 pid)
{
	struct debug_place p;
	bool found = false;

	for (unsigned n = 0; !found && debug_place(of, n, &p); n++) {
		if (p.path && pid)
			found = take_debug(
				f, open_of_process(f, pid, p.path, &f->debug, &f->debug_path),
				p.origin);
		else if (p.path)
			found = try_debug(f,
					  p.system ? system_path(f->s, p.path)
						   : symfs_path(&f->s->conf.symfs, p.path),
					  p.origin);
		free(p.path);
	}
	return found;
}

static bool find_debug(struct search *f)
{
	struct debug_of of = { .path = f->dso->path, .id = f->id, .id_size = (u8)f->id_size };
	const struct dso_run *run = NULL;
	u8 id[20];
	int size;

	if (f->object_path && elf_image_has_symtab(&f->object))
		return false;
	if (!f->id_size)
		return false;
	if (f->object_path) {
		of.link = elf_image_debuglink(&f->object);
		size = elf_image_build_id(&f->object, id);
		if (size > 0) { /* as it is in the names of files */
			of.id = id;
			of.id_size = (u8)size;
		}
	}
	if (try_debug(f, cache_path(f->s, f->id, (u8)f->id_size, "debug"), 'D') ||
	    find_below(f, &of, 0))
		return true;
	while ((run = next_elsewhere(f, run)))
		if (find_below(f, &of, run->pid))
			return true;
	return try_debug(f, debuginfod_cached(f->id, (u8)f->id_size, "debuginfo"), 'D') ||
	       try_debug(f, cache_path(f->s, f->id, (u8)f->id_size, "elf"), 'B');
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

/* Tell whether nothing says that there ever was an ELF file. */
static bool no_elf_file(const struct search *f)
{
	return !f->object_path && !f->debug_path && !f->id_size;
}

/* Make the symbol table by way of a list. */
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

/* Return where the table is kept. Only that of an object that is there is, whose headers tell
 * addresses. */
static struct esyms_keep table_key(const struct search *f)
{
	struct esyms_keep k = { .cache = f->s->cache,
				.key = { .kind = OBJCACHE_SYMBOLS,
					 .version = ESYMS_INDEX_VERSION } };

	memcpy(k.key.id, f->id, sizeof(k.key.id));
	k.key.id_size = f->object_path ? (u8)f->id_size : 0;
	return k;
}

/* Tell whether there is debug information, or what an earlier run found in it. @table: as of
 * table_key() */
static bool has_lines(const struct search *f, const struct objcache_key *table)
{
	struct objcache_key lines = *table;

	lines.kind = OBJCACHE_LINES;
	return elf_image_has_debug_info(f->debug_path && !f->debug.mini ? &f->debug : &f->object) ||
	       objcache_has(f->s->cache, &lines);
}

void load_elf(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	struct search f = { .s = s, .dso = dso, .id_size = dso->build_id_size };
	bool demangle = !s->conf.no_demangle;
	struct esyms_keep keep;

	memcpy(f.id, dso->build_id, sizeof(f.id));
	find_object(&f);
	if (f.object_path && !f.id_size)
		f.id_size = MAX(elf_image_build_id(&f.object, f.id), 0);
	keep = table_key(&f);
	find_debug(&f);
	find_minidebug(&f);
	if (f.mini_why)
		symtab_why_set(t, "section .gnu_debugdata of '%s' %s", f.object_path, f.mini_why);
	t->has_lines = has_lines(&f, &keep.key);
	if (!(no_elf_file(&f) && load_run_time_code(s, dso, t)) &&
	    !esyms_table(t, &f.object, &f.debug, demangle, &keep))
		list_symbols(&f, t, demangle);
	if (!t->nr && !t->why)
		explain(&f, t);
	else if (t->nr && !t->origin)
		t->origin = f.origin == 'd' && dso->kind == DSO_MODULE ? 'K' : f.origin;
	elf_image_release(&f.object);
	elf_image_release(&f.debug);
	if (!t->file)
		t->file = f.debug_path    ? f.debug_path
			  : f.object_path ? xstrdup(f.object_path)
					  : NULL;
	t->object = f.object_path;
}
