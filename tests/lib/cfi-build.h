/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build call frame information for tests, as compilers for x86-64 write it, and objects that have
 * it. */
#ifndef TESTS_CFI_BUILD_H
#define TESTS_CFI_BUILD_H

#include "pdata-build.h"

/** cb_begin - begin an entry. Return: what cb_end() wants. */
size_t cb_begin(struct pb *b);
/** cb_end - fill the entry up with no-operations and set its length. */
void cb_end(struct pb *b, size_t at);
/** cb_cie - append the CIE of a section, which is empty: CFA = rsp + 8, the return address below.
 * @letters: of its augmentation */
void cb_cie(struct pb *b, const char *letters);
/**
 * cb_fde - append the rules of one range of code, whose CIE stands at the start of the section.
 * @addr: of the section
 * @code, @size: the range
 * Return: the offset of the entry.
 */
size_t cb_fde(struct pb *b, u64 addr, u64 code, u32 size, const void *program, size_t len);
/** cb_index - append the .eh_frame_hdr of a section with one FDE, at @fde. Return: its bytes. */
size_t cb_index(struct pb *b, u64 addr, u64 code, size_t fde);

/* An object with one function "f" at JIT_CODE_OFFSET, its unwind information behind it. */
struct cb_object {
	const void *code;
	size_t size;
	const void *program; /* of its FDE; NULL: there is no unwind information */
	size_t program_len;
	bool no_index;
	u16 machine; /* 0: EM_X86_64 */
};

/** cb_frames - append the unwind information of an object. Return: bytes of its index. */
size_t cb_frames(struct pb *b, const struct cb_object *o);
/** cb_write - write the object to a file. */
void cb_write(const struct cb_object *o, const char *path);

#endif
