// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a symbol table in text: read as kallsyms (kernel and one module) and as
 * perf-PID.map. */
#include "base/compat.h"
#include "base/alloc.h"
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
	symtab_clear(&t);
}

/* The kernel's table over the text is the one made of a list. */
static void in_one_pass(const char *text, size_t size)
{
	struct sym_list list = { 0 };
	struct symtab t = { 0 }, u = { 0 };
	u64 delta = size % 3 * 0x7ffffff000;

	if (ksyms_table(&t, text, size, delta, true) <= 0)
		return;
	(void)kallsyms_symbols(text, size, NULL, delta, &list);
	symtab_finish(&u, &list, SYMS_KALLSYMS, true);
	if (t.nr != u.nr)
		abort();
	for (u32 i = 0; i < t.nr; i++) {
		struct symbol a = symtab_get(&t, i), b = symtab_get(&u, i);

		if (a.start != b.start || a.end != b.end || a.binding != b.binding ||
		    a.type != b.type || strcmp(symtab_raw_name(&t, i), symtab_raw_name(&u, i)) ||
		    strcmp(symtab_name(&t, i), symtab_name(&u, i)))
			abort();
		for (u64 at = a.start - 1; at != a.start + 2; at++)
			if (symtab_find(&t, at) != symtab_find(&u, at))
				abort();
		if (symtab_find(&t, a.end - 1) != symtab_find(&u, a.end - 1) ||
		    symtab_find(&t, a.end) != symtab_find(&u, a.end))
			abort();
	}
	symtab_clear(&t);
	symtab_clear(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct sym_list list = { 0 };
	u64 addr;

	in_one_pass(text, size);
	(void)kallsyms_find(text, size, "_text", &addr);
	(void)kallsyms_symbols(text, size, NULL, 0x1000, &list);
	finish(&list, SYMS_KALLSYMS);
	(void)kallsyms_symbols(text, size, "[mod]", 0, &list);
	finish(&list, SYMS_KALLSYMS);
	(void)perfmap_symbols(text, size, &list);
	finish(&list, SYMS_PERF_MAP);
	return 0;
}
