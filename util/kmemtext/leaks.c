// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that was allocated in the recording and not freed in it, by call site. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

#include <stdlib.h>

/* Most bytes first. */
static int compare(const void *a, const void *b)
{
	const struct kmem_leak *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x->site > y->site) - (x->site < y->site);
}

static void put_row(const struct kmem_text *t, bool offset, const struct kmem_leak *leak,
		    double seconds)
{
	struct strbuf *out = t->out;
	double growth = seconds > 0 ? (double)leak->bytes / seconds : 0;

	strbuf_addf(out, " %17" PRIu64 " | %9" PRIu64 " | %9" PRIu64 " | %14.0f | %10.3f | ",
		    leak->bytes, leak->objects, leak->allocated, growth, (double)leak->age / 1e9);
	put_code(t, leak->site, offset, out);
	strbuf_addch(out, '\n');
}

void put_leaks(const struct kmem_text *t, bool offset, struct kmem_leak *rows, size_t nr)
{
	size_t shown = rows_shown(t->show, KMEM_BY_SITE, nr);
	double seconds = (double)kmem_span(t->kmem) / 1e9;

	if (nr)
		qsort(rows, nr, sizeof(*rows), compare);
	strbuf_addch(t->out, '\n');
	put_rule(t->out);
	strbuf_addstr(t->out, " Not freed (bytes) | Objects   | Allocated | Growth (B/s)   | "
			      "Oldest (s) | Callsite\n");
	put_rule(t->out);
	for (size_t i = 0; i < shown; i++)
		put_row(t, offset, &rows[i], seconds);
	if (shown < nr)
		strbuf_addstr(t->out,
			      " ...               | ...       | ...       | ...            | "
			      "...        | ...\n");
	put_rule(t->out);
	free(rows);
}
