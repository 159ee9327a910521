// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/filters.h"

#include "codec/quote.h"

void browse_filter(struct profile_options *asked, const struct report_filters *f)
{
	if (f->comm)
		asked->comms = f->comm;
	if (f->tid)
		asked->tids = f->tid;
	if (f->dso)
		asked->dsos = f->dso;
	if (f->socket >= 0)
		asked->socket = f->socket;
	if (f->sort_by)
		asked->group_sort = f->sort_by;
}

void browse_option(struct strbuf *out, const char *name, const char *value)
{
	if (!value)
		return;
	strbuf_addf(out, " %s", name);
	quote_shell(out, value);
}

void browse_filter_text(const struct report_filters *f, const char *tid, struct strbuf *out)
{
	browse_option(out, "--comms=", f->comm);
	browse_option(out, tid, f->tid);
	browse_option(out, "--dsos=", f->dso);
	browse_option(out, "--time=", f->time);
	browse_option(out, "--symbol-filter=", f->symbol);
	if (f->socket >= 0)
		strbuf_addf(out, " --socket-filter=%d", f->socket);
	if (f->sort_by)
		strbuf_addf(out, " --group-sort-idx=%d", f->sort_by);
}
