// SPDX-License-Identifier: GPL-2.0-or-later
/* Finish tables, and tell which symbol an address belongs to, and how it is printed. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

void sym_list_add(struct sym_list *l, u64 start, u64 end, const char *name, size_t len, u8 binding,
		  u8 type)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr] = (struct sym_new){
		.start = start,
		.end = end,
		.name = name,
		.len = (u32)MIN(len, UINT32_MAX),
		.seq = (u32)l->nr,
		.binding = binding,
		.type = type,
	};
	l->nr++;
}

static int cmp_sym(const void *a, const void *b)
{
	const struct sym_new *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool is_sorted(const struct sym_new *v, size_t nr)
{
	size_t i;

	for (i = 1; i < nr; i++) {
		if (v[i].start < v[i - 1].start)
			return false;
	}
	return true;
}

bool sym_is_mangled(const char *name, size_t len)
{
	if (len > 2 && name[0] == 'L')
		return memchr(name, ';', len);
	if (name[0] == 'c')
		return sym_is_ocaml(name, len);
	return len > 2 && name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

bool sym_text_is_mangled(const char *name)
{
	return sym_is_mangled(name, name[0] == 'L' ? strlen(name) : strnlen(name, SYM_OCAML_HEAD));
}

/* Two mangled names that are printed the same: the variants of one constructor or destructor. */
static bool ctor_variants(const struct sym_new *a, const struct sym_new *b)
{
	u32 i, differ = 0;

	if (a->len != b->len)
		return false;
	for (i = 1; i < a->len; i++) {
		if (a->name[i] == b->name[i])
			continue;
		if (differ++ || a->name[i] < '0' || a->name[i] > '4' || b->name[i] < '0' ||
		    b->name[i] > '4' || (a->name[i - 1] != 'C' && a->name[i - 1] != 'D'))
			return false;
	}
	return true;
}

static size_t underscores(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] == '_')
		n++;
	return n;
}

/* Tell whether the second name is better: with fewer underscores in front, or else longer. */
static bool second_text_better(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t m = underscores(a, a_len), n = underscores(b, b_len);

	return m != n ? n < m : b_len > a_len;
}

static bool surely_plain(const struct sym_new *s)
{
	return !s->len || (s->name[0] != '_' && s->name[0] != 'L' && s->name[0] != 'c');
}

/* Tell whether the second symbol's name, as it is printed, is better. */
static bool second_name_better(const struct sym_new *a, const struct sym_new *b, bool demangle)
{
	char *x, *y, *p, *q;
	bool better;

	if (!demangle || (surely_plain(a) && surely_plain(b)))
		return second_text_better(a->name, strnlen(a->name, a->len), b->name,
					  strnlen(b->name, b->len));
	if (sym_is_mangled(a->name, a->len) && sym_is_mangled(b->name, b->len) &&
	    ctor_variants(a, b))
		return false;
	p = xstrndup(a->name, a->len);
	q = xstrndup(b->name, b->len);
	x = symbol_demangle(p);
	y = symbol_demangle(q);
	better = second_text_better(x ? x : p, strlen(x ? x : p), y ? y : q, strlen(y ? y : q));
	free(x);
	free(y);
	free(p);
	free(q);
	return better;
}

bool sym_second_better(const struct sym_new *a, const struct sym_new *b, bool demangle)
{
	bool x, y;

	x = a->end > a->start;
	y = b->end > b->start;
	if (x != y)
		return y;
	x = a->binding == 'w';
	y = b->binding == 'w';
	if (x != y)
		return x;
	x = a->binding == 'g';
	y = b->binding == 'g';
	if (x != y)
		return y;
	return second_name_better(a, b, demangle);
}

static size_t drop_duplicates(struct sym_new *v, size_t nr, enum sym_flavour flavour, bool demangle)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++) {
		if (kept && v[kept - 1].start == v[i].start) {
			/* A JIT writes a line anew when it puts other code in the same place. */
			if (flavour == SYMS_PERF_MAP ||
			    sym_second_better(&v[kept - 1], &v[i], demangle))
				v[kept - 1] = v[i];
		} else {
			v[kept++] = v[i];
		}
	}
	return kept;
}

u64 sym_last_end(u64 start)
{
	u64 end = ((start + 4095) & ~4095ULL) + 4096;

	return end < start ? UINT64_MAX : end;
}

u64 sym_room_end(u64 start, u64 end, u32 room)
{
	return room && end - start > room ? start + room : end;
}

u64 ksym_end(u64 start, u64 next, bool border)
{
	return border ? MIN(ALIGN_UP(start + 4096, 4096), next) : next;
}

/*
 * A symbol without a size ends where the next one starts; between kernel and modules, at the end of
 * the next page. Of several sizeless ones at one address the last one gets the size. A JIT means
 * what it says: its sizeless symbols name one address. Where functions without a symbol may follow,
 * it ends at the first of them.
 */
static void fix_ends(struct sym_new *v, size_t nr, enum sym_flavour flavour)
{
	size_t i;

	for (i = 0; flavour == SYMS_PERF_MAP && i < nr; i++)
		v[i].end = MAX(v[i].end, v[i].start + 1);
	for (i = 0; i < nr; i++) {
		if (v[i].end > v[i].start)
			continue;
		if (i + 1 < nr)
			v[i].end =
				ksym_end(v[i].start, v[i + 1].start,
					 flavour == SYMS_KALLSYMS && v[i].extra != v[i + 1].extra);
		else
			v[i].end = sym_last_end(v[i].start);
		v[i].end = sym_room_end(v[i].start, v[i].end, v[i].room);
	}
}

/* Module symbols are in the kernel's list only to end its last symbol. */
static size_t drop_modules(struct sym_new *v, size_t nr)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++) {
		if (!v[i].extra)
			v[kept++] = v[i];
	}
	return kept;
}

static u64 start_of(const void *table, u32 idx)
{
	return ((const struct symtab *)table)->syms[idx].start;
}

static u64 end_of(const void *table, u32 idx)
{
	return ((const struct symtab *)table)->syms[idx].end;
}

#define BUCKETS_FROM 64 /* symbols */

/*
 * A search that halves a table of a hundred thousand symbols misses the caches half a dozen times.
 * Buckets of equal width, about as many as there are symbols, leave two: in flat profiles of large
 * programs that was a tenth of all the time a report takes.
 */
static void make_buckets(struct symtab *t)
{
	u64 first, width;
	u32 nr, i, b = 0;

	if (t->nr < BUCKETS_FROM)
		return;
	first = t->syms[0].start;
	width = t->syms[t->nr - 1].start - first;
	for (t->shift = 0; width >> t->shift >= t->nr;)
		t->shift++;
	nr = (u32)(width >> t->shift) + 1;
	t->buckets = xmalloc(((size_t)nr + 1) * sizeof(*t->buckets));
	for (i = 0; i < t->nr; i++)
		while (b <= (t->syms[i].start - first) >> t->shift)
			t->buckets[b++] = i;
	t->buckets[nr] = t->nr;
}

void symtab_finish(struct symtab *t, struct sym_list *l, enum sym_flavour flavour, bool demangle)
{
	size_t i, nr, bytes = 0, at = 0;
	bool mangled = false;

	t->demangles = demangle;
	if (!is_sorted(l->v, l->nr)) /* kallsyms is */
		qsort(l->v, l->nr, sizeof(*l->v), cmp_sym);
	fix_ends(l->v, l->nr, flavour);
	if (flavour == SYMS_KALLSYMS)
		l->nr = drop_modules(l->v, l->nr);
	nr = drop_duplicates(l->v, l->nr, flavour, demangle);
	for (i = 0; i < nr; i++)
		bytes += (size_t)l->v[i].len + 1;
	if (nr >= UINT32_MAX || bytes >= UINT32_MAX) {
		symtab_why_set(t, "more symbol text than this program takes");
		nr = 0;
	}
	t->nr = (u32)nr;
	t->syms = xmalloc(nr * sizeof(*t->syms) + 1);
	t->strs = xmalloc(bytes + 1);
	for (i = 0; i < nr; i++) {
		const struct sym_new *s = &l->v[i];

		t->syms[i] = (struct symbol){ s->start, s->end, (u32)at, s->binding, s->type };
		memcpy(t->strs + at, s->name, s->len);
		mangled |= sym_is_mangled(s->name, s->len);
		at += s->len;
		t->strs[at++] = '\0';
	}
	if (mangled && demangle)
		sparse_init(&t->names, t->nr);
	reaches_make(&t->reaches, t->nr, start_of, end_of, t);
	make_buckets(t);
	free(l->v);
	*l = (struct sym_list){ 0 };
}

void symtab_why_set(struct symtab *t, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	free(t->why);
	t->why = strbuf_detach(&sb);
}

u32 symtab_find(const struct symtab *t, u64 addr)
{
	u32 lo = 0, hi = t->nr;

	if (t->ksyms)
		return ksyms_find(t->ksyms, addr);
	if (t->esyms)
		return esyms_find(t->esyms, addr);
	if (t->buckets) {
		u64 first = t->syms[0].start;

		if (addr < first)
			return UINT32_MAX;
		if (addr <= t->syms[hi - 1].start) {
			u64 b = (addr - first) >> t->shift;

			lo = t->buckets[b];
			hi = t->buckets[b + 1];
		} else {
			lo = hi;
		}
	}
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (t->syms[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return UINT32_MAX;
	lo--;
	return addr < t->syms[lo].end ? lo : reaches_find(&t->reaches, lo, addr, end_of, t);
}

void symtab_ask(const struct symtab *t, u64 addr, int step)
{
	const struct starts *s = !t         ? NULL
				 : t->ksyms ? ksyms_starts(t->ksyms)
				 : t->esyms ? esyms_starts(t->esyms)
					    : NULL;

	if (s)
		starts_ask(s, addr, step);
}

struct symbol symtab_get(const struct symtab *t, u32 idx)
{
	if (t->ksyms)
		return ksyms_get(t->ksyms, idx);
	return t->esyms ? esyms_get(t->esyms, idx) : t->syms[idx];
}

struct sym_range symtab_range(const struct symtab *t, u32 idx)
{
	if (t->ksyms)
		return ksyms_range(t->ksyms, idx);
	if (t->esyms)
		return esyms_range(t->esyms, idx);
	return (struct sym_range){ t->syms[idx].start, t->syms[idx].end };
}

u32 symtab_nr(const struct symtab *t)
{
	return t->nr;
}

const char *symtab_raw_name(const struct symtab *t, u32 idx)
{
	if (t->ksyms)
		return ksyms_name(t->ksyms, idx);
	return t->esyms ? esyms_name(t->esyms, idx) : t->strs + t->syms[idx].name;
}

void symtab_places(const struct symtab *t, const char *const *names, u64 *addrs, size_t nr)
{
	if (t->ksyms) {
		ksyms_places(t->ksyms, names, addrs, nr);
		return;
	}
	for (u32 idx = 0; idx < symtab_nr(t); idx++)
		for (size_t i = 0; i < nr; i++)
			if (!strcmp(symtab_raw_name(t, idx), names[i]))
				addrs[i] = symtab_range(t, idx).start;
}

static char *shown_name(const struct symtab *t, const char *raw)
{
	char *name = !t->demangles   ? NULL
		     : t->parameters ? symbol_demangle_full(raw)
				     : symbol_demangle(raw);

	if (!t->bare)
		return name;
	name = name ? name : xstrdup(raw);
	bare_name(name);
	return name;
}

const char *symtab_name(const struct symtab *t, u32 idx)
{
	const char *raw = symtab_raw_name(t, idx);
	_Atomic(void *) *at;
	void *seen = NULL;
	char *name;

	if (!t->names.blocks || !(sym_text_is_mangled(raw) || (t->bare && strchr(raw, '.'))))
		return raw;
	at = sparse_at(&t->names, idx);
	name = atomic_load_explicit(at, memory_order_acquire);
	if (name)
		return name;
	name = shown_name(t, raw);
	if (!name)
		name = xstrdup(raw);
	if (atomic_compare_exchange_strong(at, &seen, (void *)name))
		return name;
	free(name);
	return seen;
}

char *symtab_show(const struct symtab *t, const char *name)
{
	char *plain = NULL;

	if ((t->demangles && sym_text_is_mangled(name)) || t->bare)
		plain = shown_name(t, name);
	return plain ? plain : xstrdup(name);
}

const char *symtab_why(const struct symtab *t)
{
	return t->why;
}

const char *symtab_file(const struct symtab *t)
{
	return t->file;
}

const char *symtab_debug_file(const struct symtab *t)
{
	return t->has_lines ? t->file : t->debug;
}

const char *symtab_kcore(const struct symtab *t)
{
	return t->kcore;
}

const struct module_section *symtab_sections(const struct symtab *t, size_t *nr)
{
	*nr = t->nr_sections;
	return t->sections;
}

const struct bpf_function *symtab_bpf(const struct symtab *t)
{
	return t->bpf;
}

u64 symtab_moved(const struct symtab *t)
{
	return t->moved;
}

const char *symtab_object(const struct symtab *t)
{
	return t->object;
}

char symtab_origin(const struct symtab *t)
{
	return t->origin ? t->origin : '!';
}
