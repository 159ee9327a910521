// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of the functions with most samples in them, as the page has it: the lines from the
 * first to the last that was sampled, and what each counts. Needs a tree by lines.
 */
#include "base/compat.h"

#include "output/page.h"

#include "base/alloc.h"
#include "output/quote.h"
#include "output/source-files.h"

#define MOST_FUNCTIONS 40
#define MOST_LINES 400 /* of a function */
#define AROUND 8       /* lines shown before and behind */
#define MOST_TEXT 400  /* bytes of a line */

struct hot {
	u32 func, frame; /* the frame with most in it says which file */
	u64 samples, most;
};

struct sources {
	const struct stacks *s;
	u64 *samples, *period; /* of each event, each frame: what ended there */
	struct hot *hot;       /* by function */
	u32 nr;
};

static void count(struct sources *c)
{
	const struct stacks *s = c->s;

	for (size_t i = 0; i < s->nr_sums; i++) {
		u32 f = s->nodes[s->sums[i].node].frame;

		if (f == UINT32_MAX)
			continue;
		c->samples[(size_t)s->sums[i].event * s->nr_frames + f] += s->sums[i].samples;
		c->period[(size_t)s->sums[i].event * s->nr_frames + f] += s->sums[i].period;
	}
}

static int hotter(const void *pa, const void *pb)
{
	const struct hot *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->func < b->func ? -1 : a->func > b->func;
}

/* Functions with lines, those with most samples first. */
static void choose(struct sources *c)
{
	const struct stacks *s = c->s;
	u32 nr = 0;

	for (u32 f = 0; f < s->nr_frames; f++) {
		struct hot *h = &c->hot[s->frames[f].func];
		u64 samples = 0;

		h->func = s->frames[f].func;
		for (u32 e = 0; e < s->nr_events; e++)
			samples += c->samples[(size_t)e * s->nr_frames + f];
		h->samples += samples;
		if (s->frames[f].line && samples > h->most) {
			h->most = samples;
			h->frame = f;
		}
	}
	for (u32 f = 0; f < s->nr_frames; f++)
		if (c->hot[f].most)
			c->hot[nr++] = c->hot[f];
	qsort(c->hot, nr, sizeof(*c->hot), hotter);
	c->nr = MIN(nr, (u32)MOST_FUNCTIONS);
}

static bool belongs(const struct stacks *s, u32 f, const struct hot *h)
{
	return s->frames[f].func == h->func && s->frames[f].line &&
	       s->frames[f].file == s->frames[h->frame].file;
}

/* [line, event, samples, period], .. */
static void put_counts(const struct sources *c, const struct hot *h, struct strbuf *out)
{
	const struct stacks *s = c->s;
	const char *sep = "";

	for (u32 f = h->func; f < s->nr_frames; f++) {
		for (u32 e = 0; belongs(s, f, h) && e < s->nr_events; e++) {
			size_t at = (size_t)e * s->nr_frames + f;

			if (!c->samples[at])
				continue;
			strbuf_addf(out, "%s[%u,%u,%" PRIu64 ",%" PRIu64 "]", sep,
				    s->frames[f].line, e, c->samples[at], c->period[at]);
			sep = ",";
		}
	}
}

/* With its tabs as blanks. */
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

/* Return: false when the file is not there. */
static bool put_lines(const struct sources *c, const struct hot *h, struct source_files *files,
		      struct strbuf *out)
{
	const struct stacks *s = c->s;
	const char *path = stacks_text(s, s->frames[h->frame].file), *text;
	u32 hot = s->frames[h->frame].line, low = hot, high = hot, number;
	struct strbuf line = STRBUF_INIT;
	size_t len;

	for (u32 f = h->func; f < s->nr_frames; f++)
		if (belongs(s, f, h)) {
			low = MIN(low, s->frames[f].line);
			high = MAX(high, s->frames[f].line);
		}
	if (high - low > MOST_LINES) {
		low = MAX(low, hot > MOST_LINES / 2 ? hot - MOST_LINES / 2 : 1);
		high = low + MOST_LINES;
	}
	low = low > AROUND ? low - AROUND : 1;
	if (!source_line(files, path, hot, &number, &text, &len))
		return false;
	strbuf_addf(out, ",\"first\":%u,\"lines\":[", low);
	for (u32 i = low; i <= high + AROUND && source_line(files, path, i, &number, &text, &len);
	     i++) {
		strbuf_addstr(out, i > low ? "," : "");
		put_text(&line, text, len, out);
	}
	strbuf_addch(out, ']');
	strbuf_release(&line);
	return true;
}

void page_sources(const struct stacks *s, struct strbuf *out)
{
	size_t nr = (size_t)s->nr_events * s->nr_frames;
	struct sources c = { .s = s,
			     .samples = xcalloc(nr, sizeof(u64)),
			     .period = xcalloc(nr, sizeof(u64)),
			     .hot = xcalloc(s->nr_frames, sizeof(*c.hot)) };
	struct source_files *files = source_files_new();
	struct strbuf one = STRBUF_INIT;
	const char *sep = "";

	count(&c);
	choose(&c);
	for (u32 i = 0; i < c.nr; i++) {
		const struct stacks_frame *f = &s->frames[c.hot[i].frame];

		strbuf_reset(&one);
		strbuf_addstr(&one, "{\"name\":");
		quote_json(&one, stacks_text(s, f->name));
		strbuf_addstr(&one, ",\"object\":");
		quote_json(&one, stacks_text(s, f->dso));
		strbuf_addstr(&one, ",\"file\":");
		quote_json(&one, stacks_text(s, f->file));
		if (!put_lines(&c, &c.hot[i], files, &one))
			continue;
		strbuf_addstr(&one, ",\"counts\":[");
		put_counts(&c, &c.hot[i], &one);
		strbuf_addf(out, "%s%s]}", sep, strbuf_str(&one));
		sep = ",";
	}
	strbuf_release(&one);
	source_files_free(files);
	free(c.samples);
	free(c.period);
	free(c.hot);
}
