// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads did so much in a second. */
#include "base/compat.h"
#include "bench/rates.h"

void bench_tell_rates(struct bench *b, const struct bench_team *t, u64 ns, bool silent,
		      void (*object)(const struct bench_worker *w, struct strbuf *out))
{
	double secs = (double)MAX(ns, (u64)1) / 1e9;
	struct strbuf text = STRBUF_INIT;
	struct spread s = { 0 };
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		double rate = (double)t->workers[i].ops / secs;

		spread_add(&s, rate);
		if (silent)
			continue;
		object(&t->workers[i], &text);
		strbuf_addf(&text, " [ %" PRIu64 " ops/sec ]\n", (u64)rate);
	}
	strbuf_addf(&text, "%sAveraged %" PRIu64 " operations/sec (+- %.2f%%), total secs = %.0f\n",
		    silent ? "" : "\n", (u64)s.mean, spread_percent(&s), secs);
	bench_say(b, "%s", strbuf_str(&text));
	bench_result(b, "rate of a thread", "ops/sec", true, s.mean);
	strbuf_release(&text);
}
