// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is an ELF file: headers, build-id, symbols, PLT, demangled names, finished table. */
#include "base/compat.h"
#include "symbol/sdt.h"
#include "symbol/symbol-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	elf_image_symbols(&e, &e, false, 0, &list);
	elf_image_symbols(&e, &e, true, 0x1000, &list);
	elf_image_plt(&e, &names, &list);
	symtab_finish(&t, &list, SYMS_ELF, true);
	for (i = 0; i < t.nr && i < 100; i++) {
		(void)symtab_name(&t, i);
		(void)symtab_find(&t, t.syms[i].end - 1);
	}
	for (i = 0; t.names && i < t.nr; i++)
		free(t.names[i]);
	free(t.names);
	free(t.syms);
	free(t.outer);
	free(t.strs);
	free(t.why);
	arena_release(&names);
	elf_image_release(&e);
	return 0;
}
