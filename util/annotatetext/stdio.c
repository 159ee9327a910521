// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "annotatetext/annotate-text.h"

#include "base/alloc.h"

#define LEAST_SHOWN 0.5 /* the percentage from which on a position in the source is told */
#define TAB 8
#define TYPE_COLUMN 40 /* from the start of an instruction to the comment with its type */

/* ---- values ---- */

const char *annotate_text_name(const struct annotate_text *t)
{
	if (t->global)
		return t->hits ? "global hits" : "global period";
	return t->hits ? "local hits" : "local period";
}

void annotate_put_type(const struct annotate_text *t, const struct annotation *a,
		       const struct annotate_line *line, size_t begun, struct strbuf *out)
{
	if (!t->types || !line->type)
		return;
	strbuf_pad(out, begun + TYPE_COLUMN);
	strbuf_addstr(out, "  # data-type: ");
	strbuf_addstr(out, annotation_text(a, line->type));
}

double annotate_share(const struct annotate_text *t, const struct annotation *a, size_t column,
		      const struct annotate_hits *h)
{
	u32 event = t->events[column];
	const struct annotate_hits *of = t->global ? &t->totals[event] : &a->of->totals[event];
	u64 part = t->hits ? h->samples : h->period, all = t->hits ? of->samples : of->period;

	return all ? 100.0 * (double)part / (double)all : 0;
}

double annotate_percent(const struct annotate_text *t, const struct annotation *a, size_t line,
			size_t column)
{
	return annotate_share(t, a, column, annotation_hits(a, line, t->events[column]));
}

static double most_percent(const struct annotate_text *t, const struct annotation *a, size_t line)
{
	double most = 0;

	for (size_t c = 0; c < t->nr_events; c++)
		most = MAX(most, annotate_percent(t, a, line, c));
	return most;
}

/* Characters of one column of numbers. */
static unsigned int column_width(const struct annotate_text *t)
{
	return t->total_period ? 12 : 8;
}

static void put_percent(const struct annotate_text *t, double percent, struct strbuf *out)
{
	const char *color = t->palette ? palette_percent(t->palette, percent) : "";

	strbuf_addf(out, "%s %7.2f%s", color, percent, *color ? COLOR_RESET : "");
}

static void put_value(const struct annotate_text *t, const struct annotation *a, size_t line,
		      size_t column, struct strbuf *out)
{
	const struct annotate_hits *h = annotation_hits(a, line, t->events[column]);
	double percent = annotate_percent(t, a, line, column);
	const char *color = t->palette ? palette_percent(t->palette, percent) : "";

	if (!t->total_period && !t->nr_samples) {
		put_percent(t, percent, out);
		return;
	}
	strbuf_addstr(out, color);
	strbuf_dec(out, t->total_period ? h->period : h->samples, column_width(t));
	if (*color)
		strbuf_addstr(out, COLOR_RESET);
}

/* ---- the lines of source with most samples ---- */

struct summed {
	u32 file, line;
	char *place;      /* owned; both as text */
	double *percents; /* owned; by column */
	size_t columns;
};

struct sums {
	struct summed *v;
	size_t nr, cap;
};

static struct summed *sum_of(struct sums *s, size_t columns, const struct annotation *a,
			     const struct annotate_line *line)
{
	struct summed *sum;

	for (size_t i = 0; i < s->nr; i++)
		if (s->v[i].line == line->line &&
		    !strcmp(annotation_text(a, s->v[i].file), annotation_text(a, line->file)))
			return &s->v[i];
	VEC_GROW(s->v, s->nr + 1, s->cap);
	sum = &s->v[s->nr++];
	*sum = (struct summed){
		.file = line->file,
		.line = line->line,
		.place = xasprintf("%s:%u", annotation_text(a, line->file), line->line),
		.percents = xcalloc(columns, sizeof(double)),
		.columns = columns,
	};
	return sum;
}

/* Is the position of an instruction told? */
static bool has_position(const struct annotate_text *t, const struct annotation *a, size_t i)
{
	const struct annotate_line *line = &a->lines[i];

	return line->kind == ANNOTATE_INSN && line->file && most_percent(t, a, i) > LEAST_SHOWN;
}

/* Order by the columns from left to right, and equal lines as perf 6.1 does: by the text of their
 * places, in which line 12 is before line 9. */
static int by_percent(const void *x, const void *y)
{
	const struct summed *a = x, *b = y;

	for (size_t i = 0; i < a->columns; i++)
		if (a->percents[i] != b->percents[i])
			return a->percents[i] > b->percents[i] ? -1 : 1;
	return strcmp(a->place, b->place);
}

static void put_summary(const struct annotate_text *t, const struct annotation *a,
			struct strbuf *out)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < a->nr; i++) {
		struct summed *s;

		if (!has_position(t, a, i))
			continue;
		s = sum_of(&sums, t->nr_events, a, &a->lines[i]);
		for (size_t c = 0; c < t->nr_events; c++)
			s->percents[c] += annotate_percent(t, a, i, c);
	}
	strbuf_addstr(out, "\nSorted summary for file ");
	strbuf_addname(out, location_dso_long(&a->of->at));
	strbuf_addstr(out, "\n----------------------------------------------\n\n");
	if (!sums.nr)
		strbuf_addf(out, " Nothing higher than %1.1f%%\n", LEAST_SHOWN);
	if (sums.nr)
		qsort(sums.v, sums.nr, sizeof(*sums.v), by_percent);
	for (size_t i = 0; i < sums.nr; i++) {
		for (size_t c = 0; c < t->nr_events; c++)
			put_percent(t, sums.v[i].percents[c], out);
		strbuf_addch(out, ' ');
		annotate_place_text(t, a, sums.v[i].file, sums.v[i].line, out);
		strbuf_addch(out, '\n');
		free(sums.v[i].percents);
		free(sums.v[i].place);
	}
	free(sums.v);
}

/* ---- lines ---- */

static void put_heading(const struct annotate_text *t, const struct annotation *a,
			struct strbuf *out)
{
	const struct location *l = &a->of->at;
	size_t begun = out->len, width;

	strbuf_addf(out, " %-*s|\t", (int)(column_width(t) * t->nr_events),
		    t->total_period ? "Period"
		    : t->nr_samples ? "Samples"
				    : "Percent");
	strbuf_addstr(out, "Source code & Disassembly of ");
	strbuf_addname(out, t->full_paths ? location_dso_long(l) : location_dso(l));
	strbuf_addstr(out, " for ");
	strbuf_addname(out, t->event_names);
	strbuf_addf(out, " (%" PRIu64 " samples, percent: %s)\n",
		    a->of->totals[t->events[0]].samples, annotate_text_name(t));
	/* As in perf 6.1 the line under it is longer by what the tab may take. */
	width = out->len - begun + 4;
	while (width--)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
}

/* List the addresses with samples of the first column's event. */
static void put_addresses(const struct annotate_text *t, const struct annotation *a,
			  struct strbuf *out)
{
	const struct annotate_function *f = a->of;

	for (size_t i = 0; i < f->nr_sites; i++) {
		const struct annotate_site *s = &f->sites[i];

		if (s->event == t->events[0])
			strbuf_addf(out, "%32" PRIx64 ": %" PRIu64 "\n",
				    a->start + (s->addr - f->start), s->hits.samples);
	}
	strbuf_addf(out, "%32s: %" PRIu64 "\n", "h->nr_samples", f->totals[t->events[0]].samples);
}

static int hex_digits(u64 v)
{
	return snprintf(NULL, 0, "%" PRIx64, v);
}

/* The state of a layout from line to line. */
struct layout {
	int number_width; /* of addresses and of the numbers of lines: that of the last address */
	u32 file, line;   /* position that was told last */
};

static void put_text_line(const struct annotate_text *t, const struct annotation *a,
			  const struct annotate_line *line, const struct layout *layout,
			  struct strbuf *out)
{
	const char *text = annotation_text(a, line->text);

	strbuf_addf(out, " %*s:", (int)(column_width(t) * t->nr_events), "");
	if (*text) {
		strbuf_addf(out, " %-*u ", layout->number_width, line->number);
		strbuf_addname(out, text);
		annotate_calls_text(t, a, line, out);
	}
	strbuf_addch(out, '\n');
}

static void put_insn_line(const struct annotate_text *t, const struct annotation *a, size_t i,
			  struct layout *layout, struct strbuf *out)
{
	const struct annotate_line *line = &a->lines[i];
	int digits = hex_digits(line->addr);
	size_t text;

	for (size_t c = 0; c < t->nr_events; c++)
		put_value(t, a, i, c, out);
	strbuf_addstr(out, t->palette ? " : \033[35m  " : " :   ");
	strbuf_hex(out, line->addr, 1, (unsigned int)layout->number_width);
	strbuf_addstr(out, t->palette ? ":" COLOR_RESET COLOR_BLUE : ":");
	/* A tab follows in what objdump writes. */
	strbuf_addf(out, "%*s", TAB - (digits + 1) % TAB, "");
	text = out->len;
	strbuf_addname(out, annotation_text(a, line->text));
	annotate_put_type(t, a, line, text, out);
	if (t->palette)
		strbuf_addstr(out, COLOR_RESET);
	if (t->positions && has_position(t, a, i) &&
	    (line->line != layout->line || line->file != layout->file)) {
		strbuf_addstr(out, " // ");
		annotate_place_text(t, a, line->file, line->line, out);
		layout->line = line->line;
		layout->file = line->file;
	}
	strbuf_addch(out, '\n');
}

void annotate_stdio(const struct annotate_text *t, const struct annotation *a, struct strbuf *out)
{
	struct layout layout = { 0 };

	for (size_t i = 0; i < a->nr; i++)
		if (a->lines[i].kind == ANNOTATE_INSN)
			layout.number_width =
				MAX(layout.number_width, hex_digits(a->lines[i].addr));
	if (t->positions)
		put_summary(t, a, out);
	put_heading(t, a, out);
	annotate_callees_text(t, a, out);
	if (t->addresses)
		put_addresses(t, a, out);
	for (size_t i = 0; i < a->nr; i++) {
		if (a->lines[i].kind == ANNOTATE_INSN)
			put_insn_line(t, a, i, &layout, out);
		else
			put_text_line(t, a, &a->lines[i], &layout, out);
	}
}
