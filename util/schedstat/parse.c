// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read /proc/schedstat:
 *
 *	version 17
 *	timestamp 4295045731
 *	cpu0 0 0 2411 832 1620 1604 341592391 6127711 1563
 *	domain0 MC 00000003 147 139 ...
 *
 * Domains are those of the CPU above them. They have no names before version 17.
 */
#include "base/compat.h"
#include "schedstat/schedstat.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "file/feature.h"

#include <errno.h>

#define MOST_WORDS (SCHEDSTAT_DOMAIN_COUNTERS + 4)
#define FORM "/proc/schedstat, line %u: "

struct parser {
	struct schedstat *s;
	struct err *err;
	u32 line;
	struct line words[MOST_WORDS]; /* of this line */
	u32 nr_words;                  /* it may be more than there is room for */
};

static void split(struct parser *p, const struct line *l)
{
	const char *at = l->p;

	p->nr_words = 0;
	while (at < l->end) {
		const char *start = at;

		while (at < l->end && *at != ' ')
			at++;
		if (at > start && p->nr_words++ < MOST_WORDS)
			p->words[p->nr_words - 1] = (struct line){ start, at };
		at++;
	}
}

/* Read a word of digits. Return: whether it is one. */
static bool number(const struct line *word, u64 *out)
{
	u64 v = 0;

	for (const char *c = word->p; c < word->end; c++) {
		if (*c < '0' || *c > '9' || v > (UINT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (u64)(*c - '0');
	}
	*out = v;
	return word->end > word->p;
}

/* Read a word such as "cpu12". Return: whether it is @prefix and a number. */
static bool numbered(const struct line *word, const char *prefix, u64 *out)
{
	size_t len = strlen(prefix);
	struct line rest = { word->p + len, word->end };

	return (size_t)(word->end - word->p) > len && !memcmp(word->p, prefix, len) &&
	       number(&rest, out);
}

static bool is_word(const struct line *word, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(word->end - word->p) == len && !memcmp(word->p, text, len);
}

static int set_version(struct parser *p)
{
	u64 version;

	if (!number(&p->words[1], &version) || version > UINT16_MAX ||
	    !schedstat_known((u32)version))
		return err_set(p->err, -EINVAL,
			       "/proc/schedstat has version %.*s, and only the counters of the "
			       "versions %d to %d are known: this kernel needs a newer perf",
			       (int)MIN(p->words[1].end - p->words[1].p, (ptrdiff_t)20),
			       p->words[1].p, SCHEDSTAT_OLDEST, SCHEDSTAT_NEWEST);
	p->s->version = (u32)version;
	return 0;
}

static int wrong_order(struct parser *p)
{
	return err_set(p->err, -EINVAL, FORM "CPUs and domains are not in ascending order",
		       p->line);
}

static int wrong_counts(struct parser *p, u32 want)
{
	return err_set(p->err, -EINVAL,
		       FORM "not the %u numbers of version %u: the counters of this kernel are "
			    "others than those that are known",
		       p->line, want, p->s->version);
}

static int cpu_line(struct parser *p, u64 nr)
{
	struct schedstat *s = p->s;
	struct schedstat_cpu *c;

	if (nr > INT32_MAX || (s->nr_cpus && nr <= s->cpus[s->nr_cpus - 1].cpu))
		return wrong_order(p);
	c = schedstat_add_cpu(s, (u32)nr);
	if (p->nr_words != 1 + SCHEDSTAT_CPU_COUNTERS)
		return wrong_counts(p, SCHEDSTAT_CPU_COUNTERS);
	for (u32 i = 0; i < SCHEDSTAT_CPU_COUNTERS; i++)
		if (!number(&p->words[1 + i], &c->v[i]))
			return wrong_counts(p, SCHEDSTAT_CPU_COUNTERS);
	return 0;
}

/* Make "0-1,4" of the kernel's mask "00000000,00000013": its last digit stands for CPUs 0 to 3. */
static char *list_of_mask(const char *mask)
{
	struct strbuf list = STRBUF_INIT;
	s64 first = -1, cpu = 0;

	for (size_t i = strlen(mask); i-- > 0;) {
		u32 digit = mask[i] <= '9' ? (u32)(mask[i] - '0')
					   : (u32)((mask[i] | 32) - 'a' + 10);

		if (mask[i] == ',')
			continue;
		for (u32 bit = 0; bit < 4 + !i; bit++, cpu++) { /* one more ends the last range */
			bool set = bit < 4 && digit >> bit & 1;

			if (set && first < 0)
				first = cpu;
			if (set || first < 0)
				continue;
			strbuf_addf(&list, "%s%" PRId64, list.len ? "," : "", first);
			if (cpu - 1 > first)
				strbuf_addf(&list, "-%" PRId64, cpu - 1);
			first = -1;
		}
	}
	return strbuf_detach(&list);
}

static bool is_mask(const struct line *word)
{
	for (const char *c = word->p; c < word->end; c++)
		if (!strchr("0123456789abcdefABCDEF,", *c))
			return false;
	return word->end > word->p;
}

static char *word_copy(const struct line *word)
{
	return xstrndup(word->p, (size_t)(word->end - word->p));
}

static int domain_counts(struct parser *p, struct schedstat_domain *d, u32 first)
{
	u32 nr = schedstat_domain_counts(p->s->version);

	for (u32 i = 0; i < nr; i++)
		if (!number(&p->words[first + i], &d->v[schedstat_domain_at(p->s->version, i)]))
			return wrong_counts(p, nr);
	return 0;
}

static int domain_line(struct parser *p, u64 level)
{
	struct schedstat *s = p->s;
	const struct schedstat_domain *last = s->nr_domains ? &s->domains[s->nr_domains - 1] : NULL;
	bool named = s->version >= SCHEDSTAT_NAMES;
	u32 nr = schedstat_domain_counts(s->version), first = named ? 3 : 2;
	struct env_domain is = { .level = (u32)level };
	struct schedstat_domain *d;

	if (!s->nr_cpus || level >= SCHEDSTAT_LEVELS)
		return wrong_order(p);
	is.cpu = s->cpus[s->nr_cpus - 1].cpu;
	if (last && last->is.cpu == is.cpu && level <= last->is.level)
		return wrong_order(p);
	if (p->nr_words != first + nr || !is_mask(&p->words[first - 1]))
		return wrong_counts(p, nr);
	d = schedstat_add_domain(s, &is);
	d->is.name = named ? word_copy(&p->words[1]) : NULL;
	d->is.mask = word_copy(&p->words[first - 1]);
	d->is.list = list_of_mask(d->is.mask);
	return domain_counts(p, d, first);
}

static int parse_line(struct parser *p)
{
	const struct line *first = &p->words[0];
	u64 nr;

	if (!p->nr_words)
		return 0;
	if (p->nr_words == 2 && is_word(first, "version"))
		return set_version(p);
	if (p->nr_words == 2 && is_word(first, "timestamp") && number(&p->words[1], &p->s->jiffies))
		return 0;
	if (!p->s->version)
		return err_set(p->err, -EINVAL, FORM "there is no version before it", p->line);
	if (numbered(first, "cpu", &nr))
		return cpu_line(p, nr);
	if (numbered(first, "domain", &nr))
		return domain_line(p, nr);
	return err_set(p->err, -EINVAL, FORM "unknown: %.*s", p->line,
		       (int)MIN(first->end - first->p, (ptrdiff_t)40), first->p);
}

int schedstat_parse(struct schedstat *s, const char *text, struct err *err)
{
	const char *at = text, *end = text + strlen(text);
	struct parser p = { .s = s, .err = err };
	struct line l;
	int ret = 0;

	*s = (struct schedstat){ 0 };
	while (!ret && next_line(&at, end, &l)) {
		p.line++;
		split(&p, &l);
		ret = parse_line(&p);
	}
	if (!ret && !s->nr_cpus)
		ret = err_set(err, -EINVAL, "/proc/schedstat has no CPU");
	if (ret)
		schedstat_release(s);
	return ret;
}
