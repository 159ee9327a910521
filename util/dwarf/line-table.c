// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "dwarf/line-table-internal.h"

#define LENGTH_64 0xffffffffU
#define FORMATS_MAX 16 /* what is told of each file; DWARF 5 has five */

/* The program of a line table, with what its header says of it. */
struct program {
	struct line_table *t;
	struct cur c; /* of the instructions */
	struct dw_sizes sizes;
	u8 min_length, max_ops, line_range, opcode_base;
	s8 line_base;
	const u8 *operands; /* of instruction 1 and the next, how many there are */
	/* the registers of the state machine */
	u64 addr;
	u32 line, file, op;
	bool statement;
	size_t first; /* row of the current sequence */
	/* for line_table_each() */
	bool statements; /* the value of @statement where a sequence begins */
	line_row_fn *each;
	void *ctx;
};

/* ---- folders and files ---- */

static void add_folder(struct line_table *t, const char *name)
{
	VEC_GROW(t->folders, t->nr_folders + 1, t->cap_folders);
	t->folders[t->nr_folders++] = name;
}

static void add_file(struct line_table *t, const char *name, u64 folder)
{
	VEC_GROW(t->files, t->nr_files + 1, t->cap_files);
	t->files[t->nr_files++] = (struct line_file){ name, folder };
}

static const char *read_text(struct cur *c)
{
	const char *s = (const char *)c->p;
	const u8 *end = c->bad ? NULL : memchr(c->p, 0, cur_left(c));

	c->bad = !end;
	if (end)
		c->p = end + 1;
	return end ? s : NULL;
}

/* A file as it is told of before version 5: name, folder, time, size. Return: false for the empty
 * name at the end. */
static bool read_file(struct line_table *t, struct cur *c)
{
	const char *name = read_text(c);
	u64 folder;

	if (!name || !*name)
		return false;
	folder = cur_uleb(c);
	cur_uleb(c);
	cur_uleb(c);
	add_file(t, name, folder);
	return cur_ok(c);
}

static void read_names_2(struct line_table *t, struct cur *c)
{
	const char *name;

	add_folder(t, NULL);
	while ((name = read_text(c)) && *name)
		add_folder(t, name);
	add_file(t, NULL, 0);
	while (read_file(t, c))
		;
}

/* Read one list of version 5, of folders or files: what is told of each, and then that. */
static void read_list_5(struct program *p, struct cur *c, bool files)
{
	u64 nr_formats = cur_u8(c), what[FORMATS_MAX], form[FORMATS_MAX], nr;

	if (nr_formats > FORMATS_MAX) {
		c->bad = true;
		return;
	}
	for (u64 k = 0; k < nr_formats; k++) {
		what[k] = cur_uleb(c);
		form[k] = cur_uleb(c);
	}
	nr = cur_uleb(c);
	for (u64 i = 0; i < nr && cur_ok(c); i++) {
		const u8 *before = c->p;
		const char *name = NULL;
		u64 folder = 0;

		for (u64 k = 0; k < nr_formats; k++) {
			struct dw_value v;

			dw_form_read(c, &p->sizes, form[k] > UINT16_MAX ? 0 : (u16)form[k], 0, &v);
			if (what[k] == DW_LNCT_path)
				name = dw_string(p->t->unit, &v);
			else if (what[k] == DW_LNCT_directory_index)
				dw_number(&v, &folder);
		}
		if (c->p == before) /* the number of names is limited by their bytes */
			return;
		if (files)
			add_file(p->t, name, folder);
		else
			add_folder(p->t, name);
	}
}

/* ---- the program ---- */

/* Advance to the next instruction that is a row's; with more than one in a bundle, by parts of
 * it. */
static void advance(struct program *p, u64 by)
{
	if (p->max_ops <= 1) {
		p->addr += by * p->min_length;
		return;
	}
	by += p->op;
	p->addr += by / p->max_ops * p->min_length;
	p->op = (u32)(by % p->max_ops);
}

/* Hand out a row as it is. */
static void give_row(struct program *p, bool end)
{
	const struct line_each row = { p->addr, p->line, p->file, p->statement, end };

	p->each(p->ctx, &row);
}

/* A row that has the file and line of the one before it says nothing new. */
static void add_row(struct program *p)
{
	struct line_table *t = p->t;
	struct line_row *last = t->nr_rows > p->first ? &t->rows[t->nr_rows - 1] : NULL;

	if (p->each) {
		give_row(p, false);
		return;
	}
	if (last && last->addr == p->addr)
		t->nr_rows--;
	else if (last && last->line == p->line && last->file == p->file)
		return;
	VEC_GROW(t->rows, t->nr_rows + 1, t->cap_rows);
	t->rows[t->nr_rows++] = (struct line_row){ p->addr, p->line, p->file };
}

/* End a sequence. One at address 0 is of a function that the linker left out. */
static void end_sequence(struct program *p, struct range_list *ranges)
{
	struct line_table *t = p->t;
	size_t nr = t->nr_rows - p->first;

	if (p->each)
		give_row(p, true);
	if (!nr || !t->rows[p->first].addr || p->addr <= t->rows[p->first].addr) {
		t->nr_rows = p->first;
	} else {
		range_add(ranges, t->rows[p->first].addr, p->addr, (u32)t->nr_sequences);
		VEC_GROW(t->sequences, t->nr_sequences + 1, t->cap_sequences);
		t->sequences[t->nr_sequences++] = (struct line_sequence){ (u32)p->first, (u32)nr };
	}
	p->first = t->nr_rows;
	p->addr = 0;
	p->line = p->file = 1;
	p->op = 0;
	p->statement = p->statements;
}

static void run_extended(struct program *p, struct range_list *ranges)
{
	u64 len = cur_uleb(&p->c);
	struct cur c = p->c;

	cur_skip(&p->c, len);
	if (!cur_ok(&p->c) || !len)
		return;
	c.end = p->c.p;
	switch (cur_u8(&c)) {
	case DW_LNE_end_sequence:
		end_sequence(p, ranges);
		break;
	case DW_LNE_set_address:
		p->addr = dw_cur_address(&c, len == 9 ? 8 : 4);
		p->op = 0;
		break;
	case DW_LNE_define_file:
		read_file(p->t, &c);
		break;
	}
}

static void run_standard(struct program *p, u8 opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		add_row(p);
		break;
	case DW_LNS_advance_pc:
		advance(p, cur_uleb(&p->c));
		break;
	case DW_LNS_advance_line:
		p->line += (u32)cur_sleb(&p->c);
		break;
	case DW_LNS_set_file:
		p->file = (u32)cur_uleb(&p->c);
		break;
	case DW_LNS_negate_stmt:
		p->statement = !p->statement;
		break;
	case DW_LNS_const_add_pc:
		advance(p, (255U - p->opcode_base) / p->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		p->addr += cur_u16(&p->c);
		p->op = 0;
		break;
	default: /* what does not matter here, or is not known */
		for (u8 i = 0; i < p->operands[opcode - 1]; i++)
			cur_uleb(&p->c);
	}
}

static void run(struct program *p, struct range_list *ranges)
{
	p->line = p->file = 1;
	p->statement = p->statements;
	while (cur_left(&p->c) && cur_ok(&p->c) && p->t->nr_rows < UINT32_MAX) {
		u8 opcode = cur_u8(&p->c);

		if (opcode >= p->opcode_base) {
			opcode = (u8)(opcode - p->opcode_base);
			advance(p, opcode / p->line_range);
			p->line += (u32)(p->line_base + opcode % p->line_range);
			add_row(p);
		} else if (opcode) {
			run_standard(p, opcode);
		} else {
			run_extended(p, ranges);
		}
	}
	p->t->nr_rows = p->first; /* a sequence without an end says nothing */
}

/* ---- the table ---- */

/* Read the header; p->c is at the first instruction then. */
static bool read_header(struct program *p)
{
	struct cur *c = &p->c, header;
	u64 len = cur_u32(c);

	p->sizes.offset = len == LENGTH_64 ? 8 : 4;
	if (len == LENGTH_64)
		len = cur_u64(c);
	if (!cur_ok(c) || len > cur_left(c))
		return false;
	c->end = c->p + len;
	p->sizes.version = cur_u16(c);
	if (p->sizes.version < 2 || p->sizes.version > 5)
		return false;
	if (p->sizes.version == 5) {
		p->sizes.addr = cur_u8(c);
		cur_u8(c); /* the size of a segment selector */
	}
	len = dw_cur_offset(c, p->sizes.offset);
	header = *c;
	cur_skip(c, len);
	if (!cur_ok(c))
		return false;
	header.end = c->p;
	p->min_length = cur_u8(&header);
	p->max_ops = p->sizes.version >= 4 ? cur_u8(&header) : 1;
	p->statements = cur_u8(&header);
	p->line_base = (s8)cur_u8(&header);
	p->line_range = cur_u8(&header);
	p->opcode_base = cur_u8(&header);
	p->operands = p->opcode_base ? cur_bytes(&header, p->opcode_base - 1U) : NULL;
	if (!cur_ok(&header) || !p->line_range || !p->opcode_base)
		return false;
	if (p->sizes.version < 5) {
		read_names_2(p->t, &header);
	} else {
		read_list_5(p, &header, false);
		read_list_5(p, &header, true);
	}
	return true;
}

void line_table_read(struct line_table *t, const struct dw_unit *u)
{
	struct program p = { .t = t, .c = dw_cur(u, DW_LINE, u->lines_off) };
	struct range_list ranges = { 0 };

	*t = (struct line_table){ .unit = u };
	if (u->has_lines && read_header(&p))
		run(&p, &ranges);
	t->rows = xrealloc(t->rows, t->nr_rows + 1, sizeof(*t->rows));
	range_map_make(&t->by_addr, &ranges);
	free(ranges.v);
}

void line_table_files(struct line_table *t, const struct dw_unit *u)
{
	struct program p = { .t = t, .c = dw_cur(u, DW_LINE, u->lines_off) };

	*t = (struct line_table){ .unit = u };
	if (u->has_lines)
		read_header(&p);
}

void line_table_each(const struct dw_unit *u, struct line_table *files, line_row_fn *fn, void *ctx)
{
	struct program p = { .t = files, .c = dw_cur(u, DW_LINE, u->lines_off) };
	struct range_list ranges = { 0 };

	*files = (struct line_table){ .unit = u };
	p.each = fn;
	p.ctx = ctx;
	if (u->has_lines && read_header(&p))
		run(&p, &ranges);
	free(ranges.v);
}

void line_table_release(struct line_table *t)
{
	free(t->rows);
	free(t->sequences);
	free(t->by_addr.v);
	free(t->files);
	free(t->folders);
	*t = (struct line_table){ 0 };
}

const struct line_row *line_table_find(const struct line_table *t, u64 addr)
{
	u32 sequence = range_map_at(&t->by_addr, addr);
	const struct line_row *rows;
	size_t lo;

	if (sequence == RANGE_NONE)
		return NULL;
	rows = &t->rows[t->sequences[sequence].first];
	lo = FIRST_BEHIND(rows, t->sequences[sequence].nr, addr, addr);
	return lo ? &rows[lo - 1] : NULL;
}

void line_table_ranges(const struct line_table *t, struct range_list *to, u32 of)
{
	for (size_t i = 0; i < t->by_addr.nr; i++)
		if (t->by_addr.v[i].of != RANGE_NONE)
			range_add(to, t->by_addr.v[i].start, t->by_addr.v[i + 1].start, of);
}

bool line_table_path(const struct line_table *t, u64 file, struct strbuf *out)
{
	const char *name = file < t->nr_files ? t->files[file].name : NULL, *folder;

	if (!name)
		return false;
	folder = *name != '/' && t->files[file].folder < t->nr_folders
			 ? t->folders[t->files[file].folder]
			 : NULL;
	if (*name != '/' && (!folder || *folder != '/') && t->unit->comp_dir)
		strbuf_addf(out, "%s/", t->unit->comp_dir);
	if (folder)
		strbuf_addf(out, "%s/", folder);
	strbuf_addstr(out, name);
	return true;
}
