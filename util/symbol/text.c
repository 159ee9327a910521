// SPDX-License-Identifier: GPL-2.0-or-later
/* Read symbol tables that are text: kallsyms ("ADDR LETTER name [\t[module]]") and perf-PID.map
 * ("START SIZE name"). */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "symbol/symbol-internal.h"

#include <endian.h>
#include <errno.h>
#include <unistd.h>

/* Value + 1 of a hex digit, 0 of anything else: a kallsyms has two million of them. */
static const u8 hex_digit[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

#define BYTES(b) (0x0101010101010101ULL * (b))

/* Read eight hex digits at once, each in a byte of a word. Return: false when one is something
 * else. */
static bool eight_digits(const char *p, u64 *v)
{
	u64 x, letter, low, n;

	memcpy(&x, p, sizeof(x));
	x = be64toh(x); /* the first one is the highest */
	letter = x >> 6 & BYTES(1);
	low = x & BYTES(15);
	/* '0' to '9' are 0x30 to 0x39, letters 0x41 to 0x46 and 0x61 to 0x66. */
	if (((x & ~(letter << 5) & BYTES(0xf0)) != BYTES(0x30) + (letter << 4)) ||
	    ((low + BYTES(6) + letter * 3) & BYTES(16)) || (letter & ~((low + BYTES(15)) >> 4)))
		return false;
	n = low + letter * 9;
	n = (n | n >> 4) & 0x00ff00ff00ff00ffULL;
	n = (n | n >> 8) & 0x0000ffff0000ffffULL;
	*v = (n | n >> 16) & 0xffffffffULL;
	return true;
}

/* Read a hex number of up to 16 digits, with or without "0x". Return: false without digits or when
 * there are more. */
static bool take_hex(struct line *l, u64 *v)
{
	const char *from;
	u8 d;

	if (l->end - l->p > 2 && l->p[0] == '0' && (l->p[1] | 0x20) == 'x')
		l->p += 2;
	from = l->p;
	for (*v = 0; l->p < l->end && (d = hex_digit[(u8)*l->p]); l->p++)
		*v = *v << 4 | (u64)(d - 1);
	return l->p > from && l->p - from <= 16;
}

static bool take_blanks(struct line *l)
{
	const char *from = l->p;

	while (l->p < l->end && (*l->p == ' ' || *l->p == '\t'))
		l->p++;
	return l->p > from;
}

/* Read address and letter as the kernel writes them on machines of 64 bits, up to the name. */
static bool usual_start(struct ksym_text *t, struct line *l, struct ksym *k)
{
	const char *p = l->p;
	u64 digits, low;

	if (l->end - p < 20 || p[16] != ' ' || p[18] != ' ' || p[19] == ' ' || p[19] == '\t')
		return false;
	memcpy(&digits, p, sizeof(digits));
	if (digits != t->digits) {
		if (!eight_digits(p, &t->high))
			return false;
		t->digits = digits;
	}
	if (!eight_digits(p + 8, &low))
		return false;
	k->addr = t->high << 32 | low;
	k->letter = p[17];
	l->p += 19;
	return true;
}

static bool any_start(struct line *l, struct ksym *k)
{
	if (!take_hex(l, &k->addr) || !take_blanks(l) || l->p >= l->end)
		return false;
	k->letter = *l->p++;
	return take_blanks(l) && l->p < l->end;
}

#define TAB_AHEAD 4096 /* bytes that are looked through at a time */

/* Return the first tab in a name's line, or NULL. Most lines are the kernel's own and have none, so
 * many of them are looked through at once. */
static const char *tab_of(struct ksym_text *t, const struct line *l)
{
	const char *from = MAX(t->no_tab, l->p), *tab;
	size_t len;

	if (from >= l->end)
		return NULL;
	len = MIN((size_t)(t->end - from), (size_t)(l->end - from) + TAB_AHEAD);
	tab = memchr(from, '\t', len);
	t->no_tab = tab ? tab : from + len;
	return tab && tab < l->end ? tab : NULL;
}

static bool ksym_parse(struct ksym_text *t, struct line l, struct ksym *k)
{
	const char *tab;

	if (!usual_start(t, &l, k) && !any_start(&l, k))
		return false;
	tab = tab_of(t, &l);
	k->name = l.p;
	k->len = (size_t)((tab ? tab : l.end) - l.p);
	while (k->len && k->name[k->len - 1] == ' ')
		k->len--;
	k->module = NULL;
	k->module_len = 0;
	if (tab && tab + 1 < l.end && tab[1] == '[') {
		k->module = tab + 1;
		k->module_len = (size_t)(l.end - k->module);
		while (k->module_len && k->module[k->module_len - 1] != ']')
			k->module_len--;
	}
	return k->len > 0;
}

bool next_ksym(struct ksym_text *t, struct ksym *k)
{
	struct line l;

	for (k->line = t->p; next_line(&t->p, t->end, &l); k->line = t->p)
		if (ksym_parse(t, l, k))
			return true;
	return false;
}

bool ksym_kind(char letter, u8 *binding, u8 *type)
{
	char up = (char)(letter & ~0x20);

	if (up != 'T' && up != 'W' && up != 'D' && up != 'B')
		return false;
	*type = up == 'T' || up == 'W' ? STT_FUNC : STT_OBJECT;
	*binding = up == 'W' ? 'w' : letter == up ? 'g' : 'l';
	return true;
}

int kallsyms_symbols(const char *text, size_t len, const char *module, u64 delta,
		     struct sym_list *out)
{
	struct ksym_text t = ksym_text(text, len);
	size_t module_len = module ? strlen(module) : 0, before = out->nr;
	bool nonzero = false;
	struct ksym k;
	u8 binding, type;

	/* All at once: lines have 40 bytes and more, and what is not filled takes no memory. */
	if (!module)
		VEC_GROW(out->v, out->nr + len / 40 + 1, out->cap);
	while (next_ksym(&t, &k)) {
		nonzero |= k.addr != 0;
		if (k.module_len != module_len && module)
			continue;
		if (module && memcmp(k.module, module, module_len))
			continue;
		if (!ksym_kind(k.letter, &binding, &type) || !k.addr)
			continue;
		/* The kernel's own table takes module symbols too: they bound the last one of the
		 * kernel. */
		sym_list_add(out, k.addr + (k.module ? 0 : delta), k.addr + (k.module ? 0 : delta),
			     k.name, k.len, binding, type);
		out->v[out->nr - 1].extra = k.module && !module;
	}
	if (!nonzero && len)
		return -EPERM;
	return (int)MIN(out->nr - before, INT32_MAX);
}

bool kallsyms_find(const char *text, size_t len, const char *name, u64 *addr)
{
	struct ksym_text t = ksym_text(text, len);
	size_t want = strlen(name);
	struct ksym k;

	while (next_ksym(&t, &k)) {
		if (!k.module && k.len == want && !memcmp(k.name, name, want)) {
			*addr = k.addr;
			return true;
		}
	}
	return false;
}

/* ---- symbols of one name ---- */

/* The kernel writes its text a page at a time, so it goes through one small buffer: holding all of
 * its megabytes costs more in pages that are touched for the first time than taking lines apart. */
#define BUFFER 65536

/* A symbol with the name that is looked for. */
struct match {
	struct ksym sym; /* its line and name are not kept, that of its module is */
	char *module;    /* owned; NULL: the kernel's own */
	u64 next;        /* where the next symbol starts, among those seen; 0: there is none yet */
	bool next_of_module;
};

struct search {
	const char *name;
	size_t len;
	struct match *v; /* owned */
	size_t nr, cap;
	bool any, nonzero;
	u64 top;    /* the highest address so far */
	bool again; /* a symbol stood behind one with a higher address: what follows it may be
		       before */
};

static void see_next(struct search *s, const struct ksym *k)
{
	u8 unused;

	for (size_t i = 0; i < s->nr; i++) {
		struct match *m = &s->v[i];

		if (k->addr <= m->sym.addr || (m->next && k->addr >= m->next) ||
		    !ksym_kind(k->letter, &unused, &unused))
			continue;
		m->next = k->addr;
		m->next_of_module = k->module;
	}
}

static void add_match(struct search *s, const struct ksym *k)
{
	VEC_GROW(s->v, s->nr + 1, s->cap);
	s->v[s->nr++] = (struct match){
		.sym = *k,
		.module = k->module ? xasprintf("%.*s", (int)k->module_len, k->module) : NULL,
	};
	s->again |= k->addr < s->top;
}

/* Look at the symbols of whole lines. */
static void search_lines(struct search *s, const char *text, size_t len)
{
	struct ksym_text t = ksym_text(text, len);
	struct ksym k;

	while (next_ksym(&t, &k)) {
		s->nonzero |= k.addr != 0;
		if (s->nr)
			see_next(s, &k);
		if (k.addr && k.len == s->len && !memcmp(k.name, s->name, s->len))
			add_match(s, &k);
		s->top = MAX(s->top, k.addr);
	}
}

/* Look at the symbols before a match as well, whose next one may be among them. */
static void next_before(struct search *s, const char *text, size_t len)
{
	struct ksym_text t = ksym_text(text, len);
	struct ksym k;

	while (next_ksym(&t, &k))
		see_next(s, &k);
}

/* Read the text once from its beginning to its end, and hand @fn all that is there of whole lines.
 * Return: 0 or a negative errno. */
static int read_all(int fd, char *buf, struct search *s,
		    void (*fn)(struct search *s, const char *text, size_t len))
{
	size_t have = 0;
	ssize_t n;

	while ((n = read(fd, buf + have, BUFFER - have)) != 0) {
		const char *nl;
		size_t whole;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		s->any = true;
		have += (size_t)n;
		nl = memrchr(buf, '\n', have);
		whole = nl ? (size_t)(nl + 1 - buf) : 0;
		if (!whole && have == BUFFER) /* no line of a kernel is that long */
			whole = have;
		fn(s, buf, whole);
		have -= whole;
		memmove(buf, buf + whole, have);
	}
	fn(s, buf, have);
	return 0;
}

static int search_file(struct search *s, int fd)
{
	char *buf = xmalloc(BUFFER);
	int ret = read_all(fd, buf, s, search_lines);

	if (!ret && s->again)
		ret = lseek(fd, 0, SEEK_SET) ? -errno : read_all(fd, buf, s, next_before);
	free(buf);
	return ret;
}

static void tell_match(const struct match *m,
		       void (*found)(void *ctx, const struct kallsyms_place *place), void *ctx)
{
	const struct ksym *k = &m->sym;
	struct kallsyms_place place = { k->addr, 0, k->letter, m->module, k->module_len };

	place.end = m->next ? ksym_end(k->addr, m->next, m->next_of_module != (m->module != NULL))
			    : sym_last_end(k->addr);
	found(ctx, &place);
}

int kallsyms_each(const struct sysroot *sr, const char *name,
		  void (*found)(void *ctx, const struct kallsyms_place *place), void *ctx)
{
	struct search s = { .name = name, .len = strlen(name) };
	int fd = sysroot_open(sr, "/proc/kallsyms"), ret;

	if (fd < 0)
		return fd;
	ret = search_file(&s, fd);
	close(fd);
	if (!ret && s.any && !s.nonzero)
		ret = -EPERM;
	for (size_t i = 0; i < s.nr; i++) {
		if (!ret)
			tell_match(&s.v[i], found, ctx);
		free(s.v[i].module);
	}
	free(s.v);
	return ret ? ret : (int)s.nr;
}

/* ---- perf-PID.map ---- */

size_t perfmap_symbols(const char *text, size_t len, struct sym_list *out)
{
	const char *p = text, *end = text + len;
	size_t bad = 0;
	struct line l;

	while (next_line(&p, end, &l)) {
		u64 start, size;

		if (l.p == l.end)
			continue;
		if (!take_hex(&l, &start) || !take_blanks(&l) || !take_hex(&l, &size) ||
		    !take_blanks(&l) || l.p == l.end || memchr(l.p, 0, (size_t)(l.end - l.p)) ||
		    start + size < start) {
			bad++;
			continue;
		}
		sym_list_add(out, start, start + size, l.p, (size_t)(l.end - l.p), 'g', STT_FUNC);
	}
	return bad;
}
