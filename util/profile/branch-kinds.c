// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "profile/branch-kinds.h"

#include "wire/field-text.h"

#define COND 1

void branch_kinds_add(struct branch_kinds *k, u64 from, u64 to, u64 flags)
{
	u32 kind = flags >> 20 & 15;

	if (!kind || !from)
		return;
	k->of[kind]++;
	k->back += kind == COND && to <= from;
	if (from >> 21 != to >> 21)
		k->large_pages++;
	else if (from >> 12 != to >> 12)
		k->pages++;
}

void branch_kinds_merge(struct branch_kinds *to, const struct branch_kinds *from)
{
	for (size_t i = 0; i < ARRAY_SIZE(to->of); i++)
		to->of[i] += from->of[i];
	to->back += from->back;
	to->pages += from->pages;
	to->large_pages += from->large_pages;
}

static void put_share(const char *what, u64 part, u64 all, struct strbuf *out)
{
	if (part)
		strbuf_addf(out, "\n%8s: %5.1f%%", what, part * 100.0 / all);
}

void branch_kinds_text(const struct branch_kinds *k, struct strbuf *out)
{
	u64 all = 0;
	u64 i;

	for (i = 1; i < ARRAY_SIZE(k->of); i++)
		all += k->of[i];
	if (!all)
		return;
	strbuf_addstr(out, "\n#\n# Branch Statistics:\n#");
	put_share("COND_FWD", k->of[COND] - k->back, all, out);
	put_share("COND_BWD", k->back, all, out);
	put_share("CROSS_4K", k->pages, all, out);
	put_share("CROSS_2M", k->large_pages, all, out);
	for (i = 1; i < ARRAY_SIZE(k->of); i++)
		put_share(branch_type(i << 20), k->of[i], all, out);
	strbuf_addch(out, '\n');
}
