// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame of a picture: styles, lines of time, legend, names of rows and rectangles. */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "codec/quote.h"

#include <math.h>

#define LINES 20        /* the most lines of time */
#define FULL_ROWS 64    /* so many rows have the finest grain; all rows together never have more */
#define LEGEND_STEP 120 /* pixels for an entry of the legend */
#define LABEL_AT 13     /* pixels from the top of a row to the base of its name */
#define AXIS_AT 42      /* pixels from the top to the base of the times */

static const struct {
	const char *name, *fill;
	u32 percent; /* opacity */
} shades[SHADES] = {
	[SHADE_RUNNING] = { "running", "#2058d8", 90 },
	[SHADE_HIGHLIGHT] = { "highlight", "#f08000", 95 },
	[SHADE_WAITING] = { "waiting", "#e0c000", 90 },
	[SHADE_BLOCKED] = { "blocked", "#d02020", 65 },
	[SHADE_SLEEPING] = { "sleeping", "#b4b4b4", 50 },
	[SHADE_C1] = { "c1", "#ffd6d6", 80 },
	[SHADE_C1 + 1] = { "c2", "#ffacac", 80 },
	[SHADE_C1 + 2] = { "c3", "#ff8282", 80 },
	[SHADE_C1 + 3] = { "c4", "#f65858", 80 },
	[SHADE_C1 + 4] = { "c5", "#e83030", 80 },
	[SHADE_C6] = { "c6", "#d00000", 80 },
	[SHADE_INTERRUPT] = { "interrupt", "#7020a0", 90 },
	[SHADE_SOFTIRQ] = { "softirq", "#20a0a0", 90 },
	[SHADE_DISK] = { "disk", "#2058d8", 75 },
	[SHADE_NET] = { "net", "#108030", 75 },
	[SHADE_SYNC] = { "sync", "#908000", 75 },
	[SHADE_POLL] = { "poll", "#109090", 30 },
	[SHADE_ERROR] = { "error", "#d02020", 80 },
};

static void put_styles(struct chart *c)
{
	export_str(c->out, "<style>\ntext{font:11px sans-serif;fill:#202020}\n"
			   ".row{fill:#f4f4f4;stroke:#c8c8c8;stroke-width:.5}\n"
			   "rect.running,rect.highlight{stroke:#fff;stroke-width:.3}\n"
			   ".line{stroke:#d8d8d8;stroke-width:.6}\n"
			   ".small{font-size:9px;fill:#606060}\n"
			   ".in{font-size:9px;fill:#fff;pointer-events:none}\n"
			   ".frequency{fill:none;stroke:#208020;stroke-width:1.2}\n"
			   ".wakeup{fill:none;stroke:#203020;stroke-width:.6;stroke-opacity:.35}\n"
			   ".wakeup:hover{stroke:#f00000;stroke-opacity:1;stroke-width:1.5}\n");
	for (u32 i = 0; i < SHADES; i++)
		if (shades[i].name)
			export_f(c->out, ".%s{fill:%s;fill-opacity:.%02u}\n", shades[i].name,
				 shades[i].fill, shades[i].percent);
	export_str(c->out, "</style>\n");
}

/* Return a step of 1, 2 or 5 times a power of ten that has at most LINES lines, in ns. */
static double step_of(const struct chart *c)
{
	double least = MAX((double)(c->end - c->start) / LINES, 1.0);
	double step = pow(10, floor(log10(least)));

	return step >= least       ? step
	       : 2 * step >= least ? 2 * step
	       : 5 * step >= least ? 5 * step
				   : 10 * step;
}

static void put_times(struct chart *c)
{
	double step = step_of(c), span = (double)(c->end - c->start);
	int digits = MAX(0, (int)ceil(-log10(step / 1e9) - 1e-9));

	for (double at = 0; at <= span; at += step) {
		double x = CHART_LEFT + at * c->scale;

		export_f(c->out,
			 "<line class=\"line\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%u\" y2=\"%u\"/>\n"
			 "<text class=\"small\" x=\"%.1f\" y=\"%u\">%.*f s</text>\n",
			 x, x, CHART_TOP - 4U, c->height, x, AXIS_AT, digits, at / 1e9);
	}
}

static void put_legend(struct chart *c, const struct chart_legend *legend, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		export_f(c->out,
			 "<rect x=\"%zu\" y=\"6\" width=\"14\" height=\"14\" class=\"%s\"/>"
			 "<text x=\"%zu\" y=\"17\">%s</text>\n",
			 10 + i * LEGEND_STEP, shades[legend[i].shade].name, 30 + i * LEGEND_STEP,
			 legend[i].text);
}

void chart_number(struct strbuf *out, double pixels)
{
	u64 tenths = (u64)(pixels * 10 + 0.5);

	strbuf_dec(out, tenths / 10, 0);
	if (tenths % 10) {
		strbuf_addch(out, '.');
		strbuf_addch(out, (char)('0' + tenths % 10));
	}
}

void chart_when(const struct chart *c, u64 time, struct strbuf *out)
{
	u32 us = (u32)((time - c->start) / 1000 % 1000000);

	strbuf_dec(out, (time - c->start) / 1000000000, 0);
	strbuf_addch(out, '.');
	for (u32 unit = 100000; unit; unit /= 10)
		strbuf_addch(out, (char)('0' + us / unit % 10));
	strbuf_addstr(out, " s");
}

void chart_begin(struct chart *c, u32 height, const struct chart_legend *legend, size_t nr)
{
	u32 width = CHART_LEFT + c->conf->width + 10;

	width = MAX(width, (u32)(nr * LEGEND_STEP) + 20);
	c->height = CHART_TOP + height;
	c->scale = c->conf->width / (double)MAX(c->end - c->start, 1ULL);
	c->grain = (u64)(MAX((double)height / (FULL_ROWS * CHART_ROW), 1.0) / c->scale);
	export_f(c->out,
		 "<?xml version=\"1.0\" standalone=\"yes\"?>\n"
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%u\" "
		 "height=\"%u\" viewBox=\"0 0 %u %u\">\n",
		 width, c->height + 10, width, c->height + 10);
	put_styles(c);
	export_str(c->out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	put_times(c);
	put_legend(c, legend, nr);
}

void chart_end(struct chart *c)
{
	export_str(c->out, "</svg>\n");
}

void chart_label(struct chart *c, double y, const char *text)
{
	export_f(c->out, "<text x=\"4\" y=\"%.0f\">", y + LABEL_AT);
	quote_xml(export_buf(c->out), text);
	export_str(c->out, "</text>\n");
}

void chart_box(struct chart *c, double y, double height)
{
	export_f(c->out, "<rect class=\"row\" x=\"%u\" y=\"%.0f\" width=\"%u\" height=\"%.0f\"/>\n",
		 CHART_LEFT, y, c->conf->width, height);
}

void chart_rect_open(struct chart *c, u64 from, u64 to, double y, double height, enum shade shade)
{
	struct strbuf *out = export_buf(c->out);
	double x = chart_x(c, from);

	strbuf_addstr(out, "<rect x=\"");
	chart_number(out, x);
	strbuf_addstr(out, "\" y=\"");
	chart_number(out, y);
	strbuf_addstr(out, "\" width=\"");
	chart_number(out, MAX(chart_x(c, to) - x, 0.1));
	strbuf_addstr(out, "\" height=\"");
	chart_number(out, height);
	strbuf_addstr(out, "\" class=\"");
	strbuf_addstr(out, shades[shade].name);
	strbuf_addstr(out, "\">");
}

void chart_rect_close(struct chart *c)
{
	export_str(c->out, "</rect>\n");
	export_more(c->out);
}

void chart_paths_add(struct chart *c, struct chart_paths *p, u64 from, u64 to, double y,
		     double height, enum shade shade)
{
	double x = chart_x(c, from), width = MAX(chart_x(c, to) - x, 0.1);
	struct strbuf *out = &p->of[shade];

	if (shade == SHADE_NONE || height < 0.05)
		return;
	strbuf_addch(out, 'M');
	chart_number(out, x);
	strbuf_addch(out, ' ');
	chart_number(out, y);
	strbuf_addch(out, 'h');
	chart_number(out, width);
	strbuf_addch(out, 'v');
	chart_number(out, height);
	strbuf_addstr(out, "h-");
	chart_number(out, width);
	strbuf_addch(out, 'z');
}

void chart_paths_flush(struct chart *c, struct chart_paths *p)
{
	for (u32 i = 0; i < SHADES; i++) {
		if (p->of[i].len)
			export_f(c->out, "<path class=\"%s\" d=\"%s\"/>\n", shades[i].name,
				 strbuf_str(&p->of[i]));
		strbuf_release(&p->of[i]);
	}
	export_more(c->out);
}
