// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/schedtext.h"

static void put_share(struct strbuf *out, u64 part, u64 all, const char *what)
{
	strbuf_addf(out, "  INFO: %.3f%% %s (%" PRIu64 " out of %" PRIu64,
		    100.0 * (double)part / (double)all, what, part, all);
}

void sched_put_losses(const struct sched_counts *c, const struct analysis_losses *l,
		      struct strbuf *out)
{
	if (c->unordered && c->times) {
		put_share(out, c->unordered, c->times, "unordered timestamps");
		strbuf_addstr(out, ")\n");
	}
	if (l->lost && l->events) {
		put_share(out, l->lost, l->events, "lost events");
		strbuf_addf(out, ", in %" PRIu64 " chunks)\n", l->chunks);
	}
	if (c->bugs && c->times) {
		put_share(out, c->bugs, c->times, "context switch bugs");
		strbuf_addstr(out, l->lost ? ") (due to lost events?)\n" : ")\n");
	}
	if (c->gaps && c->times) {
		put_share(out, c->gaps, c->times, "of the times reach over lost events");
		strbuf_addstr(out, ")\n");
	}
	if (l->no_cpu)
		strbuf_addf(out, "  INFO: %" PRIu64 " events were on no CPU that there can be\n",
			    l->no_cpu);
	if (l->too_short)
		strbuf_addf(out, "  INFO: %" PRIu64 " events were too short to be read\n",
			    l->too_short);
}
