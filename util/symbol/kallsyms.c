// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of a kernel over the text of its kallsyms. The kernel writes that in the order of its
 * addresses, so there is nothing to sort: one pass notes where each symbol starts and on which line
 * it stands, eight bytes for each of the hundred thousand and more. Names stay where they are until
 * somebody asks for one, which few are.
 */
#include "base/compat.h"
#include "base/bisect.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "symbol/index-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A symbol that ends elsewhere than where the next one starts. */
struct ksym_border {
	u32 idx;
	u64 end;
};

/* A name that was asked for. */
struct ksym_name {
	struct ksym_name *next;
	char name[];
};

struct ksyms {
	const char *text; /* borrowed, or of @own */
	size_t len;
	struct kallsyms own;         /* owned */
	struct starts starts;        /* ref: where its line begins in the text */
	struct ksym_border *borders; /* owned, sorted by idx */
	size_t nr_borders;
	u64 module_low, module_top; /* the symbols of modules; module_top 0: there are none */
	bool mangled;               /* a name is */
	struct objcache_file kept;  /* where @starts and the text lie; no data: they are owned */
	struct sparse names;        /* of struct ksym_name: those that were asked for */
	_Atomic(struct ksym_name *) made; /* all that were */
};

/* ---- looking for one ---- */

static u64 start_of(const struct ksyms *k, u32 idx)
{
	return k->starts.base + k->starts.at[idx].start;
}

static u64 end_of(const struct ksyms *k, u32 idx)
{
	size_t lo = FIRST_FROM(k->borders, k->nr_borders, idx, idx);

	if (lo < k->nr_borders && k->borders[lo].idx == idx)
		return k->borders[lo].end;
	return start_of(k, idx + 1);
}

u32 ksyms_find(const struct ksyms *k, u64 addr)
{
	u32 idx = starts_find(&k->starts, addr);

	return idx != UINT32_MAX && addr < end_of(k, idx) ? idx : UINT32_MAX;
}

/* The line of a symbol, as it was read when the table was made. */
static void parse_at(const struct ksyms *k, u32 line, struct ksym *sym)
{
	const char *from = k->text + line, *p = from;
	struct ksym_text t;
	struct line l;

	if (next_line(&p, k->text + k->len, &l)) {
		t = ksym_text(from, (size_t)(p - from));
		if (next_ksym(&t, sym))
			return;
	}
	*sym = (struct ksym){ .name = "" }; /* the file was written over meanwhile */
}

const struct starts *ksyms_starts(const struct ksyms *k)
{
	return &k->starts;
}

struct symbol ksyms_get(const struct ksyms *k, u32 idx)
{
	struct symbol s = { .start = start_of(k, idx), .end = end_of(k, idx) };
	struct ksym sym;

	parse_at(k, k->starts.at[idx].own, &sym);
	ksym_kind(sym.letter, &s.binding, &s.type);
	return s;
}

struct sym_range ksyms_range(const struct ksyms *k, u32 idx)
{
	return (struct sym_range){ start_of(k, idx), end_of(k, idx) };
}

const char *ksyms_name(struct ksyms *k, u32 idx)
{
	_Atomic(void *) *at = sparse_at(&k->names, idx);
	struct ksym_name *n = atomic_load_explicit(at, memory_order_acquire);
	void *seen = NULL;
	struct ksym sym;

	if (n)
		return n->name;
	parse_at(k, k->starts.at[idx].own, &sym);
	n = xmalloc(sizeof(*n) + sym.len + 1);
	memcpy(n->name, sym.name, sym.len);
	n->name[sym.len] = '\0';
	if (!atomic_compare_exchange_strong(at, &seen, (void *)n)) {
		free(n);
		return ((struct ksym_name *)seen)->name;
	}
	n->next = atomic_load(&k->made);
	while (!atomic_compare_exchange_weak(&k->made, &n->next, n))
		;
	return n->name;
}

void ksyms_places(const struct ksyms *k, const char *const *names, u64 *addrs, size_t nr)
{
	struct ksym_text t = ksym_text(k->text, k->len);
	struct ksym sym;
	u64 moved;

	if (!k->starts.nr)
		return;
	parse_at(k, k->starts.at[0].own, &sym);
	moved = start_of(k, 0) - sym.addr;
	while (next_ksym(&t, &sym))
		for (size_t i = 0; i < nr && !sym.module; i++)
			if (sym.len == strlen(names[i]) && !memcmp(sym.name, names[i], sym.len))
				addrs[i] = sym.addr + moved;
}

void ksyms_free(struct ksyms *k)
{
	struct ksym_name *n, *next;

	if (!k)
		return;
	for (n = atomic_load(&k->made); n; n = next) {
		next = n->next;
		free(n);
	}
	sparse_release(&k->names, false);
	if (k->kept.data)
		k->starts = (struct starts){ 0 };
	starts_release(&k->starts);
	objcache_file_release(&k->kept);
	free(k->borders);
	kallsyms_release(&k->own);
	free(k);
}

/* ---- making the table ---- */

struct build {
	struct ksyms *k;
	u64 delta;
	bool demangle;
	bool any;            /* there is a symbol of the kernel before */
	u64 first;           /* where the first one starts */
	struct sym_new prev; /* that one; its seq: where its line begins */
	struct sym_new last; /* the last one of the table */
	/* Modules come in any order, so these are the first of their symbols behind @prev, and the
	 * last one: */
	u64 module, module_top; /* 0: there is none */
	size_t cap, cap_borders;
};

static void put_border(struct build *b)
{
	struct ksyms *k = b->k;

	VEC_GROW(k->borders, k->nr_borders + 1, b->cap_borders);
	k->borders[k->nr_borders++] = (struct ksym_border){ k->starts.nr - 1, b->last.end };
}

/* The symbol before, whose end is known by now, into the table, unless one at the same address is
 * the better one. Return: false when it starts too far from the first one. */
static bool put_symbol(struct build *b)
{
	struct starts *at = &b->k->starts;
	const struct sym_new *s = &b->prev;
	bool same = at->nr && b->last.start == s->start;

	if (same && !sym_second_better(&b->last, s, b->demangle))
		return true;
	if (!at->nr)
		at->base = s->start;
	if (s->start - at->base > UINT32_MAX)
		return false;
	if (!same) {
		if (at->nr && b->last.end != s->start)
			put_border(b);
		VEC_GROW(at->at, (size_t)at->nr + 1, b->cap);
		at->nr++;
	}
	at->at[at->nr - 1] = (struct sym_at){ (u32)(s->start - at->base), s->seq };
	b->last = *s;
	b->k->mangled |= b->demangle && sym_is_mangled(s->name, s->len);
	return true;
}

/* Modules come behind the kernel, in no order. They matter where one ends a symbol of the kernel's.
 * Return: false when it stands among those already put. */
static bool next_of_module(struct build *b, u64 addr)
{
	struct ksyms *k = b->k;

	k->module_low = k->module_top ? MIN(k->module_low, addr) : addr;
	k->module_top = MAX(k->module_top, addr);
	b->module_top = MAX(b->module_top, addr);
	if (b->any && addr < b->first)
		return true;
	if (b->any && addr <= b->prev.start)
		return false;
	b->module = b->module ? MIN(b->module, addr) : addr;
	return true;
}

/* Return: false when it is out of order, or too far from the others. */
static bool next_of_kernel(struct build *b, const struct sym_new *s)
{
	u64 module = b->module;

	if (b->any && s->start < b->prev.start)
		return false;
	if (module && s->start >= module) {
		if (s->start <= b->module_top)
			return false; /* which of them end this one? */
		b->module = 0;
	}
	if (b->any) {
		b->prev.end = b->module == module ? s->start
						  : ksym_end(b->prev.start, module, true);
		if (!put_symbol(b))
			return false;
	} else {
		b->first = s->start;
	}
	b->any = true;
	b->prev = *s;
	return true;
}

static bool next_symbol(struct build *b, const struct ksym *sym)
{
	struct sym_new s = { .start = sym->addr + b->delta,
			     .name = sym->name,
			     .len = (u32)sym->len,
			     .seq = (u32)(sym->line - b->k->text) };

	if (!ksym_kind(sym->letter, &s.binding, &s.type) || !sym->addr)
		return true;
	return sym->module ? next_of_module(b, sym->addr) : next_of_kernel(b, &s);
}

static int build(struct build *b)
{
	struct ksyms *k = b->k;
	struct ksym_text t = ksym_text(k->text, k->len);
	bool nonzero = false;
	struct ksym sym;

	while (next_ksym(&t, &sym)) {
		nonzero |= sym.addr != 0;
		if (!next_symbol(b, &sym))
			return -EAGAIN;
	}
	if (b->any) {
		b->prev.end = b->module ? ksym_end(b->prev.start, b->module, true)
					: sym_last_end(b->prev.start);
		if (!put_symbol(b))
			return -EAGAIN;
	}
	return k->starts.nr ? 1 : k->len && !nonzero ? -EPERM : 0;
}

/* Make the finished table part of @t. */
static int finish_table(struct symtab *t, struct ksyms *k, bool demangle)
{
	sparse_init(&k->names, k->starts.nr);
	t->nr = k->starts.nr;
	t->ksyms = k;
	t->demangles = demangle;
	if (k->mangled)
		sparse_init(&t->names, t->nr);
	return (int)MIN(t->nr, (u32)INT32_MAX);
}

int ksyms_table(struct symtab *t, const char *text, size_t len, u64 delta, bool demangle)
{
	struct ksyms *k;
	struct build b = { .delta = delta, .demangle = demangle };
	int ret;

	if (len >= UINT32_MAX)
		return -EAGAIN;
	k = b.k = xzalloc(sizeof(*k));
	k->text = text;
	k->len = len;
	/* Room is made for all at once: lines have 40 bytes, and what is not filled takes no
	 * memory. */
	VEC_GROW(k->starts.at, len / 32 + 1, b.cap);
	ret = build(&b);
	if (ret <= 0) {
		ksyms_free(k);
		return ret;
	}
	put_border(&b);
	starts_done(&k->starts);
	return finish_table(t, k, demangle);
}

/* ---- keeping it ---- */

/* Tell whether modules are neither in the kernel nor at its end, so that they do not matter. */
static bool modules_apart(u64 low, u64 top, u64 first, u64 end)
{
	return !top || top < first || low >= end;
}

int ksyms_kept(struct symtab *t, const char *text, size_t len, const struct ksyms_keep *keep)
{
	struct ksyms *k = xzalloc(sizeof(*k));
	struct ksyms_index x;
	u64 end;

	if (!objcache_get(keep->cache, &keep->key, &k->kept) ||
	    !ksyms_index_read(&x, k->kept.data, k->kept.len, &keep->source) || !x.text == !text) {
		ksyms_free(k);
		return 0;
	}
	k->text = text ? text : x.text;
	k->len = text ? len : x.text_len;
	k->starts = x.starts;
	k->starts.base += keep->recorded;
	k->mangled = x.mangled;
	end = ksym_end(start_of(k, x.starts.nr - 1), UINT64_MAX, true);
	if ((keep->recorded - keep->ref) % 4096 ||
	    !modules_apart(x.module_low + keep->ref, x.module_top ? x.module_top + keep->ref : 0,
			   k->starts.base, end)) {
		ksyms_free(k);
		return 0;
	}
	k->borders = xmalloc(sizeof(*k->borders));
	k->borders[k->nr_borders++] = (struct ksym_border){ k->starts.nr - 1, end };
	return finish_table(t, k, keep->source.demangle);
}

/* Copy the lines of the kernel to @out, with addresses that are counted from the reference symbol,
 * and note in @starts where the lines stand there. */
static void copy_text(const struct ksyms *k, u64 ref, struct starts *starts, struct strbuf *out)
{
	struct ksym_text t = ksym_text(k->text, k->len);
	struct ksym sym;
	u32 i = 0;

	while (next_ksym(&t, &sym)) {
		if (sym.module)
			continue;
		if (i < starts->nr && starts->at[i].own == (u32)(sym.line - k->text))
			starts->at[i++].own = (u32)out->len;
		strbuf_addf(out, "%016" PRIx64 " %c ", sym.addr - ref, sym.letter);
		strbuf_add(out, sym.name, sym.len);
		strbuf_add(out, "\n", 1);
	}
}

void ksyms_put(const struct symtab *t, const struct ksyms_keep *keep)
{
	const struct ksyms *k = t->ksyms;
	struct ksyms_index x = { .source = keep->source };
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	u64 end;

	if (!k || k->starts.nr < KSYMS_KEEP_FROM || k->nr_borders != 1 ||
	    !objcache_wants(keep->cache, &keep->key))
		return;
	end = ksym_end(start_of(k, k->starts.nr - 1), UINT64_MAX, true);
	if (k->borders[0].end != end || (keep->recorded - keep->ref) % 4096 ||
	    !modules_apart(k->module_low, k->module_top, k->starts.base, end))
		return;
	x.starts = k->starts;
	x.starts.base -= keep->recorded;
	x.starts.at = xcalloc(k->starts.nr, sizeof(*x.starts.at));
	memcpy(x.starts.at, k->starts.at, k->starts.nr * sizeof(*x.starts.at));
	x.mangled = k->mangled;
	x.module_low = k->module_top ? k->module_low - keep->ref : 0;
	x.module_top = k->module_top ? k->module_top - keep->ref : 0;
	if (keep->with_text)
		copy_text(k, keep->ref, &x.starts, &text);
	x.text = text.buf;
	x.text_len = text.len;
	ksyms_index_write(&x, &out);
	objcache_put(keep->cache, &keep->key, out.buf, out.len);
	free(x.starts.at);
	strbuf_release(&text);
	strbuf_release(&out);
}

/* ---- its text ---- */

int kallsyms_open(struct kallsyms *k, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	int fd = sysroot_open(NULL, "%s", path), ret;
	struct stat st;
	void *map = MAP_FAILED;

	*k = (struct kallsyms){ 0 };
	if (fd < 0)
		return fd;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map != MAP_FAILED) {
		*k = (struct kallsyms){ .text = map,
					.len = (size_t)st.st_size,
					.mapped = true,
					.inode = st.st_ino,
					.mtime = (u64)st.st_mtim.tv_sec * 1000000000 +
						 (u64)st.st_mtim.tv_nsec };
		return 0;
	}
	ret = sysroot_read(NULL, &text, "%s", path);
	if (!ret) {
		k->len = text.len;
		k->text = strbuf_detach(&text);
	}
	strbuf_release(&text);
	return ret;
}

void kallsyms_release(struct kallsyms *k)
{
	if (k->mapped)
		munmap(k->text, k->len);
	else
		free(k->text);
	*k = (struct kallsyms){ 0 };
}

void ksyms_own(struct ksyms *k, const struct kallsyms *text)
{
	k->own = *text;
	/* Few of its pages are looked at again. */
	if (text->mapped)
		(void)madvise(text->text, text->len, MADV_DONTNEED);
}
