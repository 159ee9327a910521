// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "symbol/elf-place.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "symbol/symbol-internal.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

static bool is_place(const struct elf_sym *s)
{
	int type = s->info & 0xf;

	return s->name_len && s->shndx != SHN_UNDEF && type != STT_SECTION && type != STT_FILE;
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
		if (s.name_len == len && !memcmp(s.name, name, len)) {
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

/* Find a symbol in the file @path. Its address is that in the file. */
static int elf_find_place(const char *path, const char *name, struct elf_place *out,
			  struct near *near)
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
		rc = elf_find_place(file, name, out, near);
	if (!rc)
		out->addr += start + out->first_offset - out->first_vaddr;
	strbuf_release(&maps);
	free(file);
	free(path);
	free(root);
	free(link);
	return rc;
}
