// SPDX-License-Identifier: GPL-2.0-or-later
/* Convert a whole recording to a CTF trace. */
#include "base/compat.h"
#include "convert/convert.h"

#include "convert/ctf.h"
#include "recording/recording.h"

struct to_ctf {
	struct recording *r;
	const struct convert_options *o;
	struct ctf_shape *shape;
	struct ctf_trace *trace;
	u8 uuids[2][CTF_UUID_SIZE]; /* of the trace, of its clock */
};

static int on_events(void *ctx, struct err *err)
{
	struct to_ctf *c = ctx;

	ctf_shape_events(c->shape, &c->r->session.evlist, c->r->formats.tracefmt);
	if (c->o->all)
		ctf_shape_records(c->shape);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	const struct to_ctf *c = ctx;
	u64 offset;

	return convert_wall_offset(c->r, c->o, &offset, err); /* the metadata have it */
}

static int on_event(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		    struct err *err)
{
	struct to_ctf *c = ctx;
	u64 time = c->r->session.has_time ? ev->time : 0;

	if (!ev->evsel || (time && !sample_filter_time_takes(&c->r->filter, time)))
		return 0;
	if (ev->sample)
		ctf_sample(c->shape, ev->evsel, ev->sample, time, ev->hdr->size, out);
	else
		ctf_record(c->shape, ev->evsel, ev->hdr, ev->id.cpu, time, out);
	return 0;
}

static int on_frames(void *ctx, const char *frames, size_t size, struct err *err)
{
	struct to_ctf *c = ctx;

	return ctf_trace_add(c->trace, frames, size, err);
}

static int put_all(struct to_ctf *c, struct err *err)
{
	const struct recording_ops ops = {
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.format = on_event,
		.write = on_frames,
		.all = c->o->all,
	};
	const struct ctf_about about = { .env = &c->r->session.file->env,
					 .wall_clock = c->o->wall_clock };
	struct strbuf text = STRBUF_INIT;
	int ret = recording_ordered(c->r, &ops, c, c->o->workers, err);

	if (!ret) {
		ctf_metadata(c->shape, &about, c->uuids[0], c->uuids[1], &text);
		ret = ctf_trace_end(c->trace, strbuf_str(&text), text.len, err);
	}
	strbuf_release(&text);
	return ret;
}

int convert_ctf(struct recording *r, const struct convert_options *o, struct convert_counts *n,
		struct err *err)
{
	struct to_ctf c = { .r = r, .o = o };
	struct ctf_counts counts;
	int ret = recording_is_stream(r) ? 0 : on_ready(&c, err);

	if (!ret)
		ret = ctf_uuid(c.uuids[0], err) ?: ctf_uuid(c.uuids[1], err);
	if (!ret)
		ret = ctf_trace_new(o->path, c.uuids[0], &c.trace, err);
	if (ret)
		return ret;
	r->formats.keep = true; /* the shape of the events refers to them */
	c.shape = ctf_shape_new();
	ret = put_all(&c, err);
	counts = ctf_trace_counts(c.trace);
	*n = (struct convert_counts){ .bytes = counts.bytes,
				      .samples = counts.samples,
				      .others = counts.others,
				      .late = counts.late };
	if (ret)
		ctf_trace_discard(c.trace);
	ctf_trace_free(c.trace);
	ctf_shape_free(c.shape);
	return ret;
}
