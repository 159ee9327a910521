// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/strip.h"

#include "base/units.h"
#include "ui/widgets/popup.h"

enum strip_request {
	STRIP_LEFT = REQ_OWN,
	STRIP_RIGHT,
	STRIP_MARK,
	STRIP_TRACKS,
	STRIP_COMMAND,
};

const struct binding strip_bindings[] = {
	{ "LEFT", STRIP_LEFT, "left", "Go one column to the left" },
	{ "RIGHT", STRIP_RIGHT, "right", "Go one column to the right" },
	{ "<", REQ_SCROLL_LEFT, "far-left", "Go eight columns to the left" },
	{ ">", REQ_SCROLL_RIGHT, "far-right", "Go eight columns to the right" },
	{ "HOME", REQ_FIRST, "first", "Go to the first column" },
	{ "END", REQ_LAST, "last", "Go to the last column" },
	{ "SPACE", STRIP_MARK, "mark", "Begin a range at this column, or drop it" },
	{ "ENTER", REQ_ENTER, "choose", "Show in all views only the samples of the range" },
	{ "TAB", STRIP_TRACKS, "tracks", "Show a row for each CPU, or for each thread" },
	{ "y", STRIP_COMMAND, "command", "Show the command that prints the samples of the range" },
	{ NULL },
};

enum { NO_MARK = UINT32_MAX, FAR = 8, LABEL = 20, LEVELS = 8 };

/* Row 0 of the view is that of all tracks together; the others are the tracks. */
struct strip {
	struct view view;
	const struct strip_shown *shown;
	enum tracks_of kind;
	const struct tracks *tracks; /* of this kind */
	u32 cursor, mark; /* slices at the ends of the range; without a mark it is one column */
	/* as drawn last */
	u32 label;      /* columns of names, with a blank behind them */
	u32 per_column; /* slices in each column of the strip */
	u64 most;       /* samples of a track in a column; 0: not known */
};

static struct strip *strip_of(struct view *v)
{
	return container_of(v, struct strip, view);
}

/* ---- the tracks ---- */

static const struct track *track_at(const struct strip *st, u64 row)
{
	return row ? &st->tracks->v[row - 1] : &st->tracks->all;
}

static u32 nr_columns(const struct strip *st)
{
	return (st->tracks->nr_slices + st->per_column - 1) / st->per_column;
}

static u64 column_count(const struct strip *st, const struct track *track, u32 column)
{
	u32 from = column * st->per_column;

	return tracks_count(track, from, from + st->per_column);
}

static u64 most_of(const struct strip *st, const struct track *track)
{
	u64 most = 0;

	for (u32 i = 0; i < nr_columns(st); i++)
		most = MAX(most, column_count(st, track, i));
	return most;
}

/* Give columns as many slices as are needed for all to fit. */
static void set_scale(struct strip *st, u32 columns)
{
	u32 per_column = (st->tracks->nr_slices - 1) / MAX(columns, 1u) + 1;

	if (per_column == st->per_column && st->most)
		return;
	st->per_column = per_column;
	st->most = 0;
	for (size_t i = 0; i < st->tracks->nr; i++)
		st->most = MAX(st->most, most_of(st, &st->tracks->v[i]));
}

static void show_tracks(struct strip *st, enum tracks_of kind)
{
	st->kind = kind;
	st->tracks = st->shown->tracks->of[kind];
	st->most = 0; /* with the next drawing */
	st->view.at = st->view.top = 0;
}

/* ---- the range ---- */

struct columns {
	u32 first, last;
};

static struct columns range_of(const struct strip *st)
{
	u32 at = st->cursor / st->per_column;
	u32 mark = st->mark == NO_MARK ? at : st->mark / st->per_column;

	return (struct columns){ MIN(at, mark), MAX(at, mark) };
}

/* Append a time in seconds, with as many digits as it needs. */
static void add_seconds(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
	while (out->buf[out->len - 1] == '0' && out->buf[out->len - 2] != '.')
		out->buf[--out->len] = 0;
}

/* Append the range as --time takes it: its first and its last ns. */
static void add_range(const struct strip *st, struct strbuf *out)
{
	struct columns c = range_of(st);
	u64 step = st->tracks->step, from = (u64)c.first * st->per_column,
	    to = MIN((c.last + (u64)1) * st->per_column, (u64)st->tracks->nr_slices);

	add_seconds(st->tracks->start + from * step, out);
	strbuf_addch(out, ',');
	add_seconds(st->tracks->start + to * step - 1, out);
}

static u64 range_count(const struct strip *st, const struct track *track)
{
	struct columns c = range_of(st);

	return tracks_count(track, c.first * st->per_column, (c.last + 1) * st->per_column);
}

static void go_to(struct strip *st, s64 column)
{
	s64 last = (s64)nr_columns(st) - 1;

	st->cursor = (u32)MAX(MIN(column, last), (s64)0) * st->per_column;
}

static void go_by(struct strip *st, s32 columns)
{
	go_to(st, (s64)(st->cursor / st->per_column) + columns);
}

/* ---- drawing ---- */

static enum style style_of(u32 level)
{
	return level > 6 ? STYLE_TOP : level > 3 ? STYLE_MEDIUM : STYLE_NORMAL;
}

static void draw_counts(const struct strip *st, struct screen *s, u32 y, const struct track *track)
{
	u64 most = track == &st->tracks->all ? most_of(st, track) : st->most;
	static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	struct columns range = range_of(st);

	for (u32 i = 0; i < nr_columns(st); i++) {
		u64 nr = column_count(st, track, i);
		u32 level = nr ? (u32)(1 + (double)nr * (LEVELS - 1) / most) : 0;
		bool inside = i >= range.first && i <= range.last;

		screen_fill(s, y, st->label + i, 1, inside ? STYLE_SELECTED : style_of(level),
			    bars[level]);
	}
}

static void add_name(const struct strip *st, u64 row, struct strbuf *out)
{
	if (row)
		st->shown->tracks->name(st->shown->tracks->ctx, st->kind, track_at(st, row), out);
	else
		strbuf_addstr(out, "all");
}

static void draw_row(const struct strip *st, struct screen *s, u32 y, u64 row)
{
	struct strbuf name = STRBUF_INIT;

	add_name(st, row, &name);
	screen_put(s, y, 0, st->label - 1, row == st->view.at ? STYLE_SELECTED : STYLE_NORMAL,
		   name.buf, name.len);
	draw_counts(st, s, y, track_at(st, row));
	strbuf_release(&name);
}

/* Draw when the strip begins and ends. */
static void draw_times(const struct strip *st, struct screen *s, u32 y)
{
	const struct tracks *l = st->tracks;
	struct strbuf text = STRBUF_INIT;
	u32 end = st->label + nr_columns(st), width;

	add_seconds(l->start, &text);
	width = screen_put(s, y, st->label, s->cols, STYLE_DIM, text.buf, text.len);
	strbuf_reset(&text);
	add_seconds(l->start + l->step * l->nr_slices, &text);
	if (st->label + width + 1 + text.len <= end)
		screen_put(s, y, end - (u32)text.len, s->cols, STYLE_DIM, text.buf, text.len);
	strbuf_release(&text);
}

static void paint(struct view *v, struct screen *s, u32 y, u32 height)
{
	struct strip *st = strip_of(v);
	u64 nr = st->tracks->nr + 1;

	st->label = MIN((u32)LABEL, s->cols / 4) + 1;
	set_scale(st, s->cols - st->label);
	v->height = MAX(height, 2u) - 1;
	view_select(v, v->at);
	for (u32 i = 0; i < v->height && v->top + i < nr; i++)
		draw_row(st, s, y + i, v->top + i);
	draw_times(st, s, y + v->height);
}

static void put_title(struct view *v, struct strbuf *out)
{
	const struct strip *st = strip_of(v);

	strbuf_addstr(out, "Samples of event '");
	strbuf_addname(out, st->shown->event);
	strbuf_addf(out, "' over time, by %s",
		    st->kind == TRACKS_OF_CPUS ? "CPU" : "thread, the busiest first");
}

/* Append the range, and what of the selected row is in it. */
static void put_hint(struct view *v, struct strbuf *out)
{
	const struct strip *st = strip_of(v);
	u64 nr = range_count(st, track_at(st, v->at)), total = st->tracks->all.nr;

	add_range(st, out);
	strbuf_addstr(out, " (");
	duration_text((u64)(range_of(st).last - range_of(st).first + 1) * st->per_column *
			      st->tracks->step,
		      out);
	strbuf_addstr(out, "): ");
	add_name(st, v->at, out);
	strbuf_addf(out, " %" PRIu64 " samples, %.2f%% (ENTER chooses)", nr,
		    total ? nr * 100.0 / total : 0.0);
}

/* ---- requests ---- */

static u64 nr_rows(struct view *v)
{
	return strip_of(v)->tracks->nr + 1;
}

static void show_command(const struct strip *st, struct ui *ui)
{
	struct strbuf time = STRBUF_INIT, text = STRBUF_INIT;

	add_range(st, &time);
	st->shown->command(st->shown->ctx, time.buf, &text);
	popup_text(ui, "The command that prints this range", text.buf);
	strbuf_release(&text);
	strbuf_release(&time);
}

/* Move the end of the range. Return: as view_ops.request() */
static int move_request(struct strip *st, int request)
{
	switch (request) {
	case STRIP_LEFT:
		go_by(st, -1);
		break;
	case STRIP_RIGHT:
		go_by(st, 1);
		break;
	case REQ_SCROLL_LEFT:
		go_by(st, -FAR);
		break;
	case REQ_SCROLL_RIGHT:
		go_by(st, FAR);
		break;
	case REQ_FIRST:
		go_to(st, 0);
		break;
	case REQ_LAST:
		go_to(st, UINT32_MAX);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct strip *st = strip_of(v);

	switch (request) {
	case STRIP_MARK:
		st->mark = st->mark == NO_MARK ? st->cursor : NO_MARK;
		break;
	case STRIP_TRACKS:
		show_tracks(st, st->kind == TRACKS_OF_CPUS ? TRACKS_OF_THREADS : TRACKS_OF_CPUS);
		break;
	case STRIP_COMMAND:
		show_command(st, ui);
		break;
	case REQ_ENTER:
		return STRIP_CHOSEN;
	case REQ_BACK:
		if (st->mark == NO_MARK)
			return VIEW_BACK;
		st->mark = NO_MARK;
		break;
	default:
		return move_request(st, request);
	}
	return VIEW_STAYS;
}

/* A click begins a range, and the next one ends it. A click into a range that has ended chooses it;
 * one outside begins another. */
static int click(struct strip *st, u32 column)
{
	struct columns c = range_of(st);
	bool ended = st->mark != NO_MARK && c.first != c.last;

	if (ended && column >= c.first && column <= c.last)
		return STRIP_CHOSEN;
	go_to(st, column);
	if (ended || st->mark == NO_MARK)
		st->mark = st->cursor;
	return VIEW_STAYS;
}

/* The row that is clicked is selected, too. The wheel does what it does in all views. */
static int on_mouse(struct view *v, struct ui *ui __unused, const struct term_event *ev)
{
	struct strip *st = strip_of(v);
	u64 row = v->top + ev->y - v->y;

	if (ev->button >= MOUSE_WHEEL_UP)
		return VIEW_UNKNOWN;
	if (ev->button != MOUSE_LEFT || ev->y < v->y || row >= nr_rows(v))
		return VIEW_STAYS;
	view_select(v, row);
	if (ev->x < st->label || ev->x - st->label >= nr_columns(st))
		return VIEW_STAYS;
	return click(st, ev->x - st->label);
}

static const struct view_ops strip_ops = {
	.name = "strip",
	.bindings = strip_bindings,
	.title = put_title,
	.hint = put_hint,
	.nr_rows = nr_rows,
	.paint = paint,
	.request = do_request,
	.mouse = on_mouse,
};

int strip_view(struct ui *ui, const struct strip_shown *shown, struct strbuf *time)
{
	struct strip st = {
		.view = { .ops = &strip_ops }, .shown = shown, .mark = NO_MARK, .per_column = 1
	};
	int ret;

	show_tracks(&st, TRACKS_OF_CPUS);
	ret = view_run(&st.view, ui);
	if (ret == STRIP_CHOSEN)
		add_range(&st, time);
	return ret;
}
