// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of JSON: one for the recording, one for each function, and one for each stack of an event
 * and a thread, for jq and for programs that read line by line.
 * Documentation/format/stacks.ndjson.md describes the contents; existing members keep their names
 * and meanings.
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "export/places.h"

static void put_event(const struct stacks *s, struct export_out *o, u32 event)
{
	const struct stacks_event *e = &s->events[event];
	const char *name = stacks_text(s, e->name);

	export_str(o, "{\"name\":");
	quote_json(export_buf(o), name);
	export_f(o, ",\"unit\":\"%s\",\"samples\":%" PRIu64 ",\"period\":%" PRIu64 "}",
		 event_unit(s, event), e->samples, e->period);
}

static void put_facts(const struct export_opts *opts, struct export_out *o)
{
	export_str(o, ",\"facts\":");
	export_json_facts(o, opts);
	export_str(o, ",\"notes\":[");
	for (u32 i = 0; i < opts->nr_notes; i++) {
		if (i)
			export_ch(o, ',');
		quote_json(export_buf(o), opts->notes[i]);
	}
	export_ch(o, ']');
}

static void put_head(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		     u32 only)
{
	bool comma = false;

	export_str(o,
		   "{\"type\":\"recording\",\"format\":\"perf-stacks\",\"version\":1,\"events\":[");
	for (u32 i = 0; i < s->nr_events; i++) {
		if (!export_takes(only, i))
			continue;
		if (comma)
			export_ch(o, ',');
		comma = true;
		put_event(s, o, i);
	}
	export_f(o, "],\"first_time\":%" PRIu64 ",\"last_time\":%" PRIu64, s->first_time,
		 s->last_time);
	if (opts->wall_offset)
		export_f(o, ",\"wall_offset\":%" PRIu64, opts->wall_offset);
	put_facts(opts, o);
	export_str(o, "}\n");
}

static void put_frame(const struct stacks *s, struct export_out *o, u32 frame)
{
	const struct stacks_frame *f = &s->frames[frame];

	export_f(o, "{\"type\":\"frame\",\"id\":%u,\"name\":", frame);
	quote_json(export_buf(o), stacks_text(s, f->name));
	export_f(o, ",\"kind\":\"%s\",\"object\":", frame_kind_name(f->kind));
	quote_json(export_buf(o), stacks_text(s, f->path ? f->path : f->dso));
	export_str(o, ",\"build_id\":");
	quote_json(export_buf(o), stacks_text(s, f->build_id));
	export_str(o, "}\n");
}

static void put_stack(const struct stacks *s, struct export_out *o, const struct stacks_sum *sum,
		      u32 *path)
{
	const struct stacks_thread *t = &s->threads[sum->thread];
	u32 nr = stacks_path(s, sum->node, path);

	export_str(o, "{\"type\":\"stack\",\"event\":");
	quote_json(export_buf(o), stacks_text(s, s->events[sum->event].name));
	export_str(o, ",\"comm\":");
	quote_json(export_buf(o), stacks_text(s, t->comm));
	export_f(o, ",\"pid\":%u,\"tid\":%u,\"samples\":%" PRIu64 ",\"period\":%" PRIu64, t->pid,
		 t->tid, sum->samples, sum->period);
	export_str(o, ",\"stack\":[");
	for (u32 i = 0; i < nr; i++) {
		if (i)
			export_ch(o, ',');
		quote_json(export_buf(o), stacks_frame_name(s, path[i]));
	}
	export_str(o, "],\"frames\":[");
	for (u32 i = 0; i < nr; i++) {
		if (i)
			export_ch(o, ',');
		export_dec(o, path[i]);
	}
	export_str(o, "]}\n");
}

static int write_ndjson(const struct stacks *s, const struct export_opts *opts,
			struct export_out *o, struct err *err)
{
	u32 only, *path;
	int ret = export_only(s, opts, &only, err);

	if (ret)
		return ret;
	path = stacks_room(s);
	put_head(s, opts, o, only);
	for (u32 i = 0; i < s->nr_frames && !export_failed(o); i++)
		put_frame(s, o, i);
	for (size_t i = 0; i < s->nr_sums && !export_failed(o); i++)
		if (export_takes(only, s->sums[i].event))
			put_stack(s, o, &s->sums[i], path);
	free(path);
	return 0;
}

const struct export_ops export_ndjson = {
	.name = "ndjson",
	.arg = "FILE",
	.arg_optional = true,
	.help = "write a line of JSON for each stack",
	.dims = { .comm = true, .process = true, .thread = true },
	.write = write_ndjson,
};
