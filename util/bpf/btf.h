/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of BTF that are needed here (Documentation/bpf/btf.rst of the kernel): the offsets of
 * members in the running kernel's structures, so that programs can be made without its headers, the
 * names of functions, and values of any type as text (bpf/btf-print.h).
 */
#ifndef PERF_BPF_BTF_H
#define PERF_BPF_BTF_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

struct btf {
	const u8 *data;    /* all bytes; borrowed after btf_open(), owned after btf_open_kernel() */
	struct strbuf own; /* the bytes, where the kernel does not let them be mapped */
	void *map;         /* owned; the bytes of the kernel's file; NULL: there is no mapping */
	size_t map_size;
	u32 types_off, strings_off, strings_len; /* bytes from data */
	u32 *at;                                 /* owned; offset of each type in data */
	u32 nr;                                  /* number of types, with 0, which is void */
	u32 *named; /* owned; structs, unions and enums by name, after btf_index() */
	u32 nr_named;
};

/**
 * btf_open - read @size bytes of BTF, which stay the caller's. Return: 0, or -EINVAL when they are
 * not BTF.
 */
int btf_open(struct btf *b, const void *data, size_t size);
/**
 * btf_open_kernel - read the BTF of the running kernel. Return: 0, or a negative errno and a
 * sentence.
 */
int btf_open_kernel(struct btf *b, const struct sysroot *sr, struct err *err);
/** btf_close - free what was allocated. */
void btf_close(struct btf *b);

/**
 * btf_member - look up a member of a struct.
 * @path: "member" or "member.member"; members of unnamed structures and unions are found as
 *	well
 * Return: its offset in bytes from the start of struct @type, or -ENOENT.
 */
int btf_member(const struct btf *b, const char *type, const char *path);
/** btf_func, btf_typedef - return the number of the function or typedef with that name; 0: there is
 * none. */
u32 btf_func(const struct btf *b, const char *name);
u32 btf_typedef(const struct btf *b, const char *name);
/** btf_params - return the number of parameters of a function, or -ENOENT. */
int btf_params(const struct btf *b, const char *func);
/**
 * btf_param - look at parameter @i of function @func.
 * @name: is set to its name, which is part of @b, or NULL
 * @type: is set to its type; 0: it stands for any further arguments
 * Return: false: there is no such function, or it has no such parameter.
 */
bool btf_param(const struct btf *b, u32 func, u32 i, const char **name, u32 *type);
/** btf_is_func - return the name of type @id, which is part of @b; NULL when it is no function. */
const char *btf_is_func(const struct btf *b, u32 id);
/**
 * btf_func_name - return the name of the function with type id @type in @size bytes of BTF. It is
 * part of @btf. NULL when the type is not a function.
 */
const char *btf_func_name(const void *btf, size_t size, u32 type);

#endif
