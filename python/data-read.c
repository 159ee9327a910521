// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the samples of a recording and look their places up. */
#include "base/compat.h"
#include "python/data.h"

#include "base/alloc.h"
#include "machine/machine.h"
#include "script/view.h"

/* So many samples are read between two pauses. */
#define PAUSE_EVERY (1 << 16)
#define MAX_STACK 127

struct reading {
	struct recording *r;
	struct data_samples *out;
	struct view view;
	bool viewing;
	int (*pause)(void *ctx);
	void *ctx;
};

static int ready(void *ctx, struct err *err)
{
	struct reading *rd = ctx;
	struct recording *r = rd->r;
	const struct view_source of = {
		.session = &r->session,
		.machine = r->machine,
		.symbols = r->symbols,
		.tracefmt = r->formats.tracefmt,
		.chains = { .machine = r->machine,
			    .symbols = r->symbols,
			    .arch = r->session.file->env.arch,
			    .copies = evlist_copies_stacks(&r->session.evlist),
			    .swap = r->session.file->swap,
			    .unwind_style = r->unwind_style },
		.max_stack = MAX_STACK,
	};

	if (rd->viewing)
		view_close(&rd->view);
	view_open(&rd->view, &of);
	rd->viewing = true;
	return 0;
}

static struct data_frame frame_of(const struct view_place *p)
{
	return (struct data_frame){
		.ip = p->ip, .symoff = p->sym ? p->symoff : 0, .symbol = p->sym, .object = p->object
	};
}

static void take_chain(struct reading *rd, struct data_sample *s)
{
	const struct view_place *frames;
	struct data_samples *out = rd->out;
	size_t nr = view_frames(&rd->view, &frames);

	s->first_frame = out->nr_frames;
	s->nr_frames = nr;
	VEC_GROW(out->frames, out->nr_frames + nr, out->cap_frames);
	for (size_t i = 0; i < nr; i++)
		out->frames[out->nr_frames++] = frame_of(&frames[i]);
}

static void take(struct reading *rd, const struct session_event *ev, const struct thread_at *at)
{
	const struct sample *s = ev->sample;
	struct data_samples *out = rd->out;
	struct view_place place;
	struct data_sample *d;

	VEC_GROW(out->v, out->nr + 1, out->cap);
	d = &out->v[out->nr++];
	view_enter(&rd->view, ev, at);
	view_place(&rd->view, s->cpumode, s->ip, &place);
	*d = (struct data_sample){ .time = s->time,
				   .ip = s->ip,
				   .addr = s->addr,
				   .period = s->period,
				   .pid = (int)s->pid,
				   .tid = (int)s->tid,
				   .cpu = (int)s->cpu,
				   .event = (int)ev->evsel->idx,
				   .comm = machine_comm(rd->r->machine, at->comm),
				   .place = frame_of(&place),
				   .raw_at = out->raw.len,
				   .raw_size = s->raw_size };
	if (s->raw_size)
		strbuf_add(&out->raw, s->raw, s->raw_size);
	if (ev->evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		take_chain(rd, d);
	view_leave(&rd->view);
}

static int on_sample(void *ctx, int worker, const struct session_event *ev, struct strbuf *none,
		     struct err *err)
{
	struct reading *rd = ctx;
	struct thread_at at;

	if (!ev->sample || !ev->evsel || !recording_takes(rd->r, ev, &at))
		return 0;
	take(rd, ev, &at);
	return rd->out->nr % PAUSE_EVERY ? 0 : rd->pause(rd->ctx);
}

int data_read(struct recording *r, struct data_samples *out, int (*pause)(void *ctx), void *ctx,
	      struct err *err)
{
	static const struct recording_ops ops = { .formats = true,
						  .ready = ready,
						  .format = on_sample };
	struct reading rd = { .r = r, .out = out, .pause = pause, .ctx = ctx };
	int ret;

	recording_symbols(r);
	ret = recording_prepare(r, err);
	if (!ret)
		ret = recording_ordered(r, &ops, &rd, 1, err);
	if (rd.viewing)
		view_close(&rd.view);
	return ret;
}

void data_samples_release(struct data_samples *d)
{
	free(d->v);
	free(d->frames);
	strbuf_release(&d->raw);
	memset(d, 0, sizeof(*d));
}
