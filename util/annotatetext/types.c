// SPDX-License-Identifier: GPL-2.0-or-later
/* Types of data with their members, and statistics of what was found, as later versions of perf lay
 * them out. */
#include "base/compat.h"

#include "annotatetext/annotate-text.h"

#define LEVELS_MAX 32 /* of members in members; damaged types can form cycles */
#define INDENT 4      /* of a level */

/* A table that is being written. */
struct table {
	const struct annotate_text *t;
	const struct type_count *of;
	struct strbuf *out;
};

/* ---- numbers ---- */

static unsigned int column_width(const struct annotate_text *t)
{
	return t->total_period ? 12 : 8;
}

static void put_hits(const struct table *tb, u32 event, const struct annotate_hits *hits)
{
	const struct annotate_text *t = tb->t;
	const struct annotate_hits *of = t->global ? &t->totals[event] : &tb->of->totals[event];
	u64 part = t->hits ? hits->samples : hits->period, all = t->hits ? of->samples : of->period;
	double percent = all ? 100.0 * (double)part / (double)all : 0;
	const char *color = t->palette ? palette_percent(t->palette, percent) : "";

	strbuf_addstr(tb->out, color);
	if (t->total_period || t->nr_samples)
		strbuf_dec(tb->out, t->total_period ? hits->period : hits->samples,
			   column_width(t));
	else
		strbuf_addf(tb->out, " %7.2f", percent);
	if (*color)
		strbuf_addstr(tb->out, COLOR_RESET);
}

/* Begin a line: what was counted in the bytes of a member, and where these are. */
static void put_numbers(const struct table *tb, u64 offset, u64 size)
{
	for (size_t c = 0; c < tb->t->nr_events; c++) {
		u32 event = tb->t->events[c];
		struct annotate_hits hits = type_count_at(tb->of, event, offset, size);

		put_hits(tb, event, &hits);
	}
	strbuf_addf(tb->out, " %10" PRIu64 " %10" PRIu64, offset, size);
}

/* ---- members ---- */

static void put_members(const struct table *tb, u32 type, u64 offset, u32 level);

/* Append a type or member, and what is in it. @type: as declared; @size: 0 of an array without
 * end. */
static void put_member(const struct table *tb, const char *name, u32 type, u64 offset, u64 size,
		       u32 level)
{
	const struct type_member *members;
	u32 inner = type_element(tb->of->info, type);
	bool nested = level < LEVELS_MAX && type_members(tb->of->info, inner, &members) > 0;

	put_numbers(tb, offset, size);
	strbuf_addf(tb->out, "  %*s", (int)(level * INDENT), "");
	type_text(tb->of->info, type, tb->out);
	strbuf_addch(tb->out, '\t');
	strbuf_addname(tb->out, name ?: "");
	strbuf_addstr(tb->out, nested ? " {\n" : ";\n");
	if (!nested)
		return;
	put_members(tb, inner, offset, level + 1);
	strbuf_addf(tb->out, "%*s};\n",
		    (int)(column_width(tb->t) * tb->t->nr_events + 24 + level * INDENT), "");
}

static void put_members(const struct table *tb, u32 type, u64 offset, u32 level)
{
	const struct type_member *m;
	size_t nr = type_members(tb->of->info, type, &m);

	for (size_t i = 0; i < nr; i++)
		put_member(tb, m[i].name, m[i].type, offset + m[i].offset, m[i].size, level);
}

void annotate_type_table(const struct annotate_text *t, const struct type_count *type,
			 struct strbuf *out)
{
	const struct table tb = { t, type, out };
	u64 samples = 0;

	for (size_t c = 0; c < t->nr_events; c++)
		samples += type->totals[t->events[c]].samples;
	strbuf_addf(out, "Annotate type: '%s' in ", type->name);
	strbuf_addname(out, type->dso->path);
	strbuf_addf(out, " (%" PRIu64 " samples):\n", samples);
	strbuf_addf(out, " event%s: %s\n", t->nr_events > 1 ? "s" : "", t->event_names);
	for (u32 i = 0; i < column_width(t) * t->nr_events + 56; i++)
		strbuf_addch(out, '=');
	strbuf_addf(out, "\n%*s %10s %10s  %s\n", (int)(column_width(t) * t->nr_events),
		    t->total_period ? "Period"
		    : t->nr_samples ? "Samples"
				    : "Percent",
		    "offset", "size", "field");
	put_member(&tb, NULL, type->type, 0, type->size, 0);
	strbuf_addch(out, '\n');
}

/* ---- statistics ---- */

static double share(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void put_totals(u64 good, u64 bad, struct strbuf *out)
{
	strbuf_addf(out, "total %" PRIu64 ", ok %" PRIu64 " (%.1f%%), bad %" PRIu64 " (%.1f%%)\n",
		    good + bad, good, share(good, good + bad), bad, share(bad, good + bad));
}

#define RULE "-----------------------------------------------------------\n"

void annotate_type_statistic(const struct type_counts *c, struct strbuf *out)
{
	u64 good = 0, bad = 0;

	for (int i = 0; i < NR_DATATYPE_RESULTS; i++)
		*(i < DATATYPE_NO_SYM ? &good : &bad) += c->results[i];
	strbuf_addstr(out, "Annotate data type stats:\n");
	put_totals(good, bad, out);
	strbuf_addstr(out, RULE);
	for (int i = DATATYPE_NO_SYM; i < NR_DATATYPE_RESULTS; i++)
		if (c->results[i])
			strbuf_addf(out, "%10" PRIu64 " : %s\n", c->results[i],
				    datatype_reason((enum datatype_result)i));
	strbuf_addch(out, '\n');
}

void annotate_insn_statistic(const struct type_counts *c, struct strbuf *out)
{
	u64 good = 0, bad = 0;

	for (size_t i = 0; i < c->nr_insns; i++) {
		good += c->insns[i].good;
		bad += c->insns[i].bad;
	}
	strbuf_addstr(out, "Annotate Instruction stats\n");
	put_totals(good, bad, out);
	strbuf_addf(out, "\n  %-20s: %5s %5s\n" RULE, "Name/opcode", "Good", "Bad");
	for (size_t i = 0; i < c->nr_insns; i++) {
		strbuf_addstr(out, "  ");
		strbuf_addf(out, "%-20s: %5" PRIu64 " %5" PRIu64 "\n", c->insns[i].name,
			    c->insns[i].good, c->insns[i].bad);
	}
	strbuf_addch(out, '\n');
}
