// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is an ELF file: headers, build-id, symbols, PLT, demangled names, finished table; and
 * the table that lies over the file, which has to be the same. */
#include "base/compat.h"
#include "symbol/sdt.h"
#include "symbol/symbol-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_same(const struct symtab *t, const struct symtab *u)
{
	if (t->nr != u->nr)
		abort();
	for (u32 i = 0; i < t->nr && i < 1000; i++) {
		struct symbol a = symtab_get(t, i), b = symtab_get(u, i);

		if (a.start != b.start || a.end != b.end || a.binding != b.binding ||
		    a.type != b.type || strcmp(symtab_raw_name(t, i), symtab_raw_name(u, i)) ||
		    symtab_find(t, b.end - 1) != symtab_find(u, b.end - 1) ||
		    symtab_find(t, b.end) != symtab_find(u, b.end))
			abort();
	}
}

/* What is packed in the image, and the table of both. */
static void packed_symbols(const uint8_t *data, size_t size)
{
	struct elf_image e, mini;
	struct symtab t = { 0 };
	const char *why;

	if (elf_image_memory(&e, data, size))
		return;
	if (!elf_image_minidebug(&e, &mini, &why)) {
		esyms_table(&t, &e, &mini, true, NULL);
		for (u32 i = 0; i < t.nr && i < 100; i++)
			(void)symtab_name(&t, i);
		elf_image_release(&mini);
	}
	symtab_clear(&t);
	elf_image_release(&e);
}

/* Takes the image. */
static void over_file(struct elf_image *e, const struct symtab *list)
{
	struct elf_image none = { 0 };
	struct symtab t = { 0 };

	if (esyms_table(&t, e, &none, true, NULL) && list->nr)
		check_same(&t, list);
	symtab_clear(&t);
	elf_image_release(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sym_list list = { 0 };
	struct arena names = { 0 };
	struct symtab t = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct sdt_notes notes;
	struct elf_image e;
	u8 id[20];
	u64 value;
	u32 i;

	if (elf_image_memory(&e, data, size))
		return 0;
	(void)elf_image_build_id(&e, id);
	(void)elf_image_find(&e, "_text", &value);
	sdt_read_image(&notes, &e);
	sdt_cache_text(&notes, "/object", &text);
	sdt_release(&notes);
	strbuf_release(&text);
	elf_image_symbols(&e, &e, true, 0x1000, &list);
	list.nr = 0;
	elf_image_symbols(&e, &e, false, 0, &list);
	elf_image_plt(&e, &names, &list);
	symtab_finish(&t, &list, SYMS_ELF, true);
	for (i = 0; i < t.nr && i < 100; i++) {
		(void)symtab_name(&t, i);
		(void)symtab_find(&t, t.syms[i].end - 1);
	}
	over_file(&e, &t);
	packed_symbols(data, size);
	symtab_clear(&t);
	arena_release(&names);
	return 0;
}
