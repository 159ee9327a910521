/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces whose addresses are replaced by new ones. Mappings get their places one after the
 * other from a fixed base on, whatever their old places were, and what is in no mapping gets new
 * pages in the order of first use. The offset in a page is all that stays of an address.
 */
#ifndef PERF_INJECT_ASLR_SPACE_H
#define PERF_INJECT_ASLR_SPACE_H

#include "base/hash.h"

/* A range of old addresses and its new place. */
struct shifted_map {
	u64 start, end, to;
	bool code; /* a symbol of the kernel alone stands for it, no mapping */
};

/* One process, or a kernel. */
struct shifted_space {
	struct shifted_map *maps; /* owned; by address, without overlaps */
	size_t nr, cap;
	u64 maps_end;       /* where the next mapping gets its place */
	struct map64 pages; /* old number of a page -> its place among the new ones */
	bool kernel;
};

/** shifted_init - make an empty space, of a process or a kernel. shifted_release() frees it. */
void shifted_init(struct shifted_space *s, bool kernel);
void shifted_release(struct shifted_space *s);
/** shifted_copy - make @to, which is released first, what a new process of @from has. */
void shifted_copy(struct shifted_space *to, const struct shifted_space *from);
/**
 * shifted_map - give a range a new place, and forget what was there. Return: its new start.
 * @len: 0 stands for the end of all addresses
 */
u64 shifted_map(struct shifted_space *s, u64 start, u64 len, bool code);
/** shifted_find - return the mapping that has an address, borrowed until the next change; NULL. */
const struct shifted_map *shifted_find(const struct shifted_space *s, u64 addr);
/** shifted_page - return the new number of a page that is in no mapping: they are counted. */
u64 shifted_page(struct shifted_space *s, u64 page);
/** shifted_addr - return the new address of an old one. */
u64 shifted_addr(struct shifted_space *s, u64 addr);

#endif
