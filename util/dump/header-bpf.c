// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BPF programs that were loaded during the recording. A program is the kernel's struct
 * bpf_prog_info (linux/bpf.h), whose pointers are offsets into the arrays after it. BTF has the
 * names of its functions.
 */
#include "base/compat.h"
#include "dump/header-internal.h"

#define TAG_SIZE 8
#define NAME_SIZE 16
#define MAX_PROGRAMS 65536
#define MAX_FUNCTIONS 65536

/* Offsets of members in struct bpf_prog_info. */
enum {
	INFO_ID = 4,
	INFO_NAME = 64,
	INFO_NR_JITED_KSYMS = 104,
	INFO_NR_JITED_LENS = 108,
	INFO_JITED_KSYMS = 112,
	INFO_JITED_LENS = 120,
	INFO_BTF_ID = 128,
	INFO_FUNC_REC_SIZE = 132,
	INFO_FUNC_INFO = 136,
	INFO_NR_FUNC_INFO = 144,
	INFO_NR_TAGS = 180,
	INFO_TAGS = 184,
	INFO_END = 192
};

/* A damaged file may cause many more steps through types than any real one. */
#define MAX_STEPS (1U << 24)

struct names {
	const struct cur *btf; /* the body of BPF_BTF */
	u32 steps;             /* steps so far */
};

struct program {
	const u8 *info;  /* INFO_END bytes, zero where the recorder's struct was shorter */
	struct cur data; /* the arrays */
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

/* Read a u32 number, and then u32 id, u32 size and bytes for each. */
static bool find_btf(struct names *n, u32 id, struct cur *btf)
{
	struct cur all = *n->btf;
	u32 nr = cur_u32(&all), i;

	for (i = 0; i < nr && cur_ok(&all) && n->steps < MAX_STEPS; i++, n->steps++) {
		u32 this_id = cur_u32(&all), size = cur_u32(&all);
		const void *bytes = cur_bytes(&all, size);

		if (bytes && this_id == id) {
			*btf = cur_make(bytes, size, false);
			return true;
		}
	}
	return false;
}

/*
 * Return the size of what follows the three words of a type, which depends on its kind
 * (linux/btf.h).
 */
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

/* Return the name of type @want, or NULL. Types are numbered from 1. */
static const char *btf_type_name(struct names *n, struct cur btf, u32 want)
{
	const u8 *start = btf.p;
	size_t size = cur_left(&btf);
	u32 header, types, types_len, strings, strings_len, id, name = 0;
	struct cur c;

	cur_skip(&btf, 4);
	header = cur_u32(&btf);
	types = cur_u32(&btf);
	types_len = cur_u32(&btf);
	strings = cur_u32(&btf);
	strings_len = cur_u32(&btf);
	if (!cur_ok(&btf) || !want || header > size || types > size - header ||
	    types_len > size - header - types || strings > size - header ||
	    strings_len > size - header - strings)
		return NULL;
	c = cur_make(start + header + types, types_len, false);
	for (id = 1; id <= want; id++) {
		u32 info;

		name = cur_u32(&c);
		info = cur_u32(&c);
		cur_skip(&c, 4 + type_tail(info));
		if (!cur_ok(&c) || n->steps++ >= MAX_STEPS)
			return NULL;
	}
	if (name >= strings_len)
		return NULL;
	c = cur_make(start + header + strings + name, strings_len - name, false);
	return cur_str(&c, strings_len - name);
}

/* ---- programs ---- */

static const char *function_name(const struct program *p, struct names *n, u32 i)
{
	u32 id = info_u32(p, INFO_BTF_ID), rec = info_u32(p, INFO_FUNC_REC_SIZE);
	const u8 *func;
	struct cur types;

	if (!id || rec < 8 || i >= info_u32(p, INFO_NR_FUNC_INFO) || !find_btf(n, id, &types))
		return NULL;
	func = entry(p, INFO_FUNC_INFO, i, rec);
	return func ? btf_type_name(n, types, *(const u32_una *)(func + 4)) : NULL;
}

/*
 * Append "bpf_prog_TAG_NAME", with the name of the function from BTF, or that of a program with a
 * single function.
 */
static void put_name(const struct program *p, struct names *n, u32 i, struct strbuf *out)
{
	const u8 *tag = i < info_u32(p, INFO_NR_TAGS) ? entry(p, INFO_TAGS, i, TAG_SIZE) : NULL;
	const char *name = function_name(p, n, i);
	char own[NAME_SIZE + 1] = "";
	int k;

	strbuf_addstr(out, "bpf_prog_");
	for (k = 0; tag && k < TAG_SIZE; k++)
		strbuf_addf(out, "%02x", tag[k]);
	if (!name && info_u32(p, INFO_NR_TAGS) == 1) {
		memcpy(own, p->info + INFO_NAME, NAME_SIZE);
		name = own;
	} else if (!name) {
		name = "F";
	}
	if (*name) {
		strbuf_addch(out, '_');
		strbuf_addname(out, name);
	}
}

static void put_function(const struct program *p, struct names *n, u32 i, struct strbuf *out)
{
	const u8 *addr = entry(p, INFO_JITED_KSYMS, i, 8), *len = entry(p, INFO_JITED_LENS, i, 4);

	put_name(p, n, i, out);
	strbuf_addf(out, " addr 0x%" PRIx64 " size %u\n", addr ? *(const u64_una *)addr : 0,
		    len ? *(const u32_una *)len : 0);
}

static void put_program(const struct program *p, struct names *n, struct strbuf *out)
{
	u32 nr = info_u32(p, INFO_NR_JITED_KSYMS), i;

	if (!nr || nr > MAX_FUNCTIONS || nr != info_u32(p, INFO_NR_JITED_LENS))
		return;
	strbuf_addf(out, "# bpf_prog_info %u:", info_u32(p, INFO_ID));
	if (nr == 1) {
		strbuf_addch(out, ' ');
		put_function(p, n, 0, out);
		return;
	}
	strbuf_addch(out, '\n');
	for (i = 0; i < nr && entry(p, INFO_JITED_KSYMS, i, 8); i++) {
		strbuf_addf(out, "# \tsub_prog %u: ", i);
		put_function(p, n, i, out);
	}
}

/*
 * Read a u32 number, and for each program u32 size of info, u32 size of arrays, u64 bits of arrays,
 * info, arrays.
 */
void put_bpf_programs(struct cur *c, const struct cur *btf, struct strbuf *out)
{
	struct names names = { .btf = btf };
	u32 nr = cur_u32(c), i;

	if (c->swap) /* the bytes of the kernel's structure are in the order of the recording
			machine */
		return;
	for (i = 0; i < nr && i < MAX_PROGRAMS; i++) {
		u32 info_len = cur_u32(c), data_len = cur_u32(c);
		struct program p = { 0 };
		u8 whole[INFO_END] = { 0 };
		const u8 *info, *data;

		cur_skip(c, 8);
		info = cur_bytes(c, info_len);
		data = cur_bytes(c, data_len);
		if (!info || !data)
			return;
		memcpy(whole, info, MIN(info_len, (u32)sizeof(whole)));
		p.info = whole;
		p.data = cur_make(data, data_len, false);
		put_program(&p, &names, out);
	}
}

void put_btf(struct cur *c, struct strbuf *out)
{
	u32 nr = cur_u32(c), i;

	for (i = 0; i < nr && !c->swap; i++) {
		u32 id = cur_u32(c);

		cur_skip(c, cur_u32(c));
		if (!cur_ok(c))
			return;
		strbuf_addf(out, "# btf info of id %u\n", id);
	}
}
