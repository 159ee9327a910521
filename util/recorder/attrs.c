// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record -vv and --dry-run: the attrs. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

void record_show_try(void *ctx, const struct open_try *t)
{
	struct record *r = ctx;

	open_show_try(&r->shown, t);
}

int record_dry_run(struct record *r)
{
	evlist_configure(&r->evlist, &r->sample);
	record_offcpu_configure(r);
	for (size_t i = 0; i < r->evlist.nr && r->verbose > 1; i++)
		open_show_attr(&r->evlist.evsels[i]->attr, r->evlist.evsels[i]);
	evlist_release(&r->evlist);
	return 0;
}
