// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Source lines by means of libdw. Only the headers of units are read, unless a requested address is
 * in them.
 */
#include "base/compat.h"

#include "dwarf/lines.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/lines-internal.h"

#include <dwarf.h>
#include <fcntl.h>
#include <unistd.h>

#define LOOKS_PER_BYTE 4 /* an entry has at least one byte, and each is visited about twice */

static int by_start(const void *a, const void *b)
{
	const struct addr_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void ranges_sort(struct addr_range *v, size_t nr)
{
	if (nr)
		qsort(v, nr, sizeof(*v), by_start);
}

u32 ranges_at(const struct addr_range *v, size_t nr, u64 addr)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < v[lo - 1].end ? v[lo - 1].of : UINT32_MAX;
}

static void read_units(struct lines *l)
{
	Dwarf_Off off = 0, next;
	size_t header;

	for (; !l->lib.dwarf_nextcu(l->dw, off, &next, &header, NULL, NULL, NULL); off = next) {
		Dwarf_Addr base, start, end;
		ptrdiff_t at = 0;
		Dwarf_Die die;

		if (!l->lib.dwarf_offdie(l->dw, off + header, &die))
			continue;
		while ((at = l->lib.dwarf_ranges(&die, at, &base, &start, &end)) > 0) {
			VEC_GROW(l->ranges, l->nr + 1, l->cap);
			l->ranges[l->nr++] = (struct addr_range){ start, end, (u32)l->nr_units };
		}
		VEC_GROW(l->units, l->nr_units + 1, l->cap_units);
		l->units[l->nr_units++] = (struct unit){ .die = die };
	}
	l->left = off * LOOKS_PER_BYTE;
	ranges_sort(l->ranges, l->nr);
}

static void read_layout(struct lines *l, const char *object)
{
	int fd = object ? open(object, O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf = fd >= 0 ? l->lib.elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;

	libdw_loads(&l->lib, &l->loads, elf ? elf : l->lib.dwarf_getelf(l->dw));
	if (elf)
		l->lib.elf_end(elf);
	if (fd >= 0)
		close(fd);
}

struct lines *lines_open(const char *debug, const char *object)
{
	struct lines *l = xzalloc(sizeof(*l));

	l->fd = open(debug, O_RDONLY | O_CLOEXEC);
	if (l->fd >= 0 && libdw_load(&l->lib))
		l->dw = l->lib.dwarf_begin(l->fd, DWARF_C_READ);
	if (!l->dw) {
		lines_close(l);
		return NULL;
	}
	read_units(l);
	read_layout(l, object);
	return l;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nr_units; i++)
		unit_code_free(l->units[i].code);
	if (l->dw)
		l->lib.dwarf_end(l->dw);
	libdw_unload(&l->lib);
	if (l->fd >= 0)
		close(l->fd);
	free(l->units);
	free(l->ranges);
	free(l->loads.list);
	intern_release(&l->paths);
	strbuf_release(&l->path);
	free(l);
}

struct unit *lines_unit(const struct lines *l, u64 addr)
{
	u32 unit = ranges_at(l->ranges, l->nr, addr);

	return unit != UINT32_MAX ? &l->units[unit] : NULL;
}

const char *lines_path(struct lines *l, struct unit *u, const char *file)
{
	const char *folder = NULL;
	Dwarf_Attribute attr;

	if (file && *file != '/' && l->lib.dwarf_attr(&u->die, DW_AT_comp_dir, &attr))
		folder = l->lib.dwarf_formstring(&attr);
	if (!folder)
		return file;
	strbuf_reset(&l->path);
	strbuf_addf(&l->path, "%s/%s", folder, file);
	return intern_str(&l->paths, intern_id(&l->paths, l->path.buf, l->path.len));
}

u32 lines_find(struct lines *l, u64 addr, bool virtual, const char **file)
{
	u64 at = virtual ? addr : libdw_virtual(&l->loads, addr);
	struct unit *u = lines_unit(l, at);
	Dwarf_Line *line = u ? l->lib.dwarf_getsrc_die(&u->die, at) : NULL;
	int nr = 0;

	*file = line ? lines_path(l, u, l->lib.dwarf_linesrc(line, NULL, NULL)) : NULL;
	if (!*file || l->lib.dwarf_lineno(line, &nr) || nr < 0)
		return 0;
	return (u32)nr;
}

static bool section_symbol(struct lines *l, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh,
			   const char *name, u64 *value)
{
	Elf_Data *data = l->lib.elf_getdata(scn, NULL);
	GElf_Sym sym;

	for (int i = 0; data && l->lib.gelf_getsym(data, i, &sym); i++) {
		const char *s = l->lib.elf_strptr(elf, sh->sh_link, sym.st_name);

		if (s && !strcmp(s, name)) {
			*value = sym.st_value;
			return true;
		}
	}
	return false;
}

bool lines_symbol(struct lines *l, const char *name, u64 *value)
{
	Elf *elf = l->lib.dwarf_getelf(l->dw);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (elf && (scn = l->lib.elf_nextscn(elf, scn)))
		if (l->lib.gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB &&
		    section_symbol(l, elf, scn, &sh, name, value))
			return true;
	return false;
}

#else

bool lines_symbol(struct lines *l, const char *name, u64 *value)
{
	(void)l;
	(void)name;
	(void)value;
	return false;
}

struct lines *lines_open(const char *debug, const char *object)
{
	(void)debug;
	(void)object;
	return NULL;
}

void lines_close(struct lines *l)
{
	(void)l;
}

u32 lines_find(struct lines *l, u64 addr, bool virtual, const char **file)
{
	(void)l;
	(void)addr;
	(void)virtual;
	*file = NULL;
	return 0;
}

size_t lines_inlined(struct lines *l, u64 addr, bool virtual, struct inlined *out)
{
	(void)l;
	(void)addr;
	(void)virtual;
	(void)out;
	return 0;
}
#endif
