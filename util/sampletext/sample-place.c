// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of a sample as text: symbol, offset, object, source line, inlined functions, and the
 * two ends of each branch of a branch stack.
 */
#include "base/compat.h"
#include "sampletext/sample-internal.h"

#include "base/units.h"
#include "wire/field-text.h"

#define WIDE_OBJECT 50 /* columns of an object between the indented calls of a trace */
#define PLACE_ROOM                                                                                 \
	(4 * DIGITS_HEX + CACHED_SLACK) /* more than an address needs in addition to its names */

/* The parts that are shown. */
enum { STYLE_SYM = 1, STYLE_SYMOFF = 2, STYLE_DSO = 4, STYLE_PLAIN = 8 };
/*
 * The style whose cached "text" is a single byte: the result of the place_filter. Every style that
 * stands for text has STYLE_PLAIN, so the two differ.
 */
#define STYLE_VERDICT 1

/* The text around the offset, shared by all addresses of a symbol: " sym+0x" and " (dso)". */
struct name_text {
	u32 head, tail; /* lengths in bytes; the texts follow */
	bool offset;    /* the offset goes between them */
};

const char *sample_object_name(const struct sample_text_conf *conf, const struct location *l)
{
	const char *file;

	if (conf->kernel_path && l->symtab && l->dso->kind == DSO_KERNEL) {
		file = symtab_file(l->symtab);
		if (file && !strstr(file, "kallsyms"))
			return file;
	}
	if (conf->kernel_path && l->dso && l->dso->kind == DSO_MODULE)
		return l->dso->path;
	return location_dso_long(l);
}

void sample_render_name(const void *ctx, const struct location *l, unsigned int style,
			struct strbuf *out)
{
	const struct sample_text *st = ctx;
	const char *name = style & STYLE_SYM ? location_symbol(l) : NULL;
	struct name_text nt = { .offset = name && (style & STYLE_SYMOFF) };
	size_t at = out->len, start, start_name;

	if (style == STYLE_VERDICT) {
		strbuf_addch(out, (char)place_filter_names(st->conf.places, l));
		return;
	}
	strbuf_add(out, &nt, sizeof(nt));
	start = out->len;
	if (style & STYLE_SYM) {
		strbuf_addch(out, ' ');
		strbuf_addname(out, name ? name : "[unknown]");
	}
	if (nt.offset)
		strbuf_add(out, "+0x", 3);
	nt.head = (u32)(out->len - start);
	start = out->len;
	if (style & STYLE_DSO) {
		strbuf_add(out, " (", 2);
		start_name = out->len;
		strbuf_addname(out, sample_object_name(&st->conf, l));
		if (st->conf.wide_objects)
			strbuf_pad(out, start_name + WIDE_OBJECT);
		strbuf_addch(out, ')');
	}
	nt.tail = (u32)(out->len - start);
	memcpy(out->buf + at, &nt, sizeof(nt));
}

/* Return the PLACE_* conditions that the names of an address fulfil. */
unsigned int sample_place_verdict(struct sample_writer *w, const struct thread_at *at, u8 cpumode,
				  u64 ip)
{
	const struct cached_place *p = cached_place(&w->cache, at, cpumode, STYLE_VERDICT, ip);

	return (unsigned char)*cached_name(&w->cache, p);
}

bool sample_writer_wants(struct sample_writer *w, const struct sample *s, u64 time)
{
	const struct place_filter *f = w->st->conf.places;
	const struct thread_at *at;
	unsigned int v;

	if (!f || !place_filter_any(f))
		return true;
	at = &cached_thread(&w->cache, s->pid, s->tid, time)->at;
	v = sample_place_verdict(w, at, s->cpumode, s->ip);
	return (v & PLACE_DSO) && ((v & PLACE_SYMBOL) || place_filter_addr(f, s->ip));
}

/* Write an address right-aligned in 16 columns. */
static char *put_address(char *p, u64 v)
{
	memset(p, ' ', DIGITS_HEX);
	(void)digits_hex(p + __builtin_clzll(v | 1) / 4, v);
	return p + DIGITS_HEX;
}

/* Most texts are short; CACHED_SLACK bytes can be read and written whatever the length. */
static char *put_text(char *p, const char *text, u32 len)
{
	memcpy(p, text, CACHED_SLACK);
	if (unlikely(len > CACHED_SLACK))
		memcpy(p + CACHED_SLACK, text + CACHED_SLACK, len - CACHED_SLACK);
	return p + len;
}

/*
 * Append the source line of the function itself; where functions were inlined, the line that calls
 * them.
 */
static void put_srcline(struct sample_writer *w, const struct thread_at *at, u8 cpumode,
			enum place_kind kind, const struct cached_place *p, struct strbuf *out)
{
	bool call = w->inlines && kind == PLACE_CALL && p->lines;
	u64 ip = p->ip;
	const struct inlines_at *in =
		w->inlines && kind ? sample_inlines_find(w->inlines, at, cpumode, call, ip) : NULL;
	size_t start = out->len;

	strbuf_addstr(out, "\n  ");
	if (in && in->nr)
		sample_inlines_line(w->inlines, &in->frames[in->nr], out);
	else
		sample_code_srcline(w->code, at, cpumode, ip - call, out);
	if (out->len == start + 3)
		out->len = start;
}

/* Tell whether more of an address than its number is shown. */
bool sample_wants_place(u64 fields)
{
	return fields & (SF_SYM | SF_SYMOFF | SF_DSO | SF_SRCLINE);
}

static unsigned int place_style(u64 fields)
{
	return STYLE_PLAIN | (fields & SF_SYM ? STYLE_SYM : 0) |
	       (fields & SF_SYMOFF ? STYLE_SYMOFF : 0) | (fields & SF_DSO ? STYLE_DSO : 0);
}

/* Append an address that was looked up. For frames, show the address in the object unless told
 * otherwise; for a single sampled address, the one in memory. */
static void put_found(struct sample_writer *w, const struct thread_at *at, u8 cpumode, u64 fields,
		      enum place_kind frame, const struct cached_place *p, struct strbuf *out)
{
	const char *text = cached_name(&w->cache, p);
	u64 ip = p->ip;
	struct name_text nt;
	char *to;

	memcpy(&nt, text, sizeof(nt));
	text += sizeof(nt);
	strbuf_grow(out, nt.head + nt.tail + PLACE_ROOM);
	to = put_address(out->buf + out->len,
			 frame && !w->st->conf.runtime_addresses ? p->addr : ip);
	to = put_text(to, text, nt.head);
	if (nt.offset)
		to = digits_hex(to, p->symoff);
	to = put_text(to, text + nt.head, nt.tail);
	*to = '\0';
	out->len = (size_t)(to - out->buf);
	if (unlikely(fields & SF_DSOFF) && nt.tail && text[nt.head + nt.tail - 2] != ']') {
		out->len--; /* inside the parentheses */
		strbuf_addstr(out, "+0x");
		strbuf_hex(out, p->addr, 1, 0);
		strbuf_addch(out, ')');
	}
	if (unlikely(fields & SF_SRCLINE))
		put_srcline(w, at, cpumode, frame, p, out);
}

void sample_put_place(struct sample_writer *w, const struct thread_at *at, u8 cpumode, u64 fields,
		      enum place_kind frame, u64 ip, struct strbuf *out)
{
	if (!frame && !sample_wants_place(fields))
		strbuf_hex(out, ip, 1, 16);
	else
		put_found(w, at, cpumode, fields, frame,
			  cached_place(&w->cache, at, cpumode, place_style(fields), ip), out);
}

/* Append the functions that were inlined at an entry of a chain, one on each line. */
static void put_inlined(struct sample_writer *w, const struct thread_at *at, u8 cpumode, u64 fields,
			bool call, u64 ip, struct strbuf *out)
{
	const struct inlines_at *in = sample_inlines_find(w->inlines, at, cpumode, call, ip);

	for (u32 i = 0; i < in->nr; i++) {
		strbuf_addch(out, '\t');
		strbuf_hex(out, w->st->conf.runtime_addresses ? ip : in->addr, 1, 16);
		if (fields & SF_SYM) {
			strbuf_addch(out, ' ');
			strbuf_addname(out, in->frames[i].name);
		}
		if ((fields & (SF_SYM | SF_SYMOFF)) == (SF_SYM | SF_SYMOFF)) {
			strbuf_addstr(out, "+0x");
			strbuf_hex(out, in->symoff, 1, 0);
		}
		if (fields & SF_SRCLINE) {
			strbuf_addstr(out, "\n  ");
			sample_inlines_line(w->inlines, &in->frames[i], out);
		}
		strbuf_addstr(out, " (inlined)\n");
	}
}

void sample_put_frame(struct sample_writer *w, const struct thread_at *at, u8 cpumode, u64 fields,
		      enum place_kind frame, u64 ip, struct strbuf *out)
{
	const struct cached_place *p =
		cached_place(&w->cache, at, cpumode, place_style(fields), ip);

	if (w->inlines && p->lines && fields & (SF_SYM | SF_SRCLINE))
		put_inlined(w, at, cpumode, fields, frame == PLACE_CALL, ip, out);
	strbuf_addch(out, '\t');
	put_found(w, at, cpumode, fields, frame, p, out);
	strbuf_addch(out, '\n');
}

/*
 * Return the start of the kernel; 0: unknown. Old recorders wrote a map that begins at 0, and the
 * address of the first symbol.
 */
static u64 kernel_begin(const struct map *kernel)
{
	return kernel->start ? kernel->start : kernel->dso->ref_addr;
}

/* Return the address of a place in its object; for the kernel, relative to its start. */
static u64 object_addr(const struct sample_writer *w, const struct cached_place *p)
{
	const struct machine *m = w->st->conf.machine;
	const struct map *kernel = machine_kernel_map(m), *map;

	if (kernel && p->ip >= kernel_begin(kernel) && p->ip < kernel->end)
		return p->ip - kernel_begin(kernel);
	map = machine_find_map(m, p->epoch, PERF_RECORD_MISC_USER, p->ip);
	if (!map)
		map = machine_find_map(m, p->epoch, PERF_RECORD_MISC_KERNEL, p->ip);
	if (map && (map->dso->kind == DSO_MODULE || map->dso->kind == DSO_PERF_MAP))
		return p->ip - map->start + map->pgoff;
	return p->addr;
}

/*
 * The cpumode of a sample does not apply to branches, but an address below the kernel's start is
 * not in the kernel.
 */
static u8 branch_mode(const struct sample_writer *w, u64 ip)
{
	const struct map *kernel = machine_kernel_map(w->st->conf.machine);

	return kernel && ip < kernel_begin(kernel) && !kernel->start ? PERF_RECORD_MISC_USER
								     : RESOLVE_ANY_MODE;
}

/* Append one end of a branch: address or symbol, and the object. */
static void put_branch_end(struct sample_writer *w, u64 fields, const struct thread_at *at, u64 ip,
			   struct strbuf *out)
{
	bool sym = !(fields & SF_BRSTACK) && (fields & SF_BRSTACKSYM);
	bool in_object = !(fields & SF_BRSTACK) && !sym;
	unsigned int style = STYLE_PLAIN | (sym ? STYLE_SYM | STYLE_SYMOFF : 0) |
			     (fields & SF_DSO ? STYLE_DSO : 0);
	const struct cached_place *p = NULL;
	struct name_text nt = { 0 };
	const char *text = "";

	if (in_object || style != STYLE_PLAIN) {
		p = cached_place(&w->cache, at, branch_mode(w, ip), style, ip);
		text = cached_name(&w->cache, p);
		memcpy(&nt, text, sizeof(nt));
		text += sizeof(nt);
	}
	if (!sym) {
		strbuf_addstr(out, "0x");
		strbuf_hex(out, in_object ? object_addr(w, p) : ip, 1, 0);
	}
	if (nt.head) /* without the leading blank */
		strbuf_add(out, text + 1, nt.head - 1);
	if (nt.offset)
		strbuf_hex(out, p->symoff, 1, 0);
	if (nt.tail)
		strbuf_add(out, text + nt.head + 1, nt.tail - 1);
}

void sample_put_branches(struct sample_writer *w, u64 fields, const struct thread_at *at,
			 const struct sample *s, struct strbuf *out)
{
	bool blank = (fields & SF_BRSTACK) || !(fields & SF_BRSTACKSYM);
	u64 i;

	for (i = 0; i < s->nr_branches; i++) {
		if (blank)
			strbuf_addch(out, ' ');
		put_branch_end(w, fields, at, s->branches[i * 3], out);
		strbuf_addch(out, '/');
		put_branch_end(w, fields, at, s->branches[i * 3 + 1], out);
		branch_flags_text(s->branches[i * 3 + 2], out);
	}
}
