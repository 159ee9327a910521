// SPDX-License-Identifier: GPL-2.0-or-later
/* Metric expressions: reading, binding and evaluation end; errors point into the text. */
#include "base/compat.h"
#include "metric/expr.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int literal(void *ctx, const char *name, double *value)
{
	*value = name[0] == 'n' ? NAN : (double)strlen(name);
	return name[0] ? 0 : -ENOENT;
}

static bool even(void *ctx, const char *name)
{
	return strlen(name) % 2;
}

/* The same ids, counted in another way each time. */
static void evaluate(const struct expr *x)
{
	static const double some[] = { 0, 1, -1, NAN, 1e300, 0.5, 1e18, -7 };
	double *values = xcalloc(x->nr_ids + 1, sizeof(*values)), v;
	u32 *sources = xcalloc(x->nr_ids + 1, sizeof(*sources));
	const struct expr_input in = { values, sources };

	for (size_t round = 0; round < ARRAY_SIZE(some); round++) {
		for (u32 i = 0; i < x->nr_ids; i++) {
			values[i] = some[(i + round) % ARRAY_SIZE(some)];
			sources[i] = i;
		}
		if (expr_constant(x, &v) && !isnan(v) && expr_eval(x, &in) != v)
			abort();
		expr_eval(x, &in);
	}
	free(values);
	free(sources);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct expr_env env = { literal, even, even, NULL };
	struct strbuf text = STRBUF_INIT;
	struct arena arena = { 0 };
	struct expr_error e;
	struct expr x;

	strbuf_add(&text, data, size);
	if (expr_parse(&arena, strbuf_str(&text), &x, &e) || expr_bind(&arena, &x, &env, &e)) {
		if (e.at > text.len || !e.text[0])
			abort();
	} else {
		evaluate(&x);
	}
	arena_release(&arena);
	strbuf_release(&text);
	return 0;
}
