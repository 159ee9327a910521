// SPDX-License-Identifier: GPL-2.0-or-later
/* From the records of a session to the raw dump. */
#include "base/compat.h"

#include "cmd/common/dump.h"

#define PIPE_HEADER 16 /* bytes in front of the first record of a stream, which are not counted */

/* Records that do not tell their time are shown as they stand in the file. */
static bool keeps_file_order(const struct session *s)
{
	const struct evlist *l = &s->evlist;

	return !s->file->pipe && !(l->nr && l->evsels[0]->attr.sample_id_all);
}

void dump_open(struct session *s)
{
	if (!keeps_file_order(s))
		return;
	s->file_order = true;
	printf("WARNING: No sample_id_all support, falling back to unordered processing\n");
	fflush(stdout);
}

void dump_init(struct dump_text *d, struct session *s, const struct machine *machine,
	       struct symbols *symbols)
{
	const struct perf_file *f = s->file;
	struct strbuf path = STRBUF_INIT;

	*d = (struct dump_text){
		.evlist = &s->evlist,
		.machine = machine,
		.symbols = symbols,
		.style = RECORD_SCRIPT,
		.unordered = keeps_file_order(s),
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
	if (ev->part == PART_VALUE)
		dump_text_thread(d, &r, out);
	else
		dump_text_put(d, &r, out);
}
