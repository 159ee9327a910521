// SPDX-License-Identifier: GPL-2.0-or-later
/* internals kallsyms-parse: all lines of /proc/kallsyms are read and taken apart. */
#include "base/compat.h"
#include "benchown/own-internal.h"

#include "base/clock.h"
#include "base/sysroot.h"
#include "symbol/symbol.h"

static void ignore(void *ctx, const struct kallsyms_place *place)
{
}

int own_kallsyms(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench internals kallsyms-parse <options>",
					     NULL };
	struct strbuf text = STRBUF_INIT;
	struct spread all = { 0 }, parse = { 0 };
	unsigned int times = 1, i;
	const struct option options[] = {
		OPT_UINTEGER('i', "iterations", &times,
			     "Number of iterations used to compute average"),
		OPT_END(),
	};
	u64 from, read, done;
	int ret;

	b->parse(b, options, usage);
	if (!times)
		return bench_invalid(err, "--iterations is 0; it must be 1 at least");
	for (i = 0; i < times; i++) {
		strbuf_reset(&text);
		from = clock_ns(CLOCK_MONOTONIC);
		ret = sysroot_read(NULL, &text, "/proc/kallsyms");
		read = clock_ns(CLOCK_MONOTONIC);
		if (ret)
			return err_set(err, ret, "could not read /proc/kallsyms: %s", err_str(ret));
		/* A name that no symbol has is compared with that of each. */
		kallsyms_each(strbuf_str(&text), text.len, "no symbol", ignore, NULL);
		done = clock_ns(CLOCK_MONOTONIC);
		spread_add(&all, (double)(done - from) / 1e6);
		spread_add(&parse, (double)(done - read) / 1e6);
	}
	strbuf_release(&text);
	bench_say(b, "  Average kallsyms__parse took: %.3f ms (+- %.3f ms)\n", all.mean,
		  spread_error(&all));
	bench_say(b, "  Average without what the kernel takes to write it: %.3f ms (+- %.3f ms)\n",
		  parse.mean, spread_error(&parse));
	bench_spread(b, "read and parsed", "msecs", false, &all);
	bench_spread(b, "parsed", "msecs", false, &parse);
	return 0;
}
