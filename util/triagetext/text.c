// SPDX-License-Identifier: GPL-2.0-or-later
/* The verdicts as text, as JSON and as a page. */
#include "base/compat.h"

#include "triagetext/triagetext-internal.h"

#include "base/units.h"
#include "codec/json.h"
#include "codec/quote.h"

#define ROWS 8U /* verdicts on a screen */

/* ---- text ---- */

static void put_verdict(const struct triage_result *r, u32 nr, struct strbuf *out)
{
	const struct triage_verdict *v = &r->judgement->v[nr];

	strbuf_addf(out, "%2u. ", nr + 1);
	triage_sentence(r, v, out);
	strbuf_addstr(out, "\n      ");
	triage_evidence_text(r, v, out);
	strbuf_addstr(out, "\n      ");
	triage_deeper(r, v, out);
	strbuf_addch(out, '\n');
}

/* Append lines with a text before each. */
static void put_lines(const char *before, const char *lines, struct strbuf *out)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		strbuf_addf(out, "%s%.*s\n", before, (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

static void put_about(const struct triage_result *r, struct strbuf *out)
{
	const struct triage_facts *f = r->facts;

	strbuf_addf(out, "# %s, ",
		    r->command      ? r->command
		    : r->show->pids ? "processes"
		    : f->all        ? "the machine"
				    : "a command");
	duration_text(f->span, out);
	strbuf_addf(out, ", %u program%s", f->nr, f->nr == 1 ? "" : "s");
	if (f->lost)
		strbuf_addf(out, "; %" PRIu64 " events were lost", f->lost);
	strbuf_addch(out, '\n');
}

void triage_put_text(const struct triage_result *r, struct strbuf *out)
{
	triage_headline(r, out);
	strbuf_addch(out, '\n');
	put_about(r, out);
	for (u32 i = 0; i < r->judgement->nr && i < ROWS; i++)
		put_verdict(r, i, out);
	if (r->judgement->nr > ROWS)
		strbuf_addf(out, "# %u smaller ones are in --json\n", r->judgement->nr - ROWS);
	put_lines("# not seen: ", strbuf_str(&r->blind), out);
}

/* ---- JSON ---- */

typedef void (*put_fn)(const struct triage_result *r, const struct triage_verdict *v,
		       struct strbuf *out);

static void put_member(const struct triage_result *r, const struct triage_verdict *v,
		       const char *name, put_fn put, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	put(r, v, &text);
	json_text_member(out, name, strbuf_str(&text));
	strbuf_release(&text);
}

static void put_object(const struct triage_result *r, const struct triage_verdict *v,
		       struct strbuf *out)
{
	const struct triage_program *p = &r->facts->v[v->program];
	const struct triage_cell *c = &p->cells[v->kind];

	strbuf_addf(out, "{\"kind\":\"%s\"", triage_kind_name(v->kind));
	json_text_member(out, "program", p->name);
	strbuf_addf(out,
		    ",\"pid\":%u,\"processes\":%u,\"threads\":%u,\"time_ns\":%" PRIu64
		    ",\"of_ns\":%" PRIu64 ",\"share\":%.4f,\"matters\":%s,\"count\":%" PRIu64
		    ",\"max_ns\":%" PRIu64,
		    p->pid, p->processes, p->threads, v->ns, triage_active(p), v->share,
		    v->matters ? "true" : "false", c->nr, c->max);
	json_text_member(out, "sure", triage_sure_name(v->sure));
	json_text_member(out, "what", c->what);
	if (c->what)
		strbuf_addf(out, ",\"what_ns\":%" PRIu64, c->what_ns);
	json_text_member(out, "whom", c->whom);
	if (v->waiter != TRIAGE_NONE)
		json_text_member(out, "waiter", r->facts->v[v->waiter].name);
	put_member(r, v, "sentence", triage_sentence, out);
	put_member(r, v, "evidence", triage_evidence_text, out);
	put_member(r, v, "deeper", triage_deeper, out);
	strbuf_addch(out, '}');
}

static void put_array(const char *lines, struct strbuf *out)
{
	for (u32 nr = 0; *lines; nr++) {
		size_t len = strcspn(lines, "\n");

		strbuf_addstr(out, nr ? ",\"" : "\"");
		json_text(out, lines, len);
		strbuf_addch(out, '"');
		lines += len + (lines[len] == '\n');
	}
}

void triage_put_json(const struct triage_result *r, struct strbuf *out)
{
	struct strbuf headline = STRBUF_INIT;

	triage_headline(r, &headline);
	strbuf_addstr(out, "{\"headline\":");
	json_string(out, strbuf_str(&headline));
	json_text_member(out, "command", r->command);
	strbuf_addf(out, ",\"healthy\":%s,\"span_ns\":%" PRIu64 ",\"lost\":%" PRIu64,
		    r->judgement->healthy ? "true" : "false", r->facts->span, r->facts->lost);
	strbuf_addstr(out, ",\"verdicts\":[");
	for (u32 i = 0; i < r->judgement->nr; i++) {
		strbuf_addstr(out, i ? ",\n" : "\n");
		put_object(r, &r->judgement->v[i], out);
	}
	strbuf_addstr(out, "],\n\"not_seen\":[");
	put_array(strbuf_str(&r->blind), out);
	strbuf_addstr(out, "]}\n");
	strbuf_release(&headline);
}

/* ---- the page ---- */

static const char page_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; frame-src 'self' file:\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n<title>perf triage</title>\n"
	"<style>body{font:15px sans-serif;margin:1.5em;color:#222;background:#fff}"
	"td,th{padding:.3em .8em;text-align:left;vertical-align:top;border-bottom:1px solid #ddd}"
	"td.n{text-align:right;white-space:nowrap}code{background:#f3f3f3}"
	"iframe{width:100%;height:40em;border:1px solid #bbb}"
	"@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}"
	"code{background:#333}td,th{border-color:#444}}</style></head><body>\n";

static const char page_frames[] =
	"<h2>What threads and CPUs did</h2>\n<p><a href=\"timeline.html\">timeline.html</a></p>\n"
	"<iframe src=\"timeline.html\" title=\"timeline\"></iframe>\n"
	"<h2>Where programs computed</h2>\n<p><a href=\"flame.html\">flame.html</a></p>\n"
	"<iframe src=\"flame.html\" title=\"flame graph\"></iframe>\n</body></html>\n";

static void put_cell(const struct triage_result *r, const struct triage_verdict *v,
		     const char *open, put_fn put, const char *close, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	put(r, v, &text);
	strbuf_addstr(out, open);
	quote_xml(out, strbuf_str(&text));
	strbuf_addstr(out, close);
	strbuf_release(&text);
}

static void put_row(const struct triage_result *r, const struct triage_verdict *v,
		    struct strbuf *out)
{
	strbuf_addstr(out, v->matters ? "<tr><td><b>" : "<tr><td>");
	put_cell(r, v, "", triage_sentence, v->matters ? "</b></td>" : "</td>", out);
	put_cell(r, v, "<td>", triage_evidence_text, "</td>", out);
	put_cell(r, v, "<td><code>", triage_deeper, "</code></td></tr>\n", out);
}

void triage_put_page(const struct triage_result *r, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(out, page_head);
	triage_headline(r, &text);
	strbuf_addstr(out, "<h1>");
	quote_xml(out, strbuf_str(&text));
	strbuf_addstr(out, "</h1>\n<p>");
	strbuf_reset(&text);
	put_about(r, &text);
	quote_xml(out, strbuf_str(&text) + 2);
	strbuf_addstr(out, "</p>\n<table><tr><th>Verdict</th><th>Evidence</th>"
			   "<th>More</th></tr>\n");
	for (u32 i = 0; i < r->judgement->nr; i++)
		put_row(r, &r->judgement->v[i], out);
	strbuf_addstr(out, "</table>\n<pre>");
	strbuf_reset(&text);
	put_lines("not seen: ", strbuf_str(&r->blind), &text);
	quote_xml(out, strbuf_str(&text));
	strbuf_addstr(out, "</pre>\n");
	strbuf_addstr(out, page_frames);
	strbuf_release(&text);
}
