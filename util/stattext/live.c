// SPDX-License-Identifier: GPL-2.0-or-later
/* Draw the screen of perf stat --live. */
#include "base/compat.h"
#include "stattext/live.h"

#include "base/alloc.h"
#include "base/escape.h"

#include <math.h>

/* --- what has been ---------------------------------------------------------------- */

static double shown_value(const struct stat_result *r, size_t evsel, size_t id)
{
	double scale = r->evlist->evsels[evsel]->scale;

	if (!stat_counted(r, evsel, id))
		return NAN;
	return stat_value_at(r, evsel, id)->val * (scale != 0 ? scale : 1);
}

static size_t nr_rows(const struct stat_result *r)
{
	return MIN(r->evlist->nr * r->ids->nr, (size_t)LIVE_ROWS);
}

/*
 * Return the event and id of the @row-th row; rows have the order in which they are printed
 * otherwise.
 */
static void row_of(const struct stat_result *r, size_t row, size_t *evsel, size_t *id)
{
	enum aggr_mode mode = r->ids->mode;

	if (mode == AGGR_GLOBAL || mode == AGGR_NONE || mode == AGGR_THREAD) {
		*evsel = row / r->ids->nr;
		*id = row % r->ids->nr;
	} else {
		*evsel = row % r->evlist->nr;
		*id = row / r->evlist->nr;
	}
}

void live_take(struct live *l, const struct stat_result *r, u64 length)
{
	size_t nr = nr_rows(r);

	if (!l->series) {
		l->series = xcalloc(MAX(nr, (size_t)1), sizeof(*l->series));
		for (size_t i = 0; i < nr; i++)
			l->series[i].min = l->series[i].max = NAN;
	}
	for (size_t i = 0; i < nr; i++) {
		struct live_series *s = &l->series[i];
		size_t evsel, id;
		double v;

		row_of(r, i, &evsel, &id);
		v = shown_value(r, evsel, id);
		s->value[l->nr % LIVE_HISTORY] = v;
		/* fmin() and fmax() ignore NaN */
		s->min = fmin(s->min, v);
		s->max = fmax(s->max, v);
	}
	l->length = length;
	l->nr++;
}

void live_release(struct live *l)
{
	free(l->series);
	memset(l, 0, sizeof(*l));
}

/* --- numbers and bars ------------------------------------------------------------- */

#define LEVELS 8

void live_spark(const double *v, size_t nr, double max, bool utf8, struct strbuf *out)
{
	static const char ascii[] = "_.:-=+*#";

	for (size_t i = 0; i < nr; i++) {
		int level = max > 0 && !isnan(v[i]) ? (int)(v[i] / max * LEVELS) : 0;

		level = MIN(MAX(level, 0), LEVELS - 1);
		if (isnan(v[i]))
			strbuf_addch(out, ' ');
		else if (utf8)
			/* U+2581 to U+2588: from an eighth of the height to the full height */
			strbuf_addf(out, "\342\226%c", (char)(0x81 + level));
		else
			strbuf_addch(out, ascii[level]);
	}
}

void live_number(double v, struct strbuf *out)
{
	static const char units[] = " KMGTPE";
	size_t unit = 0;

	if (isnan(v)) {
		strbuf_addch(out, '-');
		return;
	}
	for (; fabs(v) >= 9999.5 && unit + 2 < sizeof(units); unit++)
		v /= 1000;
	strbuf_addf(out,
		    fabs(v) >= 999.95 || (floor(v) == v && !unit) ? "%.0f"
		    : fabs(v) >= 99.95                            ? "%.1f"
								  : "%.2f",
		    v);
	if (unit)
		strbuf_addch(out, units[unit]);
}

/* --- lines ------------------------------------------------------------------------ */

/* The positions of columns; width 0: there is no room for the column. */
struct layout {
	u32 name, value, rate, range, metric, spark;
};

struct drawing {
	const struct live *live;
	const struct stat_view *view;
	const struct stat_result *result;
	const struct live_screen *screen;
	struct layout at;
	struct strbuf *out;
	u32 lines; /* lines drawn so far */
};

/* Append as much of @s as fits, padded with blanks. Each character counts as one column. */
static void put_fitted(const char *s, u32 width, struct strbuf *out)
{
	size_t len = strlen(s);
	u32 used = 0;

	for (size_t i = 0, n; i < len && used < width; i += n, used++) {
		n = MAX(utf8_length(s + i, len - i), (size_t)1);
		strbuf_add(out, s + i, n);
	}
	for (; used < width; used++)
		strbuf_addch(out, ' ');
}

static void put_right(const char *s, u32 width, struct strbuf *out)
{
	if (width)
		strbuf_addf(out, " %*s", (int)width, s);
}

static void put_number(double v, u32 width, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;

	live_number(v, &sb);
	put_right(strbuf_str(&sb), width, out);
	strbuf_release(&sb);
}

static void name_of(const struct drawing *d, size_t evsel, size_t id, struct strbuf *out)
{
	const struct evsel *e = d->result->evlist->evsels[evsel];
	const struct stat_row row = { .view = d->view, .result = d->result, .evsel = e, .id = id };

	stat_row_id(&row, out);
	if (out->len)
		strbuf_addch(out, ' ');
	strbuf_addname(out, e->name);
	if (e->cgroup) {
		strbuf_addch(out, ' ');
		strbuf_addname(out, e->cgroup);
	}
	if (e->unit && *e->unit)
		strbuf_addf(out, " (%s)", e->unit);
}

/* Tell whether the row is left out, because tool events are shown only once. */
static bool left_out(const struct stat_result *r, size_t evsel, size_t id)
{
	return r->evlist->evsels[evsel]->tool && id;
}

#define VALUE_WIDTH 16
#define NUMBER_WIDTH 8
#define METRIC_WIDTH 30
#define SPARK_LEAST 12

static void take_width(u32 *left, u32 *column, u32 width, u32 times)
{
	if (*left < times * (width + 1) + SPARK_LEAST)
		return;
	*column = width;
	*left -= times * (width + 1);
}

static void lay_out(struct drawing *d)
{
	u32 left = d->screen->width, longest = 10;

	for (size_t i = 0; i < MIN(nr_rows(d->result), (size_t)d->screen->height); i++) {
		struct strbuf sb = STRBUF_INIT;
		size_t evsel, id;

		row_of(d->result, i, &evsel, &id);
		name_of(d, evsel, id, &sb);
		longest = MAX(longest, (u32)MIN(sb.len, (size_t)UINT16_MAX));
		strbuf_release(&sb);
	}
	d->at.name = MIN(longest, MAX(left / 3, 1U));
	left -= MIN(left, d->at.name);
	take_width(&left, &d->at.value, VALUE_WIDTH, 1);
	take_width(&left, &d->at.rate, NUMBER_WIDTH, 1);
	take_width(&left, &d->at.range, NUMBER_WIDTH, 2);
	take_width(&left, &d->at.metric, METRIC_WIDTH, 1);
	d->at.spark = MIN(left ? left - 1 : 0, (u32)LIVE_HISTORY);
}

static void end_line(struct drawing *d)
{
	strbuf_addstr(d->out, "\033[K");
	/* after the last line there is no line feed */
	if (++d->lines < d->screen->height)
		strbuf_addstr(d->out, "\r\n");
}

static void put_spark(struct drawing *d, const struct live_series *s)
{
	double v[LIVE_HISTORY], max = NAN;
	size_t nr = MIN(MIN(d->live->nr, (size_t)LIVE_HISTORY), (size_t)d->at.spark);

	if (!nr)
		return;
	for (size_t i = 0; i < nr; i++) {
		v[i] = s->value[(d->live->nr - nr + i) % LIVE_HISTORY];
		max = fmax(max, v[i]);
	}
	strbuf_addch(d->out, ' ');
	for (size_t i = nr; i < d->at.spark; i++)
		strbuf_addch(d->out, ' ');
	live_spark(v, nr, max, d->screen->utf8, d->out);
}

static void first_metric(void *ctx, const struct stat_metric *m)
{
	struct strbuf *out = ctx;

	if (out->len || isnan(m->value))
		return;
	stat_metric_text(m, out);
	strbuf_addf(out, " %s", m->unit);
}

static void put_metric(struct drawing *d, size_t evsel, size_t id)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;

	if (!d->at.metric)
		return;
	if (stat_counted(d->result, evsel, id))
		shadow_metrics(d->result, evsel, id, first_metric, &sb);
	text = strbuf_str(&sb);
	strbuf_addch(d->out, ' ');
	put_fitted(text + strspn(text, " "), d->at.metric, d->out);
	strbuf_release(&sb);
}

static void put_value(struct drawing *d, size_t evsel, size_t id)
{
	double v = shown_value(d->result, evsel, id);
	struct strbuf number = STRBUF_INIT, grouped = STRBUF_INIT;

	if (isnan(v)) {
		strbuf_addstr(&grouped,
			      d->result->unsupported[evsel] ? "<not supported>" : "<not counted>");
	} else {
		strbuf_addf(&number, floor(v) != v ? "%.2f" : "%.0f", v);
		stat_put_grouped(strbuf_str(&number), d->view->thousands ? d->view->thousands : "",
				 &grouped);
	}
	put_right(strbuf_str(&grouped), d->at.value, d->out);
	strbuf_release(&number);
	strbuf_release(&grouped);
}

static void put_row(struct drawing *d, const struct live_series *s, size_t evsel, size_t id)
{
	double seconds = (double)d->live->length / 1e9;
	struct strbuf name = STRBUF_INIT;

	name_of(d, evsel, id, &name);
	put_fitted(strbuf_str(&name), d->at.name, d->out);
	strbuf_release(&name);
	put_value(d, evsel, id);
	put_number(d->result->evlist->evsels[evsel]->snapshot || seconds <= 0
			   ? NAN
			   : shown_value(d->result, evsel, id) / seconds,
		   d->at.rate, d->out);
	put_number(s->min, d->at.range, d->out);
	put_number(s->max, d->at.range, d->out);
	put_metric(d, evsel, id);
	put_spark(d, s);
	end_line(d);
}

static void put_titles(struct drawing *d, const char *title)
{
	struct strbuf spark = STRBUF_INIT;

	put_fitted(title, d->screen->width, d->out);
	end_line(d);
	strbuf_addstr(d->out, "\033[7m");
	put_fitted("event", d->at.name, d->out);
	put_right("in interval", d->at.value, d->out);
	put_right("per sec", d->at.rate, d->out);
	put_right("min", d->at.range, d->out);
	put_right("max", d->at.range, d->out);
	if (d->at.metric) {
		strbuf_addch(d->out, ' ');
		put_fitted("", d->at.metric, d->out);
	}
	if (d->at.spark) {
		strbuf_addf(&spark, "last %u", d->at.spark);
		strbuf_addch(d->out, ' ');
		put_fitted(strbuf_str(&spark), d->at.spark, d->out);
	}
	strbuf_addstr(d->out, COLOR_RESET);
	end_line(d);
	strbuf_release(&spark);
}

static size_t count_rows(const struct stat_result *r)
{
	size_t nr = 0;

	for (size_t e = 0; e < r->evlist->nr; e++)
		nr += r->evlist->evsels[e]->tool ? 1 : r->ids->nr;
	return nr;
}

static void put_rows(struct drawing *d, size_t room)
{
	for (size_t i = 0; i < nr_rows(d->result) && room; i++) {
		size_t evsel, id;

		row_of(d->result, i, &evsel, &id);
		if (left_out(d->result, evsel, id))
			continue;
		put_row(d, &d->live->series[i], evsel, id);
		room--;
	}
}

void live_title(u64 time, unsigned int interval, char *const *command, struct strbuf *out)
{
	strbuf_addf(out, "perf stat: %.1f s, every %u ms; q ends", (double)time / 1e9, interval);
	for (char *const *arg = command; arg && *arg; arg++) {
		strbuf_addstr(out, arg == command ? "   " : " ");
		strbuf_addname(out, *arg);
	}
}

void live_draw(const struct live *l, const struct stat_view *v, const struct stat_result *r,
	       const struct live_screen *screen, const char *title, struct strbuf *out)
{
	struct drawing d = { .live = l, .view = v, .result = r, .screen = screen, .out = out };
	size_t rows = count_rows(r);
	size_t room = screen->height > 2 ? MIN(screen->height - 2, LIVE_ROWS) : 0;
	struct strbuf more = STRBUF_INIT;

	strbuf_addstr(out, "\033[H");
	if (screen->height < 3 || screen->width < 4 || !l->series) {
		put_fitted(title, screen->width, out);
		strbuf_addstr(out, "\033[J");
		return;
	}
	lay_out(&d);
	put_titles(&d, title);
	put_rows(&d, rows > room ? room - 1 : rows);
	if (rows > room) {
		strbuf_addf(&more, "%zu more", rows - (room - 1));
		put_fitted(strbuf_str(&more), screen->width, out);
		end_line(&d);
	}
	strbuf_addstr(out, d.lines < screen->height ? "\033[J" : "");
	strbuf_release(&more);
}
