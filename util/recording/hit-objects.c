// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "recording/hit-objects.h"

#include "base/pool.h"

struct reading {
	struct hit_objects *o;
	struct session *s;
};

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct reading *r = ctx;

	if (machine_apply(r->o->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&r->s->diag, DIAG_BAD_RECORD, 1, ev->offset);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct reading *r = ctx;

	machine_seal(r->o->machine);
	return 0;
}

static void *on_worker(void *ctx, int worker)
{
	struct reading *r = ctx;

	return hits_worker(r->o->hits);
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

int hit_objects_find(struct hit_objects *o, struct session *s, bool chains, struct err *err)
{
	struct session_sample_ops ops = {
		.state = { .state = on_state, .plain = true, .ready = on_ready },
		.worker_new = on_worker,
		.sample = chains ? on_sample_and_chain : on_sample,
	};
	struct reading r = { o, s };

	o->machine = machine_new();
	o->hits = hits_new(o->machine, s->file->pipe);
	return session_samples(s, &ops, &r, pool_cpus(), err);
}

void hit_objects_release(struct hit_objects *o)
{
	hits_free(o->hits);
	machine_free(o->machine);
	*o = (struct hit_objects){ 0 };
}
