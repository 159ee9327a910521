// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/sched/sched.h"

#include "cmd/common/settings.h"

#include "schedtext/schedtext.h"

u32 sched_cpus(u32 told)
{
	return MIN(told, SCHED_MAX_CPUS);
}

void sched_tell_losses(const struct analysis *a, const struct sched_counts *counts)
{
	struct analysis_losses losses = analysis_losses(a);
	struct strbuf text = STRBUF_INIT;

	sched_put_losses(counts, &losses, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

struct reading {
	analysis_work work;
	void *ctx;
};

static int read_and_tell(void *ctx, struct analysis *a, struct err *err)
{
	const struct reading *r = ctx;
	int ret = r->work(r->ctx, a, err);

	if (!ret)
		fputs(analysis_missing(a), stderr);
	return ret;
}

int sched_read(struct sched_common *c, analysis_work work, void *ctx)
{
	source_defaults(&c->source);
	c->source.verbose = c->verbose;
	return analyse_recording(&c->source, read_and_tell, &(struct reading){ work, ctx });
}
