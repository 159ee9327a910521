/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of an object as it is kept on disk, so that its symbols need not be read and sorted
 * again. All numbers are of the byte order of this machine; the arrays follow the header without
 * gaps and are used where they are mapped:
 *
 *	header   struct head of esyms-index.c
 *	stubs    struct esyms_stub, of 8 bytes alignment as the header is
 *	starts   struct sym_at, sorted by start; with sizes
 *	reaches  struct reach, sorted by symbol
 *	refs     u32, by symbol
 *	buckets  u32
 */
#ifndef PERF_SYMBOL_ESYMS_INDEX_INTERNAL_H
#define PERF_SYMBOL_ESYMS_INDEX_INTERNAL_H

#include "symbol/symbol-internal.h"

#define ESYMS_INDEX_VERSION 2 /* of the layout, and of which symbols a table has */

/* A reference says what a symbol is: a stub, a symbol of .dynsym beside the section, or else a
 * symbol of the section; and its number among them. */
#define ESYM_STUB (1U << 31)
#define ESYM_DYN (1U << 30)
#define ESYM_NUMBER(ref) ((ref) & ~(ESYM_STUB | ESYM_DYN))

/*
 * A table is of these sections alone. The build-id does not tell them: a debug file may have come
 * later, and linkers make it of what is loaded, so that one code with other names in .symtab has
 * the same.
 */
struct esyms_files {
	u64 syms, strs;         /* of the section: symbols, and bytes of names */
	u64 hash;               /* of its symbols; 0: it is .dynsym, which is loaded */
	u64 dyn_syms, dyn_strs; /* of .dynsym beside it */
	u32 demangle, mini;     /* how names were compared; .dynsym has symbols of the table, too */
};

/* The stub of a function elsewhere, in the PLT. */
struct esyms_stub {
	u64 addr;
	u32 size, sym; /* sym: in .dynsym */
};

struct esyms_index {
	struct esyms_files files;
	struct starts starts; /* the arrays of all are borrowed, and not to be written */
	u32 *refs;            /* starts.nr */
	struct reaches reaches;
	struct esyms_stub *stubs;
	u32 nr_stubs;
	bool mangled; /* a name is */
};

/**
 * esyms_index_read - read what esyms_index_write() wrote.
 * @data: @len bytes, aligned to 8; the index borrows them
 * @files: what it has to be made of
 * Return: whether it makes sense: all in it leads to what it has, or its files have.
 */
bool esyms_index_read(struct esyms_index *x, const void *data, size_t len,
		      const struct esyms_files *files);
/** esyms_index_write - append an index to @out. */
void esyms_index_write(const struct esyms_index *x, struct strbuf *out);

#endif
