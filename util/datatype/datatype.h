/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of data that instructions access in memory. The debug information says where variables
 * are and what types they have; where it says nothing of a register, the value of the register is
 * followed through the function. A function is looked at once, when the first of its instructions
 * is asked for.
 */
#ifndef PERF_DATATYPE_DATATYPE_H
#define PERF_DATATYPE_DATATYPE_H

#include "disasm/code-files.h"
#include "dwarf/types.h"
#include "resolve/resolve.h"

struct arch;

/* The result tells what was found, or why nothing was. */
enum datatype_result {
	DATATYPE_FOUND,
	DATATYPE_STACK,        /* a place of the stack that the compiler uses for itself */
	DATATYPE_CANARY,       /* the value that tells whether the stack was overwritten */
	DATATYPE_NO_SYM,       /* the address is in no function */
	DATATYPE_NO_INSN,      /* no instruction begins there, or the code cannot be read */
	DATATYPE_NO_MEM_OPS,   /* the instruction does not access memory */
	DATATYPE_NO_DBGINFO,   /* the object has no debug information */
	DATATYPE_NO_CUINFO,    /* the function has none */
	DATATYPE_NO_REG,       /* nothing is known of the register with the address */
	DATATYPE_NO_VAR,       /* no variable has that place in memory */
	DATATYPE_NO_TYPEINFO,  /* what a pointer points to has no type */
	DATATYPE_INVALID_SIZE, /* the type has no size */
	DATATYPE_BAD_OFFSET,   /* the access is outside of the type */
	NR_DATATYPE_RESULTS
};

struct datatype {
	enum datatype_result result;
	struct debuginfo *info; /* borrowed; that @type is a number in */
	u32 type;               /* stripped, never an array */
	u64 offset;             /* of the access in it */
};

/* The objects and functions that were looked at. */
struct datatypes;

/** datatypes_new - prepare. @arch: of the recording; datatypes_free() frees the result. */
struct datatypes *datatypes_new(const struct arch *arch);
void datatypes_free(struct datatypes *d);

/**
 * datatype_at - find the type that the instruction at a location accesses, whose symbol was looked
 * up. One thread at a time may call it.
 * Return: whether one was found, DATATYPE_STACK and DATATYPE_CANARY included.
 */
bool datatype_at(struct datatypes *d, const struct location *l, struct datatype *out);

/** datatype_insn - append the name of the instruction at a location: "movq". Return: whether there
 * is one. */
bool datatype_insn(struct datatypes *d, const struct location *l, struct strbuf *out);

/** datatype_text - append the type, "(stack operation)", "(stack canary)" or "(unknown)". */
void datatype_text(const struct datatype *t, struct strbuf *out);
/** datatype_offset_text - append the type, the offset and the member: "struct foo +0x10 (a.b)". */
void datatype_offset_text(const struct datatype *t, struct strbuf *out);
/** datatype_note - append the type, and the member where there is one: a comment on an instruction.
 */
void datatype_note(const struct datatype *t, struct strbuf *out);
/** datatype_line_text - append the type and the number of the cache line in it. @line: bytes of a
 * cache line. */
void datatype_line_text(const struct datatype *t, u32 line, struct strbuf *out);
/** datatype_reason - return the word that statistics have for a result. */
const char *datatype_reason(enum datatype_result result);

#endif
