// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole perf.data file becomes the text of its samples, tracepoint formats included. */
#include "base/compat.h"
#include "sampletext/sample-text.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	struct reading r;
	struct sample_fields fields;
	struct sample_text *text;
	struct sample_writer *writer;
	struct strbuf out;
};

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
	reading_formats(&t->r, env);
	return 0;
}

static int make_text(struct text *t, struct err *err)
{
	const struct sample_text_conf conf = {
		.evlist = &t->r.session.evlist,
		.fields = &t->fields,
		.machine = t->r.machine,
		.symbols = t->r.symbols,
		.tracefmt = t->r.tracefmt,
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
	static const struct session_ordered_ops ops = {
		.state = { .state = reading_state, .ready = reading_ready, .events = on_events },
		.format = on_record, /* no .write: record after record, in this thread */
	};
	struct text t = { .out = STRBUF_INIT };
	struct err err = { 0 };

	if (reading_open(&t.r, data, size))
		return 0;
	session_ordered(&t.r.session, &ops, &t, 1, &err);
	drop(&t);
	reading_close(&t.r);
	strbuf_release(&t.out);
	return 0;
}
