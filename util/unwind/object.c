// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"
#include "unwind/object.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "symbol/eh-table.h"
#include "symbol/elf-image.h"
#include "unwind/cfi.h"

#include <elf.h>

/* The most code of a function that is looked at where there is no table. */
#define MAX_CODE 4096

/* Entries of a section that has no index of its own. */
struct entry {
	u64 start, end;
	size_t offset;
};

struct tables {
	struct cfi_section section; /* size 0: there is none */
	struct eh_table index;      /* nr 0: it has none */
	struct entry *entries;      /* owned, sorted by start; NULL: the index is used */
	size_t nr;
};

struct unw_object {
	const struct arch_frames *arch;
	const struct symtab *syms;
	bool is_file; /* code that is made at run time is in none */
	struct elf_image image, debug;
	struct tables eh, frame; /* .eh_frame, .debug_frame */
};

/* ---- reading ---- */

static int entry_cmp(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sections without an index are read from their start to their end, once. */
static void list_entries(struct tables *t)
{
	size_t at = 0, cap = 0;
	struct cfi_fde f;
	int ret;

	while ((ret = cfi_entry(&t->section, at, &f)) >= 0) {
		if (ret) {
			VEC_GROW(t->entries, t->nr + 1, cap);
			t->entries[t->nr++] = (struct entry){ f.start, f.end, at };
		}
		at = f.next;
	}
	if (t->nr)
		qsort(t->entries, t->nr, sizeof(*t->entries), entry_cmp);
}

bool unw_section_read(struct cfi_section *out, const struct elf_image *e, const char *name)
{
	const struct elf_section *s = elf_image_section(e, name),
				 *text = elf_image_section(e, ".text"),
				 *got = elf_image_section(e, ".got");
	size_t len = 0;
	const u8 *p = s ? elf_image_contents(e, s, &len) : NULL;

	if (!p)
		return false;
	*out = (struct cfi_section){
		.bytes = p,
		.size = len,
		.addr = s->addr,
		.text = text ? text->addr : 0,
		.data = got ? got->addr : 0,
		.debug = name[1] == 'd',
		.wide = e->is64,
		.swap = e->swap,
	};
	return true;
}

static void read_eh(struct tables *t, const struct elf_image *e)
{
	eh_table_read(&t->index, e);
	if (unw_section_read(&t->section, e, ".eh_frame") && !t->index.nr)
		list_entries(t);
}

static void read_frame(struct tables *t, const struct elf_image *e)
{
	if (!e->elf || t->section.size)
		return;
	if (unw_section_read(&t->section, e, ".debug_frame"))
		list_entries(t);
}

/* Every process has the vdso of its kernel, so the one of this process serves for this kernel's. */
static void open_image(struct unw_object *o, const struct dso *dso)
{
	const char *object = symtab_object(o->syms), *file = symtab_file(o->syms);
	const u8 *vdso;
	size_t size;

	if (object)
		elf_image_open(&o->image, object);
	if (file && (!object || strcmp(file, object)))
		elf_image_open(&o->debug, file);
	if (o->image.elf || dso->kind != DSO_VDSO)
		return;
	vdso = symtab_origin(o->syms) == 'p' ? vdso_image(&size) : NULL;
	if (vdso) {
		elf_image_memory(&o->image, vdso, size);
	} else {
		o->image = o->debug;
		o->debug = (struct elf_image){ 0 };
	}
}

/* Read the unwind information that a run-time compiler gave with a function. */
static void read_jit(struct unw_object *o, const struct dso *dso)
{
	const struct jit_frames *f = dso->frames;
	size_t size = f->size - f->index_size;
	u64 at = jit_frames_at(dso->size);

	if (!size)
		return;
	o->eh.section = (struct cfi_section){
		.bytes = f->bytes,
		.size = size,
		.addr = at,
		.text = JIT_CODE_OFFSET,
		.wide = o->arch->word == 8,
		.swap = f->swap,
	};
	if (!eh_table_parse(&o->eh.index, f->bytes + size, f->index_size, at + size, f->swap))
		list_entries(&o->eh);
}

/* Tell whether the code was in a file. Memory that has a name, as that of memfd_create() has, is
 * recorded like one. */
static bool is_file(const struct unw_object *o, const struct dso *dso)
{
	if (dso->kind == DSO_USER && !o->image.elf)
		return symtab_origin(o->syms) != 'j' && strncmp(dso->path, "/memfd:", 7) != 0;
	return dso->kind == DSO_USER || dso->kind == DSO_VDSO;
}

struct unw_object *unw_object_open(const struct symtab *syms, const struct dso *dso,
				   const struct arch_frames *a)
{
	struct unw_object *o = xzalloc(sizeof(*o));

	o->syms = syms;
	o->arch = a;
	open_image(o, dso);
	o->is_file = is_file(o, dso);
	if (dso->frames)
		read_jit(o, dso);
	if (o->image.elf) {
		read_eh(&o->eh, &o->image);
		read_frame(&o->frame, &o->image);
	}
	read_frame(&o->frame, &o->debug);
	return o;
}

void unw_object_close(struct unw_object *o)
{
	if (!o)
		return;
	free(o->eh.entries);
	free(o->frame.entries);
	elf_image_release(&o->image);
	elf_image_release(&o->debug);
	free(o);
}

enum unw_source unw_object_source(const struct unw_object *o)
{
	if (o->eh.section.size || o->frame.section.size)
		return UNW_TABLES;
	if (!o->is_file)
		return UNW_MADE;
	return o->image.elf ? UNW_BARE : UNW_ABSENT;
}

const struct elf_image *unw_object_image(const struct unw_object *o)
{
	return &o->image;
}

const char *unw_object_path(const struct unw_object *o)
{
	return symtab_object(o->syms);
}

/* ---- tables ---- */

/* The offset of the last entry that starts at or before @pc. */
static bool entry_offset(const struct tables *t, u64 pc, size_t *offset)
{
	size_t lo;
	u64 fde;

	if (t->index.nr) {
		if (!eh_table_find(&t->index, pc, &fde) || fde < t->section.addr)
			return false;
		*offset = (size_t)(fde - t->section.addr);
		return true;
	}
	lo = FIRST_BEHIND(t->entries, t->nr, start, pc);
	if (lo)
		*offset = t->entries[lo - 1].offset;
	return lo;
}

/* @pc: address in the object. Return: whether an entry covers it. */
static bool table_rules(const struct tables *t, u64 pc, struct unw_rules *out)
{
	struct cfi_fde f;
	size_t offset;

	if (!entry_offset(t, pc, &offset) || cfi_entry(&t->section, offset, &f) != 1 ||
	    pc < f.start || pc >= f.end)
		return false;
	cfi_rules(&t->section, &f, pc, out);
	return out->valid;
}

/* ---- code ---- */

/* Return the bytes of the file at @at; *@len: how many there are, at most MAX_CODE. */
static const u8 *code_at(const struct unw_object *o, u64 at, size_t *len)
{
	size_t size;
	const u8 *base = elf_image_file(&o->image, &size);

	*len = 0;
	if (!base || at >= size)
		return NULL;
	*len = MIN(size - (size_t)at, (size_t)MAX_CODE);
	return base + at;
}

static const struct elf_section *section_at(const struct unw_object *o, u64 at)
{
	for (u32 i = 1; i < o->image.nr_sections; i++) {
		const struct elf_section *s = &o->image.sections[i];

		if (s->type == SHT_PROGBITS && at >= s->offset && at - s->offset < s->size)
			return s;
	}
	return NULL;
}

/* The start of the code that @at is in: that of a function, or of an entry of a PLT, whose first
 * one is its header. */
static bool start_of(const struct unw_object *o, u64 at, u64 *start)
{
	const struct elf_section *s = section_at(o, at);
	u32 sym;

	if (s && !strncmp(s->name, ".plt", 4)) {
		*start = s->offset + (at - s->offset) / 16 * 16;
		return true;
	}
	sym = symtab_find(o->syms, at);
	if (sym == UINT32_MAX)
		return false;
	*start = symtab_range(o->syms, sym).start;
	return *start <= at;
}

static void add_rule(struct unw_rules *r, u8 reg, s32 offset)
{
	r->rule[r->nr++] = (struct unw_rule){ reg, UNW_AT_CFA, offset, { 0 } };
}

/* A frame pointer points at where that of the caller is saved, below the return address. */
static void frame_pointer_rules(const struct arch_frames *a, struct unw_rules *out)
{
	*out = (struct unw_rules){ .valid = true,
				   .guessed = true,
				   .cfa_reg = a->fp,
				   .cfa_offset = 2 * a->word,
				   .ra = a->ip };
	add_rule(out, a->fp, -2 * a->word);
	add_rule(out, a->ip, -a->word);
}

static bool code_rules(const struct unw_object *o, u64 at, struct unw_rules *out)
{
	struct arch_place p;
	size_t len;
	const u8 *code;
	u64 start;

	if (!o->arch->place || !start_of(o, at, &start) || at - start >= MAX_CODE)
		return false;
	code = code_at(o, start, &len);
	if (!code || at - start > len || !o->arch->place(code, len, (size_t)(at - start), &p))
		return false;
	*out = (struct unw_rules){ .valid = true,
				   .guessed = true,
				   .cfa_reg = p.base,
				   .cfa_offset = p.cfa,
				   .ra = o->arch->ip };
	if (p.ra_saved)
		add_rule(out, o->arch->ip, p.ra);
	if (p.fp_saved)
		add_rule(out, o->arch->fp, p.fp);
	return true;
}

/* ---- signals ---- */

static bool is_sigreturn(const struct unw_object *o, u64 at)
{
	size_t len;
	const u8 *code = o->arch->sigreturn ? code_at(o, at, &len) : NULL;

	return code && len >= o->arch->sigreturn_len &&
	       !memcmp(code, o->arch->sigreturn, o->arch->sigreturn_len);
}

static void sigframe_rules(const struct arch_frames *a, struct unw_rules *out)
{
	*out = (struct unw_rules){
		.valid = true, .signal = true, .cfa_reg = a->sp, .ra = (u8)(a->nr_sigframe - 1)
	};
	for (u8 i = 0; i < a->nr_sigframe; i++)
		add_rule(out, i, a->sigframe[i]);
}

void unw_object_rules(const struct unw_object *o, u64 at, bool call, struct unw_rules *out)
{
	u64 before = at - call, pc = elf_image_vaddr(&o->image, before);
	bool found = table_rules(&o->eh, pc, out) || table_rules(&o->frame, pc, out);

	/* Handlers return to the first instruction of that code, which is behind no call. */
	if ((!found || out->signal || call) && is_sigreturn(o, at))
		sigframe_rules(o->arch, out);
	else if (!found && unw_object_source(o) == UNW_ABSENT)
		*out = (struct unw_rules){ .guessed = true };
	else if (!found && !code_rules(o, before, out))
		frame_pointer_rules(o->arch, out);
}
