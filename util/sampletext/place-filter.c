// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"
#include "sampletext/place-filter.h"

#include "base/alloc.h"

#include <errno.h>

static int by_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

int place_filter_symbols(struct place_filter *f, const char *text, struct err *err)
{
	int ret = name_list_parse(&f->symbols, text, "symbol", err);

	if (ret)
		return ret;
	free(f->addrs);
	f->addrs = xcalloc(f->symbols.nr + 1, sizeof(*f->addrs));
	f->nr_addrs = 0;
	for (size_t i = 0; i < f->symbols.nr; i++) { /* "add" may be a symbol as well as a number */
		char *end;
		u64 addr = strtoull(f->symbols.names[i], &end, 16);

		if (!*end)
			f->addrs[f->nr_addrs++] = addr;
	}
	qsort(f->addrs, f->nr_addrs, sizeof(*f->addrs), by_u64);
	return 0;
}

unsigned int place_filter_names(const struct place_filter *f, const struct location *l)
{
	const char *symbol = location_symbol(l);
	unsigned int out = 0;

	if (!f->dsos.set || (l->dso && (name_list_has(&f->dsos, l->dso->short_name) ||
					name_list_has(&f->dsos, l->dso->path))))
		out |= PLACE_DSO;
	if (!f->symbols.set || (symbol && name_list_has(&f->symbols, symbol)))
		out |= PLACE_SYMBOL;
	if (symbol && name_list_has(&f->stops, symbol))
		out |= PLACE_STOP;
	return out;
}

bool place_filter_addr(const struct place_filter *f, u64 ip)
{
	/* Only the range of the last address that is not after @ip can contain it. */
	size_t lo = bisect(f->addrs, f->nr_addrs, sizeof(*f->addrs),
			   (struct bisect_key){ 0, sizeof(*f->addrs) }, ip, true);

	return lo && ip - f->addrs[lo - 1] < MAX(f->range, (u64)1);
}

void place_filter_release(struct place_filter *f)
{
	name_list_release(&f->symbols);
	name_list_release(&f->dsos);
	name_list_release(&f->stops);
	free(f->addrs);
	*f = (struct place_filter){ 0 };
}
