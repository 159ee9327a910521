// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of large objects that are kept on disk: what comes back is what was put, or nothing. */
#include "base/compat.h"
#include "base/pool.h"
#include "elf-build.h"
#include "kept-tables.h"

/* ---- bytes ---- */

static const struct esyms_files files = { .syms = 6, .strs = 60, .dyn_syms = 3, .dyn_strs = 30 };

/* Append an index with one of everything. */
static void put_index(struct strbuf *out)
{
	static const struct sym_at at[] = {
		{ 0, 0x100 }, { 0x10, 0x20 }, { 0x40, 0x10 }, { 0x41, 0x10 }, { 0x900, 0x80 }
	};
	static u32 refs[] = { 1, ESYM_DYN | 2, ESYM_STUB | 1, 5, 0 };
	static struct reach reaches[] = { { 0, UINT32_MAX }, { 2, 0 } };
	static struct esyms_stub stubs[] = { { 0x500, 16, 0 }, { 0x510, 16, 2 } };
	struct esyms_index x = { .files = files,
				 .starts = { .base = 0x1000, .nr = ARRAY_SIZE(at) },
				 .refs = refs,
				 .reaches = { reaches, ARRAY_SIZE(reaches) },
				 .stubs = stubs,
				 .nr_stubs = ARRAY_SIZE(stubs),
				 .mangled = true };

	x.starts.at = memcpy(xmalloc(sizeof(at)), at, sizeof(at));
	starts_done(&x.starts);
	esyms_index_write(&x, out);
	starts_release(&x.starts);
}

static void test_round_trip(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct esyms_files other = files;
	struct esyms_index x;

	(void)state;
	put_index(&out);
	assert_true(esyms_index_read(&x, out.buf, out.len, &files));
	assert_int_equal(x.starts.base, 0x1000);
	assert_int_equal(x.starts.nr, 5);
	assert_int_equal(x.starts.at[1].start, 0x10);
	assert_int_equal(x.refs[1], ESYM_DYN | 2);
	assert_int_equal(x.starts.at[4].own, 0x80);
	assert_int_equal(x.reaches.nr, 2);
	assert_int_equal(x.reaches.v[1].idx, 2);
	assert_int_equal(x.reaches.v[1].outer, 0);
	assert_int_equal(x.nr_stubs, 2);
	assert_int_equal(x.stubs[1].addr, 0x510);
	assert_int_equal(x.stubs[1].sym, 2);
	assert_true(x.mangled);
	assert_int_equal(starts_find(&x.starts, 0xfff), UINT32_MAX);
	assert_int_equal(starts_find(&x.starts, 0x1040), 2);
	assert_int_equal(starts_find(&x.starts, 0x18ff), 3);
	assert_int_equal(starts_find(&x.starts, UINT64_MAX), 4);
	other.hash++;
	assert_false(esyms_index_read(&x, out.buf, out.len, &other));
	strbuf_release(&out);
}

static u64 end_of(const void *index, u32 i)
{
	const struct esyms_index *x = index;

	return x->starts.base + x->starts.at[i].start + x->starts.at[i].own;
}

/* Look at all that a table may be asked for. */
static void look_around(const struct esyms_index *x)
{
	for (u32 i = 0; i < x->starts.nr; i++) {
		u32 ref = x->refs[i];

		if (ref & ESYM_STUB)
			assert_true(x->stubs[ESYM_NUMBER(ref)].sym < files.dyn_syms);
		else
			assert_true(ESYM_NUMBER(ref) <
				    (ref & ESYM_DYN ? files.dyn_syms : files.syms));
	}
	for (u64 off = 0; off < 0xa00; off++) {
		u64 addr = x->starts.base + off;
		u32 i = starts_find(&x->starts, addr);

		if (i == UINT32_MAX)
			continue;
		assert_true(i < x->starts.nr);
		i = reaches_find(&x->reaches, i, addr, end_of, x);
		assert_true(i == UINT32_MAX || i < x->starts.nr);
	}
}

static bool read_and_look(const void *data, size_t len)
{
	struct esyms_index x;

	if (!esyms_index_read(&x, data, len, &files))
		return false;
	look_around(&x);
	return true;
}

static void test_damage(void **state)
{
	struct strbuf out = STRBUF_INIT;

	(void)state;
	put_index(&out);
	read_damaged(&out, read_and_look);
	strbuf_release(&out);
}

/* ---- objects ---- */

struct world {
	char *dir, *object, *kept; /* folder; object and where its table is kept in there */
	struct eb_sym syms[MANY];
	char names[MANY][24];
	struct eb e;
	struct symconf conf;
};

static const char *const plt[] = { "puts", "", "exit", NULL };

static int setup(void **state)
{
	struct world *w = xzalloc(sizeof(*w));

	w->dir = tmp_dir();
	w->object = xasprintf("%s/prog", w->dir);
	w->kept = xasprintf("%s/kept/ab/cd%036d.symbols", w->dir, 0);
	for (u64 i = 0; i < MANY; i++) {
		snprintf(w->names[i], sizeof(w->names[i]), i % 3 ? "function%u" : "_ZN1A5f%03xfEv",
			 (unsigned)i);
		w->syms[i] = (struct eb_sym){ .name = w->names[i],
					      .value = 0x400000 + i + i / 50,
					      .size = i % 100 ? i % 2 : 150,
					      .type = STT_FUNC,
					      .bind = STB_GLOBAL };
	}
	w->e = (struct eb){ .vaddr = 0x400000,
			    .syms = w->syms,
			    .nr_syms = MANY,
			    .plt = plt,
			    .build_id = { 0xab, 0xcd },
			    .build_id_size = 20 };
	w->conf = (struct symconf){ .buildid_dir = "" };
	w->conf.cache.on[OBJCACHE_SYMBOLS] = true;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	tmp_remove(w->dir);
	free(w->object);
	free(w->kept);
	free(w);
	return 0;
}

/* Load the table of the object. @cached: with the cache; the caller frees the result */
static struct symbols *load(const struct world *w, bool cached, const struct symtab **t)
{
	struct symconf conf = w->conf;
	struct dso dso = { .path = w->object, .cpumode = PERF_RECORD_MISC_USER };
	char *dir = xasprintf("%s/kept", w->dir);
	struct symbols *s;

	conf.cache.dir = cached ? dir : NULL;
	s = symbols_new(&conf);
	*t = symbols_load(s, &dso);
	free(dir);
	return s;
}

static void check_names(const struct world *w)
{
	assert_cache_is_right(w, load, assert_same_table);
}

static bool is_kept(const struct world *w)
{
	return file_is_kept(w->kept);
}

static void test_objects(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < 8; i++) {
		w->e.is32 = i & 1;
		w->e.swap = i & 2;
		w->e.dynsym = i & 4;
		w->conf.no_demangle = i == 3;
		eb_write(&w->e, w->object);
		check_names(w);
		assert_true(is_kept(w));
		check_names(w);
	}
	tmp_remove(xasprintf("%s/kept", w->dir));
	w->e.nr_syms = 1000;
	eb_write(&w->e, w->object);
	check_names(w);
	assert_false(is_kept(w)); /* it is small */
}

static struct objcache *open_cache(const struct world *w)
{
	struct objcache_conf conf = w->conf.cache;
	char *dir = xasprintf("%s/kept", w->dir);
	struct objcache *c;

	conf.dir = dir;
	c = objcache_new(&conf);
	free(dir);
	return c;
}

/* The kept table is the one that counts: its first symbol has another size. */
static void test_is_used(void **state)
{
	struct world *w = *state;
	struct objcache_key key = { .kind = OBJCACHE_SYMBOLS,
				    .version = ESYMS_INDEX_VERSION,
				    .id = { 0xab, 0xcd },
				    .id_size = 20 };
	struct strbuf out = STRBUF_INIT;
	const struct symtab *t;
	struct objcache_file f;
	struct esyms_index x;
	struct symbols *s;
	struct objcache *c;

	eb_write(&w->e, w->object);
	symbols_free(load(w, true, &t));
	c = open_cache(w);
	assert_true(objcache_get(c, &key, &f));
	assert_true(esyms_index_read(&x, f.data, f.len, (const struct esyms_files *)f.data));
	x.starts.at = memcpy(xcalloc(x.starts.nr, sizeof(*x.starts.at)), x.starts.at,
			     x.starts.nr * sizeof(*x.starts.at));
	x.starts.at[0].own = 151;
	esyms_index_write(&x, &out);
	objcache_put(c, &key, out.buf, out.len);
	free(x.starts.at);
	objcache_file_release(&f);
	objcache_free(c);
	s = load(w, true, &t);
	assert_int_equal(symtab_get(t, 0).end - symtab_get(t, 0).start, 151);
	symbols_free(s);
	strbuf_release(&out);
}

static u8 *read_kept(const struct world *w, size_t *size)
{
	FILE *f = fopen(w->kept, "rb");
	struct stat st;
	u8 *bytes;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	*size = (size_t)st.st_size;
	bytes = xmalloc(*size);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	return bytes;
}

/* Names are right whatever has become of the file, and it is written again. */
static void test_damaged_file(void **state)
{
	struct world *w = *state;
	size_t size, again;
	u8 *bytes, *now;

	eb_write(&w->e, w->object);
	check_names(w);
	bytes = read_kept(w, &size);
	for (size_t i = 0; i < size; i += i < 150 ? 1 : 997) {
		bytes[i] ^= 0x41;
		file_write(w->kept, bytes, size);
		bytes[i] ^= 0x41;
		check_names(w);
		now = read_kept(w, &again);
		assert_int_equal(again, size);
		assert_memory_equal(now, bytes, size);
		free(now);
		file_write(w->kept, bytes, i);
		check_names(w);
	}
	free(bytes);
}

/* The object was built again, with the same names in another order. */
static void test_other_build(void **state)
{
	struct world *w = *state;
	const char *first = w->syms[0].name;

	eb_write(&w->e, w->object);
	check_names(w);
	for (size_t i = 0; i + 1 < MANY; i++)
		w->syms[i].name = w->syms[i + 1].name;
	w->syms[MANY - 1].name = first;
	w->e.build_id[1] = 0xce;
	eb_write(&w->e, w->object);
	check_names(w);
	check_names(w);
	/* Without a build-id nothing is known of it. */
	w->e.build_id_size = 0;
	w->syms[0].name = "another";
	eb_write(&w->e, w->object);
	check_names(w);
	check_names(w);
}

/* The code is the same, and with it the build-id, but functions have each other's names. */
static void test_other_names(void **state)
{
	struct world *w = *state;
	const char *first = w->syms[10].name;

	eb_write(&w->e, w->object);
	check_names(w);
	w->syms[10].name = w->syms[11].name;
	w->syms[11].name = first;
	eb_write(&w->e, w->object);
	check_names(w);
	SWAP(w->syms[10], w->syms[12]); /* and stand in another order */
	eb_write(&w->e, w->object);
	check_names(w);
}

/* A stripped object has the symbols of its debug file from the moment that it is there. */
static void test_debug_file_later(void **state)
{
	struct world *w = *state;
	struct eb stripped = w->e;
	char *debug = xasprintf("%s/prog.debug", w->dir);

	stripped.dynsym = true;
	stripped.nr_syms = MANY - 10;
	stripped.debuglink = "prog.debug";
	eb_write(&stripped, w->object);
	check_names(w);
	assert_true(is_kept(w));
	w->e.debug_only = true;
	w->e.plt = NULL;
	eb_write(&w->e, debug);
	check_names(w);
	check_names(w);
	free(debug);
}

static void load_one(void *ctx, int worker, size_t item)
{
	(void)worker;
	(void)item;
	check_names(ctx);
}

static void test_together(void **state)
{
	struct world *w = *state;

	eb_write(&w->e, w->object);
	pool_run(4, 24, load_one, w);
	assert_true(is_kept(w));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damage),
		T(test_objects),
		T(test_is_used),
		T(test_damaged_file),
		T(test_other_build),
		T(test_other_names),
		T(test_debug_file_later),
		T(test_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
