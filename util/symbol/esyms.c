// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of an object over its symbol section. What is kept of each symbol is where it starts,
 * how long it is and its number in there; names stay in the file, which is mapped, until somebody
 * asks for one: of the hundreds of thousands that a compiler's libraries have, few are.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#include <sys/mman.h>

/* A reference: entry of the PLT, symbol of .dynsym beside the section, or else symbol of the
 * section, and its number. */
#define PLT (1U << 31)
#define DYN (1U << 30)
#define NUMBER(ref) ((ref) & ~(PLT | DYN))

/* The stub of a function elsewhere. */
struct plt_entry {
	u64 addr;
	u32 size, sym;                   /* sym: in .dynsym */
	_Atomic(struct sym_text *) text; /* "name@plt", owned; NULL: not asked for yet */
};

struct sym_text {
	size_t len;
	char s[];
};

struct esyms {
	struct starts starts;
	u32 *sizes; /* owned; by symbol: of one without a size, up to the next */
	struct reaches reaches;
	struct elf_image object, debug; /* owned */
	const struct elf_image *syms;   /* the one of them with the symbols */
	const struct elf_image *layout; /* and the one that tells file addresses */
	struct elf_symtab t, dyn;
	struct plt_entry *plt; /* owned */
	size_t nr_plt, cap_plt;
};

/* ---- one symbol ---- */

static struct sym_text *plt_text(struct esyms *e, struct plt_entry *p)
{
	struct sym_text *text = atomic_load_explicit(&p->text, memory_order_acquire), *seen = NULL;
	const char *name;
	size_t len;

	if (text)
		return text;
	name = elf_plt_name(&e->dyn, p->sym, &len);
	text = xmalloc(sizeof(*text) + len + 5);
	text->len = len + 4;
	memcpy(text->s, name ? name : "", len);
	memcpy(text->s + len, "@plt", 5);
	if (atomic_compare_exchange_strong(&p->text, &seen, text))
		return text;
	free(text);
	return seen;
}

static const struct elf_symtab *table_of(const struct esyms *e, u32 ref)
{
	return ref & DYN ? &e->dyn : &e->t;
}

/* Fill in a symbol, without its name. */
static void symbol_at(const struct esyms *e, u32 ref, struct sym_new *out)
{
	struct elf_sym s;

	if (ref & PLT) {
		const struct plt_entry *p = &e->plt[NUMBER(ref)];

		*out = (struct sym_new){
			.start = p->addr, .end = p->addr + p->size, .binding = 'g', .type = STT_FUNC
		};
		return;
	}
	elf_symtab_entry(table_of(e, ref), NUMBER(ref), &s);
	elf_symbol_place(ref & DYN ? &e->object : e->syms, e->layout, &s, out);
}

static void symbol_text(struct esyms *e, u32 ref, struct sym_new *out)
{
	const struct sym_text *text;
	struct elf_sym s;

	if (ref & PLT) {
		text = plt_text(e, &e->plt[NUMBER(ref)]);
		out->name = text->s;
		out->len = (u32)text->len;
		return;
	}
	elf_symtab_get(table_of(e, ref), NUMBER(ref), &s);
	out->name = s.name ? s.name : ""; /* the file was written over meanwhile */
	out->len = (u32)s.name_len;
}

/* ---- looking for one ---- */

static u64 start_of(const void *table, u32 idx)
{
	const struct esyms *e = table;

	return e->starts.base + e->starts.at[idx].start;
}

static u64 end_of(const void *table, u32 idx)
{
	const struct esyms *e = table;

	return start_of(e, idx) + e->sizes[idx];
}

u32 esyms_find(const struct esyms *e, u64 addr)
{
	u32 idx = starts_find(&e->starts, addr);

	if (idx == UINT32_MAX || addr < end_of(e, idx))
		return idx;
	return reaches_find(&e->reaches, idx, addr, end_of, e);
}

const struct starts *esyms_starts(const struct esyms *e)
{
	return &e->starts;
}

struct symbol esyms_get(const struct esyms *e, u32 idx)
{
	struct sym_new s;

	symbol_at(e, e->starts.at[idx].ref, &s);
	return (struct symbol){ .start = start_of(e, idx),
				.end = end_of(e, idx),
				.binding = s.binding,
				.type = s.type };
}

struct sym_range esyms_range(const struct esyms *e, u32 idx)
{
	return (struct sym_range){ start_of(e, idx), end_of(e, idx) };
}

const char *esyms_name(struct esyms *e, u32 idx)
{
	struct sym_new s = { 0 };

	symbol_text(e, e->starts.at[idx].ref, &s);
	return s.name;
}

void esyms_free(struct esyms *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->nr_plt; i++)
		free(atomic_load(&e->plt[i].text));
	free(e->plt);
	starts_release(&e->starts);
	free(e->sizes);
	free(e->reaches.v);
	elf_image_release(&e->object);
	elf_image_release(&e->debug);
	free(e);
}

/* ---- making the table ---- */

/* A symbol by its file address. */
struct placed {
	u32 start, ref;
	u32 size, room; /* room: as in struct sym_new */
};

struct build {
	struct esyms *e;
	struct placed *v; /* owned */
	size_t nr, cap;
	bool far, mangled; /* far: an address is more than the table can hold */
};

static void build_add(struct build *b, u64 start, u64 size, u32 room, u32 ref)
{
	b->far |= start > UINT32_MAX || size > UINT32_MAX;
	VEC_GROW(b->v, b->nr + 1, b->cap);
	b->v[b->nr++] = (struct placed){ (u32)start, ref, (u32)size, room };
}

#define AHEAD 16 /* symbols: their names stand in the file in another order */

/* Add the symbols of one section. @kind: DYN for .dynsym, or else 0 */
static void build_symbols(struct build *b, const struct elf_image *of, u32 kind)
{
	struct esyms *e = b->e;
	const struct elf_symtab *t = table_of(e, kind);

	b->far |= t->nr > NUMBER(~0U);
	for (size_t i = 1; i < t->nr && !b->far; i++) {
		struct sym_new s;

		elf_symtab_ask(t, i + AHEAD);
		if (!elf_symbol(of, e->layout, t, i, &s))
			continue;
		b->mangled = b->mangled || sym_text_is_mangled(s.name);
		build_add(b, s.start, s.end - s.start, s.room, kind | (u32)i);
	}
}

static void build_plt(void *ctx, u64 addr, u64 size, u32 sym)
{
	struct build *b = ctx;
	struct esyms *e = b->e;

	b->far |= e->nr_plt > NUMBER(~0U);
	VEC_GROW(e->plt, e->nr_plt + 1, e->cap_plt);
	e->plt[e->nr_plt] = (struct plt_entry){ .addr = addr, .size = (u32)size, .sym = sym };
	build_add(b, addr, size, 0, PLT | (u32)e->nr_plt++);
}

#define DIGIT 11 /* bits that are sorted by at once */
#define DIGITS ((32 + DIGIT - 1) / DIGIT)

/* Sort by start. Symbols with one start stay in the order they came in, that of their
 * references. */
static void sort_placed(struct build *b)
{
	u32 at[DIGITS][1 << DIGIT] = { { 0 } }, mask = (1 << DIGIT) - 1;
	struct placed *to = xmalloc(b->nr * sizeof(*to));

	for (size_t i = 0; i < b->nr; i++)
		for (u32 d = 0; d < DIGITS; d++)
			at[d][b->v[i].start >> d * DIGIT & mask]++;
	for (u32 d = 0; d < DIGITS; d++) {
		u32 sum = 0;

		for (u32 k = 0; k <= mask; k++) {
			u32 nr = at[d][k];

			at[d][k] = sum;
			sum += nr;
		}
		for (size_t i = 0; i < b->nr; i++)
			to[at[d][b->v[i].start >> d * DIGIT & mask]++] = b->v[i];
		SWAP(b->v, to);
	}
	free(to);
}

/* One without a size ends where the next one starts. */
static u64 build_end(const struct build *b, size_t idx)
{
	const struct placed *p = &b->v[idx];

	if (p->size)
		return (u64)p->start + p->size;
	return sym_room_end(p->start, idx + 1 < b->nr ? p[1].start : sym_last_end(p->start),
			    p->room);
}

/* The symbol at @i of those that are sorted, as it is compared: of several without a size at one
 * address only the last one has an end. */
static struct sym_new candidate(const struct build *b, size_t i)
{
	struct sym_new s;

	symbol_at(b->e, b->v[i].ref, &s);
	symbol_text(b->e, b->v[i].ref, &s);
	s.end = build_end(b, i);
	return s;
}

/* Return the best of the symbols at one address, the first of which is @i. *@next: the one behind
 * the last of them */
static size_t best_of(const struct build *b, size_t i, size_t *next, bool demangle)
{
	struct sym_new best, s;
	size_t k = i + 1, ret = i;

	if (k < b->nr && b->v[k].start == b->v[i].start)
		best = candidate(b, i);
	for (; k < b->nr && b->v[k].start == b->v[i].start; k++) {
		s = candidate(b, k);
		if (!sym_second_better(&best, &s, demangle))
			continue;
		best = s;
		ret = k;
	}
	*next = k;
	return ret;
}

static void build_finish(struct build *b, bool demangle)
{
	struct esyms *e = b->e;
	struct starts *s = &e->starts;
	size_t i, next;
	u32 nr = 0;

	sort_placed(b);
	for (i = 0; i < b->nr; i = next) {
		struct placed best = b->v[best_of(b, i, &next, demangle)];

		b->v[nr++] = best;
	}
	b->nr = nr;
	s->nr = nr;
	s->base = b->v[0].start;
	s->at = xmalloc(nr * sizeof(*s->at));
	e->sizes = xmalloc(nr * sizeof(*e->sizes));
	for (u32 k = 0; k < nr; k++) {
		s->at[k] = (struct sym_at){ b->v[k].start - (u32)s->base, b->v[k].ref };
		e->sizes[k] = (u32)MIN(build_end(b, k) - b->v[k].start, (u64)UINT32_MAX);
	}
	starts_done(s);
	reaches_make(&e->reaches, nr, start_of, end_of, e);
}

/* Let go of the file's pages. No pointers into them are kept, and later reads get them from the
 * file again. */
static void forget_pages(const struct elf_image *e)
{
	if (e->map && !e->mini)
		(void)madvise(e->map, e->size, MADV_DONTNEED);
}

static void take_images(struct esyms *e, struct elf_image *object, struct elf_image *debug)
{
	e->object = *object;
	e->debug = *debug;
	e->syms = debug->elf ? &e->debug : &e->object;
	e->layout = object->elf ? &e->object : &e->debug;
	*object = *debug = (struct elf_image){ 0 };
}

static void give_back(struct esyms *e, struct elf_image *object, struct elf_image *debug)
{
	*object = e->object;
	*debug = e->debug;
	e->object = e->debug = (struct elf_image){ 0 };
}

bool esyms_table(struct symtab *t, struct elf_image *object, struct elf_image *debug, bool demangle)
{
	struct esyms *e = xzalloc(sizeof(*e));
	struct build b = { .e = e };

	take_images(e, object, debug);
	if (elf_image_symbols_in(e->syms, &e->t) && elf_names_end(&e->t))
		build_symbols(&b, e->syms, 0);
	if (e->debug.mini && elf_image_dynsym(&e->object, &e->dyn) && elf_names_end(&e->dyn))
		build_symbols(&b, &e->object, DYN);
	elf_image_plt_each(&e->object, &e->dyn, build_plt, &b);
	if (!b.nr || b.far || !elf_names_end(&e->t) || (e->debug.mini && !elf_names_end(&e->dyn))) {
		give_back(e, object, debug);
		esyms_free(e);
		free(b.v);
		return false;
	}
	build_finish(&b, demangle);
	free(b.v);
	forget_pages(&e->object);
	forget_pages(&e->debug);
	t->esyms = e;
	t->nr = e->starts.nr;
	t->demangles = demangle;
	if (b.mangled && demangle)
		sparse_init(&t->names, t->nr);
	return true;
}
