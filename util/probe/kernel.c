// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel and its modules. Files of modules are not linked, so copies are read that are. Where a
 * module is in memory does not matter: the kernel is told its name, a function of it and a
 * distance.
 */
#include "base/compat.h"
#include "probe/kernel-internal.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "probe/find-file.h"
#include "symbol/elf-link.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <unistd.h>

/* ---- the kernel itself ---- */

/* Refuse the file of another build than the kernel that runs: its addresses would be anywhere. */
static int check_build(const struct probe_object *o, struct err *err)
{
	u8 runs[20], has[20];
	int nr_runs = object_id(o->target->sysroot, "[kernel.kallsyms]", true, 0, runs);
	int nr_has = elf_build_id(o->file, has);
	char hex_runs[41], hex_has[41];

	if (nr_runs <= 0 || nr_has <= 0 || build_id_same(runs, (u8)nr_runs, has, nr_has))
		return 0;
	build_id_hex(runs, (u8)nr_runs, hex_runs);
	build_id_hex(has, (u8)nr_has, hex_has);
	return err_set(err, -ENOENT,
		       "Failed to find the path for the kernel: Mismatching build id: %s has %s, "
		       "the running kernel %s. Name the file of this kernel with -k, or show "
		       "definitions for another one with --definition.",
		       o->file, hex_has, hex_runs);
}

int probe_kernel_open(struct probe_object *o, struct err *err)
{
	const struct probe_target *t = o->target;
	int rc;

	o->file = t->vmlinux ? xstrdup(t->vmlinux) : probe_kernel_file(t);
	rc = o->file && !t->offline ? check_build(o, err) : 0;
	/* one that was not asked for is not there */
	if (rc && !t->vmlinux) {
		free(o->file);
		o->file = NULL;
		return 0;
	}
	return rc;
}

void probe_kernel_move(struct probe_object *o)
{
	struct elf_image image;
	u64 linked;

	if (!o->file || !o->functions.text_name || elf_image_open(&image, o->file))
		return;
	if (elf_image_find(&image, o->functions.text_name, &linked)) {
		o->moved = o->functions.text - linked;
		functions_move(&o->functions, -o->moved);
	}
	elf_image_release(&image);
}

/* ---- modules ---- */

/* Return the name that the kernel gives to the module of a file: it writes _ where files have -.
 * The caller frees it. */
static char *name_of(const char *path)
{
	const char *base = strrchr(path, '/');
	char *name;

	base = base ? base + 1 : path;
	name = xstrndup(base, strcspn(base, "."));
	for (char *p = name; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return name;
}

/* Tell whether the module that is loaded is of another build than the file. */
static bool differs(const struct probe_object *o, const char *path)
{
	char *loaded = xasprintf("[%s]", o->module);
	u8 has[20], runs[20];
	int nr_runs = object_id(o->target->sysroot, loaded, true, 0, runs);
	int nr_has = elf_build_id(path, has);

	free(loaded);
	return nr_runs > 0 && nr_has > 0 && !build_id_same(runs, (u8)nr_runs, has, nr_has);
}

/* Read a file of the module, whose path the object owns from here on. */
static int use_file(struct probe_object *o, char *path, struct err *err)
{
	char *file = probe_file_of(o->target, path);
	int fd = elf_link_open(file);

	free(file);
	if (fd < 0) {
		free(path);
		return err_set(err, fd, "Failed to open the module %s: %s.", o->target->module,
			       fd == -ENOEXEC  ? "it is not an ELF file"
			       : fd == -EINVAL ? "it is a program, not a module"
					       : err_str(fd));
	}
	o->named = path;
	o->file_fd = fd;
	o->file = xasprintf("/proc/self/fd/%d", fd);
	return 0;
}

/* Take the file that a loaded module has in the tree of modules, if it is of the same build. */
static int open_by_name(struct probe_object *o, struct err *err)
{
	const char *path = o->target->module_file;

	o->module = xstrdup(o->target->module);
	if (!path || access(path, R_OK) || differs(o, path))
		return 0;
	return use_file(o, xstrdup(path), err);
}

int probe_module_open(struct probe_object *o, struct err *err)
{
	const char *module = o->target->module;
	char *path;

	if (!strpbrk(module, "/."))
		return open_by_name(o, err);
	path = probe_real_path(o->target, module);
	if (!path)
		return err_set(err, -errno, "Failed to find the module %s: %s.", module,
			       err_str(-errno));
	o->module = name_of(path);
	return use_file(o, path, err);
}

/* ---- functions that are elsewhere ---- */

/* Tell of what is loaded. Return: whether it has the function. */
static bool put_loaded_owner(const struct probe_object *o, const char *function, struct strbuf *out)
{
	struct err ignored = { 0 };
	struct functions all;
	size_t nr = 0;
	const u32 *at;

	if (functions_of_kernel(&all, o->target->sysroot, NULL, &ignored))
		return false;
	at = functions_named(&all, function, &nr);
	if (nr && all.v[*at].module)
		strbuf_addf(out, "\nThe module %s has it: name that with -m.", all.v[*at].module);
	else if (nr)
		strbuf_addstr(out, "\nThe kernel itself has it: leave out -m.");
	functions_release(&all);
	return nr > 0;
}

/* Return the module of a line "alias symbol:FUNCTION MODULE"; the caller frees it. NULL: the line
 * is about another function. */
static char *module_of_alias(const struct line *l, const char *function)
{
	static const char head[] = "alias symbol:";
	size_t skip = strlen(head), len = strlen(function);

	if ((size_t)(l->end - l->p) <= skip + len || memcmp(l->p, head, skip) ||
	    memcmp(l->p + skip, function, len) || l->p[skip + len] != ' ')
		return NULL;
	return xstrndup(l->p + skip + len + 1, (size_t)(l->end - l->p) - skip - len - 1);
}

/* Return the module of the tree of modules that offers a function to others. */
static char *module_with(const struct sysroot *sr, const char *function)
{
	struct strbuf release = STRBUF_INIT, symbols = STRBUF_INIT;
	char *module = NULL;
	const char *p;
	struct line l;

	if (!sysroot_read(sr, &release, "/proc/sys/kernel/osrelease"))
		(void)sysroot_read(sr, &symbols, "/lib/modules/%.*s/modules.symbols",
				   (int)strcspn(strbuf_str(&release), "\n"), release.buf);
	p = strbuf_str(&symbols);
	while (!module && next_line(&p, strbuf_str(&symbols) + symbols.len, &l))
		module = module_of_alias(&l, function);
	strbuf_release(&release);
	strbuf_release(&symbols);
	return module;
}

void probe_kernel_owner(const struct probe_object *o, const char *function, struct strbuf *out)
{
	char *module;

	if (o->target->offline || (o->module && put_loaded_owner(o, function, out)))
		return;
	module = module_with(o->target->sysroot, function);
	if (module && (!o->module || strcmp(module, o->module)))
		strbuf_addf(out, "\nThe module %s, which is not loaded, has it: name that with -m.",
			    module);
	free(module);
}
