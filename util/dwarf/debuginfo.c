// SPDX-License-Identifier: GPL-2.0-or-later
/* Open the debug information of an object by means of libdw, and read attributes. */
#include "base/compat.h"

#include "dwarf/debuginfo.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/debuginfo-internal.h"

#include <dwarf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* An entry has at least one byte, each is visited a few times, and the file may be compressed. */
#define LOOKS_PER_BYTE 64

/* Take a unit with code. @ranges: NULL: its addresses are not asked for; @split: where its entries
 * are, if they are in another file */
static void add_unit(struct debuginfo *di, struct range_list *ranges, Dwarf_Die *head,
		     Dwarf_Die *split)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (ranges && (at = di->lib.dwarf_ranges(head, at, &base, &start, &end)) > 0)
		range_add(ranges, start, end, (u32)di->nr_all);
	VEC_GROW(di->all, di->nr_all + 1, di->cap_all);
	di->all[di->nr_all++] = split->addr ? *split : *head;
}

static void read_units(struct debuginfo *di, struct range_list *ranges)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die head, split;
	uint8_t kind;

	di->all_read = true;
	while (!di->lib.dwarf_get_units(di->dw, unit, &unit, NULL, &kind, &head, &split)) {
		if (kind == DW_UT_type && split.addr) {
			VEC_GROW(di->type_units, di->nr_type_units + 1, di->cap_type_units);
			di->type_units[di->nr_type_units++] = split;
		}
		if (kind != DW_UT_skeleton)
			split.addr = NULL;
		if (kind == DW_UT_compile || kind == DW_UT_skeleton)
			add_unit(di, ranges, &head, &split);
	}
}

Dwarf_Die *debug_units(struct debuginfo *di, size_t *nr)
{
	if (!di->all_read)
		read_units(di, NULL);
	*nr = di->nr_all;
	return di->all;
}

/* Read all units with their addresses. */
static void map_units(struct debuginfo *di)
{
	struct range_list ranges = { 0 };

	read_units(di, &ranges);
	range_map_make(&di->by_addr, &ranges);
	free(ranges.v);
}

static void limit_looks(struct debuginfo *di)
{
	struct stat st;

	if (!fstat(di->fd, &st))
		di->left = (u64)st.st_size * LOOKS_PER_BYTE;
}

/* Read the first entry of the unit that has an address. Return: whether there is one. */
static bool first_entry(struct debuginfo *di, u64 addr, Dwarf_Die *die)
{
	Dwarf_Die split = { 0 };
	uint8_t kind;
	u32 unit;
	u64 off;

	if (!di->lines) {
		unit = range_map_at(&di->by_addr, addr);
		if (unit != RANGE_NONE)
			*die = di->all[unit];
		return unit != RANGE_NONE;
	}
	if (!lines_unit_entry(di->lines, addr, &off) || !di->lib.dwarf_offdie(di->dw, off, die) ||
	    di->lib.dwarf_cu_info(die->cu, NULL, &kind, NULL, &split, NULL, NULL, NULL))
		return false;
	if (kind == DW_UT_skeleton && split.addr)
		*die = split;
	return kind == DW_UT_compile || kind == DW_UT_skeleton;
}

struct debug_unit *debug_unit_at(struct debuginfo *di, u64 addr)
{
	Dwarf_Die die;
	u32 *slot;

	if (!first_entry(di, addr, &die))
		return NULL;
	slot = map64_slot(&di->unit_ids, (u64)(uintptr_t)die.addr);
	if (*slot == MAP64_NONE) {
		*slot = (u32)di->nr_units;
		VEC_GROW(di->units, di->nr_units + 1, di->cap_units);
		di->units[di->nr_units++] = (struct debug_unit){ .die = die };
	}
	return &di->units[*slot];
}

/* Read what the headers of the object say: its kind, class and block of a thread. */
static void read_headers(struct debuginfo *di)
{
	Elf *elf = di->lib.dwarf_getelf(di->dw);
	size_t nr = 0;
	GElf_Phdr ph;
	GElf_Ehdr eh;

	di->address_size = 8;
	if (!elf || !di->lib.gelf_getehdr(elf, &eh))
		return;
	di->fixed = eh.e_type == ET_EXEC;
	di->address_size = eh.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	if (di->lib.elf_getphdrnum(elf, &nr))
		return;
	for (size_t i = 0; i < nr && i < PN_XNUM; i++)
		if (di->lib.gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_TLS)
			di->thread_block = ALIGN_UP(ph.p_memsz, ph.p_align ?: 1);
}

struct debuginfo *debuginfo_open_by(struct lines *l, const char *path)
{
	struct debuginfo *di = xzalloc(sizeof(*di));

	di->lines = l;
	di->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (di->fd >= 0 && libdw_load(&di->lib))
		di->dw = di->lib.dwarf_begin(di->fd, DWARF_C_READ);
	if (!di->dw) {
		debuginfo_close(di);
		return NULL;
	}
	types_start(di);
	limit_looks(di);
	if (!l)
		map_units(di);
	read_headers(di);
	return di;
}

struct debuginfo *debuginfo_open(const char *path)
{
	return debuginfo_open_by(NULL, path);
}

void debuginfo_close(struct debuginfo *di)
{
	if (!di)
		return;
	debug_functions_free(di);
	types_release(di);
	if (di->dw)
		di->lib.dwarf_end(di->dw);
	libdw_unload(&di->lib);
	if (di->fd >= 0)
		close(di->fd);
	free(di->units);
	map64_release(&di->unit_ids);
	free(di->all);
	free(di->type_units);
	free(di->by_addr.v);
	free(di->globals.v);
	free(di->thread_locals.v);
	free(di->constants.v);
	free(di);
}

bool debuginfo_fixed(const struct debuginfo *di)
{
	return di->fixed;
}

bool debuginfo_has_unit(struct debuginfo *di, u64 addr)
{
	Dwarf_Die die;

	return first_entry(di, addr, &die);
}

/* ---- attributes ---- */

Dwarf_Attribute *debug_attr(struct debuginfo *di, Dwarf_Die *die, unsigned int name,
			    Dwarf_Attribute *attr)
{
	return di->lib.dwarf_attr_integrate(die, name, attr);
}

u64 debug_number(struct debuginfo *di, Dwarf_Die *die, unsigned int name, u64 otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!di->lib.dwarf_attr(die, name, &attr) || di->lib.dwarf_formudata(&attr, &value))
		return otherwise;
	return value;
}

const char *debug_name(struct debuginfo *di, Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return debug_attr(di, die, DW_AT_name, &attr) ? di->lib.dwarf_formstring(&attr) : NULL;
}

bool debug_flag(struct debuginfo *di, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	bool set = false;

	return di->lib.dwarf_attr(die, name, &attr) && !di->lib.dwarf_formflag(&attr, &set) && set;
}

#else

struct debuginfo *debuginfo_open(const char *path)
{
	(void)path;
	return NULL;
}

struct debuginfo *debuginfo_open_by(struct lines *l, const char *path)
{
	(void)l;
	(void)path;
	return NULL;
}

void debuginfo_close(struct debuginfo *di)
{
	(void)di;
}

bool debuginfo_fixed(const struct debuginfo *di)
{
	(void)di;
	return false;
}

bool debuginfo_has_unit(struct debuginfo *di, u64 addr)
{
	(void)di;
	(void)addr;
	return false;
}
#endif
