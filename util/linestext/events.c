// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of sums, and what is shown below them. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

static void put_title(const char *title, struct strbuf *out)
{
	strbuf_addf(out,
		    "=================================================\n"
		    "%s\n"
		    "=================================================\n",
		    title);
}

static void put_number(const char *what, u64 number, struct strbuf *out)
{
	strbuf_addf(out, "  %-34s: %10" PRIu64 "\n", what, number);
}

static void put_share(const char *what, u64 part, u64 all, struct strbuf *out)
{
	strbuf_addf(out, "  %-34s: %10.1f%%\n", what,
		    all ? 100.0 * (double)part / (double)all : 0.0);
}

/* A line of a table: the sum of up to two counters. */
struct event_line {
	const char *what;
	u8 one, two; /* ACCESS_COUNTS: none */
};

#define ONE(what, count)                                                                           \
	{                                                                                          \
		what, ACCESS_##count, ACCESS_COUNTS                                                \
	}
#define TWO(what, first, second)                                                                   \
	{                                                                                          \
		what, ACCESS_##first, ACCESS_##second                                              \
	}

static const struct event_line loads[] = {
	ONE("Locked Load/Store Operations", LOCKED),
	ONE("Load Operations", LOAD),
	ONE("Loads - uncacheable", LD_UNCACHED),
	ONE("Loads - IO", LD_IO),
	ONE("Loads - Miss", LD_MISS),
	ONE("Loads - no mapping", LD_NO_ADDRESS),
	ONE("Load Fill Buffer Hit", LD_FILL_BUFFER),
	ONE("Load L1D hit", LD_L1),
	ONE("Load L2D hit", LD_L2),
	TWO("Load LLC hit", LD_LLC, LCL_HITM),
	ONE("Load Local HITM", LCL_HITM),
	ONE("Load Remote HITM", RMT_HITM),
	ONE("Load Remote HIT", RMT_HIT),
	ONE("Load Local DRAM", LCL_DRAM),
	ONE("Load Remote DRAM", RMT_DRAM),
	ONE("Load MESI State Exclusive", LD_EXCLUSIVE),
	ONE("Load MESI State Shared", LD_SHARED),
};

static const struct event_line blocks[] = {
	ONE("Load access blocked by data", BLOCKED_DATA),
	ONE("Load access blocked by address", BLOCKED_ADDRESS),
	ONE("Load HIT Local Peer", LCL_PEER),
	ONE("Load HIT Remote Peer", RMT_PEER),
};

static const struct event_line misses[] = {
	ONE("LLC Misses to Local DRAM", LCL_DRAM),
	ONE("LLC Misses to Remote DRAM", RMT_DRAM),
	ONE("LLC Misses to Remote cache (HIT)", RMT_HIT),
	ONE("LLC Misses to Remote cache (HITM)", RMT_HITM),
};

static const struct event_line stores[] = {
	ONE("Store Operations", STORE),
	ONE("Store - uncacheable", ST_UNCACHED),
	ONE("Store - no mapping", ST_NO_ADDRESS),
	ONE("Store L1D Hit", ST_L1_HIT),
	ONE("Store L1D Miss", ST_L1_MISS),
	ONE("Store No available memory level", ST_NO_LEVEL),
	ONE("No Page Map Rejects", NO_MAP),
	ONE("Unable to parse data source", UNKNOWN),
};

static const struct event_line shared[] = {
	ONE("Load HITs on shared lines", LOAD),
	ONE("Fill Buffer Hits on shared lines", LD_FILL_BUFFER),
	ONE("L1D hits on shared lines", LD_L1),
	ONE("L2D hits on shared lines", LD_L2),
	TWO("LLC hits on shared lines", LD_LLC, LCL_HITM),
	TWO("Load hits on peer cache or nodes", LCL_PEER, RMT_PEER),
	ONE("Locked Access on shared lines", LOCKED),
	TWO("Blocked Access on shared lines", BLOCKED_DATA, BLOCKED_ADDRESS),
	ONE("Store HITs on shared lines", STORE),
	ONE("Store L1D hits on shared lines", ST_L1_HIT),
	ONE("Store No available memory level", ST_NO_LEVEL),
};

static u64 value_of(const struct event_line *l, const struct line_counts *c)
{
	return c->nr[l->one] + (l->two == ACCESS_COUNTS ? 0 : c->nr[l->two]);
}

static void put_lines(const struct event_line *l, size_t nr, const struct line_counts *c,
		      struct strbuf *out)
{
	for (size_t i = 0; i < nr; i++)
		put_number(l[i].what, value_of(&l[i], c), out);
}

static void put_trace(const struct line_counts *c, struct strbuf *out)
{
	u64 all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(misses); i++)
		all += value_of(&misses[i], c);
	put_title("            Trace Event Information              ", out);
	put_number("Total records", c->accesses, out);
	put_lines(loads, ARRAY_SIZE(loads), c, out);
	put_number("Load LLC Misses", all, out);
	put_lines(blocks, ARRAY_SIZE(blocks), c, out);
	for (size_t i = 0; i < ARRAY_SIZE(misses); i++)
		put_share(misses[i].what, value_of(&misses[i], c), all, out);
	put_lines(stores, ARRAY_SIZE(stores), c, out);
}

static void put_shared(const struct clines_table *t, struct strbuf *out)
{
	const struct line_counts *c = &t->shared;

	put_title("    Global Shared Cache Line Event Information   ", out);
	put_number("Total Shared Cache Lines", t->nr_shared, out);
	put_lines(shared, ARRAY_SIZE(shared), c, out);
	put_number("Total Merged records", line_hitms(c) + c->nr[ACCESS_STORE], out);
}

static void put_details(const struct clines_table *t, struct strbuf *out)
{
	const struct evlist *l = &t->r->session.evlist;

	put_title("                 c2c details                     ", out);
	for (size_t i = 0; i < l->nr; i++) {
		strbuf_addf(out, "  %-34s: ", i ? "" : "Events");
		strbuf_addname(out, l->evsels[i]->name);
		strbuf_addch(out, '\n');
	}
	strbuf_addf(out, "  %-34s: %s\n", "Cachelines sort on", clines_display_name(t->display));
	strbuf_addf(out, "  %-34s: offset", "Cacheline data grouping");
	for (u32 i = 0; i < t->show->nr_keys; i++)
		strbuf_addf(out, ",%s", clines_key_name((enum clines_key)t->show->keys[i]));
	strbuf_addch(out, '\n');
}

void clines_put_events(const struct clines_table *t, struct strbuf *out)
{
	put_trace(clines_counts(t->lines), out);
	strbuf_addch(out, '\n');
	put_shared(t, out);
	strbuf_addch(out, '\n');
	put_details(t, out);
}

void clines_table_sums(const struct clines_table *t, struct strbuf *out)
{
	clines_put_events(t, out);
}

void clines_table_put(struct clines_table *t, struct strbuf *out)
{
	clines_put_events(t, out);
	if (t->show->stats_only)
		return;
	strbuf_addch(out, '\n');
	put_title("           Shared Data Cache Line Table          ", out);
	clines_put_table(t, out);
	strbuf_addch(out, '\n');
	put_title("      Shared Cache Line Distribution Pareto      ", out);
	clines_put_pareto(t, out);
}
