// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of kernels that are kept on disk: what comes back is what was put, or nothing. */
#include "base/compat.h"
#include "elf-build.h"
#include "kept-tables.h"

#define KERNEL 0xffffffff81000000ULL
#define MODULES 0xffffffffc0000000ULL

static const struct ksyms_source source = { .size = 9000, .inode = 7, .ref = "_text" };

/* ---- bytes ---- */

static void put_index(struct strbuf *out, const char *text)
{
	static const struct sym_at at[] = { { 0, 0 }, { 0x10, 9 }, { 0x40, 18 }, { 0x900, 27 } };
	struct ksyms_index x = { .source = source,
				 .starts = { .base = -0x1000ULL, .nr = ARRAY_SIZE(at) },
				 .module_low = 0x100000,
				 .module_top = 0x200000,
				 .text = text,
				 .text_len = text ? strlen(text) : 0,
				 .mangled = true };

	x.starts.at = memcpy(xmalloc(sizeof(at)), at, sizeof(at));
	starts_done(&x.starts);
	ksyms_index_write(&x, out);
	starts_release(&x.starts);
}

static void test_round_trip(void **state)
{
	static const char text[] = "some text that has a few characters";
	struct ksyms_source other = source;
	struct strbuf out = STRBUF_INIT;
	struct ksyms_index x;

	(void)state;
	put_index(&out, text);
	assert_true(ksyms_index_read(&x, out.buf, out.len, &source));
	assert_int_equal(x.starts.base, -0x1000ULL);
	assert_int_equal(x.starts.nr, 4);
	assert_int_equal(x.starts.at[2].own, 18);
	assert_int_equal(x.module_low, 0x100000);
	assert_int_equal(x.module_top, 0x200000);
	assert_int_equal(x.text_len, strlen(text));
	assert_memory_equal(x.text, text, strlen(text));
	assert_true(x.mangled);
	assert_int_equal(starts_find(&x.starts, -0x1000ULL + 0x3f), 1);
	other.mtime++;
	assert_false(ksyms_index_read(&x, out.buf, out.len, &other));
	strbuf_reset(&out);
	put_index(&out, NULL);
	assert_true(ksyms_index_read(&x, out.buf, out.len, &source));
	assert_null(x.text);
	strbuf_release(&out);
}

/* Look at all that a table may be asked for. */
static void look_around(const struct ksyms_index *x)
{
	for (u32 i = 0; i < x->starts.nr; i++) {
		u64 addr = x->starts.base + x->starts.at[i].start;

		assert_true(addr < x->starts.base || starts_find(&x->starts, addr) == i);
		assert_true(x->starts.at[i].own < source.size);
	}
}

static bool read_and_look(const void *data, size_t len)
{
	struct ksyms_index x;

	if (!ksyms_index_read(&x, data, len, &source))
		return false;
	look_around(&x);
	return true;
}

static void test_damage(void **state)
{
	struct strbuf out = STRBUF_INIT;

	(void)state;
	put_index(&out, NULL);
	read_damaged(&out, read_and_look);
	strbuf_release(&out);
}

/* ---- kernels ---- */

struct world {
	char *dir, *copy, *kept; /* folder; copy of kallsyms and where its table is kept */
	u64 at, module;          /* where the kernel is in the copy, and a module */
	struct dso dso;
	struct symconf conf;
};

static int setup(void **state)
{
	struct world *w = xzalloc(sizeof(*w));

	w->dir = tmp_dir();
	w->copy = xasprintf("%s/ids/.build-id/ab/cd%036d/kallsyms", w->dir, 0);
	w->kept = xasprintf("%s/kept/ab/cd%036d.kernel", w->dir, 0);
	w->at = KERNEL;
	w->module = MODULES;
	w->dso = (struct dso){ .path = "[kernel.kallsyms]",
			       .short_name = "[kernel.kallsyms]",
			       .kind = DSO_KERNEL,
			       .cpumode = PERF_RECORD_MISC_KERNEL,
			       .ref_sym = "_text",
			       .ref_addr = KERNEL,
			       .build_id = { 0xab, 0xcd },
			       .build_id_size = 20 };
	w->conf.cache.on[OBJCACHE_KERNEL] = true;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	tmp_remove(w->dir);
	free(w->copy);
	free(w->kept);
	free(w);
	return 0;
}

/* Append a kallsyms: per-CPU data, functions with aliases, read-only data, and a module. */
static void put_kallsyms(const struct world *w, const char *stem, struct strbuf *out)
{
	strbuf_addf(out,
		    "%016x A fixed_percpu_data\n%016" PRIx64 " T _stext\n%016" PRIx64 " T _text\n",
		    0, w->at, w->at);
	for (unsigned int i = 0; i < MANY; i++) {
		u64 at = w->at + 0x40 + i * 0x30ULL;

		strbuf_addf(out, "%016" PRIx64 " %c %s%u\n", at, "tTWdr"[i % 5], stem, i);
		if (i % 7 == 3)
			strbuf_addf(out, "%016" PRIx64 " T __%s%u\n", at, stem, i);
	}
	if (w->module)
		strbuf_addf(out, "%016" PRIx64 " t inside\t[module]\n", w->module);
}

static void write_copy(const struct world *w, const char *stem)
{
	struct strbuf text = STRBUF_INIT;

	put_kallsyms(w, stem, &text);
	file_write(w->copy, text.buf, text.len);
	strbuf_release(&text);
}

/* Load the table. @cached: with the cache; the caller frees the result */
static struct symbols *load(const struct world *w, bool cached, const struct symtab **t)
{
	char *ids = xasprintf("%s/ids", w->dir), *dir = xasprintf("%s/kept", w->dir);
	struct symconf conf = w->conf;
	struct symbols *s;

	conf.buildid_dir = ids;
	conf.ignore_vmlinux = true;
	conf.cache.dir = cached ? dir : "";
	s = symbols_new(&conf);
	*t = symbols_load(s, &w->dso);
	free(dir);
	free(ids);
	return s;
}

static void assert_same(const struct symtab *t, const struct symtab *u)
{
	static const char *const names[] = { "_stext", "function3", "__function3", "none" };
	u64 x[ARRAY_SIZE(names)] = { 0 }, y[ARRAY_SIZE(names)] = { 0 };

	assert_same_table(t, u);
	symtab_places(t, names, x, ARRAY_SIZE(names));
	symtab_places(u, names, y, ARRAY_SIZE(names));
	assert_memory_equal(x, y, sizeof(x));
}

static void check(const struct world *w)
{
	assert_cache_is_right(w, load, assert_same);
}

static bool is_kept(const struct world *w)
{
	return file_is_kept(w->kept);
}

static void test_copy(void **state)
{
	struct world *w = *state;

	write_copy(w, "function");
	check(w);
	assert_true(is_kept(w));
	check(w);
	w->dso.ref_addr += 0x1200000; /* another boot */
	check(w);
	w->dso.ref_addr += 0x123; /* no boot at all */
	check(w);
	w->dso.ref_addr = KERNEL;
	w->dso.ref_sym = "_stext";
	check(w);
	write_copy(w, "renamed_function");
	check(w);
	check(w);
	w->at += 0x40000000;
	write_copy(w, "function");
	check(w);
	check(w);
}

/* A module that ends the kernel's last symbol is another one at another time. */
static void test_module_near(void **state)
{
	struct world *w = *state;

	w->module = KERNEL + 0x40 + (MANY - 2) * 0x30 + 0x100;
	write_copy(w, "function");
	check(w);
	assert_false(is_kept(w));
	w->module = KERNEL - 0x10000; /* where modules are before the kernel */
	write_copy(w, "function");
	check(w);
	assert_true(is_kept(w));
	check(w);
	w->dso.ref_addr -= 0x20000; /* the kernel would be around it */
	check(w);
}

static void test_damaged_file(void **state)
{
	struct world *w = *state;
	struct stat st;
	u8 byte;
	FILE *f;

	write_copy(w, "function");
	check(w);
	assert_int_equal(stat(w->kept, &st), 0);
	for (off_t i = 0; i < st.st_size; i += i < 250 ? 1 : 997) {
		f = fopen(w->kept, "r+b");
		assert_non_null(f);
		assert_int_equal(fseek(f, i, SEEK_SET), 0);
		assert_int_equal(fread(&byte, 1, 1, f), 1);
		byte ^= 0x41;
		assert_int_equal(fseek(f, i, SEEK_SET), 0);
		assert_int_equal(fwrite(&byte, 1, 1, f), 1);
		fclose(f);
		check(w);
	}
}

/* The table of a text that does not stay, as that of the running kernel, has a text of its own,
 * which does not say where the kernel was. */
static void test_own_text(void **state)
{
	struct world *w = *state;
	char *dir = xasprintf("%s/kept", w->dir);
	struct objcache_conf conf = { .on = { [OBJCACHE_KERNEL] = true }, .dir = dir };
	struct ksyms_keep keep = { .cache = objcache_new(&conf),
				   .key = { .kind = OBJCACHE_KERNEL,
					    .version = KSYMS_INDEX_VERSION,
					    .id = { 0xab, 0xcd },
					    .id_size = 20 },
				   .source = { .boot = "this one", .ref = "_text" },
				   .ref = KERNEL,
				   .recorded = KERNEL + 0x5000,
				   .with_text = true };
	struct symtab made = { 0 }, taken = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct objcache_file f;

	put_kallsyms(w, "function", &text);
	assert_true(ksyms_table(&made, text.buf, text.len, 0x5000, false) > 0);
	assert_int_equal(ksyms_kept(&taken, NULL, 0, &keep), 0);
	ksyms_put(&made, &keep);
	assert_true(ksyms_kept(&taken, NULL, 0, &keep) > 0);
	assert_same(&taken, &made);
	symtab_clear(&taken);
	taken = (struct symtab){ 0 };
	assert_true(objcache_get(keep.cache, &keep.key, &f));
	assert_null(memmem(f.data, f.len, "ffffffff81", 10));
	assert_null(memmem(f.data, f.len, "module", 6));
	objcache_file_release(&f);
	keep.source.boot[0]++;
	assert_int_equal(ksyms_kept(&taken, NULL, 0, &keep), 0);
	symtab_clear(&made);
	strbuf_release(&text);
	objcache_free(keep.cache);
	free(dir);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damage),
		T(test_copy),
		T(test_module_near),
		T(test_damaged_file),
		T(test_own_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
