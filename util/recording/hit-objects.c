// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "recording/hit-objects.h"

#include "base/pool.h"

static void *on_worker(void *ctx, int worker)
{
	return hits_worker(ctx);
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	hits_sample(ctx, ev->sample, ev->time, false, NULL, NULL);
	return 0;
}

static int on_sample_and_chain(void *ctx, const struct session_event *ev, struct err *err)
{
	hits_sample(ctx, ev->sample, ev->time, true, NULL, NULL);
	return 0;
}

int hit_objects_find(struct recording *r, bool chains, struct hits **hits, struct err *err)
{
	const struct recording_ops ops = {
		.worker_new = on_worker,
		.sample = chains ? on_sample_and_chain : on_sample,
	};

	*hits = hits_new(r->machine, recording_is_stream(r));
	return recording_samples(r, &ops, *hits, pool_cpus(), err);
}
