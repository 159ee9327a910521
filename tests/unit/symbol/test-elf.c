// SPDX-License-Identifier: GPL-2.0-or-later
/* Test symbols out of ELF files made here: classes, byte orders, addresses, where debug files are
 * found. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/pool.h"
#include "elf-build.h"
#include "symbol/symbol-internal.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

struct world {
	char *dir, *object; /* the object's path */
	struct sysroot root;
	struct symconf conf;
	struct symbols *s;
};

static int setup(void **state)
{
	struct world *w = xzalloc(sizeof(*w));

	w->dir = tmp_dir();
	w->object = xasprintf("%s/bin/prog", w->dir);
	w->root.prefix = w->dir;
	w->conf = (struct symconf){ .sysroot = &w->root, .buildid_dir = "" };
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	symbols_free(w->s);
	free(w->object);
	tmp_remove(w->dir);
	free(w);
	return 0;
}

static void put(struct world *w, const char *path, const struct eb *e)
{
	char *full = xasprintf("%s%s", w->dir, path);

	eb_write(e, full);
	free(full);
}

static const struct symtab *load_dso(struct world *w, const struct dso *dso)
{
	symbols_free(w->s);
	w->s = symbols_new(&w->conf);
	return symbols_load(w->s, dso);
}

static const struct symtab *load(struct world *w)
{
	struct dso dso = { .path = w->object,
			   .short_name = "prog",
			   .cpumode = PERF_RECORD_MISC_USER };

	return load_dso(w, &dso);
}

static const char *name_at(const struct symtab *t, u64 addr)
{
	u32 i = symtab_find(t, addr);

	return i == UINT32_MAX ? "-" : symtab_name(t, i);
}

#define AT(addr, text) assert_string_equal(name_at(t, addr), text)

static const struct eb_sym syms[] = {
	{ "main", 0x400010, 0x20, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "sizeless", 0x400040, 0, STT_FUNC, STB_LOCAL, 0, 0 },
	{ "next", 0x400080, 0x10, STT_FUNC, STB_LOCAL, 0, 0 },
	{ "outer", 0x400100, 0x100, STT_FUNC, STB_LOCAL, 0, 0 },
	{ "inner", 0x400120, 0x10, STT_FUNC, STB_LOCAL, 0, 0 },
	{ "label", 0x400300, 0, STT_NOTYPE, STB_LOCAL, 0, 0 },
	{ "hidden_label", 0x400380, 0, STT_NOTYPE, STB_LOCAL, STV_HIDDEN, 0 },
	{ "object", 0x400f00, 8, STT_OBJECT, STB_GLOBAL, 0, EB_DATA },
	{ "import", 0, 0, STT_FUNC, STB_GLOBAL, 0, EB_UNDEF },
	{ "VERSION_1", 0, 0, STT_OBJECT, STB_GLOBAL, 0, SHN_ABS },
	{ "warning", 0x10, 0x10, STT_OBJECT, STB_GLOBAL, 0, EB_NOTE },
	{ "section", 0x400000, 0, STT_SECTION, STB_LOCAL, 0, 0 },
	/* one address, several names */
	{ "no_size_but_longest_of_all", 0x400400, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "weak", 0x400400, 0x10, STT_FUNC, STB_WEAK, 0, 0 },
	{ "_global", 0x400400, 0x10, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "local_and_long", 0x400400, 0x10, STT_FUNC, STB_LOCAL, 0, 0 },
	{ "__two", 0x400420, 0x10, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "one", 0x400420, 0x10, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "three", 0x400420, 0x10, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "_ZN1AC1Ev", 0x400440, 0x10, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "_ZN1AC2Ev", 0x400440, 0x10, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "last", 0x400ff0, 0, STT_FUNC, STB_LOCAL, 0, 0 },
};

static struct eb prog(void)
{
	return (struct eb){ .vaddr = 0x400000,
			    .syms = syms,
			    .nr_syms = ARRAY_SIZE(syms),
			    .build_id = { 0xab, 0xcd, 3 },
			    .build_id_size = 20 };
}

static void check_symbols(const struct symtab *t)
{
	AT(0x1000, "-");
	AT(0x1010, "main");
	AT(0x102f, "main");
	AT(0x1030, "-");
	AT(0x1040, "sizeless");
	AT(0x107f, "sizeless");
	AT(0x1080, "next");
	AT(0x1110, "outer");
	AT(0x1120, "inner");
	AT(0x112f, "inner");
	AT(0x1130, "outer");
	AT(0x1200, "-");
	AT(0x1300, "label");
	AT(0x1390, "label");
	AT(0x1400, "_global");
	AT(0x1420, "three");
	AT(0x1f00, "object");
	AT(0x1ff0, "last");
	AT(0x10, "-");
	AT(0, "-");
	AT(UINT64_MAX, "-");
}

static void test_classes_and_orders(void **state)
{
	struct world *w = *state;
	int i;

	for (i = 0; i < 4; i++) {
		struct eb e = prog();
		const struct symtab *t;

		e.is32 = i & 1;
		e.swap = i & 2;
		put(w, "/bin/prog", &e);
		t = load(w);
		assert_null(symtab_why(t));
		assert_string_equal(symtab_file(t), w->object);
		assert_string_equal(symtab_object(t), w->object);
		assert_int_equal(symtab_origin(t), 'd');
		check_symbols(t);
	}
}

static void test_demangled(void **state)
{
	struct world *w = *state;
	struct eb e = prog();
	const struct symtab *t;
	char *probe = symbol_demangle("_ZN1AC1Ev");

	put(w, "/bin/prog", &e);
	t = load(w);
	AT(0x1440, probe ? "A::A" : "_ZN1AC2Ev");
	assert_string_equal(symtab_raw_name(t, symtab_find(t, 0x1440)), "_ZN1AC1Ev");
	assert_ptr_equal(name_at(t, 0x1440), name_at(t, 0x1444));
	free(probe);
	w->conf.no_demangle = true;
	t = load(w);
	AT(0x1440, "_ZN1AC1Ev");
}

static void test_dynsym_and_plt(void **state)
{
	static const char *const plt[] = { "printf", "_ZdlPv", "", NULL };
	struct world *w = *state;
	struct eb e = prog();
	const struct symtab *t;

	e.dynsym = true;
	e.plt = plt;
	put(w, "/bin/prog", &e);
	t = load(w);
	check_symbols(t);
	AT(0x1800, "-");
	AT(0x1810, "printf@plt");
	AT(0x181f, "printf@plt");
	assert_non_null(strstr(name_at(t, 0x1820), "@plt"));
	AT(0x1830, "@plt");
	AT(0x1840, "-");
	e.dynsym = false;
	put(w, "/bin/prog", &e);
	t = load(w);
	check_symbols(t);
	AT(0x1810, "printf@plt");
}

static struct dso recorded(struct world *w, u8 first)
{
	return (struct dso){ .path = w->object,
			     .short_name = "prog",
			     .cpumode = PERF_RECORD_MISC_USER,
			     .build_id = { first, 0xcd, 3 },
			     .build_id_size = 20 };
}

static void test_build_id_mismatch(void **state)
{
	struct world *w = *state;
	struct eb e = prog();
	struct dso dso = recorded(w, 0xab);
	const struct symtab *t;
	u8 id[20];

	put(w, "/bin/prog", &e);
	assert_int_equal(elf_build_id(w->object, id), 20);
	assert_memory_equal(id, e.build_id, 20);
	check_symbols(load_dso(w, &dso));
	dso = recorded(w, 0x11);
	t = load_dso(w, &dso);
	assert_int_equal(symtab_nr(t), 0);
	assert_null(symtab_object(t));
	assert_non_null(strstr(symtab_why(t), "11cd03"));
	assert_non_null(strstr(symtab_why(t), "abcd03"));
	unlink(w->object);
	t = load_dso(w, &dso);
	assert_non_null(strstr(symtab_why(t), "cannot open"));
	assert_int_equal(elf_build_id(w->object, id), -2);
}

static void test_cache(void **state)
{
	struct world *w = *state;
	struct eb e = prog();
	struct dso dso = recorded(w, 0xab);
	char *cache = xasprintf("%s/cache", w->dir);

	w->conf.buildid_dir = cache;
	put(w, "/cache/.build-id/ab/cd030000000000000000000000000000000000/elf", &e);
	check_symbols(load_dso(w, &dso));
	assert_int_equal(symtab_origin(symbols_load(w->s, &dso)), 'B');
	/* An object of that id in the cache's place of another one is not taken. */
	put(w, "/cache/.build-id/11/cd030000000000000000000000000000000000/elf", &e);
	dso = recorded(w, 0x11);
	assert_int_equal(symtab_nr(load_dso(w, &dso)), 0);
	free(cache);
}

static void test_deleted(void **state)
{
	struct world *w = *state;
	struct eb e = prog();
	struct dso dso = recorded(w, 0xab);
	char *path = xasprintf("%s (deleted)", w->object);

	dso.path = path;
	put(w, "/bin/prog", &e);
	check_symbols(load_dso(w, &dso));
	dso.build_id_size = 0; /* nothing tells that it is the same file */
	assert_int_equal(symtab_nr(load_dso(w, &dso)), 0);
	free(path);
}

/* A stripped object and its debug file, whose segments have no contents. */
static void put_debug(struct world *w, const char *path, u8 first)
{
	struct eb e = prog();

	e.debug_only = true;
	e.build_id[0] = first;
	put(w, path, &e);
}

static void put_stripped(struct world *w, const char *debuglink)
{
	struct eb e = prog();

	e.nr_syms = 1;
	e.dynsym = true;
	e.debuglink = debuglink;
	put(w, "/bin/prog", &e);
}

static void test_debug_by_build_id(void **state)
{
	struct world *w = *state;
	const struct symtab *t;

	put_stripped(w, NULL);
	t = load(w);
	AT(0x1010, "main");
	AT(0x1080, "-");
	put_debug(w, "/usr/lib/debug/.build-id/ab/cd030000000000000000000000000000000000.debug",
		  0xab);
	t = load(w);
	check_symbols(t);
	assert_int_equal(symtab_origin(t), 'b');
	assert_string_equal(symtab_object(t), w->object);
	put_debug(w, "/usr/lib/debug/.build-id/ab/cd030000000000000000000000000000000000.debug",
		  0x11);
	t = load(w);
	AT(0x1080, "-");
}

static void test_debuglink(void **state)
{
	static const char *const places[] = { "/bin/prog.debug", "/bin/.debug/prog.debug", NULL };
	struct world *w = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		char *path = places[i] ? xstrdup(places[i])
				       : xasprintf("/usr/lib/debug%s/bin/prog.debug", w->dir);
		char *full = xasprintf("%s%s", w->dir, path);
		const struct symtab *t;

		put_stripped(w, "prog.debug");
		put_debug(w, path, 0x11);
		t = load(w);
		AT(0x1080, "-");
		put_debug(w, path, 0xab);
		t = load(w);
		check_symbols(t);
		assert_int_equal(symtab_origin(t), 'l');
		unlink(full);
		free(full);
		free(path);
	}
	put_stripped(w, "../../etc/passwd");
	assert_int_equal(symtab_nr(load(w)), 1);
}

static void test_symfs(void **state)
{
	struct world *w = *state;
	struct eb e = prog();
	struct dso dso = { .path = "/bin/prog",
			   .short_name = "prog",
			   .cpumode = PERF_RECORD_MISC_USER };

	put(w, "/bin/prog", &e);
	w->conf.symfs.dir = w->dir;
	check_symbols(load_dso(w, &dso));
	w->conf.symfs.flat = true;
	assert_int_equal(symtab_nr(load_dso(w, &dso)), 0);
	put(w, "/prog", &e);
	check_symbols(load_dso(w, &dso));
}

static void test_symfs_text(void **state)
{
	struct world *w = *state;
	char *odd = xasprintf("%s/a,b", w->dir), *with = xasprintf("%s,flat", odd);
	struct err err = { 0 };
	struct symfs s;
	char *path;

	assert_int_equal(symfs_parse(&s, "/copy", &err), 0);
	assert_string_equal(s.dir, "/copy");
	assert_false(s.flat);
	symfs_release(&s);
	assert_int_equal(symfs_parse(&s, "/copy,hierarchy", &err), 0);
	assert_string_equal(s.dir, "/copy");
	assert_false(s.flat);
	symfs_release(&s);
	assert_int_equal(symfs_parse(&s, odd, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "'b' is no layout"));
	assert_int_equal(mkdir(odd, 0700), 0);
	assert_int_equal(symfs_parse(&s, odd, &err), 0);
	assert_string_equal(s.dir, odd);
	symfs_release(&s);
	assert_int_equal(symfs_parse(&s, with, &err), 0);
	assert_string_equal(s.dir, odd);
	assert_true(s.flat);
	path = symfs_path(&s, "/usr/lib/libc.so.6");
	assert_string_equal(path + strlen(w->dir), "/a,b/libc.so.6");
	free(path);
	symfs_release(&s);
	rmdir(odd);
	free(odd);
	free(with);
}

static void test_vmlinux(void **state)
{
	struct world *w = *state;
	struct eb_sym text[ARRAY_SIZE(syms) + 1];
	struct eb e = prog();
	struct dso dso = { .path = "[kernel.kallsyms]",
			   .short_name = "[kernel.kallsyms]",
			   .kind = DSO_KERNEL,
			   .cpumode = PERF_RECORD_MISC_KERNEL,
			   .ref_sym = "_text",
			   .ref_addr = 0x500000 };
	const struct symtab *t;

	memcpy(text, syms, sizeof(syms));
	text[ARRAY_SIZE(syms)] =
		(struct eb_sym){ "_text", 0x400000, 0, STT_NOTYPE, STB_GLOBAL, 0, 0 };
	e.syms = text;
	e.nr_syms = ARRAY_SIZE(text);
	put(w, "/bin/prog", &e);
	w->conf.vmlinux = w->object;
	t = load_dso(w, &dso);
	AT(0x500010, "main");
	AT(0x1010, "-");
	assert_int_equal(symtab_origin(t), 'v');
	memset(dso.build_id, 7, 20);
	dso.build_id_size = 20;
	t = load_dso(w, &dso);
	assert_int_equal(symtab_nr(t), 0);
	assert_non_null(strstr(symtab_why(t), "another build"));
}

struct race {
	struct symbols *s;
	struct dso *dso;
	const struct symtab *seen[64];
};

static void race_one(void *ctx, int worker, size_t item)
{
	struct race *r = ctx;
	u32 i;

	(void)worker;
	r->seen[item] = symbols_load(r->s, r->dso);
	for (i = 0; i < symtab_nr(r->seen[item]); i++)
		assert_non_null(symtab_name(r->seen[item], i));
}

static void test_threads(void **state)
{
	struct world *w = *state;
	struct eb e = prog();
	struct dso dso = recorded(w, 0xab);
	struct race r = { .dso = &dso };
	size_t i;

	put(w, "/bin/prog", &e);
	w->s = r.s = symbols_new(&w->conf);
	pool_run(4, ARRAY_SIZE(r.seen), race_one, &r);
	for (i = 1; i < ARRAY_SIZE(r.seen); i++)
		assert_ptr_equal(r.seen[i], r.seen[0]);
	check_symbols(r.seen[0]);
}

/* Every byte cut off, and every byte of the headers changed: no symbols, but no harm. */
static void test_damaged(void **state)
{
	static const char *const plt[] = { "printf", NULL };
	struct world *w = *state;
	struct eb e = prog();
	size_t size, i;
	u8 *bytes;

	e.plt = plt;
	e.debuglink = "x";
	bytes = eb_build(&e, &size);
	for (i = 0; i < size; i += i < 0x100 || i > 0x2000 ? 7 : 0x100) {
		file_write(w->object, bytes, i);
		(void)symtab_nr(load(w));
	}
	for (i = 0; i < size; i += i < 0x100 || i > 0x2000 ? 3 : 0x400) {
		u8 old = bytes[i];

		bytes[i] = 0xff;
		file_write(w->object, bytes, size);
		(void)symtab_nr(load(w));
		bytes[i] = old;
	}
	free(bytes);
	assert_true(size > 0x2000);
}

/* The table that lies over a file is the one made of a list: of real objects, where functions lie
 * in others, have several names or none of a size. */
static void same_over_file(const char *path, bool demangle)
{
	struct elf_image e, none = { 0 };
	struct symtab t = { 0 }, u = { 0 };
	struct sym_list list = { 0 };
	struct arena names = { 0 };

	assert_int_equal(elf_image_open(&e, path), 0);
	assert_true(elf_image_symbols(&e, &e, false, 0, &list) > 0);
	elf_image_plt(&e, &names, &list);
	symtab_finish(&u, &list, SYMS_ELF, demangle);
	assert_true(esyms_table(&t, &e, &none, demangle, NULL));
	assert_null(e.elf); /* the table's now */
	assert_int_equal(symtab_nr(&t), symtab_nr(&u));
	assert_int_equal(symtab_find(&t, 0), symtab_find(&u, 0));
	for (u32 i = 0; i < symtab_nr(&u); i++) {
		struct symbol a = symtab_get(&t, i), b = symtab_get(&u, i);

		assert_true(a.start == b.start && a.end == b.end);
		assert_true(a.binding == b.binding && a.type == b.type);
		assert_string_equal(symtab_raw_name(&t, i), symtab_raw_name(&u, i));
		assert_int_equal(symtab_find(&t, b.start), i);
		assert_int_equal(symtab_find(&t, b.start + 1), symtab_find(&u, b.start + 1));
		assert_int_equal(symtab_find(&t, b.end - 1), symtab_find(&u, b.end - 1));
		assert_int_equal(symtab_find(&t, b.end), symtab_find(&u, b.end));
	}
	symtab_clear(&t);
	symtab_clear(&u);
	arena_release(&names);
}

static void test_over_file(void **state)
{
	Dl_info libc;

	(void)state;
	same_over_file("/proc/self/exe", true);
	if (dladdr((void *)strtoul, &libc))
		same_over_file(libc.dli_fname, false);
}

/* Names that stand one in the other, sizes that reach past others, addresses too far apart. */
static void test_over_made(void **state)
{
	static const struct eb_sym odd[] = {
		{ "outer", 0x400000, 0x100, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "inner", 0x400010, 0x10, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "deep", 0x400014, 4, STT_FUNC, STB_LOCAL, 0, 0 },
		{ "none", 0x400030, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "twin", 0x400040, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "_twin", 0x400040, 8, STT_FUNC, STB_WEAK, 0, 0 },
		{ "__twin", 0x400040, 8, STT_FUNC, STB_WEAK, 0, 0 },
		{ "open", 0x400060, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "open2", 0x400060, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "_ZN3foo3barEv", 0x400080, 8, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "_ZN3foo3bazEv", 0x400080, 8, STT_FUNC, STB_GLOBAL, 0, 0 },
		{ "last", 0x400200, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
	};
	static const char *const plt[] = { "puts", "", "exit", NULL };
	struct world *w = *state;
	struct eb e = prog();

	e.syms = odd;
	e.nr_syms = ARRAY_SIZE(odd);
	for (int i = 0; i < 8; i++) {
		e.is32 = i & 1;
		e.swap = i & 2;
		e.plt = i & 4 ? plt : NULL;
		put(w, "/bin/prog", &e);
		same_over_file(w->object, i & 1);
	}
	same_over_file(w->object, true);
}

static void put_bytes(struct world *w, const char *path)
{
	char *full = xasprintf("%s%s", w->dir, path);

	file_write(full, "", 0);
	free(full);
}

/* In the root directory of a process that has its own: by build-id, or by device and inode. */
static void test_other_root(void **state)
{
	struct world *w = *state;
	struct dso_run run = { .pid = 77 };
	struct dso dso = { .path = "/no/such/prog",
			   .cpumode = PERF_RECORD_MISC_USER,
			   .build_id = { 0xab, 0xcd, 3 },
			   .build_id_size = 20,
			   .runs = &run };
	struct eb e = prog(), bare = prog(), other = prog();
	const struct symtab *t;
	struct stat st;
	char *in = xasprintf("%s/proc/77/root/no/such/prog", w->dir);

	put_bytes(w, "/proc/self/ns/mnt");
	put_bytes(w, "/proc/self/root/x");
	put_bytes(w, "/proc/77/ns/mnt");
	put(w, "/proc/77/root/no/such/prog", &e);
	t = load_dso(w, &dso);
	AT(0x1010, "main");
	assert_string_equal(symtab_object(t), in);
	/* Another build is not it. */
	other.build_id[0] = 1;
	put(w, "/proc/77/root/no/such/prog", &other);
	assert_int_equal(symtab_nr(load_dso(w, &dso)), 0);
	/* Without a build-id a file counts only if it is the one that was mapped, by device and
	 * inode. */
	dso.build_id_size = 0;
	assert_int_equal(symtab_nr(load_dso(w, &dso)), 0);
	assert_false(stat(in, &st));
	dso.ino = st.st_ino;
	dso.maj = major(st.st_dev);
	dso.min = minor(st.st_dev);
	t = load_dso(w, &dso);
	AT(0x1010, "main");
	/* Symbols in the file beside it that its link names. */
	bare.dynsym = true;
	bare.nr_syms = 0;
	bare.debuglink = "prog.debug";
	dso.build_id_size = 20;
	put(w, "/proc/77/root/no/such/prog", &bare);
	put(w, "/proc/77/root/no/such/.debug/prog.debug", &e);
	t = load_dso(w, &dso);
	AT(0x1010, "main");
	assert_int_equal(symtab_origin(t), 'l');
	free(in);
}

/* Perf 6.1 records an id of three bytes as one of four. */
static void test_padded_id(void **state)
{
	struct world *w = *state;
	struct dso dso = { .path = w->object,
			   .cpumode = PERF_RECORD_MISC_USER,
			   .build_id = { 0xab, 0xcd, 3 },
			   .build_id_size = 4 };
	struct eb e = prog(), bare = prog();
	const struct symtab *t;

	e.build_id_size = bare.build_id_size = 3;
	put(w, "/bin/prog", &e);
	t = load_dso(w, &dso);
	AT(0x1010, "main");
	bare.dynsym = true;
	bare.nr_syms = 0;
	put(w, "/bin/prog", &bare);
	put(w, "/usr/lib/debug/.build-id/ab/cd03.debug", &e);
	t = load_dso(w, &dso);
	AT(0x1010, "main");
	assert_int_equal(symtab_origin(t), 'b');
	dso.build_id[3] = 1;
	assert_int_equal(symtab_nr(load_dso(w, &dso)), 0);
	assert_true(build_id_same((const u8 *)"abc", 4, (const u8 *)"abc", 3));
	assert_true(build_id_same((const u8 *)"abcd", 4, (const u8 *)"abcd", 4));
	assert_false(build_id_same((const u8 *)"abcd", 4, (const u8 *)"abc", 3));
	assert_false(build_id_same((const u8 *)"abc", 3, (const u8 *)"abcd", 4));
	assert_false(build_id_same((const u8 *)"ab\0\0\0", 5, (const u8 *)"ab", 2));
	assert_false(build_id_same((const u8 *)"\0\0\0", 4, NULL, 0));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_classes_and_orders),
		T(test_demangled),
		T(test_dynsym_and_plt),
		T(test_build_id_mismatch),
		T(test_cache),
		T(test_deleted),
		T(test_debug_by_build_id),
		T(test_debuglink),
		T(test_symfs),
		T(test_symfs_text),
		T(test_vmlinux),
		T(test_threads),
		T(test_damaged),
		T(test_over_file),
		T(test_over_made),
		T(test_other_root),
		T(test_padded_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
