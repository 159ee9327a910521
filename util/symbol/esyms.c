// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of an object over its symbol section. What is kept of each symbol is where it starts,
 * how long it is and its number in there; names stay in the file, which is mapped, until somebody
 * asks for one: of the hundreds of thousands that a compiler's libraries have, few are.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "symbol/index-internal.h"

#include <sys/mman.h>

#define KEEP_FROM 2000 /* symbols: a table of fewer is made about as fast as a file is read */

struct sym_text {
	size_t len;
	char s[];
};

struct esyms {
	struct starts starts;
	u32 *refs; /* by symbol */
	struct reaches reaches;
	struct esyms_stub *stubs;
	u32 nr_stubs;
	size_t cap_stubs;
	struct objcache_file kept; /* where these arrays lie; no data: they are owned */
	_Atomic(struct sym_text *) *stub_texts; /* owned, as the texts: "name@plt"; NULL: not asked
						   for yet */
	struct elf_image object, debug;         /* owned */
	const struct elf_image *syms;           /* the one of them with the symbols */
	const struct elf_image *layout;         /* and the one that tells file addresses */
	struct elf_symtab t, dyn;
};

/* ---- one symbol ---- */

static struct sym_text *stub_text(const struct esyms *e, u32 stub)
{
	_Atomic(struct sym_text *) *at = &e->stub_texts[stub];
	struct sym_text *text = atomic_load_explicit(at, memory_order_acquire), *seen = NULL;
	const char *name;
	size_t len;

	if (text)
		return text;
	name = elf_plt_name(&e->dyn, e->stubs[stub].sym, &len);
	text = xmalloc(sizeof(*text) + len + 5);
	text->len = len + 4;
	memcpy(text->s, name ? name : "", len);
	memcpy(text->s + len, "@plt", 5);
	if (atomic_compare_exchange_strong(at, &seen, text))
		return text;
	free(text);
	return seen;
}

static const struct elf_symtab *table_of(const struct esyms *e, u32 ref)
{
	return ref & ESYM_DYN ? &e->dyn : &e->t;
}

/* Fill in a symbol, without its name. */
static void symbol_at(const struct esyms *e, u32 ref, struct sym_new *out)
{
	struct elf_sym s;

	if (ref & ESYM_STUB) {
		const struct esyms_stub *p = &e->stubs[ESYM_NUMBER(ref)];

		*out = (struct sym_new){
			.start = p->addr, .end = p->addr + p->size, .binding = 'g', .type = STT_FUNC
		};
		return;
	}
	elf_symtab_entry(table_of(e, ref), ESYM_NUMBER(ref), &s);
	elf_symbol_place(ref & ESYM_DYN ? &e->object : e->syms, e->layout, &s, out);
}

static void symbol_text(const struct esyms *e, u32 ref, struct sym_new *out)
{
	const struct sym_text *text;
	struct elf_sym s;

	if (ref & ESYM_STUB) {
		text = stub_text(e, ESYM_NUMBER(ref));
		out->name = text->s;
		out->len = (u32)text->len;
		return;
	}
	elf_symtab_get(table_of(e, ref), ESYM_NUMBER(ref), &s);
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

	return start_of(e, idx) + e->starts.at[idx].own;
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

	symbol_at(e, e->refs[idx], &s);
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

	symbol_text(e, e->refs[idx], &s);
	return s.name;
}

void esyms_free(struct esyms *e)
{
	if (!e)
		return;
	for (u32 i = 0; e->stub_texts && i < e->nr_stubs; i++)
		free(atomic_load(&e->stub_texts[i]));
	free(e->stub_texts);
	if (!e->kept.data) {
		free(e->stubs);
		starts_release(&e->starts);
		free(e->refs);
		free(e->reaches.v);
	}
	objcache_file_release(&e->kept);
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

/* Add the symbols of one section. @kind: ESYM_DYN for .dynsym, or else 0 */
static void build_symbols(struct build *b, const struct elf_image *of, u32 kind)
{
	struct esyms *e = b->e;
	const struct elf_symtab *t = table_of(e, kind);

	b->far |= t->nr > ESYM_NUMBER(~0U);
	for (size_t i = 1; i < t->nr && !b->far; i++) {
		struct sym_new s;

		elf_symtab_ask(t, i + AHEAD);
		if (!elf_symbol(of, e->layout, t, i, &s))
			continue;
		b->mangled = b->mangled || sym_text_is_mangled(s.name);
		build_add(b, s.start, s.end - s.start, s.room, kind | (u32)i);
	}
}

static void build_stub(void *ctx, u64 addr, u64 size, u32 sym)
{
	struct build *b = ctx;
	struct esyms *e = b->e;

	b->far |= e->nr_stubs > ESYM_NUMBER(~0U);
	VEC_GROW(e->stubs, e->nr_stubs + 1U, e->cap_stubs);
	e->stubs[e->nr_stubs] = (struct esyms_stub){ addr, (u32)size, sym };
	build_add(b, addr, size, 0, ESYM_STUB | e->nr_stubs++);
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
	e->refs = xmalloc(nr * sizeof(*e->refs));
	for (u32 k = 0; k < nr; k++) {
		u64 size = build_end(b, k) - b->v[k].start; /* of one without, up to the next */

		s->at[k] = (struct sym_at){ b->v[k].start - (u32)s->base,
					    (u32)MIN(size, (u64)UINT32_MAX) };
		e->refs[k] = b->v[k].ref;
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

/* ---- a table that is kept ---- */

static struct esyms_files describe_files(const struct esyms *e, bool demangle)
{
	return (struct esyms_files){
		.syms = e->t.nr,
		.strs = e->t.strs_len,
		.hash = elf_image_has_symtab(e->syms) ? elf_symtab_hash(&e->t) : 0,
		.dyn_syms = e->dyn.nr,
		.dyn_strs = e->dyn.strs_len,
		.demangle = demangle,
		.mini = e->debug.mini,
	};
}

/* Take the table that an earlier run has kept. Return: whether there is one. */
static bool take_kept(struct build *b, const struct esyms_files *files,
		      const struct esyms_keep *keep)
{
	struct esyms *e = b->e;
	struct esyms_index x;

	if (!objcache_get(keep->cache, &keep->key, &e->kept))
		return false;
	if (!esyms_index_read(&x, e->kept.data, e->kept.len, files)) {
		objcache_file_release(&e->kept);
		return false;
	}
	e->starts = x.starts;
	e->refs = x.refs;
	e->reaches = x.reaches;
	e->stubs = x.stubs;
	e->nr_stubs = x.nr_stubs;
	e->stub_texts = xcalloc(e->nr_stubs + 1U, sizeof(*e->stub_texts));
	b->mangled = x.mangled;
	return true;
}

static void keep_table(const struct build *b, const struct esyms_files *files,
		       const struct esyms_keep *keep)
{
	const struct esyms *e = b->e;
	struct strbuf out = STRBUF_INIT;

	esyms_index_write(&(struct esyms_index){ .files = *files,
						 .starts = e->starts,
						 .refs = e->refs,
						 .reaches = e->reaches,
						 .stubs = e->stubs,
						 .nr_stubs = e->nr_stubs,
						 .mangled = b->mangled },
			  &out);
	objcache_put(keep->cache, &keep->key, out.buf, out.len);
	strbuf_release(&out);
}

/* ---- all of it ---- */

/* Find the sections that symbols are in. Return: false when they are damaged. */
static bool find_sections(struct esyms *e)
{
	bool dyn;

	if (!elf_image_symbols_in(e->syms, &e->t))
		e->t = (struct elf_symtab){ 0 };
	dyn = e->debug.mini ? elf_image_dynsym(&e->object, &e->dyn)
			    : elf_image_symtab(&e->object, SHT_DYNSYM, &e->dyn);
	if (!dyn)
		e->dyn = (struct elf_symtab){ 0 };
	return elf_names_end(&e->t) && (!e->debug.mini || elf_names_end(&e->dyn));
}

/* Make the table of the sections that were found. Return: false when that is not possible. */
static bool build_table(struct build *b, bool demangle)
{
	struct esyms *e = b->e;

	if (e->t.nr)
		build_symbols(b, e->syms, 0);
	if (e->debug.mini && e->dyn.nr)
		build_symbols(b, &e->object, ESYM_DYN);
	elf_image_plt_each(&e->object, &e->dyn, build_stub, b);
	if (!b->nr || b->far)
		return false;
	e->stub_texts = xcalloc(e->nr_stubs + 1U, sizeof(*e->stub_texts));
	build_finish(b, demangle);
	return true;
}

/* Take the table from the cache, or make it. Return: false when that is not possible. */
static bool get_table(struct build *b, bool demangle, const struct esyms_keep *keep)
{
	struct esyms *e = b->e;
	struct esyms_files files;

	if (!find_sections(e))
		return false;
	if (!keep || e->t.nr + (e->debug.mini ? e->dyn.nr : 0) < KEEP_FROM ||
	    !objcache_wants(keep->cache, &keep->key))
		return build_table(b, demangle);
	files = describe_files(e, demangle);
	if (take_kept(b, &files, keep))
		return true;
	if (!build_table(b, demangle))
		return false;
	keep_table(b, &files, keep);
	return true;
}

bool esyms_table(struct symtab *t, struct elf_image *object, struct elf_image *debug, bool demangle,
		 const struct esyms_keep *keep)
{
	struct esyms *e = xzalloc(sizeof(*e));
	struct build b = { .e = e };
	bool made;

	take_images(e, object, debug);
	made = get_table(&b, demangle, keep);
	free(b.v);
	if (!made) {
		give_back(e, object, debug);
		esyms_free(e);
		return false;
	}
	forget_pages(&e->object);
	forget_pages(&e->debug);
	t->esyms = e;
	t->nr = e->starts.nr;
	t->demangles = demangle;
	if (b.mangled && demangle)
		sparse_init(&t->names, t->nr);
	return true;
}
