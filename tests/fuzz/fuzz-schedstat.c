// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/schedstat with any text, and records of it with any bytes. What is read from a text comes
 * back from its records as it was.
 */
#include "base/compat.h"
#include "schedstat/schedstat.h"

#include "wire/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_all(struct schedstat_recorded *r, const void *bytes, size_t size)
{
	const struct env env = { 0 };
	const u8 *at = bytes, *end = at + size;

	while ((size_t)(end - at) >= sizeof(wire_header)) {
		const wire_header *h = (const wire_header *)at;

		if (h->size < sizeof(*h) || h->size > end - at)
			break;
		schedstat_take(r, at, h->size, &env);
		at += h->size;
	}
}

static void from_text(const char *text)
{
	struct schedstat_recorded r = { 0 };
	struct strbuf records = STRBUF_INIT;
	struct schedstat s;

	if (schedstat_parse(&s, text, NULL))
		return;
	schedstat_put_records(&s, &records);
	take_all(&r, records.buf, records.len);
	if (r.damaged || r.unknown || r.after.nr_cpus || r.before.nr_cpus != s.nr_cpus ||
	    r.before.nr_domains != s.nr_domains)
		abort();
	schedstat_recorded_release(&r);
	schedstat_release(&s);
	strbuf_release(&records);
}

static void from_records(const void *data, size_t size)
{
	struct schedstat_recorded r = { 0 };
	struct schedstat grown, sum;
	struct schedstat_gone gone;

	take_all(&r, data, size);
	schedstat_change(&r.before, &r.after, &grown, &gone, NULL);
	schedstat_sum(&grown, &sum);
	if (sum.nr_cpus != 1 || grown.nr_cpus > r.after.nr_cpus)
		abort();
	schedstat_release(&sum);
	schedstat_release(&grown);
	schedstat_recorded_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add(&text, data, size);
	from_text(strbuf_str(&text));
	strbuf_release(&text);
	from_records(data, size);
	return 0;
}
