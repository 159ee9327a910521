// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF programs, from bpf(2). The info of a program points to arrays of various lengths: a first
 * call returns the lengths, and a second one fills the arrays. The written form has offsets instead
 * of pointers:
 *
 *	u32 info_len, u32 data_len, u64 bits of arrays, info[info_len], data[data_len]
 */
#include "base/compat.h"
#include "bpf/prog.h"

#include "base/alloc.h"
#include "bpf/sys.h"
#include "bpf/btf.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#define INFO_MAX                                                                                   \
	232 /* the size of struct bpf_prog_info that perf 6.1 knows; it refuses larger ones */
#define DATA_MAX ((u64)16 << 20) /* the most bytes of one program */

struct bpf_thing {
	u32 id, data_len;
	u8 *data; /* owned; for a program, its arrays */
	union {   /* for a program; pointers to arrays are offsets into data */
		struct bpf_prog_info info;
		u8 bytes[MAX(sizeof(struct bpf_prog_info), INFO_MAX)];
	};
};

/*
 * The arrays: their bits in the file, and where pointer, number and element size are in the info.
 * If rec is 0, elements have @size bytes.
 */
static const struct array {
	u8 bit;
	u16 ptr, count, rec, size;
} arrays[] = {
#define FIELD(f) offsetof(struct bpf_prog_info, f)
	{ 0, FIELD(jited_prog_insns), FIELD(jited_prog_len), 0, 1 },
	{ 3, FIELD(jited_ksyms), FIELD(nr_jited_ksyms), 0, 8 },
	{ 4, FIELD(jited_func_lens), FIELD(nr_jited_func_lens), 0, 4 },
	{ 5, FIELD(func_info), FIELD(nr_func_info), FIELD(func_info_rec_size), 0 },
	{ 6, FIELD(line_info), FIELD(nr_line_info), FIELD(line_info_rec_size), 0 },
	{ 7, FIELD(jited_line_info), FIELD(nr_jited_line_info), FIELD(jited_line_info_rec_size),
	  0 },
	{ 8, FIELD(prog_tags), FIELD(nr_prog_tags), 0, BPF_TAG_SIZE },
#undef FIELD
};

static int next_id(int cmd, u32 *id)
{
	union bpf_attr a;
	int rc;

	memset(&a, 0, sizeof(a));
	a.start_id = *id;
	rc = bpf_call(cmd, &a);
	if (!rc)
		*id = a.next_id;
	return rc;
}

/* --- one program ------------------------------------------------------------ */

static u32 get_u32(const struct bpf_thing *p, size_t at)
{
	u32 v;

	memcpy(&v, p->bytes + at, sizeof(v));
	return v;
}

static void set_u64(struct bpf_thing *p, size_t at, u64 v)
{
	memcpy(p->bytes + at, &v, sizeof(v));
}

static u64 array_size(const struct bpf_thing *p, const struct array *a)
{
	u64 each = a->rec ? get_u32(p, a->rec) : a->size;

	return get_u32(p, a->count) * each;
}

/* Make the second call: @want has the lengths; pointers are set here and converted to offsets. */
static int fill_arrays(struct bpf_thing *p, int fd, const struct bpf_thing *want)
{
	u64 len = 0, at = 0;
	int rc;

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		len += ALIGN_UP(array_size(want, &arrays[i]), (u64)8);
	if (len > DATA_MAX)
		return -E2BIG;
	p->data = xzalloc(MAX(len, (u64)1));
	p->data_len = (u32)len;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct array *a = &arrays[i];
		u32 count = get_u32(want, a->count);

		memcpy(p->bytes + a->count, &count, sizeof(count));
		if (a->rec) {
			u32 rec = get_u32(want, a->rec);

			memcpy(p->bytes + a->rec, &rec, sizeof(rec));
		}
		if (count)
			set_u64(p, a->ptr, (u64)(uintptr_t)(p->data + at));
		at += ALIGN_UP(array_size(want, a), (u64)8);
	}
	rc = bpf_info(fd, p->bytes, INFO_MAX);
	at = 0;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct array *a = &arrays[i];

		/* it does not fit in the allocated memory */
		if (array_size(p, a) > array_size(want, a))
			rc = rc ? rc : -EAGAIN;
		set_u64(p, a->ptr, get_u32(p, a->count) ? at : 0);
		at += ALIGN_UP(array_size(want, a), (u64)8);
	}
	return rc;
}

static void thing_free(struct bpf_thing *t)
{
	free(t->data);
	free(t);
}

static void insert(struct bpf_things *l, struct bpf_thing *t)
{
	size_t at = l->nr;

	VEC_GROW(l->v, l->nr + 1, l->cap);
	for (; at && l->v[at - 1]->id > t->id; at--)
		l->v[at] = l->v[at - 1];
	l->v[at] = t;
	l->nr++;
}

static struct bpf_thing *find(const struct bpf_things *l, u32 id)
{
	/* mostly the id is new, and then it is the last one */
	for (size_t i = l->nr; i-- > 0 && l->v[i]->id >= id;)
		if (l->v[i]->id == id)
			return l->v[i];
	return NULL;
}

static void things_release(struct bpf_things *l)
{
	for (size_t i = 0; i < l->nr; i++)
		thing_free(l->v[i]);
	free(l->v);
	memset(l, 0, sizeof(*l));
}

static int read_btf(struct bpf_thing *b, int fd)
{
	struct bpf_btf_info info = { 0 };
	int rc = bpf_info(fd, &info, sizeof(info));

	if (rc)
		return rc;
	if (!info.btf_size || info.btf_size > DATA_MAX)
		return -E2BIG;
	b->data_len = info.btf_size;
	b->data = xzalloc(b->data_len);
	memset(&info, 0, sizeof(info));
	info.btf = (u64)(uintptr_t)b->data;
	info.btf_size = b->data_len;
	return bpf_info(fd, &info, sizeof(info));
}

static int read_prog(struct bpf_thing *p, int fd)
{
	struct bpf_thing want = { 0 };
	int rc = bpf_info(fd, want.bytes, INFO_MAX);

	return rc ? rc : fill_arrays(p, fd, &want);
}

/* Let @read fill in the object that @cmd finds by @id, unless @l has it. */
static int add_thing(struct bpf_things *l, u32 id, int cmd,
		     int (*read)(struct bpf_thing *t, int fd))
{
	struct bpf_thing *t;
	int fd, rc;

	if (find(l, id))
		return 0;
	fd = bpf_fd_by_id(cmd, id);
	if (fd < 0)
		return fd;
	t = xzalloc(sizeof(*t));
	t->id = id;
	rc = read(t, fd);
	close(fd);
	if (rc)
		thing_free(t);
	else
		insert(l, t);
	return rc;
}

int bpf_progs_add(struct bpf_progs *l, u32 id)
{
	int rc = add_thing(&l->progs, id, BPF_PROG_GET_FD_BY_ID, read_prog);
	u32 btf = rc ? 0 : find(&l->progs, id)->info.btf_id;

	if (btf)
		add_thing(&l->btfs, btf, BPF_BTF_GET_FD_BY_ID, read_btf);
	return rc;
}

int bpf_progs_all(struct bpf_progs *l)
{
	u32 id = 0;
	int rc;

	while (!(rc = next_id(BPF_PROG_GET_NEXT_ID, &id)))
		bpf_progs_add(l, id); /* it may not exist any more */
	return rc == -ENOENT ? 0 : rc;
}

void bpf_progs_release(struct bpf_progs *l)
{
	things_release(&l->progs);
	things_release(&l->btfs);
}

/* --- what is written -------------------------------------------------------- */

static void put_u32(struct strbuf *out, size_t v)
{
	u32 u = (u32)v;

	strbuf_add(out, &u, sizeof(u));
}

void bpf_progs_info(const struct bpf_progs *l, struct strbuf *out)
{
	u64 which = 0;

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		which |= 1ULL << arrays[i].bit;
	put_u32(out, l->progs.nr);
	for (size_t i = 0; i < l->progs.nr; i++) {
		const struct bpf_thing *p = l->progs.v[i];

		put_u32(out, INFO_MAX);
		put_u32(out, p->data_len);
		strbuf_add(out, &which, sizeof(which));
		strbuf_add(out, p->bytes, INFO_MAX);
		strbuf_add(out, p->data, p->data_len);
	}
}

void bpf_progs_btf(const struct bpf_progs *l, struct strbuf *out)
{
	put_u32(out, l->btfs.nr);
	for (size_t i = 0; i < l->btfs.nr; i++) {
		put_u32(out, l->btfs.v[i]->id);
		put_u32(out, l->btfs.v[i]->data_len);
		strbuf_add(out, l->btfs.v[i]->data, l->btfs.v[i]->data_len);
	}
}

/*
 * Append "bpf_prog_<tag>_<name>" with the name of function @i from BTF, or else that of a program
 * with a single function.
 */
static void func_name(const struct bpf_progs *l, const struct bpf_thing *p, u32 i, char *out,
		      size_t size)
{
	const struct bpf_prog_info *info = &p->info;
	const struct bpf_thing *btf = find(&l->btfs, info->btf_id);
	const char *name = NULL;
	const u8 *tag = info->tag;
	int n;

	if (i < info->nr_prog_tags)
		tag = p->data + info->prog_tags + (size_t)i * BPF_TAG_SIZE;
	if (btf && i < info->nr_func_info && info->func_info_rec_size >= sizeof(u32) * 2) {
		const u8 *rec = p->data + info->func_info + (size_t)i * info->func_info_rec_size;
		u32 type = ((const u32_una *)rec)[1];

		name = btf_func_name(btf->data, btf->data_len, type);
	} else if (info->nr_jited_ksyms == 1) {
		name = info->name;
	}
	n = snprintf(out, size, "bpf_prog_");
	for (size_t k = 0; k < BPF_TAG_SIZE; k++)
		n += snprintf(out + n, size - (size_t)n, "%02x", tag[k]);
	if (!name || *name)
		snprintf(out + n, size - (size_t)n, "_%.*s",
			 name == info->name ? BPF_OBJ_NAME_LEN : 255, name ? name : "F");
}

static void synth_prog(struct synth *s, const struct bpf_progs *l, const struct bpf_thing *p)
{
	const struct bpf_prog_info *info = &p->info;
	struct rec_bpf ev = { .type = PERF_BPF_EVENT_PROG_LOAD, .id = info->id, .tag = info->tag };
	const u64_una *addr = (const void *)(p->data + info->jited_ksyms);
	const u32_una *len = (const void *)(p->data + info->jited_func_lens);
	u32 nr = MIN(info->nr_jited_ksyms, info->nr_jited_func_lens);
	char name[300];

	for (u32 i = 0; i < nr; i++) {
		struct rec_ksymbol k = { .addr = addr[i],
					 .len = len[i],
					 .type = PERF_RECORD_KSYMBOL_TYPE_BPF,
					 .name = name };

		func_name(l, p, i, name, sizeof(name));
		enc_ksymbol(s->out, &k, s->layout, NULL);
	}
	if (nr)
		enc_bpf(s->out, &ev, s->layout, NULL);
}

void synth_bpf(struct synth *s, const struct bpf_progs *l)
{
	for (size_t i = 0; i < l->progs.nr; i++)
		synth_prog(s, l, l->progs.v[i]);
}
