// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "sampletext/branch-counters.h"

#include "base/cur.h"
#include "base/escape.h"
#include "file/env.h"
#include "wire/event.h"

#define MAX_CAPS 4096
#define WORD_BITS 64

/* ---- the header ---- */

/*
 * Read a u32 number and then pairs of name and value. Return: the width that is among them, or 0.
 */
static u32 width_among(struct cur *c)
{
	u32 nr = cur_u32(c), width = 0;

	for (u32 i = 0; i < nr && i < MAX_CAPS && cur_ok(c); i++) {
		const char *name = cur_str(c, cur_u32(c));
		const char *value = name ? cur_str(c, cur_u32(c)) : NULL;
		unsigned long n = value ? strtoul(value, NULL, 10) : 0;

		if (value && !strcmp(name, "branch_counter_width") && n && n <= WORD_BITS)
			width = (u32)n;
	}
	return width;
}

static struct cur feature(const struct perf_file *f, u32 bit)
{
	size_t size = 0;
	const void *body = perf_file_feature(f, bit, &size);

	return cur_make(body ? body : "", body ? size : 0, f->swap);
}

/* Return the width of the first PMU that has one: all kinds of cores of a machine have the same. */
static u32 width_of_pmus(const struct perf_file *f)
{
	struct cur c = feature(f, HEADER_PMU_CAPS);
	u32 nr = cur_u32(&c), width = 0;

	for (u32 i = 0; i < nr && i < MAX_CAPS && cur_ok(&c) && !width; i++) {
		width = width_among(&c);
		cur_str(&c, cur_u32(&c)); /* the name of the PMU */
	}
	return width;
}

void branch_counters_init(struct branch_counters *bc, const struct perf_file *f,
			  const struct evlist *evlist)
{
	struct cur c = feature(f, HEADER_CPU_PMU_CAPS);

	*bc = (struct branch_counters){ .evlist = evlist, .width = width_among(&c) };
	if (!bc->width)
		bc->width = width_of_pmus(f);
}

/* ---- counts ---- */

bool branch_counters_recorded(const struct evsel *e)
{
	return e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       e->attr.branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS_;
}

/* Return the letter of an event. Letters are given to the events of all groups in their order. */
static char letter_of(const struct branch_counters *bc, const struct evsel *e)
{
	u32 n = 0;

	for (u32 i = 0; i < e->idx; i++)
		n += branch_counters_recorded(bc->evlist->evsels[i]);
	return (char)(n < 26 ? 'A' + n : n < 52 ? 'a' + (n - 26) : '?');
}

void branch_counters_legend(const struct branch_counters *bc, struct strbuf *out)
{
	strbuf_addstr(out, "# Branch counter abbr list:\n");
	for (size_t i = 0; i < bc->evlist->nr; i++) {
		const struct evsel *e = bc->evlist->evsels[i];

		if (!branch_counters_recorded(e))
			continue;
		strbuf_addstr(out, "# ");
		strbuf_addname(out, e->name);
		strbuf_addf(out, " = %c\n", letter_of(bc, e));
	}
	strbuf_addstr(out, "# '-' No event occurs\n"
			   "# '+' Event occurrences may be lost due to branch counter saturated\n");
}

static void put_count(const struct branch_counters *bc, const struct evsel *e, u64 n, bool full,
		      struct strbuf *out)
{
	/* a large count would fill the line with letters */
	if (bc->names || n > 15) {
		if (bc->names)
			strbuf_addname(out, e->name);
		else
			strbuf_addch(out, letter_of(bc, e));
		strbuf_addf(out, "%s%" PRIu64, bc->names ? " " : "", n);
	}
	for (u64 i = 0; !bc->names && n <= 15 && i < n; i++)
		strbuf_addch(out, letter_of(bc, e));
	if (full)
		strbuf_addch(out, '+');
	if (bc->names)
		strbuf_addch(out, ' ');
}

void branch_counters_put(const struct branch_counters *bc, const struct evsel *e, u64 word,
			 struct strbuf *out)
{
	u64 most = bc->width < WORD_BITS ? (1ULL << bc->width) - 1 : UINT64_MAX;
	const struct evlist *l = bc->evlist;
	size_t start = out->len;
	u32 shift = 0;

	for (size_t i = e->leader; bc->width && i < l->nr && shift < WORD_BITS; i++) {
		const struct evsel *m = l->evsels[i];
		u64 n = word >> shift & most;

		if (m->leader != e->leader)
			break;
		if (!branch_counters_recorded(m))
			continue;
		put_count(bc, m, n, n == most, out);
		shift += bc->width;
	}
	if (out->len > start && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = 0;
	if (!bc->width)
		strbuf_addf(out, "0x%" PRIx64, word);
	else if (out->len == start)
		strbuf_addch(out, '-');
}
