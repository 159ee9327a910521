// SPDX-License-Identifier: GPL-2.0-or-later
/* Draw a lane in at most a few elements for each pixel of the picture's width. */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "codec/quote.h"

#define ALONE 2        /* grains of an interval that is an element of its own */
#define NAMED_WIDTH 30 /* pixels from which on an interval may have room for a name */
#define LETTER_WIDTH 6 /* about so many pixels are taken by each letter */
#define NAME_INDENT 3
#define NAME_AT 11 /* pixels from the top of a row to the base of names in it */

/* Neighbours that are too narrow to be drawn, together. */
struct column {
	u64 start, end;
	u64 sums[SHADES]; /* ns */
};

struct drawing {
	struct chart *c;
	const struct chart_row *row;
	struct chart_paths paths;
	struct column column;
};

/* Draw the shares of the column on top of each other, from the bottom of the row. */
static void flush_column(struct drawing *d)
{
	const struct chart_row *row = d->row;
	struct column *col = &d->column;
	double bottom = row->y + row->height;

	for (u32 shade = SHADE_NONE + 1; shade < SHADES && col->end > col->start; shade++) {
		double height =
			row->height * (double)col->sums[shade] / (double)(col->end - col->start);

		bottom -= height;
		chart_paths_add(d->c, &d->paths, col->start, col->end, bottom, height,
				(enum shade)shade);
	}
	*col = (struct column){ .start = col->end, .end = col->end };
}

static void draw_alone(struct drawing *d, const struct lane_interval *i, enum shade shade)
{
	struct strbuf title = STRBUF_INIT;

	d->row->title(d->row->ctx, i, &title);
	chart_rect_open(d->c, i->start, i->end, d->row->y, d->row->height, shade);
	export_str(d->c->out, "<title>");
	quote_xml(export_buf(d->c->out), strbuf_str(&title));
	export_str(d->c->out, "</title>");
	chart_rect_close(d->c);
	strbuf_release(&title);
}

/* Write the name of an interval into it, if it fits. */
static void draw_name(struct drawing *d, const struct lane_interval *i)
{
	double x = chart_x(d->c, i->start), width = chart_x(d->c, i->end) - x;
	struct strbuf name = STRBUF_INIT;

	if (!d->row->name || width < NAMED_WIDTH)
		return;
	d->row->name(d->row->ctx, i, &name);
	if ((double)name.len * LETTER_WIDTH + 2 * NAME_INDENT <= width) {
		export_f(d->c->out, "<text class=\"in\" x=\"%.1f\" y=\"%.1f\">", x + NAME_INDENT,
			 d->row->y + NAME_AT);
		quote_xml(export_buf(d->c->out), strbuf_str(&name));
		export_str(d->c->out, "</text>\n");
	}
	strbuf_release(&name);
}

static void draw_interval(struct drawing *d, const struct lane_interval *i)
{
	enum shade shade = d->row->shade(d->row->ctx, i);
	struct column *col = &d->column;

	if (i->end - i->start > ALONE * d->c->grain) {
		flush_column(d);
		col->start = col->end = i->end;
		if (shade == SHADE_NONE)
			return;
		draw_alone(d, i, shade);
		draw_name(d, i);
		return;
	}
	col->sums[shade] += i->end - i->start;
	col->end = i->end;
	if (col->end - col->start >= d->c->grain)
		flush_column(d);
}

void chart_lane(struct chart *c, const struct chart_row *row)
{
	struct drawing d = { .c = c, .row = row };
	const struct lane_interval *i;
	struct lane_cursor cursor;

	d.column.start = d.column.end = MAX(c->start, row->lane->first);
	lane_seek(&cursor, row->lane, c->start);
	while ((i = lane_next(&cursor)) && i->start < c->end) {
		struct lane_interval in = *i;

		in.start = MAX(in.start, c->start);
		in.end = MIN(in.end, c->end);
		draw_interval(&d, &in);
	}
	flush_column(&d);
	chart_paths_flush(c, &d.paths);
}
