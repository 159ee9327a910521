/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the columns of a finished histogram read: the values that rows are told apart by, and the
 * ranks of names. Equal names have equal ranks, and smaller ranks come first.
 */
#ifndef PERF_HIST_VALUES_H
#define PERF_HIST_VALUES_H

#include "hist/hist.h"

/*
 * A key address: one that tells rows apart beside that of the sample. It is the address of data,
 * of an end of a branch, or of the sample itself where its object and symbol do not say enough
 * (source lines, sizes).
 */
struct key_addr {
	u64 ip;
	u32 epoch;
	u32 pid; /* where processes have memory of their own, else 0 */
	u8 mode;
	/* The result of looking the address up: */
	u64 addr;                    /* in the object's file */
	const struct map *map;       /* borrowed; NULL: nothing is mapped there */
	const struct symtab *symtab; /* borrowed; NULL without symbols */
	u32 sym;                     /* UINT32_MAX: none */
	u32 dso;                     /* number of the object's name */
};

/** hist_value - return the value of a row that a column shows; of texts and addresses it is a
 * number. */
u64 hist_value(const struct hist *h, const struct hist_row *row, const struct hist_column *col);
/** hist_nr_kinds - return how many different sets of values rows have in the columns that are
 * `few`; 0: it is not known. */
size_t hist_nr_kinds(const struct hist *h);
/** hist_row_kind - return the number of a row's set among those, if they are known. */
u32 hist_row_kind(const struct hist *h, const struct hist_row *row);
/** hist_value_addr - return the address that the value of a column stands for. */
const struct key_addr *hist_value_addr(const struct hist *h, const struct hist_row *row,
				       const struct hist_column *col);
/** hist_line_addr - return an address in the cache line of a row (KEY_DATA_LINE). */
const struct key_addr *hist_line_addr(const struct hist *h, const struct hist_row *row);
/** hist_line_start - return where the cache line of an address begins. */
u64 hist_line_start(const struct hist *h, const struct key_addr *addr);

/** hist_text - return the text that a value stands for. */
const char *hist_text(const struct hist *h, u64 value);
/** hist_text_size - return the bytes of a text, with those that follow its first zero byte. */
size_t hist_text_size(const struct hist *h, u64 value);
u32 hist_text_rank(const struct hist *h, u64 value);

u32 hist_comm_rank(const struct hist *h, u32 comm);
/**
 * hist_dso_rank - return the rank of an object's name, by the number of hist_dso_name(). The
 * unknown object is last.
 */
u32 hist_dso_rank(const struct hist *h, u32 dso);
/**
 * hist_name_rank - return the rank of a place's symbol name. Unresolved places are last and all
 * equal.
 */
u32 hist_name_rank(const struct hist *h, u32 place);
/** hist_place_rank - return the rank of a place, which no two places share. */
u32 hist_place_rank(const struct hist *h, u32 place);
/**
 * hist_place_ip - return the recorded address of a place without symbol, in a histogram of
 * branches; else 0.
 */
u64 hist_place_ip(const struct hist *h, u32 place);
/** hist_process_comm - return the last name of the process @pid of a row. */
const char *hist_process_comm(const struct hist *h, const struct hist_row *row, u32 pid);

/**
 * hist_signed_rank - return a rank that orders addresses as signed numbers: the kernel's come
 * first.
 */
static inline u64 hist_signed_rank(u64 addr)
{
	return addr ^ 1ULL << 63;
}

#endif
