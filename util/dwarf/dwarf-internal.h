/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading debug information: sections of a file, units, entries (DIEs) and their attributes. In the
 * order of use:
 *
 *	dw_file    sections of a file (file.c), with its units in the order of their offsets
 *(unit.c) dw_unit    a unit; its abbreviations are read when one of its entries is dw_abbrev  the
 *shape of entries: tag and attributes (abbrev.c) dw_value   an attribute as it is in the file, and
 *what it stands for (form.c) dw_die     an entry with the attributes that this room needs (die.c)
 *
 * All of it is bounds-checked; damaged entries end a walk. What is read is never written again, so
 * any number of threads may read units.
 */
#ifndef PERF_DWARF_INTERNAL_H
#define PERF_DWARF_INTERNAL_H

#include "codec/leb.h"
#include "dwarf/constants-internal.h"
#include "symbol/elf-image.h"
#include "symbol/symbol.h"

#include <stdatomic.h>

/* ---- files ---- */

enum dw_section {
	DW_INFO,
	DW_ABBREV,
	DW_LINE,
	DW_STR,
	DW_LINE_STR,
	DW_STR_OFFSETS,
	DW_ADDR,
	DW_RANGES,
	DW_RNGLISTS,
	DW_CU_INDEX,
	DW_SECTIONS,
};

struct dw_part {
	const u8 *p; /* borrowed from the image; NULL: the file does not have it */
	size_t len;
};

struct dw_file {
	struct elf_image image; /* owned */
	struct dw_part sec[DW_SECTIONS];
	u8 *relocated[DW_SECTIONS]; /* owned: the sections of a file that was not linked */
	struct dw_file *alt;        /* owned: what dwz took out of several files; NULL: none */
	bool alt_missing;           /* there is one, which was not found */
	struct dw_unit *units;      /* owned, sorted by offset */
	size_t nr_units, cap_units;
	_Atomic(u8) alone; /* for dw_units_alone(): 1: yes, 2: no; 0: not asked */
};

/**
 * dw_file_open - open a file with debug information.
 * @dwo: it is a split one (.dwo, .dwp), whose sections end in ".dwo"
 * Return: NULL when there is none in it. dw_file_close() closes it; @f may be NULL.
 */
struct dw_file *dw_file_open(const char *path, bool dwo);
/** dw_file_open_bare - do the same for a file that is not split, and leave out its units:
 * dw_units_read() reads them. */
struct dw_file *dw_file_open_bare(const char *path);
/**
 * dw_file_open_module - open a file of a kernel module, which is not linked.
 * @path: its file, or the file with its debug information
 * @sections: those with code, and where they are; others are put where nothing else is
 * Return: as dw_file_open().
 */
struct dw_file *dw_file_open_module(const char *path, const struct module_section *sections,
				    size_t nr);
/* All of a module is so many bytes behind 0, where nothing is. */
#define DW_MODULE_AT 0x1000
void dw_file_close(struct dw_file *f);

/* ---- units ---- */

/* Sizes that the header of a unit or of a line table decides. */
struct dw_sizes {
	u16 version;
	u8 addr, offset; /* bytes of an address; of an offset: 4, or 8 in the 64-bit format */
};

struct dw_unit {
	struct dw_file *file;           /* borrowed */
	const struct dw_part *sec;      /* of the file, or this unit's parts of a package */
	const struct dw_unit *skeleton; /* of a split unit: the one in the program; else NULL */
	struct dw_sizes sizes;
	u8 type;            /* DW_UT_* */
	u64 off, root, end; /* in section DW_INFO: of the header, the first entry, the end */
	u64 abbrevs_off;
	u64 root_abbrev; /* in section DW_ABBREV: that of the first entry */
	/* attributes of the first entry */
	u16 tag;
	bool has_lines;
	bool is_c; /* the language is C, whose structures have no functions */
	u64 lines_off, low_pc, str_base, addr_base, rnglists_base, ranges_base, dwo_id;
	const char *comp_dir, *dwo_name;      /* borrowed; NULL: none */
	_Atomic(struct dw_abbrevs *) abbrevs; /* owned; NULL: not read so far */
};

/** dw_units_read - read the headers of all units of a file, which has none so far. Those of a
 * package are found by its index. */
void dw_units_read(struct dw_file *f);
/**
 * dw_unit_read - read the header at @off of section DW_INFO of @sec, and the first entry.
 * Return: false when there is no unit; u->end is then the offset where the next one may be, or 0.
 */
bool dw_unit_read(struct dw_unit *u, struct dw_file *f, const struct dw_part *sec, u64 off);
struct dw_naming;
/** dw_unit_ranges - call @fn for the address ranges of a unit, see dw_die_ranges(). */
struct dw_ranges;
void dw_unit_ranges(const struct dw_unit *u, struct dw_ranges *to);
/** dw_unit_release - free what it owns. */
void dw_unit_release(struct dw_unit *u);
/** dw_unit_at - return the unit of a file that contains an offset, or NULL. */
const struct dw_unit *dw_unit_at(const struct dw_file *f, u64 off);
/** dw_unit_has_code - tell whether it is of a kind that describes code. */
bool dw_unit_has_code(const struct dw_unit *u);
/** dw_units_alone - tell whether no function of a unit is told of in another unit or file. */
bool dw_units_alone(const struct dw_file *f);
/**
 * dw_naming_new - prepare to look for the units that may have an entry that is named @name, or that
 * refers to one.
 * Return: for dw_naming_free(); NULL: the bytes do not tell. They do not where names are numbered,
 * where entries refer to those of other units or files, and where the text is the end of many
 * others: then all units may have one.
 */
struct dw_naming *dw_naming_new(const struct dw_file *f, const char *name);
void dw_naming_free(struct dw_naming *n);
/** dw_naming_look - of @nr units from @first on that are marked in @may, leave only those marked
 * that may have such an entry. @may: of these units */
void dw_naming_look(const struct dw_naming *n, size_t first, size_t nr, bool *may);
/** dw_units_with_file - mark the units whose line table may name a file. @base: the last part of
 * its path; @may: one for each unit of the file */
void dw_units_with_file(const struct dw_file *f, const char *base, bool *may);
/** dw_cur - return a cursor in a section of a unit at an offset; an empty one if that is beyond. */
struct cur dw_cur(const struct dw_unit *u, enum dw_section sec, u64 off);

/* ---- abbreviations ---- */

/* The attributes that are looked at. */
enum dw_wanted {
	DW_NAME,
	DW_LINKAGE_NAME,
	DW_LOW_PC,
	DW_HIGH_PC,
	DW_RANGE_LIST,
	DW_ORIGIN,
	DW_SPECIFICATION,
	DW_CALL_FILE,
	DW_CALL_LINE,
	DW_DECL_FILE,
	DW_DECL_LINE,
	DW_ENTRY_PC,
	DW_SIBLING,
	DW_STMT_LIST,
	DW_COMP_DIR,
	DW_STR_BASE,
	DW_ADDR_BASE,
	DW_RNGLISTS_BASE,
	DW_RANGES_BASE,
	DW_DWO_NAME,
	DW_DWO_ID,
	DW_LANGUAGE,
	DW_WANTED,
};

struct dw_abbrev {
	u64 code;
	u16 tag;
	bool children;
	u32 has;                  /* a bit for each attribute that is looked at */
	u32 first, nr;            /* of its attributes */
	u32 first_step, nr_steps; /* how all of these are passed over */
};

struct dw_abbrev_attr {
	u16 form;
	u8 wanted;    /* DW_WANTED: it is not looked at */
	s8 size;      /* as dw_form_size() has it */
	s64 constant; /* of DW_FORM_implicit_const */
};

/* A step over attributes of which nothing is read: some whose sizes are known, and one behind them
 * whose size is not. */
struct dw_step {
	u32 bytes;
	u16 form; /* 0: there is none behind them */
};

struct dw_abbrevs {
	struct dw_abbrev *v; /* owned, sorted by code */
	size_t nr, cap;
	struct dw_abbrev_attr *attrs; /* owned */
	size_t nr_attrs, cap_attrs;
	struct dw_step *steps; /* owned */
	size_t nr_steps, cap_steps;
};

/** dw_abbrevs_one - read one abbreviation of a unit. @at: where in section DW_ABBREV it is looked
 * for, and then where it is. Free the result with dw_abbrevs_free(). */
struct dw_abbrevs *dw_abbrevs_one(const struct dw_unit *u, u64 code, u64 *at);
void dw_abbrevs_free(struct dw_abbrevs *a);
/** dw_abbrevs - return all abbreviations of a unit, which keeps them. */
const struct dw_abbrevs *dw_abbrevs(const struct dw_unit *u);
/**
 * dw_abbrevs_drop - free what dw_abbrevs() has returned, which takes much room if it is done for
 * all units. No other thread may read the unit, neither may units of which entries refer to it.
 */
void dw_abbrevs_drop(const struct dw_unit *u);
/** dw_abbrev_search - do what dw_abbrev() does where codes are not numbered. */
const struct dw_abbrev *dw_abbrev_search(const struct dw_abbrevs *a, u64 code);
/** dw_abbrev - return the one with that code, or NULL. Compilers number them from 1. */
static inline const struct dw_abbrev *dw_abbrev(const struct dw_abbrevs *a, u64 code)
{
	if (likely(code && code <= a->nr && a->v[code - 1].code == code))
		return &a->v[code - 1];
	return dw_abbrev_search(a, code);
}

/* ---- values ---- */

struct dw_value {
	u16 form;
	u64 n;       /* a number, an offset, an index, or the length of a block */
	const u8 *p; /* a text of its own, or a block; borrowed */
};

/** dw_form_size - return the bytes of a form; -1: they differ. */
int dw_form_size(const struct dw_sizes *s, u16 form);
/** dw_form_read - read a value. A form that is not known makes the cursor bad. */
void dw_form_read(struct cur *c, const struct dw_sizes *s, u16 form, s64 constant,
		  struct dw_value *v);
/** dw_form_skip - pass over a value whose size its form does not tell. */
void dw_form_skip(struct cur *c, const struct dw_sizes *s, u16 form);

/** dw_string - return the text that a value stands for, or NULL. */
const char *dw_string(const struct dw_unit *u, const struct dw_value *v);
/** dw_number - get a constant that is not negative. Return: whether it is one. */
bool dw_number(const struct dw_value *v, u64 *n);
/** dw_offset - get an offset in another section. Return: whether it is one. */
bool dw_offset(const struct dw_value *v, u64 *n);
/** dw_address - get an address. Return: whether it is one. */
bool dw_address(const struct dw_unit *u, const struct dw_value *v, u64 *addr);
/** dw_address_at - get address number @i of the unit's part of DW_ADDR. Return: whether it is
 * there. */
bool dw_address_at(const struct dw_unit *u, u64 i, u64 *addr);
/** dw_cur_address - read an address. */
u64 dw_cur_address(struct cur *c, u8 size);
/** dw_cur_offset - read an offset of 4 or 8 bytes. */
u64 dw_cur_offset(struct cur *c, u8 size);

/* ---- entries ---- */

struct dw_die {
	const struct dw_unit *u;
	const struct dw_abbrev *abbrev;
	u64 off;
	u32 have; /* a bit for each attribute in v */
	struct dw_value v[DW_WANTED];
};

static inline bool dw_has(const struct dw_die *d, enum dw_wanted w)
{
	return d->have >> w & 1;
}

/** dw_die_attrs - read the attributes of an entry. @c: at them, and then behind */
void dw_die_attrs(struct dw_die *d, struct cur *c, const struct dw_unit *u,
		  const struct dw_abbrevs *all, const struct dw_abbrev *a, u64 off);
/** dw_die_read - read the entry at an offset. Return: whether there is one. */
bool dw_die_read(struct dw_die *d, const struct dw_unit *u, u64 off);
/** dw_die_refer - read the entry that a reference leads to. Return: whether there is one. */
bool dw_die_refer(struct dw_die *d, const struct dw_unit *u, const struct dw_value *ref);
/**
 * dw_die_origin - read the entry that @d is an instance of, or that declares it. Return: whether
 * there is one.
 */
bool dw_die_origin(struct dw_die *origin, const struct dw_die *d);
/** dw_die_function_name - return the name of the function that an entry is, or is an instance of:
 * its linkage name if there is one, otherwise its name in the source; NULL: it has none. */
const char *dw_die_function_name(const struct dw_die *d);

/* The taker of ranges of addresses. */
struct dw_ranges {
	void (*fn)(void *ctx, u64 start, u64 end);
	void *ctx;
	u64 left; /* so many may still be read: damaged entries can share long lists */
};

/** dw_die_ranges - hand over the ranges of addresses of an entry, which may be none. */
void dw_die_ranges(const struct dw_die *d, struct dw_ranges *to);

/* A walk over an entry and all below it, in the order of the file. */
struct dw_walk {
	const struct dw_unit *u;
	const struct dw_abbrevs *abbrevs;
	struct cur c; /* at the attributes of the current entry until these are read */
	u32 depth;    /* of the current entry; the first one has 0 */
	u32 next;     /* depth of the next entry */
	bool begun;
	u64 off;                    /* of the current entry */
	const struct dw_abbrev *at; /* shape of the current entry */
};

/** dw_walk - begin a walk at an entry. */
struct dw_walk dw_walk(const struct dw_unit *u, u64 off);
/** dw_walk_next - go to the next entry. Its attributes are next to be read or skipped. Return:
 * whether there is one. */
bool dw_walk_next(struct dw_walk *w);
/** dw_walk_skip - pass over the attributes of the current entry. */
void dw_walk_skip(struct dw_walk *w);
/** dw_walk_peek - read one attribute of the current entry, which stays where it is. Return: whether
 * it has that one. */
bool dw_walk_peek(const struct dw_walk *w, enum dw_wanted which, struct dw_value *v);
/** dw_walk_read - read the attributes of the current entry. */
void dw_walk_read(struct dw_walk *w, struct dw_die *d);
/** dw_walk_pass - pass over the attributes of the current entry, and over all entries below it. */
void dw_walk_pass(struct dw_walk *w);
/** dw_walk_skip_below - pass over all entries below the current one. @d: its attributes; NULL: they
 * were not read */
void dw_walk_skip_below(struct dw_walk *w, const struct dw_die *d);

#endif
