// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "annotate/annotate-internal.h"

void annotate_types(struct annotation *a, struct annotate_tools *t, struct datatypes *types)
{
	struct location at = a->of->at;

	a->has_types = true;
	for (size_t i = 0; i < a->nr; i++) {
		struct annotate_line *line = &a->lines[i];
		struct datatype found;

		if (line->kind != ANNOTATE_INSN)
			continue;
		at.addr = code_place(t->files, at.dso, at.symtab, line->addr);
		if (!datatype_at(types, &at, &found))
			continue;
		strbuf_reset(&t->scratch);
		datatype_note(&found, &t->scratch);
		line->type = annotation_put(a, t->scratch.buf, t->scratch.len);
	}
}
