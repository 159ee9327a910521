// SPDX-License-Identifier: GPL-2.0-or-later
/* Test jitdump files: their records in both byte orders, damage, who may have written them, clocks,
 * and what they make of addresses over time. */
#include "base/compat.h"
#include "base/alloc.h"
#include "elf-build.h"
#include "jit-build.h"
#include "state-build.h"
#include "jit/jitdump.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

#define PID 7
#define DUMP "/d/jit-7.dump"

struct world {
	char *dir;
	struct sysroot root;
	struct jitdump_conf conf;
	struct machine *m;
	struct jitdumps *jits;
	struct symbols *syms;
	enum jitdump_times times;
};

static enum jitdump_times times_of(const void *ctx)
{
	const struct world *w = ctx;

	return w->times;
}

static int setup(void **state)
{
	struct world *w = xzalloc(sizeof(*w));
	struct symconf conf = { .buildid_dir = "" };

	w->dir = tmp_dir();
	w->root.prefix = w->dir;
	w->conf = (struct jitdump_conf){
		.sysroot = &w->root, .uid = geteuid(), .times = times_of, .ctx = w
	};
	w->m = machine_new();
	w->jits = jitdumps_follow(w->m, &w->conf);
	w->syms = symbols_new(&conf);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	symbols_free(w->syms);
	jitdumps_free(w->jits);
	machine_free(w->m);
	tmp_remove(w->dir);
	free(w);
	return 0;
}

static char *put(struct world *w, const char *path, const struct jb *b)
{
	char *full = xasprintf("%s%s", w->dir, path);

	file_write(full, b->out.buf, b->out.len);
	return full;
}

/* "name+offset", or the path of what is mapped there, or "". */
static const char *at(struct world *w, u64 time, u32 pid, u64 addr)
{
	static char text[300];
	const struct map *map;
	const struct symtab *t;
	struct thread_at th;
	u32 sym;

	machine_thread_at(w->m, pid, pid, time, &th);
	map = machine_find_map(w->m, th.epoch, PERF_RECORD_MISC_USER, addr);
	if (!map)
		return "";
	t = symbols_load(w->syms, map->dso);
	sym = symtab_find(t, map_to_file(map, addr));
	if (sym == UINT32_MAX)
		snprintf(text, sizeof(text), "%s", map->dso->path);
	else
		snprintf(text, sizeof(text), "%s+0x%" PRIx64, symtab_name(t, sym),
			 map_to_file(map, addr) - symtab_get(t, sym).start);
	return text;
}
#define AT(time, addr, text) assert_string_equal(at(w, time, PID, addr), text)

/* ---- one file ---- */

static void check_records(struct jitdump *d, u64 index)
{
	struct jit_record r;
	const u8 *code;

	assert_int_equal(jitdump_next(d, &r), 1);
	assert_int_equal(r.id, JIT_CODE_DEBUG_INFO);
	assert_int_equal(r.nr_lines, 2);
	assert_int_equal(r.addr, 0x5000);
	assert_int_equal(jitdump_next(d, &r), 1);
	assert_int_equal(r.id, JIT_CODE_UNWINDING_INFO);
	assert_int_equal(r.frame_size, 20);
	assert_int_equal(r.frame_index_size, 12);
	assert_memory_equal(jitdump_bytes(d, r.body_at, 4), "abcd", 4);
	assert_int_equal(jitdump_next(d, &r), 1);
	assert_int_equal(r.id, JIT_CODE_LOAD);
	assert_int_equal(r.time, 102);
	assert_int_equal(r.pid, PID);
	assert_int_equal(r.addr, 0x5000);
	assert_int_equal(r.code_size, 32);
	assert_int_equal(r.index, index);
	assert_string_equal(r.name, "f");
	code = jitdump_bytes(d, r.code_at, 32);
	assert_int_equal(code[0], 0x90);
	assert_int_equal(code[31], 0xc3);
	assert_int_equal(jitdump_next(d, &r), 1);
	assert_int_equal(r.id, JIT_CODE_MOVE);
	assert_int_equal(r.old_addr, 0x5000);
	assert_int_equal(r.addr, 0x6000);
	assert_int_equal(jitdump_next(d, &r), 1);
	assert_int_equal(r.id, JIT_CODE_CLOSE);
	assert_int_equal(jitdump_next(d, &r), 0);
	assert_int_equal(d->bad, 0);
	assert_int_equal(d->cut_at, 0);
}

static void one_of_each(struct jb *b, bool swap)
{
	const struct jb_line lines[] = { { 0, 10, "a.js" }, { 8, 11, "b.js" } };

	jb_init(b, swap, PID, 99);
	jb_lines(b, 100, 0x5000, lines, 2);
	jb_unwinding(b, 101, "abcdefghijklmnopqrst", 20, 12);
	jb_load(b, 102, 0x5000, 32, "f");
	jb_move(b, 103, 0x5000, 0x6000, 32, 0);
	jb_close(b, 104);
}

static void records(struct world *w, bool swap)
{
	struct err err = { 0 };
	struct jitdump d;
	struct jb b;
	char *path;

	one_of_each(&b, swap);
	assert_int_equal(jitdump_memory(&d, b.out.buf, b.out.len, &err), 0);
	assert_int_equal(d.swap, swap);
	assert_int_equal(d.pid, PID);
	assert_int_equal(d.time, 99);
	assert_int_equal(d.machine, 62);
	check_records(&d, 0);
	jitdump_close(&d);
	path = put(w, DUMP, &b);
	assert_int_equal(jitdump_open(&d, open(path, O_RDONLY), &err), 0);
	check_records(&d, 0);
	jitdump_close(&d);
	free(path);
	jb_release(&b);
}

static void test_records(void **state)
{
	records(*state, false);
}

static void test_records_swapped(void **state)
{
	records(*state, true);
}

/* A file may be cut off anywhere: all that is before stands, and the place is told. */
static void test_cut_off(void **state)
{
	struct err err = { 0 };
	struct jitdump d;
	struct jit_record r;
	size_t len, whole;
	struct jb b;

	(void)state;
	one_of_each(&b, false);
	for (len = 0; len <= b.out.len; len++) {
		u8 *copy = xmalloc(len + 1);
		u64 end = 40;

		memcpy(copy, b.out.buf, len);
		if (len < 40) {
			assert_int_equal(jitdump_memory(&d, copy, len, &err), -EINVAL);
			free(copy);
			continue;
		}
		assert_int_equal(jitdump_memory(&d, copy, len, &err), 0);
		for (whole = 0; jitdump_next(&d, &r) > 0; whole++)
			end = r.offset + r.size;
		assert_true(whole <= 5);
		assert_int_equal(d.cut_at, end == len ? 0 : end);
		assert_int_equal(d.bad, 0);
		jitdump_close(&d);
		free(copy);
	}
	jb_release(&b);
}

/* Lengths that lie: the record is left out, the ones behind it are not. */
static void test_lies(void **state)
{
	struct err err = { 0 };
	struct jit_record r;
	struct jitdump d;
	u64 *code_size;
	struct jb b;

	(void)state;
	jb_init(&b, false, PID, 1);
	jb_load(&b, 2, 0x1000, 16, "first");
	jb_load(&b, 3, 0x2000, 16, "second");
	code_size = (u64 *)(void *)(b.out.buf + 40 + 16 + 24);
	*code_size = 1000;
	jb_record(&b, 2, 4, "short", 5);
	jb_record(&b, 99, 5, "newer than we are", 17);
	assert_int_equal(jitdump_memory(&d, b.out.buf, b.out.len, &err), 0);
	assert_int_equal(jitdump_next(&d, &r), 1);
	assert_string_equal(r.name, "second");
	assert_int_equal(jitdump_next(&d, &r), 1);
	assert_int_equal(r.id, 99);
	assert_int_equal(jitdump_next(&d, &r), 0);
	assert_int_equal(d.bad, 2);
	jitdump_close(&d);
	b.out.buf[4] = 9;
	assert_int_equal(jitdump_memory(&d, b.out.buf, b.out.len, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "version 9"));
	b.out.buf[0] = 0;
	assert_int_equal(jitdump_memory(&d, b.out.buf, b.out.len, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "not a jitdump"));
	jb_release(&b);
}

/* ---- in the machine ---- */

static void map_dump(struct world *w, u64 time, const char *path)
{
	st_mmap(w->m, time, PID, PID, 0x900000, 0x1000, 0, path);
}

static void over_time(struct world *w, bool swap)
{
	struct jb b;

	jb_init(&b, swap, PID, 90);
	jb_load(&b, 100, 0x10000, 0x100, "one");
	jb_load(&b, 100, 0x10100, 0x100, "two");
	jb_load(&b, 200, 0x10080, 0x100, "three"); /* in the place of halves of both */
	jb_move(&b, 300, 0x10080, 0x20000, 0x100, 2);
	jb_load(&b, 400, 0x10080, 0x40, "four");
	free(put(w, DUMP, &b));
	jb_release(&b);
	st_mmap(w->m, 50, PID, PID, 0x10000, 0x10000, 0, "//anon");
	map_dump(w, 91, DUMP);
	st_mmap(w->m, 150, PID, PID, 0x10000, 0x1000, 0, "//anon"); /* protected */
	st_mmap(w->m, 500, PID, PID, 0x10000, 0x1000, 0, "//anon");
	st_mmap(w->m, 600, PID, PID, 0x10000, 0x1000, 0, "/usr/lib/x.so"); /* not memory any more */
	machine_seal(w->m);
	AT(120, 0x10000, "one+0x0");
	AT(120, 0x100ff, "one+0xff");
	AT(120, 0x10100, "two+0x0");
	AT(120, 0x10200, "/tmp/perf-7.map");
	AT(160, 0x10010, "one+0x10");
	AT(220, 0x1007f, "one+0x7f");
	AT(220, 0x10080, "three+0x0");
	AT(220, 0x1017f, "three+0xff");
	AT(220, 0x10180, "two+0x80");
	AT(350, 0x20010, "three+0x10");
	AT(450, 0x10080, "four+0x0");
	AT(450, 0x100c0, "three+0x40"); /* what is left of it */
	AT(550, 0x10080, "four+0x0");
	AT(650, 0x10080, "/usr/lib/x.so");
	assert_string_equal(jitdumps_problems(w->jits), "");
	assert_int_equal(jitdumps_functions(w->jits), 4);
}

static void test_over_time(void **state)
{
	over_time(*state, false);
}

static void test_over_time_swapped(void **state)
{
	over_time(*state, true);
}

/* Naming memory starts no epoch: thousands of functions cost no thousands of address spaces. */
static void test_epochs(void **state)
{
	struct world *w = *state;
	u32 before = machine_nr_epochs(w->m), i;
	struct jb b;

	jb_init(&b, false, PID, 90);
	for (i = 0; i < 5000; i++)
		jb_load(&b, 100 + i, 0x10000 + i * 64, 64, "f");
	free(put(w, DUMP, &b));
	jb_release(&b);
	st_mmap(w->m, 50, PID, PID, 0x10000, 0x1000000, 0, "//anon");
	map_dump(w, 91, DUMP);
	machine_seal(w->m);
	AT(50000, 0x10000 + 4999 * 64 + 1, "f+0x1");
	assert_in_range(machine_nr_epochs(w->m) - before, 1, 2);
}

/* A child has what was there at the fork; what the parent compiles later is the parent's. */
static void test_fork(void **state)
{
	struct world *w = *state;
	struct jb b;

	jb_init(&b, false, PID, 90);
	jb_load(&b, 100, 0x10000, 64, "before");
	jb_load(&b, 300, 0x20000, 64, "after");
	jb_load(&b, 310, 0x10000, 64, "replaced");
	free(put(w, DUMP, &b));
	jb_release(&b);
	map_dump(w, 91, DUMP);
	st_fork(w->m, 200, 8, 8, PID, PID);
	machine_seal(w->m);
	assert_string_equal(at(w, 400, 8, 0x10000), "before+0x0");
	assert_string_equal(at(w, 400, 8, 0x20000), "");
	assert_string_equal(at(w, 400, PID, 0x10000), "replaced+0x0");
	assert_string_equal(at(w, 400, PID, 0x20000), "after+0x0");
}

/* A pipe asks while the state is being built. */
static void test_unsealed(void **state)
{
	struct world *w = *state;
	struct jb b;

	jb_init(&b, false, PID, 90);
	jb_load(&b, 100, 0x10000, 64, "one");
	jb_load(&b, 300, 0x10000, 64, "two");
	free(put(w, DUMP, &b));
	jb_release(&b);
	map_dump(w, 91, DUMP);
	AT(95, 0x10000, "");
	AT(100, 0x10000, "one+0x0");
	AT(250, 0x10000, "one+0x0");
	AT(300, 0x10000, "two+0x0");
}

/* ---- finding it ---- */

static struct err find(struct world *w, const char *path, u32 pid, int expect)
{
	struct err err = { 0 };
	struct jitdump d;
	int ret = jitdump_find(&d, &w->conf, path, pid, &err);

	assert_int_equal(ret, expect);
	if (!ret)
		jitdump_close(&d);
	return err;
}

static void test_find(void **state)
{
	struct world *w = *state;
	struct err err;
	struct jb b;
	char *path, *link;

	jb_init(&b, false, PID, 1);
	path = put(w, DUMP, &b);
	find(w, DUMP, PID, 0);
	free(put(w, "/proc/12/root/in/jit-3.dump", &b));
	find(w, "/in/jit-3.dump", 12, 0);
	err = find(w, "/in/jit-3.dump", 13, -ENOENT);
	assert_non_null(strstr(err.msg, "/in/jit-3.dump"));
	free(put(w, "/sym/e/jit-4.dump", &b));
	w->conf.symfs.dir = xasprintf("%s/sym", w->dir);
	find(w, "/e/jit-4.dump", PID, 0);
	find(w, DUMP, PID, 0); /* not below symfs: where it was */
	free((char *)w->conf.symfs.dir);
	w->conf.symfs.dir = NULL;
	/* A link in its place, or a pipe, is nobody's dump. */
	link = xasprintf("%s/d/jit-5.dump", w->dir);
	assert_int_equal(symlink(path, link), 0);
	find(w, "/d/jit-5.dump", 5, -ELOOP);
	unlink(link);
	assert_int_equal(mkfifo(link, 0600), 0);
	find(w, "/d/jit-5.dump", 5, -EINVAL);
	free(link);
	free(path);
	jb_release(&b);
}

static void test_owner(void **state)
{
	struct world *w = *state;
	struct err err;
	struct jb b;
	char *path;

	if (geteuid()) {
		print_message("only root can give files away\n");
		skip();
	}
	jb_init(&b, false, PID, 1);
	path = put(w, DUMP, &b);
	assert_int_equal(chown(path, 12345, 12345), 0);
	err = find(w, DUMP, PID, -EPERM);
	assert_non_null(strstr(err.msg, "not owned"));
	w->conf.uid = 12345;
	find(w, DUMP, PID, 0);
	w->conf.uid = 0;
	w->conf.force = true;
	find(w, DUMP, PID, 0);
	free(path);
	jb_release(&b);
}

/* Missing, damaged: said once, and the addresses stay. */
static void test_told_once(void **state)
{
	struct world *w = *state;
	const char *p;
	struct jb b;

	map_dump(w, 91, DUMP);
	map_dump(w, 92, DUMP);
	p = jitdumps_problems(w->jits);
	assert_non_null(strstr(p, DUMP));
	assert_ptr_equal(strchr(p, '\n') + 1, p + strlen(p));
	jb_init(&b, false, PID, 90);
	jb_load(&b, 100, 0x10000, 64, "one");
	jb_load(&b, 110, 0x10040, 64, "two");
	b.out.len -= 3;
	free(put(w, "/d/jit-8.dump", &b));
	jb_release(&b);
	st_mmap(w->m, 50, PID, PID, 0x10000, 0x1000, 0, "//anon");
	map_dump(w, 93, "/d/jit-8.dump");
	machine_seal(w->m);
	AT(200, 0x10000, "one+0x0");
	AT(200, 0x10040, "/tmp/perf-7.map");
	assert_non_null(strstr(jitdumps_problems(w->jits), "cut off"));
}

static void test_clocks(void **state)
{
	struct world *w = *state;
	struct jitdump_clock c;
	struct err err = { 0 };
	struct jitdump d;
	struct jb b;

	jb_init(&b, false, PID, 5000);
	jb_load(&b, 6000, 0x10000, 64, "one");
	assert_int_equal(jitdump_memory(&d, b.out.buf, b.out.len, &err), 0);
	c = jitdump_clock(&d, &w->conf, 5100);
	assert_null(c.doubt);
	assert_int_equal(jitdump_time(&c, 6000), 6000);
	w->times = JITDUMP_OTHER_CLOCK;
	c = jitdump_clock(&d, &w->conf, 1000000);
	assert_non_null(c.doubt);
	assert_int_equal(jitdump_time(&c, 6000), 1001000);
	c = jitdump_clock(&d, &w->conf, 0); /* it was there when recording began */
	assert_int_equal(jitdump_time(&c, 6000), 6000);
	d.time = 1700000000000000000ULL; /* the time of day */
	c = jitdump_clock(&d, &w->conf, 1000000);
	assert_int_equal(jitdump_time(&c, 6000), 6000);
	d.flags = JITDUMP_CYCLES;
	c = jitdump_clock(&d, &w->conf, 777);
	assert_int_equal(jitdump_time(&c, 6000), 777);
	d.flags = 0;
	w->times = JITDUMP_NO_TIMES;
	c = jitdump_clock(&d, &w->conf, 888);
	assert_int_equal(jitdump_time(&c, 6000), 888);
	assert_non_null(strstr(c.doubt, "no times"));
	jitdump_close(&d);
	jb_release(&b);
}

static void test_names(void **state)
{
	(void)state;
	assert_true(is_jitdump_path("/tmp/jit-123.dump"));
	assert_true(is_jitdump_path("jit-1.dump"));
	assert_false(is_jitdump_path("/tmp/jit-.dump"));
	assert_false(is_jitdump_path("/tmp/jit-12.dumpx"));
	assert_false(is_jitdump_path("/tmp/xjit-12.dump"));
	assert_false(is_jitdump_path("/jit-12.dump/x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_records, setup, teardown),
		cmocka_unit_test_setup_teardown(test_records_swapped, setup, teardown),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_lies),
		cmocka_unit_test_setup_teardown(test_over_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_over_time_swapped, setup, teardown),
		cmocka_unit_test_setup_teardown(test_epochs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fork, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unsealed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_find, setup, teardown),
		cmocka_unit_test_setup_teardown(test_owner, setup, teardown),
		cmocka_unit_test_setup_teardown(test_told_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_clocks, setup, teardown),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
