// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/map.h"

#include "ui/widgets/popup.h"

#include <errno.h>

enum map_request {
	MAP_ADDRESS = REQ_OWN,
	MAP_PRINT,
	MAP_COMMAND,
};

const struct binding map_bindings[] = {
	{ "ESC LEFT", REQ_BACK, "back", "Go back to the report" },
	{ "/", REQ_SEARCH, "search", "Search for a part of a name or of an address" },
	{ "?", REQ_SEARCH_BACK, "search-back", "Search for it backwards" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search for it again, backwards" },
	{ "g", MAP_ADDRESS, "address", "Go to the symbol that an address is in" },
	{ "P", MAP_PRINT, "print", "Write what is shown to the file perf.hist.N" },
	{ "y", MAP_COMMAND, "command", "Tell what else prints this: no command of perf does" },
	{ NULL },
};

struct map_browser {
	struct view view;
	const struct map_shown *shown;
	int digits; /* of the highest address */
};

static struct map_browser *browser_of(struct view *v)
{
	return container_of(v, struct map_browser, view);
}

/* ---- rows ---- */

static int digits_of(const struct symtab *t)
{
	u32 nr = symtab_nr(t);

	return nr ? snprintf(NULL, 0, "%" PRIx64, symtab_range(t, nr - 1).end) : 0;
}

static u64 nr_rows(struct view *v)
{
	return symtab_nr(browser_of(v)->shown->symtab);
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	const struct map_browser *b = browser_of(v);
	const struct symtab *t = b->shown->symtab;
	struct symbol s = symtab_get(t, (u32)row);

	strbuf_addf(out, "%*" PRIx64 " %*" PRIx64 " %c ", b->digits, s.start, b->digits, s.end,
		    s.binding);
	strbuf_addname(out, symtab_name(t, (u32)row));
}

static void put_title(struct view *v, struct strbuf *out)
{
	strbuf_addname(out, browser_of(v)->shown->object);
}

/* ---- requests ---- */

static void ask_address(struct map_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;
	u32 sym = UINT32_MAX;
	char *end;
	u64 addr;

	if (!popup_input(ui, "Address (hexadecimal)", &text)) {
		strbuf_release(&text);
		return;
	}
	errno = 0;
	addr = strtoull(strbuf_str(&text), &end, 16);
	if (!text.len || *end || errno) {
		ui_say(ui, "'%s' is no address", strbuf_str(&text));
	} else {
		sym = symtab_find(b->shown->symtab, addr);
		if (sym == UINT32_MAX)
			ui_say(ui, "No symbol is at %" PRIx64, addr);
		else
			view_select(&b->view, sym);
	}
	strbuf_release(&text);
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct map_browser *b = browser_of(v);

	switch (request) {
	case MAP_ADDRESS:
		ask_address(b, ui);
		break;
	case MAP_PRINT:
		view_save(v, ui, b->shown->save, b->shown->ctx);
		break;
	case MAP_COMMAND:
		ui_say(ui, "No command of perf prints this: P writes it to a file, 'nm -n' of the "
			   "object prints it, too");
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static const struct view_ops map_ops = {
	.name = "map",
	.bindings = map_bindings,
	.title = put_title,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
};

int map_view(struct ui *ui, const struct map_shown *shown)
{
	struct map_browser b = { .view = { .ops = &map_ops },
				 .shown = shown,
				 .digits = digits_of(shown->symtab) };

	b.view.height = ui->term->screen.rows;
	if (shown->sym != UINT32_MAX) {
		b.view.at = shown->sym;
		b.view.top = shown->sym - MIN(shown->sym, b.view.height / 2);
	}
	return view_run(&b.view, ui);
}
