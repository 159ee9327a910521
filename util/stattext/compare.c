// SPDX-License-Identifier: GPL-2.0-or-later
/* Print commands side by side. */
#include "base/compat.h"
#include "stattext/compare.h"

#include "codec/json.h"

#include <math.h>

#define NAME_WIDTH 28
#define VALUE_WIDTH 19
#define ERROR_WIDTH 11

static const char *missing(const struct compare_row *row)
{
	return row->unsupported ? "<not supported>" : "<not counted>";
}

/* --- text ------------------------------------------------------------------------- */

static void put_mean(const struct compare_row *row, size_t k, const char *thousands,
		     struct strbuf *out)
{
	const struct spread *s = &row->of[k];
	struct strbuf number = STRBUF_INIT, grouped = STRBUF_INIT;

	if (!s->nr) {
		strbuf_addf(out, "%*s%*s", VALUE_WIDTH, missing(row), ERROR_WIDTH, "");
		return;
	}
	strbuf_addf(&number,
		    row->real && s->mean < 100 ? "%.6f"
		    : s->mean < 1000           ? "%.2f"
					       : "%.0f",
		    s->mean);
	stat_put_grouped(strbuf_str(&number), thousands ? thousands : "", &grouped);
	strbuf_addf(out, "%*s", VALUE_WIDTH, strbuf_str(&grouped));
	if (s->nr > 1)
		strbuf_addf(out, " +-%*.2f%%", ERROR_WIDTH - 4, spread_percent(s));
	else
		strbuf_addf(out, "%*s", ERROR_WIDTH, "");
	strbuf_release(&number);
	strbuf_release(&grouped);
}

static void put_ratio(const struct ratio *r, struct strbuf *out)
{
	if (!r->known) {
		strbuf_addstr(out, "         -");
		return;
	}
	strbuf_addf(out, " %9.4f", r->value);
	if (r->bounded)
		strbuf_addf(out, "  %9.4f .. %-9.4f", r->low, r->high);
	if (r->differs)
		strbuf_addstr(out, " *");
}

static void put_pair(const struct compare_table *t, size_t k, const char *thousands,
		     struct strbuf *out)
{
	char letter = (char)('A' + k);
	bool marked = false;

	strbuf_addf(out, "\n %-*s%*s%*s%*c%*s       %c/A   %2.0f%% interval\n", NAME_WIDTH, "",
		    VALUE_WIDTH, "A", ERROR_WIDTH, "", VALUE_WIDTH, letter, ERROR_WIDTH, "", letter,
		    t->confidence * 100);
	for (size_t i = 0; i < t->nr_rows; i++) {
		const struct compare_row *row = &t->rows[i];
		struct ratio r = compare_ratio(t, row, k);
		size_t at = out->len + 1;

		strbuf_addch(out, ' ');
		strbuf_addname(out, row->name);
		if (row->unit)
			strbuf_addf(out, " (%s)", row->unit);
		strbuf_pad(out, at + NAME_WIDTH);
		put_mean(row, 0, thousands, out);
		put_mean(row, k, thousands, out);
		put_ratio(&r, out);
		while (out->len && out->buf[out->len - 1] == ' ')
			out->buf[--out->len] = '\0';
		strbuf_addch(out, '\n');
		marked |= r.differs;
	}
	if (marked)
		strbuf_addf(out, "\n * %c differs from A: 1 is outside of the interval\n", letter);
}

void compare_text(const struct compare_table *t, const char *thousands, struct strbuf *out)
{
	strbuf_addstr(out, "\n Performance counter comparison:\n\n");
	for (size_t k = 0; k < t->nr_commands; k++) {
		strbuf_addf(out, " %c: ", (char)('A' + k));
		strbuf_addname(out, t->commands[k]);
		strbuf_addf(out, " (%" PRIu64 " run%s)\n", t->runs[k], t->runs[k] == 1 ? "" : "s");
	}
	for (size_t k = 1; k < t->nr_commands; k++)
		put_pair(t, k, thousands, out);
	strbuf_addch(out, '\n');
}

/* --- CSV, JSON -------------------------------------------------------------------- */

static void csv_line(const struct compare_table *t, const struct compare_row *row, size_t k,
		     const char *sep, struct strbuf *out)
{
	const struct spread *s = &row->of[k];
	struct ratio r = compare_ratio(t, row, k);

	strbuf_addf(out, "%c%s", (char)('A' + k), sep);
	strbuf_addname(out, row->name);
	strbuf_addf(out, "%s%s%s", sep, row->unit ? row->unit : "", sep);
	if (s->nr)
		strbuf_addf(out, "%.15g", s->mean);
	else
		strbuf_addstr(out, missing(row));
	strbuf_addstr(out, sep);
	if (s->nr > 1)
		strbuf_addf(out, "%.2f%%", spread_percent(s));
	strbuf_addf(out, "%s%" PRIu64 "%s", sep, s->nr, sep);
	if (k && r.known)
		strbuf_addf(out, "%.6f", r.value);
	strbuf_addstr(out, sep);
	if (k && r.bounded)
		strbuf_addf(out, "%.6f%s%.6f%s%d", r.low, sep, r.high, sep, r.differs);
	else
		strbuf_addf(out, "%s%s", sep, sep);
	strbuf_addch(out, '\n');
}

void compare_csv(const struct compare_table *t, const char *sep, struct strbuf *out)
{
	for (size_t i = 0; i < t->nr_rows; i++)
		for (size_t k = 0; k < t->nr_commands; k++)
			csv_line(t, &t->rows[i], k, sep, out);
}

static void json_ratio(const struct ratio *r, struct strbuf *out)
{
	if (!r->known)
		return;
	strbuf_addf(out, ", \"ratio\" : %.6f", r->value);
	if (!r->bounded)
		return;
	strbuf_addf(out, ", \"ratio-low\" : %.6f, \"ratio-high\" : ", r->low);
	/* there is no infinity in JSON */
	if (isfinite(r->high))
		strbuf_addf(out, "%.6f", r->high);
	else
		strbuf_addstr(out, "null");
	strbuf_addf(out, ", \"differs\" : %s", r->differs ? "true" : "false");
}

static void json_line(const struct compare_table *t, const struct compare_row *row, size_t k,
		      struct strbuf *out)
{
	const struct spread *s = &row->of[k];
	struct ratio r = compare_ratio(t, row, k);

	strbuf_addf(out, "{\"command\" : \"%c\", \"command-line\" : ", (char)('A' + k));
	json_string(out, t->commands[k]);
	strbuf_addstr(out, ", \"event\" : ");
	json_string(out, row->name);
	strbuf_addstr(out, ", \"unit\" : ");
	json_string(out, row->unit ? row->unit : "");
	strbuf_addf(out, ", \"runs\" : %" PRIu64 ", \"mean\" : ", s->nr);
	if (s->nr)
		strbuf_addf(out, "%.15g", s->mean);
	else
		json_string(out, missing(row));
	if (s->nr > 1)
		strbuf_addf(out, ", \"variance\" : %.2f", spread_percent(s));
	if (k)
		json_ratio(&r, out);
	strbuf_addstr(out, "}\n");
}

void compare_json(const struct compare_table *t, struct strbuf *out)
{
	for (size_t i = 0; i < t->nr_rows; i++)
		for (size_t k = 0; k < t->nr_commands; k++)
			json_line(t, &t->rows[i], k, out);
}
