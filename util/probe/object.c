// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/object.h"

#include "base/alloc.h"
#include "dwarf/debuginfo.h"
#include "dwarf/frames.h"
#include "dwarf/lines.h"
#include "probe/find-file.h"
#include "symbol/debug-file.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

/* ---- opening ---- */

/* Set the file of a module: the one that was named by its path, or that of a module by its name. */
static int open_module(struct probe_object *o, struct err *err)
{
	const char *module = o->target->module, *base = strrchr(module, '/');
	size_t len;

	if (!base && !strchr(module, '.')) {
		o->module = xstrdup(module);
		o->file = o->target->module_file ? xstrdup(o->target->module_file) : NULL;
		return 0;
	}
	o->file = probe_real_path(o->target, module);
	if (!o->file)
		return err_set(err, -errno, "Failed to find the module %s: %s.", module,
			       err_str(-errno));
	base = base ? base + 1 : module;
	len = strcspn(base, ".");
	o->module = xstrndup(base, len);
	/* the kernel writes _ where files have - */
	for (char *p = o->module; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return 0;
}

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
	*o = (struct probe_object){ .target = target, .debug_fd = -1 };
	if (target->exec)
		return open_program(o, err);
	if (target->module)
		return open_module(o, err);
	if (target->vmlinux)
		o->file = xstrdup(target->vmlinux);
	else
		o->file = probe_kernel_file(target);
	return 0;
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
	if (o->image_open)
		elf_image_release(&o->image);
	free(o->path);
	free(o->file);
	free(o->module);
	free(o->debug);
	*o = (struct probe_object){ .debug_fd = -1 };
}

const char *probe_object_name(const struct probe_object *o)
{
	if (o->user)
		return o->path;
	return o->module ? o->module : "kernel";
}

/* ---- the debug file ---- */

/* Tell whether an object has debug information of its own; store its build-id. */
static bool has_debug(const char *file, u8 id[20], int *id_size, bool *relocatable)
{
	struct elf_image e;
	bool has;

	*id_size = 0;
	if (elf_image_open(&e, file))
		return false;
	has = elf_image_section(&e, ".debug_info") || elf_image_section(&e, ".zdebug_info");
	*id_size = elf_image_build_id(&e, id);
	*relocatable = e.type == ET_REL;
	elf_image_release(&e);
	return has;
}

/* Find the file with the debug information, once. */
static void find_debug(struct probe_object *o)
{
	const struct sysroot below = { .prefix = o->target->symfs };
	int id_size, fd = -ENOENT, object;
	u8 id[20];

	if (o->debug_tried || !o->file)
		return;
	o->debug_tried = true;
	if (has_debug(o->file, id, &id_size, &o->relocatable)) {
		o->debug = xstrdup(o->file);
		return;
	}
	object = id_size > 0 ? probe_open_file(o->file) : -1;
	if (object >= 0)
		fd = debug_file_open(&below, o->target->pid, o->path ? o->path : o->file, object,
				     id, (u8)id_size);
	if (object >= 0)
		close(object);
	if (fd >= 0) {
		o->debug_fd = fd;
		o->debug = xasprintf("/proc/self/fd/%d", fd);
	}
}

static int no_debug(const struct probe_object *o, struct err *err)
{
	if (o->relocatable)
		return err_set(
			err, -ENOENT,
			"The debug information of %s has to be relocated, as that of all modules, "
			"which is not done so far: functions, offsets and registers work "
			"without.",
			o->file);
	if (!o->file)
		return err_set(
			err, -ENOENT,
			"Failed to find the path for the kernel: no vmlinux with debug "
			"information was found. Install the package with it (linux-image-dbg), "
			"or name the file with -k.");
	return err_set(err, -ENOENT,
		       "%s has no debug information, and no debug file for it was found below "
		       "/usr/lib/debug. Compile it with -g, or install its -dbgsym or -debuginfo "
		       "package; functions, offsets and registers work without.",
		       o->file);
}

int probe_object_lines(struct probe_object *o, struct err *err)
{
	find_debug(o);
	if (o->debug && !o->lines && !o->relocatable)
		o->lines = lines_open(o->debug, o->file);
	return o->lines ? 0 : no_debug(o, err);
}

int probe_object_debug(struct probe_object *o, struct err *err)
{
	find_debug(o);
	if (o->debug && !o->info && !o->relocatable)
		o->info = debuginfo_open(o->debug);
	return o->info ? probe_object_lines(o, err) : no_debug(o, err);
}

/* ---- functions ---- */

int probe_object_functions(struct probe_object *o, struct err *err)
{
	int rc;

	if (o->functions_read)
		return 0;
	if (!o->user && !o->target->offline && !(o->module && strchr(o->target->module, '/'))) {
		rc = functions_of_kernel(&o->functions, o->target->sysroot,
					 o->module ? o->module : NULL, err);
	} else {
		find_debug(o);
		rc = functions_of_object(&o->functions, o->file ? o->file : "vmlinux", o->debug,
					 err);
		if (rc == -ENODATA)
			err_set(err, rc,
				"Failed to load symbols from %s\nPlease ensure the file is not "
				"stripped.",
				probe_object_name(o));
	}
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
