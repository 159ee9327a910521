// SPDX-License-Identifier: GPL-2.0-or-later
/* perf data convert --to-ctf */
#include "base/compat.h"
#include "cmd/data/data.h"

#include "cmd/common/message.h"

#include "convert/ctf.h"

#include <errno.h>
#include <sys/random.h>

struct to_ctf {
	struct data_convert *dc;
	struct ctf_shape *shape;
	struct ctf_trace *trace;
	u8 uuids[2][CTF_UUID_SIZE]; /* of the trace, of its clock */
};

/* Random ones, of version 4 (RFC 9562). */
static int make_uuids(struct to_ctf *c, struct err *err)
{
	if (getrandom(c->uuids, sizeof(c->uuids), 0) != (ssize_t)sizeof(c->uuids))
		return err_set(err, -errno, "cannot get random bytes: %s", err_str(-errno));
	for (int i = 0; i < 2; i++) {
		c->uuids[i][6] = (c->uuids[i][6] & 0x0f) | 0x40;
		c->uuids[i][8] = (c->uuids[i][8] & 0x3f) | 0x80;
	}
	return 0;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return 0;
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct to_ctf *c = ctx;

	/* The events refer to the formats: they stay. */
	if (!c->dc->formats.tracefmt)
		formats_take(&c->dc->formats, evlist, env, c->dc->verbose, &stderr_notices);
	ctf_shape_events(c->shape, evlist, c->dc->formats.tracefmt);
	if (c->dc->all)
		ctf_shape_records(c->shape);
	return 0;
}

static int on_event(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		    struct err *err)
{
	struct to_ctf *c = ctx;
	struct data_convert *dc = c->dc;
	u64 time = dc->session.has_time ? ev->time : 0;
	int ret = data_ready(dc, err);

	if (ret || !ev->evsel || (time && !data_wants(dc, time)))
		return ret;
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

static int convert(struct to_ctf *c, struct err *err)
{
	const struct session_ordered_ops ops = {
		.state = { .state = on_state, .events = on_events },
		.format = on_event,
		.write = on_frames,
		.all = c->dc->all,
	};
	struct data_convert *dc = c->dc;
	const struct ctf_about about = { .env = &dc->session.file->env, .wall_clock = dc->tod };
	struct strbuf text = STRBUF_INIT;
	int ret = session_ordered(&dc->session, &ops, c, dc->workers, err);

	if (!ret) {
		ctf_metadata(c->shape, &about, c->uuids[0], c->uuids[1], &text);
		ret = ctf_trace_end(c->trace, strbuf_str(&text), text.len, err);
	}
	strbuf_release(&text);
	return ret;
}

int data_to_ctf(struct data_convert *dc, struct err *err)
{
	struct to_ctf c = { .dc = dc };
	struct ctf_counts n;
	int ret = data_open(dc, err);

	if (!ret)
		ret = make_uuids(&c, err);
	if (!ret)
		ret = ctf_trace_new(dc->to_ctf, c.uuids[0], &c.trace, err);
	if (ret)
		return ret;
	c.shape = ctf_shape_new();
	ret = convert(&c, err);
	n = ctf_trace_counts(c.trace);
	if (ret)
		ctf_trace_discard(c.trace);
	ctf_trace_free(c.trace);
	ctf_shape_free(c.shape);
	if (ret)
		return ret;
	warn_lost(&dc->session);
	warn_diag(&dc->session.diag);
	if (n.late)
		fprintf(stderr,
			"Warning:\n%" PRIu64 " events came after later ones of their CPU, and "
			"have the time of those\n",
			n.late);
	data_tell(&dc->session, "CTF", dc->to_ctf, n.bytes, n.samples, n.others);
	return 0;
}
