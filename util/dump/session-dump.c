// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the raw dump of the records of a session. */
#include "base/compat.h"

#include "dump/session-dump.h"

#include "base/alloc.h"
#include "recording/recording.h"
#include "symbol/symbol.h"

#define PIPE_HEADER 16 /* bytes in front of the first record of a stream, which are not counted */

bool dump_keeps_file_order(const struct session *s)
{
	const struct evlist *l = &s->evlist;

	return !s->file->pipe && !(l->nr && l->evsels[0]->attr.sample_id_all);
}

void dump_init(struct dump_text *d, const struct session *s, const struct machine *machine,
	       struct symbols *symbols)
{
	const struct perf_file *f = s->file;
	struct strbuf path = STRBUF_INIT;

	*d = (struct dump_text){
		.evlist = &s->evlist,
		.machine = machine,
		.symbols = symbols,
		.style = RECORD_SCRIPT,
		.unordered = dump_keeps_file_order(s),
		.env = &f->env,
		.swapped = f->swap,
		.pipe = f->pipe,
	};
	if (f->nr_parts) {
		strbuf_addf(&path, "%s/data", f->path);
		dump_text_init(d, strbuf_str(&path));
		strbuf_release(&path);
	} else {
		dump_text_init(d, f->pipe ? "pipe" : f->path);
	}
}

/* The parts of a directory have offsets of their own. */
static u64 shown_offset(const struct perf_file *f, u64 offset, u32 *part)
{
	size_t i = f->nr_parts;

	*part = 0;
	if (f->pipe)
		return offset - PIPE_HEADER;
	while (i && offset < f->parts[i - 1].base)
		i--;
	if (!i)
		return offset;
	*part = (u32)i;
	return offset - f->parts[i - 1].base;
}

void dump_arrived(struct dump_text *d, const struct pipe_record *raw)
{
	struct dump_trace *t;

	if (raw->type != PERF_RECORD_AUXTRACE || !raw->payload)
		return;
	VEC_GROW(d->traces, d->nr_traces + 1, d->cap_traces);
	t = &d->traces[d->nr_traces++];
	*t = (struct dump_trace){ raw->offset, xmalloc(raw->payload_size), raw->payload_size };
	memcpy(t->bytes, raw->payload, raw->payload_size);
}

/* Find the trace behind a record of a pipe. It is kept until the next record is dumped. */
static void find_kept(struct dump_text *d, u64 offset, struct dump_record *r)
{
	size_t i = 0;

	/* Records are dumped in their order, and what is before this one has been. */
	while (i < d->nr_traces && d->traces[i].offset < offset)
		free(d->traces[i++].bytes);
	d->nr_traces -= i;
	if (i)
		memmove(d->traces, d->traces + i, d->nr_traces * sizeof(*d->traces));
	if (d->nr_traces && d->traces[0].offset == offset) {
		r->trace = d->traces[0].bytes;
		r->trace_size = d->traces[0].size;
	}
}

/* Find the trace behind an AUXTRACE record, as far as the file has it. */
static void find_trace(const struct perf_file *f, const struct session_event *ev, u32 part,
		       struct dump_record *r)
{
	struct rec_auxtrace a;
	const u8 *map = part ? f->parts[part - 1].map : f->map;
	u64 size = part ? f->parts[part - 1].size : f->size, at = r->offset + ev->hdr->size;

	if (ev->hdr->type != PERF_RECORD_AUXTRACE || f->pipe || !map || at > size ||
	    rec_auxtrace_decode(ev->hdr, ev->hdr->size, &a))
		return;
	r->trace = map + at;
	r->trace_size = (size_t)MIN(a.size, size - at);
}

void dump_event(const struct session *s, struct dump_text *d, const struct session_event *ev,
		const struct thread_at *at, struct strbuf *out)
{
	struct dump_record r = {
		.hdr = ev->hdr,
		.evsel = ev->evsel,
		.sample = ev->sample,
		.id = &ev->id,
		.at = at,
		.whole = ev->part == PART_WHOLE,
	};

	r.offset = shown_offset(s->file, ev->offset, &r.part);
	if (s->file->pipe && ev->hdr->type == PERF_RECORD_AUXTRACE)
		find_kept(d, ev->offset, &r);
	else
		find_trace(s->file, ev, r.part, &r);
	if (ev->part == PART_VALUE)
		dump_text_thread(d, &r, out);
	else
		dump_text_put(d, &r, out);
}

struct dumping {
	struct session *s;
	struct machine *machine;
	struct dump_text text;
	int (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
};

static int on_arrived(void *ctx, const struct pipe_record *raw, const wire_header *rec,
		      struct err *err)
{
	struct dumping *d = ctx;

	dump_arrived(&d->text, raw);
	return 0;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct dumping *d = ctx;

	return ev->guest ? 0 : machine_apply(d->machine, ev->hdr, ev->hdr->size, ev->time, NULL);
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct dumping *d = ctx;

	dump_text_note(&d->text, ev->hdr);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct dumping *d = ctx;

	machine_seal(d->machine);
	return 0;
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct dumping *d = ctx;
	struct thread_at at;

	if (ev->part != PART_WHOLE && !d->s->file->pipe) /* what was counted as one, is several */
		__atomic_fetch_add(&d->s->of_event[ev->evsel->idx].samples,
				   ev->part == PART_VALUE ? 1 : -1, __ATOMIC_RELAXED);
	if (ev->sample)
		machine_thread_at(d->machine, ev->sample->pid, ev->sample->tid, ev->time, &at);
	dump_event(d->s, &d->text, ev, &at, out);
	return 0;
}

static int on_text(void *ctx, const char *text, size_t len, struct err *err)
{
	const struct dumping *d = ctx;

	return d->write(d->ctx, text, len);
}

int dump_records(struct session *s, const char *buildid_dir, int workers,
		 int (*write)(void *ctx, const char *text, size_t len), void *ctx, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = on_state, .other = on_other, .ready = on_ready },
		.format = on_record,
		.write = on_text,
		.all = true,
		.arrived = on_arrived,
	};
	const struct symconf conf = { .buildid_dir = buildid_dir,
				      .os_release = s->file->env.os_release };
	struct symbols *symbols = symbols_new(&conf);
	struct dumping d = { .s = s, .machine = machine_new(), .write = write, .ctx = ctx };
	int ret;

	apply_build_ids(d.machine, &s->file->env);
	dump_init(&d.text, s, d.machine, symbols);
	d.text.style = RECORD_REPORT;
	s->by_event = true;
	s->file->keep_aux = true;
	ret = session_ordered(s, &ops, &d, workers, err);
	dump_text_release(&d.text);
	symbols_free(symbols);
	machine_free(d.machine);
	return ret;
}
