// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole perf.data file becomes JSON, which must be JSON, and events of a CTF trace. */
#include "base/compat.h"
#include "convert/ctf.h"
#include "convert/json.h"
#include "json-check.h"
#include "reading.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct conversion {
	struct reading r;
	struct json_shape *json;
	struct json_writer *writer;
	struct ctf_shape *ctf;
	struct strbuf out;
};

static void check(const struct strbuf *object)
{
	if (object->len && json_check(object->buf + JSON_COMMA, object->len - JSON_COMMA) != -1)
		abort();
}

static void drop(struct conversion *c)
{
	json_writer_free(c->writer);
	json_shape_free(c->json);
	c->writer = NULL;
	c->json = NULL;
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct conversion *c = ctx;

	drop(c);
	if (!c->r.tracefmt) /* what it has made refers to these */
		reading_formats(&c->r, env);
	ctf_shape_events(c->ctf, evlist, c->r.tracefmt);
	ctf_shape_records(c->ctf);
	return 0;
}

static void make_json(struct conversion *c)
{
	const struct json_conf conf = {
		.evlist = &c->r.session.evlist,
		.machine = c->r.machine,
		.symbols = c->r.symbols,
		.tracefmt = c->r.tracefmt,
		.arch = c->r.session.file->env.arch,
	};

	c->json = json_shape_new(&conf);
	c->writer = json_writer_new(c->json);
}

static int on_event(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		    struct err *err)
{
	struct conversion *c = ctx;

	strbuf_reset(&c->out);
	if (ev->sample)
		ctf_sample(c->ctf, ev->evsel, ev->sample, ev->time, ev->hdr->size, &c->out);
	else
		ctf_record(c->ctf, ev->evsel, ev->hdr, ev->id.cpu, ev->time, &c->out);
	strbuf_reset(&c->out);
	if (!c->json)
		make_json(c);
	if (ev->sample)
		json_sample(c->writer, ev->evsel, ev->sample, ev->time, &c->out);
	else
		json_record(ev->evsel, ev->hdr, &ev->id, 0, &c->out);
	check(&c->out);
	return 0;
}

static void put_text(struct conversion *c)
{
	static const u8 uuid[CTF_UUID_SIZE];
	const struct ctf_about about = { .env = &c->r.session.file->env, .wall_clock = true };

	strbuf_reset(&c->out);
	ctf_metadata(c->ctf, &about, uuid, uuid, &c->out);
	strbuf_reset(&c->out);
	strbuf_addch(&c->out, ' ');
	json_head(c->r.session.file, 0, &c->out);
	json_tail(&c->out);
	check(&c->out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = reading_state, .ready = reading_ready, .events = on_events },
		.format = on_event, /* no .write: record after record, in this thread */
		.all = true,
	};
	struct conversion c = { .out = STRBUF_INIT };
	struct err err = { 0 };

	if (reading_open(&c.r, data, size))
		return 0;
	c.ctf = ctf_shape_new();
	session_ordered(&c.r.session, &ops, &c, 1, &err);
	put_text(&c);
	drop(&c);
	ctf_shape_free(c.ctf);
	reading_close(&c.r);
	strbuf_release(&c.out);
	return 0;
}
