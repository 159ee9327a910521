// SPDX-License-Identifier: GPL-2.0-or-later
/* Benchmarks are found here, and say what they measured. */
#include "base/compat.h"
#include "bench/bench.h"

#include "base/suggest.h"

#include <errno.h>

void bench_say(const struct bench *b, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	if (!b->write)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	b->write(b->write_ctx, strbuf_str(&text), text.len);
	strbuf_release(&text);
}

void bench_result(struct bench *b, const char *name, const char *unit, bool more_is_better,
		  double value)
{
	spread_add(&bench_results_figure(b->results, b->of, name, unit, more_is_better)->values,
		   value);
}

void bench_spread(struct bench *b, const char *name, const char *unit, bool more_is_better,
		  const struct spread *s)
{
	struct bench_figure *f =
		bench_results_figure(b->results, b->of, name, unit, more_is_better);

	/* Runs of runs: their means are what counts. */
	if (f->values.nr)
		spread_add(&f->values, s->mean);
	else
		f->values = *s;
}

void bench_total(struct bench *b, u64 ns)
{
	u64 ms = ns / 1000000;

	if (b->format != BENCH_SIMPLE)
		bench_say(b, " %14s: ", "Total time");
	bench_say(b, "%" PRIu64 ".%03" PRIu64, ms / 1000, ms % 1000);
	bench_say(b, b->format == BENCH_SIMPLE ? "\n" : " [sec]\n");
	bench_result(b, "total time", "sec", false, (double)ns / 1e9);
}

void bench_per_op(struct bench *b, u64 ns, u64 ops)
{
	double usecs = (double)ns / 1000 / (double)MAX(ops, (u64)1);
	double rate = (double)ops / ((double)MAX(ns, (u64)1) / 1e9);

	bench_result(b, "time per operation", "usecs", false, usecs);
	if (b->format == BENCH_SIMPLE)
		return;
	bench_say(b, "\n %14f usecs/op\n", usecs);
	bench_say(b, " %14" PRIu64 " ops/sec\n", (u64)rate);
}

int bench_invalid(struct err *err, const char *fmt, ...)
{
	va_list ap;
	char text[512];

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(err, -EINVAL, "%s", text);
	return 1;
}

const struct benchmark *bench_find(const struct bench_collection *c, const char *name,
				   struct err *err)
{
	const struct benchmark *m;
	struct strbuf names = STRBUF_INIT;

	for (m = c->list; m->name; m++)
		if (!strcmp(m->name, name))
			return m;
	for (m = c->list; m->name; m++)
		strbuf_addf(&names, "%s ", m->name);
	err_set(err, -ENOENT, "Unknown benchmark: '%s' for collection '%s'", name, c->name);
	err_suggest(err, name, strlen(name), strbuf_str(&names));
	strbuf_release(&names);
	return NULL;
}
