// SPDX-License-Identifier: GPL-2.0-or-later
/* The way from a place in the report to the symbols of its object. */
#include "base/compat.h"
#include "ui/views/report-internal.h"

#include "ui/views/map.h"

bool report_can_map(const struct report_browser *b, u32 place)
{
	const struct symtab *t = hist_place(b->shown->h, place)->symtab;

	return t && symtab_nr(t);
}

int report_map(const struct report_browser *b, struct ui *ui, u32 place)
{
	const struct hist_place *p = hist_place(b->shown->h, place);
	const struct map_shown shown = {
		.symtab = p->symtab,
		.object = hist_dso_name(b->shown->h, p->dso),
		.sym = p->sym,
		.save = b->shown->save,
		.ctx = b->shown->ctx,
	};

	if (report_can_map(b, place))
		return map_view(ui, &shown) == VIEW_QUIT ? VIEW_QUIT : VIEW_STAYS;
	if (p->symtab && symtab_why(p->symtab))
		ui_say(ui, "%s", symtab_why(p->symtab));
	else
		ui_say(ui, "No symbols are known of what is here");
	return VIEW_STAYS;
}
