// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the samples of a recording and look their places up. */
#include "base/compat.h"
#include "python/data.h"

#include "base/alloc.h"
#include "machine/machine.h"
#include "wire/records.h"

#include <errno.h>

/* So many records are read between two pauses. */
#define PAUSE_EVERY (1 << 16)
#define MAX_STACK 127

/* ---- what is wanted ---- */

static int choose_events(struct data_reader *rd)
{
	const struct evlist *l = &rd->r->session.evlist;

	free(rd->takes);
	rd->takes = xcalloc(l->nr + 1, sizeof(*rd->takes));
	for (size_t i = 0; i < l->nr; i++)
		rd->takes[i] = !rd->only || !rd->only->set ||
			       name_list_has(rd->only, l->evsels[i]->name);
	return 0;
}

int data_check_names(const struct data_reader *rd, struct err *err)
{
	const struct evlist *l = &rd->r->session.evlist;

	for (size_t i = 0; rd->only && i < rd->only->nr; i++) {
		size_t j = 0;

		while (j < l->nr && strcmp(l->evsels[j]->name, rd->only->names[i]) != 0)
			j++;
		if (j == l->nr)
			return err_set(
				err, -ENOENT,
				"no event '%s' is in the recording; `perf evlist` shows them",
				rd->only->names[i]);
	}
	return 0;
}

static int ready(void *ctx, struct err *err)
{
	struct data_reader *rd = ctx;
	struct recording *r = rd->r;
	const struct view_source of = {
		.session = &r->session,
		.machine = r->machine,
		.symbols = r->symbols,
		.tracefmt = rd->tf ? rd->tf : r->formats.tracefmt,
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
	return choose_events(rd);
}

/* Put something in the order of time, when others than samples are wanted. */
static void note_order(struct data_reader *rd, size_t what)
{
	struct data_samples *out = &rd->out;

	if (!rd->others)
		return;
	VEC_GROW(out->order, out->nr_order + 1, out->cap_order);
	out->order[out->nr_order++] = what;
}

/* ---- samples ---- */

static struct data_frame frame_of(const struct view_place *p)
{
	return (struct data_frame){
		.ip = p->ip, .symoff = p->sym ? p->symoff : 0, .symbol = p->sym, .object = p->object
	};
}

static void take_chain(struct data_reader *rd, struct data_sample *s)
{
	const struct view_place *frames;
	struct data_samples *out = &rd->out;
	size_t nr = view_frames(&rd->view, &frames);

	s->first_frame = out->nr_frames;
	s->nr_frames = nr;
	VEC_GROW(out->frames, out->nr_frames + nr, out->cap_frames);
	for (size_t i = 0; i < nr; i++)
		out->frames[out->nr_frames++] = frame_of(&frames[i]);
}

/* The name of the file is kept here, as a view ends when new events become known. */
static void take_line(struct data_reader *rd, struct data_sample *s)
{
	const char *file;

	s->line = view_srcline(&rd->view, &file);
	if (s->line && file)
		s->file = intern_str(&rd->files, intern_str_id(&rd->files, file));
}

static void take(struct data_reader *rd, const struct session_event *ev, const struct thread_at *at)
{
	const struct sample *s = ev->sample;
	struct data_samples *out = &rd->out;
	struct view_place place;
	struct data_sample *d;

	VEC_GROW(out->v, out->nr + 1, out->cap);
	note_order(rd, out->nr);
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
	if (rd->lines)
		take_line(rd, d);
	view_leave(&rd->view);
}

/* ---- other records ---- */

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct data_reader *rd = ctx;
	struct rec_lost lost;

	if ((ev->hdr->type == PERF_RECORD_LOST || ev->hdr->type == PERF_RECORD_LOST_SAMPLES) &&
	    !rec_lost_decode(ev->hdr, ev->hdr->size, &lost))
		rd->lost += lost.lost;
	return 0;
}

/* Tell whether the thread, CPU and time of a record that is no sample are wanted. */
static bool other_is_wanted(const struct data_reader *rd, const struct session_event *ev)
{
	const struct recording *r = rd->r;
	struct thread_at at;

	if (ev->guest || !r->session.evlist.nr || !rd->others(ev->hdr->type))
		return false;
	if (!r->filter.any)
		return true;
	machine_thread_at(r->machine, ev->id.pid, ev->id.tid, ev->time, &at);
	return sample_filter_match(&r->filter, ev->id.pid, ev->id.tid, ev->id.cpu, ev->time,
				   machine_comm_told(r->machine, at.comm));
}

static void take_other(struct data_reader *rd, const struct session_event *ev)
{
	struct data_samples *out = &rd->out;

	VEC_GROW(out->others, out->nr_others + 1, out->cap_others);
	note_order(rd, DATA_OTHER | out->nr_others);
	out->others[out->nr_others++] =
		(struct data_other){ .at = out->other_bytes.len,
				     .event = ev->evsel ? ev->evsel->idx : 0 };
	strbuf_add(&out->other_bytes, ev->hdr, ev->hdr->size);
}

/* ---- all of them ---- */

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *none,
		     struct err *err)
{
	struct data_reader *rd = ctx;
	struct thread_at at = { 0 };

	if (!ev->sample) {
		if (other_is_wanted(rd, ev))
			take_other(rd, ev);
	} else if (ev->part != PART_RECORD && ev->evsel && rd->takes[ev->evsel->idx] &&
		   recording_takes(rd->r, ev, &at)) {
		take(rd, ev, &at);
	}
	return rd->pause && ++rd->since_pause % PAUSE_EVERY == 0 ? rd->pause(rd->ctx) : 0;
}

int data_read(struct data_reader *rd, struct err *err)
{
	const struct recording_ops ops = { .formats = !rd->tf,
					   .ready = ready,
					   .other = on_other,
					   .format = on_record,
					   .all = rd->others };
	int ret = recording_settle_time(rd->r, err);

	if (!ret)
		ret = recording_ordered(rd->r, &ops, rd, 1, err);
	return ret;
}

void data_reader_release(struct data_reader *rd)
{
	if (rd->viewing)
		view_close(&rd->view);
	intern_release(&rd->files);
	data_samples_release(&rd->out);
	free(rd->takes);
}

void data_samples_release(struct data_samples *d)
{
	free(d->v);
	free(d->frames);
	strbuf_release(&d->raw);
	free(d->others);
	strbuf_release(&d->other_bytes);
	free(d->order);
	memset(d, 0, sizeof(*d));
}
