// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/object.h"

#include "base/alloc.h"
#include "dwarf/debuginfo.h"
#include "dwarf/frames.h"
#include "dwarf/lines.h"
#include "probe/find-file.h"
#include "probe/kernel-internal.h"
#include "symbol/debug-file.h"
#include "symbol/elf-link.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

/* ---- opening ---- */

static int open_program(struct probe_object *o, struct err *err)
{
	o->user = true;
	o->path = probe_find_program(o->target, o->target->exec, err);
	if (!o->path)
		return err->code;
	o->file = probe_file_of(o->target, o->path);
	return 0;
}

int probe_object_open(struct probe_object *o, const struct probe_target *target, struct err *err)
{
	*o = (struct probe_object)PROBE_OBJECT_INIT;
	o->target = target;
	if (target->exec)
		return open_program(o, err);
	if (target->module)
		return probe_module_open(o, err);
	return probe_kernel_open(o, err);
}

void probe_object_close(struct probe_object *o)
{
	functions_release(&o->functions);
	arena_release(&o->texts);
	lines_close(o->lines);
	debuginfo_close(o->info);
	frames_close(o->frames);
	if (o->debug_fd >= 0)
		close(o->debug_fd);
	if (o->file_fd >= 0)
		close(o->file_fd);
	if (o->image_open)
		elf_image_release(&o->image);
	free(o->path);
	free(o->file);
	free(o->named);
	free(o->module);
	free(o->debug);
	*o = (struct probe_object)PROBE_OBJECT_INIT;
}

const char *probe_object_name(const struct probe_object *o)
{
	if (o->user)
		return o->path;
	return o->module ? o->module : "kernel";
}

/* ---- the debug file ---- */

/* Return what messages call the file of an object, which is there. */
static const char *file_name(const struct probe_object *o)
{
	return o->named ? o->named : o->file;
}

/* Tell whether an object has debug information of its own; store its build-id. */
static bool has_debug(struct probe_object *o)
{
	struct elf_image e;
	bool has;

	if (elf_image_open(&e, o->file))
		return false;
	has = elf_image_has_debug_info(&e);
	o->id_size = (u8)MAX(elf_image_build_id(&e, o->id), 0);
	elf_image_release(&e);
	return has;
}

/* Read the debug information of an open file; that of a module in a copy in which it is linked. */
static void take_debug(struct probe_object *o, int fd)
{
	char *path = xasprintf("/proc/self/fd/%d", fd);
	int copy = o->module ? elf_link_open(path) : -1;

	free(path);
	if (copy >= 0)
		close(fd);
	o->debug_fd = copy >= 0 ? copy : fd;
	o->debug = xasprintf("/proc/self/fd/%d", o->debug_fd);
}

/* Find the file with the debug information, once. */
static void find_debug(struct probe_object *o)
{
	int fd = -ENOENT, object;

	if (o->debug_tried || !o->file)
		return;
	o->debug_tried = true;
	if (has_debug(o)) {
		o->debug = xstrdup(o->file);
		return;
	}
	object = o->id_size ? probe_open_file(o->file) : -1;
	if (object >= 0)
		fd = debug_file_open(NULL, &o->target->symfs, o->target->pid,
				     o->path ? o->path : file_name(o), object, o->id, o->id_size);
	if (object >= 0)
		close(object);
	if (fd >= 0)
		take_debug(o, fd);
}

static int no_debug(const struct probe_object *o, struct err *err)
{
	if (!o->file && o->module)
		return err_set(
			err, -ENOENT,
			"Failed to find the file of the module %s, or it is of another build "
			"than the one that is loaded. Name it with -m.",
			o->module);
	if (!o->file)
		return err_set(
			err, -ENOENT,
			"Failed to find the path for the kernel: no vmlinux with debug "
			"information was found. Install the package with it (linux-image-dbg), "
			"or name the file with -k.");
	return err_set(err, -ENOENT,
		       "%s has no debug information, and no debug file for it was found below "
		       "/usr/lib/debug. Compile it with -g, or install its -%s "
		       "package; functions, offsets and registers work without.",
		       file_name(o), o->module ? "dbg" : "dbgsym or -debuginfo");
}

int probe_object_lines(struct probe_object *o, struct err *err)
{
	struct source_keep keep;

	find_debug(o);
	/* the build-id of a module does not tell of the linked copy that is read of it */
	keep = (struct source_keep){ o->module ? NULL : o->target->cache, o->id, o->id_size };
	if (o->debug && !o->lines)
		o->lines = lines_open_kept(o->debug, o->file, &keep);
	return o->lines ? 0 : no_debug(o, err);
}

int probe_object_debug(struct probe_object *o, struct err *err)
{
	int rc = probe_object_lines(o, err);

	if (!rc && !o->info)
		o->info = debuginfo_open_by(o->lines, o->debug);
	return rc || o->info ? rc : no_debug(o, err);
}

/* ---- functions ---- */

static int functions_of_file(struct probe_object *o, struct err *err)
{
	int rc;

	find_debug(o);
	rc = functions_of_object(&o->functions, o->file ? o->file : "vmlinux", o->debug, err);
	if (rc == -ENODATA)
		err_set(err, rc,
			"Failed to load symbols from %s\nPlease ensure the file is not stripped.",
			probe_object_name(o));
	return rc;
}

/* Read the functions of what runs; another kernel has the modules alone whose files are named. */
static int functions_in_memory(struct probe_object *o, struct err *err)
{
	int rc = o->target->offline
			 ? 0
			 : functions_of_kernel(&o->functions, o->target->sysroot, o->module, err);

	if (!rc && o->module && !o->functions.nr)
		return err_set(err, -ENOENT,
			       "Failed to find the module %s: it is not loaded, and the tree of "
			       "modules has no file of it. Name its file with -m.",
			       o->module);
	if (!rc && !o->module)
		probe_kernel_move(o);
	return rc;
}

int probe_object_functions(struct probe_object *o, struct err *err)
{
	bool of_file = o->user || (o->module ? o->file != NULL : o->target->offline);
	int rc;

	if (o->functions_read)
		return 0;
	rc = of_file ? functions_of_file(o, err) : functions_in_memory(o, err);
	o->functions_read = !rc;
	return rc;
}

/* Return the opened file; NULL: it cannot be read. */
static const struct elf_image *image_of(struct probe_object *o)
{
	if (!o->image_open && o->file)
		o->image_open = !elf_image_open(&o->image, o->file);
	return o->image_open ? &o->image : NULL;
}

u64 probe_object_offset(struct probe_object *o, u64 addr)
{
	const struct elf_image *image = image_of(o);

	return image ? elf_image_file_addr(image, addr) : addr;
}

u64 probe_object_vaddr(struct probe_object *o, u64 offset)
{
	const struct elf_image *image = image_of(o);

	return image ? elf_image_vaddr(image, offset) : offset;
}

void probe_function_text(const struct probe_object *o, const char *name, struct strbuf *out)
{
	char *shown = o->target->demangle ? symbol_demangle(name) : NULL;

	strbuf_addname(out, shown ? shown : name);
	free(shown);
}
