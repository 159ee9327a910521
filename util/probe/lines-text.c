// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"
#include "probe/lines-text.h"

#include "base/alloc.h"
#include "base/color.h"
#include "dwarf/source.h"
#include "probe/definition-internal.h"
#include "probe/json-internal.h"
#include "probe/points-internal.h"
#include "probe/source-text.h"

#include <ctype.h>
#include <errno.h>

#define LINES_BEHIND 3 /* shown behind the last line that can be probed, when the range is open */

/* ---- ranges ---- */

void line_range_release(struct line_range *r)
{
	free(r->function);
	free(r->file);
	*r = (struct line_range){ 0 };
}

static int bad_number(const char *text, struct err *err)
{
	return err_set(err, -EINVAL,
		       "Semantic error :\"%s\" is no range of lines: write LINE, LINE-LINE or "
		       "LINE+NUMBER.",
		       text);
}

/* Read "a", "a-b" or "a+n". */
static int parse_lines(struct line_range *r, const char *text, struct err *err)
{
	unsigned long first, second;
	char *end;

	if (!isdigit((unsigned char)*text))
		return bad_number(text, err);
	first = strtoul(text, &end, 10);
	r->first = (u32)MIN(first, (unsigned long)INT32_MAX);
	if (!*end)
		return 0;
	if ((*end != '-' && *end != '+') || !isdigit((unsigned char)end[1]))
		return bad_number(text, err);
	second = strtoul(end + 1, &end, 10);
	second = MIN(second, (unsigned long)INT32_MAX);
	if (*end)
		return bad_number(text, err);
	r->last = strchr(text, '+') ? (u32)(r->first + second - 1) : (u32)second;
	if (r->last < r->first || (strchr(text, '+') && !second))
		return err_set(err, -EINVAL,
			       "Semantic error :Start line must be smaller than end line: \"%s\".",
			       text);
	return 0;
}

int line_range_parse(struct line_range *r, const char *text, struct err *err)
{
	const char *end = text + strlen(text), *colon = probe_find(text, end, ":");
	const char *at = probe_find(text, colon, "@");

	*r = (struct line_range){ .last = UINT32_MAX };
	if (at < colon)
		r->file = probe_unescape(at + 1, colon);
	if (at == text)
		return err_set(err, -EINVAL, "\"%s\" has no function and no source file.", text);
	if (at < colon || !(memchr(text, '.', (size_t)(colon - text)) ||
			    memchr(text, '/', (size_t)(colon - text))))
		r->function = probe_unescape(text, at);
	else
		r->file = probe_unescape(text, colon);
	if (r->function && strpbrk(r->function, "*?["))
		return err_set(err, -EINVAL, "Semantic error :'%s' is not a valid function name.",
			       r->function);
	return *colon ? parse_lines(r, colon + 1, err) : 0;
}

/* ---- lines that can be probed ---- */

struct lines_found {
	struct probe_object *o;
	const struct line_range *range;
	const char *file; /* borrowed; NULL: not known so far */
	u32 start;        /* the line that numbers are counted from: that of the function, or 0 */
	u32 *v;           /* owned: numbers of lines in the file, sorted */
	size_t nr, cap;
};

static void add_line(struct lines_found *f, u32 line)
{
	u64 first = (u64)f->start + f->range->first, last = (u64)f->start + f->range->last;

	if (line < first || line > last)
		return;
	VEC_GROW(f->v, f->nr + 1, f->cap);
	f->v[f->nr++] = line;
}

/* Add the lines of one piece of code of the function. The entry of code of its own is its first
 * line. */
static void add_code(struct lines_found *f, const struct source_function *code)
{
	struct source_rows rows = { 0 };

	source_function_rows(f->o->lines, code, &rows);
	if (!code->inlined)
		add_line(f, code->line);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct source_row *r = &rows.v[i];

		if (r->first && !strcmp(r->file, f->file) && r->line >= code->line &&
		    (code->inlined || r->addr != code->entry))
			add_line(f, r->line);
	}
	source_rows_release(&rows);
}

/* Take the functions of the name that begin at the same line of the same file as the first. */
static void find_function(struct lines_found *f)
{
	struct source_functions found = { 0 };

	probe_source_first(f->o, f->range->function, f->range->file, &found);
	for (size_t i = 0; i < found.nr; i++) {
		const struct source_function *code = &found.v[i];

		if (!code->file || !code->line ||
		    (f->range->file && !source_path_ends(code->file, f->range->file)))
			continue;
		if (!f->file) {
			f->file = code->file;
			f->start = code->line;
		}
		if (!strcmp(f->file, code->file) && f->start == code->line)
			add_code(f, code);
	}
	source_functions_release(&found);
}

static int by_entry(const void *a, const void *b)
{
	const struct source_function *x = a, *y = b;

	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Tell whether the code of a function begins at an address. */
static bool is_entry(const struct source_functions *all, u64 addr)
{
	size_t lo = FIRST_FROM(all->v, all->nr, entry, addr);

	for (; lo < all->nr && all->v[lo].entry == addr; lo++)
		if (!all->v[lo].inlined)
			return true;
	return false;
}

static void find_file(struct lines_found *f)
{
	struct source_functions all = { 0 };
	struct source_rows rows = { 0 };

	source_file_rows(f->o->lines, f->range->file, 1, UINT32_MAX, &rows);
	source_functions_with(f->o->lines, f->range->file, &all);
	if (all.nr)
		qsort(all.v, all.nr, sizeof(*all.v), by_entry);
	for (size_t i = 0; i < rows.nr; i++) {
		if (!f->file)
			f->file = rows.v[i].file;
		if (rows.v[i].first && !strcmp(rows.v[i].file, f->file) &&
		    !is_entry(&all, rows.v[i].addr))
			add_line(f, rows.v[i].line);
	}
	for (size_t i = 0; f->file && i < all.nr; i++)
		if (!all.v[i].inlined && all.v[i].file && !strcmp(all.v[i].file, f->file))
			add_line(f, all.v[i].line);
	source_functions_release(&all);
	source_rows_release(&rows);
}

static int by_line(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* ---- text ---- */

/* A line that is shown. */
struct shown_line {
	u64 number, relative; /* in the file, and from the line that numbers are counted from */
	bool probe;           /* it can be probed */
	const char *text;     /* borrowed; without a zero byte at its end */
	size_t len;
};

static void put_line(const struct shown_line *l, const char *color, const char *reset,
		     struct strbuf *out)
{
	strbuf_addstr(out, color);
	if (l->probe)
		strbuf_addf(out, "%7" PRIu64 "  ", l->relative);
	else
		strbuf_addstr(out, "         ");
	strbuf_add(out, l->text, l->len);
	strbuf_addstr(out, reset);
	strbuf_addch(out, '\n');
}

static void put_text(const struct shown_line *l, struct strbuf *out)
{
	put_line(l, "", "", out);
}

static void put_colored(const struct shown_line *l, struct strbuf *out)
{
	put_line(l, l->probe ? "" : COLOR_BLUE, l->probe ? "" : COLOR_RESET, out);
}

static void put_json(const struct shown_line *l, struct strbuf *out)
{
	strbuf_addf(out,
		    "%s\n{\"line\":%" PRIu64 ",\"relative\":%" PRIu64 ",\"probe\":%s,\"text\":\"",
		    out->buf[out->len - 1] == '[' ? "" : ",", l->number, l->relative,
		    l->probe ? "true" : "false");
	json_text(out, l->text, l->len);
	strbuf_addstr(out, "\"}");
}

static void put_lines(const struct lines_found *f, const struct source_text *text,
		      void (*put)(const struct shown_line *, struct strbuf *), struct strbuf *out)
{
	const struct line_range *r = f->range;
	u64 last = r->last != UINT32_MAX ? (u64)f->start + r->last
					 : (u64)f->v[f->nr - 1] + LINES_BEHIND;
	size_t at = 0;

	for (u64 n = MAX((u64)f->start + r->first, 1); n <= last && n <= text->nr; n++) {
		struct shown_line l = { .number = n, .relative = n - f->start };

		l.text = source_text_line(text, (u32)n, &l.len);
		while (at < f->nr && f->v[at] < n)
			at++;
		l.probe = at < f->nr && f->v[at] == n;
		put(&l, out);
	}
}

static void put_text_document(const struct lines_found *f, const struct source_text *text,
			      bool color, struct strbuf *out)
{
	strbuf_addch(out, '<');
	if (f->range->function)
		strbuf_addf(out, "%s@", f->range->function);
	strbuf_addname(out, f->file);
	strbuf_addf(out, ":%u>\n", f->range->first);
	put_lines(f, text, color ? put_colored : put_text, out);
}

static void put_json_document(const struct lines_found *f, const struct source_text *text,
			      struct strbuf *out)
{
	json_begin("lines", f->o, out);
	json_add_text("function", f->range->function, out);
	json_add_text("file", f->file, out);
	json_add_text("read_from", text->path, out);
	strbuf_addstr(out, ",\"lines\":[");
	put_lines(f, text, put_json, out);
	strbuf_addstr(out, "]}\n");
}

static int no_lines(const struct lines_found *f, struct err *err)
{
	const struct line_range *r = f->range;

	if (!f->file && r->function)
		return err_set(err, -ENOENT,
			       "Specified source line is not found: the debug information of %s "
			       "knows no function %s%s%s.",
			       probe_object_name(f->o), r->function, r->file ? " in " : "",
			       r->file ? r->file : "");
	if (!f->file)
		return err_set(
			err, -ENOENT,
			"Specified source line is not found: no code of %s is from a file %s.",
			probe_object_name(f->o), r->file);
	return err_set(
		err, -ENOENT,
		"Specified source line is not found: there is no code at the lines that were "
		"asked for of %s, from %u on.",
		r->function ? r->function : f->file, r->first);
}

int probe_lines_text(struct probe_object *o, const struct line_range *r, enum lines_form form,
		     struct strbuf *out, struct err *err)
{
	struct lines_found f = { .o = o, .range = r };
	struct source_text text = { 0 };
	int rc = probe_object_lines(o, err);

	if (rc)
		return rc;
	if (r->function)
		find_function(&f);
	else
		find_file(&f);
	if (f.nr)
		qsort(f.v, f.nr, sizeof(*f.v), by_line);
	rc = f.nr ? source_text_read(&text, o->target, f.file, err) : no_lines(&f, err);
	if (!rc && form == LINES_JSON)
		put_json_document(&f, &text, out);
	else if (!rc)
		put_text_document(&f, &text, form == LINES_COLORED, out);
	source_text_release(&text);
	free(f.v);
	return rc;
}
