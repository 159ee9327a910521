// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of the report browser: what is zoomed into, and the way back. */
#include "base/compat.h"
#include "ui/views/report-internal.h"

#include "base/alloc.h"
#include "ui/widgets/popup.h"

/* ---- filters as values ---- */

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool report_filters_same_samples(const struct report_filters *a, const struct report_filters *b)
{
	return same(a->comm, b->comm) && same(a->tid, b->tid) && same(a->dso, b->dso) &&
	       same(a->time, b->time) && a->socket == b->socket && a->sort_by == b->sort_by;
}

static char *copy(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

struct report_filters report_filters_copy(const struct report_filters *f)
{
	struct report_filters c = *f;

	c.comm = copy(f->comm);
	c.tid = copy(f->tid);
	c.dso = copy(f->dso);
	c.time = copy(f->time);
	c.symbol = copy(f->symbol);
	return c;
}

void report_filters_free(struct report_filters *f)
{
	free(f->comm);
	free(f->tid);
	free(f->dso);
	free(f->time);
	free(f->symbol);
}

void report_filters_release(struct report_browser *b)
{
	report_filters_free(&b->filters);
	for (size_t i = 0; i < b->nr_undo; i++)
		report_filters_free(&b->undone[i]);
	free(b->undone);
	b->undone = NULL;
	b->nr_undo = b->cap_undo = 0;
	b->filters = (struct report_filters){ .socket = -1 };
}

/* ---- putting them in force ---- */

/* Count again where other samples pass now. Return: false: that does not work, which is said. */
static bool count_again(struct report_browser *b, struct ui *ui, const struct report_filters *f)
{
	struct err err = { 0 };

	if (report_filters_same_samples(f, &b->filters))
		return true;
	if (!b->shown->filter) {
		report_say_stream(ui);
		return false;
	}
	ui_busy(ui, "Counting samples...");
	report_forget_rows(b);
	if (!b->shown->filter(b->shown->ctx, f, b->shown, &err))
		return true;
	ui_say(ui, "%s", err.msg);
	report_show_event(b, b->evsel);
	return false;
}

/* Put filters in force, which become the browser's. Return: whether that worked. */
static bool put_in_force(struct report_browser *b, struct ui *ui, struct report_filters *f)
{
	if (!count_again(b, ui, f)) {
		report_filters_free(f);
		return false;
	}
	report_filters_free(&b->filters);
	b->filters = *f;
	report_show_event(b, b->evsel);
	return true;
}

/* Put others in force, with a way back. To go back by hand is to undo. */
static void change(struct report_browser *b, struct ui *ui, struct report_filters *f)
{
	const struct report_filters *last = b->nr_undo ? &b->undone[b->nr_undo - 1] : NULL;
	struct report_filters before;

	if (last && report_filters_same_samples(last, f) && same(last->symbol, f->symbol)) {
		report_filters_free(f);
		report_undo(b, ui);
		return;
	}
	before = report_filters_copy(&b->filters);
	if (!put_in_force(b, ui, f)) {
		report_filters_free(&before);
		return;
	}
	VEC_GROW(b->undone, b->nr_undo + 1, b->cap_undo);
	b->undone[b->nr_undo++] = before;
}

bool report_undo(struct report_browser *b, struct ui *ui)
{
	struct report_filters f;

	if (!b->nr_undo)
		return false;
	f = b->undone[--b->nr_undo];
	put_in_force(b, ui, &f);
	return true;
}

/* ---- what is zoomed into ---- */

static bool has_column(const struct report_browser *b, unsigned int need)
{
	return hist_config(b->shown->h)->cols.need & need;
}

static s32 socket_of(const struct report_browser *b, const struct hist_row *row)
{
	const struct hist_conf *conf = hist_config(b->shown->h);
	u32 cpu = hist_base(b->shown->h, row->base)->cpu;

	if (!has_column(b, NEED_CPU) || !conf->socket_of || cpu >= conf->nr_sockets_of)
		return -1;
	return conf->socket_of[cpu];
}

/* Return the text of a filter that a request is about. */
static char **filter_of(struct report_filters *f, int request)
{
	if (request == REPORT_ZOOM_THREAD)
		return f->tid ? &f->tid : &f->comm;
	return &f->dso;
}

/* Return the name of the kernel's object; NULL: no row is of the kernel. */
static const char *kernel_name(const struct report_browser *b)
{
	for (size_t i = 0; i < b->nr_entries; i++) {
		const struct hist_row *row = report_entry_row(b, i);
		const char *name =
			hist_dso_name(b->shown->h, hist_place(b->shown->h, row->place)->dso);

		if (row->level == 'k' && !strncmp(name, "[kernel", 7))
			return name;
	}
	return NULL;
}

bool report_can_zoom(struct report_browser *b, int request)
{
	struct report_selected s = report_selected(b);

	if (request != REPORT_ZOOM_SOCKET && *filter_of(&b->filters, request))
		return true;
	if (!s.row)
		return false;
	switch (request) {
	case REPORT_ZOOM_THREAD:
		return has_column(b, NEED_COMM | NEED_THREAD);
	case REPORT_ZOOM_DSO:
		return has_column(b, NEED_DSO | NEED_SYM) && hist_place(b->shown->h, s.place)->dso;
	case REPORT_ZOOM_KERNEL:
		return has_column(b, NEED_DSO | NEED_SYM) && kernel_name(b);
	default:
		return b->filters.socket >= 0 || socket_of(b, s.row) >= 0;
	}
}

static void zoom_thread(const struct report_browser *b, const struct hist_row *row,
			struct report_filters *f)
{
	const struct hist_base *base = hist_base(b->shown->h, row->base);

	if (has_column(b, NEED_THREAD))
		f->tid = xasprintf("%u", base->tid);
	else
		f->comm = xstrdup(hist_comm_name(b->shown->h, base->comm));
}

void report_zoom(struct report_browser *b, struct ui *ui, int request)
{
	struct report_selected s = report_selected(b);
	struct report_filters f;
	char **text;

	if (!report_can_zoom(b, request)) {
		ui_say(ui, "Rows do not tell this apart: see --sort");
		return;
	}
	f = report_filters_copy(&b->filters);
	text = filter_of(&f, request);
	if (request == REPORT_ZOOM_SOCKET) {
		f.socket = f.socket >= 0 ? -1 : socket_of(b, s.row);
	} else if (*text) {
		free(*text);
		*text = NULL;
	} else if (request == REPORT_ZOOM_THREAD) {
		zoom_thread(b, s.row, &f);
	} else if (request == REPORT_ZOOM_KERNEL) {
		f.dso = copy(kernel_name(b));
	} else {
		f.dso = xstrdup(hist_dso_name(b->shown->h, hist_place(b->shown->h, s.place)->dso));
	}
	change(b, ui, &f);
}

void report_zoom_name(struct report_browser *b, int request, struct strbuf *out)
{
	struct report_selected s = report_selected(b);
	const char *in = *filter_of(&b->filters, request);

	if (request == REPORT_ZOOM_SOCKET) {
		strbuf_addf(out, "Zoom %s Processor Socket %d",
			    b->filters.socket >= 0 ? "out of" : "into",
			    b->filters.socket >= 0 ? b->filters.socket : socket_of(b, s.row));
		return;
	}
	strbuf_addf(out, "Zoom %s ", in ? "out of" : "into");
	if (request == REPORT_ZOOM_THREAD) {
		strbuf_addname(out, in ? in
				       : hist_comm_name(b->shown->h,
							hist_base(b->shown->h, s.row->base)->comm));
		if (!in && has_column(b, NEED_THREAD))
			strbuf_addf(out, "(%u)", hist_base(b->shown->h, s.row->base)->tid);
		strbuf_addstr(out, " thread");
	} else if (request == REPORT_ZOOM_KERNEL) {
		strbuf_addstr(out, "the kernel");
	} else {
		strbuf_addname(out, in ? in
				       : hist_dso_name(b->shown->h,
						       hist_place(b->shown->h, s.place)->dso));
		strbuf_addstr(out, " DSO");
	}
}

void report_ask_symbol(struct report_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;
	struct report_filters f;

	if (b->filters.symbol)
		strbuf_addstr(&text, b->filters.symbol);
	if (popup_input(ui, "Part of the name of symbols (empty: all)", &text)) {
		f = report_filters_copy(&b->filters);
		free(f.symbol);
		f.symbol = text.len ? xstrdup(text.buf) : NULL;
		change(b, ui, &f);
	}
	strbuf_release(&text);
}

void report_set_time(struct report_browser *b, struct ui *ui, const char *time)
{
	struct report_filters f = report_filters_copy(&b->filters);

	free(f.time);
	f.time = xstrdup(time);
	change(b, ui, &f);
}

void report_sort_by(struct report_browser *b, struct ui *ui, int event)
{
	u32 members = hist_event(b->shown->h, b->evsel)->nr_members;
	struct report_filters f;

	if (event && (u32)event >= members) {
		ui_say(ui, "There is no event %d in this group: it has %u", event, members);
		return;
	}
	f = report_filters_copy(&b->filters);
	f.sort_by = event;
	change(b, ui, &f);
}

static void add_filter(struct strbuf *out, const char *what, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, ", %s: ", what);
	strbuf_addname(out, text);
}

void report_filters_text(const struct report_browser *b, struct strbuf *out)
{
	const struct report_filters *f = &b->filters;

	add_filter(out, "Thread", f->comm);
	add_filter(out, "Thread", f->tid);
	add_filter(out, "DSO", f->dso);
	add_filter(out, "Time", f->time);
	add_filter(out, "Symbol", f->symbol);
	if (f->socket >= 0)
		strbuf_addf(out, ", Processor Socket: %d", f->socket);
	if (f->sort_by)
		strbuf_addf(out, ", Sorted by event: %d", f->sort_by);
}
