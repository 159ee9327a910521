/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
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
#ifndef PERF_SYMBOL_KSYMS_INDEX_INTERNAL_H
#define PERF_SYMBOL_KSYMS_INDEX_INTERNAL_H

#include "objcache/objcache.h"
#include "symbol/symbol-internal.h"

#define KSYMS_INDEX_VERSION 1 /* of the layout, and of which symbols a table has */
#define KSYMS_KEEP_FROM 2000  /* symbols: a table of fewer is made about as fast as it is read */

/* A table is of this source alone. */
struct ksyms_source {
	u64 size, inode, mtime; /* of a copy; all 0: it is /proc/kallsyms, */
	char boot[40];          /* of this boot */
	char ref[20];           /* the name of the reference symbol */
	u32 demangle;           /* how names were compared */
};

/* Where a table is kept, and how it is moved. */
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
