// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toprun/overwritten.h"

#include "base/alloc.h"
#include "recorder/output.h"

struct overwritten {
	struct source base;
	struct rings *rings;
	struct source *from; /* owned */
	struct strbuf read;  /* the records of this round */
	size_t at;
	u64 taken;
	bool ends; /* the end of the round comes behind them */
	struct perf_event_header round;
};

static void hand_out(struct overwritten *o, struct perf_event_header *h, struct pipe_record *out)
{
	*out = (struct pipe_record){
		.rec = h, .type = h->type, .misc = h->misc, .size = h->size, .offset = o->taken
	};
	o->taken += h->size;
}

static int overwritten_next(struct source *src, struct pipe_record *out, struct diag *diag,
			    struct err *err)
{
	struct overwritten *o = (struct overwritten *)src;
	struct perf_event_header *h;
	int ret;

	if (!o->ends) {
		ret = source_next(o->from, out, diag, err);
		if (ret <= 0 || out->type != PERF_RECORD_FINISHED_ROUND) {
			out->offset = o->taken;
			o->taken += ret > 0 ? out->size : 0;
			return ret;
		}
		o->round = *out->rec;
		o->ends = true;
		strbuf_reset(&o->read);
		o->at = 0;
		ret = drain_overwritten(o->rings, &o->read, err);
		if (ret)
			return ret;
	}
	h = &o->round;
	if (o->at < o->read.len) {
		h = (void *)(o->read.buf + o->at);
		o->at += h->size;
	} else {
		o->ends = false;
	}
	hand_out(o, h, out);
	return 1;
}

static u64 overwritten_tell(const struct source *src)
{
	return ((const struct overwritten *)src)->taken;
}

static void overwritten_close(struct source *src)
{
	struct overwritten *o = (struct overwritten *)src;

	source_close(o->from);
	strbuf_release(&o->read);
	free(o);
}

struct source *overwritten_source(struct rings *rings, struct source *from)
{
	static const struct source_ops ops = { .next = overwritten_next,
					       .tell = overwritten_tell,
					       .close = overwritten_close };
	struct overwritten *o = xzalloc(sizeof(*o));

	o->base.ops = &ops;
	o->rings = rings;
	o->from = from;
	return &o->base;
}
