// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"

#include "datatype/datatype-internal.h"

#include "arch/insn.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "wire/event.h"

#define MOST_CODE ((size_t)1 << 20) /* the most bytes of a function that are looked at */

/* The accesses of a function, by address. */
struct function_accesses {
	struct access_result *v; /* owned */
	size_t nr;
};

struct object {
	bool tried;
	struct debuginfo *info; /* owned; NULL: none */
	struct frames *frames;  /* owned; NULL: none */
	struct relocs *relocs;  /* owned; NULL: none */
	struct map64 functions; /* number of a symbol -> index of its accesses */
};

struct datatypes {
	const struct arch *arch;
	struct code_files *files;
	/* Disassemblers, for programs of 32 and of 64 bits: for operands, and for text. */
	struct disassembler {
		struct disasm *d; /* owned; NULL: none */
		bool tried;
	} operands[ARCH_CODE_NR][2], texts[ARCH_CODE_NR][2];
	struct object *objects; /* by dso id */
	size_t nr;
	struct function_accesses *functions;
	size_t nr_functions, cap_functions;
};

struct datatypes *datatypes_new(const struct arch *arch)
{
	struct datatypes *d = xzalloc(sizeof(*d));

	d->arch = arch;
	d->files = code_files_new();
	return d;
}

void datatypes_free(struct datatypes *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr; i++) {
		debuginfo_close(d->objects[i].info);
		frames_close(d->objects[i].frames);
		relocs_close(d->objects[i].relocs);
		map64_release(&d->objects[i].functions);
	}
	for (size_t i = 0; i < d->nr_functions; i++)
		free(d->functions[i].v);
	for (int code = 0; code < ARCH_CODE_NR; code++)
		for (int wide = 0; wide < 2; wide++) {
			disasm_close(d->operands[code][wide].d);
			disasm_close(d->texts[code][wide].d);
		}
	code_files_free(d->files);
	free(d->functions);
	free(d->objects);
	free(d);
}

static struct object *object_of(struct datatypes *d, const struct location *l)
{
	size_t old = d->nr;
	struct object *o;

	if (l->dso->id >= d->nr) {
		d->nr = MAX((size_t)l->dso->id + 1, old * 2);
		d->objects = xrealloc(d->objects, d->nr, sizeof(*d->objects));
		memset(d->objects + old, 0, (d->nr - old) * sizeof(*d->objects));
	}
	o = &d->objects[l->dso->id];
	if (!o->tried && symtab_file(l->symtab))
		o->info = debuginfo_open(symtab_file(l->symtab));
	if (!o->tried && symtab_object(l->symtab)) {
		o->frames = frames_open(symtab_object(l->symtab));
		o->relocs = relocs_open(symtab_object(l->symtab));
	}
	o->tried = true;
	return o;
}

static struct disasm *disasm_of(struct disassembler *of, const struct arch *arch, bool wide,
				struct disasm *(*open)(const struct arch *arch, bool wide))
{
	if (!of->tried)
		of->d = open(arch, wide);
	of->tried = true;
	return of->d;
}

/* Find the types of all accesses of a function whose code was decoded. */
static void find_accesses(const struct code *c, struct function_accesses *f)
{
	f->v = xcalloc(c->nr + 1, sizeof(*f->v));
	for (size_t k = 0; k < c->nr_blocks; k++) {
		const struct code_block *b = &c->blocks[k];
		struct state s = b->in;

		for (u32 i = b->first; i < b->first + b->nr; i++) {
			state_enter(c, i, &s);
			access_find(&(struct place_in_code){ c, i, &s }, &f->v[i]);
			f->v[i].at = (u32)(c->insns[i].addr - c->start);
			state_leave(c, i, &s);
		}
	}
	f->nr = c->nr;
}

/* An image gives the data of an object that its code reads. */
struct image {
	struct datatypes *d;
	const struct location *l;
};

static size_t read_image(void *ctx, u64 addr, void *buf, size_t size)
{
	const struct image *m = ctx;
	u64 at = code_place(m->d->files, m->l->dso, m->l->symtab, addr);

	return code_read(m->d->files, m->l->dso, m->l->symtab, at, buf, size, NULL);
}

/* Look at the function that is the symbol of a location. */
static void look_at(struct datatypes *d, const struct location *l, const struct object *o,
		    struct function_accesses *f)
{
	struct sym_range range = symtab_range(l->symtab, l->sym);
	size_t size = (size_t)MIN(range.end - range.start, (u64)MOST_CODE);
	const struct arch *arch = code_arch(d->files, l->dso, l->symtab, d->arch);
	u8 *bytes = xmalloc(size + 1);
	struct disasm *disasm;
	bool wide = true;
	struct code c = {
		.read = read_image,
		.read_ctx = &(struct image){ d, l },
		.info = o->info,
		.frames = o->frames,
		.relocs = o->relocs,
		.arch = arch->code,
		.kernel = l->cpumode == PERF_RECORD_MISC_KERNEL,
		.start = code_virtual(d->files, l->dso, l->symtab, range.start),
	};

	size = code_read(d->files, l->dso, l->symtab, range.start, bytes, size, &wide);
	disasm = size ? disasm_of(&d->operands[arch->code][wide], arch, wide, disasm_open_operands)
		      : NULL;
	c.wide = wide;
	c.abi = wide ? arch->frames : arch->narrow_frames;
	if (disasm && c.abi) {
		c.debug = o->info ? debug_function_at(o->info, c.start) : NULL;
		code_decode(&c, disasm, bytes, size);
		code_follow(&c);
		find_accesses(&c, f);
		code_release(&c);
	}
	free(bytes);
}

static const struct function_accesses *function_of(struct datatypes *d, const struct location *l,
						   const struct object *o)
{
	u32 *slot = map64_slot(&d->objects[l->dso->id].functions, l->sym);

	if (*slot == MAP64_NONE) {
		*slot = (u32)d->nr_functions;
		VEC_GROW(d->functions, d->nr_functions + 1, d->cap_functions);
		d->functions[d->nr_functions] = (struct function_accesses){ 0 };
		look_at(d, l, o, &d->functions[d->nr_functions++]);
	}
	return &d->functions[*slot];
}

static const struct access_result *access_at(const struct function_accesses *f, u64 at)
{
	size_t lo = FIRST_FROM(f->v, f->nr, at, at);

	return lo < f->nr && f->v[lo].at == at ? &f->v[lo] : NULL;
}

bool datatype_at(struct datatypes *d, const struct location *l, struct datatype *out)
{
	const struct access_result *a;
	const struct object *o;

	*out = (struct datatype){ .result = DATATYPE_NO_SYM };
	if (!l->dso || !l->symtab || l->sym == UINT32_MAX)
		return false;
	o = object_of(d, l);
	a = access_at(function_of(d, l, o), l->addr - symtab_range(l->symtab, l->sym).start);
	out->result = DATATYPE_NO_INSN;
	if (!a)
		return false;
	*out = (struct datatype){ a->result, o->info, a->type, a->offset };
	return out->result < DATATYPE_NO_SYM;
}

bool datatype_insn(struct datatypes *d, const struct location *l, struct strbuf *out)
{
	const struct arch *arch = code_arch(d->files, l->dso, l->symtab, d->arch);
	struct strbuf text = STRBUF_INIT;
	struct disasm *disasm;
	u8 bytes[INSN_MAX];
	bool wide = true;
	size_t size;

	size = code_read(d->files, l->dso, l->symtab, l->addr, bytes, sizeof(bytes), &wide);
	disasm = disasm_of(&d->texts[arch->code][wide], arch, wide, disasm_open);
	if (size && disasm && disasm_text(disasm, bytes, size, 0, &text))
		strbuf_add(out, text.buf, strcspn(text.buf, " "));
	size = text.len;
	strbuf_release(&text);
	return size > 0;
}

/* ---- text ---- */

void datatype_text(const struct datatype *t, struct strbuf *out)
{
	if (t->result == DATATYPE_FOUND)
		type_text(t->info, t->type, out);
	else if (t->result == DATATYPE_STACK)
		strbuf_addstr(out, "(stack operation)");
	else if (t->result == DATATYPE_CANARY)
		strbuf_addstr(out, "(stack canary)");
	else
		strbuf_addstr(out, "(unknown)");
}

void datatype_offset_text(const struct datatype *t, struct strbuf *out)
{
	datatype_text(t, out);
	strbuf_addf(out, t->offset ? " +%#" PRIx64 " (" : " +%" PRIx64 " (", t->offset);
	if (t->result != DATATYPE_FOUND || !type_path(t->info, t->type, t->offset, out))
		strbuf_addstr(out, "no field");
	strbuf_addch(out, ')');
}

void datatype_note(const struct datatype *t, struct strbuf *out)
{
	if (t->result == DATATYPE_FOUND && type_composite(type_get(t->info, t->type)))
		datatype_offset_text(t, out);
	else
		datatype_text(t, out);
}

void datatype_line_text(const struct datatype *t, u32 line, struct strbuf *out)
{
	datatype_text(t, out);
	strbuf_addf(out, ": cache-line %" PRIu64, t->offset / line);
}

const char *datatype_reason(enum datatype_result result)
{
	static const char *const words[NR_DATATYPE_RESULTS] = {
		[DATATYPE_NO_SYM] = "no_sym",
		[DATATYPE_NO_INSN] = "no_insn",
		[DATATYPE_NO_MEM_OPS] = "no_mem_ops",
		[DATATYPE_NO_DBGINFO] = "no_dbginfo",
		[DATATYPE_NO_CUINFO] = "no_cuinfo",
		[DATATYPE_NO_REG] = "no_reg",
		[DATATYPE_NO_VAR] = "no_var",
		[DATATYPE_NO_TYPEINFO] = "no_typeinfo",
		[DATATYPE_INVALID_SIZE] = "invalid_size",
		[DATATYPE_BAD_OFFSET] = "bad_offset",
	};

	return words[result] ?: "ok";
}
