/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build jitdump files for tests, in either byte order. The code is separate from the code under
 * test. */
#ifndef TESTS_JIT_BUILD_H
#define TESTS_JIT_BUILD_H

#include "base/compat.h"
#include "base/strbuf.h"

struct jb {
	struct strbuf out;
	bool swap; /* write the other byte order */
	u32 pid;
	u64 next_index;
};

/* A line of source: from this offset in the function on. */
struct jb_line {
	u64 at;
	u32 line;
	const char *file;
};

/** jb_init - a file with a header; jb_release() it. */
void jb_init(struct jb *b, bool swap, u32 pid, u64 time);
void jb_release(struct jb *b);
/** jb_load - @size bytes of made-up code. Return: its index. */
u64 jb_load(struct jb *b, u64 time, u64 addr, u32 size, const char *name);
void jb_move(struct jb *b, u64 time, u64 from, u64 to, u32 size, u64 index);
void jb_lines(struct jb *b, u64 time, u64 addr, const struct jb_line *v, size_t nr);
/** jb_unwinding - @size bytes of @frame, of which the last @index_size are the index. */
void jb_unwinding(struct jb *b, u64 time, const void *frame, u32 size, u32 index_size);
void jb_close(struct jb *b, u64 time);
/** jb_record - a record with any id and body. */
void jb_record(struct jb *b, u32 id, u64 time, const void *body, u32 size);

#endif
