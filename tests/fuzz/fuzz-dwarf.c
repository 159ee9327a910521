// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is an ELF file with debug information: its lines, what is inlined, what its functions
 * keep, their variables and types, and what probes would fetch of them. */
#include "base/compat.h"
#include "dwarf/frames.h"
#include "dwarf/lines.h"
#include "dwarf/source.h"
#include "dwarf/variables.h"
#include "probe/variable.h"
#include "symbol/elf-link.h"
#include "symbol/elf-place.h"
#include "symbol/symbol.h"
#include "asan-tls.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Look at a type and at what is in it. */
static void look_at_type(struct debuginfo *di, u32 type)
{
	struct strbuf sb = STRBUF_INIT;

	type_text(di, type, &sb);
	for (u64 offset = 0; offset < 64; offset += 12) {
		(void)type_path(di, type, offset, &sb);
		(void)type_first(di, type, (s64)offset - 24);
	}
	strbuf_release(&sb);
}

/* Look at what is known of variables. */
static void look_at_variables(struct debuginfo *di)
{
	for (u64 addr = 0; addr < 0x2000; addr += 0x80) {
		const struct debug_function *f = debug_function_at(di, addr);
		const struct global *g = debug_global_at(di, addr + 0x2000);

		for (size_t i = 0; f && i < f->nr_variables; i++)
			look_at_type(di, f->variables[i].type);
		if (g)
			look_at_type(di, g->type);
		(void)debug_function_at(di, 0x400000 + addr);
		(void)debug_thread_local_at(di, addr);
	}
}

/* Look at what a probe fetches for an argument. */
static void look_at_argument(struct probe_object *o, u64 addr, const char *name, const char *behind)
{
	const struct probe_point p = { .function = "f", .addr = addr, .offset = addr };
	struct probe_fetches out = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct probe_arg a;

	strbuf_addf(&text, "%s%s", name, behind);
	if (!probe_arg_parse(&a, strbuf_str(&text), NULL) && a.variable)
		(void)probe_fetch_variable(o, &a, &p, &out, NULL);
	probe_fetches_release(&out);
	probe_arg_release(&a);
	strbuf_release(&text);
}

/* Look at what probes would fetch of the variables of some functions, and of others. */
static void look_at_arguments(struct debuginfo *di, const char *path)
{
	static const char *const behind[] = { "", "->next", ".next", "[1]", "[0-2]", ":string" };
	const struct probe_target target = { 0 };
	struct probe_object o = { .target = &target,
				  .file = (char *)(uintptr_t)path,
				  .path = (char *)(uintptr_t)path,
				  .debug_tried = true,
				  .debug_fd = -1,
				  .info = di };

	for (u64 addr = 0; addr < 0x2000; addr += 0x80) {
		const struct debug_function *f = debug_function_at(di, addr);

		o.user = addr & 0x80;
		for (size_t i = 0; i < ARRAY_SIZE(behind); i++) {
			for (size_t v = 0; f && v < f->nr_variables && v < 32; v++)
				look_at_argument(&o, addr, f->variables[v].name ?: "", behind[i]);
			look_at_argument(&o, addr, "list", behind[i]);
		}
	}
	frames_close(o.frames);
}

/* Look at the file as one of a kernel module. */
static void look_at_module(const char *path)
{
	struct module_section sections[8];
	struct inlined in[INLINED_MAX];
	struct lines *l;
	const char *file;

	for (u32 i = 0; i < ARRAY_SIZE(sections); i++)
		sections[i] = (struct module_section){ i + 1, i * 0x100, 0, 0x100 };
	l = lines_open_module(path, sections, ARRAY_SIZE(sections));
	for (u64 addr = 0; l && addr < 0x800; addr += 0x20) {
		(void)lines_find(l, addr, true, &file);
		(void)lines_inlined(l, addr, true, in);
	}
	lines_close(l);
}

static bool match_any(void *ctx, const char *name, const char *linkage)
{
	(void)ctx;
	(void)linkage;
	return name;
}

/* Look at where functions and lines of the source have their code. */
static void look_at_source(struct lines *l)
{
	struct source_functions all = { 0 }, some = { 0 };
	struct source_rows rows = { 0 };
	struct source_function f;
	const char *file;

	source_functions(l, match_any, NULL, &all);
	for (size_t i = 0; i < all.nr && i < 64; i++) {
		source_function_rows(l, &all.v[i], &rows);
		(void)source_function_at(l, all.v[i].entry, i % 2, &f);
		(void)source_line_begins(l, all.v[i].entry, &file);
		some.nr = 0;
		source_functions_named(l, all.v[i].name, match_any, NULL, &some);
	}
	source_file_rows(l, "t.c", 1, UINT32_MAX, &rows);
	source_functions_with(l, "t.c", &some);
	source_rows_release(&rows);
	source_functions_release(&some);
	source_functions_release(&all);
}

static void look(const char *path);

/* Look at a relocatable file as if it were linked. */
static void look_at_linked(const char *path)
{
	int fd = elf_link_open(path);
	struct functions f;
	struct err err;
	char copy[32];

	if (fd < 0)
		return;
	snprintf(copy, sizeof(copy), "/proc/self/fd/%d", fd);
	if (!functions_of_object(&f, copy, NULL, &err))
		(void)functions_at(&f, ELF_LINK_AT);
	functions_release(&f);
	look(copy);
	close(fd);
}

static void look(const char *path)
{
	struct debuginfo *di = debuginfo_open(path);
	struct lines *l = lines_open(path, path);
	struct frames *f = frames_open(path);
	struct frame_cfa cfa;
	struct inlined in[INLINED_MAX];
	const char *file;
	u64 value;

	for (u64 addr = 0; addr < 0x2000; addr += 0x80) {
		if (l) {
			(void)lines_find(l, addr, false, &file);
			(void)lines_find(l, 0x400000 + addr, true, &file);
			(void)lines_inlined(l, addr, false, in);
			(void)lines_inlined(l, 0x400000 + addr, true, in);
		}
		if (f)
			for (int reg = 0; reg < 17; reg += 8)
				(void)frames_untouched(f, addr, reg);
		if (f)
			(void)frames_cfa(f, addr, &cfa);
	}
	if (l)
		(void)lines_symbol(l, "main", &value);
	if (l)
		look_at_source(l);
	if (di)
		look_at_variables(di);
	if (di)
		look_at_arguments(di, path);
	debuginfo_close(di);
	lines_close(l);
	frames_close(f);
	look_at_module(path);
	look_at_linked(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	char path[32];

	if (fd < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		look(path);
	close(fd);
	return 0;
}
