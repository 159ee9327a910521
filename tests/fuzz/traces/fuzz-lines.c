// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accesses with any data sources pass the engine on cache lines, from two workers in turns: the
 * sums over entries, lines and all accesses must fit together.
 */
#include "base/compat.h"
#include "base/cur.h"
#include "base/strbuf.h"
#include "lines/lines.h"
#include "wire/field-text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool place(void *ctx, const struct line_access *a, struct line_place *out)
{
	*out = (struct line_place){ .addr = a->addr, .pid = a->addr & 0x1000 ? a->pid : 0 };
	return a->addr & 0x2000;
}

static bool object(void *ctx, const struct line_access *a, u32 *out)
{
	*out = a->ip & 3;
	return *out;
}

static void check(const struct clines *l, u64 added)
{
	const struct line_entry *entries = clines_entries(l);
	const struct line_counts *all = clines_counts(l);
	u64 in_lines = 0;
	size_t nr;
	const struct line *lines = clines_of(l, &nr);

	for (size_t i = 0; i < nr; i++) {
		u64 in_entries = 0;

		for (u32 k = 0; k < lines[i].nr_entries; k++) {
			struct line_sums sums;

			clines_entry_sums(l, &entries[lines[i].entry + k], &sums);
			in_entries += sums.counts.accesses;
		}
		if (in_entries != lines[i].counts.accesses || lines[i].addr & 63)
			abort();
		in_lines += in_entries;
	}
	if (all->accesses != added || in_lines > added ||
	    in_lines + all->nr[ACCESS_NO_MAP] + all->nr[ACCESS_UNKNOWN] +
			    all->nr[ACCESS_LD_NO_ADDRESS] + all->nr[ACCESS_ST_NO_ADDRESS] !=
		    added)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cur c = cur_make(data, size, false);
	const struct clines_conf conf = { .line_size = 64,
					  .keys = { cur_u8(&c) % CLINES_KEYS,
						    cur_u8(&c) % CLINES_KEYS },
					  .nr_keys = 2,
					  .place = place,
					  .object = object };
	struct clines *l = clines_new(&conf);
	struct clines_worker *w[] = { clines_worker(l), clines_worker(l) };
	struct strbuf text = STRBUF_INIT;
	u64 added = 0;

	while (cur_left(&c) >= 16) {
		struct line_access a = { .data_src = cur_u64(&c),
					 .addr = cur_u16(&c),
					 .ip = cur_u8(&c),
					 .tid = cur_u8(&c),
					 .pid = cur_u8(&c),
					 .cpu = cur_u8(&c),
					 .weight = cur_u8(&c),
					 .phys = cur_u8(&c) };

		clines_add(w[added & 1], &a);
		strbuf_reset(&text);
		data_src_text(a.data_src, &text);
		added++;
	}
	clines_finish(l);
	clines_show(l, NULL, 0);
	check(l, added);
	clines_free(l);
	strbuf_release(&text);
	return 0;
}
