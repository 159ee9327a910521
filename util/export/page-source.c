// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions with most samples in a page: their instructions and lines of source, and what was
 * counted at both. Room annotate finds all of it; here the parts around the hottest places are
 * written. This requires a tree with code sites.
 */
#include "base/compat.h"

#include "export/page.h"

#include "annotate/annotate.h"
#include "arch/arch.h"
#include "base/alloc.h"
#include "codec/quote.h"

#define MOST_FUNCTIONS 40
#define MOST_LINES 400 /* the most lines of source of a function */
#define MOST_INSNS 300 /* the most instructions of a function */
#define MOST_OF_ALL 5000
#define MOST_TEXT 400 /* the most bytes of a line */

/* ---- which functions ---- */

/* A function as the tree has it: adjacent code sites. */
struct hot {
	const struct stacks_site *first;
	size_t nr;
	u64 samples;
};

static int hotter(const void *pa, const void *pb)
{
	const struct hot *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* Return the *@nr functions with most samples; the caller frees the array. */
static struct hot *choose(const struct stacks *s, size_t *nr)
{
	struct hot *hot = xcalloc(s->nr_sites + 1, sizeof(*hot));
	size_t all = 0;

	for (size_t i = 0, end; i < s->nr_sites; i = end) {
		const struct stacks_site *p = &s->sites[i];
		struct hot *f = &hot[all++];

		for (end = i; end < s->nr_sites && s->sites[end].start == p->start &&
			      s->frames[s->sites[end].frame].func == s->frames[p->frame].func;
		     end++)
			f->samples += s->sites[end].samples;
		f->first = p;
		f->nr = end - i;
	}
	qsort(hot, all, sizeof(*hot), hotter);
	*nr = MIN(all, (size_t)MOST_FUNCTIONS);
	return hot;
}

/* Make a function to be annotated of one of the tree. Its sites and totals are owned. */
static void take_function(const struct stacks *s, const struct hot *hot,
			  struct annotate_function *f)
{
	const struct stacks_site *p = hot->first;

	*f = (struct annotate_function){
		.at = { .addr = p->addr,
			.dso = p->dso,
			.symtab = p->symtab,
			.sym = p->sym,
			.cpumode = p->dso->cpumode },
		.start = p->start,
		.end = MAX(p->end, p->start),
		.sites = xcalloc(hot->nr, sizeof(*f->sites)),
		.nr_sites = hot->nr,
		.totals = xcalloc(s->nr_events + (size_t)1, sizeof(*f->totals)),
	};
	for (size_t i = 0; i < hot->nr; i++) {
		struct annotate_hits hits = { p[i].samples, p[i].period };

		f->sites[i] = (struct annotate_site){ p[i].addr, p[i].event, hits };
		f->totals[p[i].event].samples += hits.samples;
		f->totals[p[i].event].period += hits.period;
	}
}

/* ---- parts of a function ---- */

/* The part of an annotation that is written. */
struct part {
	const struct annotation *a;
	const struct annotate_line **insns; /* owned */
	size_t nr_insns;
	const struct annotate_line **source; /* owned; by file and number */
	size_t nr_source;
	u32 *files; /* owned; texts of the files, in the order of the first instructions of each */
	size_t nr_files;
};

/* Return what was counted at a line, by event. */
static const struct annotate_hits *hits_at(const struct annotation *a,
					   const struct annotate_line *line)
{
	return annotation_hits(a, (size_t)(line - a->lines), 0);
}

/* Return how many samples all events have at a line. */
static u64 samples_at(const struct annotation *a, const struct annotate_line *line)
{
	const struct annotate_hits *hits = hits_at(a, line);
	u64 sum = 0;

	for (u32 e = 0; e < a->nr_events; e++)
		sum += hits[e].samples;
	return sum;
}

/* Return the number of a file in a part. The same file may have several texts. */
static size_t file_number(struct part *p, u32 file)
{
	size_t i;

	for (i = 0; i < p->nr_files; i++)
		if (p->files[i] == file ||
		    !strcmp(annotation_text(p->a, p->files[i]), annotation_text(p->a, file)))
			return i;
	p->files[p->nr_files++] = file;
	return i;
}

static void part_init(struct part *p, const struct annotation *a)
{
	*p = (struct part){ .a = a };
	p->insns = xcalloc(a->nr + 1, sizeof(*p->insns));
	p->files = xcalloc(a->nr + a->nr_inlines + 1, sizeof(*p->files));
	p->source = annotation_source(a, &p->nr_source);
	for (size_t i = 0; i < a->nr; i++) {
		if (a->lines[i].kind != ANNOTATE_INSN)
			continue;
		p->insns[p->nr_insns++] = &a->lines[i];
		if (a->lines[i].file)
			file_number(p, a->lines[i].file);
	}
	for (size_t i = 1; i < a->nr_inlines; i++)
		if (a->inlines[i].file)
			file_number(p, a->inlines[i].file);
}

static void part_release(struct part *p)
{
	free(p->insns);
	free(p->source);
	free(p->files);
}

/* Return the instruction with most samples. */
static size_t hottest(const struct part *p)
{
	u64 most = 0;
	size_t at = 0;

	for (size_t i = 0; i < p->nr_insns; i++)
		if (samples_at(p->a, p->insns[i]) > most) {
			most = samples_at(p->a, p->insns[i]);
			at = i;
		}
	return at;
}

/* Return the line of source that an instruction comes from; 0: it is not there. */
static size_t source_of(const struct part *p, const struct annotate_line *insn)
{
	for (size_t i = 0; insn->file && i < p->nr_source; i++)
		if (p->source[i]->line == insn->line &&
		    !strcmp(annotation_text(p->a, p->source[i]->file),
			    annotation_text(p->a, insn->file)))
			return i;
	return 0;
}

/* Choose a stretch of at most @most of @nr around @middle: from *@from up to *@to, exclusive. */
static void around(size_t middle, size_t nr, size_t most, size_t *from, size_t *to)
{
	*from = middle > most / 2 ? middle - most / 2 : 0;
	*to = MIN(*from + most, nr);
	*from = *to > most ? *to - most : 0;
}

/* ---- JSON ---- */

/* Append [event, samples, period] for each event that counted something; @prefix goes in front of
 * the event. */
static void put_hits(const struct annotation *a, const struct annotate_hits *hits,
		     const char *prefix, const char **sep, struct strbuf *out)
{
	for (u32 e = 0; e < a->nr_events; e++) {
		if (!hits[e].samples)
			continue;
		strbuf_addf(out, "%s[%s%u,%" PRIu64 ",%" PRIu64 "]", *sep, prefix, e,
			    hits[e].samples, hits[e].period);
		*sep = ",";
	}
}

/* Append [file, line, text], .. of the lines of source around the hottest one. */
static void put_source(struct part *p, size_t middle, struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;
	size_t from, to;

	around(middle, p->nr_source, MOST_LINES, &from, &to);
	strbuf_addstr(out, ",\"source\":[");
	for (size_t i = from; i < to; i++) {
		const struct annotate_line *at = p->source[i];
		const char *text = annotation_text(p->a, at->text);

		strbuf_reset(&line);
		strbuf_pad(&line, MIN(at->indent, (u32)MOST_TEXT));
		strbuf_add(&line, text, strnlen(text, MOST_TEXT));
		strbuf_addf(out, "%s[%zu,%u,", i > from ? "," : "", file_number(p, at->file),
			    at->line);
		quote_json(out, strbuf_str(&line));
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, ']');
	strbuf_release(&line);
}

/* Append what an instruction counts at a place: [file, line, event, samples, period], .. */
static void put_at(struct part *p, const struct annotate_line *insn, u32 file, u32 line,
		   const char **sep, struct strbuf *out)
{
	char prefix[64];

	if (!file)
		return;
	snprintf(prefix, sizeof(prefix), "%zu,%u,", file_number(p, file), line);
	put_hits(p->a, hits_at(p->a, insn), prefix, sep, out);
}

/*
 * Append the counts of all instructions whose place is known, and then those at the places from
 * which the functions that they are of were called, as far as they are inlined.
 */
static void put_counts(struct part *p, struct strbuf *out)
{
	const struct annotation *a = p->a;
	const char *sep = "";

	strbuf_addstr(out, ",\"counts\":[");
	for (size_t i = 0; i < p->nr_insns; i++)
		put_at(p, p->insns[i], p->insns[i]->file, p->insns[i]->line, &sep, out);
	strbuf_addstr(out, "],\"calls\":[");
	sep = "";
	for (size_t i = 0; i < p->nr_insns; i++)
		for (u32 c = p->insns[i]->inlined; c; c = a->inlines[c].outer)
			put_at(p, p->insns[i], a->inlines[c].file, a->inlines[c].line, &sep, out);
	strbuf_addch(out, ']');
}

/* Append [address, text, file, line], .., and [number of these, event, samples, period], .. */
static void put_code(struct part *p, size_t from, size_t to, struct strbuf *out)
{
	const char *sep = "";
	char prefix[32];

	strbuf_addstr(out, ",\"code\":[");
	for (size_t i = from; i < to; i++) {
		const struct annotate_line *line = p->insns[i];

		strbuf_addf(out, "%s[\"%" PRIx64 "\",", i > from ? "," : "", line->addr);
		quote_json(out, annotation_text(p->a, line->text));
		if (line->file)
			strbuf_addf(out, ",%zu,%u", file_number(p, line->file), line->line);
		strbuf_addch(out, ']');
	}
	strbuf_addstr(out, "],\"hits\":[");
	for (size_t i = from; i < to; i++) {
		snprintf(prefix, sizeof(prefix), "%zu,", i - from);
		put_hits(p->a, hits_at(p->a, p->insns[i]), prefix, &sep, out);
	}
	strbuf_addch(out, ']');
}

/* Append [name, [event, samples, period], ..], .. of the functions that were inlined. */
static void put_callees(const struct annotation *a, struct strbuf *out)
{
	u32 *events = xcalloc(a->nr_events + (size_t)1, sizeof(*events));
	struct annotate_callee *callees;
	size_t nr;

	for (u32 e = 0; e < a->nr_events; e++)
		events[e] = e;
	callees = annotation_callees(a, events, a->nr_events, &nr);
	strbuf_addstr(out, ",\"inlined\":[");
	for (size_t i = 0; i < nr; i++) {
		const char *sep = ",";

		strbuf_addstr(out, i ? ",[" : "[");
		quote_json(out, annotation_text(a, callees[i].function));
		put_hits(a, callees[i].total, "", &sep, out);
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, ']');
	annotate_callees_free(callees, nr);
	free(events);
}

static void put_files(const struct part *p, struct strbuf *out)
{
	strbuf_addstr(out, ",\"files\":[");
	for (size_t i = 0; i < p->nr_files; i++) {
		strbuf_addstr(out, i ? "," : "");
		quote_json(out, annotation_text(p->a, p->files[i]));
	}
	strbuf_addch(out, ']');
}

/* Append a function. @room: how many instructions may be written, less those that were. Return:
 * false when there is nothing to show. */
static bool put_function(const struct stacks *s, const struct hot *hot, const struct annotation *a,
			 size_t *room, struct strbuf *out)
{
	const struct stacks_frame *frame = &s->frames[hot->first->frame];
	size_t from, to, middle;
	struct part p;
	bool code;

	part_init(&p, a);
	code = !a->sites_only && *room;
	middle = hottest(&p);
	strbuf_addstr(out, "{\"name\":");
	quote_json(out, stacks_text(s, frame->name));
	strbuf_addstr(out, ",\"object\":");
	quote_json(out, stacks_text(s, frame->dso));
	put_files(&p, out);
	if (p.nr_source)
		put_source(&p, source_of(&p, p.insns[middle]), out);
	put_counts(&p, out);
	put_callees(a, out);
	if (code) {
		around(middle, p.nr_insns, MIN((size_t)MOST_INSNS, *room), &from, &to);
		put_code(&p, from, to, out);
		*room -= to - from;
	}
	strbuf_addch(out, '}');
	code |= p.nr_source > 0;
	part_release(&p);
	return code;
}

void page_sources(const struct stacks *s, const char *arch, struct strbuf *out)
{
	const struct annotate_conf conf = { .arch = arch_of(arch),
					    .calls = true,
					    .sites = true,
					    .nr_events = s->nr_events,
					    .workers = 1 };
	struct annotator *annotator = annotator_new(&conf);
	const struct annotate_function **pointers;
	struct annotate_function *functions;
	size_t nr, room = MOST_OF_ALL;
	struct strbuf one = STRBUF_INIT;
	struct annotation *annotations;
	struct hot *hot = choose(s, &nr);

	functions = xcalloc(nr + 1, sizeof(*functions));
	pointers = xcalloc(nr + 1, sizeof(*pointers));
	for (size_t i = 0; i < nr; i++) {
		take_function(s, &hot[i], &functions[i]);
		pointers[i] = &functions[i];
	}
	annotations = annotate_many(annotator, pointers, nr);
	for (size_t i = 0; i < nr; i++) {
		strbuf_reset(&one);
		if (!annotations[i].why && put_function(s, &hot[i], &annotations[i], &room, &one))
			strbuf_addf(out, "%s%s", out->len ? "," : "", strbuf_str(&one));
		free(functions[i].sites);
		free(functions[i].totals);
	}
	annotations_free(annotations, nr);
	annotator_free(annotator);
	strbuf_release(&one);
	free(functions);
	free(pointers);
	free(hot);
}
