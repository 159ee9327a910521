// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies of the memory of a recorded kernel: a folder with kcore, an ELF file that has code at its
 * run-time addresses, and the kallsyms and modules of the same time. `record --kcore` makes one
 * beside the data, `buildid-cache --kcore` makes them in the build-id cache:
 *
 *	DIR/[kernel.kcore]/HEX/YYYYMMDDhhmmsscc/kcore, kallsyms, modules
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#include <dirent.h>
#include <unistd.h>

char *kcore_path(const char *folder)
{
	char *path = xasprintf("%s/kcore", folder);

	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

/* Tell whether a copy is of the boot that was recorded: the kernel is at the same address. */
static bool same_place(const char *folder, const struct dso *dso)
{
	char *path = xasprintf("%s/kallsyms", folder);
	struct kallsyms k = { 0 };
	u64 addr = 0;
	bool same = dso->ref_sym && !kallsyms_open(&k, path) &&
		    kallsyms_find(k.text, k.len, dso->ref_sym, &addr) && addr == dso->ref_addr;

	kallsyms_release(&k);
	free(path);
	return same;
}

char *kcore_cached(const struct symbols *s, const struct dso *dso)
{
	char hex[41], *entry, *found = NULL;
	struct dirent *de;
	DIR *d;

	if (!s->conf.buildid_dir || !*s->conf.buildid_dir || !dso->build_id_size)
		return NULL;
	build_id_hex(dso->build_id, dso->build_id_size, hex);
	entry = xasprintf("%s/[kernel.kcore]/%s", s->conf.buildid_dir, hex);
	d = opendir(entry);
	while (d && (de = readdir(d))) {
		char *folder = *de->d_name == '.' ? NULL : xasprintf("%s/%s", entry, de->d_name);

		/* Modules may have come and gone: the latest one has the most of them. */
		if (folder && (!found || strcmp(folder, found) > 0) && same_place(folder, dso)) {
			free(found);
			found = folder;
		} else {
			free(folder);
		}
	}
	if (d)
		closedir(d);
	free(entry);
	return found;
}

const struct kallsyms *kcore_kallsyms(struct symbols *s)
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
