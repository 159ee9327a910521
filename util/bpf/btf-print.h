/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of the kernel's types as text, by what BTF says of them: enums by their names, structs. */
#ifndef PERF_BPF_BTF_PRINT_H
#define PERF_BPF_BTF_PRINT_H

#include "bpf/btf.h"

/** It tells how values are shown. */
struct btf_view {
	bool names;    /* "{.tv_sec = 1, .tv_nsec = 5}", not "{1,5,}" */
	bool zeros;    /* members that are zero are shown, too */
	u32 depth;     /* structs in structs that are shown; deeper ones are "{...}" */
	u32 elements;  /* elements of an array that are shown */
	u32 text_size; /* bytes of text after which the rest is "..." */
};

#define BTF_VIEW_DEFAULT                                                                           \
	{                                                                                          \
		.names = true, .depth = 4, .elements = 16, .text_size = 2048                       \
	}

/** btf_index - prepare btf_find(). It allocates, so it is called before threads share @b. */
void btf_index(struct btf *b);
/**
 * btf_find - find a type by the name that C gives it: "struct timespec64", "union x", "enum
 * hrtimer_mode". btf_index() was called.
 * Return: the id of the type, or 0. A type that has members is preferred.
 */
u32 btf_find(const struct btf *b, const char *c_name);
/** btf_size - return the size in bytes of values of a type; 0 if it has none. */
u32 btf_size(const struct btf *b, u32 id);
/** btf_enum_name - return the name of a value of an enum, which is part of @b, or NULL. */
const char *btf_enum_name(const struct btf *b, u32 id, s64 value);
/**
 * btf_print - append a value.
 * @id: its type
 * @data: at least btf_size() bytes; with fewer, members that are not inside are left out
 */
void btf_print(struct strbuf *out, const struct btf *b, u32 id, const void *data, size_t size,
	       const struct btf_view *v);

#endif
