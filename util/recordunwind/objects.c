// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recordunwind/objects.h"

#include "base/alloc.h"
#include "base/sysroot.h"
#include "symbol/elf-image.h"
#include "symbol/process-files.h"

#include <elf.h>
#include <unistd.h>

#define MAX_OBJECTS 256
#define MAX_SCRIPTS 4 /* whose interpreter is a script again */

/* --- libraries ------------------------------------------------------------------- */

/* Return: "DIR/NAME", if there is such a file that can be read; the caller frees. */
static char *file_in(const char *dir, size_t len, const char *name)
{
	char *path = xasprintf("%.*s/%s", (int)len, dir, name);

	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

/* Look for a file in the folders of a list with colons, in which $ORIGIN is the folder of @object.
 * Return: its path, which the caller frees, or NULL. */
static char *find_in(const char *list, const char *object, const char *name)
{
	static const char word[] = "$ORIGIN";
	const char *slash = strrchr(object, '/');
	const char *folder;
	char *found = NULL, *dir;
	size_t len;

	while (!found && (folder = next_folder(&list, &len))) {
		if (!strncmp(folder, word, strlen(word))) {
			dir = xasprintf("%.*s%.*s", (int)(slash ? slash - object : 0), object,
					(int)(len - strlen(word)), folder + strlen(word));
			found = file_in(dir, strlen(dir), name);
			free(dir);
		} else {
			found = file_in(folder, len, name);
		}
	}
	return found;
}

/* The entries of an object that name the libraries it needs. */
struct dynamic {
	const struct elf_image *image;
	const u8 *entries; /* pairs of words */
	size_t nr;
	const char *strs;
	size_t strs_len;
};

static bool dynamic_read(struct dynamic *d, const struct elf_image *e)
{
	const struct elf_section *s = elf_image_section(e, ".dynamic");
	const struct elf_section *strs = s && s->link < e->nr_sections ? &e->sections[s->link]
								       : NULL;
	size_t len = 0;

	d->image = e;
	d->entries = strs && !e->swap ? elf_image_bytes(e, s, &len) : NULL;
	d->nr = len / (e->is64 ? 16 : 8);
	d->strs = strs ? (const char *)elf_image_bytes(e, strs, &d->strs_len) : NULL;
	return d->entries && d->strs && d->strs_len && !d->strs[d->strs_len - 1];
}

static u64 word_at(const struct dynamic *d, size_t i)
{
	return d->image->is64 ? ((const u64_una *)d->entries)[i] : ((const u32_una *)d->entries)[i];
}

/* Return: the next text of an entry with tag @tag from *@at on; NULL: there are no more. */
static const char *next_text(const struct dynamic *d, u64 tag, size_t *at)
{
	while (*at < d->nr) {
		size_t i = (*at)++;

		if (word_at(d, 2 * i) == tag && word_at(d, 2 * i + 1) < d->strs_len)
			return d->strs + word_at(d, 2 * i + 1);
	}
	return NULL;
}

/* The folder of the program's loader, with links followed, is that of the C library. The caller
 * frees it; NULL: there is no loader. */
static char *loader_dir(const struct elf_image *e)
{
	const struct elf_section *s = elf_image_section(e, ".interp");
	size_t len = 0;
	const char *name = s ? (const char *)elf_image_bytes(e, s, &len) : NULL;
	char *path = name && len && !name[len - 1] ? realpath(name, NULL) : NULL;
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		*slash = '\0';
	return path;
}

/* @system: folders that are looked through last */
static void add_needed(struct intern *objects, const char *object, const struct elf_image *e,
		       const char *system)
{
	const char *name, *first = getenv("LD_LIBRARY_PATH"), *run;
	size_t at = 0, from = 0;
	struct dynamic d;
	char *path;

	if (!dynamic_read(&d, e))
		return;
	run = next_text(&d, DT_RUNPATH, &from);
	from = 0;
	run = run ? run : next_text(&d, DT_RPATH, &from);
	while ((name = next_text(&d, DT_NEEDED, &at))) {
		path = find_in(first, object, name);
		path = path ? path : find_in(run, object, name);
		path = path ? path : find_in(system, object, name);
		if (path)
			intern_str_id(objects, path);
		free(path);
	}
}

static void add_libraries(struct intern *objects)
{
	char *system = NULL, *dir;

	for (u32 i = 1; i < objects->nr && i < MAX_OBJECTS; i++) {
		char *path = xstrdup(intern_str(objects, i));
		struct elf_image e;

		if (!elf_image_open(&e, path)) {
			if (!system) {
				dir = loader_dir(&e);
				system = xasprintf(
					"%s:/usr/local/lib:/lib64:/usr/lib64:/lib:/usr/lib",
					dir ? dir : "/lib");
				free(dir);
			}
			add_needed(objects, path, &e, system);
			elf_image_release(&e);
		}
		free(path);
	}
	free(system);
}

/* --- programs ---------------------------------------------------------------------- */

/* Return: the interpreter that the first line of a script names; the caller frees. NULL: it is no
 * script. */
static char *interpreter_of(const char *path)
{
	char line[256] = "", *at = line + 2;
	FILE *f = fopen(path, "re");
	bool script = f && fgets(line, sizeof(line), f) && !strncmp(line, "#!", 2);

	if (f)
		fclose(f);
	if (!script)
		return NULL;
	at += strspn(at, " \t");
	/* "env NAME" finds it like a command */
	if (!strncmp(at, "/usr/bin/env ", 13))
		at += 13;
	at[strcspn(at, " \t\n")] = '\0';
	return program_find(NULL, NULL, at);
}

void objects_of_command(struct intern *objects, const char *command)
{
	char *path = program_find(NULL, NULL, command), *next;

	for (int i = 0; path && i < MAX_SCRIPTS && (next = interpreter_of(path)); i++) {
		free(path);
		path = next;
	}
	if (path)
		intern_str_id(objects, path);
	free(path);
	add_libraries(objects);
}

/* --- processes --------------------------------------------------------------------- */

void objects_of_process(struct intern *objects, const struct sysroot *sr, u32 pid,
			const char *except)
{
	struct strbuf text = STRBUF_INIT;
	char *line, *save = NULL, *copy;

	if (sysroot_read(sr, &text, "/proc/%u/maps", pid)) {
		strbuf_release(&text);
		return;
	}
	copy = strbuf_detach(&text);
	for (line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *name = strchr(line, '/'), *flags = strchr(line, ' ');
		char *path;

		if (!name || !flags || strlen(flags) < 4 || flags[3] != 'x' ||
		    (except && !strcmp(name, except)))
			continue;
		path = process_file_path(sr, pid, name);
		intern_str_id(objects, path);
		free(path);
	}
	free(copy);
}
