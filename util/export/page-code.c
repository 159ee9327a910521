// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instructions of a function in a page. They are decoded from its beginning on, because there
 * is no other way to find where instructions end. Those around the instruction with most samples
 * are shown.
 */
#include "base/compat.h"

#include "export/page-internal.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "codec/quote.h"
#include "disasm/disasm.h"
#include "disasm/code-files.h"

#define MOST_CODE 65536 /* the most bytes of a function that are decoded */
#define MOST_INSNS 300  /* the most instructions of a function that are shown */
#define MOST_OF_ALL 5000

struct insns {
	u64 *addr;
	size_t nr, cap;
	struct strbuf text; /* each with its terminator */
	size_t *at;
	size_t cap_at;
};

struct page_code {
	const struct arch *arch;
	struct srclines *lines;
	struct code_files *files;
	struct disasm *text[2]; /* for 32-bit and 64-bit programs */
	bool tried[2];
	size_t put; /* instructions written so far */
	u8 buf[MOST_CODE];
};

struct page_code *page_code_new(const char *arch, struct srclines *lines)
{
	struct page_code *c = xzalloc(sizeof(*c));

	c->arch = arch_of(arch);
	c->lines = lines;
	c->files = code_files_new();
	return c;
}

void page_code_free(struct page_code *c)
{
	code_files_free(c->files);
	disasm_close(c->text[0]);
	disasm_close(c->text[1]);
	free(c);
}

static struct disasm *disasm_of(struct page_code *c, bool wide)
{
	if (!c->tried[wide]) {
		c->tried[wide] = true;
		c->text[wide] = disasm_open(c->arch, wide);
	}
	return c->text[wide];
}

static void find_insns(struct page_code *c, struct disasm *d, u64 start, size_t size,
		       struct insns *in)
{
	for (size_t at = 0, len; at < size; at += len) {
		VEC_GROW(in->addr, in->nr + 1, in->cap);
		VEC_GROW(in->at, in->nr + 1, in->cap_at);
		in->addr[in->nr] = start + at;
		in->at[in->nr++] = in->text.len;
		len = disasm_text(d, c->buf + at, size - at, start + at, &in->text);
		if (!len) {
			len = MIN((size_t)disasm_step(d), size - at);
			strbuf_addstr(&in->text, "(bad)");
		}
		strbuf_addch(&in->text, '\0');
	}
}

/* Return the index of the instruction that contains an address; SIZE_MAX: none. */
static size_t find_insn(const struct insns *in, u64 addr)
{
	size_t low = 0, high = in->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (in->addr[mid] <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : SIZE_MAX;
}

/* Append [address, text, line], .. */
static void put_insns(struct page_code *c, const struct page_function *f, const struct insns *in,
		      size_t from, size_t to, const char *file, struct strbuf *out)
{
	strbuf_addstr(out, ",\"code\":[");
	for (size_t i = from; i < to; i++) {
		const char *of = NULL;
		u32 line = file ? page_line(c->lines, f->first, in->addr[i], &of) : 0;

		strbuf_addf(out, "%s[\"%" PRIx64 "\",", i > from ? "," : "", in->addr[i]);
		quote_json(out, in->text.buf + in->at[i]);
		strbuf_addf(out, ",%u]", of && !strcmp(of, file) ? line : 0);
	}
	strbuf_addch(out, ']');
}

/* Append [number in "code", event, samples, period], .. */
static void put_hits(const struct page_function *f, const struct insns *in, size_t from, size_t to,
		     struct strbuf *out)
{
	const char *sep = "";

	strbuf_addstr(out, ",\"hits\":[");
	for (size_t i = 0; i < f->nr; i++) {
		const struct stacks_site *p = &f->first[i];
		size_t at = find_insn(in, p->addr);

		if (at == SIZE_MAX || at < from || at >= to)
			continue;
		strbuf_addf(out, "%s[%zu,%u,%" PRIu64 ",%" PRIu64 "]", sep, at - from, p->event,
			    p->samples, p->period);
		sep = ",";
	}
	strbuf_addch(out, ']');
}

/* Return the instruction with most samples. */
static size_t hottest(const struct page_function *f, const struct insns *in)
{
	const struct stacks_site *most = f->first;
	size_t at;

	for (size_t i = 1; i < f->nr; i++)
		if (f->first[i].samples > most->samples)
			most = &f->first[i];
	at = find_insn(in, most->addr);
	return at == SIZE_MAX ? 0 : at;
}

bool page_code_put(struct page_code *c, const struct page_function *f, const char *file,
		   struct strbuf *out)
{
	const struct stacks_site *p = f->first;
	struct insns in = { .text = STRBUF_INIT };
	size_t size = p->end > p->start ? MIN(p->end - p->start, (u64)MOST_CODE) : 0, from, to;
	bool wide = true;
	struct disasm *d;

	if (!size || c->put >= MOST_OF_ALL)
		return false;
	size = code_read(c->files, p->dso, p->symtab, p->start, c->buf, size, &wide);
	d = size ? disasm_of(c, wide) : NULL;
	if (!d)
		return false;
	find_insns(c, d, p->start, size, &in);
	from = hottest(f, &in);
	from = from > MOST_INSNS / 2 ? from - MOST_INSNS / 2 : 0;
	to = MIN(from + MOST_INSNS, in.nr);
	from = to > MOST_INSNS ? to - MOST_INSNS : 0;
	put_insns(c, f, &in, from, to, file, out);
	put_hits(f, &in, from, to, out);
	c->put += to - from;
	free(in.addr);
	free(in.at);
	strbuf_release(&in.text);
	return true;
}
