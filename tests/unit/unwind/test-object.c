// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the rules of one object: those of its tables, and the guesses where there are none, which
 * are marked. */
#include "base/compat.h"
#include "unwind/object.h"

#include "base/alloc.h"
#include "cfi-build.h"
#include "state-build.h"
#include "symbol/elf-image.h"
#include "tmp-tree.h"
#include "unwind/habit.h"

#include <elf.h>
#include <setjmp.h>
#include <cmocka.h>

#define RBX 3
#define RBP 6
#define RSP 7
#define RA 16

/* push %rbp; mov %rsp,%rbp; sub $0x20,%rsp; nop (48 times); leave; ret */
#define PROLOGUE "\x55\x48\x89\xe5\x48\x83\xec\x20"
/* push %rbx; sub $0x10,%rsp; nop (48 times); add $0x10,%rsp; pop %rbx; ret */
#define NO_POINTER "\x53\x48\x83\xec\x10"
/* what compilers write for each of the two */
#define WITH_POINTER_CFI "\x41\x0e\x10\x86\x02\x43\x0d\x06"
#define NO_POINTER_CFI "\x41\x0e\x10\x83\x02\x44\x0e\x20"

static u8 code[64];

struct bench {
	char *dir, *path;
	struct machine *m;
	struct symbols *syms;
	struct unw_object *o;
};

static int setup(void **state)
{
	const struct symconf conf = { .buildid_dir = "" };
	struct bench *t = xzalloc(sizeof(*t));

	t->dir = tmp_dir();
	t->path = xasprintf("%s/object", t->dir);
	t->m = machine_new();
	t->syms = symbols_new(&conf);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct bench *t = *state;

	unw_object_close(t->o);
	symbols_free(t->syms);
	machine_free(t->m);
	tmp_remove(t->dir);
	free(t->path);
	free(t);
	return 0;
}

static const struct arch_frames *frames(void)
{
	return arch_of("x86_64")->frames;
}

static struct cb_object with_code(const char *start, size_t len)
{
	memset(code, 0x90, sizeof(code));
	memcpy(code, start, len);
	code[sizeof(code) - 1] = 0xc3;
	return (struct cb_object){ .code = code, .size = sizeof(code) };
}

/* Map @path, and open the object that it is then. */
static void open_mapped(struct bench *t, const char *path)
{
	size_t nr;

	st_mmap(t->m, 1, 7, 7, 0x10000, 0x1000, 0, path);
	machine_seal(t->m);
	for (struct dso *const *d = machine_dsos(t->m, &nr); nr; nr--, d++)
		if (!strcmp((*d)->path, path))
			t->o = unw_object_open(symbols_load(t->syms, *d), *d, frames());
	assert_non_null(t->o);
}

static void open_object(struct bench *t, const struct cb_object *o)
{
#ifndef HAVE_LIBELF
	skip();
#endif
	cb_write(o, t->path);
	open_mapped(t, t->path);
}

static struct unw_rules rules_at(const struct bench *t, u64 offset, bool call)
{
	struct unw_rules r;

	unw_object_rules(t->o, JIT_CODE_OFFSET + offset, call, &r);
	return r;
}

/* @saved: where register @reg of the caller is; 0: it is not said */
static void check(const struct unw_rules *r, bool guessed, u8 cfa_reg, s64 cfa, u8 reg, s32 saved)
{
	s32 found = 0, ra = 0;

	assert_true(r->valid && !r->signal && !r->cfa_is_expr);
	assert_int_equal(r->guessed, guessed);
	assert_int_equal(r->cfa_reg, cfa_reg);
	assert_true(r->cfa_offset == cfa);
	for (u8 i = 0; i < r->nr; i++) {
		assert_int_equal(r->rule[i].how, UNW_AT_CFA);
		if (r->rule[i].reg == reg)
			found = r->rule[i].offset;
		if (r->rule[i].reg == RA)
			ra = r->rule[i].offset;
	}
	assert_int_equal(r->ra, RA);
	assert_int_equal(ra, -8);
	assert_int_equal(found, saved);
}

/* ---- tables ---- */

static void on_dump(void *ctx, struct machine *m, u32 process, const struct rec_mmap *rec, u64 time)
{
	(void)rec, (void)time;
	machine_add_code(m, process, ctx);
}

/* The unwind information of a jitdump stands where the compiler has it, behind the code. */
static void open_jit(struct bench *t, const struct cb_object *o)
{
	struct jit_frames unwind = { 0 };
	struct jit_code jit = { .addr = 0x10000,
				.size = o->size,
				.name = "f",
				.object = "/d/jitted-7-0.so",
				.frames = o->program ? &unwind : NULL };
	struct thread_at at;
	const struct map *map;
	struct pb b;

	pb_init(&b, false);
	if (o->program)
		unwind.index_size = cb_frames(&b, o);
	unwind.bytes = (const u8 *)b.out.buf;
	unwind.size = b.out.len;
	machine_on_jitdump(t->m, on_dump, &jit);
	st_mmap(t->m, 1, 7, 7, 0x20000, 0x1000, 0, "/d/jit-7.dump");
	st_mmap(t->m, 1, 7, 7, 0x10000, 0x1000, 0, "//anon");
	pb_release(&b);
	machine_seal(t->m);
	machine_thread_at(t->m, 7, 7, 2, &at);
	map = machine_find_map(t->m, at.epoch, PERF_RECORD_MISC_USER, 0x10000);
	assert_non_null(map);
	assert_string_equal(map->dso->path, jit.object);
	t->o = unw_object_open(symbols_load(t->syms, map->dso), map->dso, frames());
}

static void check_tables(struct bench *t, void (*open)(struct bench *, const struct cb_object *),
			 bool no_index)
{
	struct cb_object o = with_code(NO_POINTER, sizeof(NO_POINTER) - 1);
	struct unw_rules r;

	o.program = NO_POINTER_CFI;
	o.program_len = sizeof(NO_POINTER_CFI) - 1;
	o.no_index = no_index;
	open(t, &o);
	assert_int_equal(unw_object_source(t->o), UNW_TABLES);
	r = rules_at(t, 0, false);
	check(&r, false, RSP, 8, RBX, 0);
	r = rules_at(t, 1, false);
	check(&r, false, RSP, 16, RBX, -16);
	r = rules_at(t, 5, true); /* behind a call: the rules are those of the byte before */
	check(&r, false, RSP, 16, RBX, -16);
	r = rules_at(t, 5, false);
	check(&r, false, RSP, 32, RBX, -16);
	r = rules_at(t, sizeof(code), false);
	assert_true(r.guessed);
}

static void test_index(void **state)
{
	check_tables(*state, open_object, false);
}

static void test_no_index(void **state)
{
	check_tables(*state, open_object, true);
}

static void test_jit_index(void **state)
{
	check_tables(*state, open_jit, false);
}

static void test_jit_list(void **state)
{
	check_tables(*state, open_jit, true);
}

static void test_jit_without(void **state)
{
	struct cb_object o = with_code(PROLOGUE, sizeof(PROLOGUE) - 1);
	struct bench *t = *state;
	struct unw_rules r;

	open_jit(t, &o);
	assert_int_equal(unw_object_source(t->o), UNW_MADE);
	r = rules_at(t, 8, false);
	check(&r, true, RBP, 16, RBP, -16);
}

/* ---- code ---- */

static void test_prologue(void **state)
{
	struct cb_object o = with_code(PROLOGUE, sizeof(PROLOGUE) - 1);
	struct bench *t = *state;
	struct unw_rules r;

	open_object(t, &o);
	assert_int_equal(unw_object_source(t->o), UNW_BARE);
	r = rules_at(t, 0, false);
	check(&r, true, RSP, 8, RBP, 0);
	r = rules_at(t, 1, false);
	check(&r, true, RSP, 16, RBP, -16);
	r = rules_at(t, 8, false);
	check(&r, true, RBP, 16, RBP, -16);
}

/* A leaf has no frame: its caller is where the stack pointer points. */
static void test_leaf(void **state)
{
	struct cb_object o = with_code("\xff\xc9", 2);
	struct bench *t = *state;
	struct unw_rules r;

	open_object(t, &o);
	r = rules_at(t, 40, false);
	check(&r, true, RSP, 8, RBP, 0);
}

static void test_without_pointer(void **state)
{
	struct cb_object o = with_code(NO_POINTER, sizeof(NO_POINTER) - 1);
	struct bench *t = *state;
	struct unw_rules r;

	open_object(t, &o);
	r = rules_at(t, 1, false);
	check(&r, true, RSP, 16, RBP, 0);
	r = rules_at(t, 30, true);
	check(&r, true, RSP, 32, RBP, 0);
}

/* Where the code does not tell, or no function is known, frame pointers may lead on. */
static void test_unclear(void **state)
{
	struct cb_object o = with_code("\x48\x89\xdc", 3); /* mov %rbx,%rsp */
	struct bench *t = *state;
	struct unw_rules r;

	open_object(t, &o);
	r = rules_at(t, 3, false);
	check(&r, true, RBP, 16, RBP, -16);
	r = rules_at(t, 0x400, false);
	check(&r, true, RBP, 16, RBP, -16);
}

/* ---- no object ---- */

static void test_absent(void **state)
{
	struct bench *t = *state;
	struct unw_rules r;

	open_mapped(t, t->path);
	assert_int_equal(unw_object_source(t->o), UNW_ABSENT);
	r = rules_at(t, 0, false);
	assert_true(r.guessed && !r.valid);
}

static void check_made(struct bench *t, const char *path)
{
	struct unw_rules r;

	open_mapped(t, path);
	assert_int_equal(unw_object_source(t->o), UNW_MADE);
	r = rules_at(t, 0, false);
	check(&r, true, RBP, 16, RBP, -16);
}

/* Memory of memfd_create() is recorded like a file, but none is to be found. */
static void test_memory(void **state)
{
	check_made(*state, "/memfd:doublemapper");
}

/* ---- the habit of an object ---- */

static enum frame_habit habit(struct bench *t, const char *program, size_t len, bool no_index)
{
	struct cb_object o = with_code("\x90", 1);
	enum frame_habit found;
	struct elf_image e;

#ifndef HAVE_LIBELF
	skip();
#endif
	o.program = program;
	o.program_len = len;
	o.no_index = no_index;
	cb_write(&o, t->path);
	assert_int_equal(elf_image_open(&e, t->path), 0);
	found = frame_habit(&e, frames());
	elf_image_release(&e);
	return found;
}

static void test_habit(void **state)
{
	/* a frame that is found by an expression; and one whose rules make no sense */
	static const char expr[] = "\x0f\x02\x77\x10", wrong[] = "\x0b";
	struct bench *t = *state;

	for (int no_index = 0; no_index < 2; no_index++) {
		assert_int_equal(habit(t, WITH_POINTER_CFI, sizeof(WITH_POINTER_CFI) - 1, no_index),
				 FRAMES_KEPT);
		assert_int_equal(habit(t, NO_POINTER_CFI, sizeof(NO_POINTER_CFI) - 1, no_index),
				 FRAMES_LEFT_OUT);
		assert_int_equal(habit(t, expr, sizeof(expr) - 1, no_index), FRAMES_LEFT_OUT);
		assert_int_equal(habit(t, wrong, sizeof(wrong) - 1, no_index), FRAMES_UNKNOWN);
		assert_int_equal(habit(t, "", 0, no_index), FRAMES_UNKNOWN);
	}
	assert_int_equal(habit(t, NULL, 0, true), FRAMES_UNKNOWN);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_index),    CASE(test_no_index),        CASE(test_jit_index),
		CASE(test_jit_list), CASE(test_jit_without),     CASE(test_prologue),
		CASE(test_leaf),     CASE(test_without_pointer), CASE(test_unclear),
		CASE(test_absent),   CASE(test_memory),          CASE(test_habit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
