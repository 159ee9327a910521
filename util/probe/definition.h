/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions of probes as users write them (perf-probe(1)):
 *
 *	[[GROUP:]EVENT=]FUNC[@SRC][+OFF|%return|:RLN|;PTN] [ARG...]
 *	[[GROUP:]EVENT=]SRC:ALN [ARG...]
 *	[[GROUP:]EVENT=]SRC;PTN [ARG...]
 *	[[GROUP:]EVENT=]0xADDRESS[%return] [ARG...]
 *	%[sdt_PROVIDER:]MARKER[@FILE] or sdt_PROVIDER:MARKER[@FILE]
 *
 * with arguments
 *
 *	[NAME=]VALUE[:TYPE][@user]
 *
 * where VALUE is a variable, perhaps with members and elements ("a->b.c[2]", "a[1-3]"), or what the
 *kernel fetches: %REGISTER, $retval, $argN, $stackN, $comm, @ADDRESS, @SYMBOL, +OFFSET(VALUE),
 *\NUMBER. A backslash takes the meaning of the character behind it.
 */
#ifndef PERF_PROBE_DEFINITION_H
#define PERF_PROBE_DEFINITION_H

#include "base/err.h"
#include "base/strbuf.h"

/* A step from a value to a part of it. */
struct probe_step {
	char *member; /* owned; NULL: the element @index of an array or of what a pointer has */
	s64 index;    /* may be negative behind a pointer */
	u32 count;    /* elements from there on that are wanted; 0: this one */
	bool through; /* "->": through a pointer */
};

struct probe_arg {
	char *name;  /* owned; the user's; NULL: none was given */
	char *value; /* owned: a variable without its steps, "$vars", or what the kernel fetches */
	char *type;  /* owned; NULL: none was given */
	bool variable;            /* @value is the name of a variable of the program */
	bool user;                /* a pointer of the kernel into the memory of the user */
	struct probe_step *steps; /* owned */
	size_t nr_steps, cap_steps;
};

/* Owned strings are NULL where the definition has no such part. */
struct probe_definition {
	char *group, *event;
	char *function; /* may be a pattern */
	char *file;     /* of the function, or of @line */
	char *pattern;  /* of the text of source lines */
	u32 line;       /* behind that of the function, or in @file; 0: none */
	u64 offset;     /* bytes behind the start of the function */
	u64 address;
	bool absolute; /* @address is the place; @function has its text */
	bool returns;
	bool marker;  /* @event of @group is a marker of a program, or a probe of the cache */
	char *object; /* the file that has the marker */
	struct probe_arg *args; /* owned */
	size_t nr_args, cap_args;
};

/**
 * probe_definition_parse - read a definition, whose words blanks separate.
 * probe_definition_release() frees what @d owns, also after an error. Return: 0, or -EINVAL and a
 * sentence.
 */
int probe_definition_parse(struct probe_definition *d, const char *text, struct err *err);
/** probe_point_parse - read a definition that may not have a name or arguments (perf probe -V). */
int probe_point_parse(struct probe_definition *d, const char *text, struct err *err);
void probe_definition_release(struct probe_definition *d);

/** probe_arg_parse - read one argument. */
int probe_arg_parse(struct probe_arg *a, const char *text, struct err *err);
void probe_arg_release(struct probe_arg *a);

/** probe_point_text - append the place as users write it: "func%return", "func+4", "file.c:12". */
void probe_point_text(const struct probe_definition *d, struct strbuf *out);
/** probe_arg_text - append an argument as users write it, with the name that its event has. */
void probe_arg_text(const struct probe_arg *a, struct strbuf *out);
/** probe_arg_is_set - tell whether an argument stands for variables, not for one value: "$vars",
 * "$params", "$args". */
bool probe_arg_is_set(const struct probe_arg *a);
/** probe_is_pattern - tell whether a name has wildcards. */
bool probe_is_pattern(const char *name);
/** probe_needs_place - tell whether a place can only be found with source lines. */
bool probe_needs_place(const struct probe_definition *d);

#endif
