/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The little we need of BTF (Documentation/bpf/btf.rst of the kernel): where in the running
 * kernel's structures a member is, so that programs can be made for it without its headers; and
 * names of functions.
 */
#ifndef PERF_BPF_BTF_H
#define PERF_BPF_BTF_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

struct btf {
	const u8 *data; /* all of it, borrowed by btf_open(), owned after btf_open_kernel() */
	struct strbuf own;
	u32 types_off, strings_off, strings_len; /* bytes from data */
	u32 *at;                                 /* owned; where type i is, from data */
	u32 nr;                                  /* type ids, with 0 that is void */
};

/** btf_open - look at @size bytes, which stay the caller's. Return: 0, -EINVAL when they are no
 * BTF. */
int btf_open(struct btf *b, const void *data, size_t size);
/** btf_open_kernel - that of the running kernel. Return: 0, or negative errno and a sentence. */
int btf_open_kernel(struct btf *b, const struct sysroot *sr, struct err *err);
/** btf_close - free. */
void btf_close(struct btf *b);

/**
 * btf_member - where a member is.
 * @path: "member" or "member.member": through structures and unions, also those without names
 * Return: bytes from the start of struct @type, or -ENOENT.
 */
int btf_member(const struct btf *b, const char *type, const char *path);
/** btf_params - number of parameters of a function, or -ENOENT. */
int btf_params(const struct btf *b, const char *func);
/** btf_func_name - the name of the function with number @type in @size bytes of BTF; NULL when it
 * is none. Borrowed from @btf. */
const char *btf_func_name(const void *btf, size_t size, u32 type);

#endif
