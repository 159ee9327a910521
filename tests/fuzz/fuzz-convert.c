// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole perf.data file becomes JSON, which must be JSON, and events of a CTF trace. */
#include "base/compat.h"
#include "convert/ctf.h"
#include "convert/json.h"
#include "json-check.h"
#include "pdata-build.h"
#include "session/session.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct conversion {
	struct session session;
	struct machine *machine;
	struct symbols *symbols;
	struct tracefmt *tracefmt;
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

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct conversion *c = ctx;

	return machine_apply(c->machine, ev->hdr, ev->hdr->size, ev->time, NULL);
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
	if (!c->tracefmt && env->tracing_data &&
	    tracefmt_read_section(env->tracing_data, env->tracing_size, &c->tracefmt, err))
		c->tracefmt = NULL;
	ctf_shape_events(c->ctf, evlist, c->tracefmt);
	ctf_shape_records(c->ctf);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct conversion *c = ctx;

	machine_seal(c->machine);
	return 0;
}

static void make_json(struct conversion *c)
{
	const struct json_conf conf = {
		.evlist = &c->session.evlist,
		.machine = c->machine,
		.symbols = c->symbols,
		.tracefmt = c->tracefmt,
		.arch = c->session.file->env.arch,
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
	const struct ctf_about about = { .env = &c->session.file->env, .wall_clock = true };

	strbuf_reset(&c->out);
	ctf_metadata(c->ctf, &about, uuid, uuid, &c->out);
	strbuf_reset(&c->out);
	strbuf_addch(&c->out, ' ');
	json_head(c->session.file, 0, &c->out);
	json_tail(&c->out);
	check(&c->out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sysroot nowhere = { .prefix = "/nonexistent" };
	static const struct symconf symconf = { .sysroot = &nowhere,
						.symfs = "/nonexistent",
						.buildid_dir = "" };
	static const struct session_ordered_ops ops = {
		.state = { .state = on_state, .ready = on_ready, .events = on_events },
		.format = on_event, /* no .write: record after record, in this thread */
		.all = true,
	};
	struct conversion c = { .out = STRBUF_INIT };
	struct err err = { 0 };
	char path[64];
	int fd;

	pb_save(data, size, &fd, path);
	if (!session_open(&c.session, path, true, &err)) {
		c.machine = machine_new();
		c.symbols = symbols_new(&symconf);
		c.ctf = ctf_shape_new();
		session_ordered(&c.session, &ops, &c, 1, &err);
		put_text(&c);
		drop(&c);
		ctf_shape_free(c.ctf);
		symbols_free(c.symbols);
		machine_free(c.machine);
		tracefmt_free(c.tracefmt);
		session_close(&c.session);
	}
	strbuf_release(&c.out);
	pb_unsave(fd);
	return 0;
}
