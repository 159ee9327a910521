// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of source between the instructions of a function, in the manner of objdump -S -l: where the
 * function or the line changes, its name and its text stand in front of the instruction. The first
 * time that a file is met, and after a gap, up to CONTEXT lines before it are shown as well.
 */
#include "base/compat.h"

#include "annotate/annotate-internal.h"

#include "base/alloc.h"
#include "codec/bpf-info.h"

#include <ctype.h>

#define CONTEXT 5
#define TAB 8

/* The texts of names that repeat, by the address of the name. */
struct names {
	struct annotation *a;
	struct map64 by_address;
};

/* Return the text of a name of the debug information; 0: there is none. */
static u32 name_put(void *ctx, const char *name)
{
	struct names *n = ctx;
	u32 *slot;

	if (!name)
		return 0;
	slot = map64_slot(&n->by_address, (u64)(uintptr_t)name);
	if (*slot == MAP64_NONE)
		*slot = annotation_put(n->a, name, strlen(name));
	return *slot;
}

/* Return what the line of source says that a location comes from; NULL: a file has to be read. */
static const char *known_text(const struct location *l)
{
	const struct bpf_function *f = symtab_bpf(l->symtab);
	const struct bpf_line *line = f ? bpf_function_line(f, l->addr) : NULL;

	return line && *line->text ? line->text : NULL;
}

struct position *annotate_positions(struct annotation *a, struct srclines *lines)
{
	struct position *p = xcalloc(a->nr + 1, sizeof(*p));
	struct location l = a->of->at;
	struct names names = { .a = a };
	struct inline_numbers numbers = { 0 };

	for (size_t i = 0; i < a->nr; i++) {
		struct annotate_line *line = &a->lines[i];
		const struct inline_frame *frames;
		const char *file;
		u32 nr;

		if (line->kind != ANNOTATE_INSN)
			continue;
		l.addr = a->of->start + (line->addr - a->start);
		line->line = p[i].line = srcline_find(lines, &l, &file);
		line->file = p[i].file = name_put(&names, file);
		p[i].text = name_put(&names, known_text(&l));
		nr = srcline_inlines(lines, &l, &frames);
		if (!nr)
			continue;
		p[i].function = name_put(&names, frames[0].name);
		line->inlined = p[i].inlined =
			annotate_inlined(a, &numbers, frames, nr, name_put, &names);
	}
	intern_release(&numbers.by_call);
	map64_release(&names.by_address);
	return p;
}

/* ---- interleaving ---- */

/* The lines of a source file that were shown. */
struct shown {
	u32 file;      /* text */
	char *path;    /* owned */
	u32 most;      /* the last line that was shown; 0: none */
	bool readable; /* its lines can be read */
};

struct interleaved {
	struct annotation *a;
	struct annotate_tools *t;
	struct shown *files;
	size_t nr, cap;
};

/* Return the path where a source file is looked for; the caller frees it. */
static char *source_path(const struct annotate_conf *c, const char *file)
{
	const char *rest = file;

	if (!c->prefix || *file != '/')
		return xstrdup(file);
	for (int i = 0; i < c->prefix_strip; i++) {
		const char *slash = strchr(rest + 1, '/');

		if (!slash)
			break;
		rest = slash;
	}
	return xasprintf("%s%s", c->prefix, rest);
}

static struct shown *shown_of(struct interleaved *in, u32 file)
{
	struct shown *s;
	const char *text;
	size_t len;
	u32 number;

	for (size_t i = 0; i < in->nr; i++)
		if (in->files[i].file == file)
			return &in->files[i];
	VEC_GROW(in->files, in->nr + 1, in->cap);
	s = &in->files[in->nr++];
	*s = (struct shown){ .file = file };
	s->path = source_path(in->t->conf, annotation_text(in->a, file));
	s->readable = source_line(in->t->sources, s->path, 1, &number, &text, &len);
	return s;
}

bool annotate_expand_line(const char *s, size_t len, struct strbuf *out)
{
	size_t i = 0;

	strbuf_reset(out);
	while (i < len && isspace((unsigned char)s[i]))
		i++;
	for (; i < len; i++) {
		if (s[i] == '\t')
			strbuf_pad(out, (out->len / TAB + 1) * TAB);
		else
			strbuf_addch(out, s[i] ? s[i] : ' ');
	}
	while (out->len && isspace((unsigned char)out->buf[out->len - 1]))
		out->buf[--out->len] = '\0';
	return out->len;
}

/* Return how many columns the blanks take that a line begins with. */
static u32 indent_of(const char *s, size_t len)
{
	u32 columns = 0;

	for (size_t i = 0; i < len && isspace((unsigned char)s[i]); i++)
		columns = s[i] == '\t' ? (columns / TAB + 1) * TAB : columns + 1;
	return columns;
}

/* Add a line of source without the blanks around it. */
static void add_source(struct interleaved *in, u32 file, const char *s, size_t len, u32 number)
{
	struct strbuf *out = &in->t->scratch;
	u32 indent = indent_of(s, len); /* before the text moves, of which @s may be a part */
	struct annotate_line *line;

	annotate_expand_line(s, len, out);
	line = annotation_add(in->a, ANNOTATE_SOURCE,
			      annotation_put(in->a, strbuf_str(out), out->len));
	line->file = file;
	line->number = line->line = number;
	line->indent = indent;
}

/* Show a line of a file, and those before it that were not shown. */
static void show_lines(struct interleaved *in, struct shown *s, u32 line)
{
	u32 from = line > CONTEXT ? line - CONTEXT : 1, number;
	const char *text;
	size_t len;

	if (s->most >= from)
		from = s->most < line ? s->most + 1 : line;
	for (u32 i = from; i <= line; i++)
		if (source_line(in->t->sources, s->path, i, &number, &text, &len))
			add_source(in, s->file, text, len, i);
	s->most = MAX(s->most, line);
}

static struct annotate_line *add_text(struct interleaved *in, u32 number, const char *fmt, ...)
	__printf(3, 4);
static struct annotate_line *add_text(struct interleaved *in, u32 number, const char *fmt, ...)
{
	struct strbuf *out = &in->t->scratch;
	struct annotate_line *line;
	va_list ap;

	strbuf_reset(out);
	va_start(ap, fmt);
	strbuf_vaddf(out, fmt, ap);
	va_end(ap);
	line = annotation_add(in->a, ANNOTATE_TEXT,
			      annotation_put(in->a, strbuf_str(out), out->len));
	line->number = number;
	return line;
}

/* Add what stands in front of the first instruction. */
static void add_heading(struct interleaved *in)
{
	const struct annotation *a = in->a;
	const struct location *l = &a->of->at;
	const char *section = code_section(in->t->files, l->dso, l->symtab, a->of->start);

	for (u32 i = 0; i < 3; i++)
		add_text(in, i, "%s", "");
	add_text(in, 3, "Disassembly of section %s:", section && *section ? section : ".text");
	add_text(in, 4, "%s", "");
	add_text(in, 5, "%016" PRIx64 " <%s>:", a->start, location_symbol(l));
}

/* Tell that the kernel changed its code, which is shown as it was in the end. */
static void add_changes(struct interleaved *in)
{
	const struct annotation *a = in->a;
	size_t nr =
		code_changes(in->t->files, a->of->at.dso, a->of->start, a->of->end - a->of->start);

	if (nr)
		add_text(in, 0,
			 "The kernel changed this code %zu time%s while it was recorded: as it "
			 "was at the end",
			 nr, nr == 1 ? "" : "s");
}

/* Add the function and the lines of source in front of an instruction, where they have changed. */
static void add_position(struct interleaved *in, const struct position *p,
			 const struct position *before)
{
	bool moved = !before || p->function != before->function;
	struct shown *s;

	if (moved)
		add_text(in, before ? p->line : 6, "%s():",
			 p->function ? annotation_text(in->a, p->function)
				     : location_symbol(&in->a->of->at))
			->inlined = p->inlined;
	if (in->t->conf->no_source || !p->file || !p->line ||
	    (!moved && p->file == before->file && p->line == before->line))
		return;
	s = shown_of(in, p->file);
	if (s->readable)
		show_lines(in, s, p->line);
	else if (p->text)
		add_source(in, p->file, annotation_text(in->a, p->text),
			   strlen(annotation_text(in->a, p->text)), p->line);
	else
		add_text(in, p->line, "%s:%u", annotation_text(in->a, p->file), p->line);
}

/* Add the lines of source from which inlined functions are called. */
static void add_calls(struct interleaved *in)
{
	const struct annotation *a = in->a;

	for (size_t i = 1; i < a->nr_inlines; i++) {
		const struct annotate_inline *call = &a->inlines[i];
		struct shown *s = call->file ? shown_of(in, call->file) : NULL;
		const char *text;
		size_t len;
		u32 number;

		if (s && source_line(in->t->sources, s->path, call->line, &number, &text, &len))
			add_source(in, s->file, text, len, call->line);
	}
}

void annotate_interleave(struct annotation *a, struct annotate_tools *t,
			 const struct position *positions)
{
	struct interleaved in = { .a = a, .t = t };
	struct annotate_line *insns = a->lines;
	size_t nr = a->nr;

	a->lines = NULL;
	a->nr = a->cap = 0;
	add_changes(&in);
	if (a->of->at.dso->kind != DSO_BPF) /* it is in no section of any file */
		add_heading(&in);
	for (size_t i = 0; i < nr; i++) {
		add_position(&in, &positions[i], i ? &positions[i - 1] : NULL);
		*annotation_add(a, ANNOTATE_INSN, insns[i].text) = insns[i];
	}
	if (t->conf->calls && !t->conf->no_source)
		add_calls(&in);
	for (size_t i = 0; i < in.nr; i++)
		free(in.files[i].path);
	free(in.files);
	free(insns);
}

/* ---- lines of source, each once ---- */

static int by_place(const void *x, const void *y, void *ctx)
{
	const struct annotation *a = ctx;
	const struct annotate_line *left = *(const struct annotate_line *const *)x;
	const struct annotate_line *right = *(const struct annotate_line *const *)y;
	int files = left->file == right->file ? 0
					      : strcmp(annotation_text(a, left->file),
						       annotation_text(a, right->file));

	return files ?: left->line < right->line ? -1 : left->line > right->line;
}

const struct annotate_line **annotation_source(const struct annotation *a, size_t *nr)
{
	const struct annotate_line **lines = xcalloc(a->nr + 1, sizeof(*lines));
	size_t all = 0, kept = 0;

	for (size_t i = 0; i < a->nr; i++)
		if (a->lines[i].kind == ANNOTATE_SOURCE && a->lines[i].file)
			lines[all++] = &a->lines[i];
	qsort_r(lines, all, sizeof(*lines), by_place, (void *)a);
	for (size_t i = 0; i < all; i++)
		if (!kept || by_place(&lines[kept - 1], &lines[i], (void *)a))
			lines[kept++] = lines[i];
	*nr = kept;
	return lines;
}
