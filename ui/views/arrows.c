// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/arrows.h"

size_t arrow_target(const struct annotation *a, size_t line)
{
	const struct annotate_line *jump = &a->lines[line];

	if (!jump->inside)
		return SIZE_MAX;
	for (size_t i = 0; i < a->nr; i++)
		if (a->lines[i].kind == ANNOTATE_INSN && a->lines[i].addr == jump->target)
			return i;
	return SIZE_MAX;
}

/* Find the jump backwards that closes the smallest loop around the instruction at @addr. */
static size_t closing_jump(const struct annotation *a, u64 addr)
{
	size_t best = SIZE_MAX;
	u64 least = UINT64_MAX;

	for (size_t i = 0; i < a->nr; i++) {
		const struct annotate_line *line = &a->lines[i];

		if (!line->inside || line->target > addr || line->addr < addr ||
		    line->target >= line->addr || line->addr - line->target >= least)
			continue;
		best = i;
		least = line->addr - line->target;
	}
	return best;
}

struct arrow arrow_find(const struct annotation *a, size_t at)
{
	size_t jump = SIZE_MAX, to;

	if (at < a->nr && a->lines[at].kind == ANNOTATE_INSN)
		jump = a->lines[at].inside ? at : closing_jump(a, a->lines[at].addr);
	to = jump == SIZE_MAX ? SIZE_MAX : arrow_target(a, jump);
	return to == SIZE_MAX ? (struct arrow){ 0 } : (struct arrow){ jump, to };
}

const char *arrow_cell(const struct arrow *arrow, size_t line)
{
	size_t upper = MIN(arrow->from, arrow->to), lower = MAX(arrow->from, arrow->to);
	bool head = line == arrow->to;

	if (upper == lower || line < upper || line > lower)
		return NULL;
	if (line == upper)
		return head ? "┌─→" : "┌──";
	if (line == lower)
		return head ? "└─→" : "└──";
	return "│";
}
