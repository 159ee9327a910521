// SPDX-License-Identifier: GPL-2.0-or-later
/* Call chains below the lines. */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

#define CHAIN_COLUMN 39 /* where frames begin */

static void open_chains(struct trace_run *t)
{
	const struct callchain_source from = {
		.machine = t->r->machine,
		.symbols = recording_symbols(t->r),
		.arch = t->r->session.file->env.arch,
		.copies = t->copies_stacks,
		.swap = t->r->session.file->swap,
		.unwind_style = t->r->unwind_style,
	};

	callchain_conf_open(&t->chain_sources, &from);
	t->chains.conf = &t->chain_sources;
	t->chains_open = true;
}

void trace_chains_release(struct trace_run *t)
{
	if (!t->chains_open)
		return;
	callchain_maker_release(&t->chains);
	callchain_conf_close(&t->chain_sources);
	t->chains_open = false;
}

static void make_chain(struct trace_run *t, struct callchain *out)
{
	const struct session_event *ev = t->now;

	if (!t->chains_open)
		open_chains(t);
	callchain_make(&t->chains, layout_lbr_chain(&ev->evsel->layout), t->at->epoch, ev->sample,
		       out);
}

static void put_frame(struct trace_run *t, u8 mode, u64 ip)
{
	const bool kernel = mode == PERF_RECORD_MISC_KERNEL;
	const size_t from = t->out.len;
	struct location l;
	const char *name;

	resolve_find(t->r->machine, recording_symbols(t->r),
		     kernel ? t->at->kernel_epoch : t->at->epoch, mode, ip, &l);
	name = location_symbol(&l);
	strbuf_pad(&t->out, from + CHAIN_COLUMN);
	strbuf_addname(&t->out, name ? name : "[unknown]");
	strbuf_addstr(&t->out, " (");
	strbuf_addname(&t->out, location_dso_long(&l));
	strbuf_addstr(&t->out, ")\n");
}

/* Call @frame for each frame that is wanted. Return: their number. */
static u32 walk(struct trace_run *t, bool kernel,
		void (*frame)(struct trace_run *t, u8 mode, u64 ip))
{
	u8 mode = PERF_RECORD_MISC_USER;
	struct callchain chain;
	u32 frames = 0;

	make_chain(t, &chain);
	for (u64 i = 0; i < chain.nr && (!t->asked->max_stack || frames < t->asked->max_stack);
	     i++) {
		u64 ip = chain.ips[i];

		if (ip >= (u64)PERF_CONTEXT_MAX) {
			mode = callchain_mode(ip);
			continue;
		}
		if (mode == PERF_RECORD_MISC_KERNEL && !kernel)
			continue;
		frames++;
		if (frame)
			frame(t, mode, ip);
	}
	return frames;
}

void trace_chain(struct trace_run *t, bool kernel)
{
	if (t->now->sample->callchain || t->copies_stacks)
		walk(t, kernel, put_frame);
}

bool trace_chain_deep(struct trace_run *t)
{
	return !t->asked->min_stack || walk(t, true, NULL) >= t->asked->min_stack;
}
