// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "codec/bpf-info.h"

#include "base/alloc.h"
#include "base/cur.h"
#include "base/strbuf.h"

#define TAG_SIZE 8
#define NAME_SIZE 16
#define MAX_PROGRAMS 65536
#define MAX_FUNCTIONS 65536
#define MAX_STEPS (1U << 24) /* through lines and functions; a damaged file may ask for more */

/* Offsets of members in struct bpf_prog_info. */
enum {
	INFO_ID = 4,
	INFO_JITED_LEN = 16,
	INFO_JITED_INSNS = 24,
	INFO_NAME = 64,
	INFO_NR_JITED_KSYMS = 104,
	INFO_NR_JITED_LENS = 108,
	INFO_JITED_KSYMS = 112,
	INFO_JITED_LENS = 120,
	INFO_BTF_ID = 128,
	INFO_FUNC_REC_SIZE = 132,
	INFO_FUNC_INFO = 136,
	INFO_NR_FUNC_INFO = 144,
	INFO_NR_LINE_INFO = 148,
	INFO_LINE_INFO = 152,
	INFO_JITED_LINE_INFO = 160,
	INFO_NR_JITED_LINE_INFO = 168,
	INFO_LINE_REC_SIZE = 172,
	INFO_JITED_LINE_REC_SIZE = 176,
	INFO_NR_TAGS = 180,
	INFO_TAGS = 184,
	INFO_END = 192
};

/* The bits that say which arrays are there. */
enum { HAS_INSNS = 1 << 0, HAS_LINES = 1 << 6, HAS_JITED_LINES = 1 << 7 };

struct program {
	const u8 *info;  /* INFO_END bytes, zero where the recorder's struct was shorter */
	struct cur data; /* the arrays, to which the pointers in the struct are offsets */
	u64 arrays;
	const struct btf *btf; /* NULL: none */
};

static u32 info_u32(const struct program *p, size_t at)
{
	return *(const u32_una *)(p->info + at);
}

/* Return entry @i of an array with elements of @size bytes, or NULL when it does not exist. */
static const u8 *entry(const struct program *p, size_t member, u64 i, size_t size)
{
	u64 at = *(const u64_una *)(p->info + member), left = cur_left(&p->data);

	if (at > left || (left - at) / size <= i)
		return NULL;
	return p->data.p + at + i * size;
}

/* ---- BTF ---- */

struct btf {
	u32 id;
	const char *strings; /* borrowed; with a terminator at the end */
	u32 strings_len;
	u32 *names; /* owned; of types from 1 on: the place of the name in the strings */
	u32 nr;
};

struct btfs {
	struct btf *v; /* owned */
	size_t nr, cap;
};

/* Return the size of what follows the three words of a type, which depends on its kind. */
static size_t type_tail(u32 info)
{
	u32 nr = info & 0xffff;

	switch (info >> 24 & 0x1f) {
	case 1:  /* INT */
	case 14: /* VAR */
	case 17: /* DECL_TAG */
		return 4;
	case 3: /* ARRAY */
		return 12;
	case 4:  /* STRUCT */
	case 5:  /* UNION */
	case 15: /* DATASEC */
	case 19: /* ENUM64 */
		return (size_t)nr * 12;
	case 6:  /* ENUM */
	case 13: /* FUNC_PROTO */
		return (size_t)nr * 8;
	default:
		return 0;
	}
}

static void read_types(struct btf *b, struct cur c)
{
	size_t cap = 1;

	b->names = xcalloc(cap, sizeof(*b->names));
	b->nr = 1;
	while (cur_left(&c)) {
		u32 name = cur_u32(&c), info = cur_u32(&c);

		cur_skip(&c, 4 + type_tail(info));
		if (!cur_ok(&c))
			break;
		VEC_GROW(b->names, (size_t)b->nr + 1, cap);
		b->names[b->nr++] = name;
	}
}

/* Read the header of BTF: u16 magic, u8, u8, u32 size of the header, and offset and size of types
 * and of strings, behind it. */
static void read_btf(struct btf *b, struct cur c)
{
	const u8 *start = c.p;
	size_t size = cur_left(&c);
	u32 header, types, types_len, strings, strings_len;

	cur_skip(&c, 4);
	header = cur_u32(&c);
	types = cur_u32(&c);
	types_len = cur_u32(&c);
	strings = cur_u32(&c);
	strings_len = cur_u32(&c);
	if (!cur_ok(&c) || header > size || types > size - header ||
	    types_len > size - header - types || strings > size - header || !strings_len ||
	    strings_len > size - header - strings || start[header + strings + strings_len - 1])
		return;
	b->strings = (const char *)start + header + strings;
	b->strings_len = strings_len;
	read_types(b, cur_make(start + header + types, types_len, false));
}

/* Read u32 number, and of each u32 id, u32 size and its bytes. */
static void read_btfs(struct btfs *l, const void *body, size_t size)
{
	struct cur all = cur_make(body, size, false);
	u32 nr = cur_u32(&all);

	for (u32 i = 0; i < nr && cur_ok(&all); i++) {
		struct btf b = { .id = cur_u32(&all) };
		u32 len = cur_u32(&all);
		const void *bytes = cur_bytes(&all, len);

		if (!bytes)
			return;
		read_btf(&b, cur_make(bytes, len, false));
		VEC_GROW(l->v, l->nr + 1, l->cap);
		l->v[l->nr++] = b;
	}
}

static void btfs_release(struct btfs *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i].names);
	free(l->v);
}

static const struct btf *find_btf(const struct btfs *l, u32 id)
{
	for (size_t i = 0; id && i < l->nr; i++)
		if (l->v[i].id == id && l->v[i].strings)
			return &l->v[i];
	return NULL;
}

static const char *btf_string(const struct btf *b, u32 at)
{
	return at < b->strings_len ? b->strings + at : NULL;
}

/* ---- functions ---- */

static const char *type_name(const struct program *p, u32 i)
{
	u32 rec = info_u32(p, INFO_FUNC_REC_SIZE), type;
	const u8 *func;

	if (!p->btf || rec < 8 || i >= info_u32(p, INFO_NR_FUNC_INFO))
		return NULL;
	func = entry(p, INFO_FUNC_INFO, i, rec);
	type = func ? *(const u32_una *)(func + 4) : 0;
	return type && type < p->btf->nr ? btf_string(p->btf, p->btf->names[type]) : NULL;
}

/* Make "bpf_prog_TAG_NAME", with the name of the function from BTF, or that of a program with a
 * single function. */
static char *make_name(const struct program *p, u32 i)
{
	const u8 *tag = i < info_u32(p, INFO_NR_TAGS) ? entry(p, INFO_TAGS, i, TAG_SIZE) : NULL;
	const char *name = type_name(p, i);
	struct strbuf out = STRBUF_INIT;
	char own[NAME_SIZE + 1] = "";

	strbuf_addstr(&out, "bpf_prog_");
	for (int k = 0; tag && k < TAG_SIZE; k++)
		strbuf_addf(&out, "%02x", tag[k]);
	if (!name && info_u32(p, INFO_NR_TAGS) == 1) {
		memcpy(own, p->info + INFO_NAME, NAME_SIZE);
		name = own;
	} else if (!name) {
		name = "F";
	}
	if (*name)
		strbuf_addf(&out, "_%s", name);
	return strbuf_detach(&out);
}

static void add_functions(struct bpf_programs *l, const struct program *p)
{
	u32 nr = info_u32(p, INFO_NR_JITED_KSYMS);
	bool code = p->arrays & HAS_INSNS;
	u64 at = 0; /* the code of all functions is in a row */

	if (nr > MAX_FUNCTIONS || nr != info_u32(p, INFO_NR_JITED_LENS))
		return;
	for (u32 i = 0; i < nr; i++) {
		const u8 *addr = entry(p, INFO_JITED_KSYMS, i, 8);
		const u8 *len = entry(p, INFO_JITED_LENS, i, 4);
		struct bpf_function f = { .id = info_u32(p, INFO_ID) };

		if (!addr || !len)
			return;
		f.addr = *(const u64_una *)addr;
		f.size = *(const u32_una *)len;
		code = code && at + f.size <= info_u32(p, INFO_JITED_LEN) && f.size &&
		       entry(p, INFO_JITED_INSNS, at + f.size - 1, 1);
		f.code = code ? entry(p, INFO_JITED_INSNS, at, 1) : NULL;
		f.name = make_name(p, i);
		at += f.size;
		VEC_GROW(l->v, l->nr + 1, l->cap);
		l->v[l->nr++] = f;
	}
}

/* ---- lines ---- */

/* Return the function of the program, whose functions begin at @first, that has an address. */
static struct bpf_function *function_at(const struct bpf_programs *l, size_t first, u64 addr)
{
	for (size_t i = first; i < l->nr; i++)
		if (addr - l->v[i].addr < l->v[i].size)
			return &l->v[i];
	return NULL;
}

static int line_order(const void *x, const void *y)
{
	const struct bpf_line *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

/*
 * Add the lines of a program. Entry i of one array is the address of what entry i of another one
 * describes: u32 instruction, u32 file, u32 text, u32 line << 10 | column.
 */
static void add_lines(struct bpf_programs *l, const struct program *p, size_t first, u32 *left)
{
	u32 nr = MIN(info_u32(p, INFO_NR_LINE_INFO), info_u32(p, INFO_NR_JITED_LINE_INFO));
	u32 size = info_u32(p, INFO_LINE_REC_SIZE), at_size = info_u32(p, INFO_JITED_LINE_REC_SIZE);
	struct bpf_function *f = NULL;

	if (!p->btf || !(p->arrays & HAS_LINES) || !(p->arrays & HAS_JITED_LINES) || size < 16 ||
	    at_size < 8)
		return;
	for (u32 i = 0; i < nr && *left; i++, --*left) {
		const u32_una *line = (const void *)entry(p, INFO_LINE_INFO, i, size);
		const u8 *at = entry(p, INFO_JITED_LINE_INFO, i, at_size);
		u64 addr = line && at ? *(const u64_una *)at : 0;

		if (!addr)
			return;
		if (!f || addr - f->addr >= f->size) {
			f = function_at(l, first, addr);
			*left -= MIN(*left - 1, (u32)(l->nr - first));
		}
		if (!f)
			continue;
		/* Arrays grow by doubling: a power of two is full. */
		if (!(f->nr_lines & (f->nr_lines - 1)))
			f->lines = xrealloc(f->lines, MAX(f->nr_lines * 2, (size_t)1),
					    sizeof(*f->lines));
		f->lines[f->nr_lines++] = (struct bpf_line){
			.at = (u32)(addr - f->addr),
			.line = line[3] >> 10,
			.file = btf_string(p->btf, line[1]),
			.text = btf_string(p->btf, line[2]) ?: "",
		};
	}
	for (size_t i = first; i < l->nr; i++)
		if (l->v[i].nr_lines)
			qsort(l->v[i].lines, l->v[i].nr_lines, sizeof(*l->v[i].lines), line_order);
}

/* ---- the whole ---- */

/*
 * Read u32 number, and of each program u32 size of its info, u32 size of its arrays, u64 which
 * arrays there are, info, arrays.
 */
void bpf_programs_read(struct bpf_programs *l, const void *info, size_t info_size, const void *btf,
		       size_t btf_size)
{
	struct cur c = cur_make(info, info_size, false);
	u32 nr = cur_u32(&c), steps = MAX_STEPS;
	struct btfs btfs = { 0 };

	*l = (struct bpf_programs){ 0 };
	if (btf)
		read_btfs(&btfs, btf, btf_size);
	for (u32 i = 0; i < nr && i < MAX_PROGRAMS; i++) {
		u32 info_len = cur_u32(&c), data_len = cur_u32(&c);
		struct program p = { .arrays = cur_u64(&c) };
		u8 whole[INFO_END] = { 0 };
		const u8 *bytes = cur_bytes(&c, info_len), *data = cur_bytes(&c, data_len);
		size_t first = l->nr;

		if (!bytes || !data)
			break;
		memcpy(whole, bytes, MIN(info_len, (u32)sizeof(whole)));
		p.info = whole;
		p.data = cur_make(data, data_len, false);
		p.btf = find_btf(&btfs, info_u32(&p, INFO_BTF_ID));
		add_functions(l, &p);
		add_lines(l, &p, first, &steps);
	}
	btfs_release(&btfs);
}

void bpf_programs_release(struct bpf_programs *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		free(l->v[i].name);
		free(l->v[i].lines);
	}
	free(l->v);
	*l = (struct bpf_programs){ 0 };
}

/* Return what follows the tag in "bpf_prog_TAG_NAME", which kernels make in different ways. */
static const char *own_name(const char *name)
{
	static const char prefix[] = "bpf_prog_";
	size_t len = sizeof(prefix) - 1;

	if (strncmp(name, prefix, len) != 0)
		return name;
	name += len;
	return name + strspn(name, "0123456789abcdef");
}

const struct bpf_function *bpf_programs_find(const struct bpf_programs *l, u64 addr, u64 size,
					     const char *name)
{
	const struct bpf_function *found = NULL;

	for (size_t i = 0; i < l->nr; i++) {
		const struct bpf_function *f = &l->v[i];

		if (f->addr != addr || f->size > size)
			continue;
		if (!found || !strcmp(own_name(f->name), own_name(name)))
			found = f;
	}
	return found;
}

const struct bpf_line *bpf_function_line(const struct bpf_function *f, u64 at)
{
	const struct bpf_line *found = NULL;

	for (size_t low = 0, high = f->nr_lines; low < high;) {
		size_t i = low + (high - low) / 2;

		if (f->lines[i].at <= at) {
			found = &f->lines[i];
			low = i + 1;
		} else {
			high = i;
		}
	}
	return found;
}
