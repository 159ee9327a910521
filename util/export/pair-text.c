// SPDX-License-Identifier: GPL-2.0-or-later
/* Write latencies of pairs of events as text. */
#include "base/compat.h"
#include "export/heatmap.h"

#include "base/units.h"

#define BAR 48

/*
 * Append a bound such as "512us", right-aligned. Bounds are multiples of their unit, so there is no
 * "1.00us".
 */
static void put_bound(u64 ns, unsigned int width, struct strbuf *out)
{
	u64 one;
	const char *unit = duration_unit(ns, &one);

	strbuf_dec(out, ns / one, width - (unsigned int)strlen(unit));
	strbuf_addstr(out, unit);
}

static void put_histogram(const struct pair_result *r, struct strbuf *out)
{
	u32 first = PAIR_STEPS, last = 0;
	u64 most = 1;

	for (u32 i = 0; i < PAIR_STEPS; i++) {
		if (!r->steps[i])
			continue;
		first = MIN(first, i);
		last = i;
		most = MAX(most, r->steps[i]);
	}
	strbuf_addstr(out, "#         latency         pairs\n#\n");
	for (u32 i = first; i <= last && first < PAIR_STEPS; i++) {
		u32 bar = (u32)((double)r->steps[i] / (double)most * BAR);

		put_bound(pair_step_low(i), 8, out);
		strbuf_addstr(out, " - ");
		put_bound(pair_step_low(i + 1), 7, out);
		strbuf_dec(out, r->steps[i], 12);
		strbuf_addstr(out, "  |");
		if (r->steps[i] && !bar)
			strbuf_addch(out, '.');
		for (u32 n = 0; n < bar; n++)
			strbuf_addch(out, '#');
		strbuf_addch(out, '\n');
	}
}

static void put_figure(const char *name, u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "# %-10s ", name);
	duration_text(ns, out);
}

static void put_figures(struct pairs *p, const struct pair_result *r, struct strbuf *out)
{
	static const struct {
		const char *name;
		u32 millionths;
	} parts[] = {
		{ "50%", 500000 },
		{ "90%", 900000 },
		{ "99%", 990000 },
		{ "99.9%", 999000 },
	};

	strbuf_addf(out, "# %-10s %" PRIu64 ", %" PRIu64 " ns in all\n", "pairs", r->pairs, r->sum);
	if (!r->pairs)
		return;
	put_figure("minimum", r->min, out);
	strbuf_addch(out, '\n');
	put_figure("average", r->sum / r->pairs, out);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		put_figure(parts[i].name, pairs_quantile(p, parts[i].millionths), out);
		strbuf_addch(out, '\n');
	}
	put_figure("maximum", r->max, out);
	strbuf_addf(out, ", until %" PRIu64 ".%09u\n", r->max_time / 1000000000,
		    (u32)(r->max_time % 1000000000));
}

void pair_text(struct pairs *pairs, const char *title, const char *subtitle, struct strbuf *out)
{
	const struct pair_result *r = pairs_result(pairs);

	strbuf_addstr(out, "# ");
	strbuf_addname(out, title);
	strbuf_addstr(out, "\n# ");
	strbuf_addname(out, subtitle);
	strbuf_addstr(out, "\n#\n");
	put_histogram(r, out);
	strbuf_addstr(out, "#\n");
	put_figures(pairs, r, out);
	strbuf_addf(out,
		    "#\n# starts without an end: %" PRIu64 " (%" PRIu64
		    " replaced by a later start, %" PRIu64 " at the end)\n",
		    r->replaced + r->open, r->replaced, r->open);
	strbuf_addf(out, "# ends without a start: %" PRIu64 "\n", r->alone);
	if (r->backwards)
		strbuf_addf(out, "# ends before their start: %" PRIu64 "\n", r->backwards);
	if (r->no_key)
		strbuf_addf(out, "# events without the key: %" PRIu64 "\n", r->no_key);
}
