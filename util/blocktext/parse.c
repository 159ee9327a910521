// SPDX-License-Identifier: GPL-2.0-or-later
/* Events are read and written one by one. */
#include "base/compat.h"

#include "blocktext/parse-internal.h"

#include "blktrace/blktrace.h"
#include "export/export.h"

#define PIECE (32U << 10) /* bytes of text that are written at a time */

struct parse {
	const struct block_parse_show *show;
	const struct block_source *source;
	struct block_names names;
	struct block_tallies tallies;
	struct block_plugs plugs;
	struct block_flow *flow; /* for elapsed times; NULL: they are not wanted */
	struct block_line line;  /* of the event at hand */
	struct export_out *dump; /* NULL: there is none */
	struct map64 named;      /* processes whose names are in it */
	u64 first;
	bool at_once; /* a stream is looked at while it grows */
	bool begun, failed;
	struct strbuf text;
	int (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
};

/* ---- elapsed times ---- */

static u32 on_who(void *ctx, const struct block_event *ev)
{
	return BLOCK_NOBODY;
}

/* Lines tell the time from G to I, from there to D, and from D to C. */
static void on_moment(void *ctx, const struct block_io *io, enum block_moment moment,
		      const struct block_event *ev)
{
	struct parse *p = ctx;
	enum block_moment before = moment - 1;

	if (moment == BLOCK_AT_D && !(io->seen >> BLOCK_AT_I & 1))
		before = BLOCK_AT_G;
	p->line.has_elapsed = block_io_span(io, before, moment, &p->line.elapsed);
}

/* ---- events ---- */

static void write_text(struct parse *p)
{
	if (p->text.len && !p->failed)
		p->failed = p->write(p->ctx, p->text.buf, p->text.len);
	strbuf_reset(&p->text);
}

static void dump_event(struct parse *p, const struct block_event *ev)
{
	struct strbuf *out;

	if (!p->dump)
		return;
	out = export_buf(p->dump);
	if (ev->comm_len && map64_get(&p->named, ev->tid) == MAP64_NONE) {
		map64_set(&p->named, ev->tid, 1);
		blktrace_encode_process(ev, out);
	}
	blktrace_encode(ev, p->line.sequence, out);
	export_more(p->dump);
}

static void put_event(struct parse *p, const struct block_event *ev)
{
	if (p->show->quiet)
		return;
	if (p->show->format)
		block_line_format(&p->line, p->show->format, &p->text);
	else
		block_line_put(&p->line, &p->text);
	if (p->text.len >= PIECE || p->at_once)
		write_text(p);
}

static void take(struct parse *p, const struct block_event *ev, u32 sequence)
{
	struct block_tally *t = block_tally_of(&p->tallies, ev->dev);

	if (!p->begun)
		p->first = ev->time;
	p->begun = true;
	p->line = (struct block_line){
		.ev = ev,
		.sequence = sequence ?: block_tally_next(t, ev->cpu),
		.time = ev->time > p->first ? ev->time - p->first : 0,
	};
	block_tally_add(t, ev, p->line.sequence);
	if (p->flow)
		block_flow_event(p->flow, ev);
	put_event(p, ev);
	dump_event(p, ev);
}

static void on_numbered(void *ctx, const struct block_event *ev, u32 sequence)
{
	struct parse *p = ctx;
	struct block_event at_device = *ev;

	at_device.dev = block_plug_device(&p->plugs, ev);
	if (!ev->wanted || !ev->in_time || !block_letters(ev->action) || !at_device.dev ||
	    !block_devices_has(p->show->devices, at_device.dev))
		return;
	take(p, &at_device, sequence);
}

static void on_event(void *ctx, const struct block_event *ev)
{
	on_numbered(ctx, ev, 0);
}

static void on_message(void *ctx, const struct block_event *ev, const char *text, size_t len)
{
	struct parse *p = ctx;

	if (!p->show->quiet && !p->show->format && block_devices_has(p->show->devices, ev->dev))
		block_message_put(ev, ev->time > p->first && p->begun ? ev->time - p->first : 0,
				  text, len, &p->text);
}

static void on_device(void *ctx, u32 dev, const char *name)
{
	struct parse *p = ctx;

	block_names_set(&p->names, dev, name);
}

static void on_lost(void *ctx)
{
	struct parse *p = ctx;

	if (p->flow)
		block_flow_lost(p->flow);
}

/* ---- the run ---- */

static int run(struct parse *p, struct err *err)
{
	const struct block_taker taker = {
		on_event, on_numbered, on_message, on_device, on_lost, p
	};
	int ret = block_source_run(p->source, "block parse", &taker, err);
	u64 lost = 0;

	if (ret)
		return ret;
	block_names_of(&p->names, p->source->a);
	if (p->source->a)
		lost = analysis_losses(p->source->a).lost;
	block_tallies_put(&p->tallies, &p->names, lost, &p->text);
	write_text(p);
	return 0;
}

static bool is_stream(const struct block_source *source)
{
	if (source->a)
		return recording_is_stream(analysis_recording(source->a));
	return !strcmp(source->path, "-");
}

int block_parse_run(const struct block_parse_show *show, const struct block_source *source,
		    int (*write)(void *ctx, const char *text, size_t len), void *ctx,
		    struct err *err)
{
	struct parse p = {
		.show = show,
		.source = source,
		.at_once = is_stream(source),
		.write = write,
		.ctx = ctx,
	};
	int ret = 0;

	if (show->dump)
		p.dump = export_open(show->dump, err);
	if (show->dump && !p.dump)
		return err->code;
	if (show->elapsed)
		p.flow = block_flow_new(
			&(struct block_watch){ .ctx = &p, .who = on_who, .moment = on_moment });
	ret = run(&p, err);
	if (p.dump && !ret)
		ret = export_close(p.dump, err);
	else if (p.dump)
		export_cancel(p.dump);
	block_flow_free(p.flow);
	block_tallies_release(&p.tallies);
	block_names_release(&p.names);
	map64_release(&p.plugs.dev_of);
	map64_release(&p.named);
	strbuf_release(&p.text);
	return ret;
}
