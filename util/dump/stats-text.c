// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "dump/stats-text.h"

#include "wire/event.h"

#define NR_TYPES 256

static void put_count(const char *name, u64 count, struct strbuf *out)
{
	strbuf_addf(out, "%16s events: %10" PRIu64, name, count);
}

static void put_event(const struct stats_event *e, bool all, struct strbuf *out)
{
	if (!e->samples && !e->lost_samples && !all)
		return;
	strbuf_addname(out, e->name);
	strbuf_addstr(out, " stats:\n");
	if (e->samples) {
		put_count("SAMPLE", e->samples, out);
		strbuf_addch(out, '\n');
	}
	if (e->lost_samples) {
		put_count("LOST_SAMPLES", e->lost_samples, out);
		strbuf_addch(out, '\n');
	}
}

/*
 * Tell whether every reader of recordings knows the type; newer types are not listed when there
 * were none.
 */
static bool long_known(u32 type)
{
	return record_name(type) && type != PERF_RECORD_CALLCHAIN_DEFERRED_ &&
	       type <= PERF_RECORD_FINISHED_INIT;
}

void stats_text(const u64 counts[256], const struct stats_event *events, size_t nr_events, bool all,
		struct strbuf *out)
{
	u64 total = 0;
	size_t i;

	for (i = 0; i < NR_TYPES; i++)
		total += counts[i];
	strbuf_addstr(out, "\nAggregated stats:\n");
	put_count("TOTAL", total, out);
	strbuf_addch(out, '\n');
	for (i = 0; i < NR_TYPES; i++) {
		const char *name = record_name((u32)i);

		if (!counts[i] && !(all && long_known((u32)i)))
			continue;
		put_count(name ? name : "UNKNOWN", counts[i], out);
		strbuf_addf(out, "  (%4.1f%%)\n", 100.0 * (double)counts[i] / (double)total);
	}
	for (i = 0; i < nr_events; i++)
		put_event(&events[i], all, out);
}
