// SPDX-License-Identifier: GPL-2.0-or-later
/* Contention for cache lines on screens: the lines, and the places in one of them. */
#include "base/compat.h"
#include "browse/contention.h"

#include "browse/files.h"
#include "ui/views/contention.h"
#include "ui/widgets/popup.h"

struct lines_ctx {
	struct browsed_lines *b;
	const char *command;
};

struct places_ctx {
	struct lines_ctx *lines;
	u64 line;
	struct clines_places *places;
};

static void save(void *ctx __unused, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.c2c", text, said);
}

/* ---- the places in a line ---- */

static void places_title(void *ctx, struct strbuf *out)
{
	const struct places_ctx *c = ctx;

	clines_places_title(c->places, out);
}

static void places_heads(void *ctx, struct strbuf *out)
{
	const struct places_ctx *c = ctx;

	clines_places_heads(c->places, out);
}

static void places_row(void *ctx, u64 row, struct strbuf *out)
{
	const struct places_ctx *c = ctx;

	clines_places_row(c->places, row, out);
}

/* Make the rows again, as widths of columns depend on what is shown. */
static void make_places(struct places_ctx *c)
{
	clines_places_free(c->places);
	c->places = clines_places_new(c->lines->b->table, c->line);
}

static int places_request(void *ctx, struct ui *ui, int request, u64 row)
{
	struct places_ctx *c = ctx;
	struct clines_show *show = c->lines->b->show;
	struct strbuf text = STRBUF_INIT;

	switch (request) {
	case CONTENTION_NODES:
		show->nodes = (enum clines_nodes)((show->nodes + 1) % (NODES_CPUS + 1));
		make_places(c);
		break;
	case CONTENTION_NAMES:
		show->full_symbols = !show->full_symbols;
		make_places(c);
		break;
	case REQ_ENTER:
		if (row >= clines_places_nr(c->places))
			break;
		clines_places_details(c->places, row, &text);
		popup_text(ui, "The place", strbuf_str(&text));
		break;
	default:
		return VIEW_UNKNOWN;
	}
	strbuf_release(&text);
	return VIEW_STAYS;
}

static int show_places(struct lines_ctx *l, struct ui *ui, u64 line)
{
	struct places_ctx c = { .lines = l, .line = line };
	struct contention_shown shown = {
		.title = places_title,
		.heads = places_heads,
		.row = places_row,
		.command = l->command,
		.request = places_request,
		.save = save,
		.ctx = &c,
	};
	int ret;

	make_places(&c);
	shown.nr_rows = clines_places_nr(c.places);
	ret = places_view(ui, &shown);
	clines_places_free(c.places);
	return ret == VIEW_BACK ? VIEW_STAYS : ret;
}

/* ---- the lines ---- */

static void lines_title(void *ctx, struct strbuf *out)
{
	const struct lines_ctx *c = ctx;

	clines_table_title(c->b->table, out);
}

static void lines_heads(void *ctx, struct strbuf *out)
{
	const struct lines_ctx *c = ctx;

	clines_table_heads(c->b->table, out);
}

static void lines_row(void *ctx, u64 row, struct strbuf *out)
{
	const struct lines_ctx *c = ctx;

	clines_table_row(c->b->table, row, out);
}

static int lines_request(void *ctx, struct ui *ui, int request, u64 row)
{
	struct lines_ctx *c = ctx;
	struct strbuf text = STRBUF_INIT;

	if (request == REQ_ENTER && row < clines_table_nr(c->b->table))
		return show_places(c, ui, row);
	if (request == REQ_ENTER) {
		ui_say(ui, "No line is contended for");
		return VIEW_STAYS;
	}
	if (request != CONTENTION_SUMS)
		return VIEW_UNKNOWN;
	clines_table_sums(c->b->table, &text);
	popup_text(ui, "All accesses", strbuf_str(&text));
	strbuf_release(&text);
	return VIEW_STAYS;
}

void browse_contention(struct ui *ui, struct browsed_lines *b)
{
	struct strbuf command = STRBUF_INIT;
	struct lines_ctx c = { .b = b };
	struct contention_shown shown = {
		.title = lines_title,
		.heads = lines_heads,
		.row = lines_row,
		.nr_rows = clines_table_nr(b->table),
		.request = lines_request,
		.save = save,
		.ctx = &c,
	};

	strbuf_addf(&command, "%s --stdio", b->command);
	shown.command = c.command = command.buf;
	contention_view(ui, &shown);
	strbuf_release(&command);
}
