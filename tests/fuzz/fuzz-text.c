// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole perf.data file becomes the text of its samples, tracepoint formats included. */
#include "base/compat.h"
#include "output/sample-text.h"
#include "pdata-build.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	struct session session;
	struct machine *machine;
	struct symbols *symbols;
	struct tracefmt *tracefmt;
	struct sample_fields fields;
	struct sample_text *text;
	struct sample_writer *writer;
	struct strbuf out;
};

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct text *t = ctx;

	return machine_apply(t->machine, ev->hdr, ev->hdr->size, ev->time, NULL);
}

static void drop(struct text *t)
{
	sample_writer_free(t->writer);
	sample_text_free(t->text);
	t->writer = NULL;
	t->text = NULL;
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct text *t = ctx;

	drop(t);
	tracefmt_free(t->tracefmt);
	t->tracefmt = NULL;
	if (env->tracing_data &&
	    tracefmt_read_section(env->tracing_data, env->tracing_size, &t->tracefmt, err))
		t->tracefmt = NULL;
	return 0;
}

static int make_text(struct text *t, struct err *err)
{
	const struct sample_text_conf conf = {
		.evlist = &t->session.evlist,
		.fields = &t->fields,
		.machine = t->machine,
		.symbols = t->symbols,
		.tracefmt = t->tracefmt,
		.max_stack = 127,
	};
	int ret;

	sample_fields_init(&t->fields);
	ret = sample_fields_check(&t->fields, conf.evlist, false, err);
	if (ret)
		return ret;
	t->text = sample_text_new(&conf);
	t->writer = sample_writer_new(t->text);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct text *t = ctx;

	machine_seal(t->machine);
	return 0;
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct text *t = ctx;
	int ret = t->text ? 0 : make_text(t, err);

	if (ret)
		return ret;
	strbuf_reset(&t->out);
	sample_writer_put(t->writer, ev->evsel, ev->sample, ev->time, &t->out);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sysroot nowhere = { .prefix = "/nonexistent" };
	static const struct symconf symconf = { .sysroot = &nowhere,
						.symfs = "/nonexistent",
						.buildid_dir = "" };
	static const struct session_ordered_ops ops = {
		.state = { .state = on_state, .ready = on_ready, .events = on_events },
		.format = on_record, /* no .write: record after record, in this thread */
	};
	struct text t = { .out = STRBUF_INIT };
	struct err err = { 0 };
	char path[64];
	int fd;

	pb_save(data, size, &fd, path);
	if (!session_open(&t.session, path, true, &err)) {
		t.machine = machine_new();
		t.symbols = symbols_new(&symconf);
		session_ordered(&t.session, &ops, &t, 1, &err);
		drop(&t);
		symbols_free(t.symbols);
		machine_free(t.machine);
		tracefmt_free(t.tracefmt);
		session_close(&t.session);
	}
	strbuf_release(&t.out);
	pb_unsave(fd);
	return 0;
}
