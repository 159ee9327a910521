/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the debug information of one object, which types.c, variables.c and globals.c share.
 */
#ifndef PERF_DWARF_DEBUGINFO_INTERNAL_H
#define PERF_DWARF_DEBUGINFO_INTERNAL_H

#include "base/hash.h"
#include "base/intern.h"
#include "dwarf/debuginfo.h"
#include "dwarf/libdw-internal.h"
#include "dwarf/lines.h"
#include "dwarf/ranges-internal.h"
#include "dwarf/variables.h"

#define DEBUG_DEPTH 192 /* nesting of entries; damaged ones can form cycles */

/* A compilation unit and the functions in it. */
struct debug_unit {
	Dwarf_Die die; /* with the entries: of split debug information, in the other file */
	bool listed;   /* the functions were listed */
	struct range_list ranges; /* of functions, while they are listed */
	struct range_map by_addr; /* of functions */
};

/* A function that was found; what is in it is read when it is asked for. */
struct found_function {
	Dwarf_Die die;
	struct debug_function *read; /* owned; NULL: not yet */
};

/* A type, and the entry that describes it. */
struct type_entry {
	struct type type;
	Dwarf_Die die;
	u8 empty;                    /* 1: something is in it; 2: nothing; 0: unknown */
	bool declared;               /* its definition is elsewhere, and was not looked for */
	bool listed;                 /* its members are known */
	struct type_member *members; /* owned */
	size_t nr, cap;
};

struct global_list {
	struct global *v; /* owned; sorted by address */
	size_t nr, cap;
};

/* Types that are defined somewhere, by the number of their name. */
struct definitions {
	bool listed;
	struct intern names;
	struct definition {
		Dwarf_Die die; /* addr NULL: none */
		u64 scope;     /* a hash of what it is in */
		bool several;  /* the name is that of several types */
	} * v;                 /* owned */
	size_t nr, cap;
};

struct debuginfo {
	struct libdw lib;
	int fd;
	Dwarf *dw;
	bool fixed;
	u8 address_size;
	u64 thread_block;
	struct lines *lines; /* borrowed: they tell which unit has an address; NULL: @by_addr */
	struct range_map by_addr; /* of units: where they are in @all */
	struct debug_unit *units; /* owned: those that were asked for an address */
	size_t nr_units, cap_units;
	struct map64 unit_ids; /* place of a first entry in memory -> place in @units */
	bool all_read;         /* the next two are known; see debug_units() */
	Dwarf_Die *all;        /* owned: the first entries of all units with code */
	size_t nr_all, cap_all;
	Dwarf_Die *type_units; /* owned; types that have units of their own */
	size_t nr_type_units, cap_type_units;
	struct found_function *functions;
	size_t nr_functions, cap_functions;
	bool globals_listed;
	u64 left; /* entries that may still be visited; damaged ones can form cycles */
	struct global_list globals, thread_locals, constants;
	struct type_entry *types; /* by number, see types.c */
	size_t nr_types, cap_types;
	struct definitions definitions;
	struct map64 type_ids; /* place of an entry in memory -> number */
};

/** debug_attr - look up an attribute of an entry, or of the entry that it refers to for what they
 * have in common. Return: NULL when there is none; else @attr. */
Dwarf_Attribute *debug_attr(struct debuginfo *di, Dwarf_Die *die, unsigned int name,
			    Dwarf_Attribute *attr);
/** debug_number - return an attribute that is a constant; @or when it is none. */
u64 debug_number(struct debuginfo *di, Dwarf_Die *die, unsigned int name, u64 or);
/** debug_name - return the name of an entry; NULL: it has none. */
const char *debug_name(struct debuginfo *di, Dwarf_Die *die);
/** debug_flag - tell whether an entry has an attribute that is set. */
bool debug_flag(struct debuginfo *di, Dwarf_Die *die, unsigned int name);
/** type_of - return the number of the type that an entry refers to (DW_AT_type), or TYPE_VOID. */
u32 type_of(struct debuginfo *di, Dwarf_Die *die);
/** types_start - begin without types. types_release() frees all. */
void types_start(struct debuginfo *di);
void types_release(struct debuginfo *di);

/* The meaning of an expression for a variable, or for a part of it: see struct variable_place. */
struct debug_place {
	enum place_kind kind;
	u16 reg;
	s64 offset;
	enum place_kind through;
	s64 inner;
	u32 part, part_size;
};

#define DEBUG_PARTS_MAX 16 /* of a variable */

/**
 * debug_places - evaluate an expression as far as that is possible without a running program.
 * @attr: the attribute that the @nr operations at @ops are from
 * @frame: what DW_OP_fbreg counts from; its kind is PLACE_NONE when that is unknown
 * @out: receives at most DEBUG_PARTS_MAX places
 * Return: their number.
 */
size_t debug_places(struct debuginfo *di, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
		    const struct debug_place *frame, struct debug_place *out);
/** definition_find - find the definition of a type that is declared. Return: whether there is
 * exactly one. */
bool definition_find(struct debuginfo *di, const char *name, Dwarf_Die *die);
/** debug_units - return the first entries of all *@nr units with code, and have type units read.
 * They stay @di's. */
Dwarf_Die *debug_units(struct debuginfo *di, size_t *nr);
/** debug_unit_at - return the unit that has an address, or NULL. It is valid until the next call.
 */
struct debug_unit *debug_unit_at(struct debuginfo *di, u64 addr);
/** debug_functions_free - free what was read of functions. */
void debug_functions_free(struct debuginfo *di);

#endif
