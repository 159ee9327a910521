// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flags of other machines have other values. The tables of names have the values that most machines
 * share (asm-generic); where a machine has moved bits, they are moved to those places before they
 * are named, and back when a name is parsed.
 */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#include <elf.h>

/* A bit of a machine, and the bit with the same meaning in the table. */
struct bit_move {
	u32 own, shared;
};

/** The bits of one table that a machine has at other places. */
struct names_moves {
	u32 machine;
	const char *table;
	struct bit_move bits[6]; /* zeros end it */
};

#define ARM_OPEN                                                                                   \
	{                                                                                          \
		{ 040000, 0200000 },          /* O_DIRECTORY */                                    \
			{ 0100000, 0400000 }, /* O_NOFOLLOW */                                     \
			{ 0200000, 040000 },  /* O_DIRECT */                                       \
			{ 0400000, 0100000 }, /* O_LARGEFILE */                                    \
	}
#define POWERPC_OPEN                                                                               \
	{                                                                                          \
		{ 040000, 0200000 },          /* O_DIRECTORY */                                    \
			{ 0100000, 0400000 }, /* O_NOFOLLOW */                                     \
			{ 0200000, 0100000 }, /* O_LARGEFILE */                                    \
			{ 0400000, 040000 },  /* O_DIRECT */                                       \
	}
#define POWERPC_MAP                                                                                \
	{                                                                                          \
		{ 0x40, 0x4000 },         /* MAP_NORESERVE */                                      \
			{ 0x80, 0x2000 }, /* MAP_LOCKED */                                         \
	}

static const struct names_moves moves[] = {
	{ EM_AARCH64, "open_flags", ARM_OPEN },   { EM_AARCH64, "open_bits", ARM_OPEN },
	{ EM_ARM, "open_flags", ARM_OPEN },       { EM_ARM, "open_bits", ARM_OPEN },
	{ EM_PPC64, "open_flags", POWERPC_OPEN }, { EM_PPC64, "open_bits", POWERPC_OPEN },
	{ EM_PPC, "open_flags", POWERPC_OPEN },   { EM_PPC, "open_bits", POWERPC_OPEN },
	{ EM_PPC64, "mmap_flags", POWERPC_MAP },  { EM_PPC, "mmap_flags", POWERPC_MAP },
};

static const struct names_moves *moves_of(const struct sysargs *sa, const struct names *n)
{
	for (size_t i = 0; i < ARRAY_SIZE(moves); i++)
		if (moves[i].machine == sa->abi.machine && !strcmp(moves[i].table, n->table))
			return &moves[i];
	return NULL;
}

bool machine_moves_bits(u32 machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(moves); i++)
		if (moves[i].machine == machine)
			return true;
	return false;
}

static u64 move_bits(const struct sysargs *sa, const struct names *n, u64 value, bool to_own)
{
	const struct names_moves *m = sa->moves_bits ? moves_of(sa, n) : NULL;
	u64 moved = value;

	for (size_t i = 0; m && i < ARRAY_SIZE(m->bits) && m->bits[i].own; i++)
		moved &= ~(u64)(to_own ? m->bits[i].shared : m->bits[i].own);
	for (size_t i = 0; m && i < ARRAY_SIZE(m->bits) && m->bits[i].own; i++) {
		struct bit_move b = m->bits[i];

		if (value & (to_own ? b.shared : b.own))
			moved |= to_own ? b.own : b.shared;
	}
	return moved;
}

u64 names_shared(const struct sysargs *sa, const struct names *n, u64 value)
{
	return move_bits(sa, n, value, false);
}

u64 names_own(const struct sysargs *sa, const struct names *n, u64 value)
{
	return move_bits(sa, n, value, true);
}
