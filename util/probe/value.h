/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value of the program as the kernel fetches it: a register, memory at a distance from where
 * something else points, or a number.
 *
 * A variable may be in several parts, each in a register or in memory. A value begins as the whole
 * variable. Steps to members change its type and where in the variable it is, until a pointer is
 * followed or the text is wanted: only then is the part chosen that has it.
 */
#ifndef PERF_PROBE_VALUE_H
#define PERF_PROBE_VALUE_H

#include "dwarf/types.h"
#include "dwarf/variables.h"
#include "probe/points.h"

/* The places of one variable at one address. */
struct variable_parts {
#define VARIABLE_PARTS_MAX 16
	const struct variable_place *v[VARIABLE_PARTS_MAX]; /* borrowed, sorted by part */
	size_t nr;
};

struct probe_value {
	struct probe_object *object;     /* borrowed */
	const struct probe_point *point; /* borrowed: where it is fetched */
	const char *name;                /* borrowed: of the variable, for messages */
	struct variable_parts parts;     /* of the variable */
	bool placed; /* the part was chosen: what follows says where the value is */
	enum {
		VALUE_REGISTER, /* it is what @base has, plus @offset */
		VALUE_MEMORY,   /* in memory, at @offset from what @base has */
		VALUE_FIXED,    /* the same, but @base is the text in front of an address */
		VALUE_NUMBER,   /* it is @offset */
	} kind;
	struct strbuf base; /* owned: "%di", "+8(%di)"; "@+" or "@symbol+" */
	bool user;          /* memory of the user, for a probe of the kernel */
	s64 offset;         /* before the part is chosen: bytes from the start of the variable */
	u32 type;           /* as declared */
	u32 bits;           /* of a bit field; 0: it is none */
	u32 first_bit;      /* of it: counted from the lowest bit at @offset */
	u32 unit;           /* of it: the bytes of memory that have it, */
	u32 back;           /* which begin so many before @offset */
	u32 indexed;        /* dimensions of an array that indices were given for */
	u32 count;          /* elements that are wanted; 0: it is one value */
};

void probe_value_release(struct probe_value *v);
/**
 * probe_value_place - choose the part of the variable that has the value, unless that was done.
 * Return: 0, or a negative errno and a sentence when the kernel cannot fetch it there.
 */
int probe_value_place(struct probe_value *v, struct err *err);
/** probe_value_follow - go from a pointer to what it points to. Return: as probe_value_place(). */
int probe_value_follow(struct probe_value *v, struct err *err);
/** probe_value_in_memory - tell whether the value, whose part was chosen, is in memory. */
bool probe_value_in_memory(const struct probe_value *v);
/**
 * probe_value_finish - check that the kernel can fetch the value as the type that the user gave.
 * The part was chosen. @given: NULL: none. Return: 0, or -EINVAL and a sentence.
 */
int probe_value_finish(struct probe_value *v, const char *given, struct err *err);
/** probe_value_text - append what the kernel is told. */
void probe_value_text(const struct probe_value *v, struct strbuf *out);
/**
 * probe_value_type - append the type that the kernel is told: the one that the user gave, or the
 * one that the debug information has.
 * @given: NULL: none; "u", "s" and "x" alone have the size of the value
 */
void probe_value_type(const struct probe_value *v, const char *given, struct strbuf *out);

#endif
