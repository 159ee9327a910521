/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests of tables of symbols that are kept on disk have these steps in common. */
#ifndef TESTS_UNIT_SYMBOL_KEPT_TABLES_H
#define TESTS_UNIT_SYMBOL_KEPT_TABLES_H

#include "base/alloc.h"
#include "base/strbuf.h"
#include "symbol/index-internal.h"

#include <sys/stat.h>

#include <setjmp.h>
#include <cmocka.h>

#define MANY 2500 /* symbols: a table of so many is kept */

struct world; /* each test has its own: the object, and where its table is kept */

/**
 * table_loader - loads the table of symbols of @w, with the cache if @cached, and sets *@t to it.
 * Return: what the table belongs to, which the caller frees with symbols_free().
 */
typedef struct symbols *table_loader(const struct world *w, bool cached, const struct symtab **t);

/** assert_same_table - the same symbols are found at the same addresses of both tables. */
static inline void assert_same_table(const struct symtab *t, const struct symtab *u)
{
	assert_true(symtab_nr(u) > 0);
	assert_int_equal(symtab_nr(t), symtab_nr(u));
	for (u32 i = 0; i < symtab_nr(u); i++) {
		struct symbol a = symtab_get(t, i), b = symtab_get(u, i);

		assert_true(a.start == b.start && a.end == b.end);
		assert_true(a.binding == b.binding && a.type == b.type);
		assert_string_equal(symtab_name(t, i), symtab_name(u, i));
		assert_int_equal(symtab_find(t, b.end - 1), symtab_find(u, b.end - 1));
		assert_int_equal(symtab_find(t, b.end), symtab_find(u, b.end));
	}
}

/** assert_cache_is_right - the table is the same with the cache and without it. @same: compares */
static inline void assert_cache_is_right(const struct world *w, table_loader *load,
					 void (*same)(const struct symtab *, const struct symtab *))
{
	const struct symtab *with, *without;
	struct symbols *a = load(w, true, &with), *b = load(w, false, &without);

	same(with, without);
	symbols_free(a);
	symbols_free(b);
}

/** file_is_kept - there is such a file, and it is not empty. */
static inline bool file_is_kept(const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_size > 0;
}

/**
 * read_damaged - let @read read each beginning of an index, which it has to refuse, and the index
 * with each of its bits turned. Each copy is no longer than it is said to be, so that a sanitizer
 * sees a read behind its end. @read: false if it refuses the bytes, else it has looked at all that
 * the index may be asked for
 */
static inline void read_damaged(const struct strbuf *index, bool (*read)(const void *, size_t))
{
	for (size_t len = 0; len < index->len; len++) {
		char *copy = memcpy(xmalloc(len + 1), index->buf, len);

		assert_false(read(copy, len));
		free(copy);
	}
	for (size_t bit = 0; bit < index->len * 8; bit++) {
		char *copy = memcpy(xmalloc(index->len), index->buf, index->len);

		copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
		read(copy, index->len);
		free(copy);
	}
}

#endif
