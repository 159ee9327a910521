// SPDX-License-Identifier: GPL-2.0-or-later
/* Make an ELF file of the jitdump records of one function. Debug information is DWARF 2, which
 * everybody reads. */
#include "base/compat.h"

#include "jit/jit-image.h"

#include "arch/elf.h"
#include "base/alloc.h"
#include "base/cur.h"
#include "base/hash.h"
#include "jit/elf-write.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* DWARF numbers used here. */
#define DW_TAG_COMPILE_UNIT 0x11
#define DW_TAG_SUBPROGRAM 0x2e
#define DW_AT_NAME 0x03
#define DW_AT_STMT_LIST 0x10
#define DW_AT_LOW_PC 0x11
#define DW_AT_HIGH_PC 0x12
#define DW_FORM_ADDR 0x01
#define DW_FORM_DATA4 0x06
#define DW_FORM_STRING 0x08
#define DW_LNS_COPY 1
#define DW_LNS_ADVANCE_PC 2
#define DW_LNS_ADVANCE_LINE 3
#define DW_LNS_SET_FILE 4
#define DW_LNE_END_SEQUENCE 1
#define DW_LNE_SET_ADDRESS 2

void jit_image_reset(struct jit_image *im)
{
	strbuf_reset(&im->name);
	strbuf_reset(&im->code);
	strbuf_reset(&im->frame);
	strbuf_reset(&im->files);
	im->frame_index_size = im->nr_lines = 0;
	im->frame_mapped = 0;
}

void jit_image_release(struct jit_image *im)
{
	strbuf_release(&im->name);
	strbuf_release(&im->code);
	strbuf_release(&im->frame);
	strbuf_release(&im->files);
	free(im->lines);
	*im = (struct jit_image){ 0 };
}

/* ---- records ---- */

/* The bytes 0xff 0 stand for the name before. */
static u32 file_offset(struct jit_image *im, const char *name, size_t len)
{
	u32 last = im->nr_lines ? im->lines[im->nr_lines - 1].file : 0, at = (u32)im->files.len;

	if (im->nr_lines && (!strcmp(name, "\xff") || !strcmp(name, im->files.buf + last)))
		return last;
	strbuf_add(&im->files, name, len + 1);
	return at;
}

static void add_lines(struct jit_image *im, struct jitdump *d, const struct jit_record *r)
{
	size_t size = (size_t)(r->offset + r->size - r->body_at);
	const u8 *p = jitdump_bytes(d, r->body_at, size);
	struct cur c = cur_make(p ? p : (const u8 *)"", p ? size : 0, d->swap);
	u64 i;

	im->nr_lines = 0;
	strbuf_reset(&im->files);
	for (i = 0; i < r->nr_lines; i++) {
		struct jit_line l = { .addr = cur_u64(&c), .line = cur_u32(&c) };
		const char *name;
		size_t len;

		cur_skip(&c, 4);
		len = strnlen((const char *)c.p, cur_left(&c));
		name = cur_str(&c, len + 1);
		if (!name)
			return; /* what came before it stands */
		l.file = file_offset(im, name, len);
		VEC_GROW(im->lines, im->nr_lines + 1, im->cap_lines);
		im->lines[im->nr_lines++] = l;
	}
}

static void add_frame(struct jit_image *im, struct jitdump *d, const struct jit_record *r)
{
	const u8 *p = jitdump_bytes(d, r->body_at, (size_t)r->frame_size);

	strbuf_reset(&im->frame);
	if (!p)
		return;
	strbuf_add(&im->frame, p, (size_t)r->frame_size);
	im->frame_index_size = (size_t)r->frame_index_size;
	im->frame_mapped = r->frame_mapped;
}

/* Equal functions have equal ids. */
static void make_build_id(struct jit_image *im)
{
	u64 h = hash_bytes(im->code.buf, im->code.len);
	u64 n = hash_bytes(im->name.buf, im->name.len);
	u64 words[3] = { h, hash_mix(h, n), hash_mix(n, h ^ im->machine) };

	memcpy(im->build_id, words, sizeof(im->build_id));
}

bool jit_image_add(struct jit_image *im, struct jitdump *d, const struct jit_record *r)
{
	const u8 *p;

	if (r->id == JIT_CODE_DEBUG_INFO)
		add_lines(im, d, r);
	if (r->id == JIT_CODE_UNWINDING_INFO)
		add_frame(im, d, r);
	if (r->id != JIT_CODE_LOAD)
		return false;
	im->machine = d->machine;
	im->swap = d->swap;
	im->addr = r->addr;
	strbuf_reset(&im->name);
	strbuf_addstr(&im->name, r->name);
	strbuf_reset(&im->code);
	p = jitdump_bytes(d, r->code_at, (size_t)r->code_size);
	if (!p)
		return false;
	strbuf_add(&im->code, p, (size_t)r->code_size);
	make_build_id(im);
	return true;
}

u64 jit_image_span(const struct jit_image *im)
{
	return im->frame.len ? jit_frames_at(im->code.len) - JIT_CODE_OFFSET + im->frame_mapped
			     : im->code.len;
}

/* ---- debug information ---- */

static void put8(struct strbuf *out, u8 v)
{
	strbuf_addch(out, (char)v);
}

static void put16(const struct jit_image *im, struct strbuf *out, u16 v)
{
	v = im->swap ? __builtin_bswap16(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

static void put32(const struct jit_image *im, struct strbuf *out, u32 v)
{
	v = im->swap ? __builtin_bswap32(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

static void put_addr(const struct jit_image *im, struct strbuf *out, u64 v)
{
	if (arch_elf_of(im->machine)->narrow) {
		put32(im, out, (u32)v);
		return;
	}
	v = im->swap ? __builtin_bswap64(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

static void put_uleb(struct strbuf *out, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		put8(out, (u8)(v | 0x80));
	put8(out, (u8)v);
}

static void put_sleb(struct strbuf *out, s64 v)
{
	for (; v < -64 || v > 63; v >>= 7)
		put8(out, (u8)(v | 0x80));
	put8(out, (u8)(v & 0x7f));
}

/* A length that is known when what it counts has been written. */
static void patch_length(const struct jit_image *im, struct strbuf *out, size_t at)
{
	u32 v = (u32)(out->len - at - 4);

	v = im->swap ? __builtin_bswap32(v) : v;
	memcpy(out->buf + at, &v, sizeof(v));
}

/* Find where a line's code is in the image. Return: false when it is not of this function. */
static bool image_addr(const struct jit_image *im, u64 addr, u64 *out)
{
	*out = addr - im->addr + JIT_CODE_OFFSET;
	return addr >= im->addr && addr - im->addr < im->code.len;
}

/* Write the file names, each once. @number: by offset in files */
static void put_files(const struct jit_image *im, struct map64 *number, struct strbuf *out)
{
	struct map64 by_text = { 0 };
	u32 nr = 0;

	for (size_t i = 0; i < im->nr_lines; i++) {
		const char *name = im->files.buf + im->lines[i].file;
		u32 *slot = map64_slot(&by_text, hash_bytes(name, strlen(name)));

		if (*slot == MAP64_NONE) {
			*slot = ++nr;
			strbuf_add(out, name, strlen(name) + 1);
			strbuf_add(out, "\0\0", 3); /* folder, time, size: none */
		}
		map64_set(number, im->lines[i].file, *slot);
	}
	put8(out, 0);
	map64_release(&by_text);
}

static void put_set_address(const struct jit_image *im, struct strbuf *out, u64 addr)
{
	put8(out, 0);
	put_uleb(out, arch_elf_of(im->machine)->narrow ? 5 : 9);
	put8(out, DW_LNE_SET_ADDRESS);
	put_addr(im, out, addr);
}

static void put_program(const struct jit_image *im, const struct map64 *number, struct strbuf *out)
{
	u64 at = JIT_CODE_OFFSET, addr;
	u32 line = 1, file = 1;

	put_set_address(im, out, at);
	for (size_t i = 0; i < im->nr_lines; i++) {
		const struct jit_line *l = &im->lines[i];
		u32 n = map64_get(number, l->file);

		if (!image_addr(im, l->addr, &addr))
			continue;
		if (addr < at)
			put_set_address(im, out, addr);
		if (addr > at) {
			put8(out, DW_LNS_ADVANCE_PC);
			put_uleb(out, addr - at);
		}
		if (n != file) {
			put8(out, DW_LNS_SET_FILE);
			put_uleb(out, n);
		}
		if (l->line != line) {
			put8(out, DW_LNS_ADVANCE_LINE);
			put_sleb(out, (s64)l->line - line);
		}
		put8(out, DW_LNS_COPY);
		at = addr;
		line = l->line;
		file = n;
	}
	put8(out, DW_LNS_ADVANCE_PC);
	put_uleb(out, JIT_CODE_OFFSET + im->code.len - at);
	put8(out, 0);
	put8(out, 1);
	put8(out, DW_LNE_END_SEQUENCE);
}

static void line_section(const struct jit_image *im, struct strbuf *out)
{
	static const u8 operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1 };
	struct map64 number = { 0 };
	size_t header;

	put32(im, out, 0);
	put16(im, out, 2);
	header = out->len;
	put32(im, out, 0);
	put8(out, 1);      /* shortest instruction */
	put8(out, 1);      /* every place is the start of a statement */
	put8(out, (u8)-1); /* special opcodes, which are not used: from this many lines on */
	put8(out, 4);      /* for so many */
	put8(out, sizeof(operands) + 1);
	strbuf_add(out, operands, sizeof(operands));
	put8(out, 0); /* no folders */
	put_files(im, &number, out);
	patch_length(im, out, header);
	put_program(im, &number, out);
	patch_length(im, out, 0);
	map64_release(&number);
}

static void abbrev_section(struct strbuf *out)
{
	static const u8 table[] = {
		1,
		DW_TAG_COMPILE_UNIT,
		1, /* with children */
		DW_AT_NAME,
		DW_FORM_STRING,
		DW_AT_STMT_LIST,
		DW_FORM_DATA4,
		DW_AT_LOW_PC,
		DW_FORM_ADDR,
		DW_AT_HIGH_PC,
		DW_FORM_ADDR,
		0,
		0,
		2,
		DW_TAG_SUBPROGRAM,
		0,
		DW_AT_NAME,
		DW_FORM_STRING,
		DW_AT_LOW_PC,
		DW_FORM_ADDR,
		DW_AT_HIGH_PC,
		DW_FORM_ADDR,
		0,
		0,
		0,
	};

	strbuf_add(out, table, sizeof(table));
}

static void info_section(const struct jit_image *im, struct strbuf *out)
{
	u64 end = JIT_CODE_OFFSET + im->code.len;

	put32(im, out, 0);
	put16(im, out, 2);
	put32(im, out, 0); /* the table of abbreviations */
	put8(out, arch_elf_of(im->machine)->narrow ? 4 : 8);
	put8(out, 1);
	strbuf_add(out, im->files.buf, strlen(im->files.buf) + 1);
	put32(im, out, 0); /* the line table */
	put_addr(im, out, JIT_CODE_OFFSET);
	put_addr(im, out, end);
	put8(out, 2);
	strbuf_add(out, im->name.buf, im->name.len + 1);
	put_addr(im, out, JIT_CODE_OFFSET);
	put_addr(im, out, end);
	put8(out, 0);
	patch_length(im, out, 0);
}

/* ---- the file ---- */

#define MAX_SECTIONS 9

struct parts {
	struct elf_new_section v[MAX_SECTIONS];
	struct elf_new_segment segments[2];
	struct strbuf note, strings, line, info, abbrev;
	Elf64_Sym syms[2];
	struct elf_new elf;
};

static void add_section(struct parts *p, const char *name, u32 type, const void *data, size_t size)
{
	p->v[p->elf.nr_sections++] = (struct elf_new_section){
		.name = name, .type = type, .data = data, .size = size, .align = 1
	};
}

static void add_loaded(struct parts *p, const char *name, u64 flags, u64 addr, u32 align,
		       const void *data, size_t size)
{
	struct elf_new_section *s = &p->v[p->elf.nr_sections];

	add_section(p, name, SHT_PROGBITS, data, size);
	s->flags = SHF_ALLOC | flags;
	s->addr = addr;
	s->align = align;
}

static void add_code(const struct jit_image *im, struct parts *p)
{
	size_t frame = im->frame.len - im->frame_index_size, n = 0;
	u64 at = jit_frames_at(im->code.len), end = JIT_CODE_OFFSET + im->code.len;

	add_loaded(p, ".text", SHF_EXECINSTR, JIT_CODE_OFFSET, 16, im->code.buf, im->code.len);
	if (frame) {
		add_loaded(p, ".eh_frame", 0, at, 8, im->frame.buf, frame);
		end = at + frame;
	}
	if (frame && im->frame_index_size) {
		/* It refers to .eh_frame by the distance the two have in memory. */
		add_loaded(p, ".eh_frame_hdr", 0, end, end % 4 ? 1 : 4, im->frame.buf + frame,
			   im->frame_index_size);
		p->segments[1] = (struct elf_new_segment){ PT_GNU_EH_FRAME, PF_R, end,
							   im->frame_index_size };
		n = 1;
		end += im->frame_index_size;
	}
	p->segments[0] = (struct elf_new_segment){ PT_LOAD, PF_R | PF_X, JIT_CODE_OFFSET,
						   end - JIT_CODE_OFFSET };
	p->elf.nr_segments = n + 1;
}

static void add_symbol(const struct jit_image *im, struct parts *p)
{
	struct elf_new_section *s = &p->v[p->elf.nr_sections];

	add_section(p, ".symtab", SHT_SYMTAB, NULL, 0);
	s->align = 8;
	s->link = (u32)p->elf.nr_sections + 1;
	s->info = 2; /* local ones */
	s->syms = p->syms;
	s->nr_syms = 2;
	p->syms[1] = (Elf64_Sym){ .st_name = 1,
				  .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
				  .st_shndx = 1,
				  .st_value = JIT_CODE_OFFSET,
				  .st_size = im->code.len };
	strbuf_addch(&p->strings, '\0');
	strbuf_add(&p->strings, strbuf_str(&im->name), im->name.len + 1);
	add_section(p, ".strtab", SHT_STRTAB, p->strings.buf, p->strings.len);
}

static void add_note(const struct jit_image *im, struct parts *p)
{
	put32(im, &p->note, 4);
	put32(im, &p->note, sizeof(im->build_id));
	put32(im, &p->note, NT_GNU_BUILD_ID);
	strbuf_add(&p->note, "GNU", 4);
	strbuf_add(&p->note, im->build_id, sizeof(im->build_id));
	add_section(p, ".note.gnu.build-id", SHT_NOTE, p->note.buf, p->note.len);
	p->v[p->elf.nr_sections - 1].align = 4;
	p->v[p->elf.nr_sections - 1].flags = SHF_ALLOC;
}

static void add_debug(const struct jit_image *im, struct parts *p)
{
	if (!im->nr_lines)
		return;
	line_section(im, &p->line);
	info_section(im, &p->info);
	abbrev_section(&p->abbrev);
	add_section(p, ".debug_line", SHT_PROGBITS, p->line.buf, p->line.len);
	add_section(p, ".debug_info", SHT_PROGBITS, p->info.buf, p->info.len);
	add_section(p, ".debug_abbrev", SHT_PROGBITS, p->abbrev.buf, p->abbrev.len);
}

static int write_image(const struct jit_image *im, int fd, struct err *err)
{
	struct parts p = { .elf = { .machine = (u16)im->machine,
				    .is32 = arch_elf_of(im->machine)->narrow,
				    .swap = im->swap,
				    .entry = JIT_CODE_OFFSET } };
	int ret;

	p.elf.sections = p.v;
	p.elf.segments = p.segments;
	add_code(im, &p);
	add_symbol(im, &p);
	add_note(im, &p);
	add_debug(im, &p);
	ret = elf_write(fd, &p.elf, err);
	strbuf_release(&p.note);
	strbuf_release(&p.strings);
	strbuf_release(&p.line);
	strbuf_release(&p.info);
	strbuf_release(&p.abbrev);
	return ret;
}

bool jit_image_elsewhere(const struct jit_image *im, const char *path)
{
	u8 id[20];
	int size = elf_build_id(path, id);

	return size > 0 && (size != sizeof(im->build_id) || memcmp(id, im->build_id, (size_t)size));
}

/* Write the image beside its place, then rename it, so that a file or link that somebody has put
 * there is not written to. */
int jit_image_write(const struct jit_image *im, const char *path, struct stat *st, struct err *err)
{
	char *tmp = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(tmp, O_CLOEXEC), ret;
	struct strbuf shown = STRBUF_INIT;

	if (fd < 0) {
		ret = err_set(err, -errno, "%s", err_str(-errno));
	} else {
		ret = write_image(im, fd, err);
		if (!ret && (fchmod(fd, 0644) || fstat(fd, st) || rename(tmp, path)))
			ret = err_set(err, -errno, "%s", err_str(-errno));
		close(fd);
		if (ret)
			unlink(tmp);
	}
	if (ret) {
		strbuf_addname(&shown, path);
		err_prefix(err, "cannot write '%s'", strbuf_str(&shown));
		strbuf_release(&shown);
	}
	free(tmp);
	return ret;
}
