// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures of benchmarks: kept, written as JSON, read again, and compared. */
#include "base/compat.h"
#include "bench/results.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "codec/json-read.h"
#include "codec/json.h"

#include <errno.h>
#include <math.h>

const struct bench_figure *bench_results_find(const struct bench_results *r, const char *of,
					      const char *name)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (!strcmp(r->v[i].of, of) && !strcmp(r->v[i].name, name))
			return &r->v[i];
	return NULL;
}

struct bench_figure *bench_results_figure(struct bench_results *r, const char *of, const char *name,
					  const char *unit, bool more_is_better)
{
	struct bench_figure *f = (struct bench_figure *)bench_results_find(r, of, name);

	if (f)
		return f;
	VEC_GROW(r->v, r->nr + 1, r->cap);
	f = &r->v[r->nr++];
	*f = (struct bench_figure){ .of = xstrdup(of),
				    .name = xstrdup(name),
				    .unit = xstrdup(unit),
				    .more_is_better = more_is_better };
	return f;
}

void bench_results_release(struct bench_results *r)
{
	size_t i;

	for (i = 0; i < r->nr; i++) {
		free(r->v[i].of);
		free(r->v[i].name);
		free(r->v[i].unit);
	}
	free(r->v);
	memset(r, 0, sizeof(*r));
}

void bench_results_text(const struct bench_results *r, const char *of, struct strbuf *out)
{
	size_t i;

	for (i = 0; i < r->nr; i++) {
		const struct bench_figure *f = &r->v[i];

		if (strcmp(f->of, of) || f->values.nr < 2)
			continue;
		strbuf_addf(out, "# %" PRIu64 " runs: %s %.6g %s (+- %.2f%%)\n", f->values.nr,
			    f->name, f->values.mean, f->unit, spread_percent(&f->values));
	}
}

void bench_results_json(const struct bench_results *r, struct strbuf *out)
{
	size_t i;

	strbuf_addstr(out, "{\"benchmarks\":[");
	for (i = 0; i < r->nr; i++) {
		const struct bench_figure *f = &r->v[i];

		strbuf_addstr(out, i ? ",\n{\"benchmark\":" : "\n{\"benchmark\":");
		json_string(out, f->of);
		json_text_member(out, "figure", f->name);
		json_text_member(out, "unit", f->unit);
		json_text_member(out, "better", f->more_is_better ? "more" : "less");
		strbuf_addf(out,
			    ",\"runs\":%" PRIu64 ",\"mean\":%.9g,\"error\":%.9g,\"min\":%.9g"
			    ",\"max\":%.9g}",
			    f->values.nr, f->values.mean, spread_error(&f->values), f->values.min,
			    f->values.max);
	}
	strbuf_addstr(out, "\n]}\n");
}

static double number_of(const struct json_value *o, const char *key)
{
	const char *text = json_get_str(o, key);
	double v = text ? strtod(text, NULL) : 0;

	/* A larger number could not be squared. */
	return isfinite(v) && fabs(v) < 1e100 ? v : 0;
}

/* Add a figure of an earlier run. Return: whether it is one. */
static bool take(struct bench_results *r, const struct json_value *o)
{
	const char *of = json_get_str(o, "benchmark"), *name = json_get_str(o, "figure"),
		   *unit = json_get_str(o, "unit"), *better = json_get_str(o, "better");
	double runs = number_of(o, "runs"), error = number_of(o, "error");
	struct spread *s;

	if (!of || !name || !unit || !better || runs < 1 || runs > 1e9 || !json_get_str(o, "mean"))
		return false;
	s = &bench_results_figure(r, of, name, unit, !strcmp(better, "more"))->values;
	s->nr = (u64)runs;
	s->mean = number_of(o, "mean");
	s->min = number_of(o, "min");
	s->max = number_of(o, "max");
	s->m2 = error * error * runs * (runs - 1); /* from which spread_error() makes it again */
	return true;
}

int bench_results_parse(struct bench_results *r, const char *text, size_t len, const char *what,
			struct err *err)
{
	struct arena arena = { 0 };
	const struct json_value *top = json_parse(&arena, text, len, what, err), *list, *o;
	int ret = top ? 0 : -EINVAL;

	if (top) {
		list = top->type == JSON_OBJECT ? json_get(top, "benchmarks") : NULL;
		if (!list || list->type != JSON_ARRAY)
			ret = err_set(err, -EINVAL,
				      "%s holds no results of benchmarks: perf bench --json writes "
				      "such files",
				      what);
		for (o = ret ? NULL : list->first; o && !ret; o = o->next)
			if (o->type != JSON_OBJECT || !take(r, o))
				ret = err_set(err, -EINVAL,
					      "%s: figure %zu has not all that perf bench --json "
					      "writes",
					      what, r->nr + 1);
	}
	if (ret)
		bench_results_release(r);
	arena_release(&arena);
	return ret;
}

void bench_compare(const struct bench_results *before, const struct bench_results *now,
		   struct strbuf *out, double *worse)
{
	size_t i;

	*worse = 0;
	strbuf_addf(out, "# %-24s %-26s %14s %14s  %s\n", "benchmark", "figure", "before", "now",
		    "difference");
	for (i = 0; i < now->nr; i++) {
		const struct bench_figure *n = &now->v[i],
					  *b = bench_results_find(before, n->of, n->name);
		double diff, error, badly;

		strbuf_addf(out, "  %-24s %-26s ", n->of, n->name);
		if (!b || b->values.mean == 0) {
			strbuf_addf(out, "%14s %14.6g  %s: not in the earlier run\n", "-",
				    n->values.mean, n->unit);
			continue;
		}
		diff = 100 * (n->values.mean / b->values.mean - 1);
		/* The relative errors of both means add up as those of independent values do. */
		error = fabs(n->values.mean / b->values.mean) *
			hypot(spread_percent(&n->values), spread_percent(&b->values));
		strbuf_addf(out, "%14.6g %14.6g  %+.2f%%", b->values.mean, n->values.mean, diff);
		if (b->values.nr < 2 || n->values.nr < 2) {
			strbuf_addf(out, " %s (one run: no error is known, see -r)\n", n->unit);
			continue;
		}
		badly = n->more_is_better ? -diff : diff;
		strbuf_addf(out, " (+- %.2f%%) %s: %s\n", error, n->unit,
			    fabs(diff) <= 2 * error ? "no difference"
			    : badly > 0             ? "worse"
						    : "better");
		if (fabs(diff) > 2 * error)
			*worse = fmax(*worse, badly);
	}
}
