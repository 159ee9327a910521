// SPDX-License-Identifier: GPL-2.0-or-later
/* Draw heat maps as SVG: a plot with axes and a scale of its colours. */
#include "base/compat.h"
#include "export/heatmap.h"

#include "analyze/density.h"
#include "base/units.h"
#include "codec/quote.h"

#include <math.h>

#define WIDTH 1200
#define HEIGHT 620
#define LEFT 84
#define TOP 76
#define PLOT_W 990
#define PLOT_H 470
#define LEVELS 10
#define MAX_ROWS 64 /* the most rows that are drawn */
#define SECOND 1000000000ULL

/* The visible part of the grid, and its size. */
struct plot {
	const struct heatmap_conf *conf;
	const struct grid *g;
	u32 first_row, nr_rows; /* of the grid, in whole groups */
	u32 group;              /* rows of the grid that form one row of the plot */
	u32 most;               /* the highest count of a row of the plot */
	double col_w;
	double low, high; /* bounds of the y axis: log2 of ns, or ns within a second */
};

/* ------------------------------------------------------------------ scales */

static u32 count_at(const struct plot *p, u32 col, u32 row)
{
	const u32 *cells = p->g->cells + (size_t)col * p->g->rows + p->first_row + row * p->group;
	u64 n = 0;

	for (u32 i = 0; i < p->group && p->first_row + row * p->group + i < p->g->rows; i++)
		n += cells[i];
	return (u32)MIN(n, (u64)UINT32_MAX);
}

static double row_low(const struct plot *p, u32 row)
{
	u32 n = MIN(p->first_row + row * p->group, p->g->rows);

	if (!p->conf->pairs)
		return (double)n * SECOND / DENSITY_ROWS;
	return log2(MAX((double)pair_row_low(n), 0.5));
}

static double y_of(const struct plot *p, double value)
{
	return TOP + PLOT_H - (value - p->low) / (p->high - p->low) * PLOT_H;
}

static double x_of(const struct plot *p, u64 time)
{
	double cols = time > p->g->start ? (double)(time - p->g->start) / (double)p->g->step : 0;

	return LEFT + MIN(cols, (double)p->g->used) * p->col_w;
}

/* Return the time since the recording began. */
static u64 since_begin(const struct plot *p, u64 time)
{
	return time > p->conf->begin ? time - p->conf->begin : 0;
}

static u32 level_of(const struct plot *p, u32 n)
{
	double part = p->conf->pairs ? log2(n) / log2(p->most) : (double)n / p->most;

	return p->most < 2 ? LEVELS - 1 : MIN((u32)(part * (LEVELS - 1) + 0.5), LEVELS - 1u);
}

/* Return the lowest count of a colour. */
static u32 level_low(const struct plot *p, u32 level)
{
	double part = (level - 0.5) / (LEVELS - 1);

	if (p->most < 2 || !level)
		return 1;
	return MAX((u32)ceil(p->conf->pairs ? exp2(part * log2(p->most)) : part * p->most), 1u);
}

static void plot_init(struct plot *p, const struct heatmap_conf *conf)
{
	u32 first = UINT32_MAX, last = 0;

	*p = (struct plot){ .conf = conf, .g = conf->grid, .group = 1, .most = 1 };
	for (u32 c = 0; c < p->g->used; c++)
		for (u32 r = 0; r < p->g->rows; r++)
			if (p->g->cells[(size_t)c * p->g->rows + r]) {
				first = MIN(first, r);
				last = MAX(last, r);
			}
	if (!conf->pairs || first == UINT32_MAX) {
		first = 0;
		last = conf->pairs ? (1 << PAIR_ROW_BITS) - 1 : p->g->rows - 1;
	}
	while ((last - first) / p->group >= MAX_ROWS - 1)
		p->group *= 2;
	p->first_row = first - first % p->group;
	p->nr_rows = (last - p->first_row) / p->group + 1;
	/* leave some room above, for the mark of the longest pair */
	if (conf->pairs && p->first_row + p->nr_rows * p->group < p->g->rows)
		p->nr_rows++;
	p->low = row_low(p, 0);
	p->high = row_low(p, p->nr_rows);
	p->col_w = (double)PLOT_W / MAX(p->g->used, 1u);
	for (u32 c = 0; c < p->g->used; c++)
		for (u32 r = 0; r < p->nr_rows; r++)
			p->most = MAX(p->most, count_at(p, c, r));
}

/* ------------------------------------------------------------------ pieces */

/* Append seconds with as many digits as @step needs. */
static void put_seconds(u64 ns, u64 step, struct strbuf *out)
{
	u32 digits = 0;
	u64 unit = SECOND;

	for (; unit > 1 && step % unit; digits++)
		unit /= 10;
	strbuf_dec(out, ns / SECOND, 0);
	if (digits)
		strbuf_addf(out, ".%0*u", (int)digits, (u32)(ns % SECOND / unit));
}

static void put_text(struct strbuf *out, double x, double y, const char *class, const char *text)
{
	strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
	quote_xml(out, text);
	strbuf_addstr(out, "</text>\n");
}

static void put_range(const struct plot *p, u32 row, struct strbuf *out)
{
	u32 first = p->first_row + row * p->group, end = MIN(first + p->group, p->g->rows);

	if (p->conf->pairs) {
		duration_text(pair_row_low(first), out);
		strbuf_addstr(out, " - ");
		duration_text(pair_row_low(end), out);
	} else {
		strbuf_addf(out, "%u - %u ms", first * 1000 / DENSITY_ROWS,
			    end * 1000 / DENSITY_ROWS);
	}
}

static void put_cell(const struct plot *p, u32 col, u32 row, u32 n, struct strbuf *out)
{
	double top = y_of(p, row_low(p, row + 1)), bottom = y_of(p, row_low(p, row));
	u64 from = since_begin(p, p->g->start + col * p->g->step);

	strbuf_addf(out, "<rect class=\"c%u\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"><title>",
		    level_of(p, n), top, MAX(p->col_w - (p->col_w > 4 ? 0.6 : 0), 0.5),
		    bottom - top);
	put_seconds(from, p->g->step, out);
	strbuf_addstr(out, " - ");
	put_seconds(from + p->g->step, p->g->step, out);
	strbuf_addstr(out, " s, ");
	put_range(p, row, out);
	strbuf_addf(out, ": %u %s</title></rect>\n", n, p->conf->what);
}

/* Append a group for each column, whose cells share x and width. */
static void put_cells(const struct plot *p, struct strbuf *out)
{
	strbuf_addstr(out, "<g class=\"cells\">\n");
	for (u32 c = 0; c < p->g->used; c++) {
		bool any = false;

		for (u32 r = 0; r < p->nr_rows; r++) {
			u32 n = count_at(p, c, r);

			if (!n)
				continue;
			if (!any)
				strbuf_addf(out, "<g transform=\"translate(%.2f 0)\">\n",
					    LEFT + c * p->col_w);
			any = true;
			put_cell(p, c, r, n, out);
		}
		if (any)
			strbuf_addstr(out, "</g>\n");
	}
	strbuf_addstr(out, "</g>\n");
}

/* ------------------------------------------------------------------ axes */

static void put_tick_y(const struct plot *p, double value, const char *label, struct strbuf *out)
{
	double y = y_of(p, value);

	strbuf_addf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, y, LEFT + PLOT_W);
	put_text(out, LEFT - 8, y + 4, "end", label);
}

static void put_latencies(const struct plot *p, struct strbuf *out)
{
	struct strbuf label = STRBUF_INIT;
	bool few = p->high - p->low < 7; /* less than about two powers of ten */

	for (u64 ten = 1, one; ten <= UINT64_MAX / 100; ten *= 10)
		for (u32 part = 1; part < 10; part += few && part < 2 ? 1 : few ? 3 : 9) {
			const char *unit = duration_unit(ten, &one);
			double value = log2((double)ten * part);

			if (value < p->low || value > p->high)
				continue;
			strbuf_reset(&label);
			strbuf_dec(&label, ten * part / one, 0);
			strbuf_addch(&label, ' ');
			strbuf_addstr(&label, unit);
			put_tick_y(p, value, strbuf_str(&label), out);
		}
	strbuf_release(&label);
}

static void put_axis_y(const struct plot *p, struct strbuf *out)
{
	char label[16];

	if (p->conf->pairs)
		put_latencies(p, out);
	for (u32 ms = 0; !p->conf->pairs && ms <= 1000; ms += 100) {
		snprintf(label, sizeof(label), "%u ms", ms);
		put_tick_y(p, ms * 1e6, label, out);
	}
	strbuf_addf(out,
		    "<text class=\"mid\" transform=\"translate(18 %d) rotate(-90)\">%s</text>\n",
		    TOP + PLOT_H / 2, p->conf->pairs ? "latency" : "time within the second");
}

static void put_axis_x(const struct plot *p, struct strbuf *out)
{
	u64 span = p->g->used * p->g->step, step = grid_step(span, 10);
	double width = p->g->used * p->col_w;
	struct strbuf label = STRBUF_INIT;
	u64 first;

	while (width * (double)step < 90.0 * (double)span && step < span)
		step *= 2;
	first = (since_begin(p, p->g->start) + step - 1) / step * step + p->conf->begin;
	for (u64 t = first; t - p->g->start <= span && p->g->used; t += step) {
		double x = x_of(p, t);

		strbuf_reset(&label);
		put_seconds(t - p->conf->begin, step, &label);
		strbuf_addf(out, "<path class=\"axis\" d=\"M%.1f %dv6\"/>\n", x, TOP + PLOT_H);
		put_text(out, x, TOP + PLOT_H + 22, "mid", strbuf_str(&label));
		if (t > UINT64_MAX - step)
			break;
	}
	strbuf_addf(out, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, TOP + PLOT_H,
		    LEFT + PLOT_W);
	put_text(out, LEFT + PLOT_W / 2, TOP + PLOT_H + 46, "mid", "time (s)");
	strbuf_release(&label);
}

/* Append the scale of colours. */
static void put_scale(const struct plot *p, struct strbuf *out)
{
	u32 x = LEFT + PLOT_W + 24, y = TOP + 24, levels = p->most < 2 ? 1 : LEVELS;
	struct strbuf label = STRBUF_INIT;

	put_text(out, x, TOP + 10, "small", p->conf->what);
	for (u32 i = 0; i < levels; i++) {
		u32 level = LEVELS - 1 - i, low = level_low(p, level);

		strbuf_addf(out,
			    "<rect class=\"c%u\" x=\"%u\" y=\"%u\" width=\"18\" height=\"18\"/>\n",
			    level, x, y + i * 18);
		if (p->most >= 2 && level_of(p, low) != level)
			continue; /* no count has this colour */
		strbuf_reset(&label);
		strbuf_dec(&label, i || p->most < 2 ? low : p->most, 0);
		put_text(out, x + 24, y + i * 18 + 13, "small", strbuf_str(&label));
	}
	strbuf_release(&label);
}

/* ------------------------------------------------------------------ what stands out */

static void put_line(const struct plot *p, const char *name, u64 latency, struct strbuf *out)
{
	double y = y_of(p, log2(MAX((double)latency, 0.5)));
	struct strbuf label = STRBUF_INIT;

	strbuf_addstr(&label, name);
	strbuf_addch(&label, ' ');
	duration_text(latency, &label);
	strbuf_addf(out, "<path class=\"line\" d=\"M%d %.1fH%d\"/>\n", LEFT, y, LEFT + PLOT_W);
	put_text(out, LEFT + PLOT_W - 4, y - 4, "end note", strbuf_str(&label));
	strbuf_release(&label);
}

static void put_marks(const struct plot *p, struct strbuf *out)
{
	const struct pair_result *r = pairs_result(p->conf->pairs);
	double x, y = y_of(p, log2(MAX((double)r->max, 0.5)));
	struct strbuf label = STRBUF_INIT;
	bool right;

	if (!r->pairs)
		return;
	put_line(p, "50%", pairs_quantile(p->conf->pairs, 500000), out);
	put_line(p, "99%", pairs_quantile(p->conf->pairs, 990000), out);
	x = x_of(p, r->max_time);
	right = x > LEFT + PLOT_W / 2;
	strbuf_addstr(&label, "maximum ");
	duration_text(r->max, &label);
	strbuf_addstr(&label, " at ");
	put_seconds(since_begin(p, r->max_time), 1000000, &label);
	strbuf_addstr(&label, " s");
	strbuf_addf(out, "<circle class=\"max\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>\n", x, y);
	put_text(out, right ? x - 10 : x + 10, y - 6, right ? "end max" : "max",
		 strbuf_str(&label));
	strbuf_release(&label);
}

/* ------------------------------------------------------------------ the picture */

struct theme {
	const char *back, *ink, *faint, *mark;
	const char *levels[LEVELS];
};

/*
 * One hue from light to dark, which is distinguishable with any colour vision; reversed on a dark
 * background.
 */
static const struct theme light = {
	"#ffffff",
	"#1d2733",
	"#dde3ea",
	"#d1490b",
	{ "#d6e6f4", "#bcd7eb", "#9ac8e0", "#74b3d8", "#519ccc", "#3585bf", "#1f6cb1", "#0f559f",
	  "#084488", "#08306b" },
};
static const struct theme dark = {
	"#11161d",
	"#dbe3ec",
	"#28323e",
	"#ff9a4d",
	{ "#1f4160", "#204a70", "#225480", "#245d91", "#2c70ab", "#3b86c4", "#559fd8", "#7bb9e6",
	  "#a6d2f1", "#d9ecfb" },
};

/* Append the colours without CSS variables, which only browsers support. */
static void put_theme(const struct theme *t, struct strbuf *out)
{
	strbuf_addf(out, "body{background:%s;color:%s}.back{fill:%s}text{fill:%s}", t->back, t->ink,
		    t->back, t->ink);
	strbuf_addf(out, ".grid{stroke:%s}.axis{stroke:%s}.line,circle.max{stroke:%s}", t->faint,
		    t->ink, t->mark);
	strbuf_addf(out, "text.note,text.max{stroke:%s}.cells rect:hover{stroke:%s}", t->back,
		    t->mark);
	for (u32 i = 0; i < LEVELS; i++)
		strbuf_addf(out, ".c%u{fill:%s}", i, t->levels[i]);
}

static void put_style(struct strbuf *out)
{
	static const char rules[] =
		".line,.max,text{pointer-events:none}" /* cells are what is pointed at */
		"text{font:13px system-ui,sans-serif}text.head{font-size:18px;font-weight:600}"
		".end{text-anchor:end}.mid{text-anchor:middle}text.small{font-size:12px}"
		"path,circle.max{fill:none}.line{stroke-dasharray:5 4;opacity:.8}"
		"text.note,text.max{paint-order:stroke;stroke-width:3px;font-size:12px}"
		"text.max{font-weight:600}circle.max{stroke-width:2.5}"
		".cells rect:hover{stroke-width:2}\n";

	put_theme(&light, out);
	strbuf_addstr(out, "\n@media screen and (prefers-color-scheme:dark){");
	put_theme(&dark, out);
	strbuf_addstr(out, "}\n");
	strbuf_addstr(out, rules);
}

static void put_map(const struct heatmap_conf *conf, struct strbuf *out)
{
	struct plot p;

	plot_init(&p, conf);
	put_text(out, LEFT, 32, "head", conf->title);
	put_text(out, LEFT, 54, "small", conf->subtitle);
	put_axis_y(&p, out);
	put_cells(&p, out);
	put_axis_x(&p, out);
	put_scale(&p, out);
	if (conf->pairs)
		put_marks(&p, out);
}

void heatmap_svg(const struct heatmap_conf *conf, u32 nr, struct strbuf *out)
{
	strbuf_addf(out,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" width=\"%d\" "
		    "height=\"%u\" role=\"img\">\n<style>",
		    WIDTH, HEIGHT * nr, WIDTH, HEIGHT * nr);
	put_style(out);
	strbuf_addstr(out, "</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
	for (u32 i = 0; i < nr; i++) {
		strbuf_addf(out, "<g transform=\"translate(0 %u)\">\n", HEIGHT * i);
		put_map(&conf[i], out);
		strbuf_addstr(out, "</g>\n");
	}
	strbuf_addstr(out, "</svg>\n");
}
