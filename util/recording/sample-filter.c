// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recording/sample-filter.h"

#include "base/alloc.h"

#include <errno.h>

#define MAX_CPUS (1U << 20)

/* ------------------------------------------------------------------ lists */

int sample_filter_comms(struct sample_filter *f, const char *list, struct err *err)
{
	f->any = true;
	return name_list_parse(&f->comms, list, "comm", err);
}

static bool parse_u32(const char **p, u32 *out)
{
	u64 v = 0;
	const char *s = *p;

	for (; *s >= '0' && *s <= '9' && v <= UINT32_MAX; s++)
		v = v * 10 + (u64)(*s - '0');
	if (s == *p || v > UINT32_MAX)
		return false;
	*p = s;
	*out = (u32)v;
	return true;
}

static int by_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static int parse_ids(u32 **ids, size_t *nr, const char *list, const char *what, struct err *err)
{
	const char *p = list;
	size_t cap = *nr;
	u32 v;

	for (;;) {
		while (*p == ' ')
			p++;
		if (!parse_u32(&p, &v))
			return err_set(err, -EINVAL, "'%s' is no list of %ss", list, what);
		VEC_GROW(*ids, *nr + 1, cap);
		(*ids)[(*nr)++] = v;
		if (*p != ',')
			break;
		p++;
	}
	if (*p)
		return err_set(err, -EINVAL, "'%s' is no list of %ss", list, what);
	qsort(*ids, *nr, sizeof(**ids), by_u32);
	return 0;
}

int sample_filter_pids(struct sample_filter *f, const char *list, struct err *err)
{
	f->any = true;
	return parse_ids(&f->pids, &f->nr_pids, list, "pid", err);
}

int sample_filter_tids(struct sample_filter *f, const char *list, struct err *err)
{
	f->any = true;
	return parse_ids(&f->tids, &f->nr_tids, list, "tid", err);
}

static void add_cpus(struct sample_filter *f, u32 from, u32 to)
{
	u32 words = (to + 64) / 64, have = (f->nr_cpus + 63) / 64;

	if (words > have) {
		f->cpus = xrealloc(f->cpus, words, sizeof(*f->cpus));
		memset(f->cpus + have, 0, (words - have) * sizeof(*f->cpus));
		f->nr_cpus = words * 64;
	}
	for (; from <= to; from++)
		f->cpus[from / 64] |= 1ULL << from % 64;
}

int sample_filter_cpus(struct sample_filter *f, const char *list, struct err *err)
{
	const char *p = list;
	u32 from, to;

	f->any = true;
	for (;;) {
		if (!parse_u32(&p, &from))
			break;
		to = from;
		if (*p == '-') {
			p++;
			if (!parse_u32(&p, &to))
				break;
		}
		if (to < from || to >= MAX_CPUS)
			break;
		add_cpus(f, from, to);
		if (!*p)
			return 0;
		if (*p++ != ',')
			break;
	}
	return err_set(err, -EINVAL, "Invalid cpu_list '%s'", list);
}

/* ------------------------------------------------------------------ times */

static void add_span(struct sample_filter *f, u64 first, u64 last)
{
	f->spans = xrealloc(f->spans, f->nr_spans + 1, sizeof(*f->spans));
	f->spans[f->nr_spans++] = (struct time_span){ first, last };
}

/* Parse seconds like "12.345678"; at most nine digits count behind the point. */
static bool parse_secs(const char **p, u64 *out)
{
	u64 sec = 0, ns = 0, unit = 100000000;
	const char *s = *p;

	for (; *s >= '0' && *s <= '9' && sec < UINT32_MAX; s++)
		sec = sec * 10 + (u64)(*s - '0');
	if (s == *p)
		return false;
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++, unit /= 10)
			ns += unit * (u64)(*s - '0');
	*p = s;
	*out = sec * 1000000000 + ns;
	return true;
}

static bool parse_percent(const char **p, double *out)
{
	char *end;

	*out = strtod(*p, &end);
	if (end == *p || *end != '%' || *out < 0 || *out > 100)
		return false;
	*p = end + 1;
	return true;
}

static u64 at_percent(double pc, u64 first, u64 last)
{
	return first + (u64)((double)(last - first) * pc / 100.0);
}

/* Parse "10%/2,10%/3" and "0%-10%,30%-40%". */
static bool parse_parts(struct sample_filter *f, const char *p, u64 first, u64 last)
{
	double a, b;
	u64 from, to;
	u32 n;

	for (;; p++) {
		if (!parse_percent(&p, &a))
			return false;
		if (*p == '/') {
			p++;
			if (!parse_u32(&p, &n) || !n || a * (n - 1) >= 100)
				return false;
			b = a * n;
			a = a * (n - 1);
		} else if (*p == '-') {
			p++;
			if (!parse_percent(&p, &b) || b < a)
				return false;
		} else {
			b = a;
			a = 0;
		}
		from = at_percent(a, first, last);
		to = b >= 100 ? last : at_percent(b, first, last) - 1;
		add_span(f, from, to);
		if (!*p)
			return true;
		if (*p != ',')
			return false;
	}
}

/* Parse spans "FROM,TO", each behind the one before. @base: what seconds count from */
static bool parse_pairs(struct sample_filter *f, const char *p, u64 base)
{
	u64 from, to, before = 0;
	bool more = false;

	p += strspn(p, " ");
	for (;; before = to, more = true) {
		from = 0;
		to = UINT64_MAX;
		if (*p != ',' && !parse_secs(&p, &from))
			return false;
		if (*p++ != ',' || (*p && *p != ' ' && !parse_secs(&p, &to)))
			return false;
		if (!to) /* as if it were not there: so perf 6.1 */
			to = UINT64_MAX;
		if (to < from || (more && from <= before))
			return false;
		add_span(f, base + from, to == UINT64_MAX ? to : base + to);
		if (!*p)
			return true;
		if (*p != ' ')
			return false;
		p += strspn(p, " ");
	}
}

static int bad_time(const char *list, struct err *err)
{
	return err_set(
		err, -EINVAL,
		"Invalid time string\n'%s' is neither start,stop in seconds (one may be left out) nor "
		"parts: 10%%-20%%, 10%%/2, several with commas between them.",
		list);
}

int sample_filter_time(struct sample_filter *f, const char *list, u64 first, u64 last,
		       struct err *err)
{
	bool parts = strchr(list, '%'), ok;

	f->any = true;
	if (parts && !last)
		return err_set(
			err, -EINVAL,
			"--time %s: parts of a time whose beginning and end are not known: these samples "
			"have no times, or come as a stream.\nGive times in seconds, or save the stream to "
			"a file first.",
			list);
	ok = parts ? parse_parts(f, list, first, last) : parse_pairs(f, list, 0);
	return ok ? 0 : bad_time(list, err);
}

int sample_filter_time_since(struct sample_filter *f, const char *list, u64 first, u64 last,
			     struct err *err)
{
	if (strchr(list, '%'))
		return sample_filter_time(f, list, first, last, err);
	f->any = true;
	if (!last)
		return err_set(
			err, -EINVAL,
			"--time %s with --reltime: seconds since a beginning that is not known: "
			"these samples have no times, or come as a stream.\nGive times without "
			"--reltime, or save the stream to a file first.",
			list);
	return parse_pairs(f, list, first) ? 0 : bad_time(list, err);
}

/* ------------------------------------------------------------------ matching */

static bool has_id(const u32 *ids, size_t nr, u32 id)
{
	return !nr || bsearch(&id, ids, nr, sizeof(*ids), by_u32);
}

static bool has_comm(const struct sample_filter *f, const char *comm)
{
	return !f->comms.set || name_list_has(&f->comms, comm);
}

s64 sample_filter_last_cpu(const struct sample_filter *f)
{
	for (u32 cpu = f->nr_cpus; f->cpus && cpu--;)
		if (f->cpus[cpu / 64] >> cpu % 64 & 1)
			return cpu;
	return -1;
}

bool sample_filter_cpu(const struct sample_filter *f, u32 cpu)
{
	return cpu == ~0U || sample_filter_takes_cpu(f, cpu);
}

bool sample_filter_match(const struct sample_filter *f, u32 pid, u32 tid, u32 cpu, u64 time,
			 const char *comm)
{
	if (!f->any)
		return true;
	if (!sample_filter_takes_cpu(f, cpu))
		return false;
	return has_id(f->pids, f->nr_pids, pid) && has_id(f->tids, f->nr_tids, tid) &&
	       sample_filter_time_takes(f, time) && has_comm(f, comm);
}

void sample_filter_release(struct sample_filter *f)
{
	name_list_release(&f->comms);
	free(f->pids);
	free(f->tids);
	free(f->cpus);
	free(f->spans);
	*f = (struct sample_filter){ 0 };
}
