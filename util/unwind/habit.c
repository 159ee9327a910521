// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "unwind/habit.h"

#include "symbol/eh-table.h"
#include "unwind/cfi.h"
#include "unwind/object.h"

#define PLACES 512 /* that are looked at, spread over the code by its size */

static const struct unw_rule *rule_of(const struct unw_rules *r, u8 reg)
{
	for (u8 i = 0; i < r->nr; i++)
		if (r->rule[i].reg == reg && r->rule[i].how == UNW_AT_CFA)
			return &r->rule[i];
	return NULL;
}

/* Judge one function by the rules in its middle. */
static enum frame_habit habit_of(const struct unw_rules *r, const struct arch_frames *a)
{
	const struct unw_rule *fp = rule_of(r, a->fp), *ra = rule_of(r, r->ra);

	if (!r->valid || !ra)
		return FRAMES_UNKNOWN;
	if (r->cfa_is_expr)
		return FRAMES_LEFT_OUT;
	if (r->cfa_reg == a->fp)
		return FRAMES_KEPT;
	if (!a->link)
		return r->cfa_offset > a->word ? FRAMES_LEFT_OUT : FRAMES_UNKNOWN;
	/* There the stack pointer serves as well, and the pointer and the return address are saved
	 * as a pair. */
	return fp && fp->offset + a->word == ra->offset ? FRAMES_KEPT : FRAMES_LEFT_OUT;
}

/* The functions that are looked at. */
struct tally {
	const struct cfi_section *section;
	const struct arch_frames *arch;
	u32 count[3]; /* by enum frame_habit */
};

/* Count the function of an entry. Return: where the next entry is; 0: nowhere. */
static size_t look_at(struct tally *t, size_t entry)
{
	struct unw_rules rules;
	struct cfi_fde f;
	int ret = cfi_entry(t->section, entry, &f);

	if (ret < 0)
		return 0;
	if (ret) {
		cfi_rules(t->section, &f, f.start + (f.end - f.start) / 2, &rules);
		t->count[habit_of(&rules, t->arch)]++;
	}
	return f.next;
}

enum frame_habit frame_habit(const struct elf_image *e, const struct arch_frames *a)
{
	const struct elf_section *text = elf_image_section(e, ".text");
	struct cfi_section s = { 0 };
	struct tally t = { &s, a, { 0 } };
	struct eh_table index;
	size_t next = 0;
	u64 at;

	if (!text || !unw_section_read(&s, e, ".eh_frame"))
		return FRAMES_UNKNOWN;
	eh_table_read(&index, e);
	for (u64 i = 0; index.nr && i < PLACES; i++)
		if (eh_table_find(&index, text->addr + text->size * i / PLACES, &at) &&
		    at >= s.addr)
			look_at(&t, (size_t)(at - s.addr));
	/* a static program may have no index: from the start on */
	for (u32 i = 0; !index.nr && i < PLACES; i++)
		if (!(next = look_at(&t, next)))
			break;
	if (!t.count[FRAMES_KEPT] && !t.count[FRAMES_LEFT_OUT])
		return FRAMES_UNKNOWN;
	return t.count[FRAMES_KEPT] > t.count[FRAMES_LEFT_OUT] ? FRAMES_KEPT : FRAMES_LEFT_OUT;
}
