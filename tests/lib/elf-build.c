// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf-build.h"

#include "base/alloc.h"
#include "base/strbuf.h"

enum {
	S_NULL,
	S_TEXT,
	S_DATA,
	S_PLT,
	S_RELA,
	S_SYM,
	S_STR,
	S_DSYM,
	S_DSTR,
	S_NOTE,
	S_LINK,
	S_PACKED,
	S_EH,
	S_SHSTR,
	S_MAX
};

static const char *const names[S_MAX] = {
	"",
	".text",
	".data",
	".plt",
	".rela.plt",
	".symtab",
	".strtab",
	".dynsym",
	".dynstr",
	".note.gnu.build-id",
	".gnu_debuglink",
	".gnu_debugdata",
	".eh_frame_hdr",
	".shstrtab",
};
static const u32 types[S_MAX] = {
	SHT_NULL,     SHT_PROGBITS, SHT_PROGBITS, SHT_PROGBITS, SHT_RELA,
	SHT_SYMTAB,   SHT_STRTAB,   SHT_DYNSYM,   SHT_STRTAB,   SHT_NOTE,
	SHT_PROGBITS, SHT_PROGBITS, SHT_PROGBITS, SHT_STRTAB,
};

#define EH_ADDR(e) ((e)->vaddr + 0xe00)

struct out {
	struct strbuf sb;
	bool swap, is32;
};

static void num(struct out *o, u64 v, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		strbuf_addch(&o->sb, (char)(v >> 8 * (o->swap ? bytes - 1 - i : i)));
}

static void word(struct out *o, u64 v)
{
	num(o, v, o->is32 ? 4 : 8);
}

static void pad_to(struct out *o, size_t len)
{
	while (o->sb.len < len)
		strbuf_addch(&o->sb, '\0');
}

static void put_sym(struct out *o, u32 name, u64 value, u64 size, u8 info, u8 other, u16 shndx)
{
	num(o, name, 4);
	if (o->is32) {
		num(o, value, 4);
		num(o, size, 4);
	}
	num(o, info, 1);
	num(o, other, 1);
	num(o, shndx, 2);
	if (!o->is32) {
		num(o, value, 8);
		num(o, size, 8);
	}
}

static u16 section_of(u16 shndx)
{
	switch (shndx) {
	case 0:
		return S_TEXT;
	case EB_UNDEF:
		return SHN_UNDEF;
	case EB_NOTE:
		return S_NOTE;
	case EB_DATA:
		return S_DATA;
	default:
		return shndx;
	}
}

static void put_syms(struct out *syms, struct strbuf *strs, const struct eb_sym *v, size_t nr)
{
	size_t i;

	put_sym(syms, 0, 0, 0, 0, 0, 0);
	strbuf_addch(strs, '\0');
	for (i = 0; i < nr; i++) {
		put_sym(syms, (u32)strs->len, v[i].value, v[i].size,
			(u8)(v[i].bind << 4 | v[i].type), v[i].visibility, section_of(v[i].shndx));
		strbuf_add(strs, v[i].name, strlen(v[i].name) + 1);
	}
}

static void build_plt(const struct eb *e, struct out *rela, struct out *dsym, struct strbuf *dstr,
		      size_t first)
{
	size_t i;

	for (i = 0; e->plt && e->plt[i]; i++) {
		size_t sym = *e->plt[i] ? first + i : 0;

		put_sym(dsym, (u32)dstr->len, 0, 0, STB_GLOBAL << 4 | STT_FUNC, 0, SHN_UNDEF);
		strbuf_add(dstr, e->plt[i], strlen(e->plt[i]) + 1);
		word(rela, 0x3000 + i * 8);
		word(rela, e->is32 ? sym << 8 | 7 : (u64)sym << 32 | 7);
		word(rela, 0);
	}
}

/* Addresses behind that of the section, each with one of its unwind information. */
static void build_eh(const struct eb *e, struct out *o)
{
	size_t nr = 0, i;

	while (e->functions && e->functions[nr])
		nr++;
	if (!nr)
		return;
	strbuf_add(&o->sb, "\x01\x1b\x03\x3b", 4);
	num(o, 0, 4);
	num(o, nr, 4);
	for (i = 0; i < nr; i++) {
		num(o, e->functions[i] - EH_ADDR(e), 4);
		num(o, 0, 4);
	}
}

static void build_sections(const struct eb *e, struct out s[S_MAX])
{
	size_t i, nr_plt = 0;

	for (i = 0; i < S_MAX; i++)
		s[i] = (struct out){ STRBUF_INIT, e->swap, e->is32 };
	put_syms(&s[e->dynsym ? S_DSYM : S_SYM], &s[e->dynsym ? S_DSTR : S_STR].sb, e->syms,
		 e->nr_syms);
	if (e->plt) {
		if (!e->dynsym)
			put_syms(&s[S_DSYM], &s[S_DSTR].sb, NULL, 0);
		build_plt(e, &s[S_RELA], &s[S_DSYM], &s[S_DSTR].sb, e->dynsym ? e->nr_syms + 1 : 1);
		while (e->plt[nr_plt])
			nr_plt++;
		pad_to(&s[S_PLT], (nr_plt + 1) * 16);
	}
	pad_to(&s[S_DATA], 16);
	if (e->build_id_size) {
		num(&s[S_NOTE], 4, 4);
		num(&s[S_NOTE], e->build_id_size, 4);
		num(&s[S_NOTE], NT_GNU_BUILD_ID, 4);
		strbuf_add(&s[S_NOTE].sb, "GNU", 4);
		strbuf_add(&s[S_NOTE].sb, e->build_id, e->build_id_size);
		pad_to(&s[S_NOTE], ALIGN_UP(s[S_NOTE].sb.len, 4));
	}
	if (e->debuglink) {
		strbuf_add(&s[S_LINK].sb, e->debuglink, strlen(e->debuglink) + 1);
		pad_to(&s[S_LINK], ALIGN_UP(s[S_LINK].sb.len, 4) + 4);
	}
	if (e->debugdata)
		strbuf_add(&s[S_PACKED].sb, e->debugdata, e->debugdata_size);
	build_eh(e, &s[S_EH]);
}

static void put_header(const struct eb *e, struct out *o, u64 shoff)
{
	strbuf_add(&o->sb, ELFMAG, SELFMAG);
	num(o, e->is32 ? ELFCLASS32 : ELFCLASS64, 1);
	num(o, (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != e->swap ? ELFDATA2LSB : ELFDATA2MSB,
	    1);
	num(o, 1, 1);
	pad_to(o, EI_NIDENT);
	num(o, e->type ? e->type : ET_DYN, 2);
	num(o, e->machine ? e->machine : EM_X86_64, 2);
	num(o, 1, 4);
	word(o, e->vaddr);
	word(o, e->is32 ? 52 : 64);
	word(o, shoff);
	num(o, 0, 4);
	num(o, e->is32 ? 52 : 64, 2);
	num(o, e->is32 ? 32 : 56, 2);
	num(o, 1, 2);
	num(o, e->is32 ? 40 : 64, 2);
	num(o, S_MAX, 2);
	num(o, S_SHSTR, 2);
	/* The one segment. */
	num(o, PT_LOAD, 4);
	if (!e->is32)
		num(o, PF_R | PF_X, 4);
	word(o, e->debug_only ? 0 : 0x1000);
	word(o, e->vaddr);
	word(o, e->vaddr);
	word(o, e->debug_only ? 0 : 0x1000);
	word(o, 0x1000);
	if (e->is32)
		num(o, PF_R | PF_X, 4);
	word(o, 0x1000);
}

static u64 section_addr(const struct eb *e, int i)
{
	if (i == S_TEXT)
		return e->vaddr;
	if (i == S_PLT)
		return e->vaddr + 0x800;
	if (i == S_EH)
		return EH_ADDR(e);
	return i == S_DATA ? e->vaddr + 0xf00 : 0;
}

u8 *eb_build(const struct eb *e, size_t *size)
{
	struct out o = { STRBUF_INIT, e->swap, e->is32 }, s[S_MAX];
	size_t off[S_MAX] = { 0 }, at = 0x2000, names_at[S_MAX], i, len;
	u8 *bytes;

	build_sections(e, s);
	for (i = 0; i < S_MAX; i++) {
		names_at[i] = s[S_SHSTR].sb.len;
		strbuf_add(&s[S_SHSTR].sb, names[i], strlen(names[i]) + 1);
	}
	off[S_TEXT] = 0x1000;
	for (i = S_DATA; i < S_MAX; i++) {
		off[i] = at;
		at += ALIGN_UP(s[i].sb.len, 8);
	}
	off[S_PLT] = 0x1800;
	put_header(e, &o, at);
	pad_to(&o, 0x2000);
	for (i = S_DATA; i < S_MAX; i++) {
		if (i != S_PLT) {
			pad_to(&o, off[i]);
			strbuf_add(&o.sb, strbuf_str(&s[i].sb), s[i].sb.len);
		}
	}
	pad_to(&o, at);
	for (i = 0; i < S_MAX; i++) {
		bool alloc = i == S_TEXT || i == S_DATA || i == S_PLT;
		bool sym = i == S_SYM || i == S_DSYM;

		len = i == S_TEXT ? 0x1000 : s[i].sb.len;
		num(&o, names_at[i], 4);
		num(&o,
		    !len && i != S_SHSTR           ? SHT_NULL
		    : i == S_TEXT && e->debug_only ? SHT_NOBITS
						   : types[i],
		    4);
		word(&o, alloc ? SHF_ALLOC : 0);
		word(&o, section_addr(e, (int)i));
		word(&o, off[i]);
		word(&o, len);
		num(&o, i == S_SYM ? S_STR : i == S_DSYM ? S_DSTR : i == S_RELA ? S_DSYM : 0, 4);
		num(&o, 0, 4);
		word(&o, i == S_NOTE ? 4 : 8); /* notes are padded to their alignment */
		word(&o, sym ? (e->is32 ? 16 : 24) : i == S_RELA ? (e->is32 ? 12 : 24) : 0);
	}
	for (i = 0; i < S_MAX; i++)
		strbuf_release(&s[i].sb);
	*size = o.sb.len;
	bytes = xmalloc(o.sb.len + 1);
	memcpy(bytes, o.sb.buf, o.sb.len);
	strbuf_release(&o.sb);
	return bytes;
}

void eb_write(const struct eb *e, const char *path)
{
	size_t size;
	u8 *bytes = eb_build(e, &size);

	file_write(path, bytes, size);
	free(bytes);
}
