// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/evlist-line.h"

#include "dump/header-text.h"

void evsel_line(const struct evsel *e, bool verbose, bool freq, struct strbuf *out)
{
	strbuf_addname(out, e->name);
	if (verbose) {
		strbuf_addstr(out, ": ");
		attr_text(&e->attr, e->config3, ": ", out);
	} else if (freq) {
		strbuf_addf(out, ": sample_%s=%" PRIu64, e->attr.freq ? "freq" : "period",
			    (u64)e->attr.sample_period);
	}
}

void evlist_group_line(const struct evlist *l, const struct evsel *leader, struct strbuf *out)
{
	u32 i, end = leader->idx + leader->nr_members;

	if (leader->group_name)
		strbuf_addname(out, leader->group_name);
	strbuf_addch(out, '{');
	for (i = leader->idx; i < end && i < l->nr; i++) {
		strbuf_addstr(out, i > leader->idx ? "," : "");
		strbuf_addname(out, l->evsels[i]->name);
	}
	strbuf_addch(out, '}');
}
