// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines and entries as a page for a browser. It has no script, and loads nothing. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "codec/quote.h"

#include <stdlib.h>

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	"'unsafe-inline'\">\n<title>Contended cache lines</title>\n<style>\n"
	"body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#222;background:#fff}\n"
	"table{border-collapse:collapse;margin:.5em 0 1.5em}\n"
	"th,td{padding:.15em .6em;text-align:right;border-bottom:1px solid #ddd}\n"
	"th{background:#f3f3f3;position:sticky;top:0}\n"
	"td.t,th.t{text-align:left}td.c{font-family:monospace}\n"
	".hint{background:#fff3cd;padding:.4em .8em;white-space:pre-wrap}\n"
	"@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}"
	"th{background:#282828}th,td{border-color:#383838}.hint{background:#443c1c}}\n"
	"</style></head><body>\n";

static void put_cell(u64 number, struct strbuf *out)
{
	strbuf_addf(out, "<td>%" PRIu64 "</td>", number);
}

static void put_text(const char *text, struct strbuf *out)
{
	strbuf_addstr(out, "<td class=\"t\">");
	quote_xml(out, text);
	strbuf_addstr(out, "</td>");
}

static void put_share(u64 part, u64 all, struct strbuf *out)
{
	strbuf_addf(out, "<td>%.2f%%</td>", all ? 100.0 * (double)part / (double)all : 0.0);
}

static void put_counts(const struct line_counts *c, struct strbuf *out)
{
	static const u8 which[] = { ACCESS_LCL_HITM, ACCESS_RMT_HITM,  ACCESS_LCL_PEER,
				    ACCESS_RMT_PEER, ACCESS_ST_L1_HIT, ACCESS_ST_L1_MISS,
				    ACCESS_LD_LLC,   ACCESS_RMT_HIT,   ACCESS_LCL_DRAM,
				    ACCESS_RMT_DRAM };

	put_cell(line_loads(c), out);
	put_cell(line_stores(c), out);
	for (size_t i = 0; i < sizeof(which); i++)
		put_cell(c->nr[which[i]], out);
}

#define COUNTS                                                                                     \
	"<th>Loads</th><th>Stores</th><th>Local HITM</th><th>Remote HITM</th><th>Local peer</th>"  \
	"<th>Remote peer</th><th>Stores: L1 hit</th><th>L1 miss</th><th>LLC hit</th>"              \
	"<th>Remote hit</th><th>Local DRAM</th><th>Remote DRAM</th>"

static void put_table(struct clines_table *t, struct strbuf *out)
{
	u64 all = clines_measure(t->display, &t->shared);

	strbuf_addf(
		out,
		"<table><tr><th>#</th><th>Address</th><th class=\"t\">Data</th><th>%s</th>" COUNTS
		"</tr>\n",
		clines_display_name(t->display));
	for (size_t i = 0; i < t->nr_shown; i++) {
		const struct line *line = t->shown[i];
		struct strbuf data = STRBUF_INIT;

		clines_put_data(t, line, &data);
		strbuf_addf(out,
			    "<tr><td>%zu</td><td class=\"c\"><a href=\"#line%zu\">0x%" PRIx64
			    "</a></td>",
			    i, i, line->addr);
		put_text(strbuf_str(&data), out);
		put_share(clines_measure(t->display, &line->counts), all, out);
		put_counts(&line->counts, out);
		strbuf_addstr(out, "</tr>\n");
		strbuf_release(&data);
	}
	strbuf_addstr(out, "</table>\n");
}

static void put_who(struct clines_table *t, const struct line_row *r, struct strbuf *out)
{
	struct strbuf who = STRBUF_INIT;

	if (clines_has_key(t->show, CLINES_PID))
		strbuf_addf(&who, "%d ", (s32)r->pid);
	if (clines_has_key(t->show, CLINES_TID))
		strbuf_addf(&who, "%d:%s", (s32)r->tid, clines_row_comm(t, r));
	put_text(strbuf_str(&who), out);
	strbuf_release(&who);
}

static void put_entry(struct clines_table *t, const struct line *line, const struct shown_entry *s,
		      struct strbuf *out)
{
	const struct line_row *r = clines_rows(t->lines) + s->e->row;
	struct entry_texts x = ENTRY_TEXTS_INIT;
	struct strbuf nodes = STRBUF_INIT;

	clines_row_texts(t, r, &x);
	clines_put_nodes(t, s, &nodes);
	strbuf_addf(out, "<tr><td class=\"c\">0x%x</td>", s->e->offset);
	put_share(clines_measure(t->display, &s->sums.counts),
		  clines_measure(t->display, &line->counts), out);
	put_text(strbuf_str(&x.field), out);
	put_who(t, r, out);
	put_text(clines_has_key(t->show, CLINES_CODE) ? strbuf_str(&x.symbol) : "", out);
	put_text(strbuf_str(&x.object), out);
	put_text(strbuf_str(&x.source), out);
	put_cell(clines_nr_cpus(t, s->e), out);
	put_text(strbuf_str(&nodes), out);
	put_counts(&s->sums.counts, out);
	strbuf_addstr(out, "</tr>\n");
	strbuf_release(&nodes);
	entry_texts_release(&x);
}

static void put_line(struct clines_table *t, size_t nth, struct strbuf *out)
{
	const struct line *line = t->shown[nth];
	struct strbuf hint = STRBUF_INIT;
	size_t nr;
	struct shown_entry *order = clines_entry_order(t, line, &nr);

	strbuf_addf(out, "<h2 id=\"line%zu\">%zu: line at 0x%" PRIx64 "</h2>\n", nth, nth,
		    line->addr);
	clines_put_advice(t, line, &hint);
	if (hint.len) {
		strbuf_addstr(out, "<p class=\"hint\">");
		quote_xml(out, strbuf_str(&hint));
		strbuf_addstr(out, "</p>\n");
	}
	strbuf_addstr(out, "<table><tr><th>Offset</th><th>Share</th><th class=\"t\">Field</th>"
			   "<th class=\"t\">Thread</th><th class=\"t\">Code</th>"
			   "<th class=\"t\">Object</th><th class=\"t\">Source</th><th>CPUs</th>"
			   "<th class=\"t\">Nodes</th>" COUNTS "</tr>\n");
	for (size_t i = 0; i < nr; i++)
		put_entry(t, line, &order[i], out);
	strbuf_addstr(out, "</table>\n");
	strbuf_release(&hint);
	free(order);
}

void clines_table_html(struct clines_table *t, struct strbuf *out)
{
	const struct line_counts *c = clines_counts(t->lines);

	strbuf_addstr(out, head);
	strbuf_addf(out,
		    "<h1>Contended cache lines</h1>\n<p>%" PRIu64 " accesses, %" PRIu64
		    " loads of lines that were modified in another cache, %" PRIu64
		    " loads that another core has served, %" PRIu64 " lines that are shared. "
		    "Lines are of %u bytes.</p>\n",
		    c->accesses, line_hitms(c), line_peers(c), t->nr_shared, t->line_size);
	put_table(t, out);
	for (size_t i = 0; i < t->nr_shown; i++)
		put_line(t, i, out);
	strbuf_addstr(out, "</body></html>\n");
}
