// SPDX-License-Identifier: GPL-2.0-or-later
/* Test functions of jitdumps as ELF files, in each class and byte order; names of Java methods. */
#include "base/compat.h"
#include "base/alloc.h"
#include "elf-build.h"
#include "jit-build.h"
#include "jit/jit-image.h"
#include "symbol/symbol-internal.h"

#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

static const char frame[] = "frame and its index, in 36 bytes....";

/* A dump with one function and all there can be of it. */
static void make_image(struct jit_image *im, bool swap, u32 machine)
{
	const struct jb_line lines[] = { { 0, 10, "/a.js" },
					 { 4, 12, "\xff" },
					 { 8, 3, "/b.js" },
					 { 6, 2000, "/a.js" },
					 { 1000, 1, "/elsewhere.js" } };
	struct err err = { 0 };
	struct jit_record r;
	struct jitdump d;
	bool whole = false;
	struct jb b;

	*im = (struct jit_image){ 0 };
	jb_init(&b, swap, 7, 1);
	jb_lines(&b, 2, 0x5000, lines, 5);
	jb_unwinding(&b, 3, frame, 36, 12);
	jb_load(&b, 4, 0x5000, 21, "f");
	assert_int_equal(jitdump_memory(&d, b.out.buf, b.out.len, &err), 0);
	d.machine = machine;
	while (jitdump_next(&d, &r) > 0)
		whole = jit_image_add(im, &d, &r);
	assert_true(whole);
	jitdump_close(&d);
	jb_release(&b);
}

static void check_bytes(const struct elf_image *e, const char *section, u64 at, const void *want,
			size_t size)
{
	const struct elf_section *s = elf_image_section(e, section);
	size_t len;

	assert_non_null(s);
	assert_int_equal(s->addr, at);
	assert_int_equal(s->offset, at);
	assert_memory_equal(elf_image_bytes(e, s, &len), want, size);
	assert_int_equal(len, size);
}

static void image(bool swap, u32 machine, bool is64)
{
	char *dir = tmp_dir(), *path = xasprintf("%s/x.so", dir);
	struct sym_list list = { 0 };
	struct err err = { 0 };
	struct jit_image im;
	struct elf_image e;
	struct stat st;
	u8 id[20];

	make_image(&im, swap, machine);
	assert_int_equal(jit_image_span(&im), 24 + 36);
	assert_int_equal(jit_image_write(&im, path, &st, &err), 0);
	assert_true(st.st_size > 0);
	assert_int_equal(elf_image_open(&e, path), 0);
	assert_int_equal(e.is64, is64);
	assert_int_equal(e.machine, machine);
	check_bytes(&e, ".text", JIT_CODE_OFFSET, im.code.buf, 21);
	check_bytes(&e, ".eh_frame", JIT_CODE_OFFSET + 24, frame, 24);
	check_bytes(&e, ".eh_frame_hdr", JIT_CODE_OFFSET + 48, frame + 24, 12);
	assert_int_equal(e.nr_segments, 2);
	assert_int_equal(e.segments[0].type, PT_LOAD);
	assert_int_equal(e.segments[0].offset, JIT_CODE_OFFSET);
	assert_int_equal(e.segments[0].filesz, 60);
	assert_int_equal(elf_image_build_id(&e, id), 20);
	assert_memory_equal(id, im.build_id, 20);
	assert_int_equal(elf_image_symbols(&e, &e, false, 0, &list), 1);
	assert_int_equal(list.v[0].start, JIT_CODE_OFFSET);
	assert_int_equal(list.v[0].end, JIT_CODE_OFFSET + 21);
	assert_memory_equal(list.v[0].name, "f", list.v[0].len);
	assert_non_null(elf_image_section(&e, ".debug_line"));
	assert_non_null(elf_image_section(&e, ".debug_info"));
	elf_image_release(&e);
	free(list.v);
	jit_image_release(&im);
	free(path);
	tmp_remove(dir);
}

static void test_images(void **state)
{
	(void)state;
	image(false, EM_X86_64, true);
	image(true, EM_S390, true);
	image(false, EM_386, false);
	image(true, EM_PPC, false);
}

static void test_equal_ids(void **state)
{
	struct jit_image a, b;

	(void)state;
	make_image(&a, false, EM_X86_64);
	make_image(&b, false, EM_X86_64);
	assert_memory_equal(a.build_id, b.build_id, 20);
	jit_image_release(&b);
	make_image(&b, false, EM_AARCH64);
	assert_memory_not_equal(a.build_id, b.build_id, 20);
	jit_image_release(&a);
	jit_image_release(&b);
}

static void java(const char *name, const char *want)
{
	char *text = symbol_demangle(name);

	if (!want)
		assert_null(text);
	else
		assert_string_equal(text, want);
	free(text);
}

static void test_java(void **state)
{
	(void)state;
	java("Ljava/lang/Foo;bar()V", "java.lang.Foo.bar()");
	java("Ljava/lang/StringLatin1;hashCode([B)I", "java.lang.StringLatin1.hashCode(byte[])");
	java("Lx/Y$Z;<init>(ILjava/lang/String;[[JZ)V",
	     "x.Y$Z<init>(int, java.lang.String, long[][], boolean)");
	java("Lx/Y;m([[Lq/R;BCDFS)[I", "x.Y.m(q.R[][], byte, char, double, float, short)");
	java("Lfoo;bar", NULL);
	java("Lx/Y;m(II", NULL);
	java("Lx/Y;m(Q)V", NULL);
	java("Lx/Y;m([)V", NULL);
	java("Lx/Y;", NULL);
	java("L;m()V", NULL);
	java("Lx/Y;()V", NULL);
	java("LazyCompile:~foo /a/b.js:1", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_equal_ids),
		cmocka_unit_test(test_java),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
