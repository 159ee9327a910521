// SPDX-License-Identifier: GPL-2.0-or-later
/* The addresses of source lines: rows of line tables at which statements begin. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "dwarf/lines-internal.h"

void source_rows_release(struct source_rows *r)
{
	free(r->v);
	*r = (struct source_rows){ 0 };
}

bool source_path_ends(const char *path, const char *tail)
{
	size_t len = strlen(path), end = strlen(tail);

	return end && end <= len && !strcmp(path + len - end, tail) &&
	       (end == len || *tail == '/' || path[len - end - 1] == '/');
}

/* The walk keeps of the rows that were passed whether a statement began at the address before. */
struct passed {
	u64 addr;
	bool any;
};

/* Tell whether a row begins a statement at an address where none began before. */
static bool is_first(struct passed *p, const struct line_each *row)
{
	bool first = !p->any || p->addr != row->addr;

	if (row->statement && !row->end) {
		p->addr = row->addr;
		p->any = true;
	}
	return first;
}

static int by_addr(const void *a, const void *b)
{
	const struct source_row *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void sort(struct source_rows *r)
{
	if (r->nr)
		qsort(r->v, r->nr, sizeof(*r->v), by_addr);
}

/* ---- calls of inlined functions ---- */

/* The line of a call, and the first instruction of the copy that is there instead. Return: whether
 * both are known. */
static bool read_call(struct lines *l, struct unit_state *s, u64 die, struct source_row *out)
{
	struct source_function copy;
	struct dw_die d;
	u64 file, line;

	if (!dw_die_read(&d, s->code.unit, die) || !source_extent(&d, &copy) ||
	    !dw_has(&d, DW_CALL_FILE) || !dw_number(&d.v[DW_CALL_FILE], &file) ||
	    !dw_has(&d, DW_CALL_LINE) || !dw_number(&d.v[DW_CALL_LINE], &line) || line > UINT32_MAX)
		return false;
	*out = (struct source_row){ copy.entry, lines_path(l, s, file), (u32)line, true };
	return out->file;
}

static void add_row(struct source_rows *out, const struct source_row *row)
{
	VEC_GROW(out->v, out->nr + 1, out->cap);
	out->v[out->nr++] = *row;
}

/* ---- lines of a file ---- */

/* The rows of one unit on their way. Numbers of files that were looked at are kept. */
struct file_search {
	struct lines *l;
	struct unit_state *s;
	const char *file;
	u32 first, last, known;
	const char *path; /* of the file @known; NULL: it is not the one */
	struct source_rows *out;
	struct passed passed;
};

static void take_file_row(void *ctx, const struct line_each *row)
{
	struct file_search *f = ctx;
	bool first = is_first(&f->passed, row);

	if (row->end || !row->statement || !row->addr || row->line < f->first ||
	    row->line > f->last)
		return;
	if (row->file != f->known) {
		f->known = row->file;
		f->path = lines_path(f->l, f->s, row->file);
		if (f->path && !source_path_ends(f->path, f->file))
			f->path = NULL;
	}
	if (f->path)
		add_row(f->out, &(struct source_row){ row->addr, f->path, row->line, first });
}

/* Return the last part of a path. */
static const char *last_part(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static bool unit_has_file(const struct dw_unit *u, const char *file)
{
	const char *base = last_part(file);
	struct strbuf path = STRBUF_INIT;
	struct line_table t;
	bool has = false;

	line_table_files(&t, u);
	for (size_t i = 0; i < t.nr_files && !has; i++) {
		/* a path is made only of a name that can be the one */
		if (!t.files[i].name || !source_path_ends(t.files[i].name, base))
			continue;
		strbuf_reset(&path);
		has = line_table_path(&t, i, &path) && source_path_ends(strbuf_str(&path), file);
	}
	strbuf_release(&path);
	line_table_release(&t);
	return has;
}

const bool *source_units_with(struct lines *l, const char *file)
{
	const struct dw_file *f = l->file;

	if (l->marked_file && !strcmp(l->marked_file, file))
		return l->marked;
	free(l->marked_file);
	l->marked_file = xstrdup(file);
	if (!l->marked)
		l->marked = xcalloc(f->nr_units + 1, sizeof(*l->marked));
	dw_units_with_file(f, last_part(file), l->marked);
	for (size_t i = 0; i < f->nr_units; i++)
		if (l->marked[i])
			l->marked[i] = dw_unit_has_code(&f->units[i]) &&
				       unit_has_file(&f->units[i], file);
	return l->marked;
}

/* Add the calls that are lines of the file. */
static void add_file_calls(struct file_search *f)
{
	struct source_row row;

	for (u32 i = 0; i < f->s->code.nr; i++) {
		const struct code_function *code = unit_code_function(&f->s->code, i);

		for (size_t k = 0; k < code->nr_nodes; k++)
			if (read_call(f->l, f->s, code->nodes[k].off, &row) &&
			    row.line >= f->first && row.line <= f->last &&
			    source_path_ends(row.file, f->file))
				add_row(f->out, &row);
	}
}

static void add_unit_rows(struct lines *l, u32 unit, const char *file, u32 first, u32 last,
			  struct source_rows *out)
{
	struct unit_state *s = lines_lock(l, unit);
	struct file_search f = { l, s, file, first, last, UINT32_MAX, NULL, out, { 0 } };
	struct line_table names;

	lines_need_table(l, unit, s);
	line_table_each(&l->file->units[unit], &names, take_file_row, &f);
	line_table_release(&names);
	lines_need_code(l, unit, s);
	add_file_calls(&f);
	lines_unlock(l, unit);
}

void source_file_rows(struct lines *l, const char *file, u32 first, u32 last,
		      struct source_rows *out)
{
	const bool *with = source_units_with(l, file);

	for (u32 unit = 0; unit < l->file->nr_units; unit++)
		if (with[unit])
			add_unit_rows(l, unit, file, first, last, out);
	sort(out);
}

/* ---- lines of a function ---- */

struct function_search {
	struct lines *l;
	struct unit_state *s;
	const struct source_function *of;
	struct source_rows *out;
	struct passed passed;
};

/* Tell whether an address is code of the function itself, and not of what was inlined into it. */
static bool is_own(const struct function_search *f, u64 addr, u32 line)
{
	u64 offs[INLINED_MAX];
	size_t nr = unit_code_inlined(&f->s->code, addr, offs, INLINED_MAX);
	u32 function = range_map_at(&f->s->code.by_addr, addr);

	if (nr && offs[0] == f->of->die)
		return true;
	/* the first line of a copy may have an address that is in no range of it */
	if (f->of->inlined)
		return addr == f->of->entry && line == f->of->line;
	return !nr && function != RANGE_NONE && f->s->code.functions[function].off == f->of->die;
}

static void take_function_row(void *ctx, const struct line_each *row)
{
	struct function_search *f = ctx;
	bool first = is_first(&f->passed, row);
	const char *path;

	if (row->end || !row->statement || !row->addr || !is_own(f, row->addr, row->line))
		return;
	path = lines_path(f->l, f->s, row->file);
	if (path)
		add_row(f->out, &(struct source_row){ row->addr, path, row->line, first });
}

/* Add the calls in the code of a function itself. */
static void add_function_calls(struct function_search *f)
{
	u32 function = range_map_at(&f->s->code.by_addr, f->of->entry), self = RANGE_NONE;
	const struct code_function *code;
	struct source_row row;

	if (function == RANGE_NONE)
		return;
	code = unit_code_function(&f->s->code, function);
	for (size_t i = 0; f->of->inlined && i < code->nr_nodes; i++)
		if (code->nodes[i].off == f->of->die)
			self = (u32)i;
	for (size_t i = 0; i < code->nr_nodes; i++)
		if (code->nodes[i].parent == self && (self != RANGE_NONE) == f->of->inlined &&
		    read_call(f->l, f->s, code->nodes[i].off, &row))
			add_row(f->out, &row);
}

void source_function_rows(struct lines *l, const struct source_function *of,
			  struct source_rows *out)
{
	struct unit_state *s = lines_lock(l, of->unit);
	struct function_search f = { .l = l, .s = s, .of = of, .out = out };
	struct line_table names;

	lines_need_table(l, of->unit, s);
	lines_need_code(l, of->unit, s);
	line_table_each(&l->file->units[of->unit], &names, take_function_row, &f);
	line_table_release(&names);
	add_function_calls(&f);
	lines_unlock(l, of->unit);
	sort(out);
}

/* ---- the line of an address ---- */

struct begin_search {
	u64 addr;
	u32 line, file;
};

static void take_begin(void *ctx, const struct line_each *row)
{
	struct begin_search *b = ctx;

	/* of several rows of one address those behind the first one are of inlined functions */
	if (!b->line && row->addr == b->addr && row->statement && !row->end) {
		b->line = row->line;
		b->file = row->file;
	}
}

u32 source_line_begins(struct lines *l, u64 addr, const char **file)
{
	u32 unit = range_map_at(&l->by_addr, addr);
	struct begin_search b = { .addr = addr };
	struct line_table names;
	struct unit_state *s;

	*file = NULL;
	if (unit == RANGE_NONE)
		return 0;
	s = lines_lock(l, unit);
	lines_need_table(l, unit, s);
	line_table_each(&l->file->units[unit], &names, take_begin, &b);
	line_table_release(&names);
	if (b.line)
		*file = lines_path(l, s, b.file);
	lines_unlock(l, unit);
	return *file ? b.line : 0;
}
