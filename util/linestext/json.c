// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines and entries as JSON. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "codec/json.h"

#include <stdlib.h>

static const char *const count_names[ACCESS_COUNTS] = {
	[ACCESS_LOCKED] = "locked",
	[ACCESS_STORE] = "stores",
	[ACCESS_ST_UNCACHED] = "stores_uncached",
	[ACCESS_ST_NO_ADDRESS] = "stores_without_address",
	[ACCESS_ST_L1_HIT] = "stores_l1_hit",
	[ACCESS_ST_L1_MISS] = "stores_l1_miss",
	[ACCESS_ST_NO_LEVEL] = "stores_without_level",
	[ACCESS_LOAD] = "loads",
	[ACCESS_LD_EXCLUSIVE] = "loads_exclusive",
	[ACCESS_LD_SHARED] = "loads_shared",
	[ACCESS_LD_UNCACHED] = "loads_uncached",
	[ACCESS_LD_IO] = "loads_io",
	[ACCESS_LD_MISS] = "loads_miss",
	[ACCESS_LD_NO_ADDRESS] = "loads_without_address",
	[ACCESS_LD_FILL_BUFFER] = "fill_buffer",
	[ACCESS_LD_L1] = "l1",
	[ACCESS_LD_L2] = "l2",
	[ACCESS_LD_LLC] = "llc",
	[ACCESS_LCL_HITM] = "local_hitm",
	[ACCESS_RMT_HITM] = "remote_hitm",
	[ACCESS_RMT_HIT] = "remote_hit",
	[ACCESS_LCL_PEER] = "local_peer",
	[ACCESS_RMT_PEER] = "remote_peer",
	[ACCESS_LCL_DRAM] = "local_dram",
	[ACCESS_RMT_DRAM] = "remote_dram",
	[ACCESS_BLOCKED_DATA] = "blocked_by_data",
	[ACCESS_BLOCKED_ADDRESS] = "blocked_by_address",
	[ACCESS_NO_MAP] = "without_mapping",
	[ACCESS_UNKNOWN] = "unknown",
};

/* Counters that are 0 are left out. */
static void put_counts(const struct line_counts *c, struct strbuf *out)
{
	strbuf_addf(out, "{\"accesses\":%" PRIu64, c->accesses);
	for (u32 i = 0; i < ACCESS_COUNTS; i++)
		if (c->nr[i])
			strbuf_addf(out, ",\"%s\":%" PRIu64, count_names[i], c->nr[i]);
	strbuf_addch(out, '}');
}

static void put_cycles(const struct line_sums *e, struct strbuf *out)
{
	static const char *const names[CYCLES_KINDS] = { "remote_hitm", "local_hitm", "remote_peer",
							 "local_peer", "load" };
	bool any = false;

	strbuf_addstr(out, ",\"cycles\":{");
	for (u32 i = 0; i < CYCLES_KINDS; i++) {
		if (!e->loads[i])
			continue;
		strbuf_addf(out, "%s\"%s\":%.1f", any ? "," : "", names[i],
			    (double)e->cycles[i] / (double)e->loads[i]);
		any = true;
	}
	strbuf_addch(out, '}');
}

static void put_entry(struct clines_table *t, const struct line *line, const struct hist *graphs,
		      const struct shown_entry *s, struct strbuf *out)
{
	const struct line_entry *e = s->e;
	const struct line_row *r = clines_rows(t->lines) + e->row;
	struct entry_texts x = ENTRY_TEXTS_INIT;
	struct strbuf nodes = STRBUF_INIT;

	strbuf_addf(out, "{\"offset\":%u", e->offset);
	if (clines_has_key(t->show, CLINES_PID))
		strbuf_addf(out, ",\"pid\":%d", (s32)r->pid);
	if (clines_has_key(t->show, CLINES_TID)) {
		strbuf_addf(out, ",\"tid\":%d", (s32)r->tid);
		json_text_member(out, "comm", clines_row_comm(t, r));
	}
	clines_row_texts(t, r, &x);
	if (clines_has_key(t->show, CLINES_CODE)) {
		strbuf_addf(out, ",\"code\":\"0x%" PRIx64 "\"", r->ip);
		json_text_member(out, "symbol", strbuf_str(&x.symbol) + 4);
		if (x.source.len)
			json_text_member(out, "source", strbuf_str(&x.source));
		if (x.field.len)
			json_text_member(out, "field", strbuf_str(&x.field));
	}
	if (clines_has_key(t->show, CLINES_CODE) || clines_has_key(t->show, CLINES_OBJECT))
		json_text_member(out, "object", strbuf_str(&x.object));
	strbuf_addf(out, ",\"cpus\":%" PRIu64, clines_nr_cpus(t, e));
	clines_put_nodes(t, s, &nodes);
	json_text_member(out, "nodes", strbuf_str(&nodes) + strspn(strbuf_str(&nodes), " "));
	put_cycles(&s->sums, out);
	strbuf_addstr(out, ",\"counts\":");
	put_counts(&s->sums.counts, out);
	clines_json_graph(t, graphs, line, e, out);
	strbuf_addch(out, '}');
	strbuf_release(&nodes);
	entry_texts_release(&x);
}

/* Say what the line holds, and which field had better be elsewhere. */
static void put_object(struct clines_table *t, const struct line *line, struct strbuf *out)
{
	struct strbuf data = STRBUF_INIT;
	struct line_advice a;

	clines_put_data(t, line, &data);
	json_text_member(out, "data", strbuf_str(&data));
	if (clines_advise(t, line, &a))
		strbuf_addf(out,
			    ",\"move\":{\"offset\":%u,\"tid\":%d,\"contended_loads\":%" PRIu64
			    ",\"avoidable_loads\":%" PRIu64 "}",
			    a.offset, (s32)a.tid, a.contended, a.apart);
	strbuf_release(&data);
}

static void put_line(struct clines_table *t, const struct line *line, struct strbuf *out)
{
	size_t nr;
	struct shown_entry *order = clines_entry_order(t, line, &nr);
	struct hist *graphs = clines_graphs_new(t, line);
	u64 pages, nodes = clines_memory_nodes(t, line->row, line->nr_rows, &pages);

	strbuf_addf(out, "{\"address\":\"0x%" PRIx64 "\",\"memory_nodes\":\"", line->addr);
	clines_put_set(&nodes, CLINES_MAX_NODES, out);
	strbuf_addf(out, "\",\"physical_lines\":%" PRIu64 ",\"counts\":", pages);
	put_counts(&line->counts, out);
	if (t->show->objects)
		put_object(t, line, out);
	strbuf_addstr(out, ",\"entries\":[");
	for (size_t i = 0; i < nr; i++) {
		strbuf_addstr(out, i ? ",\n" : "\n");
		put_entry(t, line, graphs, &order[i], out);
	}
	strbuf_addstr(out, "]}");
	hist_free(graphs);
	free(order);
}

void clines_table_json(struct clines_table *t, struct strbuf *out)
{
	const struct evlist *l = &t->r->session.evlist;

	strbuf_addstr(out, "{\"events\":[");
	for (size_t i = 0; i < l->nr; i++) {
		strbuf_addstr(out, i ? "," : "");
		json_string(out, l->evsels[i]->name);
	}
	strbuf_addf(out, "],\"sorted_by\":\"%s\",\"line_size\":%u,\"counts\":",
		    clines_display_name(t->display), t->line_size);
	put_counts(clines_counts(t->lines), out);
	strbuf_addf(out, ",\"shared_lines\":%" PRIu64 ",\"shared_counts\":", t->nr_shared);
	put_counts(&t->shared, out);
	strbuf_addstr(out, ",\"lines\":[");
	for (size_t i = 0; i < t->nr_shown && !t->show->stats_only; i++) {
		strbuf_addstr(out, i ? ",\n" : "\n");
		put_line(t, t->shown[i], out);
	}
	strbuf_addstr(out, "]}\n");
}
