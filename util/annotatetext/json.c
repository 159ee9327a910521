// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Annotations as one JSON document, which Documentation/format/annotate.json.md describes. Each
 * function is one line of the text.
 */
#include "base/compat.h"

#include "annotatetext/annotate-text.h"

#include "base/alloc.h"
#include "codec/json.h"

#define VERSION 1

/* ---- members ---- */

static void put_text(const char *name, const char *value, struct strbuf *out)
{
	strbuf_addf(out, "\"%s\":", name);
	json_string(out, value);
}

/* Append a member behind others. */
static void add_text(const char *name, const char *value, struct strbuf *out)
{
	strbuf_addch(out, ',');
	put_text(name, value, out);
}

static void add_number(const char *name, u64 value, struct strbuf *out)
{
	strbuf_addf(out, ",\"%s\":%" PRIu64, name, value);
}

/* Append an address as text: numbers of JSON need not have 64 bits. */
static void add_address(const char *name, u64 value, struct strbuf *out)
{
	strbuf_addf(out, ",\"%s\":\"0x%" PRIx64 "\"", name, value);
}

/* Append a place in the source; nothing where it is unknown. */
static void add_place(const struct annotation *a, const char *name, u32 file, u32 line,
		      struct strbuf *out)
{
	if (!file)
		return;
	strbuf_addf(out, ",\"%s\":{", name);
	put_text("file", annotation_text(a, file), out);
	add_number("line", line, out);
	strbuf_addch(out, '}');
}

/* Append what each event counted, of those that counted something. @hits: by event */
static void add_counts(const struct annotate_text *t, const struct annotation *a, const char *name,
		       const struct annotate_hits *hits, struct strbuf *out)
{
	const char *sep = "";

	strbuf_addf(out, ",\"%s\":[", name);
	for (size_t c = 0; c < t->nr_events; c++) {
		const struct annotate_hits *h = &hits[t->events[c]];

		if (!h->samples)
			continue;
		strbuf_addf(out, "%s{\"event\":%zu", sep, c);
		add_number("samples", h->samples, out);
		add_number("period", h->period, out);
		strbuf_addf(out, ",\"percent\":%.4f}", annotate_share(t, a, c, h));
		sep = ",";
	}
	strbuf_addch(out, ']');
}

/* ---- instructions ---- */

static void add_flow(const struct annotation *a, const struct annotate_line *line,
		     struct strbuf *out)
{
	static const char *const kinds[] = {
		[FLOW_JUMP] = "jump", [FLOW_CALL] = "call", [FLOW_RETURN] = "return"
	};

	if (line->flow == FLOW_NONE)
		return;
	strbuf_addstr(out, ",\"flow\":{");
	put_text("kind", kinds[line->flow], out);
	if (line->has_target)
		add_address("target", line->target, out);
	if (line->target_name)
		add_text("function", annotation_text(a, line->target_name), out);
	if (line->inside)
		strbuf_addstr(out, ",\"inside\":true");
	strbuf_addch(out, '}');
}

/* Append the inlined calls that an instruction is part of, innermost first. */
static void add_inlined(const struct annotation *a, u32 inlined, struct strbuf *out)
{
	const char *sep = "";

	if (!inlined)
		return;
	strbuf_addstr(out, ",\"inlined\":[");
	for (u32 i = inlined; i; i = a->inlines[i].outer) {
		const struct annotate_inline *call = &a->inlines[i];

		strbuf_addf(out, "%s{", sep);
		put_text("function", annotation_text(a, call->function), out);
		add_place(a, "called_at", call->file, call->line, out);
		strbuf_addch(out, '}');
		sep = ",";
	}
	strbuf_addch(out, ']');
}

static void put_insn(const struct annotate_text *t, const struct annotation *a, size_t i,
		     struct strbuf *out)
{
	const struct annotate_line *line = &a->lines[i];

	strbuf_addf(out, "{\"address\":\"0x%" PRIx64 "\"", line->addr);
	if (line->bytes)
		add_text("bytes", annotation_text(a, line->bytes), out);
	add_text("text", annotation_text(a, line->text), out);
	add_place(a, "source", line->file, line->line, out);
	add_inlined(a, line->inlined, out);
	add_flow(a, line, out);
	if (line->jumps)
		add_number("jumps", line->jumps, out);
	if (line->ipc > 0)
		strbuf_addf(out, ",\"ipc\":%.4f", line->ipc);
	if (line->cycles)
		add_number("cycles", line->cycles, out);
	if (line->type)
		add_text("type", annotation_text(a, line->type), out);
	add_counts(t, a, "counts", annotation_hits(a, i, 0), out);
	strbuf_addch(out, '}');
}

static void add_insns(const struct annotate_text *t, const struct annotation *a, struct strbuf *out)
{
	const char *sep = "";

	strbuf_addstr(out, ",\"instructions\":[");
	for (size_t i = 0; i < a->nr; i++) {
		if (a->lines[i].kind != ANNOTATE_INSN)
			continue;
		strbuf_addstr(out, sep);
		put_insn(t, a, i, out);
		sep = ",";
	}
	strbuf_addch(out, ']');
}

/* ---- functions ---- */

static void add_source(const struct annotation *a, struct strbuf *out)
{
	size_t nr;
	const struct annotate_line **lines = annotation_source(a, &nr);

	strbuf_addstr(out, ",\"source\":[");
	for (size_t i = 0; i < nr; i++) {
		strbuf_addstr(out, i ? ",{" : "{");
		put_text("file", annotation_text(a, lines[i]->file), out);
		add_number("line", lines[i]->line, out);
		add_number("indent", lines[i]->indent, out);
		add_text("text", annotation_text(a, lines[i]->text), out);
		strbuf_addch(out, '}');
	}
	strbuf_addch(out, ']');
	free(lines);
}

static void add_callees(const struct annotate_text *t, const struct annotation *a,
			struct strbuf *out)
{
	size_t nr;
	struct annotate_callee *callees = annotation_callees(a, t->events, t->nr_events, &nr);

	strbuf_addstr(out, ",\"inlined\":[");
	for (size_t i = 0; i < nr; i++) {
		const struct annotate_callee *c = &callees[i];

		strbuf_addstr(out, i ? ",{" : "{");
		put_text("function", annotation_text(a, c->function), out);
		add_number("calls", c->nr_calls, out);
		add_place(a, "called_at", c->file, c->line, out);
		add_counts(t, a, "self", c->self, out);
		add_counts(t, a, "total", c->total, out);
		strbuf_addch(out, '}');
	}
	strbuf_addch(out, ']');
	annotate_callees_free(callees, nr);
}

void annotate_json(const struct annotate_text *t, const struct annotation *a, struct strbuf *out)
{
	const struct location *l = &a->of->at;

	strbuf_addch(out, '{');
	put_text("name", location_symbol(l), out);
	add_text("object", location_dso(l), out);
	add_text("path", location_dso_long(l), out);
	add_counts(t, a, "counts", a->of->totals, out);
	if (a->why) {
		add_text("error", a->why, out);
	} else {
		add_address("start", a->start, out);
		add_address("end", a->end, out);
		add_insns(t, a, out);
		add_source(a, out);
		add_callees(t, a, out);
	}
	strbuf_addch(out, '}');
}

void annotate_json_begin(const struct annotate_text *t, const char *const *names,
			 struct strbuf *out)
{
	strbuf_addf(out, "{\"format\":\"perf-annotate\",\"version\":%d", VERSION);
	add_text("percent_type", annotate_text_name(t), out);
	strbuf_addstr(out, ",\"events\":[");
	for (size_t c = 0; c < t->nr_events; c++) {
		const struct annotate_hits *all = &t->totals[t->events[c]];

		strbuf_addstr(out, c ? ",{" : "{");
		put_text("name", names[c], out);
		add_number("samples", all->samples, out);
		add_number("period", all->period, out);
		strbuf_addch(out, '}');
	}
	strbuf_addstr(out, "],\"functions\":[");
}

void annotate_json_end(struct strbuf *out)
{
	strbuf_addstr(out, "\n]}\n");
}
