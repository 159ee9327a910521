/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of functions, and where they are at each instruction (DWARF 5, 2.6). Addresses are
 * those of the object's headers, registers have DWARF numbers.
 */
#ifndef PERF_DWARF_VARIABLES_H
#define PERF_DWARF_VARIABLES_H

#include "dwarf/types.h"

enum place_kind {
	PLACE_NONE,        /* nowhere that is described here */
	PLACE_REGISTER,    /* in register @reg */
	PLACE_FRAME,       /* in memory, @offset bytes from the canonical frame address */
	PLACE_BASED,       /* in memory, @offset bytes from where register @reg points */
	PLACE_FIXED,       /* in memory at the address @offset */
	PLACE_THREAD,      /* in memory, @offset bytes from the start of the thread's block of the
			      object */
	PLACE_VALUE,       /* nowhere, but its value is that of register @reg plus @offset */
	PLACE_FRAME_VALUE, /* the same with the canonical frame address */
	PLACE_POINTED, /* in memory, @offset bytes from where a pointer points, which is itself in
			  memory: @inner bytes from the register, the frame or the address that
			  @through names */
	PLACE_ENTRY_BASED, /* in memory, @offset bytes from where register @reg pointed when the
			      function was entered */
	PLACE_ENTRY_VALUE, /* nowhere, but its value is what that register had, plus @offset */
	PLACE_CONSTANT,    /* nowhere, but its value is the number @offset */
};

/* The place of a variable, or of a part of it, while [start, end) is executed. */
struct variable_place {
	u64 start, end;
	u32 variable; /* index in the function */
	enum place_kind kind;
	u16 reg;
	s64 offset;
	enum place_kind through; /* of PLACE_POINTED: PLACE_BASED, PLACE_FRAME or PLACE_FIXED */
	s64 inner;
	bool listed; /* other places may be valid elsewhere: the compiler moves the variable */
	u32 part, part_size; /* the bytes of the variable that are there; part_size 0: all of it */
};

struct variable {
	const char *name; /* borrowed; NULL: none */
	u32 type;         /* as declared */
	bool parameter;
	u32 depth; /* in how many blocks and inlined functions of the function it is */
	u32 first_range, nr_ranges; /* of the function: where it can be named, which hides those of
				       its name that are less deep, wherever it lives */
};

struct code_range {
	u64 start, end;
};

/* An instruction behind a call. */
struct call_return {
	u64 addr;
	u32 type; /* of what the called function returns */
};

struct debug_function {
	u64 entry;        /* address */
	const char *name; /* borrowed; NULL: unknown */
	u32 returns;      /* type; TYPE_VOID: nothing */
	const struct variable *variables;
	size_t nr_variables;
	const struct code_range *ranges;     /* of blocks, see struct variable */
	const struct variable_place *places; /* sorted by start, variable and part */
	size_t nr_places;
	const struct call_return *calls; /* sorted */
	size_t nr_calls;
};

/**
 * debug_function_at - return the function that contains an address, with all its variables and
 * those of the functions inlined into it. It is valid until debuginfo_close(). NULL: none is known.
 */
const struct debug_function *debug_function_at(struct debuginfo *di, u64 addr);

/* A variable with a place of its own. */
struct global {
	const char *name; /* borrowed */
	u32 type;         /* as declared */
	u64 addr;         /* or an offset in the block of a thread, or the value */
	u64 size;
	const void *unit; /* tells which unit it is in */
};
/** debug_global_at - return the variable outside of functions that has an address; NULL: none. It
 * is valid until debuginfo_close(). */
const struct global *debug_global_at(struct debuginfo *di, u64 addr);
/**
 * debug_global_named - return a variable outside of functions by the name that it has in the code
 * at @addr: of several, that of the unit of this code. NULL: there is none. It is valid until
 * debuginfo_close().
 * @kind: receives what its address is: PLACE_FIXED; PLACE_THREAD, an offset in the block of a
 * thread; or PLACE_CONSTANT, its value, which no memory has
 */
const struct global *debug_global_named(struct debuginfo *di, u64 addr, const char *name,
					enum place_kind *kind);
/**
 * debug_declared_at - find a variable that the unit of the code at @addr only declares.
 * Return: whether it does; its type is stored in @type.
 */
bool debug_declared_at(struct debuginfo *di, u64 addr, const char *name, u32 *type);
/** debug_globals - return all *@nr variables outside of functions, by address; they are valid until
 * debuginfo_close(). */
const struct global *debug_globals(struct debuginfo *di, size_t *nr);
/** debug_thread_local_at - the same for an offset in the block of a thread. */
const struct global *debug_thread_local_at(struct debuginfo *di, u64 offset);
/** debug_thread_block - return the size of the object's block of a thread, aligned; 0: it has none.
 */
u64 debug_thread_block(const struct debuginfo *di);

#endif
