// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording becomes files of blktrace. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "blktrace/blktrace.h"

struct conversion {
	struct blktrace_writer *w;
	struct block_flow *flow; /* it learns which device a partition belongs to */
	struct block_names *names;
};

static u32 on_who(void *ctx, const struct block_event *ev)
{
	return BLOCK_NOBODY;
}

static void on_event(void *ctx, const struct block_event *ev)
{
	struct conversion *c = ctx;

	block_flow_event(c->flow, ev);
	if (ev->wanted && ev->in_time)
		blktrace_writer_event(c->w, ev);
}

static u32 disk_of(void *ctx, u32 dev)
{
	const struct conversion *c = ctx;

	return block_flow_disk(c->flow, dev);
}

static const char *name_of(void *ctx, u32 dev)
{
	const struct conversion *c = ctx;

	return block_name(c->names, dev);
}

int block_to_blktrace(struct analysis *a, const char *dir, struct strbuf *text, struct err *err)
{
	struct block_names names = { 0 };
	struct conversion c = {
		.w = blktrace_writer_new(),
		.flow = block_flow_new(&(struct block_watch){ .who = on_who }),
		.names = &names,
	};
	const struct block_source source = { .a = a };
	const struct block_taker taker = { .event = on_event, .ctx = &c };
	u64 nr = 0;
	int ret = block_source_run(&source, "data convert --to-blktrace", &taker, err);

	block_names_of(&names, a);
	if (!ret)
		ret = blktrace_writer_finish(
			c.w, dir, &(struct blktrace_names){ disk_of, name_of, &c }, &nr, err);
	if (!ret)
		strbuf_addf(text,
			    "[ perf data convert: Converted %" PRIu64
			    " events into blktrace files in %s ]\n",
			    nr, dir);
	block_flow_free(c.flow);
	blktrace_writer_free(c.w);
	block_names_release(&names);
	return ret;
}
