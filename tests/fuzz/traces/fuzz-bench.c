// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a file that perf bench reads: figures of an earlier run, which are compared with
 * themselves and written again. It is a list of CPUs, too. */
#include "base/compat.h"

#include "bench/numa-internal.h"
#include "bench/results.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void list(const char *text)
{
	struct int_list l = { 0 };

	numa_list_parse(&l, text);
	if (l.nr > NUMA_MOST_TASKS)
		abort();
	int_list_release(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bench_results r = { 0 }, again = { 0 };
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	double worse;

	strbuf_add(&text, data, size);
	list(strbuf_str(&text));
	if (!bench_results_parse(&r, strbuf_str(&text), text.len, "input", NULL)) {
		bench_compare(&r, &r, &out, &worse);
		if (worse > 0)
			abort();
		strbuf_reset(&out);
		bench_results_json(&r, &out);
		/* The text that was written is read again. */
		if (bench_results_parse(&again, strbuf_str(&out), out.len, "output", NULL) ||
		    again.nr != r.nr)
			abort();
		bench_results_release(&again);
		bench_results_release(&r);
	}
	strbuf_release(&text);
	strbuf_release(&out);
	return 0;
}
