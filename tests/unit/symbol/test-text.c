// SPDX-License-Identifier: GPL-2.0-or-later
/* Test tables from text (kallsyms, perf-PID.map), and the rules among symbols of one address. */
#include "base/compat.h"
#include "base/alloc.h"
#include "elf-build.h"
#include "symbol/symbol-internal.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

struct world {
	char *dir;
	struct sysroot root;
	struct symconf conf;
	struct symbols *s;
	u32 dsos;
};

static int setup(void **state)
{
	struct world *w = xzalloc(sizeof(*w));

	w->dir = tmp_dir();
	w->root.prefix = w->dir;
	w->conf = (struct symconf){ .sysroot = &w->root, .buildid_dir = "" };
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	symbols_free(w->s);
	tmp_remove(w->dir);
	free(w);
	return 0;
}

static void put(struct world *w, const char *path, const void *bytes, size_t len)
{
	char *full = xasprintf("%s%s", w->dir, path);

	file_write(full, bytes, len);
	free(full);
}

static void put_text(struct world *w, const char *path, const char *text)
{
	put(w, path, text, strlen(text));
}

static const struct symtab *load(struct world *w, struct dso *dso)
{
	symbols_free(w->s);
	w->s = symbols_new(&w->conf);
	return symbols_load(w->s, dso);
}

static const char *name_at(const struct symtab *t, u64 addr)
{
	u32 i = symtab_find(t, addr);

	return i == UINT32_MAX ? "-" : symtab_name(t, i);
}

#define AT(addr, text) assert_string_equal(name_at(t, addr), text)

static struct dso perf_map = { .path = "/tmp/perf-77.map",
			       .short_name = "[JIT] tid 77",
			       .kind = DSO_PERF_MAP,
			       .cpumode = PERF_RECORD_MISC_USER,
			       .pid = 77 };

static void test_perf_map(void **state)
{
	struct world *w = *state;
	const struct symtab *t;

	put_text(
		w, "/tmp/perf-77.map",
		"50000000 40 jit_one\n0x50000100 0X80 jit_two\n50000200 20 with space name(a, b)\r\n"
		"DEADBEEF0 10 upper\nbad line\n50000300 0 zero\n50000310 10 next\n50000400 10 _ZN3foo3barEv\n"
		"50000500 10 old\n50000500 10 compiled again\n12345678901234567 1 too long\n1 2\n\nffffffffffffffff 10 wraps\n"
		"60000000 10 no newline");
	t = load(w, &perf_map);
	assert_int_equal(symtab_origin(t), 'j');
	assert_non_null(symtab_file(t));
	assert_string_equal(
		symtab_why(t) ? strstr(symtab_why(t), "4 lines") ? "4" : symtab_why(t) : "", "4");
	AT(0x50000000, "jit_one");
	AT(0x5000003f, "jit_one");
	AT(0x50000040, "-");
	AT(0x4fffffff, "-");
	AT(0x5000017f, "jit_two");
	AT(0x50000210, "with space name(a, b)");
	AT(0xdeadbeef0, "upper");
	AT(0x50000300, "zero");
	AT(0x50000301, "-");
	AT(0x50000311, "next");
	AT(0x50000400, "_ZN3foo3barEv");
	AT(0x50000500, "compiled again");
	AT(0x60000001, "no newline");
}

/* Addresses that the map of a process does not name are looked up in that of its parent. */
static void test_perf_map_inherited(void **state)
{
	struct world *w = *state;
	struct dso parent = perf_map, child = perf_map;
	const struct symtab *t;

	child.pid = 78;
	child.path = "/tmp/perf-78.map";
	child.inherits = &parent;
	put_text(
		w, "/tmp/perf-77.map",
		"1000 100 first\n2000 100 replaced\n3000 100 under\n4000 100 inside\n5000 100 around\n");
	t = load(w, &child);
	AT(0x1010, "first");
	assert_null(symtab_why(t));
	put_text(w, "/tmp/perf-78.map",
		 "2000 100 own\n3080 20 mine\n3f00 300 covers\n4f80 100 before\n5050 0 here\n");
	t = load(w, &child);
	assert_int_equal(symtab_origin(t), 'j');
	assert_non_null(strstr(symtab_file(t), "perf-78.map"));
	AT(0x1010, "first");
	AT(0x2010, "own");
	AT(0x3010, "under");
	AT(0x3080, "mine");
	AT(0x309f, "mine");
	AT(0x30a0, "under");
	AT(0x4050, "covers");
	AT(0x5000, "before");
	AT(0x507f, "before");
	AT(0x5080, "around");
	AT(0x1fff, "-");
}

/* Memory with a name that is no ELF file: the map's addresses are those of the processes. */
static void test_run_time_code(void **state)
{
	struct world *w = *state;
	struct dso_run first = { .pid = 77, .start = 0x7000, .end = 0x9000, .pgoff = 0x1000 };
	struct dso_run second = { &first, 78, 0x50000, 0x51000, 0 };
	struct dso dso = { .path = "/memfd:code (deleted)",
			   .cpumode = PERF_RECORD_MISC_USER,
			   .runs = &second };
	const struct symtab *t = load(w, &dso);

	assert_int_equal(symtab_nr(t), 0);
	assert_non_null(symtab_why(t));
	put_text(w, "/tmp/perf-77.map",
		 "6ff0 20 across\n7100 10 inside\n8ff8 10 last\n9000 10 out\n");
	put_text(w, "/tmp/perf-78.map", "50020 10 other\n");
	t = load(w, &dso);
	assert_int_equal(symtab_origin(t), 'j');
	AT(0xfff, "-");
	AT(0x1000, "across");
	AT(0x100f, "across");
	AT(0x1010, "-");
	AT(0x1100, "inside");
	AT(0x2fff, "last");
	AT(0x3000, "-");
	AT(0x20, "other");
	assert_int_equal(symtab_nr(t), 4);
	/* One with a build-id was a file. */
	dso.build_id_size = 20;
	t = load(w, &dso);
	assert_int_equal(symtab_nr(t), 0);
}

/* The map that a process in namespaces of its own has, under the number that it has there. */
static void test_inner_map(void **state)
{
	struct world *w = *state;
	const struct symtab *t;
	char *out = xasprintf("%s/secret", w->dir), *in;

	put_text(w, "/proc/77/status", "Name:\tx\nPid:\t77\nNSpid:\t77\t1234\t5\nUid:\t0\n");
	put_text(w, "/proc/77/root/tmp/perf-5.map", "1000 100 inner\n");
	put_text(w, "/tmp/perf-77.map", "1000 100 outer\n");
	t = load(w, &perf_map);
	AT(0x1010, "inner");
	/* A link in there that leads out leads nowhere, or below its root. */
	put_text(w, "/secret", "1000 100 secret\n");
	in = xasprintf("%s/proc/77/root/tmp/perf-5.map", w->dir);
	assert_false(unlink(in));
	assert_false(symlink("../../../../secret", in));
	t = load(w, &perf_map);
	AT(0x1010, "outer");
	assert_false(unlink(in));
	assert_false(symlink(out, in));
	t = load(w, &perf_map);
	AT(0x1010, "outer");
	assert_false(unlink(in));
	assert_false(mkfifo(in, 0600));
	t = load(w, &perf_map);
	AT(0x1010, "outer");
	free(in);
	free(out);
}

static void test_perf_map_missing(void **state)
{
	const struct symtab *t = load(*state, &perf_map);

	assert_int_equal(symtab_nr(t), 0);
	assert_non_null(strstr(symtab_why(t), "perf-77.map"));
	assert_int_equal(symtab_origin(t), '!');
	AT(0, "-");
}

static void test_perf_map_owner(void **state)
{
	struct world *w = *state;
	char *path = xasprintf("%s/tmp/perf-77.map", w->dir);

	put_text(w, "/tmp/perf-77.map", "1000 10 theirs\n");
	if (geteuid() || chown(path, 12345, 12345)) {
		free(path);
		skip();
		return;
	}
	free(path);
	assert_int_equal(symtab_nr(load(w, &perf_map)), 0);
	w->conf.force = true;
	assert_int_equal(symtab_nr(load(w, &perf_map)), 1);
}

/* ---- the kernel ---- */

static struct dso kernel(void)
{
	return (struct dso){ .path = "[kernel.kallsyms]",
			     .short_name = "[kernel.kallsyms]",
			     .kind = DSO_KERNEL,
			     .cpumode = PERF_RECORD_MISC_KERNEL,
			     .ref_sym = "_text",
			     .ref_addr = 0xffffffff81000000,
			     .base = 0xffffffff81000000,
			     .size = 0x3000,
			     .build_id = { 1, 2, 3 },
			     .build_id_size = 20 };
}

static const char kallsyms[] =
	"0000000000000000 A fixed_percpu\nffffffff81000000 T startup\nffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\nffffffff81001000 t static_fn\nffffffff81001100 T memcpy\n"
	"ffffffff81001100 T __memcpy\nffffffff81001100 T __pi_memcpy\nffffffff81001200 r rodata\n"
	"ffffffff81001300 W weak_fn\nffffffff81003000 T _etext\nffffffff81004000 D data_sym\n"
	"ffffffff81005000 b bss_sym\nffffffffc0000000 t mod_init\t[foo_bar]\n"
	"ffffffffc0000100 T mod_fn\t[foo_bar]\nffffffffc0010000 t other\t[baz]\nnonsense\n\n";

static void put_notes(struct world *w, u8 first)
{
	u8 notes[] = { 4, 0, 0, 0, 4, 0,  0, 0, 9, 9, 0, 0, 'X', 'e', 'n', 0,   0, 0,     0,
		       0, 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0,   'G', 'N', 'U', 0, first, 2,
		       3, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0,   0,   0,   0,   0, 0 };

	put(w, "/sys/kernel/notes", notes, sizeof(notes));
}

static void test_kallsyms(void **state)
{
	struct world *w = *state;
	struct dso k = kernel();
	const struct symtab *t;

	put_text(w, "/proc/kallsyms", kallsyms);
	put_notes(w, 1);
	t = load(w, &k);
	assert_null(symtab_why(t));
	assert_int_equal(symtab_origin(t), 'k');
	AT(0, "-");
	AT(0xffffffff80ffffff, "-");
	AT(0xffffffff81000000, "_text"); /* of several sizeless ones the last */
	AT(0xffffffff81001000, "static_fn");
	AT(0xffffffff810010ff, "static_fn");
	AT(0xffffffff81001100, "__pi_memcpy");
	AT(0xffffffff81001250, "__pi_memcpy"); /* rodata is no place of code */
	AT(0xffffffff81001300, "weak_fn");
	AT(0xffffffff81004000, "data_sym");
	AT(0xffffffff81005fff, "bss_sym");
	AT(0xffffffff81006000, "-");
	AT(0xffffffffc0000000, "-"); /* modules have tables of their own */
}

/* The recorded kernel was loaded elsewhere: the same build after another boot. */
static void test_relocated(void **state)
{
	struct world *w = *state;
	struct dso k = kernel();
	const struct symtab *t;

	k.ref_addr = 0xffffffffa1000000;
	put_text(w, "/proc/kallsyms", kallsyms);
	put_notes(w, 1);
	t = load(w, &k);
	AT(0xffffffffa1001000, "static_fn");
	AT(0xffffffff81001000, "-");
}

static void test_other_kernel(void **state)
{
	struct world *w = *state;
	struct dso k = kernel();
	const struct symtab *t;
	char *cache = xasprintf("%s/cache", w->dir);

	put_text(w, "/proc/kallsyms", kallsyms);
	put_notes(w, 9);
	t = load(w, &k);
	assert_int_equal(symtab_nr(t), 0);
	assert_non_null(strstr(symtab_why(t), "0102030000"));
	assert_non_null(strstr(symtab_why(t), "0902030000"));
	/* Its copy in the build-id cache names it. */
	w->conf.buildid_dir = cache;
	put_text(w, "/cache/.build-id/01/02030000000000000000000000000000000000/kallsyms",
		 "ffffffff91000000 T _text\nffffffff91000100 T cached\n");
	t = load(w, &k);
	AT(0xffffffff81000100, "cached");
	assert_null(symtab_why(t));
	free(cache);
}

static void test_kptr_restrict(void **state)
{
	struct world *w = *state;
	struct dso k = kernel();
	const struct symtab *t;

	put_text(w, "/proc/kallsyms", "0000000000000000 T _text\n0000000000000000 t a\n");
	put_notes(w, 1);
	t = load(w, &k);
	assert_int_equal(symtab_nr(t), 0);
	assert_non_null(strstr(symtab_why(t), "kptr_restrict"));
}

/* Without a recorded build-id the kernel is found by its release, or else by the layout of the
 * text. */
static void test_no_build_id(void **state)
{
	struct world *w = *state;
	struct dso k = kernel();
	const struct symtab *t;

	k.build_id_size = 0;
	put_text(w, "/proc/kallsyms", kallsyms);
	put_text(w, "/proc/sys/kernel/osrelease", "6.1.0-test\n");
	t = load(w, &k);
	AT(0xffffffff81001000, "static_fn");
	k.size = 0x2000;
	assert_int_equal(symtab_nr(load(w, &k)), 0);
	w->conf.os_release = "6.1.0-test";
	assert_true(symtab_nr(load(w, &k)) > 0);
	w->conf.os_release = "3.4.0";
	k.size = 0x3000;
	t = load(w, &k);
	assert_int_equal(symtab_nr(t), 0);
	assert_non_null(strstr(symtab_why(t), "3.4.0"));
	w->conf.os_release = NULL;
	k.ref_addr = 0xffffffff81000190;
	k.size = 0x3190;
	assert_int_equal(symtab_nr(load(w, &k)), 0);
}

static void test_modules(void **state)
{
	struct world *w = *state;
	struct dso m = { .path = "/lib/modules/6.1.0/kernel/fs/foo-bar.ko.xz",
			 .short_name = "[foo_bar]",
			 .kind = DSO_MODULE,
			 .cpumode = PERF_RECORD_MISC_KERNEL,
			 .base = 0xffffffffc0000000,
			 .size = 0x10000 };
	const struct symtab *t;

	put_text(w, "/proc/kallsyms", kallsyms);
	t = load(w, &m);
	AT(0, "mod_init");
	AT(0x100, "mod_fn");
	AT(0x10000, "-");
	m.base = 0xffffffffd0000000; /* loaded elsewhere since */
	t = load(w, &m);
	assert_int_equal(symtab_nr(t), 0);
	assert_non_null(strstr(symtab_why(t), "foo_bar"));
}

static void test_bpf(void **state)
{
	struct dso b = {
		.path = "bpf_prog_1", .short_name = "bpf_prog_1", .kind = DSO_BPF, .size = 0x80
	};
	const struct symtab *t = load(*state, &b);

	AT(0, "bpf_prog_1");
	AT(0x7f, "bpf_prog_1");
	AT(0x80, "-");
}

/* The table over a text is the one made of a list. */
static void same_as_list(const char *text, size_t len, u64 delta)
{
	struct symtab t = { 0 }, u = { 0 };
	struct sym_list list = { 0 };

	assert_true(ksyms_table(&t, text, len, delta, true) > 0);
	assert_true(kallsyms_symbols(text, len, NULL, delta, &list) > 0);
	symtab_finish(&u, &list, SYMS_KALLSYMS, true);
	assert_int_equal(symtab_nr(&t), symtab_nr(&u));
	for (u32 i = 0; i < symtab_nr(&u); i++) {
		struct symbol a = symtab_get(&t, i), b = symtab_get(&u, i);

		assert_true(a.start == b.start && a.end == b.end);
		assert_true(a.binding == b.binding && a.type == b.type);
		assert_string_equal(symtab_raw_name(&t, i), symtab_raw_name(&u, i));
		assert_string_equal(symtab_name(&t, i), symtab_name(&u, i));
		assert_ptr_equal(symtab_name(&t, i), symtab_name(&t, i));
		for (u64 at = b.start - 20; at != b.start + 0x120; at++)
			assert_int_equal(symtab_find(&t, at), symtab_find(&u, at));
		assert_int_equal(symtab_find(&t, b.end - 1), symtab_find(&u, b.end - 1));
		assert_int_equal(symtab_find(&t, b.end), symtab_find(&u, b.end));
	}
	symtab_clear(&t);
	symtab_clear(&u);
}

/* Addresses with few digits, capitals and blanks, what ends at a module, names of one address,
 * lines that are none; a kernel that was elsewhere. */
static void test_over_text(void **state)
{
	static const char text[] =
		"1000 A absolute\n"
		"0000000000002000 D per_cpu\nffffffff81000000 T _stext\nFFFFFFFF81000000 t __stext\n"
		"ffffffff81000040 t one\nffffffff81000040 W second\nffffffff81000080  T  wide \n"
		"0xffffffff81000090 t prefixed\nffffffff810000g0 t digit\nffffffff810000@0 t digit\n"
		"ffffffff81000/a0 t digit\nffffffff81000:a0 t digit\nffffffff810000a0\n\n"
		"ffffffff810000a0 t\nffffffff810000a0 t \nffffffff810000b0 t name\ttail\r\n"
		"ffffffff810000c0 t returns\r\r\n"
		"ffffffff81000100 t _ZN3foo3barEv\nffffffff81000100 t _ZN3foo3bazEv\n"
		"ffffffffc0000000 t mod_one\t[mod]\nffffffffc0000100 t back\n"
		"ffffffffc0000200 t mod_two\t[mod]\nfffffffffffffff0 t last";
	static const char *const not_so[] = { "1000 t low\nffffffff81000000 t far\n",
					      "2000 t late\n1000 t early\n", text };
	struct symtab t = { 0 };
	static const char few[] = "1000 t low\nfffff000 t high\n";
	const char *from = strstr(text, "ffffffff81000000");
	size_t len = strlen(from);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(not_so); i++)
		assert_int_equal(ksyms_table(&t, not_so[i], strlen(not_so[i]), 0, false), -EAGAIN);
	assert_int_equal(ksyms_table(&t, "0 t none\n", 9, 0, true), -EPERM);
	assert_int_equal(ksyms_table(&t, "", 0, 0, true), 0);
	assert_null(t.ksyms);
	assert_int_equal(ksyms_table(&t, few, strlen(few), 0, false), 2);
	assert_int_equal(symtab_find(&t, 0x1fff), 0);
	assert_int_equal(symtab_find(&t, 0xfffff000), 1);
	symtab_clear(&t);
	same_as_list(from, len, 0);
	same_as_list(from, (size_t)(strstr(from, "ffffffffc0000000") - from), 0x5000000);
	same_as_list(few, strlen(few), 0x7000);
}

/* Modules stand behind the kernel, below it or above, in no order; among its symbols only a list
 * tells which is ended by which. */
static void test_over_modules(void **state)
{
	static const char kernel[] = "81000000 T _stext\n81000040 t one\n81000800 t last\n";
	static const char *const behind[] = {
		"",
		("c0002000 t b\t[x]\nc0002010 t c\t[x]\nc0000000 t a\t[y]\n0 t zero\t[y]\n"
		 "90000000 A none\t[y]\n"),
		"81000900 t near\t[x]\n81000880 t nearer\t[y]\n",
		"70000000 t below\t[x]\n60000000 t far_below\t[x]\n",
		"70000000 t below\t[x]\nc0000000 t above\t[x]\n50000000 t below_too\t[y]\n",
		"c0000000 t above\t[x]\n90000000 t kernel_again\n",
		"91000000 t m\t[x]\n90000000 t n\t[x]\na0000000 t kernel_again\n",
	};
	static const char *const among[] = { "81000010 t between\t[x]\n", "81000800 t same\t[x]\n",
					     "90000000 t m\t[x]\nc0000000 t n\t[x]\na0000000 t k\n",
					     "90000000 t m\t[x]\n90000000 t k\n" };
	struct symtab t = { 0 };
	char *text;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(behind); i++) {
		text = xasprintf("%s%s", kernel, behind[i]);
		same_as_list(text, strlen(text), 0);
		same_as_list(text, strlen(text), 0x1000);
		free(text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(among); i++) {
		text = xasprintf("%s%s", kernel, among[i]);
		assert_int_equal(ksyms_table(&t, text, strlen(text), 0, false), -EAGAIN);
		free(text);
	}
	text = xasprintf("70000000 t below\t[x]\n60000000 t far_below\t[x]\n%s", kernel);
	same_as_list(text, strlen(text), 0);
	free(text);
}

static void on_place(void *ctx, const struct kallsyms_place *p)
{
	strbuf_addf(ctx, "%" PRIx64 "-%" PRIx64 " %c %.*s|", p->start, p->end, p->kind,
		    (int)p->module_len, p->module ? p->module : "");
}

/* Tell which places of a name there are in a text. */
static int each_of(struct world *w, const char *text, const char *name, struct strbuf *got)
{
	put_text(w, "/proc/kallsyms", text);
	strbuf_reset(got);
	return kallsyms_each(&w->root, name, on_place, got);
}

/* The places of a name: several of them, one in a module, the last symbol of all, one whose next
 * symbol stands before it; none. */
static void test_each(void **state)
{
	static const char text[] = "ffffffff81000000 T start\n"
				   "ffffffff81000100 t twice\n"
				   "ffffffff81000140 T next\n"
				   "ffffffff81000140 T alias\n"
				   "ffffffff81000200 T last\n"
				   "ffffffffc0000000 t twice\t[ext4]\n"
				   "ffffffffc0000010 d behind\t[ext4]\n"
				   "ffffffffc0000008 d before\t[ext4]\n"
				   "0000000000000000 A zero\n";
	static const struct {
		const char *name, *want;
	} cases[] = {
		{ "twice", "ffffffff81000100-ffffffff81000140 t |"
			   "ffffffffc0000000-ffffffffc0000008 t [ext4]|" },
		{ "alias", "ffffffff81000140-ffffffff81000200 T |" },
		{ "last", "ffffffff81000200-ffffffff81002000 T |" },
		{ "before", "ffffffffc0000008-ffffffffc0000010 d [ext4]|" },
		{ "zero", "" },
		{ "twic", "" },
	};
	struct world *w = *state;
	struct strbuf got = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int nr = each_of(w, text, cases[i].name, &got);

		assert_string_equal(strbuf_str(&got), cases[i].want);
		assert_int_equal(nr, *cases[i].want ? 1 + !i : 0);
	}
	assert_int_equal(each_of(w, "0000000000000000 T a\n", "a", &got), -EPERM);
	assert_int_equal(each_of(w, "", "a", &got), 0);
	strbuf_release(&got);
}

/* Lines are found wherever they lie in the pieces in which the text is read, the last one without
 * an end and one that is longer than a piece as well. */
static void test_each_in_pieces(void **state)
{
	const size_t lines = 20000;
	struct world *w = *state;
	struct strbuf text = STRBUF_INIT, got = STRBUF_INIT;

	for (size_t i = 0; i < lines; i++)
		strbuf_addf(&text, "%016zx t f%zu\n", 0xffffffff81000000 + i * 16, i);
	strbuf_addf(&text, "%0100000d\nffffffff82000000 T end", 1);
	put_text(w, "/proc/kallsyms", strbuf_str(&text));
	for (size_t i = 0; i + 1 < lines; i += 997) {
		char name[32], want[64];

		snprintf(name, sizeof(name), "f%zu", i);
		snprintf(want, sizeof(want), "%zx-%zx t |", 0xffffffff81000000 + i * 16,
			 0xffffffff81000000 + i * 16 + 16);
		strbuf_reset(&got);
		assert_int_equal(kallsyms_each(&w->root, name, on_place, &got), 1);
		assert_string_equal(strbuf_str(&got), want);
	}
	assert_int_equal(each_of(w, strbuf_str(&text), "end", &got), 1);
	assert_string_equal(strbuf_str(&got), "ffffffff82000000-ffffffff82001000 T |");
	strbuf_release(&text);
	strbuf_release(&got);
}

/* A copy of kallsyms, which is mapped, and the kernel's own, which is read, become the same table;
 * when they are out of order, too. */
static void test_in_one_pass(void **state)
{
	static const char *const more[] = { "", "ffffffff81000100 t late\n" };
	struct world *w = *state;
	struct dso k = kernel();

	put_notes(w, 1);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		char *text = xasprintf("%s%s", kallsyms, more[i]);
		char *copy = xasprintf("%s/copy", w->dir);
		const struct symtab *a, *b;
		struct symbols *first;

		put_text(w, "/proc/kallsyms", text);
		put_text(w, "/copy", text);
		a = load(w, &k);
		first = w->s;
		w->s = NULL;
		w->conf.kallsyms = copy;
		b = load(w, &k);
		assert_string_equal(symtab_file(b), copy);
		assert_int_equal(symtab_nr(b), symtab_nr(a));
		for (u32 n = 0; n < symtab_nr(a); n++) {
			assert_int_equal(symtab_get(b, n).start, symtab_get(a, n).start);
			assert_int_equal(symtab_get(b, n).end, symtab_get(a, n).end);
			assert_string_equal(symtab_name(b, n), symtab_name(a, n));
		}
		w->conf.kallsyms = NULL;
		symbols_free(first);
		free(copy);
		free(text);
	}
}

/* Read ahead, a table is what it would have been; and not taken when the kernel is another one. */
static void test_ahead(void **state)
{
	struct world *w = *state;
	struct dso k = kernel(), early = k;

	put_text(w, "/proc/kallsyms", kallsyms);
	put_notes(w, 1);
	for (int other = 0; other < 3; other++) {
		const struct symtab *t;

		early.ref_addr = k.ref_addr + (other == 1 ? 0x1000 : 0);
		symbols_free(w->s);
		w->s = symbols_new(&w->conf);
		symbols_load_ahead(w->s, &early);
		if (other == 2) /* nobody asks */
			continue;
		t = symbols_load(w->s, &k);
		assert_null(symtab_why(t));
		assert_int_equal(symtab_origin(t), 'k');
		AT(0xffffffff81001000, "static_fn");
		AT(0xffffffff81005fff, "bss_sym");
	}
}

/* In tables of any size and spacing, each address is found as by looking at all symbols. */
static void test_many(void **state)
{
	struct world *w = *state;
	u64 seed = 1;

	for (u32 nr = 60; nr < 400; nr += 17) {
		struct dso perf_map = { .path = "/tmp/perf-7.map",
					.short_name = "[JIT] tid 7",
					.kind = DSO_PERF_MAP,
					.pid = 7 };
		struct strbuf text = STRBUF_INIT;
		const struct symtab *t;
		u64 at = 0x1000;

		for (u32 i = 0; i < nr; i++) {
			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			strbuf_addf(&text, "%llx %llx f%u\n", (unsigned long long)at,
				    (unsigned long long)(seed >> 60), i);
			at += 1 + (seed >> 32) % (i % 50 ? 20 : 100000);
		}
		put(w, "/tmp/perf-7.map", text.buf, text.len);
		strbuf_release(&text);
		t = load(w, &perf_map);
		assert_int_equal(symtab_nr(t), nr);
		for (u32 i = 0; i < nr; i++) {
			for (u64 addr = symtab_get(t, i).start - 2;
			     addr < symtab_get(t, i).start + 18; addr++) {
				u32 n = UINT32_MAX;

				for (u32 k = 0; k < nr; k++)
					if (symtab_get(t, k).start <= addr &&
					    addr < symtab_get(t, k).end)
						n = k;
				assert_int_equal(symtab_find(t, addr), n);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_perf_map, setup, teardown),
		cmocka_unit_test_setup_teardown(test_perf_map_inherited, setup, teardown),
		cmocka_unit_test_setup_teardown(test_run_time_code, setup, teardown),
		cmocka_unit_test_setup_teardown(test_inner_map, setup, teardown),
		cmocka_unit_test_setup_teardown(test_perf_map_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_perf_map_owner, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each_in_pieces, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kallsyms, setup, teardown),
		cmocka_unit_test_setup_teardown(test_relocated, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_kernel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kptr_restrict, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_build_id, setup, teardown),
		cmocka_unit_test_setup_teardown(test_modules, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bpf, setup, teardown),
		cmocka_unit_test(test_over_text),
		cmocka_unit_test(test_over_modules),
		cmocka_unit_test_setup_teardown(test_in_one_pass, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ahead, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
