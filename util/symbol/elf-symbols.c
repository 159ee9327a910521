// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols out of an ELF image: functions, objects and the labels of code sections, with their
 * addresses as offsets into the file, which is what mmap records speak of.
 */
#include "base/compat.h"

#include "arch/elf.h"
#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <unistd.h>

/* Section .gnu_debuglink has a base name, zero-terminated, then a checksum. */
const char *elf_image_debuglink(const struct elf_image *e)
{
	const struct elf_section *s = elf_image_section(e, ".gnu_debuglink");
	size_t len;
	const u8 *bytes = s ? elf_image_bytes(e, s, &len) : NULL;

	if (!bytes || !memchr(bytes, 0, len) || !*bytes ||
	    memchr(bytes, '/', strlen((const char *)bytes)))
		return NULL;
	return (const char *)bytes;
}

u64 elf_image_file_addr(const struct elf_image *e, u64 vaddr)
{
	u32 i;

	for (i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *p = &e->segments[i];

		if (p->type == PT_LOAD && vaddr >= p->vaddr && vaddr - p->vaddr < p->memsz)
			return vaddr - p->vaddr + p->offset;
	}
	return vaddr;
}

u64 elf_image_vaddr(const struct elf_image *e, u64 offset)
{
	for (u32 i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *p = &e->segments[i];

		if (p->type == PT_LOAD && offset >= p->offset && offset - p->offset < p->filesz)
			return offset - p->offset + p->vaddr;
	}
	return offset;
}

/* Find the build-id in the first bytes of a file of 64 bits in our byte order. Return: its size; 0:
 * it is not among them. */
static int head_build_id(const u8 *head, size_t len, u8 id[20])
{
	static const u8 native = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	int ret = 0;

	if (len < sizeof(eh))
		return 0;
	memcpy(&eh, head, sizeof(eh));
	if (memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != native || eh.e_phentsize != sizeof(ph) || eh.e_phoff > len)
		return 0;
	for (size_t i = 0; ret <= 0 && i < eh.e_phnum; i++) {
		if ((len - eh.e_phoff) / sizeof(ph) <= i)
			return 0;
		memcpy(&ph, head + eh.e_phoff + i * sizeof(ph), sizeof(ph));
		if (ph.p_type == PT_NOTE && ph.p_offset <= len && ph.p_filesz <= len - ph.p_offset)
			ret = note_build_id(head + ph.p_offset, ph.p_filesz, id);
	}
	return MAX(ret, 0);
}

/* Most files have their build-id in their first page, which is read faster than a file is mapped.
 * Return: as head_build_id(). */
static int read_head(const char *path, u8 id[20])
{
	u8 head[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len;

	if (fd < 0)
		return 0;
	len = pread(fd, head, sizeof(head), 0);
	close(fd);
	return len > 0 ? head_build_id(head, (size_t)len, id) : 0;
}

int elf_build_id(const char *path, u8 id[20])
{
	struct elf_image e;
	int ret = read_head(path, id);

	if (ret)
		return ret;
	ret = elf_image_open(&e, path);
	if (ret)
		return ret;
	ret = elf_image_build_id(&e, id);
	elf_image_release(&e);
	return ret;
}

bool elf_image_symbols_in(const struct elf_image *e, struct elf_symtab *t)
{
	return elf_image_symtab(e, SHT_SYMTAB, t) || elf_image_dynsym(e, t);
}

bool elf_image_dynsym(const struct elf_image *e, struct elf_symtab *t)
{
	if (!elf_image_symtab(e, SHT_DYNSYM, t))
		return false;
	eh_table_read(&t->eh, e);
	return true;
}

bool elf_image_has_symtab(const struct elf_image *e)
{
	struct elf_symtab t;

	return elf_image_symtab(e, SHT_SYMTAB, &t);
}

/* Tell whether labels in a section count: in those of code and data, by their names. */
static bool label_section(const struct elf_image *e, u16 shndx)
{
	const char *name;

	if (shndx >= e->nr_sections)
		return false;
	name = e->sections[shndx].name;
	return strstr(name, "text") || strstr(name, "data");
}

/* Tell whether a symbol only marks code and data for disassemblers: $a, $t, $d on Arm, $x, $d on
 * AArch64. */
static bool mapping_symbol(const struct arch_elf *elf, const char *name, size_t len)
{
	if (!elf->marks)
		return false;
	return len >= 2 && name[0] == '$' && strchr(elf->marks, name[1]) &&
	       (len == 2 || name[2] == '.' || elf->marks_any_tail);
}

static bool wanted(const struct elf_image *e, const struct elf_sym *s)
{
	u8 type = ELF64_ST_TYPE(s->info), visibility = ELF64_ST_VISIBILITY(s->other);

	/* Absolute ones (names of symbol versions) are no places in the file. */
	if (s->shndx == SHN_UNDEF || s->shndx == SHN_ABS || s->shndx == SHN_COMMON)
		return false;
	/* Nor is what lies in a section that is not loaded. */
	if (s->shndx < e->nr_sections && !(e->sections[s->shndx].flags & SHF_ALLOC))
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	return type == STT_NOTYPE && visibility != STV_INTERNAL && visibility != STV_HIDDEN &&
	       label_section(e, s->shndx);
}

static u8 binding_letter(u8 info)
{
	switch (ELF64_ST_BIND(info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return 'g';
	case STB_WEAK:
		return 'w';
	default:
		return 'l';
	}
}

/* Addresses of relocatable objects are offsets into their section. */
static u64 file_addr(const struct elf_image *syms, const struct elf_image *layout,
		     const struct elf_sym *s)
{
	if (syms->type == ET_REL && s->shndx < syms->nr_sections)
		return s->value + syms->sections[s->shndx].offset;
	return elf_image_file_addr(layout, s->value);
}

static void put_place(struct sym_new *out, u64 start, u64 size)
{
	out->start = start;
	out->end = start + size < start ? start : start + size;
}

void elf_symbol_place(const struct elf_image *e, const struct elf_image *layout,
		      const struct elf_sym *sym, struct sym_new *out)
{
	struct elf_sym s = *sym;

	if (e->arch->thumb && (s.value & 1) && ELF64_ST_TYPE(s.info) == STT_FUNC)
		s.value--;
	*out = (struct sym_new){ .binding = binding_letter(s.info), .type = ELF64_ST_TYPE(s.info) };
	put_place(out, layout ? file_addr(e, layout, &s) : s.value, s.size);
}

/* Return the length of a name, which ends with the string table at the latest. */
static size_t name_len(const struct elf_symtab *t, const char *name)
{
	return strnlen(name, t->strs_len - (size_t)(name - t->strs));
}

bool elf_symbol(const struct elf_image *e, const struct elf_image *layout,
		const struct elf_symtab *t, size_t i, struct sym_new *out)
{
	const char *name;
	struct elf_sym s;

	elf_symtab_entry(t, i, &s);
	if (!wanted(e, &s) || s.name_at >= t->strs_len)
		return false;
	name = t->strs + s.name_at;
	if (!*name || (*name == '$' && mapping_symbol(e->arch, name, name_len(t, name))))
		return false;
	elf_symbol_place(e, layout, &s, out);
	out->name = name;
	if (!s.size && t->eh.nr)
		out->room = eh_table_room(&t->eh, s.value);
	return true;
}

size_t elf_image_symbols(const struct elf_image *e, const struct elf_image *layout, bool keep_addr,
			 u64 delta, struct sym_list *out)
{
	size_t i, before = out->nr;
	struct elf_symtab t;
	struct sym_new s;

	if (!elf_image_symbols_in(e, &t))
		return 0;
	for (i = 1; i < t.nr; i++) {
		if (!elf_symbol(e, keep_addr ? NULL : layout, &t, i, &s))
			continue;
		if (keep_addr)
			put_place(&s, s.start + delta, s.end - s.start);
		sym_list_add(out, s.start, s.end, s.name, name_len(&t, s.name), s.binding, s.type);
		out->v[out->nr - 1].room = s.room;
	}
	return out->nr - before;
}

/* Tell whether a symbol has a name of @len bytes. The last one may lack its zero byte. */
static bool has_name(const struct elf_symtab *t, const struct elf_sym *s, const char *name,
		     size_t len)
{
	const char *own = t->strs + s->name_at;
	size_t left;

	if (s->name_at >= t->strs_len)
		return false;
	left = t->strs_len - s->name_at;
	return left >= len && !memcmp(own, name, len) && (left == len || !own[len]);
}

bool elf_image_find(const struct elf_image *e, const char *name, u64 *value)
{
	size_t i, want = strlen(name);
	struct elf_symtab t;

	if (!want || !elf_image_symtab(e, SHT_SYMTAB, &t))
		return false;
	for (i = 1; i < t.nr; i++) {
		struct elf_sym s;

		elf_symtab_entry(&t, i, &s);
		if (s.shndx != SHN_UNDEF && has_name(&t, &s, name, want)) {
			*value = s.value;
			return true;
		}
	}
	return false;
}

/* ---- PLT ---- */

/* Return the name of a PLT entry's function; "" for an indirect function of the object itself. */
const char *elf_plt_name(const struct elf_symtab *t, u32 sym, size_t *len)
{
	struct elf_sym s;

	*len = 0;
	if (!sym)
		return "";
	if (sym >= t->nr)
		return NULL;
	elf_symtab_get(t, sym, &s);
	*len = s.name_len;
	return s.name;
}

/* ---- relocations ---- */

/* The bytes of a section that is relocated. */
struct relocated {
	const struct elf_image *e;
	u8 *bytes;
	size_t len;
};

/* Return how many bytes a relocation puts an address into; 0: it is of another kind. */
static u64 address_size(const struct arch_elf *a, u32 type)
{
	if (!type)
		return 0;
	return type == a->reloc_long ? 8 : type == a->reloc_word ? 4 : 0;
}

/* Put a number in the byte order of the file; what the place has is added to it if @add is set. */
static void put_number(const struct relocated *r, u64 offset, u64 size, u64 value, bool add)
{
	u32 word;
	u64 whole;

	if (size == 4) {
		memcpy(&word, r->bytes + offset, sizeof(word));
		word = (r->e->swap ? __builtin_bswap32(word) : word) * add + (u32)value;
		word = r->e->swap ? __builtin_bswap32(word) : word;
		memcpy(r->bytes + offset, &word, sizeof(word));
		return;
	}
	memcpy(&whole, r->bytes + offset, sizeof(whole));
	whole = (r->e->swap ? __builtin_bswap64(whole) : whole) * add + value;
	whole = r->e->swap ? __builtin_bswap64(whole) : whole;
	memcpy(r->bytes + offset, &whole, sizeof(whole));
}

static void relocate_by(const struct relocated *to, const struct elf_section *rel,
			const struct elf_symtab *t, const u64 *at)
{
	struct elf_reloc r;
	struct elf_sym s;

	for (size_t i = 0; elf_image_reloc(to->e, rel, i, &r); i++) {
		u64 size = address_size(to->e->arch, r.type), value;

		if (!size || r.sym >= t->nr || to->len < size || r.offset > to->len - size)
			continue;
		elf_symtab_entry(t, r.sym, &s);
		value = s.value + r.addend + (s.shndx < to->e->nr_sections ? at[s.shndx] : 0);
		put_number(to, r.offset, size, value, r.in_place);
	}
}

void elf_image_relocate(const struct elf_image *e, const struct elf_section *s, u8 *bytes,
			size_t len, const u64 *at)
{
	const struct relocated to = { e, bytes, len };
	u32 number = (u32)(s - e->sections);
	struct elf_symtab t;

	if (!elf_image_symtab(e, SHT_SYMTAB, &t))
		return;
	for (u32 i = 1; i < e->nr_sections; i++) {
		const struct elf_section *rel = &e->sections[i];

		if ((rel->type == SHT_RELA || rel->type == SHT_REL) && rel->info == number)
			relocate_by(&to, rel, &t, at);
	}
}

/* ---- entries of the PLT ---- */

/* Call @fn for the entries of one section, in the order of their relocations. */
static void plt_section(const struct elf_image *e, const struct elf_section *plt, u64 header,
			u64 entry, const struct elf_section *rel, const struct elf_symtab *t,
			plt_fn fn, void *ctx)
{
	u64 addr = elf_image_file_addr(e, plt->addr) + header;
	struct elf_reloc r;
	size_t i, nr, name_len;

	if (plt->size < header)
		return;
	nr = (size_t)((plt->size - header) / entry);
	for (i = 0; i < nr && elf_image_reloc(e, rel, i, &r); i++, addr += entry)
		if (elf_plt_name(t, r.sym, &name_len))
			fn(ctx, addr, entry, r.sym);
}

void elf_image_plt_each(const struct elf_image *e, struct elf_symtab *t, plt_fn fn, void *ctx)
{
	const struct elf_section *plt = elf_image_section(e, ".plt"), *rel, *sec;

	rel = elf_image_section(e, ".rela.plt");
	if (!rel)
		rel = elf_image_section(e, ".rel.plt");
	if (!plt || !rel || !e->arch->plt_entry || !elf_image_symtab(e, SHT_DYNSYM, t))
		return;
	plt_section(e, plt, e->arch->plt_header, e->arch->plt_entry, rel, t, fn, ctx);
	/* With branch tracking calls go to the entries of .plt.sec, which has no header. */
	sec = elf_image_section(e, ".plt.sec");
	if (sec)
		plt_section(e, sec, 0, e->arch->plt_entry, rel, t, fn, ctx);
}

struct plt_list {
	struct elf_symtab t;
	struct arena *names;
	struct sym_list *out;
};

static void list_plt(void *ctx, u64 addr, u64 size, u32 sym)
{
	struct plt_list *l = ctx;
	size_t len;
	const char *name = elf_plt_name(&l->t, sym, &len);
	char *text = arena_alloc(l->names, len + 5);

	memcpy(text, name, len);
	memcpy(text + len, "@plt", 5);
	sym_list_add(l->out, addr, addr + size, text, len + 4, 'g', STT_FUNC);
}

size_t elf_image_plt(const struct elf_image *e, struct arena *names, struct sym_list *out)
{
	struct plt_list l = { .names = names, .out = out };
	size_t before = out->nr;

	elf_image_plt_each(e, &l.t, list_plt, &l);
	return out->nr - before;
}
