// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a symbol table in text: read as kallsyms (kernel and one module) and as
 * perf-PID.map. */
#include "base/compat.h"
#include "symbol/symbol-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void finish(struct sym_list *list, enum sym_flavour flavour)
{
	struct symtab t = { 0 };
	u32 i;

	symtab_finish(&t, list, flavour, false);
	for (i = 0; i < t.nr; i++) {
		/* What a table promises: sorted, one symbol per start, nothing empty but at the
		 * very end. */
		if ((i && t.syms[i].start <= t.syms[i - 1].start) ||
		    symtab_find(&t, t.syms[i].start) == UINT32_MAX)
			if (t.syms[i].end > t.syms[i].start)
				abort();
	}
	free(t.syms);
	free(t.outer);
	free(t.strs);
	free(t.why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct sym_list list = { 0 };
	u64 addr;

	(void)kallsyms_find(text, size, "_text", &addr);
	(void)kallsyms_symbols(text, size, NULL, 0x1000, &list);
	finish(&list, SYMS_KALLSYMS);
	(void)kallsyms_symbols(text, size, "[mod]", 0, &list);
	finish(&list, SYMS_KALLSYMS);
	(void)perfmap_symbols(text, size, &list);
	finish(&list, SYMS_PERF_MAP);
	return 0;
}
