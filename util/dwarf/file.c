// SPDX-License-Identifier: GPL-2.0-or-later
/* Files with debug information: their sections, and the file that dwz made of what is common to
 * several (.gnu_debugaltlink). */
#include "base/compat.h"

#include "base/alloc.h"
#include "dwarf/dwarf-internal.h"

#include <elf.h>

static const char *const names[DW_SECTIONS] = {
	[DW_INFO] = "debug_info",         [DW_ABBREV] = "debug_abbrev",
	[DW_LINE] = "debug_line",         [DW_STR] = "debug_str",
	[DW_LINE_STR] = "debug_line_str", [DW_STR_OFFSETS] = "debug_str_offsets",
	[DW_ADDR] = "debug_addr",         [DW_RANGES] = "debug_ranges",
	[DW_RNGLISTS] = "debug_rnglists", [DW_CU_INDEX] = "debug_cu_index",
};

/* Return the section that has a name, or DW_SECTIONS. */
static enum dw_section section_of(const char *name, bool dwo)
{
	if (*name != '.')
		return DW_SECTIONS;
	name += name[1] == 'z' ? 2 : 1; /* .zdebug_*: compressed */
	for (unsigned i = 0; i < DW_SECTIONS; i++) {
		size_t len = strlen(names[i]);

		if (strncmp(name, names[i], len) != 0)
			continue;
		if (dwo && i != DW_CU_INDEX ? !strcmp(name + len, ".dwo") : !name[len])
			return i;
	}
	return DW_SECTIONS;
}

static void read_sections(struct dw_file *f, bool dwo)
{
	for (u32 i = 1; i < f->image.nr_sections; i++) {
		const struct elf_section *s = &f->image.sections[i];
		enum dw_section sec = section_of(s->name, dwo);

		if (sec != DW_SECTIONS && !f->sec[sec].p)
			f->sec[sec].p = elf_image_contents(&f->image, s, &f->sec[sec].len);
	}
}

/*
 * Return the path of the file that section .gnu_debugaltlink names, with its build-id in @id; NULL:
 * there is none. A relative name starts at the folder of the file, after links are followed. Caller
 * frees.
 */
static char *alt_path(const struct elf_image *e, const char *path, struct dw_part *id)
{
	const struct elf_section *s = elf_image_section(e, ".gnu_debugaltlink");
	const char *name, *slash;
	char *real, *out;
	size_t len = 0;

	name = s ? (const char *)elf_image_contents(e, s, &len) : NULL;
	if (!name || !memchr(name, 0, len))
		return NULL;
	id->p = (const u8 *)name + strlen(name) + 1;
	id->len = len - strlen(name) - 1;
	if (*name == '/')
		return xstrdup(name);
	real = realpath(path, NULL);
	slash = strrchr(real ? real : path, '/');
	out = slash ? xasprintf("%.*s/%s", (int)(slash - (real ? real : path)), real ? real : path,
				name)
		    : xstrdup(name);
	free(real);
	return out;
}

/* ---- files that were not linked ---- */

/* Return the addresses of sections, by their numbers. The caller frees them. */
static u64 *place_sections(const struct elf_image *e, const struct module_section *sections,
			   size_t nr)
{
	u64 *at = xcalloc(e->nr_sections + 1, sizeof(*at));

	/* Code that is not in the module, such as that of its start, gets addresses far from it. */
	for (u32 i = 1; i < e->nr_sections; i++)
		if (e->sections[i].flags & SHF_ALLOC)
			at[i] = e->is64 ? (u64)i << 40 : 0x80000000 + ((u64)i << 18);
	for (size_t i = 0; i < nr; i++)
		if (sections[i].number < e->nr_sections)
			at[sections[i].number] = DW_MODULE_AT + sections[i].at;
	return at;
}

/* Replace a section by a copy with the addresses in it. @s: the section in the file */
static void relocate(struct dw_file *f, enum dw_section sec, const struct elf_section *s,
		     const u64 *at)
{
	struct dw_part *part = &f->sec[sec];

	f->relocated[sec] = xmalloc(part->len + 1);
	memcpy(f->relocated[sec], part->p, part->len);
	elf_image_relocate(&f->image, s, f->relocated[sec], part->len, at);
	part->p = f->relocated[sec];
}

static void relocate_sections(struct dw_file *f, const struct module_section *sections, size_t nr)
{
	u64 *at = place_sections(&f->image, sections, nr);

	for (u32 i = 1; i < f->image.nr_sections; i++) {
		const struct elf_section *s = &f->image.sections[i];
		enum dw_section sec = section_of(s->name, false);

		if (sec != DW_SECTIONS && f->sec[sec].p && !f->relocated[sec])
			relocate(f, sec, s, at);
	}
	free(at);
}

/* ---- opening ---- */

static struct dw_file *open_file(const char *path, bool dwo, const struct module_section *sections,
				 size_t nr)
{
	struct dw_file *f = xzalloc(sizeof(*f));

	if (elf_image_open(&f->image, path)) {
		free(f);
		return NULL;
	}
	read_sections(f, dwo);
	if (sections)
		relocate_sections(f, sections, nr);
	if (!f->sec[DW_INFO].p || !f->sec[DW_ABBREV].p) {
		dw_file_close(f);
		return NULL;
	}
	return f;
}

static void open_alt(struct dw_file *f, const char *path)
{
	struct dw_part id;
	char *alt = alt_path(&f->image, path, &id);
	u8 found[20];
	int len;

	if (!alt)
		return;
	f->alt = open_file(alt, false, NULL, 0);
	free(alt);
	if (f->alt)
		dw_units_read(f->alt);
	len = f->alt ? elf_image_build_id(&f->alt->image, found) : 0;
	f->alt_missing = len <= 0 || (size_t)len != id.len || memcmp(found, id.p, id.len);
	if (f->alt_missing) {
		dw_file_close(f->alt);
		f->alt = NULL;
	}
}

struct dw_file *dw_file_open_bare(const char *path)
{
	struct dw_file *f = open_file(path, false, NULL, 0);

	if (f)
		open_alt(f, path);
	return f;
}

struct dw_file *dw_file_open(const char *path, bool dwo)
{
	struct dw_file *f = dwo ? open_file(path, true, NULL, 0) : dw_file_open_bare(path);

	if (f)
		dw_units_read(f);
	return f;
}

struct dw_file *dw_file_open_module(const char *path, const struct module_section *sections,
				    size_t nr)
{
	struct dw_file *f = open_file(path, false, sections, nr);

	if (f) {
		open_alt(f, path);
		dw_units_read(f);
	}
	return f;
}

void dw_file_close(struct dw_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nr_units; i++)
		dw_unit_release(&f->units[i]);
	free(f->units);
	for (size_t i = 0; i < DW_SECTIONS; i++)
		free(f->relocated[i]);
	elf_image_release(&f->image);
	dw_file_close(f->alt);
	free(f);
}
