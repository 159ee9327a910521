/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of symbols that are kept on disk: those of objects, and those of kernels. */
#ifndef PERF_SYMBOL_INDEX_INTERNAL_H
#define PERF_SYMBOL_INDEX_INTERNAL_H

#include "objcache/objcache.h"
#include "symbol/symbol-internal.h"

/*
 * ---- of objects ----
 *
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

/*
 * ---- of kernels ----
 *
 * The table of a kernel as it is kept on disk, so that its kallsyms, which the kernel takes longer
 * to write than we take to read it, are not needed again. All numbers are of the byte order of this
 * machine; the arrays follow the header without gaps and are used where they are mapped:
 *
 *	header   struct head of ksyms-index.c
 *	starts   struct sym_at, sorted by start; own: where the symbol's line begins in the text
 *	buckets  u32
 *	text     lines of a kallsyms, of the kernel alone; not there when a copy has them
 *
 * Addresses are counted from the reference symbol of the kernel, so nobody who reads the file
 * learns where the kernel is.
 */

#define KSYMS_INDEX_VERSION 1 /* of the layout, and of which symbols a table has */
#define KSYMS_KEEP_FROM 2000  /* symbols: a table of fewer is made about as fast as it is read */

/* A table is of this source alone. */
struct ksyms_source {
	u64 size, inode, mtime; /* of a copy; all 0: it is /proc/kallsyms, */
	char boot[40];          /* of this boot */
	char ref[20];           /* the name of the reference symbol */
	u32 demangle;           /* how names were compared */
};

/* A table is kept there, and moved like this. */
struct ksyms_keep {
	struct objcache *cache; /* borrowed, NULL: nothing is kept */
	struct objcache_key key;
	struct ksyms_source source;
	u64 ref, recorded; /* the reference symbol: in the source, and when recorded */
	bool with_text;    /* there is no copy of the text that stays */
};

struct ksyms_index {
	struct ksyms_source source;
	struct starts starts; /* the arrays are borrowed, and not to be written; base: behind the
				 reference symbol */
	u64 module_low, module_top; /* of symbols of modules, behind the reference symbol; both 0:
				       there are none */
	const char *text;           /* borrowed; NULL: it is not in there */
	u64 text_len;
	bool mangled; /* a name is */
};

/**
 * ksyms_index_read - read what ksyms_index_write() wrote.
 * @data: @len bytes, aligned to 8; the index borrows them
 * @source: what it has to be made of
 * Return: whether it makes sense: all in it leads to what it has, or its source.
 */
bool ksyms_index_read(struct ksyms_index *x, const void *data, size_t len,
		      const struct ksyms_source *source);
/** ksyms_index_write - append an index to @out. */
void ksyms_index_write(const struct ksyms_index *x, struct strbuf *out);

#endif
