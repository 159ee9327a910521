// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of the functions with most samples, in a page: the lines from the first to the last
 * sampled one with their counts, and the instructions with their lines. This requires a tree with
 * code sites.
 */
#include "base/compat.h"

#include "export/page-internal.h"

#include "base/alloc.h"
#include "codec/quote.h"
#include "resolve/source-files.h"
#include "resolve/srcline.h"

#define MOST_FUNCTIONS 40
#define MOST_LINES 400 /* the most lines of a function */
#define AROUND 8       /* lines that are shown before and after */
#define MOST_TEXT 400  /* the most bytes of a line */

struct sources {
	const struct stacks *s;
	struct page_function *hot;
	u32 nr;
	struct srclines *srclines;
	struct source_files *files;
	struct page_code *code;
};

static int hotter(const void *pa, const void *pb)
{
	const struct page_function *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* Code sites of a function are adjacent. */
static void choose(struct sources *c)
{
	const struct stacks *s = c->s;

	c->hot = xcalloc(s->nr_sites + 1, sizeof(*c->hot));
	for (size_t i = 0, end; i < s->nr_sites; i = end) {
		const struct stacks_site *p = &s->sites[i];
		struct page_function *f = &c->hot[c->nr++];

		for (end = i; end < s->nr_sites && s->sites[end].start == p->start &&
			      s->frames[s->sites[end].frame].func == s->frames[p->frame].func;
		     end++)
			f->samples += s->sites[end].samples;
		f->first = p;
		f->nr = end - i;
	}
	qsort(c->hot, c->nr, sizeof(*c->hot), hotter);
	c->nr = MIN(c->nr, (u32)MOST_FUNCTIONS);
}

u32 page_line(struct srclines *lines, const struct stacks_site *of, u64 addr, const char **file)
{
	const struct location l = {
		.addr = addr,
		.dso = of->dso,
		.symtab = of->symtab,
		.sym = of->sym,
		.cpumode = of->dso->cpumode,
	};

	return srcline_find(lines, &l, file);
}

/* Find the line of each code site; 0 when it is in another file than the one with most samples. */
static const char *find_lines(struct sources *c, const struct page_function *f, u32 *line)
{
	const char *file, *most = NULL;
	u64 samples = 0;

	for (size_t i = 0; i < f->nr; i++) {
		line[i] = page_line(c->srclines, f->first, f->first[i].addr, &file);
		if (line[i] && file && f->first[i].samples > samples) {
			samples = f->first[i].samples;
			most = file;
		}
	}
	for (size_t i = 0; i < f->nr; i++) {
		page_line(c->srclines, f->first, f->first[i].addr, &file);
		if (!most || !file || strcmp(file, most))
			line[i] = 0;
	}
	return most;
}

/* Append [line, event, samples, period], .. */
static void put_counts(const struct page_function *f, const u32 *line, struct strbuf *out)
{
	const char *sep = "";

	for (size_t i = 0; i < f->nr; i++) {
		const struct stacks_site *p = &f->first[i];

		if (!line[i])
			continue;
		strbuf_addf(out, "%s[%u,%u,%" PRIu64 ",%" PRIu64 "]", sep, line[i], p->event,
			    p->samples, p->period);
		sep = ",";
	}
}

/* Append a line with blanks for its tabs. */
static void put_text(struct strbuf *line, const char *text, size_t len, struct strbuf *out)
{
	strbuf_reset(line);
	for (size_t i = 0; i < MIN(len, (size_t)MOST_TEXT); i++) {
		if (text[i] == '\t')
			strbuf_pad(line, (line->len / 8 + 1) * 8);
		else
			strbuf_addch(line, text[i]);
	}
	quote_json(out, strbuf_str(line));
}

/* Return: false when the file does not exist, or no line is known. */
static bool put_lines(const struct sources *c, const struct page_function *f, const u32 *line,
		      const char *path, struct strbuf *out)
{
	u32 hot = 0, low = UINT32_MAX, high = 0, number;
	struct strbuf one = STRBUF_INIT;
	const char *text;
	u64 most = 0;
	size_t len;

	for (size_t i = 0; i < f->nr; i++)
		if (line[i]) {
			low = MIN(low, line[i]);
			high = MAX(high, line[i]);
			if (f->first[i].samples > most) {
				most = f->first[i].samples;
				hot = line[i];
			}
		}
	if (!hot || !source_line(c->files, path, hot, &number, &text, &len))
		return false;
	if (high - low > MOST_LINES) {
		low = MAX(low, hot > MOST_LINES / 2 ? hot - MOST_LINES / 2 : 1);
		high = low + MOST_LINES;
	}
	low = low > AROUND ? low - AROUND : 1;
	strbuf_addf(out, ",\"first\":%u,\"lines\":[", low);
	for (u32 i = low;
	     i <= high + AROUND && source_line(c->files, path, i, &number, &text, &len); i++) {
		strbuf_addstr(out, i > low ? "," : "");
		put_text(&one, text, len, out);
	}
	strbuf_addch(out, ']');
	strbuf_release(&one);
	return true;
}

/* Return: false when there is nothing to show. */
static bool put_function(struct sources *c, const struct page_function *f, struct strbuf *out)
{
	const struct stacks *s = c->s;
	const struct stacks_frame *frame = &s->frames[f->first->frame];
	u32 *line = xcalloc(f->nr, sizeof(*line));
	const char *path = find_lines(c, f, line);
	bool any = false;

	strbuf_addstr(out, "{\"name\":");
	quote_json(out, stacks_text(s, frame->name));
	strbuf_addstr(out, ",\"object\":");
	quote_json(out, stacks_text(s, frame->dso));
	if (path) {
		strbuf_addstr(out, ",\"file\":");
		quote_json(out, path);
		any = put_lines(c, f, line, path, out);
	}
	if (any) {
		strbuf_addstr(out, ",\"counts\":[");
		put_counts(f, line, out);
		strbuf_addch(out, ']');
	}
	any |= page_code_put(c->code, f, path, out);
	strbuf_addch(out, '}');
	free(line);
	return any;
}

void page_sources(const struct stacks *s, const char *arch, struct strbuf *out)
{
	struct sources c = { .s = s, .srclines = srclines_new(), .files = source_files_new() };
	struct strbuf one = STRBUF_INIT;
	const char *sep = "";

	srclines_whole_paths(c.srclines, true);
	c.code = page_code_new(arch, c.srclines);
	choose(&c);
	for (u32 i = 0; i < c.nr; i++) {
		strbuf_reset(&one);
		if (!put_function(&c, &c.hot[i], &one))
			continue;
		strbuf_addf(out, "%s%s", sep, strbuf_str(&one));
		sep = ",";
	}
	strbuf_release(&one);
	page_code_free(c.code);
	source_files_free(c.files);
	srclines_free(c.srclines);
	free(c.hot);
}
