// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/sched/sched.h"

#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"

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

int sched_read(struct sched_common *c, sched_work work, void *ctx)
{
	struct analysis *a;
	struct recording r;
	struct err err = { 0 };
	int ret, status;

	source_defaults(&c->source);
	c->source.verbose = c->verbose;
	if (open_recording(&r, &c->source))
		return EXIT_FAILED;
	r.session.progress = progress_open();
	a = analysis_new(&r);
	ret = work(ctx, a, &err);
	progress_close(r.session.progress);
	if (ret)
		error_err(&err);
	status = warn_diag(&r.session);
	analysis_free(a);
	recording_close(&r);
	return ret ? EXIT_FAILED : status;
}
