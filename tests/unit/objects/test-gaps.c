// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what a recording is said to lack: files, symbols and lines, in the order of samples. */
#include "base/compat.h"
#include "objects/gaps.h"

#include "base/alloc.h"
#include "elf-build.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define MAPPED 0x1000

struct world {
	char *root; /* of the recorded system */
	struct recording r;
	struct recording_options o;
	struct pb file;
	int fd;
	char path[64];
	u64 time;
};

static void begin(struct world *w)
{
	const struct pb_event ev = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = true },
		.ids = { 7 },
		.nr_ids = 1,
	};

	*w = (struct world){ .root = tmp_dir(), .time = 1000 };
	w->o = (struct recording_options){ .buildid_dir = "", .symfs.dir = w->root };
	pb_start(&w->file, false, false, &ev, 1);
}

/* Map an object, and take samples in it. */
static void object(struct world *w, u64 at, const char *name, unsigned int samples)
{
	struct pb_id id = { 10, 10, 900, 7, 0, 0 };

	pb_mmap2(&w->file, 10, at, MAPPED, name, ST, &id);
	for (unsigned int i = 0; i < samples; i++) {
		id.time = w->time++;
		pb_sample(&w->file, ST, at + i, &id, 1);
	}
}

static void find(struct world *w, struct gaps *g)
{
	struct err err = { 0 };

	pb_finish(&w->file);
	w->o.input = pb_save(w->file.out.buf, w->file.out.len, &w->fd, w->path);
	assert_int_equal(recording_open(&w->r, &w->o, NULL, &err), 0);
	*g = (struct gaps){ 0 };
	assert_int_equal(gaps_find(&w->r, g, &err), 0);
}

static void end(struct world *w, struct gaps *g)
{
	gaps_release(g);
	recording_close(&w->r);
	pb_unsave(w->fd);
	pb_release(&w->file);
	tmp_remove(w->root);
}

static void put_elf(const struct world *w, const char *name, bool exported)
{
	static const struct eb_sym syms[] = {
		{ .name = "f",
		  .value = 0x1000,
		  .size = 0x100,
		  .type = STT_FUNC,
		  .bind = STB_GLOBAL },
	};
	const struct eb e = {
		.vaddr = 0x1000,
		.syms = syms,
		.nr_syms = ARRAY_SIZE(syms),
		.dynsym = exported,
		.build_id = { 1, 2, 3 },
		.build_id_size = 20,
	};
	char *path = xasprintf("%s%s", w->root, name);

	eb_write(&e, path);
	free(path);
}

#ifdef HAVE_LIBELF
static void test_kinds(void **state)
{
	struct world w;
	struct gaps g;

	begin(&w);
	put_elf(&w, "/bin/whole", false);
	put_elf(&w, "/bin/stripped", true);
	object(&w, 0x400000, "/bin/gone", 1);
	object(&w, 0x500000, "/bin/whole", 3);
	object(&w, 0x600000, "/bin/stripped", 2);
	object(&w, 0x700000, "/bin/unused", 0);
	object(&w, 0x800000, "//anon", 9); /* in no file */
	find(&w, &g);
	assert_int_equal(g.samples, 15);
	assert_int_equal(g.nr, 3);
	assert_string_equal(g.v[0].dso->path, "/bin/whole");
	assert_int_equal(g.v[0].samples, 3);
	assert_int_equal(g.v[0].what, GAP_LINES);
	assert_null(g.v[0].why);
	assert_string_equal(g.v[1].dso->path, "/bin/stripped");
	assert_int_equal(g.v[1].what, GAP_SYMBOLS | GAP_LINES);
	assert_string_equal(g.v[2].dso->path, "/bin/gone");
	assert_int_equal(g.v[2].what, GAP_FILE | GAP_SYMBOLS | GAP_LINES);
	assert_non_null(strstr(g.v[2].why, "cannot open '/bin/gone'"));
	end(&w, &g);
}

/* Objects with as many samples stay in the order in which they appeared. */
static void test_order(void **state)
{
	struct world w;
	struct gaps g;

	begin(&w);
	object(&w, 0x400000, "/z", 2);
	object(&w, 0x500000, "/a", 2);
	object(&w, 0x600000, "/m", 5);
	find(&w, &g);
	assert_int_equal(g.nr, 3);
	assert_string_equal(g.v[0].dso->path, "/m");
	assert_string_equal(g.v[1].dso->path, "/z");
	assert_string_equal(g.v[2].dso->path, "/a");
	end(&w, &g);
}
#endif

static void test_none(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct world w;
	struct gaps g;

	begin(&w);
	find(&w, &g);
	gaps_find_packages(&g, &w.o.symfs);
	gaps_text(&g, &w.o.symfs, true, &out);
	assert_int_equal(g.nr, 0);
	assert_int_equal(out.len, 0);
	end(&w, &g);
}

/* The text of an object that is gone: what is missing, its package, files, and servers. */
static void test_text(void **state)
{
	struct strbuf out = STRBUF_INIT;
	const struct symfs flat = { .dir = "/copy", .flat = true };
	struct world w;
	struct gaps g;

	begin(&w);
	tree_put(w.root, "/var/lib/dpkg/info/tools.list", "/usr/bin/gone\n");
	object(&w, 0x400000, "/usr/bin/gone", 4);
	find(&w, &g);
	gaps_find_packages(&g, &w.o.symfs);
	gaps_text(&g, &flat, true, &out);
	assert_int_equal(g.nr, 1);
	assert_non_null(strstr(strbuf_str(&out), " /usr/bin/gone\n\tsamples: 4 (100.00%)\n"
						 "\tmissing: file, symbols, lines\n"));
	assert_non_null(strstr(strbuf_str(&out), "\tpackage: tools, tools-dbgsym\n"));
	assert_non_null(strstr(strbuf_str(&out), "\tfile: /copy/gone\n"));
	assert_null(strstr(strbuf_str(&out), "debuginfod")); /* there is no build-id to ask for */
	strbuf_release(&out);
	end(&w, &g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_LIBELF
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_order),
#endif
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
