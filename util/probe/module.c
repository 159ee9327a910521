// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Modules of the kernel. Their files are not linked, so copies are read that are. Where a module is
 * in memory does not matter: the kernel is told its name, a function of it and a distance.
 */
#include "base/compat.h"
#include "probe/module-internal.h"

#include "base/alloc.h"
#include "probe/find-file.h"
#include "symbol/elf-link.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <unistd.h>

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
	int fd = elf_link_open(path);

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
