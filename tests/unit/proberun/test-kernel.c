// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Test probes of a running kernel with the file of its debug information: wherever the kernel was
 * loaded (KASLR), the lines are the same, and the file of another build is refused. This program
 * stands for that file, and what a made-up /proc/kallsyms has of it for the kernel.
 */
#include "base/compat.h"
#include "base/alloc.h"
#include "proberun/batch.h"
#include "proberun/live.h"
#include "symbol/elf-place.h"
#include "symbol/symbol.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

/* The first function of this file is behind it. */
__asm__(".pushsection .text\n"
	".globl _text\n"
	"_text:\n"
	".popsection\n");
extern char _text[];

int kernel_work(int n);
__attribute__((noinline, used)) int kernel_work(int n)
{
	volatile int sum = n;

	sum += 2;
	return sum;
}

#define SELF "/proc/self/exe"
#define LINE "kernel_work:4"

struct machine {
	char *root;
	struct probe_run run;
	struct functions functions; /* of this program */
	struct err err;
};

static int setup(void **state)
{
	struct machine *m = xzalloc(sizeof(*m));

	m->root = tmp_dir();
	tree_put(m->root, "sys/kernel/tracing/events/enable", "0\n");
	assert_int_equal(functions_of_object(&m->functions, SELF, NULL, &m->err), 0);
	m->run = (struct probe_run){ .sysroot = { .prefix = m->root },
				     .vmlinux = SELF,
				     .dry_run = true,
				     .limits = { .points = 128 } };
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;

	functions_release(&m->functions);
	tmp_remove(m->root);
	free(m);
	return 0;
}

/* Let the kernel run so many bytes behind the addresses of its file. */
static void run_at(struct machine *m, u64 moved)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < m->functions.nr; i++) {
		const struct named_function *f = &m->functions.v[i];

		strbuf_addf(&text, "%016" PRIx64 " T %s\n", f->addr + moved, f->name);
	}
	tree_put(m->root, "proc/kallsyms", strbuf_str(&text));
	strbuf_release(&text);
}

static u64 address_of(struct machine *m, const char *name)
{
	size_t nr;
	const u32 *at = functions_named(&m->functions, name, &nr);

	assert_true(nr > 0);
	return m->functions.v[*at].addr;
}

/* Return the line for a definition; the caller frees it. NULL: it is refused. */
static char *line_of(struct machine *m, const char *definition)
{
	struct probe_wants wants = { 0 };
	struct strbuf line = STRBUF_INIT;
	struct probe_batch *b;

	probe_wants_add(&wants, (struct probe_want){ .text = xstrdup(definition) });
	b = probe_batch_new(&m->run, &wants, &m->err);
	if (b)
		assert_int_equal(probe_batch_lines(b, false, &line, &m->err), 0);
	probe_batch_free(b);
	probe_wants_release(&wants);
	return b ? strbuf_detach(&line) : NULL;
}

static void test_moved(void **state)
{
	struct machine *m = *state;
	char *entry, *line, *again, *by_address;
	u64 far = (u64)((char *)(uintptr_t)kernel_work - _text);

	run_at(m, 0xffffffff81000000);
	entry = line_of(m, "kernel_work");
	line = line_of(m, LINE);
	assert_non_null(entry);
	assert_non_null(line);
	again = xasprintf("p:probe/kernel_work _text+%" PRIu64 "\n", far);
	assert_string_equal(entry, again);
	free(again);
	assert_string_not_equal(entry, line);
	assert_int_equal(strncmp(line, "p:probe/kernel_work_L4 _text+", 29), 0);

	run_at(m, 0xffffffffa3600000);
	again = line_of(m, LINE);
	assert_string_equal(again, line);
	free(again);

	/* an address that users name is one in memory */
	again = xasprintf("e=0x%" PRIx64, address_of(m, "kernel_work") + 0xffffffffa3600000);
	by_address = line_of(m, again);
	free(again);
	again = xasprintf("p:probe/e _text+%" PRIu64 "\n", far);
	assert_string_equal(by_address, again);
	free(again);
	again = line_of(m, "e=0xffffffffa3600001");
	assert_string_equal(again, "p:probe/e 0xffffffffa3600001\n");
	free(again);
	free(by_address);
	free(entry);
	free(line);
}

/* Events that there are have their place in the source, too. */
static void test_listed(void **state)
{
	struct machine *m = *state;
	struct strbuf out = STRBUF_INIT;
	char *line;

	run_at(m, 0xffffffffa3600000);
	line = line_of(m, LINE);
	assert_non_null(line);
	tree_put(m->root, "sys/kernel/tracing/kprobe_events", line);
	assert_int_equal(probe_live_list(&m->run, "", false, &out, &m->err), 0);
	assert_non_null(strstr(strbuf_str(&out), "(on kernel_work:4@"));
	strbuf_release(&out);
	free(line);
}

/* Write the build-id of the kernel that runs. */
static void put_id(struct machine *m, const u8 id[20])
{
	char *path = xasprintf("%s/sys/kernel/notes", m->root);
	u32 head[] = { 4, 20, 3 };
	u8 note[12 + 4 + 20];

	memcpy(note, head, sizeof(head));
	memcpy(note + 12, "GNU", 4);
	memcpy(note + 16, id, 20);
	file_write(path, note, sizeof(note));
	free(path);
}

static void test_build(void **state)
{
	struct machine *m = *state;
	u8 id[20] = { 0 };
	char *line;

	if (elf_build_id(SELF, id) != 20)
		skip();
	run_at(m, 0xffffffff81000000);
	put_id(m, id);
	line = line_of(m, LINE);
	assert_non_null(line);
	free(line);
	id[3] ^= 1;
	put_id(m, id);
	assert_null(line_of(m, LINE));
	assert_non_null(strstr(m->err.msg, "Mismatching build id"));
	/* a kernel that does not run has any build-id */
	m->run.definitions = true;
	line = line_of(m, LINE);
	assert_non_null(line);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_moved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_listed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_build, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
