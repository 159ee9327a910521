/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the types in a function are found: its code is decoded (code.c), values of registers are
 * followed through it (flow.c), and each access is looked up with the values at hand (access.c).
 */
#ifndef PERF_DATATYPE_DATATYPE_INTERNAL_H
#define PERF_DATATYPE_DATATYPE_INTERNAL_H

#include "arch/arch.h"
#include "arch/frames.h"
#include "datatype/datatype.h"
#include "disasm/operands.h"
#include "dwarf/frames.h"
#include "dwarf/relocs.h"
#include "dwarf/variables.h"

#define REGS_MAX 32
#define SLOTS_MAX 48 /* places of the stack with known values */

/* ---- values ---- */

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_NUMBER,  /* @offset, plus a multiple of @step if that is not 0 */
	VALUE_ADDRESS, /* the number @offset, which is an address in the object */
	VALUE_FRAME,   /* the canonical frame address + @offset */
	VALUE_POINTER, /* the address of an object of @type, + @offset, plus a multiple of @step */
	VALUE_THREAD,  /* the thread pointer + @offset */
	VALUE_CANARY,
	VALUE_GUARD,  /* the address of the canary */
	VALUE_ENTRY,  /* an entry of the table of jumps at the address @offset, of 4 bytes */
	VALUE_TARGET, /* such an entry plus the address of the table: where to jump */
};

struct value {
	u8 kind;
	u32 type; /* stripped, no array; TYPE_VOID: unknown */
	s64 offset;
	u64 step;
};

/* A place of the stack and what is in it. */
struct stack_slot {
	s64 at; /* bytes from the canonical frame address */
	struct value value;
};

/* The state holds what is known before an instruction. */
struct state {
	bool reached;
	u32 nr_slots;
	struct value regs[REGS_MAX]; /* by DWARF number */
	struct stack_slot slots[SLOTS_MAX];
};

/* Sums and differences of offsets may wrap around: they may come from damaged files. */
static inline s64 offset_plus(s64 a, s64 b)
{
	return (s64)((u64)a + (u64)b);
}

static inline s64 offset_minus(s64 a, s64 b)
{
	return (s64)((u64)a - (u64)b);
}

/* ---- a function ---- */

struct code_insn {
	u64 addr;
	struct insn_operands op;
	struct frame_cfa cfa; /* where the frame is before it */
	u32 block;            /* the block it is in */
};

/* Instructions that are executed one after the other. */
struct code_block {
	u32 first, nr;
	struct state in;
	bool waits; /* to be looked at, as @in has changed */
};

/* The result for one instruction, as it is kept. */
struct access_result {
	u32 at; /* bytes from the start of the function */
	u32 type;
	u64 offset;
	enum datatype_result result;
};

/* A function while it is looked at. Everything but the pointers of "borrowed" is owned. */
struct code {
	struct debuginfo *info;             /* borrowed; NULL: none */
	struct frames *frames;              /* borrowed; NULL: none */
	const struct relocs *relocs;        /* borrowed; NULL: none */
	const struct debug_function *debug; /* borrowed; NULL: nothing is known of the function */
	const struct arch_frames *abi;      /* borrowed; NULL: unknown */
	bool kernel, wide;
	/* Reads bytes at an address of the headers. It returns how many. */
	size_t (*read)(void *ctx, u64 addr, void *buf, size_t size);
	void *read_ctx;
	enum arch_code arch;
	u64 start, end;
	struct code_insn *insns;
	size_t nr, cap;
	struct code_block *blocks;
	size_t nr_blocks;
	/* Indices of debug->places: those in registers, by instruction, and those in memory. */
	u32 *active_from; /* of instruction i, from active_from[i] to active_from[i + 1] */
	u32 *active;
	u32 *memory;
	size_t nr_memory;
};

/**
 * code_decode - decode the @size bytes of a function at @bytes and divide it into blocks.
 * code_release() frees what it made.
 */
void code_decode(struct code *c, struct disasm *d, const u8 *bytes, size_t size);
void code_release(struct code *c);
/** code_insn_at - return the index of the instruction at an address; SIZE_MAX: none begins there.
 */
size_t code_insn_at(const struct code *c, u64 addr);

/** code_follow - find what is known before each block. */
void code_follow(struct code *c);
/** state_enter - add what the debug information says at instruction @i. */
void state_enter(const struct code *c, size_t i, struct state *s);
/** state_leave - change @s, which is before instruction @i, to what is known behind it. */
void state_leave(const struct code *c, size_t i, struct state *s);

/* An instruction, and what is known before it. */
struct place_in_code {
	const struct code *c;
	size_t i;
	const struct state *s;
};

/* ---- value.c ---- */

bool value_same(const struct value *a, const struct value *b);
/** value_times - return a value multiplied by a number. */
struct value value_times(struct value v, u32 scale);
/** value_plus - return the sum of two values. */
struct value value_plus(const struct place_in_code *at, struct value a, struct value b);
/** value_meet - return what is known when either @a or @b is the case. */
struct value value_meet(const struct place_in_code *at, const struct value *a,
			const struct value *b);

/* ---- access.c ---- */

/** access_find - find the type that an instruction accesses. */
void access_find(const struct place_in_code *at, struct access_result *out);
/** access_address - compute an address from registers. */
struct value access_address(const struct place_in_code *at, const struct insn_address *a);
/** access_object - find the object that a value points to, with its @offset and @step. Return: a
 * pointer into it, or an unknown value. */
struct value access_object(const struct place_in_code *at, struct value v);
/** access_pointer - return the value of a variable of a type: a pointer, or unknown. */
struct value access_pointer(const struct code *c, u32 type);
/** access_loaded - return what a load of @mem gets. */
struct value access_loaded(const struct place_in_code *at, const struct insn_memory *mem);
/** access_described - return what a place of debug->places says of the register it names. */
struct value access_described(const struct code *c, u32 place);

/**
 * element_find - change the offset of a pointer that has a step to that of the array that it is
 * for.
 * @size: bytes that are accessed; 0: unknown
 */
void element_find(struct debuginfo *info, struct value *v, u64 size);

#endif
