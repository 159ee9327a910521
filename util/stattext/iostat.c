// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "stattext/iostat.h"

#include <inttypes.h>

#define NS_PER_S ((u64)1000000000)

void iostat_heading(const struct iostat_style *st, struct strbuf *out)
{
	if (st->sep)
		strbuf_addf(out, "%sport", st->times ? "time," : "");
	else
		strbuf_addstr(out,
			      st->times ? "#          time    port         " : "   port         ");
	for (size_t k = 0; k < IOSTAT_COUNTS; k++)
		strbuf_addf(out, st->sep ? "%s%s" : "%.0s%20s ", st->sep ? st->sep : "",
			    iostat_counts[k].name);
	strbuf_addch(out, '\n');
}

/* Return the position of a die among the ids: dies are counted over all sockets. */
static size_t id_of(const struct stat_result *r, unsigned int die)
{
	return die < r->ids->nr ? die : SIZE_MAX;
}

static void add_count(const struct iostat_style *st, const struct stat_result *r, size_t event,
		      size_t id, struct strbuf *out)
{
	bool counted = event < r->evlist->nr && id < r->ids->nr && stat_counted(r, event, id);
	double mb = counted ? stat_value_at(r, event, id)->val / IOSTAT_PER_MB : 0;

	strbuf_addstr(out, st->sep ? st->sep : "");
	if (counted)
		strbuf_addf(out, st->sep ? "%.0f" : "%20.0f ", mb);
	else
		strbuf_addf(out, st->sep ? "%s" : "%20s ", "<not counted>");
}

void iostat_rows(const struct iostat_style *st, const struct iostat_ports *p,
		 const struct stat_result *r, u64 time, struct strbuf *out)
{
	for (size_t i = 0; i < p->nr; i++) {
		const struct iostat_port *port = &p->v[i];
		size_t event = iostat_event(p, port), id = id_of(r, port->die);

		if (st->times)
			strbuf_addf(out, "%6" PRIu64 ".%09" PRIu64 "%s", time / NS_PER_S,
				    time % NS_PER_S, st->sep ? st->sep : " ");
		strbuf_addf(out, st->sep ? "%04x:%02x" : "%04x:%02x ", port->domain,
			    (unsigned int)port->bus);
		for (size_t k = 0; k < IOSTAT_COUNTS; k++)
			add_count(st, r, event + k, id, out);
		strbuf_addch(out, '\n');
	}
}
