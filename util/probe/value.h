/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value of the program as the kernel fetches it: a register, or memory at a distance from where
 * something else points.
 */
#ifndef PERF_PROBE_VALUE_H
#define PERF_PROBE_VALUE_H

#include "dwarf/types.h"
#include "dwarf/variables.h"
#include "probe/points.h"

struct probe_value {
	struct strbuf base; /* owned: "%di", "+8(%di)", "@+0x4010" without its number */
	bool memory;        /* what is wanted is in memory at @offset from @base */
	bool fixed;         /* and @base is the text in front of an address, "@+" or "@symbol+" */
	bool user;          /* memory of the user, for a probe of the kernel */
	s64 offset;
	u32 type;            /* as declared */
	u32 bits, first_bit; /* of a bit field, in a unit of @unit bytes; bits 0: none */
	u32 unit;
	u32 indexed; /* dimensions of an array that indices were given for */
};

void probe_value_release(struct probe_value *v);
/**
 * probe_value_init - describe a variable at a place.
 * Return: 0, or a negative errno and a sentence when the kernel cannot fetch it there.
 */
int probe_value_init(struct probe_value *v, struct probe_object *o, const struct probe_point *p,
		     const struct variable_place *place, const char *name, u32 type,
		     struct err *err);
/** probe_value_follow - go from a pointer to what it points to. */
void probe_value_follow(struct probe_value *v);
/** probe_value_text - append what the kernel is told. */
void probe_value_text(const struct probe_value *v, struct strbuf *out);
/**
 * probe_value_type - append the type that the kernel is told: the one that the user gave, or the
 * one that the debug information has.
 * @given: NULL: none; "u", "s" and "x" alone have the size of the value
 */
void probe_value_type(const struct probe_value *v, struct debuginfo *di, const char *given,
		      struct strbuf *out);

#endif
