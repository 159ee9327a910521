// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what perf reads out of programs: their instructions, source lines, types and unwind tables,
 * those of this very program as well, and where probes are put. */
#include "base/compat.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "datatype/datatype.h"
#include "disasm/operands.h"
#include "dwarf/debuginfo.h"
#include "dwarf/lines.h"
#include "jit/jit-image.h"
#include "objcache/objcache.h"
#include "own-program.h"
#include "probe/definition.h"
#include "proberun/batch.h"
#include "suites.h"
#include "symbol/elf-image.h"
#include "tests/workloads/workloads.h"

#include <elf.h>
#include <sys/stat.h>

/* --- disasm -------------------------------------------------------------------------------- */

static int test_text(struct test_ctx *ctx)
{
	static const struct {
		const char *arch, *code;
		u32 size;
		const char *text;
	} t[] = {
		{ "x86_64", "\x48\x89\xc2", 3, "movq %rax, %rdx" },
		{ "aarch64", "\xc0\x03\x5f\xd6", 4, "ret" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct disasm *d = disasm_open(arch_of(t[i].arch), true);
		struct strbuf out = STRBUF_INIT;

		if (!d)
			return test_skip(ctx, "this perf was built without capstone");
		TEST_EQ(disasm_text(d, (const u8 *)t[i].code, t[i].size, 0x1000, &out), t[i].size);
		TEST_TEXT(strbuf_str(&out), t[i].text);
		TEST_EQ(disasm_text(d, (const u8 *)t[i].code, t[i].size - 1, 0x1000, &out), 0);
		strbuf_release(&out);
		disasm_close(d);
	}
	return TEST_OK;
}

static int test_operands(struct test_ctx *ctx)
{
	/* mov 0x10(%rdi,%rsi,8),%eax and call 0x1010 */
	static const u8 load[] = { 0x8b, 0x44, 0xf7, 0x10 }, call[] = { 0xe8, 0x0b, 0, 0, 0 };
	struct disasm *d = disasm_open_operands(arch_of("x86_64"), true);
	struct insn_operands o;

	if (!d)
		return test_skip(ctx, "this perf was built without capstone");
	TEST_CHECK(disasm_operands(d, load, sizeof(load), 0x1000, &o), "no instruction");
	TEST_EQ(o.action, INSN_LOAD);
	TEST_EQ(o.nr_mems, 1);
	TEST_EQ(o.mem[0].size, 4);
	TEST_EQ(o.mem[0].at.base, 5);  /* rdi in DWARF's numbers */
	TEST_EQ(o.mem[0].at.index, 4); /* rsi */
	TEST_EQ(o.mem[0].at.scale, 8);
	TEST_EQ(o.mem[0].at.offset, 0x10);
	TEST_CHECK(disasm_operands(d, call, sizeof(call), 0x1000, &o), "no instruction");
	TEST_EQ(o.action, INSN_CALL);
	TEST_EQ(o.target, 0x1010);
	disasm_close(d);
	return TEST_OK;
}

/* --- jit ----------------------------------------------------------------------------------- */

static void put(struct strbuf *b, u64 v, size_t size)
{
	const u32 half = (u32)v;

	strbuf_add(b, size == 4 ? (const void *)&half : &v, size);
}

/* A dump of machine @machine in which function "f" has @size bytes of code at 0x5000. */
static void put_dump(struct strbuf *b, u32 machine, u32 size)
{
	const u32 head[] = { JITDUMP_MAGIC, 1, 40, machine, 0, 7 };

	strbuf_add(b, head, sizeof(head));
	put(b, 1000, 8);
	put(b, 0, 8);
	put(b, JIT_CODE_LOAD, 4);
	put(b, 16 + 40 + 2 + size, 4);
	put(b, 2000, 8);
	put(b, 7, 4);
	put(b, 8, 4);
	put(b, 0x5000, 8);
	put(b, 0x5000, 8);
	put(b, size, 8);
	put(b, 3, 8);
	strbuf_add(b, "f", 2);
	for (u32 i = 0; i < size; i++)
		strbuf_addch(b, (char)(0x40 + i));
}

/* The program that the function becomes. */
static int check_image(const struct jit_image *im, const char *path)
{
	const struct elf_section *s;
	struct err err = { 0 };
	struct elf_image e;
	struct stat st;
	const void *code;
	size_t len;
	u8 id[20];

	TEST_CHECK(!jit_image_write(im, path, &st, &err), "%s", err.msg);
	TEST_EQ(elf_image_open(&e, path), 0);
	TEST_EQ(e.machine, EM_X86_64);
	s = elf_image_section(&e, ".text");
	TEST_CHECK(s, "it has no code");
	TEST_EQ(s->addr, JIT_CODE_OFFSET);
	code = elf_image_bytes(&e, s, &len);
	TEST_EQ(len, 21);
	TEST_CHECK(!memcmp(code, im->code.buf, len), "its code has other bytes");
	TEST_EQ(elf_image_build_id(&e, id), 20);
	TEST_CHECK(!memcmp(id, im->build_id, 20), "it has another build-id");
	elf_image_release(&e);
	return TEST_OK;
}

static int test_jit(struct test_ctx *ctx __unused)
{
	struct strbuf dump = STRBUF_INIT;
	struct jit_image im = { 0 };
	char *dir = test_tmpdir(), *path;
	struct err err = { 0 };
	struct jit_record r;
	struct jitdump d;
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	put_dump(&dump, EM_X86_64, 21);
	TEST_CHECK(!jitdump_memory(&d, dump.buf, dump.len, &err), "%s", err.msg);
	TEST_EQ(d.pid, 7);
	TEST_EQ(jitdump_next(&d, &r), 1);
	TEST_TEXT(r.name, "f");
	TEST_EQ(r.time, 2000);
	TEST_EQ(r.addr, 0x5000);
	TEST_CHECK(jit_image_add(&im, &d, &r), "the function is not complete");
	TEST_EQ(jitdump_next(&d, &r), 0);
	TEST_EQ(d.bad, 0);
	path = xasprintf("%s/f.so", dir);
	ret = check_image(&im, path);
	free(path);
	test_rmdir(dir);
	jitdump_close(&d);
	jit_image_release(&im);
	strbuf_release(&dump);
	return ret;
}

static const struct test_case instructions[] = {
	{ "instructions as text", test_text },
	{ "what instructions do", test_operands },
	{ "a function of a run-time compiler becomes a program", test_jit },
};
TEST_SUITE(suite_instructions, "Machine code", instructions, "disasm jit");

/* --- dwarf --------------------------------------------------------------------------------- */

static int test_line(struct test_ctx *ctx)
{
	struct own_program own = { .code = (uintptr_t)wl_noploop };
	const char *file = NULL, *name;
	struct lines *l;
	char path[PATH_MAX];
	u32 line;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	own_program_find(&own);
	TEST_EQ(own_program_path(path), 0);
	l = lines_open(path, path);
	if (!l)
		return test_skip(ctx, "this program has no debug information");
	line = lines_find(l, own.code_in_file, false, &file);
	test_say("%s:%u", file ? file : "nothing", line);
	if (!line)
		return test_skip(ctx, "workloads have no debug information");
	name = strrchr(file, '/');
	TEST_TEXT(name ? name + 1 : file, "noploop.c");
	TEST_CHECK(line > 1 && line < 200, "line %u is not in that file", line);
	lines_close(l);
	return TEST_OK;
}

/* --- objcache ------------------------------------------------------------------------------ */

static int use_cache(const char *dir)
{
	const struct objcache_conf conf = { .on = { [OBJCACHE_LINES] = true }, .dir = dir };
	struct objcache_key key = {
		.kind = OBJCACHE_LINES, .version = 3, .id = { 1, 2, 3 }, .id_size = 20
	};
	struct objcache *c = objcache_new(&conf);
	struct objcache_file f;

	TEST_CHECK(!objcache_get(c, &key, &f), "a new cache has something");
	objcache_put(c, &key, "a result", 8);
	TEST_CHECK(objcache_get(c, &key, &f), "what was put is not there");
	TEST_EQ(f.len, 8);
	TEST_CHECK(!memcmp(f.data, "a result", 8), "other bytes came back");
	objcache_file_release(&f);
	key.version++;
	TEST_CHECK(!objcache_get(c, &key, &f), "a result of another version was taken");
	objcache_free(c);
	return TEST_OK;
}

static int test_cache(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir();
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	ret = use_cache(dir);
	test_rmdir(dir);
	return ret;
}

/* --- datatype ------------------------------------------------------------------------------ */

/* Look at each byte of a function: how many instructions access a byte. */
static u32 accesses_of_bytes(const struct symtab *t, const struct dso *dso, u32 sym)
{
	struct datatypes *types = datatypes_new(arch_host());
	struct strbuf out = STRBUF_INIT;
	struct sym_range r = symtab_range(t, sym);
	u32 found = 0;

	for (u64 at = r.start; at < r.end; at++) {
		const struct location l = { .ip = at,
					    .addr = at,
					    .dso = dso,
					    .symtab = t,
					    .sym = sym,
					    .cpumode = PERF_RECORD_MISC_USER };
		struct datatype type;

		if (!datatype_at(types, &l, &type) || type.result != DATATYPE_FOUND)
			continue;
		strbuf_reset(&out);
		datatype_text(&type, &out);
		test_say("%#" PRIx64 ": %s", at - r.start, strbuf_str(&out));
		found += strstr(strbuf_str(&out), "u8") || strstr(strbuf_str(&out), "char");
	}
	strbuf_release(&out);
	datatypes_free(types);
	return found;
}

/* A workload touches an array of bytes, one in each of two cache lines. */
static int test_types(struct test_ctx *ctx)
{
	static const char *const name[] = { "datasym_loop" };
	char path[PATH_MAX] = "";
	struct dso dso = { .path = path, .short_name = path, .kind = DSO_USER, .pid = -1 };
	u64 at = 0;
	struct disasm *d = disasm_open_operands(arch_host(), true);
	struct symbols *syms;
	const struct symtab *t;
	struct debuginfo *info;
	u32 nr;

	if (!d)
		return test_skip(ctx, "the operands of this machine's instructions are not known");
	disasm_close(d);
	own_program_path(path);
	info = debuginfo_open(path);
	t = own_program_symbols(&syms);
	symtab_places(t, name, &at, 1);
	if (!info || !at)
		return test_skip(ctx, "this program is stripped, or libdw was not there");
	debuginfo_close(info);
	dso.cpumode = PERF_RECORD_MISC_USER;
	nr = accesses_of_bytes(t, &dso, symtab_find(t, at));
	TEST_CHECK(nr >= 2, "%u accesses of bytes were found, should be two at least", nr);
	symbols_free(syms);
	return TEST_OK;
}

static const struct test_case debug[] = {
	{ "the source line of a function of this program", test_line },
	{ "the types of what a function of this program accesses", test_types },
	{ "results are kept and found again", test_cache },
};
TEST_SUITE(suite_debug, "Debug information", debug, "dwarf datatype objcache");

/* --- probe, proberun ----------------------------------------------------------------------- */

static int test_definition(struct test_ctx *ctx __unused)
{
	struct probe_definition d = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	TEST_CHECK(!probe_definition_parse(&d, "g:e=func@file.c+4 a=p->m[2]:u32 %ax", &err), "%s",
		   err.msg);
	TEST_TEXT(d.group, "g");
	TEST_TEXT(d.event, "e");
	TEST_TEXT(d.function, "func");
	TEST_EQ(d.offset, 4);
	TEST_EQ(d.nr_args, 2);
	TEST_TEXT(d.args[0].name, "a");
	TEST_TEXT(d.args[0].type, "u32");
	TEST_EQ(d.args[0].nr_steps, 2);
	TEST_EQ(d.args[0].steps[0].through, true);
	TEST_EQ(d.args[0].steps[1].index, 2);
	probe_point_text(&d, &out);
	TEST_TEXT(strbuf_str(&out), "func@file.c+4");
	probe_definition_release(&d);
	TEST_CHECK(probe_definition_parse(&d, "func+4%return", &err), "a return inside was taken");
	probe_definition_release(&d);
	strbuf_release(&out);
	return TEST_OK;
}

/* The line that the kernel would be told, for a function whose place in the file is known. */
static int test_function(struct test_ctx *ctx)
{
	struct own_program own = { .code = (uintptr_t)wl_noploop };
	char path[PATH_MAX], *want;
	struct test_run run;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	own_program_find(&own);
	TEST_EQ(own_program_path(path), 0);
	if (TEST_PERF(&run, "probe", "-x", path, "-D", "place=wl_noploop+0"))
		return TEST_FAIL;
	TEST_EQ(run.status, 0);
	want = xasprintf("/place %s:0x%" PRIx64 "\n", path, own.code_in_file);
	TEST_CHECK(strstr(strbuf_str(&run.out), want), "'%s' is not in '%s'", want,
		   strbuf_str(&run.out));
	TEST_CHECK(!strncmp(strbuf_str(&run.out), "p:probe_", 8), "line '%s'",
		   strbuf_str(&run.out));
	free(want);
	strbuf_release(&run.out);
	return TEST_OK;
}

#define TRACING "sys/kernel/tracing/"

static int file_has(const struct sysroot *sr, const char *file, const char *text)
{
	struct strbuf have = STRBUF_INIT;

	TEST_EQ(sysroot_read(sr, &have, "/" TRACING "%s", file), 0);
	TEST_TEXT(strbuf_str(&have), text);
	strbuf_release(&have);
	return TEST_OK;
}

/* Two probes are added to the tracing files of a made machine, each with a write of its own, which
 * needs no newline; a third one cannot be added. */
static int add_probes(const char *dir)
{
	const struct probe_run run = { .sysroot = { dir },
				       .symfs = { .dir = dir },
				       .limits = { .points = 10 } };
	struct probe_wants wants = { 0 };
	struct probe_batch *b;
	struct err err = { 0 };

	if (test_put_below(dir, TRACING "events/enable", "0\n") ||
	    test_put_below(dir, TRACING "kprobe_events", "") ||
	    test_put_below(dir, TRACING "uprobe_events", "") ||
	    test_put_below(dir, "proc/kallsyms",
			   "ffffffff81000000 T _text\nffffffff81000100 T work\n"
			   "ffffffff81000200 T other\n"))
		return TEST_FAIL;
	probe_wants_add(&wants, (struct probe_want){ .text = xstrdup("work+4 %ax") });
	probe_wants_add(&wants, (struct probe_want){ .text = xstrdup("g:e=other%return") });
	b = probe_batch_new(&run, &wants, &err);
	TEST_CHECK(b, "%s", err.msg);
	TEST_CHECK(!probe_batch_add(b, &err), "%s", err.msg);
	probe_batch_free(b);
	if (file_has(&run.sysroot, "kprobe_events",
		     "p:probe/work _text+260 %axr:g/e__return other+0"))
		return TEST_FAIL;
	probe_wants_add(&wants, (struct probe_want){ .text = xstrdup("no_such_function") });
	TEST_CHECK(!probe_batch_new(&run, &wants, &err), "a function that is not there was found");
	probe_wants_release(&wants);
	return TEST_OK;
}

static int test_added(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir();
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	ret = add_probes(dir);
	test_rmdir(dir);
	return ret;
}

static const struct test_case probes[] = {
	{ "a definition is read", test_definition },
	{ "a function of this program", test_function },
	{ "functions of a kernel, added together", test_added },
};
TEST_SUITE(suite_probes, "Probes", probes, "probe proberun");
