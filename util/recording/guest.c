// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "recording/guest.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/sysroot.h"
#include "symbol/elf-image.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

void guest_symbols(const struct guest_options *g, struct symconf *conf)
{
	conf->guest_vmlinux = g->vmlinux;
	conf->guest_kallsyms = g->kallsyms;
	conf->guest_mount = g->mount;
}

/* Map an object of a guest's kernel, as a record of it would have done. */
static void map_object(struct machine *m, u32 pid, const char *name, u64 start, u64 size)
{
	struct {
		struct perf_event_header hdr;
		u32 pid, tid;
		u64 start, len, pgoff;
		char filename[72];
	} rec = {
		.hdr = { PERF_RECORD_MMAP, PERF_RECORD_MISC_GUEST_KERNEL, sizeof(rec) },
		.pid = pid,
		.tid = pid,
		.start = start,
		.len = size,
	};

	snprintf(rec.filename, sizeof(rec.filename), "%s", name);
	machine_apply(m, &rec.hdr, sizeof(rec), 0, NULL);
}

/* ---- kernels ---- */

#define KERNEL_IMAGE ((u64)1 << 30) /* modules are not in the gigabyte that a kernel begins in */

/* The text of a kernel begins with one of these. */
static const char *const begins[] = { "_text", "_stext" };

/* The text of a kernel is here. */
struct kernel_text {
	const char *name; /* of the symbol at its begin */
	u64 start, end;   /* end: 0: unknown */
};

/* What cannot be read is told when symbols are looked for in it. */
static void text_of_kallsyms(struct kernel_text *k, const char *path)
{
	struct strbuf text = STRBUF_INIT;

	(void)sysroot_read(NULL, &text, "%s", path);
	for (size_t i = 0; text.len && !k->name && i < ARRAY_SIZE(begins); i++)
		if (kallsyms_find(text.buf, text.len, begins[i], &k->start))
			k->name = begins[i];
	if (k->name && !kallsyms_find(text.buf, text.len, "_etext", &k->end))
		k->end = 0;
	strbuf_release(&text);
}

static void text_of_vmlinux(struct kernel_text *k, const char *path)
{
	struct elf_image e = { 0 };

	if (elf_image_open(&e, path))
		return;
	for (size_t i = 0; !k->name && i < ARRAY_SIZE(begins); i++)
		if (elf_image_find(&e, begins[i], &k->start))
			k->name = begins[i];
	if (k->name && !elf_image_find(&e, "_etext", &k->end))
		k->end = 0;
	elf_image_release(&e);
}

/* Map the kernel of a guest where its file says that it is. A recorder that knew of the guest has a
 * record of it, which goes before this. @pid: of the process that runs it; 0: the only guest */
static void map_kernel(struct machine *m, u32 pid, const struct kernel_text *k)
{
	u64 end = k->end > k->start ? k->end : (k->start | (KERNEL_IMAGE - 1));
	char name[64];

	if (!k->name)
		return;
	if (pid)
		snprintf(name, sizeof(name), "[guest.kernel.kallsyms.%u]%s", pid, k->name);
	else
		snprintf(name, sizeof(name), "[guest.kernel.kallsyms]%s", k->name);
	map_object(m, pid, name, k->start, end - k->start);
}

/* ---- modules ---- */

/* Map the modules of a file like /proc/modules: name, size, users, their names, state, address. */
static int map_modules(struct machine *m, u32 pid, const char *path, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = sysroot_read(NULL, &text, "%s", path);
	char name[64], object[72], *line, *next;
	u64 size, start;

	if (ret) {
		strbuf_release(&text);
		return err_set(err, ret, "cannot read the guest's modules '%s': %s", path,
			       err_str(ret));
	}
	for (line = text.len ? text.buf : NULL; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, name, &size, &start) ==
			    3 &&
		    start && size) {
			snprintf(object, sizeof(object), "[%s]", name);
			map_object(m, pid, object, start, size);
		}
	}
	strbuf_release(&text);
	return 0;
}

/* ---- all of them ---- */

/* Map the kernel and the modules of the guest whose files are below a directory. */
static int map_mounted(struct machine *m, u32 pid, const char *mount, struct err *err)
{
	char *kallsyms = xasprintf("%s/%u/proc/kallsyms", mount, pid);
	char *modules = xasprintf("%s/%u/proc/modules", mount, pid);
	struct kernel_text k = { 0 };
	int ret = 0;

	text_of_kallsyms(&k, kallsyms);
	map_kernel(m, pid, &k);
	if (!access(modules, R_OK))
		ret = map_modules(m, pid, modules, err);
	free(kallsyms);
	free(modules);
	return ret;
}

/* Each folder with a number is of the process that runs the guest. */
static int map_all_mounted(struct machine *m, const char *mount, struct err *err)
{
	DIR *d = opendir(mount);
	const struct dirent *e;
	int ret = 0;

	if (!d)
		return 0;
	while (!ret && (e = readdir(d))) {
		char *end;
		unsigned long pid = strtoul(e->d_name, &end, 10);

		if (pid && pid < UINT32_MAX && !*end)
			ret = map_mounted(m, (u32)pid, mount, err);
	}
	closedir(d);
	return ret;
}

/* Map the only guest, or that of which it is not known who runs it. */
static int map_default(struct machine *m, const struct guest_options *g, struct err *err)
{
	struct kernel_text k = { 0 };

	if (g->vmlinux)
		text_of_vmlinux(&k, g->vmlinux);
	else if (g->kallsyms)
		text_of_kallsyms(&k, g->kallsyms);
	map_kernel(m, 0, &k);
	return g->modules ? map_modules(m, 0, g->modules, err) : 0;
}

int guest_start(const struct guest_options *g, struct machine *m, struct err *err)
{
	int ret = map_default(m, g, err);

	if (g->code)
		machine_set_guest_code(m);
	return !ret && g->mount ? map_all_mounted(m, g->mount, err) : ret;
}
